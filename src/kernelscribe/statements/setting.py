"""What a statement has to know of the data before it is fitted: how far and how finely they reach, and the calendar's periods."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.scales import Extent

if TYPE_CHECKING:
    from kernelscribe.data.dataset import Dataset

__all__ = ["Setting"]

# Periods of the calendar, in days.
_CALENDAR = (1.0, 7.0, DAYS_A_YEAR / 12, DAYS_A_YEAR)
# A cycle must be seen so many times to be called one,
_SEEN = 2.0
# and sampled so many times in a period, at the closest rows, to be seen.
_SAMPLED = 2.5
# The closest rows: distances of which this share is shorter.
_CLOSE = 0.02
# Distances below this share of the mean one are the same place measured twice.
_SAME = 1e-6


@dataclass(frozen=True)
class Setting:
    """One input, standardised.

    Attributes:
        shortest: the shortest period that the closest rows can tell; the longest is that of which the data hold two.
        calendar: periods of the calendar between the two, shortest first; none where the input is no time.
    """

    extent: Extent
    rows: int
    shortest: float
    calendar: tuple[float, ...]

    @classmethod
    def of(cls, data: "Dataset") -> "Setting":
        extent, close = data.extents[0], _closest(data.X[:, 0])
        shortest, longest = _SAMPLED * close, extent.span / _SEEN
        days = _days_a_unit(data.axes[0]) * data.inputs[0].scale
        calendar = tuple(each / days for each in _CALENDAR if days and shortest <= each / days <= longest)
        return cls(extent, len(data.y), shortest, calendar)

    @cached_property
    def longest(self) -> float:
        return self.extent.span / _SEEN

    @property
    def steps(self) -> float:
        """The span, in typical steps."""
        return self.extent.span / self.extent.step


def _days_a_unit(axis: Axis) -> float:
    return axis.days(1.0) if axis.temporal else 0.0


def _closest(x: Array) -> float:
    """How far the closest rows are apart, but for those that were measured twice."""
    gaps = np.diff(np.sort(x))
    gaps = gaps[gaps > _SAME * gaps.mean()] if gaps.size else gaps
    return float(np.quantile(gaps, _CLOSE, method="lower")) if gaps.size else 1.0
