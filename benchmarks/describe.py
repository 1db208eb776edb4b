"""How long a report takes, search aside: files of 100,000 and of a million hourly values read, checked and described.

    python benchmarks/describe.py [--rows N ...]

The kernel is given (a line, a smooth trend, a yearly cycle, a daily one that changes), so that everything but the search is
measured, in one fresh process from the first import to the files on disk, with the most memory that it held. Beside it stands
what pandas needs to read the same file and its dates. The data hold a gap and two absurd values, which the page must name.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from report import machine, table, write  # isort: skip

YEAR = 365.2425
# Hours without values.
GAP = 960
# Where the two wrong values stand, as shares of the rows.
WRONG = (0.123456, 0.777777)


def kernel(days: float) -> str:
    """For so many days of data."""
    return (
        f"LIN(variance=1e-7, location={days / 2}) + SE(variance=2, lengthscale={days / 5})"
        f" + PER(variance=60, lengthscale=1.5, period={YEAR})"
        f" + SE(variance=10, lengthscale={days / 10})*PER(variance=1, lengthscale=1.2, period=1)"
    )


def make(path: Path, rows: int) -> None:
    """Hourly values: a trend, a yearly cycle, a daily one whose size varies slowly, noise."""
    rng = np.random.default_rng(0)
    hours = np.delete(np.arange(rows + GAP), np.arange(GAP) + round(0.38 * rows))
    days, t = hours / 24, hours / rows
    daily = (3 + 1.2 * np.sin(6 * np.pi * t)) * (np.sin(2 * np.pi * days) + 0.35 * np.sin(4 * np.pi * days + 1))
    yearly = 8 * np.sin(2 * np.pi * days / YEAR) + 1.5 * np.cos(4 * np.pi * days / YEAR)
    y = 10 + 2 * t + 1.5 * np.sin(6 * t) + yearly + daily + rng.normal(size=rows)
    y[[round(share * rows) for share in WRONG]] += (300, -250)
    stamps = np.datetime_as_string(np.datetime64("1900-01-01T00:00:00") + hours * np.timedelta64(1, "h"))
    with path.open("w") as file:
        file.write("time,load\n")
        file.writelines(
            f"{stamp.replace('T', ' ')},{value:.3f}\n" for stamp, value in zip(stamps.tolist(), y.tolist(), strict=True)
        )


def describe(path: Path, out: Path) -> list[tuple[str, float, float]]:
    """Seconds and processor seconds of every step, in this process."""
    laps: list[tuple[str, float, float]] = []
    last = [time.perf_counter(), time.process_time()]

    def lap(name: str) -> None:
        now = [time.perf_counter(), time.process_time()]
        laps.append((name, now[0] - last[0], now[1] - last[1]))
        last[:] = now

    from kernelscribe.model.verdict import Verdict  # noqa: PLC0415

    from kernelscribe.api.analysis import Analysis  # noqa: PLC0415
    from kernelscribe.app.results import write_results  # noqa: PLC0415
    from kernelscribe.config import Config  # noqa: PLC0415
    from kernelscribe.data import read  # noqa: PLC0415
    from kernelscribe.kernels import parse, text, to_standard  # noqa: PLC0415
    from kernelscribe.model.backtest import backtest  # noqa: PLC0415
    from kernelscribe.model.model import Model  # noqa: PLC0415
    from kernelscribe.report.formats import html  # noqa: PLC0415

    lap("imports")
    data = read(path)
    lap("reading and checks")
    html.prepare()
    expr = to_standard(parse(kernel(float(np.ptp(data.X)) * data.inputs[0].scale)), data.inputs, data.output)
    model = Model(data, expr, 1.15 / data.output.scale**2, Config())
    tested = backtest(model)
    lap("backtest")
    given = replace(Verdict.empty("as it was given"), kernel=text(expr, inputs=1), structure=True)
    found = Analysis(model, given, tested, {})
    found.words  # noqa: B018  (computed when first asked for)
    lap("components, standard errors and words")
    found.criticism  # noqa: B018
    lap("checks of the model")
    write_results(found, out)
    lap("the page, the model, all rows and the forecast as files")
    return laps


def measure(rows: int) -> tuple[str, list[tuple[str, float, float]]]:
    """One fresh process: what it took in all, and by steps."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "load.csv", Path(folder) / "out"
        make(path, rows)
        done = subprocess.run([sys.executable, __file__, "--inner", path, out], capture_output=True, text=True, check=True)
        peak, *lines = done.stdout.splitlines()
        laps = [(name, float(wall), float(cpu)) for name, wall, cpu in (line.split("\t") for line in lines)]
        began = time.perf_counter()
        code = f"import pandas; pandas.read_csv({str(path)!r}, parse_dates=['time'])"
        subprocess.run([sys.executable, "-c", code], check=True)
        peer, size = time.perf_counter() - began, (out / "index.html").stat().st_size
        page = (out / "index.html").read_text()
    named = sum(place in page for place in wrong(rows))
    total, cpu = sum(wall for _, wall, _ in laps), sum(cpu for *_, cpu in laps)
    return (
        f"{rows:,} rows in {total:.0f} s ({cpu:.0f} s of the processor) and {float(peak):.0f} MB, search aside, to a page of "
        f"{size / 1e6:.1f} MB that names {named} of the {len(WRONG)} wrong rows: {total / peer:.0f} times what pandas takes to "
        f"start and read the file ({peer:.1f} s)."
    ), laps


def wrong(rows: int) -> list[str]:
    """When the wrong rows were measured."""
    hours = np.delete(np.arange(rows + GAP), np.arange(GAP) + round(0.38 * rows))
    moments = np.datetime64("1900-01-01T00:00:00") + hours[[round(share * rows) for share in WRONG]] * np.timedelta64(1, "h")
    return [str(moment).replace("T", " ").removesuffix(" 00:00:00") for moment in moments]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--inner", nargs=2, type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inner:
        laps = describe(*args.inner)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3))
        for name, wall, cpu in laps:
            print(f"{name}\t{wall:.2f}\t{cpu:.2f}")
        return
    said, columns = zip(*(measure(rows) for rows in args.rows), strict=True)
    head = ["step", *(f"{unit}, {rows:,} rows" for rows in args.rows for unit in ("s", "processor s"))]
    steps = [
        (lap[0][0], *(f"{seconds:.2f}" for one in lap for seconds in one[1:])) for lap in zip(*columns, strict=True)
    ]  # fmt: skip
    body = "\n\n".join([machine(), *said, table(head, steps)])
    print(body)
    write("describe.py", "A report on many rows", body)


if __name__ == "__main__":
    main()
