"""Points at which a model is to predict: the columns of a file or frame, by their names, on the axes of the model."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from kernelscribe.data import frame as frames
from kernelscribe.data.axis import Axis
from kernelscribe.data.columns import Column, understand
from kernelscribe.data.formats import check_path
from kernelscribe.data.grid import Grid
from kernelscribe.data.serial import Format
from kernelscribe.data.stamps import DAY
from kernelscribe.data.table import grid, readable
from kernelscribe.errors import DataError
from kernelscribe.kernels.base import Array

__all__ = ["frame_points", "read_points"]

_EPOCH = datetime(1970, 1, 1)


def read_points(
    path: Path, axes: Sequence[Axis], *, date_format: str | None = None, encoding: str | None = None, memory: float = 2000.0
) -> Array:
    """The input columns of a file as points [n, D] on the axes; other columns are not looked at."""
    check_path(path)
    with readable(str(path)):
        found = grid(path, frozenset(axis.name for axis in axes), encoding, memory)
    return _points(found, axes, Format.of(date_format))


def frame_points(frame: Any, axes: Sequence[Axis], *, date_format: str | None = None) -> Array:
    """The same for a frame of pandas, polars or pyarrow."""
    return _points(frames.grid(frame, "the frame"), axes, Format.of(date_format))


def _points(found: Grid, axes: Sequence[Axis], format: Format) -> Array:
    if not len(found.lines):
        raise DataError(f"{found.origin} has no rows")
    return np.column_stack([_place(found, axis, format) for axis in axes])


def _place(found: Grid, axis: Axis, format: Format) -> Array:
    """One column as numbers on its axis."""
    if axis.name not in found.names:
        raise DataError(f"{found.origin} has no column {axis.name!r}, which the model needs; it has {', '.join(found.names)}")
    # As the model knows it: a time is told, and what is no time is never taken for one.
    column = understand(found, found.names.index(axis.name), format, told=axis.temporal, target=not axis.temporal)
    if not column.usable:
        raise DataError(column.fault or f"{found.origin}: column {axis.name} is empty")
    if axis.dated != (column.stamps is not None):
        kinds = ("numbers", "dates")
        raise DataError(
            f"{found.origin}: column {axis.name} holds {kinds[column.stamps is not None]}, the model needs {kinds[axis.dated]}"
        )
    values = _days(column, axis) if axis.dated else column.values
    assert values is not None  # noqa: S101  (a column of numbers has them)
    missing = np.flatnonzero(~np.isfinite(values))
    if missing.size:
        raise DataError(f"{found.origin}, {found.place} {found.lines[missing[0]]}: column {axis.name} has no value")
    return values


def _days(column: Column, axis: Axis) -> Array:
    """Days from the axis's origin: whole seconds first, so that no digits are lost."""
    stamps = column.stamps
    assert stamps is not None and axis.origin is not None  # noqa: S101
    apart = datetime.fromisoformat(axis.origin) - _EPOCH
    days = (stamps.seconds - (apart.days * DAY + apart.seconds)) / DAY
    parts = -apart.microseconds * 1000 + (0 if stamps.nanos is None else stamps.nanos)
    return np.where(stamps.known, days + parts / (DAY * 1e9), np.nan)
