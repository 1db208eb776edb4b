"""What every experiment shares: options, results that survive an interruption, figures, data.

    python experiments/NAME.py --data DIR [--quick] [--out DIR] [--seed N]

An experiment is a number of cells, each measured once: a key and what it came to. Every cell is on disk as soon as it is known,
in `NAME.json` (`NAME-quick.json`), with settings, versions, machine and times; a run that was interrupted goes on with the first
cell that is missing, and one with other settings begins anew. Seconds are those of the cells that were kept, whenever they ran.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import altair as alt
import numpy as np
import vl_convert

import kernelscribe as ks
from kernelscribe.data import read

__all__ = ["Ledger", "Settings", "by_points", "draw", "load", "settings", "written"]

HERE = Path(__file__).resolve().parent
DIGITS = 9
VERSIONS = ("kernelscribe", "numpy", "scipy", "numba", "finufft")


@dataclass(frozen=True)
class Settings:
    """How an experiment is run.

    Attributes:
        quick: few and small cells, on data that are made up where none are given.
    """

    name: str
    data: Path | None
    quick: bool
    out: Path
    seed: int

    @property
    def stem(self) -> str:
        return f"{self.name}-quick" if self.quick else self.name


def settings(name: str, doc: str | None) -> Settings:
    """Of the command line."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with the data sets; may be left out with --quick")
    parser.add_argument("--quick", action="store_true", help="a few minutes at most, to see that it works")
    parser.add_argument("--out", type=Path, default=HERE / "runs", help="folder for the results and figures")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.data is None and not args.quick:
        parser.error("--data DIR is needed, where solar.csv and the others are")
    # Ended by either signal, searches put their workers away, and the user is told what to do rather than where it was.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.excepthook = _told
    return Settings(name, args.data, args.quick, args.out, args.seed)


def _told(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print("Stopped. The same command goes on where it was.", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def load(options: Settings, name: str, rows: int = 120) -> ks.Dataset:
    """A data set by its name; in a quick run without data, something small of its kind."""
    if options.data is not None:
        return read(options.data / f"{name}.csv")
    rng = np.random.default_rng(options.seed)
    if name in ("solar", "mauna"):
        x = np.linspace(0.0, 40.0, rows)
        return ks.Dataset.of(x, np.sin(2 * np.pi * x / 10.9) * (1 + 0.02 * x) + 0.03 * x + 0.1 * rng.normal(size=rows))
    X = rng.normal(size=(rows, 3))
    return ks.Dataset.of(X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.2 * rng.normal(size=rows))


@dataclass
class Ledger:
    """The cells of one experiment, in a file."""

    options: Settings
    choices: Mapping[str, Any]
    kept: dict[str, Any] = field(default_factory=dict)
    summary: Mapping[str, Any] | None = None
    total: int = 0
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if not self.path.exists():
            return
        before = json.loads(self.path.read_text(encoding="utf-8"))
        if before["settings"] == self._settings:
            self.kept, self.summary = before["cells"], before["summary"]
            return
        print(f"{self.options.name}: other settings than before, begun anew", file=sys.stderr)
        for stale in self.options.out.glob(f"{self.options.stem}-*.search.*"):
            stale.unlink()

    @property
    def path(self) -> Path:
        return self.options.out / f"{self.options.stem}.json"

    @property
    def _settings(self) -> dict[str, Any]:
        return json.loads(json.dumps({"seed": self.options.seed, "quick": self.options.quick, **self.choices}))

    def cell(self, key: str, measure: Callable[[], Any]) -> Any:
        """What was measured under this key, now or before: as it stands in the file, so that both come to the same.

        What tells its own `seconds`, as a search does that went on where it was interrupted, is believed.
        """
        self.seen.add(key)
        if key not in self.kept:
            began = time.perf_counter()
            value = json.loads(_line(measure()))
            seconds = time.perf_counter() - began
            if isinstance(value, dict):
                seconds = max(seconds, value.get("seconds", 0.0))
            self.kept[key] = {"value": value, "seconds": seconds, "when": time.strftime("%Y-%m-%d")}
            self._write()
            of = f" of {self.total}" if self.total else ""
            print(f"{self.options.name}: {key} ({len(self.seen)}{of}, {seconds:.1f} s)", file=sys.stderr, flush=True)
        return self.kept[key]["value"]

    def tell(self, summary: Mapping[str, Any]) -> None:
        """What the cells come to so far; a part of an experiment is worth knowing where the whole takes hours."""
        self.summary = summary
        self._write()

    def finish(self, summary: Mapping[str, Any]) -> None:
        """The last word: what the cells come to together."""
        self.summary = summary
        self._write(complete=True)

    def _write(self, *, complete: bool = False) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        whole = {
            "experiment": self.options.name,
            "settings": self._settings,
            "versions": {name: _version(name) for name in VERSIONS} | {"python": platform.python_version()},
            "machine": _machine(),
            "seconds": sum(each["seconds"] for each in self.kept.values()),
            "complete": complete,
            "summary": self.summary,
            "cells": self.kept,
        }
        partial = self.path.with_suffix(".part")
        partial.write_text(written(whole), encoding="utf-8")
        partial.replace(self.path)


def written(whole: Mapping[str, Any]) -> str:
    """The results as JSON: a line for each key, and one for each cell."""
    cells = ",\n".join(f"  {_line(key)}: {_line(cell)}" for key, cell in whole["cells"].items())
    head = [f" {_line(key)}: {_line(value)}" for key, value in whole.items() if key != "cells"]
    return "{\n" + ",\n".join([*head, f' "cells": {{\n{cells}\n }}']) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(_short(value), ensure_ascii=False)


def _short(value: Any) -> Any:
    """Numbers, those of kernels in text too, to as many digits as a measurement has at the very most."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, str):
        return re.sub(r"\d+\.\d{9,}(?:e[+-]?\d+)?", lambda found: f"{float(found[0]):.{DIGITS}g}", value)
    if isinstance(value, Mapping):
        return {key: _short(each) for key, each in value.items()}
    return [_short(each) for each in value] if isinstance(value, list | tuple) else value


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def _machine() -> str:
    try:
        model = re.findall(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())[0]
    except (OSError, IndexError):
        model = platform.processor() or platform.machine()
    return f"{model}, {os.cpu_count()} cores"


def by_points(sizes: Iterable[int]) -> alt.X:
    """The axis of the number of inducing points, on a logarithmic scale."""
    values = sorted(set(sizes))
    scale = alt.Scale(type="log", domain=[0.8 * values[0], 1.25 * values[-1]], nice=False)
    return alt.X("m:Q", scale=scale, axis=alt.Axis(values=values, labelOverlap=False), title="inducing points")


def draw(options: Settings, chart: alt.TopLevelMixin, part: str = "") -> None:
    """The figure, as SVG and as PNG."""
    spec = chart.to_json()
    stem = options.out / f"{options.stem}{part and '-'}{part}"
    for suffix, content in (
        (".svg", re.sub(r"\d+\.\d{3,}", _rounded, vl_convert.vegalite_to_svg(spec)).encode()),
        (".png", vl_convert.vegalite_to_png(spec, scale=2)),
    ):
        partial = stem.with_suffix(".part")
        partial.write_bytes(content)
        partial.replace(stem.with_suffix(suffix))


def _rounded(found: re.Match[str]) -> str:
    """A coordinate to hundredths of a point, which halves the file."""
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
