"""Columns of any library: pandas, polars, pyarrow and what else narwhals speaks to, and the arrays and lists of Python itself."""

import math
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.grid import CellGrid, Cells, OtherValues, Source, Spans, named
from kernelscribe.data.stamps import DAY, TICKS, Stamps
from kernelscribe.errors import DataError

__all__ = ["columns", "frame_grid", "label_of"]

# Finer than the finest that is kept.
_FINER = ("ps", "fs", "as")


def frame_grid(frame: Any, origin: str) -> CellGrid:
    """A frame's columns, not yet understood; an index of dates, or one that has a name, is the first of them."""
    series = [*_index(frame), *_columns(frame)]
    names, unnamed = named([name for name, _ in series])
    rows = len(series[0][1]) if series else 0
    sources = tuple(_source(column) for _, column in series)
    return CellGrid(origin, names, sources, np.arange(1, rows + 1), "row", None, unnamed)


def columns(values: Any) -> list[tuple[str | None, Source]]:
    """The columns of a frame, a series, an array or lists, each with its name where it has one. An index is none of them."""
    return _of_array(values) if isinstance(values, np.ndarray) else _of_frame(values)


def _of_frame(values: Any) -> list[tuple[str | None, Source]]:
    """Of whatever narwhals knows; lists are taken for arrays."""
    import narwhals as nw  # noqa: PLC0415

    known = nw.dependencies
    if known.is_pandas_index(values):
        values = values.to_series()
    if known.is_into_series(values):
        return [(label_of(values, "") or None, _source(_series(values)))]
    if known.is_into_dataframe(values):
        return [(str(name), _source(column)) for name, column in _columns(values)]
    return _of_array(np.asarray(values))


def _of_array(table: Any) -> list[tuple[str | None, Source]]:
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2:  # noqa: PLR2004
        raise DataError(f"X must have one or two dimensions, got {table.ndim}")
    return [(None, _array(table[:, d])) for d in range(table.shape[1])]


def label_of(values: Any, otherwise: str = "y") -> str:
    """What a series is called."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else otherwise


def _index(frame: Any) -> Iterator[tuple[Any, Any]]:
    """What the index of a pandas frame holds where it says something: all its levels, or its only one with a name or dates."""
    import narwhals as nw  # noqa: PLC0415

    if not (nw.dependencies.is_pandas_dataframe(frame) or nw.dependencies.is_pandas_series(frame)):
        return
    index = frame.index
    for level in range(index.nlevels):
        values = index.get_level_values(level)
        dated = str(values.dtype).startswith("period") or values.dtype.kind in "mM"
        if values.name is not None or dated or index.nlevels > 1:
            yield ("time" if dated else f"level {level + 1}") if values.name is None else values.name, _series(values.to_series())


def _columns(frame: Any) -> Iterator[tuple[Any, Any]]:
    """Names and narwhals series."""
    import narwhals as nw  # noqa: PLC0415

    if nw.dependencies.is_pandas_series(frame):
        frame = frame.to_frame()
    if nw.dependencies.is_pandas_dataframe(frame):
        # One by one, because names may be alike.
        yield from ((frame.columns[d], _series(frame.iloc[:, d])) for d in range(frame.shape[1]))
        return
    try:
        table = nw.from_native(frame, eager_only=True)
    except Exception as error:
        raise DataError(f"a frame of pandas, polars or pyarrow is needed, got {type(frame).__name__}: {error}") from None
    for name in table.columns:
        yield name, table.get_column(name)


def _series(values: Any) -> Any:
    """A series as narwhals has it; the periods of pandas by their first moments."""
    import narwhals as nw  # noqa: PLC0415

    periods = str(getattr(values, "dtype", "")).startswith("period")
    return nw.from_native(values.dt.to_timestamp() if periods else values, series_only=True)


def _array(column: Any) -> Source:  # noqa: PLR0911
    """A column of NumPy's."""
    match column.dtype.kind:
        case "f" | "i" | "u" | "b":
            return np.asarray(column, dtype=np.float64)
        case "M":
            return _moments(column, None)
        case "m":
            return _spans(column)
        case "O":
            return _objects(column.tolist())
        case "U" | "S":
            return Cells.of(column.astype(str).tolist())
        case "c":
            return OtherValues("complex numbers")
    return OtherValues(f"values of the type {column.dtype}")


def _source(series: Any) -> Source:  # noqa: PLR0911
    import narwhals as nw  # noqa: PLC0415

    dtype = series.dtype
    if dtype in (nw.Datetime, nw.Date):
        return _stamps(series)
    if dtype == nw.Duration:
        return _spans(series.to_numpy())
    if dtype.is_integer() and dtype not in (nw.UInt64, nw.Int128, nw.UInt128) and not series.null_count():
        return np.asarray(series.to_numpy(), dtype=np.int64)
    if dtype.is_numeric() or dtype == nw.Boolean:
        return _floats(series.cast(nw.Float64))
    if dtype in (nw.String, nw.Categorical, nw.Enum, nw.Time):
        return Cells.of(["" if _nothing(cell) else str(cell) for cell in series.to_list()])
    if dtype in (nw.Object, nw.Unknown):
        return _objects(series.to_list())
    return OtherValues("nested values" if dtype.is_nested() else f"values of the type {dtype}")


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
    return _moments(moments, None if zone is None else str(zone))


def _moments(moments: Any, zone: str | None) -> Stamps:
    """NumPy's dates of any unit: years and days as well as nanoseconds."""
    unit = np.datetime_data(moments.dtype)[0]
    unit = unit if unit in TICKS else "ns" if unit in _FINER else "s"
    moments = moments.astype(f"datetime64[{unit}]")
    known = ~np.isnat(moments)
    ticks = np.where(known, moments.astype(np.int64), 0)
    stamps = Stamps.count(ticks, known, TICKS[unit])
    return Stamps(stamps.seconds, stamps.nanos, known, zone)


def _spans(spans: Any) -> Spans:
    if np.datetime_data(spans.dtype)[0] == "generic":
        return Spans(np.full(len(spans), np.nan))
    return Spans(np.where(np.isnat(spans), np.nan, spans / np.timedelta64(1, "us") / (DAY * 1e6)))


def _objects(cells: list[Any]) -> Source:
    """Python's own values: all numbers, or all text, numbers and dates, or nothing that can be used."""
    known = [cell for cell in cells if not _nothing(cell)]
    if all(isinstance(cell, Real | Decimal | np.bool_) for cell in known):
        return np.array([np.nan if _nothing(cell) else float(cell) for cell in cells], dtype=np.float64)
    if all(isinstance(cell, str | date | Real | Decimal) for cell in known):
        return Cells.of(["" if _nothing(cell) else cell.isoformat() if isinstance(cell, date) else str(cell) for cell in cells])
    if any(isinstance(cell, complex | np.complexfloating) for cell in known):
        return OtherValues("complex numbers")
    return OtherValues("nested values or other objects")


def _nothing(cell: Any) -> bool:
    """Whether it is one of the many words for a value that is missing."""
    if isinstance(cell, float | Decimal):
        return math.isnan(cell)
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")
