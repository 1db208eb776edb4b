"""Does the search find structure that is known to be there?

    python benchmarks/recovery.py [--only NAME ...] [--seeds 0 1 ...] [--workers N]

Data are drawn from known kernels. The BIC of the kernel found is compared with that of the true structure, fitted from the true
values: a search that ends more than two nats below has failed, whatever it calls its kernel. The last column says, of failures,
whether the true structure was met in the search: if it was, its fit failed, else the moves never led there.
"""

import argparse
import time
from dataclasses import dataclass

import numpy as np

from kernelscribe import Config, Dataset, parse
from kernelscribe.discovery import search
from kernelscribe.fit.kernel import fit
from kernelscribe.kernels import simplify, text
from kernelscribe.kernels.units import to_standard
from kernelscribe.noises import Constant
from kernelscribe.testing import evaluate

from report import machine, table, write  # isort: skip


@dataclass(frozen=True)
class Truth:
    """A kernel with its values, the inputs that it is drawn on, and the noise variance."""

    name: str
    kernel: str
    rows: int
    inputs: int
    noise: float
    irregular: bool = False


TRUTHS = (
    Truth("line", "LIN(variance=1, location=0.2)", 200, 1, 0.3),
    Truth("smooth", "SE(variance=1, lengthscale=0.4)", 300, 1, 0.1),
    Truth("cycle", "PER(variance=1, lengthscale=1, period=0.31)", 300, 1, 0.2, irregular=True),
    Truth("trend and cycle", "SE(variance=1, lengthscale=0.9) + PER(variance=0.4, lengthscale=1.2, period=0.21)", 400, 1, 0.05),
    Truth("changing cycle", "SE(variance=1, lengthscale=0.8)*PER(variance=1, lengthscale=1, period=0.27)", 500, 1, 0.05),
    Truth(
        "growing cycle",
        "LIN(variance=1, location=-2)*PER(variance=0.3, lengthscale=1, period=0.33) + SE(variance=1, lengthscale=1)",
        400,
        1,
        0.05,
    ),
    Truth(
        "two cycles",
        "PER(variance=0.6, lengthscale=1, period=0.11) + PER(variance=1, lengthscale=1.5, period=0.77)"
        " + LIN(variance=0.5, location=0)",
        800,
        1,
        0.05,
        irregular=True,
    ),
    Truth(
        "four parts",
        "SE(variance=1, lengthscale=0.7)*PER(variance=1, lengthscale=1, period=0.2) + SE(variance=1, lengthscale=1.5)"
        " + LIN(variance=1, location=0)",
        600,
        1,
        0.02,
    ),
    Truth(
        "additive",
        "SE1(variance=1, lengthscale=0.7) + SE2(variance=0.6, lengthscale=1.2) + LIN3(variance=0.5, location=0)",
        500,
        3,
        0.05,
    ),
    Truth(
        "interaction",
        "SE1(variance=1, lengthscale=0.9)*SE2(variance=1, lengthscale=1.2) + LIN3(variance=0.4, location=0)",
        2000,
        4,
        0.05,
    ),
)


def draw(truth: Truth, seed: int) -> tuple[Dataset, float]:
    """Data from the truth, and the noise variance in the units of the standardised target."""
    rng = np.random.default_rng([seed, len(truth.name), truth.rows])
    if truth.inputs > 1:
        X = rng.normal(size=(truth.rows, truth.inputs))
    elif truth.irregular:
        X = np.sort(rng.uniform(-1.7, 1.7, truth.rows))[:, None]
    else:
        X = np.linspace(-1.7, 1.7, truth.rows)[:, None]
    K = evaluate(parse(truth.kernel, inputs=truth.inputs), X, X)
    root = np.linalg.cholesky(K + 1e-9 * np.trace(K) / len(X) * np.eye(len(X)))
    y = root @ rng.normal(size=truth.rows) + np.sqrt(truth.noise) * rng.normal(size=truth.rows)
    data = Dataset.of(X, y)
    return data, Constant(truth.noise / data.output.scale**2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seeds", nargs="*", type=int, default=[0, 1])
    parser.add_argument("--workers", type=int)
    parser.add_argument("--dry", action="store_true", help="do not write the results")
    args = parser.parse_args()
    rows, good, began = [], 0, time.perf_counter()
    for truth in TRUTHS:
        if args.only and truth.name not in args.only:
            continue
        for seed in args.seeds:
            row = compare(truth, seed, args.workers)
            good += row[-1] == ""
            rows.append(row)
            print(" | ".join(str(cell) for cell in row), flush=True)
    summary = (
        f"{good} of {len(rows)} draws within 2 nats of the true structure or above it, in {time.perf_counter() - began:.0f} s."
    )
    print(summary)
    head = (
        "structure",
        "N",
        "inputs",
        "seed",
        "true kernel",
        "kernel found",
        "BIC of the truth",
        "BIC found",
        "ahead",
        "s",
        "failed",
    )
    if not args.dry:
        write("recovery.py", "Recovery of known structure", f"{machine()}\n\n{summary}\n\n{table(head, rows)}")


def compare(truth: Truth, seed: int, workers: int | None) -> tuple[object, ...]:
    data, noise = draw(truth, seed)
    true = to_standard(parse(truth.kernel, inputs=truth.inputs), data.inputs, data.output)
    name = text(simplify(true))
    config = Config(seed=seed)
    reference = fit(data, true, Config(seed=seed, restarts=1, ladder="off", exact_limit=10**9), noise=noise)
    found = search(data, config, workers=workers)
    best = found.best
    if best is None:
        raise SystemExit(f"{truth.name}, seed {seed}: no model")
    here = fit(data, best.expr, Config(seed=seed, restarts=1, ladder="off", exact_limit=10**9), noise=best.noise)
    charge = reference.evidence.interval.lower - reference.bic.lower, here.evidence.interval.lower - here.bic.lower
    target, reached = (reference.evidence.exact or 0.0) - charge[0], (here.evidence.exact or 0.0) - charge[1]
    met = found.state.fits.get(name)
    why = "" if reached >= target - 2 else f"the fit: {met.bic.upper:.1f}, {met.status.name.lower()}" if met else "the moves"
    short = text(best.expr, inputs=truth.inputs)
    return (
        truth.name, truth.rows, truth.inputs, seed, text(simplify(true), inputs=truth.inputs), short,
        f"{target:.1f}", f"{reached:.1f}", f"{reached - target:+.1f}", f"{found.seconds:.0f}", why,
    )  # fmt: skip


if __name__ == "__main__":
    main()
