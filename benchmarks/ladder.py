"""The fidelity ladder with our starts against ten full restarts of the paper's draws: what it costs and what it loses.

    python benchmarks/ladder.py --data DIR [--seeds 3] [--only solar|mauna|concrete]

Kernels are fitted as a search meets them: grown from a parent that is fitted already, whose values both inherit. Both use the
same engine and the same priors, one thread, one after the other, and neither certifies more than the other. Seconds are those of
the processor, so that it counts little what else the machine does. The score is the BIC at the fitted values (its lower end where
it is an interval).
"""

import argparse
import time
from dataclasses import dataclass, replace
from pathlib import Path

from kernelscribe import Config, Dataset, parse
from kernelscribe.data.table import read
from kernelscribe.fit.facts import Fit
from kernelscribe.fit.kernel import finish
from kernelscribe.fit.ladder import Ladder
from kernelscribe.kernels import Expression, text
from kernelscribe.search.moves import base_kernels, neighbours

from report import machine, table, write  # isort: skip

SOLAR = ("SE > SE*PER", "SE > SE + LIN", "SE*PER > (SE + SE)*PER", "SE*PER > SE*PER + LIN", "(SE + SE)*PER > (SE + SE + LIN)*PER")
MAUNA = (
    "SE > SE + PER", "SE + PER > SE + PER + LIN", "SE + PER > SE + SE*PER", "SE + PER > SE + SE + PER",
    "SE + SE + PER > (SE + SE + PER)*LIN",
)  # fmt: skip
CONCRETE = (
    "SE8 > SE1 + SE8", "SE1 + SE8 > SE1 + SE4 + SE8", "SE1 + SE8 > SE1*SE2 + SE8", "SE1 + SE4 + SE8 > LIN2 + SE1 + SE4 + SE8",
    "SE1 + SE4 + SE8 > SE1*LIN8 + SE4 + SE8",
)  # fmt: skip
CASES = {
    "solar": (Config(engine="exact"), SOLAR),
    "mauna": (Config(engine="inducing"), MAUNA),
    "concrete": (Config(inducing=160), CONCRETE),
}
HEAD = (
    "data",
    "parent > child",
    "seed",
    "ten restarts: BIC",
    "s",
    "evaluations",
    "ladder: BIC",
    "s",
    "evaluations",
    "gained",
    "cheaper",
)


@dataclass(frozen=True)
class Timed:
    fit: Fit
    seconds: float


def timed(data: Dataset, expr: Expression, config: Config, parent: Fit | None, *, rough: bool) -> Timed:
    """One fit, with hints for those who grow from it."""
    began = time.process_time()
    ladder = Ladder.of(data, config)
    noise, periods = (None, None) if parent is None else (parent.noise, dict(parent.periods))
    found = finish(ladder, expr, ladder.screen(expr, noise, periods), hints=True, rough=rough)
    return Timed(found, time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", choices=list(CASES))
    args = parser.parse_args()
    rows: list[tuple[object, ...]] = []
    worst, full_time, ladder_time = 0.0, 0.0, 0.0
    for name, (options, pairs) in CASES.items():
        if args.only not in (None, name):
            continue
        data = read(args.data / f"{name}.csv")
        config, parents, inputs = replace(options, exact_limit=0), {}, data.X.shape[1]
        for pair in pairs:
            old, new = pair.split(" > ")
            if old not in parents:
                many = replace(config, ladder="off", restarts=24)
                parents[old] = timed(data, parse(old, inputs=inputs), many, None, rough=False).fit
            parent, wanted = parents[old], text(parse(new, inputs=inputs))
            child = next(each for each in neighbours(parent.expr, base_kernels(inputs), ("extend",)) if text(each) == wanted)
            for seed in range(args.seeds):
                paper = replace(config, starts="paper", ladder="off", restarts=10, seed=seed)
                full = timed(data, child, paper, parent, rough=False)
                ours = timed(data, child, replace(config, seed=seed), parent, rough=True)
                gained = ours.fit.bic.lower - full.fit.bic.lower
                worst, full_time, ladder_time = min(worst, gained), full_time + full.seconds, ladder_time + ours.seconds
                rows.append(
                    (name, pair, seed, f"{full.fit.bic.lower:.1f}", f"{full.seconds:.1f}", full.fit.evaluations,
                     f"{ours.fit.bic.lower:.1f}", f"{ours.seconds:.1f}", ours.fit.evaluations, f"{gained:+.2f}",
                     f"{full.seconds / ours.seconds:.1f}")
                )  # fmt: skip
                print(" | ".join(str(cell) for cell in rows[-1]), flush=True)
    summary = f"In all {full_time / ladder_time:.1f} times cheaper; at worst {worst:+.2f} nats."
    print(summary)
    if args.only is None:
        write("ladder.py", "The fidelity ladder", f"{machine()}\n\n{summary}\n\n{table(HEAD, rows)}")


if __name__ == "__main__":
    main()
