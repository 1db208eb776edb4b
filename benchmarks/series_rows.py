"""What a value with its gradient costs on the series engine, against the number of rows, and on hourly loads.

    python benchmarks/series_rows.py [--rows N ...] [--data DIR] [--dry]

The kernel is SE + SE*PER with lengthscales of 2.4 and 722 rows and a period of 24 rows, noise a thousandth: a background of some
hours and a day that changes over a month, as in hourly loads. Times are regular, or moved by up to a third of a step. Seconds are
of the processor, one thread, the least of some repeats. With --data the same on gefcom.csv, and
how far the value is off that at a tolerance of 1e-6 nats.
"""

import os

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", NUMBA_NUM_THREADS="1")

import argparse
import csv
import math
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from kernelscribe import Config, Dataset, parse
from kernelscribe.engines.choose import prepare
from kernelscribe.engines.series.engine import Series
from kernelscribe.kernels import Form, pack

from report import machine, table, write  # isort: skip

ROWS = (1_000, 10_000, 38_070, 100_000, 1_000_000)
# Rows that a single value is worth: irregular ones take most of a minute from here on.
ONCE = 500_000
REPEATS = 3
NOISE = 1e-3
# Nats that a value may be off where nothing but rounding is left.
DIGITS = 1e-6


def kernel(step: float) -> str:
    return (
        f"SE(variance=0.05, lengthscale={2.4 * step!r})"
        f" + SE(variance=1, lengthscale={722 * step!r})*PER(variance=1, lengthscale=1, period={24 * step!r})"
    )


def generated(rows: int, *, regular: bool) -> Dataset:
    rng, hours = np.random.default_rng(0), np.arange(rows, dtype=float)
    moved = hours if regular else hours + rng.uniform(-1 / 3, 1 / 3, rows)
    y = np.sin(2 * math.pi * moved / 24) + 0.3 * np.sin(2 * math.pi * moved / 700) + 0.03 * rng.normal(size=rows)
    return Dataset.of(moved, y)


def load(folder: Path) -> Dataset:
    with (folder / "gefcom.csv").open(encoding="utf-8") as file:
        values = [float(row[1]) for row in list(csv.reader(file))[1:]]
    return Dataset.of(np.arange(len(values), dtype=float), np.array(values))


def seconds(work: Callable[[], object], repeats: int) -> float:
    """The least time of the processor."""
    found = math.inf
    for _ in range(repeats):
        began = time.process_time()
        work()
        found = min(found, time.process_time() - began)
    return found


def posed(data: Dataset) -> tuple[Form, np.ndarray]:
    expr = parse(kernel(data.extents[0].step))
    return Form.of(expr), np.append(pack(expr), math.log(NOISE))


def by_rows(numbers: list[int]) -> str:
    found = []
    for rows in numbers:
        for regular in (True, False):
            data = generated(rows, regular=regular)
            engine = prepare(data, Config(engine="series"))
            form, u = posed(data)
            repeats = 1 if rows > ONCE and not regular else REPEATS
            engine.objective(form, u)
            value, slope = (seconds(partial(ask, form, u), repeats) for ask in (engine.value, engine.objective))
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            times = "regular" if regular else "irregular"
            found.append((f"{rows:,}", times, f"{value:.3f}", f"{slope:.3f}", f"{1e6 * slope / rows:.2f}", f"{memory:,.0f}"))
            print(*found[-1], flush=True)
    heads = ("rows", "times", "value, s", "with gradient, s", "µs a row", "MB at most so far")
    return table(heads, found)


def on_loads(data: Dataset) -> str:
    form, u = posed(data)
    series = prepare(data, Config(engine="series"))
    assert isinstance(series, Series)  # noqa: S101
    off = abs(series.value(form, u) - replace(series, tolerance=DIGITS).value(form, u))
    return table(
        ("value with gradient, s", "nats off"), [(f"{seconds(partial(series.objective, form, u), REPEATS):.2f}", f"{off:.2g}")]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=list(ROWS))
    parser.add_argument("--data", type=Path, help="a folder with gefcom.csv")
    parser.add_argument("--dry", action="store_true", help="do not write the results")
    options = parser.parse_args()
    with threadpool_limits(1):
        parts = {"The series engine against the number of rows": by_rows(options.rows)}
        if options.data is not None:
            parts["The series engine on hourly loads"] = on_loads(load(options.data))
    for title, text in parts.items():
        print(title, text, sep="\n")
        if not options.dry:
            write("series_rows.py", title, f"{machine()}\n\n{text}")


if __name__ == "__main__":
    main()
