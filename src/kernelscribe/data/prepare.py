"""From a grid of cells to a checked `Dataset`: choose the columns, take out what cannot be used, tell what was found."""

from dataclasses import replace

import numpy as np

from kernelscribe.data.checks import notices
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.grid import Grid
from kernelscribe.data.guess import Wish, choose
from kernelscribe.data.repairs import complete, varying, winsorised
from kernelscribe.errors import DataError

__all__ = ["prepare"]


def prepare(grid: Grid, wish: Wish, *, winsorise: bool = False) -> Dataset:
    """The checked data."""
    if not len(grid.lines):
        raise DataError(f"{grid.origin} has no rows of numbers")
    origin = grid.origin
    raw = varying(complete(grid, choose(grid, wish)), origin)
    # Ten million rows of text are not needed twice.
    del grid
    if winsorise:
        raw = winsorised(raw)
    data = Dataset.of(np.column_stack(raw.columns), raw.y, target=raw.target, axes=raw.axes, notes=raw.notes)
    return replace(data, notes=(*data.notes, *notices(raw, data)))
