"""Arrays, lists, series and frames, as Python brings them, as numbers on axes.

Dates become days, whatever holds them: they are never taken for the counts by which a computer keeps them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from numbers import Real
from typing import Any

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.alignment import days, placed
from kernelscribe.data.axis import Axis
from kernelscribe.data.columns import Column, understand
from kernelscribe.data.frame_columns import columns
from kernelscribe.data.grid import CellGrid, Cells, Source, Spans, length, named
from kernelscribe.data.notes import Note
from kernelscribe.data.number_times import DateFormat
from kernelscribe.data.stamps import DAY, EARLIEST, EPOCH, LATEST, Stamps
from kernelscribe.errors import DataError
from kernelscribe.faces import Advice

__all__ = ["Inputs", "dates", "inputs", "numbers", "points", "within"]

# Where neither a cell nor an option says what to do.
_ONLY = Advice("X must hold numbers or dates only")
# Functions that take arrays have no option of dates.
_INSTEAD = Advice("turn them into dates first, as pandas.to_datetime does with its argument format")


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """Numbers [N, D], NaN where missing, what they mean, and what was done to get them."""

    numbers: Array
    axes: tuple[Axis, ...]
    notes: tuple[Note, ...] = ()


def inputs(values: Any, names: Sequence[str] | None) -> Inputs:
    """What a target is explained by; columns without a name are called x1, x2 and so on."""
    sources = _columns(values)
    own = [name or f"x{d + 1}" for d, (name, _) in enumerate(sources)]
    called = tuple(names) if names is not None else named(own)[0]
    if len(called) != len(sources):
        raise DataError(f"{len(sources)} input columns need as many names, got {len(called)}")
    if not sources:
        raise DataError("at least one input column is needed")
    found = [_input(name, source) for name, (_, source) in zip(called, sources, strict=True)]
    notes = tuple(note for *_, notes in found for note in notes)
    return Inputs(np.column_stack([numbers for numbers, *_ in found]), tuple(axis for _, axis, _ in found), notes)


def numbers(values: Any) -> Array:
    """A target, [N] or of whatever shape its array has; it may hold no dates."""
    plain = _plain(values)
    if plain is not None:
        return plain
    try:
        (each,) = columns(values)
    except ValueError:
        raise DataError("y must hold numbers only, one for each row") from None
    column = _understood("y", each[1], "y")
    if column.kind == "date":
        raise DataError("y holds dates: the target must be numbers")
    if column.kind not in ("number", "empty"):
        raise DataError(column.fault, Advice("y must hold numbers only"))
    return np.full(length(each[1]), np.nan) if column.values is None else column.values


def points(values: Any, axes: Sequence[Axis]) -> Array:
    """Where to predict, [n, D], on the axes of a model: dates where it has dates, or days from its origin."""
    sources = _columns([values] if isinstance(values, str | date | Real | np.generic) else values)
    if len(sources) != len(axes):
        raise DataError(f"the model has {len(axes)} input{'s' * (len(axes) > 1)}, got {len(sources)} columns")
    return np.column_stack([_point(source, axis) for (_, source), axis in zip(sources, axes, strict=True)])


def within(points: Array, axes: Sequence[Axis]) -> None:
    """Refuse days that lead out of the calendar, as numbers do that are no days."""
    for axis, column in zip(axes, points.T, strict=True):
        if axis.origin is None:
            continue
        start = (datetime.fromisoformat(axis.origin) - EPOCH).total_seconds()
        out = ~((column * DAY >= EARLIEST - start) & (column * DAY <= LATEST - start))
        if out.any():
            far = f"{column[out][0]:.10g} days from {axis.origin[:10]} lead out of the calendar"
            raise DataError(f"{axis.name}: {far}: give dates, as in '2024-01-31', or days from that date")


def dates(values: Any) -> list[str]:
    """The names of the columns that hold dates or durations; none where these are no columns at all."""
    try:
        sources = _columns(values)
    except (ValueError, TypeError):
        return []
    return [name or f"x{d + 1}" for d, (name, source) in enumerate(sources) if _timely(source)]


def _timely(source: Source) -> bool:
    if isinstance(source, Cells):
        return _understood("", source, "").kind == "date"
    return isinstance(source, Stamps | Spans)


def _plain(values: Any) -> Array | None:
    """An array or lists of nothing but numbers, as an array; None for everything else."""
    if not isinstance(values, np.ndarray | list | tuple):
        return None
    try:
        array = np.asarray(values)
    except ValueError:
        raise DataError("every row must have the same number of values, all of them numbers or dates") from None
    return array.astype(np.float64) if array.dtype.kind in "fiub" else None


def _columns(values: Any) -> Sequence[tuple[str | None, Source]]:
    plain = _plain(values)
    return columns(values if plain is None else plain)


def _understood(name: str, source: Source, origin: str) -> Column:
    """Numbers stay what they are: an array has no names that would say more. Text may be dates without marks."""
    table = CellGrid(origin, (name,), (source,), np.arange(1, length(source) + 1), decimal=None)
    return understand(table, 0, DateFormat(), target=not isinstance(source, Cells))


def _input(name: str, source: Source) -> tuple[Array, Axis, tuple[Note, ...]]:
    column = _understood(name, source, "X")
    if column.kind == "empty":
        raise DataError(f"X has no values in column {name}")
    if not column.usable:
        raise DataError(column.fault, _without_options(column.advice) or _ONLY, column.question)
    if column.stamps is None:
        assert column.values is not None  # noqa: S101  (a column of numbers has them)
        return column.values, Axis(name, column.unit), column.notes
    _, origin = column.stamps.rows(column.stamps.known).days()
    axis = Axis(name, "days", origin)
    return days(column, axis), axis, column.notes


def _without_options(advice: Advice | None) -> Advice | None:
    return _INSTEAD if advice is not None and "date_format" in advice.options else advice


def _point(source: Source, axis: Axis) -> Array:
    """A column on its axis; numbers are already there."""
    match source:
        case np.ndarray():
            return source.astype(np.float64)
        case Spans(spans):
            return spans
    table = CellGrid("X", (axis.name,), (source,), np.arange(1, length(source) + 1), decimal=None)
    try:
        return placed(table, [axis], DateFormat())[:, 0]
    except DataError as error:
        error.advice = _without_options(error.advice)
        raise
