"""How long a report takes, search aside: a file of 100,000 hourly values read, checked and described.

    python benchmarks/describe.py [--rows N]

The kernel is given (a line, a daily cycle that changes, a smooth part), so that everything but the search is measured, in one
fresh process from the first import to the page on disk. Beside it stands what pandas needs to read the same file and its dates.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from report import machine, table, write  # isort: skip

KERNEL = (
    "LIN(variance=0.0001, location=100) + SE(variance=30, lengthscale=200)*PER(variance=1, lengthscale=2, period=1)"
    " + SE(variance=2, lengthscale=40)"
)


def make(path: Path, rows: int) -> None:
    """Hourly values: a rise, a daily cycle, a wandering level, noise."""
    rng = np.random.default_rng(0)
    days = np.arange(rows) / 24
    y = 0.01 * days + 3 * np.sin(2 * np.pi * days) + 0.02 * np.cumsum(rng.normal(size=rows)) + rng.normal(size=rows)
    stamps = np.datetime_as_string(np.datetime64("2010-01-01T00:00:00") + np.arange(rows) * np.timedelta64(1, "h"))
    path.write_text(
        "time,load\n" + "".join(f"{stamp.replace('T', ' ')},{value:.4f}\n" for stamp, value in zip(stamps, y, strict=True))
    )


def describe(path: Path, out: Path) -> list[tuple[str, float]]:
    """The seconds of every step, in this process."""
    began = time.perf_counter()
    laps: list[tuple[str, float]] = []

    def lap(name: str) -> None:
        laps.append((name, time.perf_counter() - began - sum(seconds for _, seconds in laps)))

    from kernelscribe.analysis import Analysis  # noqa: PLC0415
    from kernelscribe.config import Config  # noqa: PLC0415
    from kernelscribe.data import read  # noqa: PLC0415
    from kernelscribe.kernels import parse, to_standard  # noqa: PLC0415
    from kernelscribe.model.backtest import backtest  # noqa: PLC0415
    from kernelscribe.model.model import Model  # noqa: PLC0415
    from kernelscribe.model.verdict import Verdict  # noqa: PLC0415
    from kernelscribe.report import html  # noqa: PLC0415

    lap("imports")
    data = read(path)
    lap("reading and checks")
    html.prepare()
    expr = to_standard(parse(KERNEL), data.inputs, data.output)
    model = Model(data, expr, 1 / data.output.scale**2, Config())
    tested = backtest(model)
    lap("backtest")
    found = Analysis(model, Verdict.empty("the kernel was given"), tested, {})
    found.words  # noqa: B018  (computed when first asked for)
    lap("components and words")
    found.criticism  # noqa: B018
    lap("checks of the model")
    document = found.document()
    lap("composing")
    found.report(out, document=document)
    lap("page")
    return laps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--inner", nargs=2, type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inner:
        for name, seconds in describe(*args.inner):
            print(f"{seconds:.2f}\t{name}")
        return
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "load.csv", Path(folder) / "load.html"
        make(path, args.rows)
        done = subprocess.run([sys.executable, __file__, "--inner", path, out], capture_output=True, text=True, check=True)
        rows = [(name, seconds) for seconds, name in (line.split("\t") for line in done.stdout.splitlines())]
        began = time.perf_counter()
        code = f"import pandas; pandas.read_csv({str(path)!r}, parse_dates=['time'])"
        subprocess.run([sys.executable, "-c", code], check=True)
        peer, size = time.perf_counter() - began, out.stat().st_size
    total = sum(float(seconds) for _, seconds in rows)
    body = (
        f"{machine()}\n\n{args.rows:,} rows in {total:.1f} s, search aside, to a page of {size / 1e6:.1f} MB: "
        f"{total / peer:.1f} times what pandas takes to start and read the file ({peer:.1f} s).\n\n{table(('step', 's'), rows)}"
    )
    print(body)
    write("describe.py", "A report on many rows", body)


if __name__ == "__main__":
    main()
