"""Periods and slopes in the data's units: solar irradiance and carbon dioxide with 40 inducing points.

With 40 points the paper finds SE*PER on solar, with a period of 10.957 years, and SE + PER + LIN on Mauna Loa, with a period of
1.000 years and a slope of 1.515 ppm a year, where least squares gives 1.5149. The slope of LIN is that of its posterior mean
alone, by the paper's formula σ²(x − l)ᵀ[σ²(x − l)(x − l)ᵀ + σₙ²I]⁻¹y. For y about its mean that is the least-squares slope times
Sxx/(Sxx + N(l − x̄)² + σₙ²/σ²): near it where the location l lies in the middle of the record, and below it elsewhere.
Forty points may be drawn in many ways, so each is fitted with ten sets of them. Beside them stands the exact optimum, and what
the evidence would lose there with the paper's period.
"""

import re
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

import kernelscribe as ks
from harness import Ledger, draw, load, settings
from kernelscribe.kernels import leaves

KERNELS = {"solar": "SE*PER", "mauna": "SE + PER + LIN"}
PRIORS = ("paper", "practical")
# Years, as in the paper.
PERIODS = {"solar": 10.9569, "mauna": 1.0}


def original(data: ks.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """x and y in their own units."""
    x, y = data.inputs[0], data.output
    return x.centre + x.scale * data.X[:, 0], y.centre + y.scale * data.y


def moved(expr: ks.Expression, period: float) -> str:
    """The kernel with another period."""
    return re.sub(r"period=[^,)]+", f"period={period!r}", ks.text(expr, values=True))


def fitted(data: ks.Dataset, kernel: str, period: float, **how: Any) -> dict[str, Any]:
    """The kernel with its values; at the exact optimum also what the given period would cost there."""
    x, y = original(data)
    found = ks.fit_kernel(kernel, x, y, restarts=10, **how)
    result: dict[str, Any] = {
        "kernel": ks.text(found.user, values=True),
        "periods": [leaf.values[2] for leaf in leaves(found.user) if leaf.kind == "PER"],
        "lengthscales": [leaf.values[1] for leaf in leaves(found.user) if leaf.kind == "SE"],
        "least squares": float(np.polyfit(x - x.mean(), y, 1)[0]),
        "lower": found.evidence.interval.lower,
        "upper": found.evidence.interval.upper,
    }
    if how["engine"] == "exact":
        there = ks.evidence(moved(found.user, period), x, y, noise=found.user_noise, engine="exact")
        result["cost"] = found.evidence.interval.lower - there.interval.lower
    for leaf in leaves(found.user):
        if leaf.kind == "LIN":
            variance, location = leaf.values
            d = x - location
            # σ²d(σ²ddᵀ + s²I)⁻¹ = σ²d/(s² + σ²dᵀd), by Sherman and Morrison.
            result["slope"] = float(variance * (d @ (y - y.mean())) / (found.user_noise.level + variance * (d @ d)))
            result["location"], result["middle"] = location, float(x.mean())
    return result


def main() -> None:
    options = settings("slopes", __doc__)
    m, sets = (20, 2) if options.quick else (40, 10)
    ledger = Ledger(options, {"kernels": KERNELS, "inducing": m, "priors": PRIORS, "sets": sets})
    ledger.total = len(KERNELS) * len(PRIORS) * (sets + 1)
    ways = {"exact": {"engine": "exact", "seed": options.seed}}
    ways |= {f"set {s}": {"engine": "inducing", "inducing": m, "seed": options.seed + s} for s in range(sets)}
    rows, frames = [], []
    for name, kernel in KERNELS.items():
        data = load(options, name)
        for priors in PRIORS:
            for way, how in ways.items():
                key = f"{name}, {priors}, {way}"
                found = ledger.cell(
                    key, lambda d=data, k=kernel, n=name, p=priors, h=how: fitted(d, k, PERIODS[n], priors=p, **h)
                )
                period = min(found["periods"], key=lambda p, n=name: abs(p - PERIODS[n]))
                rows.append({"data": name, "priors": priors, "way": way, "period": period, **found})
        x, y = original(data)
        frames.append(pd.DataFrame({"x": x, "y": y, "data": name}))
    ledger.finish({"inducing": m, "fits": rows})
    chart = (
        alt.Chart(pd.concat(frames))
        .mark_line(size=1)
        .encode(alt.X("x:Q", scale=alt.Scale(zero=False), title="year"), alt.Y("y:Q", scale=alt.Scale(zero=False), title=None))
    )
    draw(options, chart.properties(width=480, height=140).facet(row="data:N").resolve_scale(x="independent", y="independent"))


if __name__ == "__main__":
    main()
