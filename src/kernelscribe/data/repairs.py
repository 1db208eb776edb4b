"""Rows and columns that cannot be used are taken out, and all of it is told."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.data.column_choice import ColumnChoice
from kernelscribe.data.columns import Column
from kernelscribe.data.dataset import FEWEST_ROWS, flat
from kernelscribe.data.grid import CellGrid
from kernelscribe.data.notes import Note
from kernelscribe.data.phrases import SHOWN, listed, share
from kernelscribe.errors import DataError
from kernelscribe.faces import Advice

__all__ = ["ENOUGH", "MOST_INPUTS", "UsedRows", "complete", "counted", "outliers", "varying"]

# Inputs that can be searched.
MOST_INPUTS = 50
# With fewer rows nothing can be told from chance.
ENOUGH = 10
# Robust standard deviations from the median beyond which a value is an outlier.
_FAR = 8.0
# The median absolute deviation of a normal distribution is its standard deviation divided by this.
_NORMAL = 1.4826


@dataclass(frozen=True, slots=True, eq=False)
class UsedRows:
    """The numbers that are used, in the user's units, with no gaps: columns of inputs, target, and where each row stood."""

    axes: tuple[Axis, ...]
    columns: tuple[Array, ...]
    y: Array
    target: str
    lines: NDArray[np.int64]
    row_word: str
    notes: tuple[Note, ...]
    series: bool

    def also(self, *notes: Note) -> "UsedRows":
        return replace(self, notes=(*self.notes, *notes))


@dataclass(frozen=True, slots=True, eq=False)
class _Gaps:
    """Where a column has no number: no value, or an infinite one."""

    column: Column
    absent: NDArray[np.bool_]
    endless: NDArray[np.bool_]

    @classmethod
    def of(cls, column: Column) -> "_Gaps":
        if column.stamps is not None:
            return cls(column, ~column.stamps.known, np.zeros(len(column.stamps), dtype=bool))
        return cls(column, np.isnan(_values(column)), np.isinf(_values(column)))

    @property
    def every(self) -> NDArray[np.bool_]:
        return self.absent | self.endless

    @property
    def count(self) -> int:
        return int(self.every.sum())


def complete(grid: CellGrid, choice: ColumnChoice) -> UsedRows:
    """The rows that have a value in every column that is used; an input that never changes is of no use, and costs no row."""
    target = _Gaps.of(choice.target)
    used = _changing([_Gaps.of(column) for column in choice.inputs], target)
    gaps = [*used, target]
    gone = np.logical_or.reduce([each.absent for each in gaps])
    infinite = np.logical_or.reduce([each.endless for each in gaps]) & ~gone
    kept = ~(gone | infinite)
    _enough(grid, choice, gaps, int(kept.sum()))
    inputs = [_placed(each.column, kept) for each in used]
    y, _ = _placed(choice.target, kept)
    lacking = _left_out(gone, "absent", [each.column.name for each in gaps if each.absent.any()])
    endless = _left_out(infinite, "infinite", [each.column.name for each in gaps if each.endless.any()])
    columns = [each.column for each in used]
    useless = [_useless(column, kept) for column in choice.inputs if column not in columns]
    return UsedRows(
        axes=tuple(axis for _, axis in inputs),
        columns=tuple(values for values, _ in inputs),
        y=y,
        target=choice.target.name,
        lines=grid.lines[kept],
        row_word=grid.row_word,
        notes=(*grid.notes, *choice.notes, *lacking, *endless, *useless),
        series=choice.series and choice.inputs[0] in columns,
    )


def _changing(inputs: list[_Gaps], target: _Gaps) -> list[_Gaps]:
    """Without those that never change, by themselves or in the rows that are left; all of them where none does."""
    used = [each for each in inputs if not _still(each.column, ~each.every)]
    while used:
        kept = ~np.logical_or.reduce([each.every for each in (*used, target)])
        left = [each for each in used if not _still(each.column, kept)]
        if len(left) == len(used):
            return used
        # What is left out gives rows back, in which another input may change.
        used = left
    return inputs


def _still(column: Column, kept: NDArray[np.bool_]) -> bool:
    return bool(kept.any()) and flat(_placed(column, kept)[0])


def _useless(column: Column, kept: NDArray[np.bool_]) -> Note:
    gaps = _Gaps.of(column)
    known = kept & ~gaps.every if (kept & ~gaps.every).any() else ~gaps.every
    values, axis = _placed(column, known)
    at = axis.date(float(values[0])).isoformat(sep=" ") if axis.dated else f"{values[0]:g}"
    return Note("constant_left_out", {"column": column.name, "value": at})


def _enough(grid: CellGrid, choice: ColumnChoice, gaps: Sequence[_Gaps], count: int) -> None:
    """Refuse what is mostly gaps, or has too few rows without one."""
    rows = len(grid.lines)
    for each in gaps:
        if each.count == rows:
            raise DataError(f"{grid.origin}: column {each.column.name} has no numbers")
    if 2 * count < rows:
        worst = max(gaps, key=lambda each: each.count)
        advice = Advice("fill it in" if worst.column is choice.target else "fill it in, or leave it out with {inputs}")
        lacks = f"{worst.column.name} lacks {worst.count:,}"
        raise DataError(f"{grid.origin}: only {share(count, rows)} have a value in every column that is used; {lacks}", advice)
    if count < FEWEST_ROWS:
        raise DataError(f"{grid.origin}: at least {FEWEST_ROWS} rows are needed, got {count}")


def _left_out(rows: NDArray[np.bool_], lacking: str, columns: list[str]) -> list[Note]:
    values = {"rows": int(rows.sum()), "every": len(rows), "lacking": lacking, "columns": columns}
    return [Note("rows_left_out", values)] if rows.any() else []


def _values(column: Column) -> Array:
    if column.values is None:
        raise AssertionError(column.name)
    return column.values


def _placed(column: Column, kept: NDArray[np.bool_]) -> tuple[Array, Axis]:
    """The numbers of a column and what they mean; dates become days from the first one."""
    if column.stamps is None:
        return _values(column)[kept], Axis(column.name, column.unit)
    days, origin = column.stamps.rows(kept).days()
    return days, Axis(column.name, "days", origin)


def varying(raw: UsedRows, origin: str) -> UsedRows:
    """The same, if its inputs change: few enough to search, and with enough different values."""
    count = len(raw.columns)
    if all(flat(column) for column in raw.columns):
        what = f"column {raw.axes[0].name} is" if count == 1 else "all input columns are"
        raise DataError(f"{origin}: {what} constant: there is nothing to explain {raw.target} with")
    advice = Advice("choose some with {inputs}")
    if count > MOST_INPUTS:
        raise DataError(f"{origin} has {count:,} input columns, more than the {MOST_INPUTS} that can be searched", advice)
    if count > len(raw.y):
        raise DataError(f"{origin} has more input columns ({count}) than rows ({len(raw.y)})", advice)
    if _distinct(raw.columns) < FEWEST_ROWS:
        names = listed([axis.name for axis in raw.axes])
        raise DataError(f"{origin}: fewer than {FEWEST_ROWS} different values of {names}: at least {FEWEST_ROWS} are needed")
    return raw


def _distinct(columns: Sequence[Array]) -> int:
    """How many rows differ, or at least that many are enough: no fewer than the values of any one column."""
    most = max(len(np.unique(column)) for column in columns)
    return most if most >= FEWEST_ROWS else len(np.unique(np.column_stack(columns), axis=0))


def outliers(y: Array) -> NDArray[np.bool_]:
    """Values further from the median than any but a broken record would be; none where few, or half of all are equal."""
    with np.errstate(over="ignore", invalid="ignore"):
        offset = np.abs(y - np.median(y))
        spread = float(np.median(offset)) * _NORMAL
        return offset > _FAR * spread if spread > 0 and len(y) >= ENOUGH else np.zeros(len(y), dtype=bool)


def counted(raw: UsedRows, rows: NDArray[np.bool_]) -> dict[str, Any]:
    """Some rows as values of a note: how many, and the first by their numbers in the file or frame."""
    return {"count": int(rows.sum()), "row_word": raw.row_word, "rows": raw.lines[rows][:SHOWN].tolist()}
