"""Numbers as people say them: lengths with the right unit, dates by the span of the data, cycles by their calendar name.

No unit that the axis does not have, and no more figures than the standard error allows. What needs no axis stands in numbers.py.
"""

import math
from datetime import datetime, timedelta

from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.report.description.names import clean
from kernelscribe.report.words.english.names import label
from kernelscribe.report.words.english.numbers import number

__all__ = [
    "MONTHS",
    "about",
    "amount",
    "at",
    "cycle_name",
    "duration",
    "few",
    "moment",
    "near",
    "on_row",
    "pace",
    "place",
    "plus_minus",
    "row",
    "stretch",
]

# No quantity is known so well that more would mean anything to a reader.
_MOST_FIGURES = 4

# Units of time, in days.
_MONTH = DAYS_A_YEAR / 12
_HOUR = 1 / 24
_MINUTE = 1 / 1440
# Of a length in days: the unit's name, its days, and from how many days on it is used.
_UNITS = (
    ("years", DAYS_A_YEAR, 0.75 * DAYS_A_YEAR),
    ("months", _MONTH, 2 * _MONTH),
    ("weeks", 7.0, 21.0),
    ("days", 1.0, 2.0),
    ("hours", _HOUR, 2 * _HOUR),
    ("minutes", _MINUTE, 2 * _MINUTE),
    ("seconds", _MINUTE / 60, 0.0),
)
_CYCLES = (
    ("yearly", DAYS_A_YEAR),
    ("half-yearly", DAYS_A_YEAR / 2),
    ("quarterly", DAYS_A_YEAR / 4),
    ("monthly", _MONTH),
    ("weekly", 7.0),
    ("daily", 1.0),
    ("half-daily", 0.5),
    ("hourly", _HOUR),
)
# A calendar name is true within one per cent: the tide's 12.42 hours are not half a day, nor the moon's 29.5 days a month.
_TRUE = 0.01
# It is also true within the standard error, where that is not so wide as to fit anything.
_WIDEST = 0.025
# Of a slope: the unit of time, its days, and from which span in days on it is used.
_RATES = (("year", DAYS_A_YEAR, 2 * DAYS_A_YEAR), ("day", 1.0, 2.0), ("hour", _HOUR, 2 * _HOUR), ("second", _MINUTE / 60, 0.0))
# A stretch of time that everybody has a feeling for, and its days.
_STRETCHES = (
    ("a year", DAYS_A_YEAR),
    ("a month", _MONTH),
    ("a day", 1.0),
    ("an hour", _HOUR),
    ("a minute", _MINUTE),
    ("a second", _MINUTE / 60),
)
# So many of them must fit into the data.
_SEVERAL = 4
MONTHS = "January February March April May June July August September October November December".split()
# "A few" are so many,
_FEWEST = 1.5
# and fewer than that.
_MOST = 7.0
# Rows so many days apart, or more, are years, months, days: a February is shorter than a month.
_YEARS_APART = 350.0
_MONTHS_APART = 27.0
_DAYS_APART = 0.9
# Years in decimals are rounded: the first of February is the end of January by a twelfth of a year.
_SLACK = timedelta(days=1)
# Numbers of years between these are years of our calendar.
_CALENDAR = (1000.0, 3000.0)


def amount(axis: Axis, value: float, spread: float | None = None) -> str:
    """A length with its unit, where the axis has one, and its standard error, where that is known."""
    if not axis.temporal:
        return f"{plus_minus(value, spread)} {clean(axis.unit)}".rstrip()
    days = abs(axis.days(value))
    unit, size = next(((name, size) for name, size, least in _UNITS if days >= least), ("years", DAYS_A_YEAR))
    return f"{plus_minus(days / size, None if spread is None else axis.days(spread) / size)} {unit}"


def duration(axis: Axis, value: float, spread: float | None = None) -> str:
    """A length along the axis that says on its own what is meant: with a unit or, where there is none, with the axis' name.

    >>> duration(Axis("t", "days"), 4534.0), duration(Axis("t", "years"), 1.0, 0.002), duration(Axis("water"), 3.2)
    ('12.4 years', '1.000 ± 0.002 years', '3.2 in water')
    """
    return amount(axis, value, spread) + ("" if clean(axis.unit) else f" in {label(axis.name)}")


def about(axis: Axis, value: float, spread: float | None = None) -> str:
    """The same, with "about" where no standard error says how exact it is."""
    text = duration(axis, value, spread)
    return text if "±" in text or text.startswith("very roughly") else f"about {text}"


def plus_minus(value: float, spread: float | None) -> str:
    """A number with its standard error, to as many figures as that allows.

    >>> plus_minus(40.123, 2.6), plus_minus(0.5, 3.0), plus_minus(2.0, None)
    ('40 ± 3', 'very roughly 0.500', '2.0')
    """
    if spread is None or not math.isfinite(spread) or spread <= 0 or not math.isfinite(value) or value == 0:
        return _plain(value)
    if spread > abs(value):
        return f"very roughly {_plain(value)}"
    figures = 1 + _power(value) - _power(float(f"{spread:.0e}"))
    if figures > _MOST_FIGURES:  # the standard error lies below the last figure that is shown
        return number(value, _MOST_FIGURES)
    return f"{number(value, max(figures, 2))} ± {number(spread, 1)}"


def near(value: float, spread: float) -> str:
    """A number without its standard error, to as many figures as that allows: two at least, three at most.

    >>> near(40.123, 2.6), near(40.123, 0.01), near(0.0488, 0.05)
    ('40', '40.1', '0.049')
    """
    if not math.isfinite(spread) or not math.isfinite(value) or value == 0 or spread <= 0:
        return number(value)
    return number(value, min(max(1 + _power(value) - _power(spread), 2), 3))


def few(axis: Axis, length: float) -> str:
    """A length in passing: a few months.

    >>> few(Axis("t", "days"), 100.0), few(Axis("t", "days"), 4534.0), few(Axis("depth", "m"), 3.2)
    ('a few months', 'about 12.4 years', 'about 3.2 m')
    """
    if not axis.temporal:
        return about(axis, length)
    days = abs(axis.days(length))
    unit, size = next(((name, size) for name, size, least in _UNITS if days >= least), ("years", DAYS_A_YEAR))
    return f"a few {unit}" if _FEWEST <= days / size < _MOST else about(axis, length)


def _power(value: float) -> int:
    return math.floor(math.log10(abs(value)))


def _plain(value: float) -> str:
    """Lengths without a standard error: two decimals from 0.75 to two, one up to a hundred, else three figures."""
    size = abs(value)
    if 0.75 <= size < 100:  # noqa: PLR2004
        return f"{'−' if value < 0 else ''}{size:.{2 if size < 2 else 1}f}"  # noqa: PLR2004
    return number(value)


def place(axis: Axis, value: float, span: float) -> str:
    """A point on the axis, told as coarsely as the span of the data asks for.

    >>> [place(Axis("t", "years"), 1958.2, span) for span in (40, 10, 1)]
    ['1958', 'March 1958', '15 March 1958']
    """
    when = moment(axis, value)
    if when is not None:
        return _moment_text(when, axis.days(span))
    if not math.isfinite(value):
        return "an unknown place"
    if axis.temporal:
        return f"{axis.unit.removesuffix('s')} {number(value)}"
    digits = number(value, _MOST_FIGURES if abs(value) > abs(span) else 3)
    return f"{label(axis.name)} = {digits} {clean(axis.unit)}".rstrip()


def at(axis: Axis, value: float, span: float) -> str:
    """The place with the preposition that it takes: in 1958, on 5 March 1958, at depth = 3.2."""
    where = place(axis, value, span)
    when, days = moment(axis, value), axis.days(span)
    if when is not None:
        return f"{'in' if days > 2 * DAYS_A_YEAR else 'on' if days > 2 * _MONTH else 'at'} {where}"
    return f"{'on' if axis.unit == 'days' else 'in' if axis.temporal else 'at'} {where}"


def moment(axis: Axis, value: float) -> datetime | None:
    """The date of a number, if the axis has dates or decimal years of our calendar."""
    if not math.isfinite(value):
        return None
    if axis.dated:
        return axis.date(value)
    if axis.unit != "years" or not _CALENDAR[0] <= value < _CALENDAR[1]:
        return None
    year = math.floor(value)
    start, end = datetime(year, 1, 1), datetime(year + 1, 1, 1)
    return start + timedelta(seconds=math.floor((value - year) * (end - start).total_seconds()))


def row(axis: Axis, value: float, step: float) -> str:
    """A row of the data, as finely as rows lie apart.

    >>> [row(Axis("date", "days", "2021-05-01T00:00:00"), 2.0, step) for step in (365.0, 30.4, 1.0, 1 / 24)]
    ['2021', 'May 2021', '3 May 2021', '00:00 on 3 May 2021']
    """
    when = moment(axis, value)
    if when is None:
        return place(axis, value, 0.0)
    apart = axis.days(step)
    if apart >= _YEARS_APART:
        return str(when.year)
    if apart >= _MONTHS_APART:
        return _month(when if axis.dated else when + _SLACK)
    day = f"{when.day} {_month(when)}"
    return day if apart >= _DAYS_APART else f"{when.hour:02}:{when.minute:02} on {day}"


def on_row(axis: Axis, value: float, step: float) -> str:
    """The same with the preposition that it takes."""
    where = row(axis, value, step)
    if moment(axis, value) is None:
        return f"{'on' if axis.unit == 'days' else 'in' if axis.temporal else 'at'} {where}"
    return f"{'in' if axis.days(step) >= _MONTHS_APART else 'on' if axis.days(step) >= _DAYS_APART else 'at'} {where}"


def _month(when: datetime) -> str:
    return f"{MONTHS[when.month - 1]} {when.year}"


def _moment_text(moment: datetime, days: float) -> str:
    if days > 20 * DAYS_A_YEAR:
        return str(moment.year)
    month = _month(moment)
    if days > 2 * DAYS_A_YEAR:
        return month
    day = f"{moment.day} {month}"
    if days > 2 * _MONTH:
        return day
    seconds = f":{moment.second:02}" if days < 2 * _HOUR else ""
    return f"{moment.hour:02}:{moment.minute:02}{seconds} on {day}"


def cycle_name(axis: Axis, period: float, spread: float | None = None) -> str | None:
    """The calendar's word for a period, where it is true.

    >>> cycle_name(Axis("t", "days"), 365.0), cycle_name(Axis("t", "days"), 12.42 / 24), cycle_name(Axis("t"), 365.0)
    ('yearly', None, None)
    """
    if not axis.temporal:
        return None
    days = axis.days(period)
    error = 0.0 if spread is None or not math.isfinite(spread) else axis.days(spread)
    for name, size in _CYCLES:
        if abs(days - size) <= max(_TRUE * size, min(error, _WIDEST * size)):
            return name
    return None


def pace(axis: Axis, span: float) -> tuple[str, float]:
    """What a slope is told by: its words, and its length along the axis."""
    if not axis.temporal:
        return f"per unit of {label(axis.name)}", 1.0
    days = abs(axis.days(span))
    unit, size = next(((unit, size) for unit, size, least in _RATES if days > least), ("second", _MINUTE / 60))
    return f"{'an' if unit == 'hour' else 'a'} {unit}", size / axis.days(1.0)


def stretch(axis: Axis, span: float) -> tuple[str, float]:
    """A stretch to tell a change over, of which there are several in the data: its words, and its length along the axis.

    >>> stretch(Axis("t", "days"), 20000.0), stretch(Axis("depth", "m"), 90.0)
    (('within a year', 365.2425), ('over 10.0 m', 10.0))
    """
    if axis.temporal:
        for name, days in _STRETCHES:
            if abs(axis.days(span)) >= _SEVERAL * days:
                return f"within {name}", days / axis.days(1.0)
    length = 10.0 ** math.floor(math.log10(span / _SEVERAL))
    return f"over {duration(axis, length)}", length
