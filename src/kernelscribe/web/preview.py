"""The process that looks at one table: `python -m kernelscribe.web.preview`, an order in, an answer out, both JSON.

It reads the table as a search would, by the same functions, and tells what came of it. In a process of its own a large or
hostile file costs the server neither memory nor time.
"""

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.data.columns import understand
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.grid import CellGrid, Cells, Source, Spans
from kernelscribe.data.number_times import DateFormat
from kernelscribe.data.prepare import prepare
from kernelscribe.data.reader import file_grid, readable
from kernelscribe.data.reading import Reading
from kernelscribe.data.row_filter import chosen
from kernelscribe.data.stamps import Stamps
from kernelscribe.errors import DataError, KernelscribeError, Question
from kernelscribe.faces import Face
from kernelscribe.model.future import future
from kernelscribe.report.formats.escape import readable as shown
from kernelscribe.report.words import language

__all__ = ["look", "main"]

# Rows that are shown: enough to see whether the header was understood.
_ROWS = 8
# Columns that are shown and offered: a page with more of them takes seconds.
_COLUMNS = 300
# Bins of the chart: about one for every two points of its width.
_BINS = 400
# Rows by which the kind of a column is judged for the menus.
_SAMPLE = 200
# Characters of a cell that are shown.
_LONGEST = 80


def main(order: str) -> str:
    """The answer to an order: what was read, a question, or what is wrong."""
    asked = json.loads(order)
    try:
        answer = look(Path(asked["file"]), asked["name"], asked["reading"], asked["memory"])
    except DataError as error:
        answer = {"wrong": error.said(Face.PAGE)} if error.question is None else {"ok": False, "ask": _ask(error.question)}
    except KernelscribeError as error:
        answer = {"wrong": error.said(Face.PAGE)}
    return json.dumps(answer, allow_nan=False)


def _ask(question: Question) -> dict[str, Any]:
    choices = [{"value": value, "label": words} for value, words in question.choices]
    column = {"column": question.column} if question.column else {}
    return {"field": question.option, **column, "question": question.text, "choices": choices}


def look(path: Path, name: str, reading: dict[str, Any], memory: float) -> dict[str, Any]:
    """How a table is read."""
    asked = Reading.of(reading)
    with readable(name):
        # All columns, for any of them may be chosen next.
        table = file_grid(path, None, asked.encoding, memory, name)
        rows = chosen(table, asked.where, asked.used)
        head, kinds = _head(rows), _kinds(rows, asked)
        data = prepare(table, asked)
    series = any(note.kind == "rhythm" for note in data.notes)
    alone = len(data.axes) == 1
    return {
        "ok": True,
        "name": name,
        "where": dict(asked.where),
        "rows": len(data.y),
        "target": data.target,
        "time": data.axes[0].name if series else None,
        "inputs": list(data.names),
        "series": alone,
        "horizon": len(future(_column(data, 0), data.axes[0], None)) if alone and not data.constant else None,
        "columns": [{"name": column, "kind": kind} for column, kind in kinds.items()],
        "numeric": [column for column, kind in kinds.items() if kind == "number"],
        "notes": [language.notes.spoken(note, Face.PAGE) for note in data.notes],
        "head": head,
        "chart": _chart(data),
    }


def _kinds(table: CellGrid, asked: Reading) -> dict[str, str]:
    """What the first columns hold, by their first rows."""
    columns = tuple(_first(source, _SAMPLE) for source in table.columns)
    top, format_ = replace(table, columns=columns, lines=table.lines[:_SAMPLE]), DateFormat.of(asked.date_format)
    return {
        name: understand(top, index, format_, told=name == asked.time, target=name == asked.target).kind
        for index, name in enumerate(table.names[:_COLUMNS])
    }


def _first(source: Source, most: int) -> Source:
    match source:
        case Cells():
            cells = next(iter(source), [])
            return Cells.of(cells[:most])
        case Stamps():
            return source.rows(np.arange(len(source)) < most)
        case Spans(days):
            return Spans(days[:most])
        case np.ndarray():
            return source[:most]
    return source


def _head(table: CellGrid) -> dict[str, Any]:
    columns = [_cells(source, min(_ROWS, len(table.lines))) for source in table.columns[:_COLUMNS]]
    return {"columns": list(table.names[:_COLUMNS]), "rows": [list(row) for row in zip(*columns, strict=True)]}


def _cells(source: Source, rows: int) -> Sequence[str]:
    """The first cells of a column as text."""
    match source:
        case Cells():
            return [shown(cell.strip())[:_LONGEST] for cell in next(iter(source), [])[:rows]]
        case Stamps():
            axis = Axis("", "days", "1970-01-01T00:00:00")
            days = [float(seconds) / 86400 for seconds in source.seconds[:rows]]
            return [
                axis.date(day).isoformat(sep=" ") if known else "" for day, known in zip(days, source.known[:rows], strict=True)
            ]
        case Spans(days=spans):
            return [_number(each) for each in spans[:rows]]
        case np.ndarray():
            return [_number(each) for each in source[:rows]]
    return [""] * rows


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.10g}"


def _column(data: Dataset, d: int) -> Array:
    return data.inputs[d].centre + data.inputs[d].scale * data.X[:, d]


def _chart(data: Dataset) -> dict[str, Any]:
    """The target along the only input, or row by row: the lowest and highest value of every bin."""
    y = data.values
    alone = len(data.axes) == 1
    axis = data.axes[0] if alone else Axis("row")
    x = _column(data, 0) if alone else np.arange(1.0, len(y) + 1)
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    # Bins of equal width: where there are gaps, there are gaps.
    bins = np.minimum((_BINS * (x - x[0]) / (x[-1] - x[0])).astype(np.int64), _BINS - 1)
    starts = np.flatnonzero(np.diff(bins, prepend=-1))
    lows, highs = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    labels = [axis.date(each).isoformat() for each in x[starts]] if axis.dated else [float(f"{each:.10g}") for each in x[starts]]
    return {
        "x_label": axis.name,
        "y_label": data.target,
        "x_dates": axis.dated,
        "series": [[at, float(low), float(high)] for at, low, high in zip(labels, lows, highs, strict=True)],
    }


if __name__ == "__main__":
    sys.stdout.write(main(sys.stdin.read()))
