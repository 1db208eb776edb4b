"""The points at which a series goes on: its own rhythm continued, by the calendar where it follows the calendar."""

import math
from calendar import monthrange
from datetime import datetime

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis

__all__ = ["future", "rhythm", "stamps"]

# Seconds.
_DAY = 86400
_MONTHS_A_YEAR = 12
# Days; a month that has fewer ends the earlier.
_LONGEST_MONTH = 31
# Of the largest number: what is finer is rounding.
_DIGITS = 12
# A series ends with a tenth of its length again, unless told otherwise.
_SHARE = 0.1


def future(x: Array, axis: Axis, steps: int | None = None) -> Array:
    """The next `steps` points after the last of x, in the user's units; a tenth of the range when not given."""
    places = np.unique(x)
    step = float(np.median(np.diff(places)))
    if steps is None:
        steps = max(1, round(_SHARE * (places[-1] - places[0]) / step))
    months = rhythm(places, axis)
    if months is None:
        return np.asarray(places[-1] + step * np.arange(1, steps + 1))
    zero, dates = axis.date(0.0), [axis.date(float(place)) for place in places]
    day = _day(dates) or dates[-1].day
    later = [_add_months(dates[-1], months * k, day) for k in range(1, steps + 1)]
    return np.array([(date - zero).total_seconds() / _DAY for date in later if date is not None])


def rhythm(places: Array, axis: Axis) -> int | None:
    """How many calendar months lie between neighbours, where that is one number for nearly all of them; else None.

    Days of the month may differ only as the ends of months do.
    """
    if not axis.dated or np.median(np.diff(places)) < 27:  # noqa: PLR2004
        return None
    dates = [axis.date(float(place)) for place in places]
    months = np.diff([date.year * _MONTHS_A_YEAR + date.month for date in dates])
    typical = int(np.median(months))
    same_hour = len({(date.hour, date.minute, date.second) for date in dates}) == 1
    regular = typical >= 1 and np.all(months % typical == 0) and _day(dates) is not None and same_hour
    return typical if regular else None


def _length(year: int, month: int) -> int:
    return monthrange(year, month)[1]


def _day(dates: list[datetime]) -> int | None:
    """The day that dates keep to, in months that have it, and else the last: 31 for the ends of months; None if there is none."""
    ends = all(date.day == _length(date.year, date.month) for date in dates)
    day = _LONGEST_MONTH if ends else max(date.day for date in dates)
    return day if all(date.day == min(day, _length(date.year, date.month)) for date in dates) else None


def _add_months(date: datetime, months: int, day: int) -> datetime | None:
    """That day some months later, or the month's last; None beyond the calendar."""
    year, month = divmod(date.year * _MONTHS_A_YEAR + date.month - 1 + months, _MONTHS_A_YEAR)
    if year > datetime.max.year:
        return None
    return date.replace(year=year, month=month + 1, day=min(day, _length(year, month + 1)))


def stamps(x: Array, axis: Axis) -> list[str] | list[float]:
    """Points as a table shows them: dates in ISO form, to the second where they have one; numbers without the digits that adding
    up steps leaves behind."""
    if not axis.dated:
        largest = float(np.abs(x).max(initial=0.0))
        return [round(float(value), _DIGITS - math.ceil(math.log10(largest))) if value else 0.0 for value in x]
    # All at once: a million dates one by one take longer than a million predictions.
    start = np.datetime64(axis.date(0.0), "s")
    first, last = ((np.datetime64(end, "s") - start).astype(np.int64) for end in (datetime.min, datetime.max))
    dates = start + np.clip(np.rint(x * _DAY), first, last).astype("timedelta64[s]")
    if not (dates.astype(np.int64) % _DAY).any():
        return [str(stamp) for stamp in np.datetime_as_string(dates, unit="D").tolist()]
    return [stamp.replace("T", " ") for stamp in np.datetime_as_string(dates).tolist()]
