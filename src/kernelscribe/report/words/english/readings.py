"""Numbers as they stand in tables: as fine as what they are held against, so that neighbours can be told apart."""

import math

import numpy as np

from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.model.future import stamps
from kernelscribe.report.words.english.numbers import number
from kernelscribe.report.words.english.quantities import place

__all__ = ["chance", "nats", "portion", "reading", "spot", "times"]

# As many as a double has.
_MOST_DIGITS = 15
# In nats: beyond it nobody asks how many times.
_MILLION = math.log(1e6)


def reading(value: float, size: float, figures: int = 2) -> str:
    """A value with as many decimals as show a difference of that size to so many figures.

    >>> reading(371.0214, 0.63), reading(101325.0, 3.0), reading(0.000123, 0.00005)
    ('371.02', '101,325.0', '0.000123')
    """
    if not math.isfinite(value) or not math.isfinite(size) or size <= 0:
        return number(value)
    decimals = figures - 1 - math.floor(math.log10(size))
    largest = max(abs(value), size)
    if decimals > 6 or largest >= 1e9 or math.log10(largest) + decimals > _MOST_DIGITS:  # noqa: PLR2004
        return number(value, 4)
    shown = f"{round(abs(value), decimals):,.{max(decimals, 0)}f}"
    return f"−{shown}" if value < 0 and float(shown.replace(",", "")) else shown


def spot(axis: Axis, value: float, span: float) -> str:
    """A place in a table of places that are spread over that span: a date, or a number fine enough to tell them apart."""
    if axis.dated:
        return str(stamps(np.array([value]), axis)[0])
    if axis.unit == "years":
        return place(axis, value, min(span, 5.0) if span * DAYS_A_YEAR > 1 else span)
    return reading(value, span / 100)


def portion(share: float) -> str:
    """A share of one in per cent, in a table of shares: near nothing and near all with so many decimals as show that it is not.

    >>> portion(0.1234), portion(0.99983), portion(0.00012), portion(-0.00001), portion(1.0)
    ('12.3 %', '99.98 %', '0.01 %', '0.0 %', '100.0 %')
    """
    if not math.isfinite(share):
        return "–"
    room = min(abs(share), abs(1 - share))
    decimals = 1 if room >= 0.001 or room < 1e-7 else -math.floor(math.log10(100 * room))  # noqa: PLR2004
    if -0.0005 < share < 0:  # noqa: PLR2004
        return "0.0 %"
    return f"{'−' if share < 0 else ''}{abs(100 * share):.{decimals}f} %"


def chance(p: float) -> str:
    """A p-value: three decimals, and never nought."""
    if not math.isfinite(p):
        return "–"
    return "<0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004


def nats(value: float) -> str:
    """A score or a difference of scores, to two decimals.

    >>> nats(1234.567), nats(-0.001)
    ('1,234.57', '0.00')
    """
    if not math.isfinite(value):
        return "unknown"
    shown = f"{abs(value):,.2f}"
    return f"−{shown}" if value < 0 and shown != "0.00" else shown


def times(gap: float) -> str:
    """How many times more probable a lead of at least so many nats makes something.

    >>> times(0.2), times(5.0), times(40.0)
    ('at least 1.2 times', 'at least 150 times', 'more than a million times')
    """
    return "more than a million times" if gap > _MILLION else f"at least {number(math.exp(gap), 2)} times"
