"""Real series: what is told of each, by this version and by another in turns, and a forecast that time has judged."""

import csv
import gzip
import json
import math
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from kernelscribe import datasets

from versions import HERE, asked  # isort: skip

# Series with one input; tidal.csv is the paper's, where the user has it.
SERIES = (
    "solar.csv", "mauna.csv", "abcd_01_airline.csv", "abcd_04_wheat.csv", "abcd_07_call_centre.csv", "abcd_08_radio.csv",
    "abcd_10_sulphuric.csv", "abcd_11_unemployment.csv", "gefcom.csv", "bikeshare_dc_hourly.csv.gz", "tidal.csv",
    "tidal_port_canaveral.csv.gz",
)  # fmt: skip
# The embedded series, which every version has.
DEMO = "mauna_loa"
# What a forecast from the end of 2001 is held against: January 2002 to May 2006.
AHEAD = (2002.0, 2006.4)
RUN = """
import json, sys, time
import kernelscribe as ks
path, workers, options = json.loads(sys.argv[1])
began = time.perf_counter()
found = ks.analyse(path, workers=workers, **options)
count = len(found.components)
seconds = time.perf_counter() - began
link = getattr(found.model.data, "link", "none")
print(json.dumps({"seconds": seconds, "kernel": found.kernel, "components": count, "bic": found.bic.lower, "link": link,
                  "rows": len(found.model.data.y)}))
"""
FORECAST = """
import json, sys
import kernelscribe as ks
path, ahead, workers, options = json.loads(sys.argv[1])
found = ks.analyse(path, workers=workers, **options)
said = found.predict(ahead)
print(json.dumps({"kernel": found.kernel, "link": getattr(found.model.data, "link", "none"),
                  **{name: [float(value) for value in said[name]] for name in ("mean", "lower_95", "upper_95")}}))
"""


def versions(before: Path | None) -> dict[str, Path]:
    return ({} if before is None else {"before": before.resolve()}) | {"now": HERE}


def names(folder: Path) -> list[str]:
    """The series that there are."""
    return [DEMO, *(name for name in SERIES if (folder / name).exists())]


def told_by(
    source: Path, folder: Path, name: str, rows: int | None, workers: int | None, options: dict[str, Any]
) -> dict[str, Any]:
    """What one version finds in a series, or in its first rows."""
    with tempfile.TemporaryDirectory() as made:
        path = _file(folder, name, rows, Path(made))
        return dict(json.loads(asked(source, RUN, json.dumps([str(path), workers, options]))))


def _file(folder: Path, name: str, rows: int | None, made: Path) -> Path:
    if name != DEMO and rows is None:
        return folder / name
    path = made / f"{name.partition('.')[0]}.csv"
    text = datasets.source(DEMO).decode() if name == DEMO else _text(folder / name)
    path.write_text("".join(islice(text.splitlines(keepends=True), None if rows is None else rows + 1)))
    return path


def _text(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()


def hindsight(source: Path, folder: Path, workers: int, options: dict[str, Any]) -> dict[str, Any]:
    """The demo's series, which ends in 2001, continued, and what came."""
    ahead, came = (np.array(each) for each in zip(*_after(folder / "mauna.csv"), strict=True))
    with tempfile.TemporaryDirectory() as made:
        path = _file(folder, DEMO, None, Path(made))
        said = json.loads(asked(source, FORECAST, json.dumps([str(path), ahead.tolist(), workers, options])))
    judged = judge(came, *(np.array(said[name]) for name in ("mean", "lower_95", "upper_95")))
    return {"kernel": said["kernel"], "link": said["link"], "months": len(came), **judged}


def _after(path: Path) -> Iterator[tuple[float, float]]:
    """Months ahead and what was measured in them."""
    with path.open() as file:
        for x, y in islice(csv.reader(file), 1, None):
            if AHEAD[0] <= float(x) < AHEAD[1]:
                yield float(x), float(y)


def judge(came: np.ndarray, mean: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> dict[str, float]:
    """Root mean squared error, and how often and how wide the band of 95 % held."""
    return {
        "rmse": math.sqrt(float(np.mean((came - mean) ** 2))),
        "coverage": float(np.mean((lower <= came) & (came <= upper))),
        "width": float(np.mean(upper - lower)),
    }
