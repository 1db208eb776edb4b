"""SE on solar irradiance: which priors and which starts keep it smooth?

The paper's figure of the posterior under a strong prior with a sensible start, a weak one, and none with a naive start: without
help SE shortens its length-scale until it explains every wiggle, and no trend is left to be told. Here priors `paper`,
`practical`, `weak` and `none`, each from the paper's draws and from a naive start with a short length-scale, once with inducing
points, which are too few to follow every wiggle, and once without that help, on the exact marginal likelihood.
"""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

import kernelscribe as ks
from harness import Ledger, draw, load, settings
from kernelscribe.kernels import leaves

PRIORS = ("paper", "practical", "weak", "none")
STARTS = ("draws", "naive")
# Length-scales beyond this share of the inputs' spread are smooth.
SHORT = 0.1


def fitted(data: ks.Dataset, priors: str, start: str, seed: int, **engine: Any) -> dict[str, Any]:
    """SE with its values, of the standardised data."""
    options = {"priors": priors, "seed": seed, "exact_limit": 5000, **engine}
    if start == "draws":
        found = ks.fit_kernel("SE", data.X, data.y, restarts=10, starts="paper", **options)
    else:
        naive = "SE(variance=1, lengthscale=1e-2)"
        found = ks.fit_kernel(naive, data.X, data.y, noise=1e-2, restarts=1, ladder="off", **options)
    (leaf,) = leaves(found.expr)
    variance, lengthscale = leaf.values
    return {"variance": variance, "lengthscale": lengthscale, "noise": found.noise.level, "exact": found.evidence.exact}


def mean(data: ks.Dataset, at: dict[str, Any]) -> np.ndarray:
    """Of the posterior, where the data are."""
    x = data.X[:, 0]
    K = at["variance"] * np.exp(-((x[:, None] - x) ** 2) / (2 * at["lengthscale"] ** 2))
    return K @ np.linalg.solve(K + at["noise"] * np.eye(len(x)), data.y)


def main() -> None:
    options = settings("prior", __doc__)
    data, m = load(options, "solar"), 20 if options.quick else 80
    engines = {f"{m} inducing points": {"engine": "inducing", "inducing": m}, "exact": {"engine": "exact"}}
    ledger = Ledger(options, {"priors": PRIORS, "starts": STARTS, "inducing": m, "short": SHORT})
    ledger.total = len(PRIORS) * len(STARTS) * len(engines)
    years = data.inputs[0].scale
    rows, frames = [], []
    for engine, how in engines.items():
        for priors in PRIORS:
            for start in STARTS:
                key = f"{engine}, {priors}, {start}"
                found = ledger.cell(key, lambda p=priors, s=start, h=how: fitted(data, p, s, options.seed, **h))
                about = {"engine": engine, "priors": priors, "start": start}
                smooth = bool(found["lengthscale"] > SHORT)
                rows.append({**about, **found, "lengthscale": found["lengthscale"] * years, "smooth": smooth})
                x = data.inputs[0].centre + years * data.X[:, 0]
                frames.append(pd.DataFrame({"x": x, "y": data.y, "mean": mean(data, found), **about}))
    ledger.finish({"fits": rows, "unit": "years", "smooth beyond": SHORT * years})
    for engine, part in zip(engines, ("inducing", "exact"), strict=True):
        whole = pd.concat(each for each in frames if each.engine.iloc[0] == engine)
        base = alt.Chart(whole).encode(alt.X("x:Q", scale=alt.Scale(zero=False), title=None)).properties(width=240, height=90)
        dots = base.mark_point(size=3, color="#888").encode(alt.Y("y:Q", title=None))
        line = base.mark_line(color="#0072b2").encode(alt.Y("mean:Q"))
        row, column = alt.Row("priors:N", sort=list(PRIORS)), alt.Column("start:N", sort=list(STARTS))
        draw(options, (dots + line).facet(row=row, column=column), part)


if __name__ == "__main__":
    main()
