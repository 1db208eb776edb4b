"""Which columns are meant: the target, the time, the inputs. What is not told is guessed, and every guess is told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelscribe.data.columns import Column, understand
from kernelscribe.data.grid import CellGrid
from kernelscribe.data.notes import Note, listed
from kernelscribe.data.number_times import DateFormat, monotone, says_time
from kernelscribe.data.row_filter import EVERY, RowFilter, pairs
from kernelscribe.errors import DataError

__all__ = ["ColumnChoice", "Wish", "choose"]

Columns = dict[str, Column]


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user says of the columns; None where nothing is said."""

    target: str | None = None
    time: str | None = None
    inputs: tuple[str, ...] | None = None
    date_format: str | None = None
    where: RowFilter = ()

    @classmethod
    def of(
        cls,
        target: str | None,
        time: str | None,
        inputs: Sequence[str] | None,
        date_format: str | None,
        where: Mapping[str, Any] | None = None,
    ) -> "Wish":
        if isinstance(inputs, str):
            raise DataError(f"inputs must be a list of names, got the text {inputs!r}: write [{inputs!r}]")
        return cls(target, time, None if inputs is None else tuple(inputs), date_format, pairs(where))

    @property
    def used(self) -> tuple[str, ...]:
        """The columns that are named to be used."""
        return tuple(name for name in (self.target, self.time, *(self.inputs or ())) if name is not None)

    @property
    def together(self) -> bool:
        """Whether rows of several series are to be taken for one."""
        return any(value == EVERY for _, value in self.where)

    @property
    def needed(self) -> frozenset[str] | None:
        """The columns that suffice, where it is known."""
        if self.target is None or (self.time is None and self.inputs is None):
            return None
        return frozenset({*self.used, *(name for name, _ in self.where)})


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """The columns that are used; `series` says that the first input is the time."""

    target: Column
    inputs: tuple[Column, ...]
    series: bool
    notes: tuple[Note, ...]


def choose(grid: CellGrid, wish: Wish) -> ColumnChoice:
    """The columns that the user means."""
    _check(grid, wish)
    format, needed = DateFormat.of(wish.date_format), wish.needed
    columns = {
        name: understand(grid, index, format, told=name == wish.time, target=name == wish.target)
        for index, name in enumerate(grid.names)
        if needed is None or name in needed
    }
    if wish.date_format is not None and not any(column.formatted for column in columns.values()):
        broken = next((column for column in columns.values() if column.kind == "broken" and column.dated), None)
        if broken is None:
            raise DataError(f"{grid.origin} has no column of dates by the date format {wish.date_format!r}")
        raise _useless(grid, broken, "correct it, or the date format")
    if len(grid.names) == 1:
        return _counted(grid, _target(grid, columns, wish, None))
    time = _time(grid, columns, wish)
    target = _target(grid, columns, wish, time)
    inputs = _inputs(grid, columns, wish, time, target)
    told = [note for column in (*inputs, target) for note in column.notes]
    guessed = [] if wish.inputs is not None else _left_out(columns, time, target, inputs)
    if time is not None and wish.time is None:
        guessed.insert(0, Note("guess", f"The column {time.name} was taken for the time; --time names another."))
    if wish.target is None:
        guessed.insert(
            0,
            Note(
                "guess", f"The column {target.name} was taken for the target, as the last one of numbers; --target names another."
            ),
        )
    return ColumnChoice(target, tuple(inputs), time is not None, (*guessed, *told))


def _check(grid: CellGrid, wish: Wish) -> None:
    wanted = wish.inputs or ()
    for name in (wish.target, wish.time, *wanted):
        if name is not None and name not in grid.names:
            raise DataError(f"{grid.origin} has no column {name!r}; it has {listed(grid.names, 20)}")
    for name in wanted:
        if wanted.count(name) > 1:
            raise DataError(f"{name!r} is named as an input more than once")
    if wish.inputs == () and wish.time is None:
        raise DataError("at least one input column is needed: name some with --inputs, or none at all to use every column")
    if wish.target is not None and wish.target in (wish.time, *wanted):
        raise DataError(f"{wish.target!r} cannot be an input and the target: name another target")


def _counted(grid: CellGrid, target: Column) -> ColumnChoice:
    """A single column is a series of which the rows are evenly spaced: a missing value keeps its place."""
    name = "row" if target.name != "row" else "place"
    rows = Column(name, "number", values=np.arange(1.0, len(grid.lines) + 1), unit="rows")
    told = (
        f"There is no column beside {target.name}: its values were taken as evenly spaced in time, and their rows counted from 1."
    )
    return ColumnChoice(target, (rows,), True, (Note("guess", told), *target.notes))


def _time(grid: CellGrid, columns: Columns, wish: Wish) -> Column | None:
    """The column of dates; one that its name calls a time, and that runs in order; or None."""
    if wish.time is not None:
        return columns[wish.time]
    if wish.inputs is not None:
        return None
    others = [column for column in columns.values() if column.name != wish.target]
    dates = [column for column in others if column.kind == "date"]
    if dates:
        return next((column for column in dates if says_time(column.name)), dates[0])
    for column in others:
        # A date that cannot be read must not pass in silence, or something else would be taken for the time.
        if column.kind == "broken" and column.dated and (says_time(column.name) or column.name == grid.names[0]):
            raise _useless(grid, column, "correct it, or name the time with --time")
    named = [column for column in others if column.kind == "number" and says_time(column.name, counts=True)]
    return next((column for column in named if column.values is not None and monotone(column.values)), None)


def _target(grid: CellGrid, columns: Columns, wish: Wish, time: Column | None) -> Column:
    if wish.target is not None:
        target = columns[wish.target]
        if target.kind != "number":
            raise _useless(grid, target, "the target must be numbers")
        return target
    numbers = [column for column in columns.values() if column.kind in ("number", "odd", "broken") and not column.dated]
    numbers = [column for column in numbers if column is not time]
    if not numbers:
        raise DataError(f"{grid.origin} has no column of numbers that could be the target")
    target = numbers[-1]
    if target.name in (wish.inputs or ()):
        raise DataError(f"{target.name!r} cannot be an input and the target: name another target")
    if target.kind != "number":
        raise _useless(grid, target, "correct it, or name another target with --target")
    return target


def _inputs(grid: CellGrid, columns: Columns, wish: Wish, time: Column | None, target: Column) -> list[Column]:
    if wish.inputs is not None or time is not None:
        names = [name for name in wish.inputs or () if time is None or name != time.name]
        found = [*([time] if time is not None else []), *(columns[name] for name in names)]
    else:
        found = [column for column in columns.values() if column is not target and column.kind not in ("text", "empty")]
        found = [column for column in found if not column.dated] or found
        found = [column for column in found if not _counter(grid, column)] or found
    for column in found:
        if not column.usable:
            raise _useless(grid, column, "correct it, or name the inputs to use with --inputs")
    if not found:
        raise DataError(f"{grid.origin} has no column of numbers or dates beside {target.name}: at least one input is needed")
    return found


def _counter(grid: CellGrid, column: Column) -> bool:
    """Whether it is the nameless count of rows that some programs write first."""
    if column.name not in grid.unnamed or column.name != grid.names[0] or column.values is None or column.values[0] not in (0, 1):
        return False
    # A file without any names has no such column.
    return len(grid.unnamed) < len(grid.names) and bool((np.diff(column.values) == 1).all())


def _useless(grid: CellGrid, column: Column, remedy: str) -> DataError:
    match column.kind:
        case "empty":
            return DataError(f"{grid.origin}: column {column.name} has no numbers")
        case "date":
            return DataError(f"{grid.origin}: column {column.name} holds dates: {remedy}")
    return DataError(f"{column.fault}: {column.remedy or remedy}", column.question)


def _left_out(columns: Columns, time: Column | None, target: Column, inputs: list[Column]) -> list[Note]:
    return list(_passed_over([column for column in columns.values() if column is not target and column not in inputs], time))


def _passed_over(rest: list[Column], time: Column | None) -> Iterator[Note]:
    numbers = [column.name for column in rest if column.usable]
    if numbers and time is not None:
        them = f"{listed(numbers)} {'was' if len(numbers) == 1 else 'were'} left out; --inputs names columns to use beside it"
        yield Note("guess", f"The data were taken for a time series with {time.name} as its only input: {them}.")
    elif numbers:
        yield Note("guess", f"The column {listed(numbers)} only counts the rows and was left out.")
    for kinds, holds in ((("text",), "text"), (("empty",), "no values"), (("broken", "odd"), "cells that cannot be read")):
        names = [column.name for column in rest if column.kind in kinds]
        one = len(names) == 1
        if names:
            verbs = ("Column", "holds", "was") if one else ("Columns", "hold", "were")
            yield Note("repair", f"{verbs[0]} {listed(names)} {verbs[1]} {holds} and {verbs[2]} left out.")
