"""From a grid of cells to a checked `Dataset`: choose rows and columns, take out what cannot be used, tell what was found."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kernelscribe.data.column_choice import choose
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.grid import CellGrid
from kernelscribe.data.notices import notices
from kernelscribe.data.reading import Reading
from kernelscribe.data.repairs import UsedRows, complete, varying
from kernelscribe.data.row_filter import chosen
from kernelscribe.data.stacked_series import refuse_stack, repeated
from kernelscribe.errors import DataError

__all__ = ["prepare"]


def prepare(grid: CellGrid, reading: Reading, whole: Callable[[], CellGrid | None] | None = None) -> Dataset:
    """The checked data.

    Args:
        whole: gives the same table with all its columns, or None where it cannot; for a grid that has only those needed.
    """
    if not len(grid.lines):
        raise DataError(f"{grid.origin} has no rows of numbers")
    raw = _raw(grid, reading, whole)
    # Ten million rows of text are not needed twice.
    del grid
    data = Dataset.of(np.column_stack(raw.columns), raw.y, target=raw.target, axes=raw.axes, notes=raw.notes)
    return replace(data, notes=(*data.notes, *notices(raw, data)))


def _raw(grid: CellGrid, reading: Reading, whole: Callable[[], CellGrid | None] | None) -> UsedRows:
    table = chosen(grid, reading.where, reading.used)
    choice = choose(table, reading)
    if not reading.together and repeated(choice):
        every = grid if whole is None else whole()
        if every is not None:
            refuse_stack(choice, chosen(every, reading.where))
    return varying(complete(table, choice), grid.origin)
