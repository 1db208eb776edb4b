"""What a column holds: numbers, dates, text, nothing, or something that is none of these."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.date_forms import DateForm
from kernelscribe.data.dates import DateColumn, form_of, read_dates
from kernelscribe.data.grid import MISSING, BadCell, CellGrid, Cells, OtherValues, Spans
from kernelscribe.data.notes import Note
from kernelscribe.data.number_times import DateFormat, says_time, stray, times
from kernelscribe.data.numbers import NumberColumn, numeric, read_numbers
from kernelscribe.data.phrases import quoted
from kernelscribe.data.stamps import Ints, Stamps
from kernelscribe.errors import Question
from kernelscribe.faces import Advice, Remedy

__all__ = ["Column", "understand"]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column that is understood.

    Attributes:
        kind: "number", "date" and "text"; "empty" where no cell has a value; "broken" where most cells are numbers or dates and
            one is not, or where two readings fit; "odd" for everything else.
        values: of a column of numbers, NaN where missing.
        stamps: of a column of dates.
        unit: "years" where the numbers are years.
        fault: what is wrong with which cell, in words, for the kinds that cannot be used.
        advice: what to do about it, where there is more to say than to correct it.
        question: whose answer would make it usable, where there is one.
        dated: whether a broken column holds dates.
        formatted: whether the date format was used on it.
        notes: what was guessed or repaired, told where the column is used.
    """

    name: str
    kind: Literal["number", "date", "text", "empty", "broken", "odd"]
    values: Array | None = None
    stamps: Stamps | None = None
    unit: str = ""
    fault: str = ""
    advice: Advice | None = None
    question: Question | None = None
    dated: bool = False
    formatted: bool = False
    notes: tuple[Note, ...] = field(default=())

    @property
    def usable(self) -> bool:
        return self.kind in ("number", "date")

    @property
    def refusal(self) -> str:
        """What is wrong with it, where it was asked for in a table."""
        return f"{self.fault}, which cannot be used" if self.kind == "odd" else self.fault


@dataclass(frozen=True, slots=True)
class _ColumnContext:
    """Where a column stands, and what is known of it."""

    name: str
    grid: CellGrid
    format: DateFormat
    told: bool
    first: bool

    def fault(self, cells: Cells, bad: BadCell) -> str:
        line = self.grid.lines[bad.index]
        cell = quoted(cells.cell(bad.index).strip())
        return f"{self.grid.origin}, {self.grid.row_word} {line}, column {self.name}: {cell} {bad.why}"


def understand(grid: CellGrid, index: int, format: DateFormat, *, told: bool = False, target: bool = False) -> Column:
    """The column of that index.

    Args:
        told: the user calls it the time.
        target: the user calls it the target, which is never a time.
    """
    source, name = grid.columns[index], grid.names[index]
    context = _ColumnContext(
        name, grid, DateFormat(number="number") if target else format, told, index == 0 and len(grid.names) > 1
    )
    match source:
        case OtherValues(what):
            return Column(name, "odd", fault=f"{grid.origin}: column {name} holds {what}")
        case Stamps():
            return _stamped(context, source)
        case Spans(days):
            return Column(name, "number" if np.isfinite(days).any() else "empty", values=days, unit="days")
        case Cells():
            return _text(context, source)
    return _typed(context, source)


def _stamped(context: _ColumnContext, stamps: Stamps) -> Column:
    if not stamps.known.any():
        return Column(context.name, "empty")
    if not stamps.within[stamps.known].all():
        fault = f"{context.grid.origin}: column {context.name} has dates outside the years 1 to 9999"
        return Column(context.name, "broken", fault=fault, dated=True)
    told = Note("zone_converted", {"column": context.name, "zone": stamps.zone})
    return Column(context.name, "date", stamps=stamps, notes=() if stamps.zone in (None, "UTC") else (told,))


def _typed(context: _ColumnContext, source: Array | Ints) -> Column:
    values = source.astype(np.float64)
    if np.isnan(values).all():
        return Column(context.name, "empty")
    if context.format.form is not None and (values[np.isfinite(values)] == np.floor(values[np.isfinite(values)])).all():
        dated = _formatted(context, Cells.of([str(int(each)) if np.isfinite(each) else "" for each in source]))
        if dated is not None:
            return dated
    return _number(context, values, lambda: source.astype(np.int64) if source.dtype == np.int64 else None, ())


def _text(context: _ColumnContext, cells: Cells) -> Column:
    sample = cells.sample()
    if not sample:
        return Column(context.name, "empty")
    dated = _formatted(context, cells)
    if dated is not None:
        return dated
    numbers = read_numbers(cells, context.grid.decimal)
    if isinstance(numbers, NumberColumn):
        return _number(context, numbers.values, lambda: _whole(cells), _as_text(context, cells, numbers))
    form = form_of(sample, context.format.order)
    if form is not None:
        return _dated(context, cells, form)
    if isinstance(numbers, BadCell):
        return Column(context.name, "broken", fault=context.fault(cells, numbers), advice=numbers.advice)
    return Column(
        context.name, "text", fault=f"{context.grid.origin}: column {context.name} holds text, such as {quoted(sample[0])}"
    )


def _as_text(context: _ColumnContext, cells: Cells, numbers: NumberColumn) -> tuple[Note, ...]:
    """An example of what numbers that are not plain were read as."""
    if numbers.example is None:
        return ()
    if numbers.example.lower() in ("true", "false"):
        return (Note("truth_as_numbers", {"column": context.name}),)
    row = next(i for i, cell in enumerate(cell.strip() for chunk in cells for cell in chunk) if cell == numbers.example)
    value = float(numbers.values[row])
    return (Note("numbers_rewritten", {"column": context.name, "example": numbers.example, "value": value}),)


def _whole(cells: Cells) -> Ints | None:
    try:
        return np.array(
            [0 if cell.strip().lower() in MISSING else int(cell) for chunk in cells for cell in chunk], dtype=np.int64
        )
    except (ValueError, OverflowError):
        return None


def _number(context: _ColumnContext, values: Array, exact: Callable[[], Ints | None], notes: tuple[Note, ...]) -> Column:
    name, format = context.name, context.format
    serial = times(name, values, exact, format, told=context.told, first=context.first)
    if serial is None:
        if context.told and format.number not in (None, "number"):
            fault = f"{context.grid.origin}: column {name} leads out of the calendar by the date format {format.number}"
            return Column(name, "broken", fault=fault, dated=True)
        row = stray(values) if format.number is None and (context.told or says_time(name)) else None
        if row is not None:
            fault = f"{context.grid.origin}, {context.grid.row_word} {context.grid.lines[row]}, column {name}: {values[row]:.10g}"
            advice = Advice("correct it, or give {format} if these are no dates", {"format": Remedy("date_format", "number")})
            return Column(name, "broken", fault=f"{fault} is not a date, as the others are", advice=advice, dated=True)
        return Column(name, "number", values=values, notes=notes, formatted=format.number == "number")
    if format.number is None:
        notes = (*notes, Note("numbers_as_times", {"column": name, "meaning": serial.meaning}, "date_format"))
    kind: Literal["number", "date"] = "number" if serial.stamps is None else "date"
    return Column(
        name, kind, values=values if kind == "number" else None, stamps=serial.stamps, unit=serial.unit, notes=notes,
        formatted=format.number is not None,
    )  # fmt: skip


def _formatted(context: _ColumnContext, cells: Cells) -> Column | None:
    """A column that the user's form of dates fits: most cells of a text, or those of a time where they could be numbers."""
    form, sample = context.format.form, cells.sample()
    if form is None or not sample:
        return None
    fits = sum(form.pattern.fullmatch(cell) is not None for cell in sample)
    likely = context.told or context.first or says_time(context.name) or not numeric(sample[0])
    if context.told or (likely and 2 * fits >= len(sample)):
        return _dated(context, cells, form)
    return None


def _dated(context: _ColumnContext, cells: Cells, form: DateForm) -> Column:
    name, order = context.name, context.format.order
    found = read_dates(cells, form, order)
    if isinstance(found, BadCell):
        fault = context.fault(cells, found)
        return Column(name, "broken", fault=fault, advice=found.advice, question=found.question, dated=True)
    formatted = form is context.format.form or (order is not None and form is order)
    return Column(name, "date", stamps=found.stamps, notes=tuple(_told(name, found, formatted)), formatted=formatted)


def _told(name: str, found: DateColumn, formatted: bool) -> Iterator[Note]:
    if not found.form.plain and not formatted:
        yield Note("date_order_guessed", {"column": name, "order": found.form.name}, "date_format")
    if found.zoned:
        yield Note("offsets_converted", {"column": name})
    if found.leaps:
        yield Note("leap_seconds", {"column": name, "cells": found.leaps})
