"""Some rows of a table: those in which a column has the value that was asked for."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, compress

import numpy as np
from numpy.typing import NDArray

from kernelscribe.data.grid import CellGrid, Cells, Source, Spans
from kernelscribe.data.notes import Note
from kernelscribe.data.numbers import TRUTH
from kernelscribe.data.phrases import listed, quoted
from kernelscribe.data.reading import EVERY, RowFilter
from kernelscribe.data.stamps import Stamps
from kernelscribe.errors import DataError

__all__ = ["chosen"]


def chosen(grid: CellGrid, where: RowFilter, used: Sequence[str] = ()) -> CellGrid:
    """The rows in which every column named has its value, without these columns, which say nothing more.

    Args:
        used: the columns that are to be used, and so cannot choose.
    """
    for name, value in where:
        if name not in grid.names:
            raise DataError(f"{grid.origin} has no column {name!r}; it has {listed(grid.names, 20)}")
        if value != EVERY and name in used:
            raise DataError(f"{name!r} cannot choose the rows and be used beside: in the rows chosen it never changes")
        grid = _together(grid, name) if value == EVERY else _only(grid, name, value)
    return grid


def _together(grid: CellGrid, name: str) -> CellGrid:
    return replace(grid, notes=(*grid.notes, Note("rows_joined", {"column": name})))


def _only(grid: CellGrid, name: str, value: str) -> CellGrid:
    at = grid.names.index(name)
    kept = _equal(grid, at, value)
    if not kept.any():
        raise DataError(
            f"{grid.origin} has no row in which {name} is {quoted(value)}; it has {listed(_values(grid.columns[at]))}"
        )
    rest = [d for d in range(len(grid.names)) if d != at]
    told = {"column": name, "value": value, "rows": int(kept.sum()), "every": len(kept)}
    return replace(
        grid,
        names=tuple(grid.names[d] for d in rest),
        columns=tuple(_rows(grid.columns[d], kept) for d in rest),
        lines=grid.lines[kept],
        unnamed=grid.unnamed - {name},
        notes=(*grid.notes, Note("rows_chosen", told)),
    )


def _equal(grid: CellGrid, at: int, value: str) -> NDArray[np.bool_]:
    source = grid.columns[at]
    match source:
        case Cells():
            return np.array([cell.strip() == value for chunk in source for cell in chunk], dtype=bool)
        case np.ndarray():
            return np.asarray(source == _number(value))
    raise DataError(f"{grid.origin}: column {grid.names[at]} holds neither words nor numbers, and cannot choose rows")


def _number(value: str) -> float:
    try:
        return TRUTH[value.lower()] if value.lower() in TRUTH else float(value)
    except ValueError:
        return float("nan")


def _values(source: Source) -> list[str]:
    """What a column of words or numbers holds, each once."""
    if isinstance(source, Cells):
        return list(dict.fromkeys(cell.strip() for chunk in source for cell in chunk))
    return [f"{each:.10g}" for each in np.unique(np.asarray(source))]


def _rows(source: Source, kept: NDArray[np.bool_]) -> Source:
    match source:
        case Cells():
            return Cells.of(list(compress(chain.from_iterable(source), kept)))
        case Stamps():
            return source.rows(kept)
        case Spans(days):
            return Spans(days[kept])
        case np.ndarray():
            return source[kept]
    return source
