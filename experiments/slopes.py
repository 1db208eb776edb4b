"""Periods and slopes in the data's units: solar irradiance and carbon dioxide with 40 inducing points.

The paper reports a period of 10.957 years for SE*PER on solar, and for (SE + PER)*SE + LIN on Mauna Loa a period of 1.000 years
and a slope of 1.515 ppm a year, where least squares gives 1.5149. The slope of LIN is that of its posterior mean alone, by the
paper's formula σ²(x − l)ᵀ[σ²(x − l)(x − l)ᵀ + σₙ²I]⁻¹y.
"""

import altair as alt
import numpy as np
import pandas as pd

import kernelscribe as ks
from harness import Ledger, draw, load, settings
from kernelscribe.kernels import leaves

KERNELS = {"solar": "SE*PER", "mauna": "(SE + PER)*SE + LIN"}
PAPER = {"solar period": 10.9569, "mauna period": 1.0, "mauna slope": 1.5150, "mauna least squares": 1.5149}


def original(data: ks.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """x and y in their own units."""
    x, y = data.inputs[0], data.output
    return x.centre + x.scale * data.X[:, 0], y.centre + y.scale * data.y


def fitted(data: ks.Dataset, kernel: str, m: int, seed: int) -> dict[str, object]:
    x, y = original(data)
    found = ks.fit_kernel(kernel, x, y, engine="inducing", inducing=m, seed=seed)
    result: dict[str, object] = {
        "kernel": ks.text(found.user, values=True),
        "periods": [leaf.values[2] for leaf in leaves(found.user) if leaf.kind == "PER"],
        "least squares": float(np.polyfit(x, y, 1)[0]),
        "lower": found.evidence.interval.lower,
        "upper": found.evidence.interval.upper,
    }
    lines = [leaf for leaf in leaves(found.user) if leaf.kind == "LIN"]
    if lines:
        variance, location = lines[0].values
        d = x - location
        # σ²d(σ²ddᵀ + s²I)⁻¹ = σ²d/(s² + σ²dᵀd), by Sherman and Morrison.
        result["slope"] = float(variance * (d @ (y - y.mean())) / (found.user_noise + variance * (d @ d)))
    return result


def main() -> None:
    options = settings("slopes", __doc__)
    m = 20 if options.quick else 40
    ledger = Ledger(options, {"kernels": KERNELS, "inducing": m})
    ledger.total = len(KERNELS)
    summary, frames = {}, []
    for name, kernel in KERNELS.items():
        data = load(options, name)
        found = ledger.cell(name, lambda d=data, k=kernel: fitted(d, k, m, options.seed))
        summary[f"{name} period"] = min(found["periods"], key=lambda p, n=name: abs(p - PAPER[f"{n} period"]))
        summary[f"{name} least squares"] = found["least squares"]
        if "slope" in found:
            summary[f"{name} slope"] = found["slope"]
        x, y = original(data)
        frames.append(pd.DataFrame({"x": x, "y": y, "data": name}))
    ledger.finish({"ours": summary, "paper": PAPER})
    chart = (
        alt.Chart(pd.concat(frames))
        .mark_line(size=1)
        .encode(alt.X("x:Q", scale=alt.Scale(zero=False), title="year"), alt.Y("y:Q", scale=alt.Scale(zero=False), title=None))
    )
    draw(options, chart.properties(width=480, height=140).facet(row="data:N").resolve_scale(x="independent", y="independent"))


if __name__ == "__main__":
    main()
