"""Which columns are meant: the target, the time, the inputs. What is not told is guessed, and every guess is told."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelscribe.data.columns import Column, understand
from kernelscribe.data.grid import CellGrid
from kernelscribe.data.notes import Note
from kernelscribe.data.number_times import DateFormat, monotone, says_time
from kernelscribe.data.phrases import listed
from kernelscribe.data.reading import Reading
from kernelscribe.errors import DataError
from kernelscribe.faces import Advice

__all__ = ["ColumnChoice", "choose"]

Columns = dict[str, Column]


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """The columns that are used; `series` says that the first input is the time."""

    target: Column
    inputs: tuple[Column, ...]
    series: bool
    notes: tuple[Note, ...]


def choose(grid: CellGrid, reading: Reading) -> ColumnChoice:
    """The columns that the user means."""
    _check(grid, reading)
    format, needed = DateFormat.of(reading.date_format), reading.needed
    columns = {
        name: understand(grid, index, format, told=name == reading.time, target=name == reading.target)
        for index, name in enumerate(grid.names)
        if needed is None or name in needed
    }
    if reading.date_format is not None and not any(column.formatted for column in columns.values()):
        broken = next((column for column in columns.values() if column.kind == "broken" and column.dated), None)
        if broken is None:
            raise DataError(f"{grid.origin} has no column of dates by the date format {reading.date_format!r}")
        raise _useless(grid, broken, "correct it, or the date format")
    if len(grid.names) == 1:
        return _counted(grid, _target(grid, columns, reading, None))
    time = _time(grid, columns, reading)
    target = _target(grid, columns, reading, time)
    inputs = _inputs(grid, columns, reading, time, target)
    told = [note for column in (*inputs, target) for note in column.notes]
    guessed = [] if reading.inputs is not None else _left_out(columns, time, target, inputs)
    if time is not None and reading.time is None:
        guessed.insert(0, Note("time_guessed", {"column": time.name}, "time"))
    if reading.target is None:
        guessed.insert(0, Note("target_guessed", {"column": target.name}, "target"))
    return ColumnChoice(target, tuple(inputs), time is not None, (*guessed, *told))


def _check(grid: CellGrid, reading: Reading) -> None:
    wanted = reading.inputs or ()
    for name in (reading.target, reading.time, *wanted):
        if name is not None and name not in grid.names:
            raise DataError(f"{grid.origin} has no column {name!r}; it has {listed(grid.names, 20)}")
    for name in wanted:
        if wanted.count(name) > 1:
            raise DataError(f"{name!r} is named as an input more than once")
    if reading.inputs == () and reading.time is None:
        advice = Advice("name some with {inputs}, or none at all to use every column")
        raise DataError("at least one input column is needed", advice)
    if reading.target is not None and reading.target in (reading.time, *wanted):
        raise DataError(f"{reading.target!r} cannot be an input and the target: name another target")


def _counted(grid: CellGrid, target: Column) -> ColumnChoice:
    """A single column is a series of which the rows are evenly spaced: a missing value keeps its place."""
    name = "row" if target.name != "row" else "place"
    rows = Column(name, "number", values=np.arange(1.0, len(grid.lines) + 1), unit="rows")
    return ColumnChoice(target, (rows,), True, (Note("rows_counted", {"target": target.name}), *target.notes))


def _time(grid: CellGrid, columns: Columns, reading: Reading) -> Column | None:
    """The column of dates; one that its name calls a time, and that runs in order; or None."""
    if reading.time is not None:
        return columns[reading.time]
    if reading.inputs is not None:
        return None
    others = [column for column in columns.values() if column.name != reading.target]
    dates = [column for column in others if column.kind == "date"]
    if dates:
        return next((column for column in dates if says_time(column.name)), dates[0])
    for column in others:
        # A date that cannot be read must not pass in silence, or something else would be taken for the time.
        if column.kind == "broken" and column.dated and (says_time(column.name) or column.name == grid.names[0]):
            raise _useless(grid, column, "correct it, or name the time with {time}")
    named = [column for column in others if column.kind == "number" and says_time(column.name, counts=True)]
    return next((column for column in named if column.values is not None and monotone(column.values)), None)


def _target(grid: CellGrid, columns: Columns, reading: Reading, time: Column | None) -> Column:
    if reading.target is not None:
        target = columns[reading.target]
        if target.kind != "number":
            raise _useless(grid, target, "the target must be numbers")
        return target
    numbers = [column for column in columns.values() if column.kind in ("number", "odd", "broken") and not column.dated]
    numbers = [column for column in numbers if column is not time]
    if not numbers:
        raise DataError(f"{grid.origin} has no column of numbers that could be the target")
    target = numbers[-1]
    if target.name in (reading.inputs or ()):
        raise DataError(f"{target.name!r} cannot be an input and the target: name another target")
    if target.kind != "number":
        raise _useless(grid, target, "correct it, or name another target with {target}")
    return target


def _inputs(grid: CellGrid, columns: Columns, reading: Reading, time: Column | None, target: Column) -> list[Column]:
    if reading.inputs is not None or time is not None:
        names = [name for name in reading.inputs or () if time is None or name != time.name]
        found = [*([time] if time is not None else []), *(columns[name] for name in names)]
    else:
        found = [column for column in columns.values() if column is not target and column.kind not in ("text", "empty")]
        found = [column for column in found if not column.dated] or found
        found = [column for column in found if not _counter(grid, column)] or found
    for column in found:
        if not column.usable:
            raise _useless(grid, column, "correct it, or name the inputs to use with {inputs}")
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
            return DataError(f"{grid.origin}: column {column.name} holds dates", Advice(remedy))
    return DataError(column.refusal, column.advice or Advice(remedy), column.question)


def _left_out(columns: Columns, time: Column | None, target: Column, inputs: list[Column]) -> list[Note]:
    return list(_passed_over([column for column in columns.values() if column is not target and column not in inputs], time))


def _passed_over(rest: list[Column], time: Column | None) -> Iterator[Note]:
    numbers = [column.name for column in rest if column.usable]
    if numbers and time is not None:
        yield Note("others_left_out", {"time": time.name, "columns": numbers}, "inputs")
    elif numbers:
        yield Note("counter_left_out", {"columns": numbers})
    for holds, kinds in (("text", ("text",)), ("empty", ("empty",)), ("broken", ("broken", "odd"))):
        names = [column.name for column in rest if column.kind in kinds]
        if names:
            yield Note("useless_left_out", {"columns": names, "holds": holds})
