"""Several series in one table, one above the other: the same times again and again, and a column that says whose they are.

Taken for one series they would pass for noise, so that the user is asked which of them is meant. A column tells series apart if
hardly any two rows of one time have the same value of it, where by chance many would.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelscribe.data.column_choice import ColumnChoice
from kernelscribe.data.columns import Column, understand
from kernelscribe.data.grid import CellGrid, Cells
from kernelscribe.data.number_times import DateFormat, says_time
from kernelscribe.data.phrases import listed, quoted
from kernelscribe.data.reading import EVERY
from kernelscribe.errors import DataError, Question
from kernelscribe.faces import Advice, Remedy

__all__ = ["refuse_stack", "repeated"]

# Pairs of rows of one time with the same value that chance would make, from which it says something that there are none.
_CHANCE = 5.0
# The share of such pairs that may be there all the same, as copies of rows are.
_SLIPS = 0.05
# The share of rows that have their time in common with others, from which this is no accident of a few.
_SHARED = 0.2
# Columns that are looked at together, at most.
_TOGETHER = 3
# Columns that are looked at, at most.
_MOST_KEYS = 6
# Values that a question offers.
_OFFERED = 5000

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Key:
    """A column that may say whose a row is: its values, and by its place there the value of every row."""

    name: str
    values: tuple[str, ...]
    codes: Codes
    number: bool

    @classmethod
    def of(cls, column: Column, cells: Cells | None, rows: NDArray[np.bool_]) -> "_Key":
        if cells is None:
            found, codes = np.unique(np.asarray(column.values)[rows], return_inverse=True)
            return cls(column.name, tuple(f"{each:.10g}" for each in found), codes, True)
        numbers: dict[str, int] = {}
        every = [numbers.setdefault(cell.strip(), len(numbers)) for chunk in cells for cell in chunk]
        return cls(column.name, tuple(numbers), np.array(every, dtype=np.int64)[rows], False)


def repeated(choice: ColumnChoice) -> bool:
    """Whether the only input is a time that many rows share, so that something may tell them apart."""
    if len(choice.inputs) != 1 or not _timely(choice.inputs[0]):
        return False
    counts = np.bincount(_moments(choice)[1])
    return bool(counts.size) and bool(counts[counts > 1].sum() >= _SHARED * counts.sum())


def refuse_stack(choice: ColumnChoice, grid: CellGrid) -> None:
    """Refuse series one above the other in the table, with the question which of them is meant."""
    rows, moments = _moments(choice)
    counts, keys = np.bincount(moments), list(_keys(grid, choice, rows))
    for count in range(1, _TOGETHER + 1):
        for some in combinations(keys, count):
            if _distinguish(moments, some):
                raise _question(grid.origin, choice.inputs[0].name, counts, some)


def _timely(column: Column) -> bool:
    return column.stamps is not None or column.unit == "years" or says_time(column.name, counts=True)


def _moments(choice: ColumnChoice) -> tuple[NDArray[np.bool_], Codes]:
    """The rows that have a time and a target, and their times, each as its number."""
    (time,), target = choice.inputs, np.asarray(choice.target.values)
    if time.stamps is None:
        values = np.asarray(time.values)
        rows = np.isfinite(values) & np.isfinite(target)
        return rows, _numbered(values[rows])
    rows = time.stamps.known & np.isfinite(target)
    stamps = time.stamps.rows(rows)
    seconds = _numbered(stamps.seconds)
    return rows, seconds if stamps.nanos is None else _numbered(seconds * 10**9 + stamps.nanos)


def _numbered(values: NDArray[Any]) -> Codes:
    """Each value as its number in the order of all; those of most series are in order already."""
    if (np.diff(values) > 0).all():
        return np.arange(len(values))
    return np.unique(values, return_inverse=True)[1]


def _keys(grid: CellGrid, choice: ColumnChoice, rows: NDArray[np.bool_]) -> Iterator[_Key]:
    """The columns that are not used and hold words, then those of whole numbers."""
    used = {choice.target.name, choice.inputs[0].name}
    rest = [d for d, name in enumerate(grid.names) if name not in used]
    understood = [(d, understand(grid, d, DateFormat(number="number"))) for d in rest]
    words = [(column, grid.columns[d]) for d, column in understood if column.kind in ("text", "broken")]
    numbers = [column for _, column in understood if column.kind == "number" and _whole(column)]
    for column, source in words[:_MOST_KEYS]:
        if isinstance(source, Cells):
            yield _Key.of(column, source, rows)
    for column in numbers[: _MOST_KEYS - len(words)] if len(words) < _MOST_KEYS else ():
        yield _Key.of(column, None, rows)


def _whole(column: Column) -> bool:
    values = np.asarray(column.values)
    known = values[np.isfinite(values)]
    return bool((known == np.floor(known)).all())


def _distinguish(moments: Codes, keys: Sequence[_Key]) -> bool:
    """Whether rows of one time differ in these columns, far more than by chance."""
    together = np.zeros(len(moments), dtype=np.int64)
    for key in keys:
        together = np.unique(together * len(key.values) + key.codes, return_inverse=True)[1]
    chance = _alike(moments) * _alike(together) / (len(moments) * (len(moments) - 1) / 2)
    return chance >= _CHANCE and _alike(moments * (int(together.max()) + 1) + together) <= _SLIPS * chance


def _alike(codes: Codes) -> float:
    """Pairs of rows with the same code."""
    counts = np.unique(codes, return_counts=True)[1].astype(np.float64)
    return float((counts * (counts - 1) / 2).sum())


def _question(origin: str, time: str, counts: NDArray[np.intp], keys: Sequence[_Key]) -> DataError:
    often = f"{'' if counts.min() == counts.max() else 'up to '}{counts.max():,}"
    names = listed([f"{key.name} ({listed([_shown(value) for value in key.values])})" for key in keys])
    stands = f"each {time} stands {often} times, told apart by {names}"
    beside = ", use {column} as an input beside {clock} with {time} and {inputs}" if keys[0].number else ""
    advice = Advice(
        f"choose one with {{one}}{beside}, or join the rows of each {{clock}} to one; {{all}} takes all rows for one series",
        {
            "one": Remedy("where", tuple((key.name, key.values[0]) for key in keys)),
            "all": Remedy("where", ((keys[0].name, EVERY),)),
            "column": keys[0].name,
            "clock": time,
        },
    )
    question = _which(f"{stands[0].upper()}{stands[1:]}", keys[0])
    return DataError(f"{origin} holds several series, one above the other: {stands}", advice, question)


def _which(stands: str, key: _Key) -> Question:
    offered = [(value, _shown(value)) for value in key.values[:_OFFERED]]
    every = (EVERY, "All of them together, as if they were one series")
    return Question("where", f"{stands}. Which {key.name} is to be analysed?", (*offered, every), key.name)


def _shown(value: str) -> str:
    return quoted(value)[1:-1] or "no value"
