"""Forecasts of Prophet and statsmodels. Runs in the peers' own environment: `python peers_forecast.py INPUT.json OUTPUT.json`.

In: for every series its training times `x` in decimal years, values `y`, and the times `ahead` that follow them. Out: for every
series and method `mean`, `lower_95`, `upper_95` and `seconds`. Prophet is told dates, the others the length of the year: twelve
where the series is monthly.
"""

import json
import logging
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

# Both speak on import already.
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from prophet import Prophet  # noqa: E402
from statsmodels.tsa.exponential_smoothing.ets import ETSModel  # noqa: E402
from statsmodels.tsa.statespace.sarimax import SARIMAX  # noqa: E402

YEAR = 12
Method = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, ...]]


def monthly(x: np.ndarray) -> bool:
    return float(np.median(np.diff(x))) < 0.5


def dates(x: np.ndarray) -> pd.DatetimeIndex:
    """The start of the month, or of the year, that each time lies in; they must follow one another without a gap."""
    # Years of 365 days: that is how these series count, leap years too, with 1 January as day 1.
    days = [pd.Timestamp(int(t), 1, 1) + pd.Timedelta(days=round(365 * (t - int(t)))) for t in x]
    unit = "M" if monthly(x) else "Y"
    found = pd.PeriodIndex(days, freq=unit)
    if not found.equals(pd.period_range(found[0], periods=len(x), freq=unit)):
        raise SystemExit(f"the times from {x[0]} to {x[-1]} are not every {'month' if unit == 'M' else 'year'} once")
    return found.to_timestamp()


def prophet(x: np.ndarray, y: np.ndarray, ahead: np.ndarray) -> tuple[np.ndarray, ...]:
    """Its defaults, except for the level of the interval."""
    when = dates(np.concatenate([x, ahead]))
    np.random.seed(0)  # its interval is sampled from the global generator
    model = Prophet(interval_width=0.95).fit(pd.DataFrame({"ds": when[: len(x)], "y": y}))
    found = model.predict(pd.DataFrame({"ds": when[len(x) :]}))
    return found["yhat"].to_numpy(), found["yhat_lower"].to_numpy(), found["yhat_upper"].to_numpy()


def ets(x: np.ndarray, y: np.ndarray, ahead: np.ndarray) -> tuple[np.ndarray, ...]:
    """Holt-Winters with additive trend and season, or Holt."""
    season = {"seasonal": "add", "seasonal_periods": YEAR} if monthly(x) else {}
    found = ETSModel(pd.Series(y), error="add", trend="add", **season).fit(disp=False)
    span = found.get_prediction(start=len(y), end=len(y) + len(ahead) - 1)
    frame = span.summary_frame(alpha=0.05)
    return frame["mean"].to_numpy(), frame["pi_lower"].to_numpy(), frame["pi_upper"].to_numpy()


def sarimax(x: np.ndarray, y: np.ndarray, ahead: np.ndarray) -> tuple[np.ndarray, ...]:
    """The airline model, or ARIMA(1, 1, 1)."""
    orders = {"order": (0, 1, 1), "seasonal_order": (0, 1, 1, YEAR)} if monthly(x) else {"order": (1, 1, 1)}
    span = SARIMAX(y, **orders).fit(disp=False).get_forecast(len(ahead))
    return (span.predicted_mean, *span.conf_int(alpha=0.05).T)


def run(method: Method, series: dict[str, list[float]]) -> dict[str, object]:
    began = time.perf_counter()
    found = method(*(np.array(series[name]) for name in ("x", "y", "ahead")))
    seconds = time.perf_counter() - began
    return {**{k: v.tolist() for k, v in zip(("mean", "lower_95", "upper_95"), found, strict=True)}, "seconds": seconds}


def main() -> None:
    given, wanted = map(Path, sys.argv[1:])
    methods = {"Prophet": prophet, "ETS": ets, "SARIMAX": sarimax}
    series = json.loads(given.read_text())
    # Once for nothing: whatever is loaded or compiled at the first call is not the method's time.
    for method in methods.values():
        run(method, next(iter(series.values())))
    found = {name: {label: run(method, each) for label, method in methods.items()} for name, each in series.items()}
    wanted.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
