"""Points at which a model is to predict: the columns of a file or frame, by their names, on the axes of the model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kernelscribe.arrays import Array
from kernelscribe.data.alignment import placed
from kernelscribe.data.axis import Axis
from kernelscribe.data.formats.refused import check_path
from kernelscribe.data.frame_columns import frame_grid
from kernelscribe.data.number_times import DateFormat
from kernelscribe.data.reader import MEMORY, file_grid, readable

__all__ = ["frame_points", "read_points"]


def read_points(
    path: Path, axes: Sequence[Axis], *, date_format: str | None = None, encoding: str | None = None, memory: float = MEMORY
) -> Array:
    """The input columns of a file as points [n, D] on the axes; other columns are not looked at."""
    check_path(path)
    with readable(str(path)):
        found = file_grid(path, frozenset(axis.name for axis in axes), encoding, memory)
    return placed(found, axes, DateFormat.of(date_format))


def frame_points(frame: Any, axes: Sequence[Axis], *, date_format: str | None = None) -> Array:
    """The same for a frame of pandas, polars or pyarrow."""
    return placed(frame_grid(frame, "the frame"), axes, DateFormat.of(date_format))
