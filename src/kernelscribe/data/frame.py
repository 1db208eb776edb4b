"""Data frames of any library: pandas, polars, pyarrow and what else narwhals speaks to."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from kernelscribe.data.dataset import Dataset
from kernelscribe.data.grid import Cells, Grid, Odd, Source, Spans, named
from kernelscribe.data.guess import Wish
from kernelscribe.data.notes import in_python
from kernelscribe.data.prepare import prepare
from kernelscribe.data.stamps import DAY, Stamps
from kernelscribe.errors import DataError
from kernelscribe.kernels.base import Array

__all__ = ["from_frame", "grid"]

_TICKS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def from_frame(
    frame: Any,
    *,
    target: str | None = None,
    time: str | None = None,
    inputs: Sequence[str] | None = None,
    date_format: str | None = None,
    winsorise: bool = False,
) -> Dataset:
    """A frame of pandas, polars or pyarrow as a Dataset; an index of dates is the time.

    Args:
        target: the column to explain; the last one of numbers where not given.
        time: the column of times; guessed where not given.
        inputs: the columns to explain it by; beside the time where that is given.
        date_format: how dates are written, as in %d/%m/%Y; docs/data.md has the words it may be instead.
        winsorise: pull outliers of the target in.
    """
    try:
        data = prepare(grid(frame, "the frame"), Wish.of(target, time, inputs, date_format), winsorise=winsorise)
    except DataError as error:
        raise DataError(in_python(str(error)), error.question) from None
    return replace(data, notes=tuple(replace(note, text=in_python(note.text)) for note in data.notes))


def grid(frame: Any, origin: str) -> Grid:
    """A frame's columns, not yet understood."""
    columns = list(_columns(frame))
    names, unnamed = named([name for name, _ in columns])
    rows = len(columns[0][1]) if columns else 0
    sources = tuple(_source(column) for _, column in columns)
    return Grid(origin, names, sources, np.arange(1, rows + 1), "row", None, unnamed)


def _columns(frame: Any) -> Iterator[tuple[Any, Any]]:
    """Names and narwhals series."""
    import narwhals as nw  # noqa: PLC0415

    if nw.dependencies.is_pandas_series(frame):
        frame = frame.to_frame()
    if nw.dependencies.is_pandas_dataframe(frame):
        # One by one, because names may be alike, and because the index may be the time.
        parts = [(frame.columns[d], frame.iloc[:, d]) for d in range(frame.shape[1])]
        index = frame.index
        periods = str(index.dtype).startswith("period")
        if index.nlevels == 1 and (index.name is not None or periods or index.dtype.kind in "mM"):
            parts.insert(0, ("time" if index.name is None else index.name, index.to_series()))
        for name, part in parts:
            stamped = part.dt.to_timestamp() if str(part.dtype).startswith("period") else part
            yield name, nw.from_native(stamped, series_only=True)
        return
    try:
        table = nw.from_native(frame, eager_only=True)
    except Exception as error:
        raise DataError(f"a frame of pandas, polars or pyarrow is needed, got {type(frame).__name__}: {error}") from None
    for name in table.columns:
        yield name, table.get_column(name)


def _source(series: Any) -> Source:  # noqa: PLR0911
    import narwhals as nw  # noqa: PLC0415

    dtype = series.dtype
    if dtype in (nw.Datetime, nw.Date):
        return _stamps(series)
    if dtype == nw.Duration:
        spans = series.to_numpy()
        return Spans(np.where(np.isnat(spans), np.nan, spans / np.timedelta64(1, "us") / (DAY * 1e6)))
    if dtype.is_integer() and dtype not in (nw.UInt64, nw.Int128, nw.UInt128) and not series.null_count():
        return np.asarray(series.to_numpy(), dtype=np.int64)
    if dtype.is_numeric() or dtype == nw.Boolean:
        return _floats(series.cast(nw.Float64))
    if dtype in (nw.String, nw.Categorical, nw.Enum, nw.Time):
        return Cells.of(["" if _nothing(cell) else str(cell) for cell in series.to_list()])
    if dtype in (nw.Object, nw.Unknown):
        return _objects(series.to_list())
    return Odd("nested values" if dtype.is_nested() else f"values of the type {dtype}")


def _floats(series: Any) -> Array:
    values = series.to_numpy()
    if values.dtype == np.float64:
        return np.asarray(values)
    return np.array([np.nan if _nothing(cell) else float(cell) for cell in series.to_list()])


def _stamps(series: Any) -> Source:
    import narwhals as nw  # noqa: PLC0415

    zone = getattr(series.dtype, "time_zone", None)
    if zone is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    moments = series.to_numpy()
    if moments.dtype.kind != "M":
        moments = series.cast(nw.Datetime("us")).to_numpy().astype("datetime64[us]")
    unit, _ = np.datetime_data(moments.dtype)
    if unit not in _TICKS:
        moments, unit = moments.astype("datetime64[s]"), "s"
    known = ~np.isnat(moments)
    ticks = np.where(known, moments.astype(np.int64), 0)
    stamps = Stamps.count(ticks, known, _TICKS[unit])
    return Stamps(stamps.seconds, stamps.nanos, known, None if zone is None else str(zone))


def _objects(cells: list[Any]) -> Source:
    """Python's own values: all numbers, or all text, numbers and dates, or nothing that can be used."""
    known = [cell for cell in cells if not _nothing(cell)]
    if all(isinstance(cell, Real | Decimal | np.bool_) for cell in known):
        return np.array([np.nan if _nothing(cell) else float(cell) for cell in cells], dtype=np.float64)
    if all(isinstance(cell, str | date | Real | Decimal) for cell in known):
        return Cells.of(["" if _nothing(cell) else cell.isoformat() if isinstance(cell, date) else str(cell) for cell in cells])
    if any(isinstance(cell, complex | np.complexfloating) for cell in known):
        return Odd("complex numbers")
    return Odd("nested values or other objects")


def _nothing(cell: Any) -> bool:
    """Whether it is one of the many words for a value that is missing."""
    if isinstance(cell, float | Decimal):
        return math.isnan(cell)
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")
