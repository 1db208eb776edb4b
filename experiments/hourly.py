"""Hourly loads and tides: the kernels and values of the paper's Table 1, with inducing points, with waves, and as others search.

GEFCOM (38,070 rows, 160 inducing points) and tides (31,957 rows, 640 points; Port Canaveral, and Dover where it is there as
tidal.csv). Beside the paper's SKC to depth 5 stand our default on waves, the search by lower bounds alone, and CKS on random
subsets. Claims: both periods of each are found with few inducing points, and missed by the lower bound alone and by subsets.
Whatever a search went by, what it has chosen is judged by its BIC on all rows, bounded by waves. So is the paper's own kernel,
climbed to from the values in its table with as many points as SKC has: where SKC misses a period, this tells whether the search
or the points are at fault. On GEFCOM both searches with points are made again with starts drawn as in the paper: ours look for
periods that stand out in the data.

Kernels of GEFCOM grow at every sub-expression, since the one in the paper cannot be reached otherwise; those of the tides at the
root, which is enough for the paper's product and costs a third. The longer period counts as found too where two others of the
kernel beat with it. Each search has a budget, so that the whole is done in hours; what was cut off is marked.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

import kernelscribe as ks
from harness import Ledger, Settings, draw, settings
from kernelscribe.data import read
from kernelscribe.kernels.bases import BASES
from searching import described, searched, some, waves_bic

ROWS = 31_957
SUBSETS = (320, 640, 1280, 2560)
DEPTH = 5
# In days: what counts as found, the shorter one first. Tides come every 12 h 25 min; the paper counts its 0.538 days as that.
PERIODS = {
    "gefcom": {"daily": [(0.995, 1.005)], "half-yearly or yearly": [(165, 190), (355, 375)]},
    "tidal": {"half-daily": [(0.5, 0.5417)], "spring and neap": [(13.5, 15.5)]},
}
POINTS = {"gefcom": 160, "tidal": 640}
MOVES = {"gefcom": "sub", "tidal": "root"}
# Where the search by lower bounds alone finds what it should miss: what of that is due to starts that look at the data?
DRAWN = ("gefcom",)
# Seconds after which a search ends with what it knows, by what it searches with.
BUDGETS = {"gefcom": 1000, "tidal": 3000, "waves": 600, "subset": 300}


def series(options: Settings) -> dict[str, ks.Dataset]:
    """Time in days."""
    if options.data is None:
        rng, days = np.random.default_rng(options.seed), np.arange(300) / 12
        y = np.sin(2 * np.pi * days) * (1 + 0.3 * np.sin(2 * np.pi * days / 12)) + 0.2 * rng.normal(size=300)
        return {"gefcom": ks.Dataset.of(days, y)}
    tides = options.data / "tidal.csv"
    whole = {"gefcom": read(options.data / "gefcom.csv")}
    port = read(options.data / "tidal_port_canaveral.csv.gz")
    last = port.rows(np.arange(len(port.y) - ROWS, len(port.y)))
    return whole | ({"tidal": last, "tidal, Dover": read(tides)} if tides.exists() else {"tidal": last})


def ways(name: str, m: int, sizes: tuple[int, ...]) -> dict[str, dict[str, Any]]:
    """How each series is searched."""
    points = {"engine": "inducing", "inducing": m, "buffer": 1, "moves": MOVES[name], "budget": BUDGETS[name]}
    both = {"lower bound alone": {"strategy": "skc-lb", **points}, "SKC": {"strategy": "skc", **points}}
    drawn = {f"drawn starts, {way}": {**how, "starts": "paper"} for way, how in both.items()} if name in DRAWN else {}
    return {"waves": {"budget": BUDGETS["waves"]}, **both, **drawn} | {
        f"CKS on {n} rows": {"strategy": "cks", "part": n, "moves": "root", "budget": BUDGETS["subset"]} for n in sizes
    }


def theirs(kind: str, data: ks.Dataset) -> str:
    """The kernel of the paper's table at its values, with the periods of the tides as they are in nature.

    On tides without LIN and a second PER, of which the paper says that they hardly matter. The table has shapes of PER in days;
    as we read it they are multiples of the standard deviation of the times, 474 and 384 days, which the paper does not say.
    """
    day, middle = 1 / data.inputs[0].scale, float(data.X.mean())
    if kind == "tidal":
        fast, slow = f"lengthscale=2.67, period={0.517525 * day}", f"lengthscale=0.88, period={14.7653 * day}"
        return f"SE(variance=2.32, lengthscale={82.5 * day})*PER(variance=5.17, {fast})*PER(variance=0.21, {slow})"
    daily = f"SE(variance=0.44, lengthscale={60.5 * day})*PER(variance=1.1, lengthscale=2.3, period={1.003 * day})"
    yearly = f"PER(variance=0.06, lengthscale=0.36, period={174 * day})"
    rise = f"LIN(variance={0.17 / (474 * day) ** 2}, location={middle})"
    return f"{daily} + SE(variance=0.18, lengthscale={331 * day})*({yearly} + {rise})"


def climbed(data: ks.Dataset, kernel: str, m: int, seed: int, **few: int) -> dict[str, Any]:
    """A kernel at the top of the lower bound that is next to its values, told as a search is."""
    fit = ks.fit_kernel(kernel, data.X, data.y, engine="inducing", inducing=m, restarts=1, seed=seed, **few)
    return {**described(fit), "rounds": [], "seconds": fit.seconds, "stopped": None}


def found(periods: list[float], bands: list[tuple[float, float]]) -> str:
    """How a period is in a kernel: itself, as the beat of two others (or of the first overtone of one), or not at all."""
    pairs = [(short, long, round(long / short)) for short, long in combinations(sorted(periods), 2)]
    beats = [1 / abs(times / long - 1 / short) for short, long, times in pairs if times <= 2 and times * short != long]
    for how, candidates in (("found", periods), ("found as a beat", beats)):
        if any(low <= period <= high for period in candidates for low, high in bands):
            return how
    return "missed"


def in_days(one: dict[str, Any], data: ks.Dataset) -> list[dict[str, Any]]:
    """The kernel's values as the paper's table has them: lengths in days, places as years, variances of the scaled target."""
    axis, shown = data.inputs[0], []
    for leaf in one["parameters"]:
        told: dict[str, Any] = {"kind": leaf["kind"]}
        for parameter, value in zip(BASES[leaf["kind"]].parameters, leaf["values"], strict=True):
            match parameter.kind:
                case "place":
                    told[parameter.name] = _year(data, axis.centre + axis.scale * value)
                case "length":
                    told[f"{parameter.name}, days"] = value * axis.scale
                case "pure":
                    told["shape"] = value
                case _:
                    told[parameter.name] = value
        shown.append(told)
    return shown


def _year(data: ks.Dataset, place: float) -> float:
    """A place on the time axis as a decimal year, or as it is where there are no dates."""
    if not data.axes[0].dated:
        return place
    moment = data.axes[0].date(place)
    return moment.year + (moment - datetime(moment.year, 1, 1)).days / 365.25


def told(data: ks.Dataset, one: dict[str, Any], bands: dict[str, list[tuple[float, float]]]) -> dict[str, Any]:
    """What came out of a search or a climb, as a row of the table."""
    values = in_days(one, data)
    periods = [each["period, days"] for each in values if "period, days" in each]
    return {
        "kernel": one["chosen"], "values": values, "noise": one["noise"],
        "found": {what: found(periods, where) for what, where in bands.items()},
        "depth": max((each["depth"] for each in one["rounds"]), default=None), "seconds": one["seconds"],
        "stopped": one["stopped"], "bic": one["bic"],
        "rounds": [{key: each[key] for key in ("depth", "kernel", "lower", "upper")} for each in one["rounds"]],
    }  # fmt: skip


def measures(options: Settings, kind: str, data: ks.Dataset) -> dict[str, Callable[[str], dict[str, Any]]]:
    """By name, what is done with a series; each takes the key of its cell."""
    few: dict[str, Any] = {"steps": 30} if options.quick else {}
    whole: dict[str, Any] = {"depth": 2, "restarts": 1, **few} if options.quick else {"depth": DEPTH}
    points, each = 20 if options.quick else POINTS[kind], {}
    for way, how in ways(kind, points, subsets(options)).items():
        part = how.pop("part", None)
        # What is found on some rows is judged as it is, not fitted to all first: that would look for periods in the whole.
        rows = some(data, part, np.random.default_rng([options.seed, part])) if part else data
        each[way] = partial(searched, options, data=rows, **{**whole, **how})
    return each | {"paper's kernel": lambda _: climbed(data, theirs(kind, data), points, options.seed, **few)}


def subsets(options: Settings) -> tuple[int, ...]:
    return (60,) if options.quick else SUBSETS


def main() -> None:
    options = settings("hourly", __doc__)
    whole, sizes = series(options), subsets(options)
    ledger = Ledger(options, {"series": list(whole), "rows": ROWS, "subsets": sizes, "points": POINTS, "budgets": BUDGETS})
    kinds = {name: name.split(",")[0] for name in whole}
    done = {name: measures(options, kinds[name], data) for name, data in whole.items()}
    ledger.total = 2 * sum(len(each) for each in done.values())
    table = []
    for name, data in whole.items():
        for way, measure in done[name].items():
            key = f"{name} {way}"
            one = ledger.cell(key, lambda k=key, m=measure: m(k))
            judged = ledger.cell(f"{key}, by waves", lambda o=one, d=data: waves_bic(d, o["values"], o["noise"]))
            table.append({"data": name, "way": way, **told(data, one, PERIODS[kinds[name]]), "by waves": judged})
            ledger.tell({"searches": table, "points": POINTS})
    ledger.finish({"searches": table, "points": POINTS})
    rows = [
        {"data": each["data"], "way": each["way"], "what": what, "found": how}
        for each in table
        for what, how in each["found"].items()
    ]
    marks = alt.Chart(pd.DataFrame(rows)).mark_rect().encode(
        alt.X("what:N", title=None, axis=alt.Axis(labelAngle=0)), alt.Y("way:N", title=None, sort=None),
        alt.Color(
            "found:N", title=None,
            scale=alt.Scale(domain=["found", "found as a beat", "missed"], range=["#0072b2", "#56b4e9", "#dddddd"]),
        ),
    )  # fmt: skip
    draw(options, marks.properties(width=240).facet("data:N").resolve_scale(x="independent"))


if __name__ == "__main__":
    main()
