"""The rhythm of a series: its typical step, and its longest gap."""

from dataclasses import dataclass

import numpy as np

from kernelscribe.model.future import rhythm
from kernelscribe.report.description.view import View

__all__ = ["Steps", "steps"]

# A step this many times as long as the typical one is a gap.
_GAP = 1.5


@dataclass(frozen=True, slots=True)
class Steps:
    """How the rows of a series follow each other.

    Attributes:
        usual: the median step.
        months: how many months it has, where the rows keep to the calendar.
        gap: both ends of the longest step, where that is much longer than usual.
    """

    usual: float
    months: int | None
    gap: tuple[float, float] | None


def steps(view: View) -> Steps:
    """Along the only input."""
    points = np.unique(view.points[0])
    widths = np.diff(points)
    usual, widest = float(np.median(widths)), int(np.argmax(widths))
    gap = (float(points[widest]), float(points[widest + 1])) if widths[widest] > _GAP * usual else None
    return Steps(usual, rhythm(points, view.axis), gap)
