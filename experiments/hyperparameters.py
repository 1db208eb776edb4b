"""Do the hyperparameters found by the lower bound come to the exact ones as inducing points are added?

The paper's figure on 500 rows of the power plant with an ARD kernel, SE1*SE2*SE3*SE4: the bound and the values at its optimum for
every m, over ten random sets of inducing points, beside those of the exact Gaussian process.
"""

import math

import altair as alt
import numpy as np
import pandas as pd

import kernelscribe as ks
from harness import Ledger, by_points, draw, load, settings
from kernelscribe.kernels import leaves

NEAR = 0.1


def fitted(data: ks.Dataset, kernel: str, seed: int, **engine: object) -> dict[str, float]:
    """The logarithms of all values at the optimum; of the variances only their product is identified."""
    found = ks.fit_kernel(kernel, data.X, data.y, seed=seed, restarts=3, exact_limit=5000, **engine)
    values = {f"lengthscale {leaf.dim}": math.log(leaf.values[1]) for leaf in leaves(found.expr)}
    values["variance"] = sum(math.log(leaf.values[0]) for leaf in leaves(found.expr))
    return {**values, "noise": math.log(found.noise.level), "lower": found.evidence.paper.lower, "exact": found.evidence.exact}


def main() -> None:
    options = settings("hyperparameters", __doc__)
    whole = load(options, "power_plant")
    rows, sizes, runs = (100, (10, 40), 2) if options.quick else (500, (10, 20, 40, 80, 160, 320), 10)
    chosen = np.sort(np.random.default_rng(options.seed).choice(len(whole.y), rows, replace=False))
    data = whole.rows(chosen)
    kernel = "*".join(f"SE{d + 1}" for d in range(data.X.shape[1]))
    ledger = Ledger(options, {"kernel": kernel, "rows": rows, "inducing": sizes, "runs": runs})
    ledger.total = 1 + len(sizes) * runs
    exact = ledger.cell("exact", lambda: fitted(data, kernel, options.seed, engine="exact"))
    cells = []
    for m in sizes:
        for run in range(runs):
            found = ledger.cell(f"m={m} run {run}", lambda m=m, r=run: fitted(data, kernel, r, engine="inducing", inducing=m))
            cells.append({"m": m, "run": run, **found})
    frame = pd.DataFrame(cells)
    names = [name for name in exact if name not in ("lower", "exact")]
    off = {m: float(np.mean([np.mean([abs(row[n] - exact[n]) for n in names]) for row in cells if row["m"] == m])) for m in sizes}
    ledger.finish(
        {
            "mean distance of log values": off,
            "converges": bool(off[sizes[-1]] < NEAR and off[sizes[-1]] < off[sizes[0]]),
            "exact": exact,
        }
    )
    long = frame.melt(["m", "run"], [*names, "lower"], "what", "value")
    truth = pd.DataFrame(
        [{"what": name, "value": exact["exact"] if name == "lower" else exact[name]} for name in [*names, "lower"]]
    )
    panels = []
    for name in [*names, "lower"]:
        title = "lower bound, nats" if name == "lower" else f"log {name}"
        base = alt.Chart(long[long.what == name]).encode(by_points(sizes))
        bars = base.mark_errorbar(extent="stdev", ticks=True).encode(alt.Y("value:Q", scale=alt.Scale(zero=False), title=title))
        dots = base.mark_point(filled=True).encode(alt.Y("mean(value):Q", title=title))
        rule = alt.Chart(truth[truth.what == name]).mark_rule(color="#d55e00").encode(alt.Y("value:Q", title=title))
        panels.append((rule + bars + dots).properties(width=160, height=110))
    draw(options, alt.concat(*panels, columns=4))


if __name__ == "__main__":
    main()
