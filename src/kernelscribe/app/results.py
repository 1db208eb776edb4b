"""The folder that a run leaves behind: report, model, components, forecast and journal. Each file is whole or not there."""

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelscribe.api.analysis import Analysis
from kernelscribe.errors import DataError, OutputError
from kernelscribe.faces import Face
from kernelscribe.files import COMPONENTS, FORECAST, JOURNAL, MODEL, PAGE, REPORT, write
from kernelscribe.report.document import Document
from kernelscribe.report.formats import bundle
from kernelscribe.report.formats.escape import csv_cell
from kernelscribe.report.formats.saved import from_json, to_json

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COMPONENTS", "FORECAST", "JOURNAL", "MODEL", "PAGE", "REPORT", "csv_text", "saved_report", "write_results"]

# Rows of a table that are made into text at a time: a million rows then need no second copy of themselves.
_ROWS = 50_000


def write_results(found: Analysis, folder: Path, steps: int | None = None) -> dict[str, Path]:
    """Write everything but the journal, which writes itself; the files by what they are."""
    files = {"report": folder / PAGE, "model": folder / MODEL, "components": folder / COMPONENTS}
    bundle.prepare()
    with _naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with _naming(files["model"]):
        found.save(files["model"])
    with _naming(files["components"]):
        write(files["components"], csv_text(_components(found)))
    if found.model.series and found.model.terms:
        files["forecast"] = folder / FORECAST
        with _naming(files["forecast"]):
            write(files["forecast"], csv_text(found.forecast(steps)))
    document = found.document(steps, Face.TERMINAL)
    with _naming(folder / REPORT):
        write(folder / REPORT, to_json(document))
    with _naming(files["report"]):
        found.report(files["report"], document=document)
    return files


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """What cannot be written is an error that says which file and why."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from None


def _components(found: Analysis) -> "pd.DataFrame":
    """What the model makes of every row: its place, the target, the mean with its band, and every component."""
    frame = found.predict(found.model.inputs)
    name = found.model.data.target
    frame.insert(len(found.model.axes), f"{name} (target)" if name in frame else name, found.model.target)
    return frame


def csv_text(frame: "pd.DataFrame") -> str:
    """A table as CSV that no spreadsheet takes for formulas; numbers with all their digits."""
    blocks = [_lines([[csv_cell(str(name)) for name in frame.columns]])]
    for start in range(0, len(frame), _ROWS):
        some = frame.iloc[start : start + _ROWS]
        blocks.append(_lines(zip(*(_cells(some.iloc[:, i]) for i in range(some.shape[1])), strict=True)))
    return "".join(blocks)


def _lines(rows: Iterable[Iterable[Any]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _cells(column: "pd.Series[Any]") -> list[Any]:
    """Values as they stand in the file; nothing where there is none."""
    values = column.tolist()
    if column.dtype.kind == "O":
        values = [csv_cell(each) for each in values]
    return ["" if gap else each for gap, each in zip(column.isna(), values, strict=True)] if column.hasnans else values


def saved_report(folder: Path) -> Document:
    """The report of a finished run."""
    path = folder / REPORT
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
