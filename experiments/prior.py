"""SE on solar irradiance: which priors and which starts keep it smooth?

The paper's figure of the posterior under a strong prior with a sensible start, a weak one, and none with a naive start: without
help SE shortens its length-scale until it explains every wiggle, and no trend is left to be told. Here priors `paper`,
`practical`, `weak` and `none`, each from the paper's draws and from a naive start with a short length-scale, on inducing points.
"""

import altair as alt
import numpy as np
import pandas as pd

import kernelscribe as ks
from harness import Ledger, draw, load, settings

PRIORS = ("paper", "practical", "weak", "none")
STARTS = ("draws", "naive")
SHORT = 0.1


def fitted(data: ks.Dataset, priors: str, start: str, m: int, seed: int) -> dict[str, object]:
    """SE with its values, and its mean where the data are."""
    x, y = data.X[:, 0], data.y
    options = {"engine": "inducing", "inducing": m, "priors": priors, "seed": seed, "exact_limit": 5000}
    if start == "draws":
        found = ks.fit_kernel("SE", x, y, restarts=10, starts="paper", **options)
    else:
        found = ks.fit_kernel("SE(variance=1, lengthscale=1e-2)", x, y, noise=1e-2, restarts=1, ladder="off", **options)
    variance, lengthscale = found.expr.values
    K = variance * np.exp(-((x[:, None] - x) ** 2) / (2 * lengthscale**2))
    mean = K @ np.linalg.solve(K + found.noise * np.eye(len(x)), y)
    return {
        "variance": variance,
        "lengthscale": lengthscale,
        "noise": found.noise,
        "lower": found.evidence.interval.lower,
        "upper": found.evidence.interval.upper,
        "exact": found.evidence.exact,
        "mean": mean.round(5).tolist(),
    }


def main() -> None:
    options = settings("prior", __doc__)
    data, m = load(options, "solar"), 20 if options.quick else 80
    ledger = Ledger(options, {"priors": PRIORS, "starts": STARTS, "inducing": m})
    ledger.total = len(PRIORS) * len(STARTS)
    years = data.inputs[0].scale
    rows, frames = {}, []
    for priors in PRIORS:
        for start in STARTS:
            key = f"{priors}, {start}"
            found = ledger.cell(key, lambda p=priors, s=start: fitted(data, p, s, m, options.seed))
            rows[key] = {"lengthscale": found["lengthscale"] * years, "noise": found["noise"], "exact": found["exact"]}
            x = data.inputs[0].centre + years * data.X[:, 0]
            frames.append(pd.DataFrame({"x": x, "y": data.y, "mean": found["mean"], "priors": priors, "start": start}))
    smooth = {key: bool(row["lengthscale"] > SHORT * years) for key, row in rows.items()}
    ledger.finish({"fits": rows, "smooth": smooth, "unit": "years"})
    base = alt.Chart(pd.concat(frames)).properties(width=300, height=120)
    dots = base.mark_point(size=3, color="#888").encode(
        alt.X("x:Q", scale=alt.Scale(zero=False), title=None), alt.Y("y:Q", title=None)
    )
    line = base.mark_line(color="#0072b2").encode(alt.X("x:Q"), alt.Y("mean:Q"))
    draw(
        options, (dots + line).facet(row=alt.Row("priors:N", sort=list(PRIORS)), column=alt.Column("start:N", sort=list(STARTS)))
    )


if __name__ == "__main__":
    main()
