"""Whole runs from a file to a report, as a user starts them: time, memory, and whether what is there is found.

    python benchmarks/large.py [--data DIR] [--only generated|real] [--rows N ...] [--limit SECONDS]

Each run is `kernelscribe run FILE --out DIR --json` in a fresh process. `generated` runs hourly series of known structure, with a
gap and two absurd values, which the page must name. `real` runs the hourly load of GEFCOM and the tides of Port Canaveral. What
other ways to search find there is measured by experiments/hourly.py.

Memory is that of the whole tree of processes, looked at twice a second; what processes share is counted once where the system can
tell (Linux), else in each. A run that takes longer than the limit is ended and reported as such. --depth and --workers are handed
on to every run.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from describe import WRONG, YEAR, make, wrong  # isort: skip
from report import machine, table, write  # isort: skip

SAMPLE = 0.5
REAL = ("gefcom.csv", "tidal_port_canaveral.csv.gz")
SPENT = ("s", "MB", "page, MB")
FOUND = ("kernel found", "periods found, days")


@dataclass(frozen=True)
class Run:
    """What a run took and left.

    Attributes:
        megabytes: the most that its processes held together.
        said: the JSON that it printed; empty where it did not end well, and `trouble` says why.
        page: the report, or "" where there is none.
    """

    seconds: float
    megabytes: float
    said: dict[str, Any]
    trouble: str
    page: str
    forecast: bool

    @property
    def periods(self) -> list[float]:
        """In days, as in every series with dates."""
        return sorted(each["period"] for each in self.said["parameters"] if each["kind"] == "PER")

    @property
    def spent(self) -> tuple[str, str, str]:
        size = f"{len(self.page.encode()) / 1e6:.1f}" if self.page else ""
        return self.trouble or f"{self.seconds:.0f}", f"{self.megabytes:.0f}", size

    @property
    def found(self) -> tuple[str, str]:
        return (self.said["kernel"], ", ".join(f"{period:.6g}" for period in self.periods)) if self.said else ("", "")

    def near(self, period: float, share: float) -> str:
        """Whether a period is among those found, within a share of it."""
        return yes(any(abs(each / period - 1) <= share for each in self.periods)) if self.said else ""


def yes(holds: bool) -> str:
    return "yes" if holds else "no"


def run(file: Path, out: Path, options: Sequence[str], limit: float) -> Run:
    """One run in a process of its own, watched until it ends or takes too long."""
    command = [sys.executable, "-m", "kernelscribe", "run", str(file), "--out", str(out), "--json", *options]
    most, trouble = 0.0, ""
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as told:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=printed, stderr=told)
        try:
            root = psutil.Process(process.pid)
            while process.poll() is None and not trouble:
                try:
                    process.wait(SAMPLE)
                except subprocess.TimeoutExpired:
                    most = max(most, sum(held(each) for each in tree(root)))
                    if time.perf_counter() - began > limit:
                        trouble = f"stopped after {limit:.0f}"
        finally:
            if process.poll() is None:
                end(root)
                process.wait()
        seconds = time.perf_counter() - began
        printed.seek(0)
        told.seek(0)
        if process.returncode != 0 and not trouble:
            trouble = f"failed after {seconds:.0f}"
            print(told.read(), file=sys.stderr)
        said = {} if trouble else json.load(printed)
    page = out / "index.html"
    return Run(
        seconds, most, said, trouble, page.read_text(encoding="utf-8") if page.exists() else "", (out / "forecast.csv").exists()
    )


def tree(root: psutil.Process) -> list[psutil.Process]:
    """The process and all that it has started, directly or not; nothing where it has ended."""
    try:
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def held(process: psutil.Process) -> float:
    """Megabytes that it holds, with its share of what it shares where the system tells that."""
    try:
        full = process.memory_full_info()
        return float(getattr(full, "pss", full.rss)) / 1e6
    except psutil.AccessDenied:
        return float(process.memory_info().rss) / 1e6
    except psutil.NoSuchProcess:
        return 0.0


def end(root: psutil.Process) -> None:
    """End the process and all that it has started. It is halted first, so that it starts nothing while they are listed."""
    try:
        root.suspend()
    except psutil.NoSuchProcess:
        return
    every = tree(root)
    for each in every:
        try:
            each.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(every[1:], timeout=10)


def generated(sizes: Sequence[int], options: Sequence[str], limit: float) -> str:
    lines = []
    for rows in sizes:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "load.csv"
            make(file, rows)
            done = run(file, Path(folder) / "out", options, limit)
        named = f"{sum(place in done.page for place in wrong(rows))} of {len(WRONG)}" if done.said else ""
        cycles = done.near(1.0, 0.005), done.near(YEAR, 0.02)
        lines.append((f"{rows:,}", *done.spent, *done.found, *cycles, named, yes(done.forecast)))
        print(*lines[-1], sep=" | ", flush=True)
    head = ("rows", *SPENT, *FOUND, "daily found", "yearly found", "wrong rows named", "forecast.csv")
    return (
        "A trend, a yearly cycle, a daily one whose size varies slowly, noise, a gap of 40 days and two absurd values. The daily "
        "period is found within 0.5 % of a day, the yearly one within 2 % of a year, which less than two years of data (17,500 "
        f"rows) cannot tell.\n\n{table(head, lines)}"
    )


def real(folder: Path, options: Sequence[str], limit: float) -> str:
    lines = []
    for name in REAL:
        with tempfile.TemporaryDirectory() as out:
            done = run(folder / name, Path(out), options, limit)
        rows, bic = (f"{done.said['n']:,}", f"{done.said['bic']['lower']:.1f}") if done.said else ("", "")
        lines.append((name.split(".")[0], rows, *done.spent, *done.found, bic, yes(done.forecast)))
        print(*lines[-1], sep=" | ", flush=True)
    return table(("data", "rows", *SPENT, *FOUND, "BIC", "forecast.csv"), lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the real data")
    parser.add_argument("--only", choices=("generated", "real"))
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="of generated series")
    parser.add_argument("--limit", type=float, default=1800, help="seconds for each run")
    parser.add_argument("--depth", type=int)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--dry", action="store_true", help="do not write the results")
    args = parser.parse_args()
    if args.data is None and args.only == "real":
        parser.error("real needs --data")
    given = {"--depth": args.depth, "--workers": args.workers}
    options = [str(part) for pair in given.items() if pair[1] is not None for part in pair]
    parts = {"generated": ("Whole runs on generated series", lambda: generated(args.rows, options, args.limit))}
    if args.data is not None:
        parts["real"] = ("Whole runs on real series", lambda: real(args.data, options, args.limit))
    asked = f"Options: {' '.join(options) or 'none'}; at most {args.limit:.0f} s a run."
    for name, (title, measure) in parts.items():
        if args.only in (None, name):
            body = f"{machine()}. {asked}\n\n{measure()}"
            print(body)
            if not args.dry:
                write(f"large.py --only {name}", title, body)


if __name__ == "__main__":
    main()
