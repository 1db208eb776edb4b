"""Where a component acts, in words: until A, from B onwards, from B until A."""

import math

from kernelscribe.data.axis import Axis
from kernelscribe.kernels.operators.operator import EVERYWHERE, Regions
from kernelscribe.report.words.english.numbers import listing
from kernelscribe.report.words.english.quantities import place

__all__ = ["phrase"]


def phrase(regions: Regions, axis: Axis, span: float) -> str:
    """To stand behind "it applies"; empty for a component that acts everywhere.

    >>> phrase(((1645.0, 1715.0),), Axis("year", "years"), 400.0)
    'from 1645 until 1715'
    """
    if regions == EVERYWHERE:
        return ""
    if not regions:
        return "in a region that could not be worked out and is best seen in its figure"
    return listing([_stretch(start, stop, axis, span) for start, stop in sorted(regions)])


def _stretch(start: float, stop: float, axis: Axis, span: float) -> str:
    first, last = place(axis, start, span), place(axis, stop, span)
    match math.isinf(start), math.isinf(stop):
        case True, True:
            return "everywhere"
        case True, False:
            return f"until {last}"
        case False, True:
            return f"from {first} onwards"
    return f"around {first}" if first == last else f"from {first} until {last}"
