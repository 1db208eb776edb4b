"""Moments as whole seconds and nanoseconds: integers hold every year from 1 to 9999, which datetime64[ns] does not.

The calendar is the Gregorian one throughout, as ISO 8601 has it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array

__all__ = ["DAY", "EARLIEST", "EPOCH", "LATEST", "TICKS", "Ints", "Stamps", "civil", "month_length"]

# Seconds of a day.
DAY = 86400
# The moment from which seconds are counted.
EPOCH = datetime(1970, 1, 1)
# Ticks to a second, of every unit in which computers count them.
TICKS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
# Days of the months of a year without a leap day, from 1 on.
_LENGTHS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
# The first second of the year 1, from 1970.
EARLIEST = int((datetime.min - EPOCH).total_seconds())
# The last second of the year 9999.
LATEST = EARLIEST + 3652059 * DAY - 1

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Stamps:
    """A column of moments.

    Attributes:
        seconds: from 1970 on.
        nanos: what is left of the second; None where nothing is.
        known: False where the cell is missing.
        zone: the time zone from which they were converted to UTC, where there was one.
    """

    seconds: Ints
    nanos: Ints | None
    known: NDArray[np.bool_]
    zone: str | None = None

    def __len__(self) -> int:
        return len(self.seconds)

    @classmethod
    def join(cls, parts: Sequence["Stamps"]) -> "Stamps":
        nanos = None
        if any(part.nanos is not None for part in parts):
            nanos = np.concatenate([np.zeros(len(part), np.int64) if part.nanos is None else part.nanos for part in parts])
        return cls(np.concatenate([part.seconds for part in parts]), nanos, np.concatenate([part.known for part in parts]))

    @classmethod
    def count(cls, numbers: Ints, known: NDArray[np.bool_], second: int) -> "Stamps":
        """From whole numbers of ticks since 1970, so many to a second."""
        seconds, rest = np.divmod(numbers, second)
        nanos = rest * (TICKS["ns"] // second)
        return cls(seconds, nanos if nanos.any() else None, known)

    @classmethod
    def measure(cls, numbers: Array, second: float) -> "Stamps":
        """From floats, NaN where missing: ticks since 1970, so many to a second; to the microsecond, finer is rounding."""
        known = np.isfinite(numbers)
        seconds = np.where(known, numbers, 0.0) / second
        micros = np.round((seconds - np.floor(seconds)) * 1e6).astype(np.int64)
        return cls.count(np.floor(seconds).astype(np.int64) * 10**6 + micros, known, 10**6)

    @property
    def within(self) -> NDArray[np.bool_]:
        """Where the calendar's years 1 to 9999 hold it."""
        return (self.seconds >= EARLIEST) & (self.seconds <= LATEST)

    def rows(self, chosen: NDArray[np.bool_]) -> "Stamps":
        return Stamps(self.seconds[chosen], None if self.nanos is None else self.nanos[chosen], self.known[chosen])

    def days(self) -> tuple[Array, str]:
        """Days from the earliest stamp, and that stamp, to the microsecond. All must be known."""
        first = int(self.seconds.min())
        days = (self.seconds - first) / DAY
        if self.nanos is None:
            return days, (EPOCH + timedelta(seconds=first)).isoformat()
        start = int(self.nanos[self.seconds == first].min()) // 1000
        origin = EPOCH + timedelta(seconds=first, microseconds=start)
        return days + (self.nanos - start * 1000) / (DAY * 1e9), origin.isoformat()


def civil(year: Ints, month: Ints, day: Ints) -> Ints:
    """Days from 1970-01-01 to a date, in integers: a year that begins in March ends with its leap day."""
    late = month <= 2  # noqa: PLR2004
    year = year - late
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + np.where(late, 9, -3)) + 2) // 5 + day - 1
    return np.asarray(era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468, dtype=np.int64)


def month_length(year: Ints, month: Ints) -> Ints:
    """Days of a month from 1 to 12."""
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    return np.asarray(_LENGTHS[month] + ((month == 2) & leap), dtype=np.int64)  # noqa: PLR2004
