"""Where the time goes on solar, mauna and concrete: exact process, lower bound, upper bound, learned inducing points.

The paper's table of computation times, each the mean and standard deviation over three random starts (ten in the paper): a climb
of the exact marginal likelihood, one of the lower bound for every m, the two halves of the upper bound at its top, and a climb
that learns the inducing points. Claims: the lower bound's climb dominates the upper bound's cost, and learning inducing points is
not worth its own. Seconds are those of the processor, on one thread: whatever else the machine does disturbs them little.
"""

import time
from collections.abc import Callable
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

import kernelscribe as ks
from bounds import KERNELS, MEMORY
from harness import Ledger, by_points, draw, load, settings
from kernelscribe.engines.inducing.cg import quadratic
from kernelscribe.engines.inducing.points import place
from kernelscribe.engines.inducing.sketch import Sketch
from kernelscribe.kernels import Form, pack
from kernelscribe.kernels.gram import arithmetic

REPEATS = 5


def climb(data: ks.Dataset, kernel: str, seed: int, **engine: Any) -> tuple[float, ks.Fit]:
    began = time.process_time()
    found = ks.fit_kernel(kernel, data.X, data.y, seed=seed, restarts=1, starts="paper", ladder="off", exact_limit=0, **engine)
    return time.process_time() - began, found


def fastest(job: Callable[[], object]) -> float:
    """Of a few repeats, since a look at something so short is easily disturbed."""
    taken = []
    for _ in range(REPEATS):
        began = time.process_time()
        job()
        taken.append(time.process_time() - began)
    return min(taken)


def bounded(data: ks.Dataset, kernel: str, m: int, seed: int) -> dict[str, float]:
    """Seconds of the lower bound's climb, and of both halves of the upper bound at its top."""
    seconds, found = climb(data, kernel, seed, engine="inducing", inducing=m)
    form, theta, sums = Form.of(found.expr), pack(found.expr), arithmetic("auto")
    Z = place(data.X, m, "random", np.random.default_rng([seed, 1]))

    def sketch() -> Sketch:
        made = Sketch.of(sums, form, theta, found.noise, data.X, Z)
        assert made is not None  # noqa: S101
        return made

    ready = sketch()
    product, below = ready.product(MEMORY), ready.structured("nystrom")

    def nip() -> None:
        quadratic(product, data.y, found.noise.level, below, ready.structured("pic"), slack=1e-4, most=10 * m)

    return {"lower": seconds, "logdet": fastest(lambda: sketch().lower(data.y)), "quadratic": fastest(nip)}


def main() -> None:
    options = settings("times", __doc__)
    sizes, runs = ((10, 20), 2) if options.quick else ((10, 20, 40, 80, 160, 320), 3)
    names = ("solar",) if options.quick else tuple(KERNELS)
    ledger = Ledger(options, {"kernels": {name: KERNELS[name] for name in names}, "inducing": sizes, "runs": runs})
    ledger.total = len(names) * runs * (1 + 2 * len(sizes))
    sets, rows = {name: load(options, name) for name in names}, []
    for run in range(runs):
        for name, data in sets.items():
            kernel = KERNELS[name]
            whole = ledger.cell(f"{name} exact run {run}", lambda d=data, k=kernel, r=run: climb(d, k, r, engine="exact")[0])
            rows.append({"data": name, "what": "exact", "m": 0, "seconds": whole})
            for m in sizes:
                found = ledger.cell(f"{name} m={m} run {run}", lambda d=data, k=kernel, m=m, r=run: bounded(d, k, m, r))
                rows += [{"data": name, "what": what, "m": m, "seconds": value} for what, value in found.items()]
                learned = ledger.cell(
                    f"{name} m={m} learned run {run}",
                    lambda d=data, k=kernel, m=m, r=run: climb(d, k, r, engine="inducing", inducing=m, placement="learned")[0],
                )
                rows.append({"data": name, "what": "learned", "m": m, "seconds": learned})
        table = pd.DataFrame(rows).groupby(["data", "what", "m"], sort=False).seconds.agg(["mean", "std"]).reset_index()
        # One run has no spread.
        summary = {"runs": run + 1, "table": table.fillna(0.0).to_dict("records")}
        ledger.tell(summary)
    ledger.finish(summary)
    base = alt.Chart(table[table.m > 0]).encode(by_points(sizes), alt.Color("what:N", title=None))
    chart = base.mark_line(point=True).encode(
        alt.Y("mean:Q", scale=alt.Scale(type="log"), axis=alt.Axis(tickCount=5, format="~g"), title="seconds")
    )
    whole = alt.Chart(table[table.m == 0]).mark_rule(strokeDash=[4, 4]).encode(alt.Y("mean:Q"), alt.Color("what:N", title=None))
    panels = [
        (chart.transform_filter(alt.datum.data == name) + whole.transform_filter(alt.datum.data == name)).properties(
            width=200, height=180, title=name
        )
        for name in names
    ]
    draw(options, alt.hconcat(*panels))


if __name__ == "__main__":
    main()
