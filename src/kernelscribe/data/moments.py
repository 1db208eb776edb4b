"""The arithmetic of the calendar on many cells at once: their parts as integers, put together to seconds."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelscribe.data.date_forms import MONTHS
from kernelscribe.data.stamps import DAY, EARLIEST, LATEST, Ints, civil, month_length

__all__ = ["ParsedMoments", "moments"]

# The code from which digits are counted.
_ZERO = ord("0")
# Digits of a fraction of a second that are kept.
_FINEST = 9
# By the POSIX rule, two digits from here on belong to the twentieth century.
_CENTURY = 69

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ParsedMoments:
    """Seconds from 1970, in UTC where an offset was given; `good` is False where the calendar has no such moment.

    Attributes:
        leaps: how many seconds called 60 were taken as 59.
        zoned: whether offsets from UTC were given.
    """

    seconds: Ints
    nanos: Ints
    good: Flags
    leaps: int
    zoned: bool


def moments(cells: list[str], match: re.Match[str]) -> ParsedMoments:
    """Cells of one shape, of which the first one matches a form of dates."""
    parts = _Parts(cells, match)
    days, good = _date(parts)
    hour, fine = _hour(parts)
    minute, second = parts.number("M", 0), parts.number("S", 0)
    leap = second == 60  # noqa: PLR2004
    good = good & fine & (minute < 60) & (second <= 60)  # noqa: PLR2004
    # 24:00 is the end of the day; no later minute has that hour.
    good &= (hour < 24) | ((hour == 24) & (minute == 0) & (second == 0))  # noqa: PLR2004
    offset, fits = _offset(parts)
    seconds = days * DAY + (hour * 60 + minute - offset) * 60 + np.where(leap, 59, second)
    good &= fits & (seconds >= EARLIEST) & (seconds <= LATEST)
    return ParsedMoments(seconds, parts.fraction(), good, int((leap & good).sum()), parts.word("z") != "")


class _Parts:
    """The parts of cells as integers, cut from a matrix of their characters where the first cell has them."""

    def __init__(self, cells: list[str], match: re.Match[str]) -> None:
        joined = "".join(cells)
        codes = np.frombuffer(joined.encode("ascii"), np.uint8) if joined.isascii() else np.array([ord(each) for each in joined])
        self.codes = codes.reshape(len(cells), -1)
        self.match = match

    def has(self, name: str) -> bool:
        return self.match.re.groupindex.get(name) is not None and self.match[name] is not None

    def word(self, name: str) -> str:
        """A part that has no digits, and so is the same in all cells."""
        return self.match[name].lower() if self.has(name) else ""

    def number(self, name: str, otherwise: int) -> Ints:
        if not self.has(name):
            return np.full(len(self.codes), otherwise, np.int64)
        start, end = self.match.span(name)
        return self._digits(start, end)

    def fraction(self) -> Ints:
        """Nanoseconds; what is finer is cut off."""
        if not self.has("f"):
            return np.zeros(len(self.codes), np.int64)
        start, end = self.match.span("f")
        end = min(end, start + _FINEST)
        return self._digits(start, end) * int(10 ** (_FINEST - (end - start)))

    def _digits(self, start: int, end: int) -> Ints:
        digits = self.codes[:, start:end].astype(np.int64) - _ZERO
        return np.asarray(digits @ 10 ** np.arange(end - start - 1, -1, -1), dtype=np.int64)


def _date(parts: _Parts) -> tuple[Ints, Flags]:
    """Days from 1970, and whether there is such a day."""
    if parts.has("y"):
        short = parts.number("y", 0)
        year = short + np.where(short < _CENTURY, 2000, 1900)
    else:
        year = parts.number("Y", 0)
    good = year >= 1
    year = np.maximum(year, 1)
    if parts.has("j"):
        day = parts.number("j", 1)
        one = np.ones_like(year)
        days = civil(year, one, one) + day - 1
        return days, good & (day >= 1) & (days < civil(year + 1, one, one))
    if parts.has("w"):
        week, weekday = parts.number("w", 1), parts.number("u", 1)
        days = _week_one(year) + (week - 1) * 7 + weekday - 1
        return days, good & (week >= 1) & (weekday >= 1) & (weekday <= 7) & (days < _week_one(year + 1))  # noqa: PLR2004
    if parts.has("q"):
        month = parts.number("q", 1) * 3 - 2
    elif parts.has("b"):
        month = np.full(len(year), MONTHS.index(parts.word("b")[:3]) + 1)
    else:
        month = parts.number("m", 1)
    good &= (month >= 1) & (month <= 12)  # noqa: PLR2004
    month = np.clip(month, 1, 12)
    day = parts.number("d", 1)
    return civil(year, month, day), good & (day >= 1) & (day <= month_length(year, month))


def _week_one(year: Ints) -> Ints:
    """The Monday of the ISO year's first week, which holds the 4th of January."""
    fourth = civil(year, np.full_like(year, 1), np.full_like(year, 4))
    return fourth - (fourth + 3) % 7


def _hour(parts: _Parts) -> tuple[Ints, Flags]:
    twelve = parts.word("p") or parts.has("I")
    hour = parts.number("I" if parts.has("I") else "H", 0)
    if not twelve:
        return hour, np.ones(len(hour), dtype=bool)
    return hour % 12 + (12 if parts.word("p").startswith("p") else 0), (hour >= 1) & (hour <= 12)  # noqa: PLR2004


def _offset(parts: _Parts) -> tuple[Ints, Flags]:
    """Minutes ahead of UTC."""
    hours, minutes = parts.number("h", 0), parts.number("n", 0)
    sign = -1 if parts.word("s") == "-" else 1
    return sign * (hours * 60 + minutes), (hours < 24) & (minutes < 60)  # noqa: PLR2004
