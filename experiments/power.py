"""Power plant: SKC beside its lower-bound-only twin, with exact BIC at every depth, and run times beside the paper's hours.

9568 rows, four inputs, 320 inducing points, buffer 1, to depth 5: the paper's SKC reaches an exact BIC of 1469.6, SKC-LB 745.5.
Run times to depth 2 with 160, 320 and 640 points stand beside 2.6, 4.1 and 15.0 hours. CKS took 94.7 hours; here its time is
extrapolated from what one evaluation of the exact marginal likelihood takes on all rows, times the evaluations that SKC made.
"""

import time

import altair as alt
import pandas as pd

import kernelscribe as ks
from harness import Ledger, Settings, draw, load, settings
from searches import exact_bic, searched

PAPER = {"skc": 1469.6, "skc-lb": 745.5}
HOURS = {160: 2.6, 320: 4.1, 640: 15.0, "cks": 94.7}
STRATEGIES = ("auto", "skc", "skc-lb")


def exact_climb(data: ks.Dataset, steps: int) -> float:
    """Seconds of one evaluation of the exact marginal likelihood with its gradient, over so many steps of a climb."""
    began = time.perf_counter()
    found = ks.fit_kernel(
        "SE1 + SE2", data.X, data.y, engine="exact", memory=9000.0, restarts=1, ladder="off", steps=steps, threads=2
    )
    return (time.perf_counter() - began) / found.evaluations


def main() -> None:
    options = settings("power", __doc__)
    data = load(options, "power_plant")
    m, depth, sizes = (20, 1, (10, 20)) if options.quick else (320, 5, (160, 320, 640))
    ledger = Ledger(options, {"inducing": m, "depth": depth, "sizes": sizes, "strategies": STRATEGIES})
    common = {"engine": "inducing", "buffer": 1, "count": "paper"}
    ledger.total = 2 * len(STRATEGIES) + len(sizes) + 1
    rows, summary = [], {}
    for strategy in STRATEGIES:
        found = ledger.cell(
            strategy, lambda s=strategy: searched(options, s, data, strategy=s, inducing=m, depth=depth, **common)
        )
        exact = ledger.cell(
            f"{strategy} exact", lambda f=found: [exact_bic(data, each["values"], each["noise"]) for each in f["rounds"]]
        )
        rows += [{"strategy": strategy, "exact": value, **each} for each, value in zip(found["rounds"], exact, strict=True)]
        summary[strategy] = {
            "kernel": found["chosen"],
            "exact bic": exact[-1],
            "paper": PAPER.get(strategy),
            "seconds": found["seconds"],
        }
    hours = {}
    for size in sizes:
        found = ledger.cell(
            f"m={size} to depth 2",
            lambda s=size: searched(options, f"m={s}", data, strategy="skc", inducing=s, depth=min(depth, 2), **common),
        )
        hours[size] = {"ours": found["seconds"] / 3600, "paper": HOURS.get(size), "evaluations": found["evaluations"]}
    one = ledger.cell("one exact evaluation", lambda: exact_climb(data, 2))
    cks = {"ours, extrapolated": one * hours[sizes[-1]]["evaluations"] / 3600, "paper": HOURS["cks"]}
    ledger.finish({"bic": summary, "hours": hours, "cks hours": cks, "seconds of an exact evaluation": one})
    _figure(options, pd.DataFrame(rows))


def _figure(options: Settings, frame: pd.DataFrame) -> None:
    base = alt.Chart(frame).encode(alt.X("depth:O"), color="strategy:N", xOffset="strategy:N")
    bars = base.mark_rule(size=3).encode(alt.Y("lower:Q", scale=alt.Scale(zero=False), title="BIC, nats"), alt.Y2("upper:Q"))
    marks = base.mark_point(shape="cross", filled=True, size=60).encode(alt.Y("exact:Q"))
    draw(options, (bars + marks).properties(width=420, height=280))


if __name__ == "__main__":
    main()
