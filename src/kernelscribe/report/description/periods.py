"""One period of a cycle of the calendar: where it is looked at, and how far each place is from the beginning of the period."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.kernels.base import Role
from kernelscribe.report.description.view import View

__all__ = ["Period", "one_period"]

# Periods in days with names for their parts, and the whole days of each.
_CALENDAR = ((DAYS_A_YEAR, 365), (7.0, 7), (1.0, 1))
# A period is one of these within so much of it.
_TRUE = 0.01
# Places at which it is looked at, at most.
_PLACES = 96
# In a day.
_SECONDS = 86400
# The last place of a year that is drawn: a leap year has one day more.
_LAST = 365 - 1 / 24


@dataclass(frozen=True, slots=True)
class Period:
    """Places of the last period in the data, in the order of the calendar.

    Attributes:
        places: along the input.
        since: days since the beginning of a year, a week or a day.
        days: of such a period.
    """

    places: Array
    since: Array
    days: int


def one_period(view: View, i: int) -> Period | None:
    """Of component i; None where it is no cycle of the calendar, or where the dates are not known."""
    subject = view.subjects[i]
    swing, axis = subject.seen.swing if subject.seen is not None else None, view.axis
    cycles = subject.term.of(Role.CYCLE)
    if swing is None or not axis.temporal:
        return None
    length = cycles[0]["period"]
    days = next((days for size, days in _CALENDAR if abs(axis.days(length) - size) <= _TRUE * size), None)
    if days is None or (not axis.dated and days != _CALENDAR[0][1]):
        return None
    number = int(min(max(round(length / swing.step), 2), _PLACES))
    places = view.last - length * np.arange(number)[::-1] / number
    since = np.array([_since(axis, float(each), days) for each in places])
    order = np.argsort(since, kind="stable")
    return Period(places[order], since[order], days)


def _since(axis: Axis, place: float, days: int) -> float:
    if not axis.dated:
        return (place % 1.0) * days
    when = axis.date(place)
    clock = (when - datetime(when.year, when.month, when.day)).total_seconds() / _SECONDS
    match days:
        case 1:
            return clock
        case 7:
            return when.weekday() + clock
    return min(when.timetuple().tm_yday - 1 + clock, _LAST)
