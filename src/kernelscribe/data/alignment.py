"""Columns on the axes of a model: dates become days from its own origin."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.data.columns import Column, understand
from kernelscribe.data.grid import CellGrid
from kernelscribe.data.number_times import DateFormat
from kernelscribe.data.stamps import DAY, EPOCH
from kernelscribe.errors import DataError

__all__ = ["days", "placed"]


def placed(found: CellGrid, axes: Sequence[Axis], format: DateFormat) -> Array:
    """The columns of these names as points [n, D]."""
    if not len(found.lines):
        raise DataError(f"{found.origin} has no rows")
    return np.column_stack([_place(found, axis, format) for axis in axes])


def _place(found: CellGrid, axis: Axis, format: DateFormat) -> Array:
    """One column as numbers on its axis."""
    if axis.name not in found.names:
        raise DataError(f"{found.origin} has no column {axis.name!r}, which the model needs; it has {', '.join(found.names)}")
    # As the model knows it: a time is told, and what is no time is never taken for one.
    column = understand(found, found.names.index(axis.name), format, told=axis.temporal, target=not axis.temporal)
    if not column.usable:
        raise DataError(column.refusal or f"{found.origin}: column {axis.name} is empty", column.advice, column.question)
    if axis.dated != (column.stamps is not None):
        kinds = ("numbers", "dates")
        raise DataError(
            f"{found.origin}: column {axis.name} holds {kinds[column.stamps is not None]}, the model needs {kinds[axis.dated]}"
        )
    values = days(column, axis) if axis.dated else column.values
    assert values is not None  # noqa: S101  (a column of numbers has them)
    missing = np.flatnonzero(~np.isfinite(values))
    if missing.size:
        raise DataError(f"{found.origin}, {found.row_word} {found.lines[missing[0]]}: column {axis.name} has no value")
    return values


def days(column: Column, axis: Axis) -> Array:
    """Days from the axis's origin, NaN where missing: whole seconds first, so that no digits are lost."""
    stamps = column.stamps
    assert stamps is not None and axis.origin is not None  # noqa: S101
    origin = datetime.fromisoformat(axis.origin) - EPOCH
    found = (stamps.seconds - (origin.days * DAY + origin.seconds)) / DAY
    nanos = -origin.microseconds * 1000 + (0 if stamps.nanos is None else stamps.nanos)
    return np.where(stamps.known, found + nanos / (DAY * 1e9), np.nan)
