"""Does the search find what is known to be there in long series? And how long does a value of one take, beside peers?

    python benchmarks/series.py [--kinds gefcom tidal] [--seeds 0 1 ...] [--workers N] [--keep PATH]
    python benchmarks/series.py --rows N --dry     a smaller one, to try it out
    python benchmarks/series.py --peers            beside celerite2 and tinygp, where their environment exists
    python benchmarks/series.py --make-peers       make that environment first (.venv-peers-series)

Series are drawn from known kernels. `gefcom` is as the paper's hourly load: 38,070 rows with eight weeks missing, from
SE*PER + SE*(PER + LIN) with periods of about a day and 174 days. `tidal` is as its tides: 31,957 rows without gaps, from
SE*PER*PER with periods of about 0.5175 and 14.7 days. The BIC of the kernel found is compared with that of the true structure,
fitted from the true values: a search that ends more than two nats below has failed, whatever it calls its kernel.

A true period p is found when a PER of the chosen kernel has a period within 1 % of p; multiples and fractions of p do not count.
A product of two cycles, p1 and p2, has waves at the sums and differences of their frequencies, and may be told by these: where
p1 is found, a period within 1 % of 1/(1/p1 + 1/p2) or of 1/(1/p1 − 1/p2) counts for p2.

Every draw is written down when it is done, as a line of a file (`--keep`), and is not done again while it stands there: a run
that was interrupted goes on where it was. To measure anew, remove that file.

What is measured beside peers, and how, is said in series_peers.py.
"""

import argparse
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from threadpoolctl import threadpool_limits

from kernelscribe import Config, Dataset, parse
from kernelscribe.discovery import search
from kernelscribe.fit.facts import Fit
from kernelscribe.fit.kernel import finish
from kernelscribe.fit.ladder import Ladder
from kernelscribe.kernels import Expression, distribute, leaves, text, to_standard
from kernelscribe.noises import Constant
from kernelscribe.testing import evaluate

from jsonl import keep, lines  # isort: skip
from report import machine, table, write  # isort: skip
from series_peers import PYTHON, make_peers, measured  # isort: skip

# A period is found where it is this near to the true one, as a share of it.
NEAR = 0.01
# Nats below the true structure that count as found: what one more climb may bring.
NATS = 2.0
WEEK = 168
# At so many lengthscales an SE has fallen to 1e-14.
REACH = 8.0


@dataclass(frozen=True)
class Truth:
    """A kernel with its values, in days, and hours at which there are data.

    Attributes:
        product: whether the two periods are those of cycles that are multiplied.
    """

    kernel: Expression
    noise: float
    hours: np.ndarray
    periods: tuple[float, float]
    product: bool


def gefcom(rng: np.random.Generator) -> Truth:
    kept = np.ones(38_070 + 8 * WEEK, dtype=bool)
    for start in 190 * rng.choice(200, 8, replace=False):
        kept[start : start + WEEK] = False
    day, season, location = math.exp(0.002 * rng.normal()), 174 * math.exp(0.05 * rng.normal()), 820 + 200 * rng.normal()
    kernel = (
        f"SE(variance=0.44, lengthscale=60.5)*PER(variance=1.1, lengthscale=1, period={day})"
        f" + SE(variance=0.18, lengthscale=660)*(PER(variance=1, lengthscale=0.8, period={season})"
        f" + LIN(variance=1.7e-6, location={location}))"
    )
    return Truth(parse(kernel), 0.1, np.flatnonzero(kept), (day, season), product=False)


def tidal(rng: np.random.Generator) -> Truth:
    tide, spring = 0.5175 * math.exp(0.002 * rng.normal()), 14.7 * math.exp(0.02 * rng.normal())
    kernel = (
        f"SE(variance=1, lengthscale=82.5)*PER(variance=1, lengthscale=1.5, period={tide})"
        f"*PER(variance=1, lengthscale=1.2, period={spring})"
    )
    return Truth(parse(kernel), 0.05, np.arange(31_957), (tide, spring), product=True)


KINDS = {"gefcom": gefcom, "tidal": tidal}


def drawn(kernel: Expression, hours: int, rng: np.random.Generator) -> np.ndarray:
    """A function drawn from the kernel, at every hour from the first on.

    There are too many rows for a Cholesky factor; and features of the engine that is measured would hide what is wrong with them.
    So every term, stationary but for lines that multiply it, is drawn from its textbook formula: on a circle of hours, so long
    that the SE of the term has died away on the other side, the covariance is diagonal in waves, and an FFT takes its root. That
    is exact up to rounding.
    """
    x, f = np.arange(hours) / 24, np.zeros(hours)
    for term in distribute(kernel):
        lines = [leaf for leaf in leaves(term) if leaf.kind == "LIN"]
        still = [leaf for leaf in leaves(term) if leaf.kind != "LIN"]
        longest = max(leaf.values[1] for leaf in still if leaf.kind == "SE")
        around = next_fast_len(2 * max(hours, math.ceil(24 * REACH * longest)), real=True)
        lags = np.minimum(np.arange(around), around - np.arange(around))[:, None] / 24
        covariance = np.prod([evaluate(leaf, lags, np.zeros((1, 1)))[:, 0] for leaf in still], axis=0)
        spectrum = np.maximum(rfft(covariance).real, 0.0)  # below zero there is nothing but rounding
        g = irfft(np.sqrt(spectrum) * rfft(rng.normal(size=around)), around)[:hours]
        for variance, location in (leaf.values for leaf in lines):
            g *= math.sqrt(variance) * (x - location)
        f += g
    return f


def draw(kind: str, seed: int, rows: int | None) -> tuple[Truth, Dataset]:
    """The truth and its data; only the first rows where a number is given."""
    rng = np.random.default_rng([seed, list(KINDS).index(kind) + 1])
    truth = KINDS[kind](rng)
    f = drawn(truth.kernel, int(truth.hours[-1]) + 1, rng)[truth.hours]
    y = f + math.sqrt(truth.noise) * rng.normal(size=len(f))
    return truth, Dataset.of(truth.hours[:rows] / 24, y[:rows])


def reference(truth: Truth, data: Dataset, config: Config) -> Fit:
    """The true structure, fitted from the true values."""
    expr = to_standard(truth.kernel, data.inputs, data.output)
    with threadpool_limits(1):
        ladder = Ladder.of(data, config)
        return finish(ladder, expr, ladder.renewed(expr, Constant(truth.noise / data.output.scale**2), 0))


def both(truth: Truth, periods: list[float]) -> bool:
    """Whether the two true periods are found, by the rule above."""

    def found(period: float) -> bool:
        return any(abs(each / period - 1) <= NEAR for each in periods)

    first, second = truth.periods
    beside = (1 / (1 / first + 1 / second), 1 / (1 / first - 1 / second)) if truth.product else ()
    return found(first) and any(found(each) for each in (second, *beside))


def compare(kind: str, seed: int, rows: int | None, workers: int | None) -> dict[str, Any]:
    """One draw: what is there, and what the search finds."""
    truth, data = draw(kind, seed, rows)
    config = Config(seed=seed)
    true, found = reference(truth, data, config), search(data, config, workers=workers)
    if found.best is None:
        raise SystemExit(f"{kind}, seed {seed}: no model")
    periods = sorted(leaf.values[2] for leaf in leaves(found.best.user) if leaf.kind == "PER" and leaf.values)
    return {
        "kind": kind, "seed": seed, "rows": len(data.y), "true": text(truth.kernel, inputs=1), "true_bic": true.bic.lower,
        "true_periods": truth.periods, "kernel": text(found.best.expr, inputs=1), "bic": found.best.bic.lower, "periods": periods,
        "both": both(truth, periods), "depth": found.depth, "seconds": found.seconds, "workers": found.workers,
        "machine": machine(),
    }  # fmt: skip


def kept(path: Path) -> dict[tuple[str, int, int], dict[str, Any]]:
    """Draws that are done already, by kind, seed and rows."""
    return {(each["kind"], each["seed"], each["rows"]): each for each in lines(path)}


HEAD = (
    "kind", "N", "seed", "kernel found", "BIC of the truth", "BIC found", "ahead",
    "true periods, days", "periods found, days", "both", "s",
)  # fmt: skip


def row(done: dict[str, Any]) -> tuple[object, ...]:
    true, found = (", ".join(f"{period:.5g}" for period in done[name]) for name in ("true_periods", "periods"))
    return (
        done["kind"], done["rows"], done["seed"], done["kernel"], f"{done['true_bic']:.1f}", f"{done['bic']:.1f}",
        f"{done['bic'] - done['true_bic']:+.1f}", true, found, "yes" if done["both"] else "no", f"{done['seconds']:.0f}",
    )  # fmt: skip


def summary(name: str, done: list[dict[str, Any]]) -> str:
    near = sum(each["bic"] >= each["true_bic"] - NATS for each in done)
    found, middle = sum(each["both"] for each in done), np.median([each["seconds"] for each in done])
    workers = " or ".join(map(str, sorted({each["workers"] for each in done})))
    return (
        f"{name}: {near} of {len(done)} draws within {NATS:g} nats of the true structure or above it; both periods in {found} of "
        f"{len(done)}. A search takes {middle:.0f} s (median; workers: {workers})."
    )


def beside(sizes: list[int], engine: str, dry: bool) -> None:
    """Measure beside the peers, and write it down."""
    if not PYTHON.exists():
        raise SystemExit("there is no environment of the peers: --make-peers makes it")
    said = measured(sizes, engine)
    print(said)
    if not dry:
        write("series.py --peers", "Value and gradient of a series, beside celerite2 and tinygp", f"{machine()} {said}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--seeds", nargs="+", type=int, default=list(range(10)))
    parser.add_argument("--workers", type=int)
    parser.add_argument("--rows", type=int, help="only the first rows of every draw")
    parser.add_argument("--keep", type=Path, default=Path(__file__).with_suffix(".jsonl"), help="file of the draws that are done")
    parser.add_argument("--dry", action="store_true", help="do not write the results")
    parser.add_argument("--peers", action="store_true", help="measure beside the peers, and nothing else")
    parser.add_argument("--make-peers", action="store_true", help="the same, with their environment made first")
    parser.add_argument(
        "--sizes", nargs="+", type=int, default=[1_000, 10_000, 100_000, 1_000_000], help="rows, beside the peers"
    )
    parser.add_argument("--engine", default="series", help="ours, beside the peers")
    args = parser.parse_args()
    if args.make_peers:
        make_peers()
    if args.peers or args.make_peers:
        beside(args.sizes, args.engine, args.dry)
        return
    before, found, began = kept(args.keep), [], time.perf_counter()
    for kind in args.kinds:
        whole = len(KINDS[kind](np.random.default_rng(0)).hours)
        for seed in args.seeds:
            done = before.get((kind, seed, min(args.rows or whole, whole)))
            known = done is not None
            if done is None:
                done = compare(kind, seed, args.rows, args.workers)
                keep(args.keep, done)
            found.append(done)
            print(" | ".join(str(cell) for cell in row(done)), "| done before" if known else "", flush=True)
    said = [summary(kind, [each for each in found if each["kind"] == kind]) for kind in args.kinds]
    if len(said) > 1:
        said.append(summary("all", found))
    print(*said, f"{time.perf_counter() - began:.0f} s", sep="\n")
    kernels = "; ".join(dict.fromkeys(f"{each['kind']}: `{each['true']}`" for each in found))
    # Draws that were kept were measured when and where they were.
    machines = "; ".join(dict.fromkeys(each["machine"] for each in found))
    body = [f"The true structures: {kernels}. {machines}", *said, table(HEAD, [row(each) for each in found])]
    if not args.dry:
        write("series.py", "Recovery of known structure in long series", "\n\n".join(body))


if __name__ == "__main__":
    main()
