"""When a cycle is highest and lowest: in May; on Tuesdays; about 17:00. Where the calendar has no word, when it last was."""

from datetime import datetime, timedelta

from kernelscribe.data.axis import Axis
from kernelscribe.report.words.english.numbers import listing
from kernelscribe.report.words.english.quantities import MONTHS, at, cycle_name, moment, on_row

__all__ = ["calendar_phase", "phase"]

_DAYS = "Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays".split()
# How often a year each of these comes round, which its months tell.
_A_YEAR = {"yearly": 1, "half-yearly": 2, "quarterly": 4}
# And how often a day.
_A_DAY = {"daily": 1, "half-daily": 2}
# Rows so many days apart or more tell no hours.
_WHOLE_DAYS = 0.9
# The same for days within a month.
_WHOLE_MONTHS = 27.0
# Years in decimals are rounded: the first of February is the end of January by a twelfth of a year.
_SLACK = timedelta(days=1)


def phase(axis: Axis, period: float, place: float, step: float) -> str:
    """When it is, with a preposition.

    Args:
        step: how far apart the places are at which it was looked at.

    >>> dates = Axis("date", "days", "2021-05-01T00:00:00")
    >>> [phase(dates, period, 3.0, 1.0) for period in (365.2425, 182.62, 7.0, 30.44)]
    ['in May', 'in May and November', 'on Tuesdays', 'about day 4 of the month']
    >>> phase(dates, 1.0, 0.708, 1 / 24), phase(Axis("t", "years"), 10.9, 1989.4, 0.1)
    ('about 17:00', 'in 1989')
    """
    return calendar_phase(axis, period, place, step) or (
        on_row(axis, place, step) if period < 3 * step else at(axis, place, 2 * period)
    )


def calendar_phase(axis: Axis, period: float, place: float, step: float) -> str:
    """The same; nothing where the calendar has no word for it."""
    name, when = cycle_name(axis, period), moment(axis, place)
    if name is None or when is None:
        return ""
    if name in _A_YEAR:
        return f"in {listing(_months(when if axis.dated else when + _SLACK, _A_YEAR[name]))}"
    return _within_a_month(name, when, axis.days(step)) if axis.dated else ""


def _within_a_month(name: str, when: datetime, apart: float) -> str:
    """The same of a cycle of a month or less."""
    if name == "monthly":
        return f"about day {when.day} of the month" if apart < _WHOLE_MONTHS else ""
    if name == "weekly":
        day = f"on {_DAYS[when.weekday()]}"
        return day if apart >= _WHOLE_DAYS else f"{day} about {_hour(when)}"
    if name in _A_DAY:
        hours = 24 // _A_DAY[name]
        return f"about {listing(sorted(_hour(when + timedelta(hours=hours * i)) for i in range(_A_DAY[name])))}"
    return f"{when.minute} minutes past the hour"


def _months(when: datetime, times: int) -> list[str]:
    """Those in which it comes round, in the order of the year."""
    first = (when.month - 1) % (12 // times)
    return [MONTHS[first + i * 12 // times] for i in range(times)]


def _hour(when: datetime) -> str:
    """To the next quarter of an hour: more would say more than is known."""
    near = when + timedelta(minutes=7.5)
    return f"{near.hour:02}:{near.minute // 15 * 15:02}"
