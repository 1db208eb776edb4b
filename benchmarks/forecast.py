"""Forecasts of seven series beside nine published methods, and beside Prophet and statsmodels in the same run.

    python benchmarks/forecast.py --data DIR                 all series; the peers where their environment exists
    python benchmarks/forecast.py --data DIR --make-peers    make that environment first (.venv-peers-forecast)
    python benchmarks/forecast.py --data DIR --series NAME   this series alone; may be given several times

The first nine tenths of every series are searched, and the last tenth is predicted from them: the split, and the errors of the
nine methods, of Lloyd et al. 2014, which `abcd_extrapolation.csv` lists. Errors are root mean squares in the units of the series.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from kernelscribe import Config, Dataset
from kernelscribe.api.analysis import explain

from report import machine, table, write  # isort: skip

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parent / ".venv-peers-forecast" / "bin" / "python"
PEERS = ("Prophet", "ETS", "SARIMAX")
WORKERS = 2


@dataclass(frozen=True)
class Series:
    """A series cut in two, and the errors that were published for its second part."""

    name: str
    x: np.ndarray
    y: np.ndarray
    ahead: np.ndarray
    truth: np.ndarray
    published: dict[str, float]

    @property
    def best(self) -> str:
        """Which of the nine did best here, known only afterwards."""
        return min(self.published, key=self.published.__getitem__)


@dataclass(frozen=True)
class Forecast:
    """What a method says of the second part: the mean and an interval of 95 %, in how many seconds."""

    mean: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    seconds: float
    kernel: str | None = None

    def error(self, truth: np.ndarray) -> float:
        return math.sqrt(float(np.mean((self.mean - truth) ** 2)))

    def inside(self, truth: np.ndarray) -> int:
        return int(np.sum((self.lower <= truth) & (truth <= self.upper)))

    @property
    def width(self) -> float:
        return float(np.mean(self.upper - self.lower))


Outcome = tuple[Series, dict[str, Forecast]]


def load(folder: Path, only: list[str]) -> list[Series]:
    with (folder / "abcd_extrapolation.csv").open() as file:
        rows = list(csv.DictReader(file))
    unknown = sorted(set(only) - {row["series"] for row in rows})
    if unknown:
        raise SystemExit(f"no series {unknown[0]}; there are {', '.join(row['series'] for row in rows)}")
    return [cut(folder, row) for row in rows if not only or row["series"] in only]


def cut(folder: Path, row: dict[str, str]) -> Series:
    name, count, rest = row["series"], int(row["n_train"]), int(row["n_test"])
    x, y = np.loadtxt(folder / f"{name}.csv", delimiter=",", skiprows=1).T
    if len(x) != count + rest:
        raise SystemExit(f"{name} has {len(x)} rows, where {count} and {rest} were expected")
    published = {key: float(value) for key, value in row.items() if key not in ("series", "n_train", "n_test")}
    return Series(name, x[:count], y[:count], x[count:], y[count:], published)


def ours(series: Series, config: Config) -> Forecast:
    began = time.perf_counter()
    data = Dataset.of(series.x, series.y)
    found = explain(data, config, workers=WORKERS)
    if found.kernel is None:
        raise SystemExit(f"{series.name}: no model")
    mean, sd = found.model.predict(series.ahead[:, None])
    seconds = time.perf_counter() - began
    return Forecast(mean, mean - 1.96 * sd, mean + 1.96 * sd, seconds, found.kernel)


def peers(chosen: list[Series]) -> dict[str, dict[str, Forecast]]:
    """All series by all peers, in one process of their environment."""
    given = {s.name: {"x": s.x.tolist(), "y": s.y.tolist(), "ahead": s.ahead.tolist()} for s in chosen}
    with tempfile.TemporaryDirectory() as folder:
        asked, told = Path(folder) / "series.json", Path(folder) / "forecasts.json"
        asked.write_text(json.dumps(given))
        # Threads only get in the way of matrices this small.
        env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        command = [PYTHON, HERE / "peers_forecast.py", asked, told]
        done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
        if done.returncode:
            raise SystemExit(f"the peers failed:\n{done.stderr[-2000:]}")
        found = json.loads(told.read_text())
    return {name: {label: _forecast(each) for label, each in methods.items()} for name, methods in found.items()}


def _forecast(raw: dict[str, Any]) -> Forecast:
    return Forecast(np.array(raw["mean"]), np.array(raw["lower_95"]), np.array(raw["upper_95"]), raw["seconds"])


def make_peers() -> None:
    venv.create(PYTHON.parents[1], with_pip=True)
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "prophet", "statsmodels", "pandas"], check=True)


def errors(outcomes: list[Outcome], labels: tuple[str, ...]) -> str:
    rows = []
    for s, found in outcomes:
        own = found["ours"].error(s.truth)
        plain, best = s.published["abcd_interpretability"], s.published[s.best]
        rows.append(
            [
                s.name, len(s.x), len(s.truth), f"{own:.4g}", f"{plain:.4g}", f"{s.published['abcd_accuracy']:.4g}",
                f"{best:.4g} ({s.best.replace('_', ' ')})", *(f"{found[label].error(s.truth):.4g}" for label in labels[1:]),
                f"{own / plain:.2f}", f"{own / best:.2f}",
            ]
        )  # fmt: skip
    head = ["series", "rows", "ahead", "ours", "ABCD interpretable", "ABCD accurate", "best of nine", *labels[1:]]
    return table([*head, "ours / ABCD interpretable", "ours / best of nine"], rows)


def intervals(outcomes: list[Outcome], labels: tuple[str, ...]) -> str:
    """The share of points inside the interval, with the interval's mean width in parentheses."""
    rows: list[list[str]] = []
    for s, found in outcomes:
        cells = [f"{100 * found[k].inside(s.truth) / len(s.truth):.0f} % ({found[k].width:.3g})" for k in labels]
        rows.append([s.name, *cells])
    points = sum(len(s.truth) for s, _ in outcomes)
    pooled = [f"{100 * sum(found[k].inside(s.truth) for s, found in outcomes) / points:.1f} %" for k in labels]
    return table(["series", *labels], [*rows, [f"all {points} points", *pooled]])


def times(outcomes: list[Outcome], labels: tuple[str, ...]) -> str:
    rows = [[s.name, found["ours"].kernel, *(f"{found[k].seconds:.1f}" for k in labels)] for s, found in outcomes]
    return table(["series", "kernel found", *(f"{k}, s" for k in labels)], rows)


def summary(outcomes: list[Outcome], labels: tuple[str, ...]) -> str:
    def against(peer: Iterable[float]) -> tuple[float, int]:
        ratios = [found["ours"].error(s.truth) / other for (s, found), other in zip(outcomes, peer, strict=True)]
        return median(ratios), sum(each < 1 for each in ratios)

    rivals = {
        "ABCD interpretable": [s.published["abcd_interpretability"] for s, _ in outcomes],
        "ABCD accurate": [s.published["abcd_accuracy"] for s, _ in outcomes],
        "the best of the nine on each series": [s.published[s.best] for s, _ in outcomes],
        **{label: [found[label].error(s.truth) for s, found in outcomes] for label in labels[1:]},
    }
    rows = []
    for name, values in rivals.items():
        ratio, wins = against(values)
        rows.append([name, f"{ratio:.2f}", f"{wins} of {len(outcomes)}"])
    return table(["beside", "median of ours / theirs", "ours is better on"], rows)


def details(s: Series, found: dict[str, Forecast]) -> dict[str, Any]:
    """One series for the file of details."""
    methods = {
        label: {
            "rmse": each.error(s.truth), "coverage": each.inside(s.truth) / len(s.truth), "width": each.width,
            "seconds": each.seconds, "kernel": each.kernel,
            "mean": each.mean.tolist(), "lower_95": each.lower.tolist(), "upper_95": each.upper.tolist(),
        }
        for label, each in found.items()
    }  # fmt: skip
    return {
        "series": s.name, "n_train": len(s.x), "published": s.published, "best_of_nine": s.best,
        "x": s.ahead.tolist(), "y": s.truth.tolist(), "methods": methods,
    }  # fmt: skip


def describe(outcomes: list[Outcome], labels: tuple[str, ...], config: Config) -> str:
    told = " Peers are told the calendar or the length of the year; ours has to find it." if len(labels) > 1 else ""
    parts = [
        f"Root mean squared error of the forecast of the last tenth, in the units of the series.{told} Depth {config.depth}, "
        f"seed {config.seed}, {WORKERS} workers, all else by default; {machine()}.",
        errors(outcomes, labels),
        summary(outcomes, labels),
        "Points inside the interval of 95 %, and its mean width:",
        intervals(outcomes, labels),
        "Seconds of search or fit and forecast:",
        times(outcomes, labels),
    ]
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--series", action="append", default=[], metavar="NAME")
    parser.add_argument("--depth", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--make-peers", action="store_true", help="make the peers' environment first")
    parser.add_argument("--no-peers", action="store_true", help="ours beside the published errors alone")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write every forecast to this file")
    parser.add_argument("--dry", action="store_true", help="do not write the results")
    args = parser.parse_args()
    if args.make_peers:
        make_peers()
    config = Config(seed=args.seed)
    if args.depth is not None:
        config = replace(config, depth=args.depth)
    chosen = load(args.data, args.series)
    use = not args.no_peers and PYTHON.exists()
    if not use and not args.no_peers:
        print("the peers are left out: --make-peers makes their environment", file=sys.stderr)
    others = peers(chosen) if use else {}
    outcomes: list[Outcome] = []
    for series in chosen:
        found = {"ours": ours(series, config), **others.get(series.name, {})}
        outcomes.append((series, found))
        brief = ", ".join(f"{label} {each.error(series.truth):.4g}" for label, each in found.items())
        print(f"{series.name}: {brief}; {found['ours'].kernel}, {found['ours'].seconds:.0f} s", flush=True)
        if args.json:
            args.json.write_text(json.dumps([details(*each) for each in outcomes], indent=1))
    result = describe(outcomes, ("ours", *PEERS) if use else ("ours",), config)
    print(f"\n{result}")
    if not args.dry:
        write("forecast.py", "Forecasts", result)


if __name__ == "__main__":
    main()
