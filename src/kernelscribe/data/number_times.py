"""Columns of numbers that stand for times: years, dates without marks, counts of seconds, serial days of spreadsheets.

Nothing in such a number says so. A column is taken for a time only where its name says it, where the user says it, where
it comes first and runs on without a break in the order of time, or where every number is a date of these times written as
20200131, which no other numbers come near; and every such guess is told.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.data.date_forms import DMY, MDY, DateForm, written
from kernelscribe.data.stamps import DAY, EARLIEST, LATEST, TICKS, Ints, Stamps, civil, month_length
from kernelscribe.errors import DataError

__all__ = ["DateFormat", "NumberTimes", "monotone", "says_time", "says_year", "stray", "times"]

# Words of a name that say that its numbers are years.
_YEAR = frozenset({"year", "years", "yr", "yrs", "yyyy", "decyear", "decimalyear"})
# Those that say that they are moments.
_CLOCK = frozenset(
    {"time", "times", "date", "dates", "datetime", "timestamp", "timestamps", "ds", "ts", "epoch", "unix", "unixtime"}
)
# Those that say only what is counted.
_COUNT = frozenset({"month", "months", "week", "weeks", "day", "days", "hour", "hours", "quarter", "quarters"})
# Numbers that may be years.
_YEARS = (1000.0, 2300.0)
# Seconds from 1970 that a count may have: from 1973 to 2286.
_ANY = (1e8, 1e10)
# The same in a first column whose name says nothing: from 1990 to 2100.
_LIKELY = (631152000.0, 4102444800.0)
# From here on floats leave out whole numbers.
_EXACT = 2.0**53
# The day zero of spreadsheets, in days from 1970.
_SERIAL = -25569
# The day that is 29 February 1900 in spreadsheets, though there was none.
_FALSE_LEAP = 60
# The share of numbers that are no dates, up to which the others are believed.
_FEW = 0.1
# The first and the last date of eight digits.
_EIGHT = (10000101.0, 99991231.0)


@dataclass(frozen=True, slots=True)
class DateFormat:
    """What the option `date_format` says: a form, the order of day and month, or the meaning of numbers; else nothing."""

    form: DateForm | None = None
    order: DateForm | None = None
    number: str | None = None

    @classmethod
    def of(cls, text: str | None) -> "DateFormat":
        match text:
            case None:
                return cls()
            case "dmy" | "mdy":
                return cls(order=DMY if text == "dmy" else MDY)
            case "excel" | "number" | "s" | "ms" | "us" | "ns":
                return cls(number=text)
        if "%" not in text:
            known = "dmy, mdy, s, ms, us, ns, excel, number"
            raise DataError(f"the date format {text!r} is not known: give a pattern such as %d/%m/%Y, or one of {known}")
        return cls(form=written(text))


@dataclass(frozen=True, slots=True)
class NumberTimes:
    """What the numbers of a column were taken for; stamps, or None where they stay numbers of that unit.

    Attributes:
        meaning: "years", "decimal_years", "months" (as 202001), "dates" (as 20200131), "excel", or a unit of counts from 1970 on.
    """

    meaning: str
    stamps: Stamps | None = None
    unit: str = ""


def _tokens(name: str) -> frozenset[str]:
    """The words of a name: decimal_year, SaleDate and "Date (UTC)" have some."""
    return frozenset(word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name))


def says_year(name: str) -> bool:
    return bool(_tokens(name) & _YEAR) or name.lower().replace("_", "") in _YEAR


def says_time(name: str, *, counts: bool = False) -> bool:
    """Whether a name speaks of time; with `counts`, also those that say only what is counted, as "month" does."""
    return name.lower() in ("t", *_CLOCK) or bool(_tokens(name) & (_CLOCK | _YEAR | (_COUNT if counts else frozenset())))


def monotone(values: Array) -> bool:
    """Whether numbers run strictly up or strictly down, those that are missing aside."""
    with np.errstate(over="ignore"):
        steps = np.diff(values[np.isfinite(values)])
    return bool(steps.size) and (bool((steps > 0).all()) or bool((steps < 0).all()))


def times(
    name: str, values: Array, exact: Callable[[], Ints | None], format: DateFormat, *, told: bool, first: bool
) -> NumberTimes | None:
    """The time that a column of numbers stands for, or None.

    Args:
        exact: gives the numbers as integers, where floats would lose digits.
        told: the user calls it the time.
        first: it is the first column.
    """
    known = values[np.isfinite(values)]
    if not known.size or format.number == "number":
        return None
    named = told or says_time(name)
    in_order = first and monotone(values)
    if format.number is not None:
        return _forced(values, exact, format.number) if named or first else None
    if _between(known, _YEARS):
        whole = bool((known == np.floor(known)).all())
        meaning = "years" if whole else "decimal_years"
        return (
            NumberTimes(meaning, unit="years")
            if says_year(name) or (says_time(name) and not whole and name.lower() != "t")
            else None
        )
    window = _ANY if named else _LIKELY
    return _compact(values, window) or (_epoch(values, known, exact, window) if named or in_order else None)


def _between(known: Array, ends: tuple[float, float]) -> bool:
    return bool(known.min() >= ends[0]) and bool(known.max() <= ends[1])


def stray(values: Array) -> int | None:
    """The row of the first number that is no date, where nearly all others are dates such as 20200131."""
    known = np.isfinite(values)
    good = _dates(np.where(known, values, 0.0))[1] & known
    few = 0 < int((known & ~good).sum()) <= _FEW * int(known.sum())
    return int(np.argmax(known & ~good)) if few else None


def _dates(numbers: Array, ends: tuple[int, int] = (1900, 2100)) -> tuple[Ints, NDArray[np.bool_]]:
    """Days from 1970 of numbers such as 20200131, and which of them are dates of these years."""
    likely = (numbers >= _EIGHT[0]) & (numbers <= _EIGHT[1]) & (numbers == np.floor(numbers))
    whole = np.where(likely, numbers, 0.0).astype(np.int64)
    year, month, day = whole // 10000, whole // 100 % 100, whole % 100
    good = (year >= ends[0]) & (year <= ends[1]) & (month >= 1) & (month <= 12) & (day >= 1)  # noqa: PLR2004
    year, month, day = (np.where(good, part, usual) for part, usual in ((year, 2000), (month, 1), (day, 1)))
    return civil(year, month, day), good & (day <= month_length(year, month))


def _compact(values: Array, window: tuple[float, float]) -> NumberTimes | None:
    """20200131; and 202001 where the name speaks of time."""
    known = np.isfinite(values)
    numbers = np.where(known, values, 20000101.0)
    # Numbers at the end of floats are no months, and would have none a hundred times as large.
    monthly = bool(((numbers[known] > 0) & (numbers[known] <= 999912)).all())  # noqa: PLR2004
    if monthly:
        numbers = np.where(known, numbers * 100 + 1, 20000101.0)
    ends = (1800, 2200) if monthly else (1000, 2300) if window is _ANY else (1900, 2100)
    days, good = _dates(numbers, ends)
    if not good.all() or (monthly and window is not _ANY):
        return None
    return NumberTimes("months" if monthly else "dates", Stamps(days * DAY, None, known))


def _epoch(values: Array, known: Array, exact: Callable[[], Ints | None], window: tuple[float, float]) -> NumberTimes | None:
    for unit, second in TICKS.items():
        if _between(known / second, window):
            return _forced(values, exact, unit)
    return None


def _forced(values: Array, exact: Callable[[], Ints | None], number: str) -> NumberTimes | None:
    known = np.isfinite(values)
    second, numbers = TICKS.get(number, 1), values
    if number == "excel":
        with np.errstate(over="ignore"):
            numbers = (values + _SERIAL + (values < _FALSE_LEAP)) * DAY
    if not _between(numbers[known] / second, (EARLIEST, LATEST)):
        return None
    whole = None
    if number != "excel" and (numbers[known] == np.floor(numbers[known])).all():
        whole = exact() if np.abs(numbers[known]).max() >= _EXACT else np.where(known, numbers, 0.0).astype(np.int64)
    if whole is None:
        return NumberTimes(number, Stamps.measure(np.where(known, numbers, np.nan), second))
    return NumberTimes(number, Stamps.count(whole, known, second))
