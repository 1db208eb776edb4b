"""How much do the bounds depend on which inducing points were drawn?

The paper's figure of depth-1 kernels on every input of the concrete data: hyperparameters at the optimum of the full Gaussian
process, ten random sets of inducing points, mean and standard deviation of the lower and of the upper bound. Claims: the upper
bound is the tighter one, and the less sensitive one. Beside them stands our tightened interval.
"""

import altair as alt
import pandas as pd

import kernelscribe as ks
from harness import Ledger, draw, load, settings

TITLE = "log marginal likelihood, nats"
ENDS = ("lower", "upper", "our lower", "our upper")


def optimum(data: ks.Dataset, kernel: str, seed: int) -> dict[str, object]:
    """The kernel at the optimum of the exact marginal likelihood."""
    found = ks.fit_kernel(kernel, data.X, data.y, engine="exact", seed=seed)
    return {"kernel": ks.text(found.user, values=True), "noise": found.user_noise.level, "exact": found.evidence.exact}


def bounds(data: ks.Dataset, at: dict[str, object], m: int, seed: int) -> dict[str, float]:
    """Of one set of inducing points: the paper's interval, and ours."""
    found = ks.evidence(
        at["kernel"], data.X, data.y, noise=at["noise"], engine="inducing", inducing=m, seed=seed, exact_limit=0, slack=1e-4
    )
    return {
        "lower": found.paper.lower, "upper": found.paper.upper,
        "our lower": found.interval.lower, "our upper": found.interval.upper,
    }  # fmt: skip


def main() -> None:
    options = settings("inducing_sets", __doc__)
    data = load(options, "concrete")
    dims, sets, m = (2, 3, 20) if options.quick else (data.X.shape[1], 10, 80)
    kernels = [f"{base}{d}" for d in range(1, dims + 1) for base in ("SE", "LIN", "PER")]
    ledger = Ledger(options, {"kernels": kernels, "sets": sets, "inducing": m})
    ledger.total = len(kernels) * (sets + 1)
    rows = []
    for kernel in kernels:
        at = ledger.cell(f"{kernel} exact", lambda k=kernel: optimum(data, k, options.seed))
        for s in range(sets):
            found = ledger.cell(f"{kernel} set {s}", lambda a=at, s=s: bounds(data, a, m, s))
            rows.append({"kernel": kernel, "set": s, "exact": at["exact"], **found})
    frame = pd.DataFrame(rows)
    for end in ENDS:
        frame[f"{end} gap"] = (frame[end] - frame["exact"]).abs()
    gaps = frame.groupby("kernel", sort=False)[[f"{end} gap" for end in ENDS]]
    table = gaps.mean().join(gaps.std().rename(columns=lambda name: name.replace("gap", "spread")))
    ledger.finish({"inducing": m, "sets": sets, "table": table.reset_index().to_dict("records")})
    long = frame.melt(["kernel", "set"], ["lower", "upper"], "bound", "nats")
    base = alt.Chart(long).encode(alt.X("kernel:N", sort=kernels, title=None), color=alt.Color("bound:N", scale=_colours()))
    bars = base.mark_errorbar(extent="stdev", ticks=True).encode(alt.Y("nats:Q", scale=alt.Scale(zero=False), title=TITLE))
    dots = base.mark_point(filled=True).encode(alt.Y("mean(nats):Q", title=TITLE))
    exact = alt.Chart(frame).mark_tick(color="black").encode(alt.X("kernel:N", sort=kernels), alt.Y("mean(exact):Q", title=TITLE))
    draw(options, (bars + dots + exact).properties(width=520, height=280))


def _colours() -> alt.Scale:
    return alt.Scale(domain=["lower", "upper"], range=["#0072b2", "#d55e00"])


if __name__ == "__main__":
    main()
