"""The search on real data: time, fits, evaluations and the best BIC, round by round.

    python benchmarks/search.py --data DIR [--only series|workers|power|power-lb] [--depth D] [--journals DIR]

`series` runs the small series with the default engine and with 80 inducing points, `workers` compares one and two workers, and
`power` runs the power plant with 320 inducing points as the paper does, by `auto`, and `power-lb` by lower bounds alone (an hour
together). BIC of the power plant are exact, with the paper's count of parameters, at the values that the search has found. With
`--journals` these two searches keep their journals there, and go on from them.
"""

import argparse
import math
import time
from pathlib import Path

import numpy as np

from kernelscribe import Config, Dataset, events
from kernelscribe.data.reader import read
from kernelscribe.discovery import search
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.fit.facts import Fit
from kernelscribe.kernels import Form, pack, text
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.kernels.laws import charge
from kernelscribe.kernels.tree import leaves
from kernelscribe.outcome import Outcome
from kernelscribe.statements.statement import Statement

from report import machine, table, write  # isort: skip

HEAD = ("data", "engine", "strategy", "workers", "depth", "kernels", "dropped", "s", "best kernel", "BIC")
# Hours that the paper reports for its search of the power plant to depth 2 with 320 inducing points.
PAPER_HOURS = 4.1


class Rounds:
    """Keeps what each round ended with."""

    def __init__(self) -> None:
        self.closed: list[events.Closed] = []
        self.began = time.perf_counter()
        self.times: list[float] = []

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.Closed):
            self.closed.append(event)
            self.times.append(time.perf_counter() - self.began)
            print(f"    depth {event.depth}: {event.best} {event.best_standing}, {self.times[-1]:.0f} s", flush=True)


def run(
    name: str, data: Dataset, config: Config, workers: int, journal: Path | None = None
) -> tuple[Outcome, Rounds, list[tuple[object, ...]]]:
    """One search, and a row of the table for each of its rounds."""
    rounds = Rounds()
    print(f"{name}, {config.strategy}, {workers} workers", flush=True)
    resume = journal is not None and journal.exists()
    found = search(data, config, workers=workers, on_event=rounds, journal=journal, resume=resume)
    if found.best is None:
        raise SystemExit(f"{name}: no model")
    rows = [
        (name, found.best.engine, config.strategy, workers, each.depth, each.candidates, each.dropped, f"{at:.0f}",
         kernel(each, data.X.shape[1]), f"{each.best_standing.lower:.1f}")
        for each, at in zip(rounds.closed, rounds.times, strict=True) if each.best and each.best_standing
    ]  # fmt: skip
    return found, rounds, rows


def exact_bic(data: Dataset, fit: Fit) -> float:
    """The exact BIC with the paper's count of parameters."""
    u = np.append(pack(fit.expr), fit.noise.pack())
    return Exact(arithmetic("auto"), data).value(Form.of(fit.expr), u) - charge(fit.expr, "paper", len(data.y))


def series(folder: Path) -> tuple[str, str]:
    rows, notes = [], []
    for name in ("solar", "mauna"):
        data = read(folder / f"{name}.csv")
        for config in (Config(), Config(engine="inducing", inducing=80)):
            found, _, more = run(name, data, config, 2)
            rows += more
            assert found.best is not None  # noqa: S101
            periods = [f"{leaf.values[2]:.4f}" for leaf in leaves(found.best.user) if leaf.base.has("period") and leaf.values]
            notes.append(
                f"{name}, {found.best.engine}: periods {', '.join(periods)}; {len(found.fits)} kernels, "
                f"{found.evaluations} evaluations, {found.seconds:.0f} s"
            )
    return "Searches of the small series", "\n\n".join([*notes, table(HEAD, rows)])


def workers(folder: Path) -> tuple[str, str]:
    data = read(folder / "mauna.csv")
    times = {}
    for count in (1, 2, 1, 2):
        found, _, _ = run("mauna", data, Config(), count)
        times[count] = min(found.seconds, times.get(count, math.inf))
    return (
        "Workers",
        f"mauna: {times[1]:.1f} s with one worker, {times[2]:.1f} s with two: {times[1] / times[2]:.2f} times faster",
    )


def kernel(closed: events.Closed, inputs: int) -> str:
    """The best kernel of a round, also where that is a statement."""
    assert closed.best is not None  # noqa: S101
    expr = closed.best.expr if isinstance(closed.best, Statement) else closed.best
    return text(expr, inputs=inputs, values=False)


def power(folder: Path, depth: int, strategy: str, journals: Path | None) -> tuple[str, str]:
    data = read(folder / "power_plant.csv")
    config = Config(engine="inducing", inducing=320, buffer=1, depth=depth, strategy=strategy, count="paper")
    found, rounds, rows = run("power_plant", data, config, 2, journals and journals / f"power-{strategy}.jsonl")
    fits = {} if found.state is None else found.state.fits
    exact = [exact_bic(data, fits[text(each.best)]) for each in rounds.closed if each.best is not None]
    rows = [(*row[:-1], f"{value:.1f}") for row, value in zip(rows, exact, strict=True)]
    second = next((at for at, each in zip(rounds.times, rounds.closed, strict=True) if each.depth == 2), math.nan)
    said = (
        f"{strategy}: depth 2 after {second / 60:.1f} min, {PAPER_HOURS * 3600 / second:.0f} times faster than the paper's "
        f"{PAPER_HOURS} hours"
    )
    return f"Power plant, 320 inducing points, buffer 1, {strategy}", f"{said}\n\n{table(HEAD, rows)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", choices=("series", "workers", "power", "power-lb"))
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--journals", type=Path)
    args = parser.parse_args()
    jobs = {
        "series": lambda: series(args.data),
        "workers": lambda: workers(args.data),
        "power": lambda: power(args.data, args.depth, "auto", args.journals),
        "power-lb": lambda: power(args.data, args.depth, "skc-lb", args.journals),
    }
    for name, job in jobs.items():
        if args.only in (None, name):
            title, body = job()
            print(body)
            write(f"search.py --only {name}", title, f"{machine()}\n\n{body}")


if __name__ == "__main__":
    main()
