"""SPELL: for a while it was higher, or lower. One unknown number within a stretch, nothing outside it.

SPELL(x, z) = variance · a(x) a(z),      a(x) = 1 where |x − l| ≤ w/2, else 0.

With a width of about a step it is a single row that is out of line. Location and width have no slope (0 in these coordinates), as
that of STEP: whoever proposes the kernel sets them, and fits leave them where they are. Edges halfway between two rows are safe
from any rounding of the rows.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Parameter, Role, Shape
from kernelscribe.kernels.bases.multiple import KnownCurve, Multiple, inside
from kernelscribe.scales import Extent

__all__ = ["Stretch"]

# The widest that is drawn, in spans: half of the data or more are no while.
_WIDEST = 0.5
# The narrowest, in steps: it holds one row.
_NARROWEST = 0.1


class _Within(KnownCurve):
    def at(self, x: Array, values: Array) -> Array:
        """By comparisons that are exact, though x − l is rounded: where it is w/2 to the last digit, what was rounded off tells
        (Knuth's sum of two numbers)."""
        _, location, width = values
        away = x - location
        back = away - x
        off = (x - (away - back)) - (location + back)
        edge = width / 2
        within = (np.abs(away) < edge) | ((np.abs(away) == edge) & (off * np.sign(away) <= 0))
        return np.asarray(within).astype(x.dtype)


class Stretch(Multiple):
    name = "SPELL"
    parameters = (
        Parameter("variance", "variance"),
        Parameter("location", "place", held=True),
        Parameter("width", "length", held=True),
    )
    role = Role.SPELL
    exponential = _Within()

    def breaks(self, shape: Shape) -> tuple[float, ...]:
        location, width = shape
        return location - width / 2, location + width / 2

    def finest(self, shape: Shape) -> float:
        return shape[1]

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        shortest, longest = math.log(min(extent.step, _WIDEST * extent.span)), math.log(_WIDEST * extent.span)
        return math.exp(rng.normal()), inside(rng, extent), math.exp(rng.uniform(shortest, longest))

    def flatten(self, values: Shape, extent: Extent) -> Shape:
        # From its middle so wide that it holds all rows.
        return values[0], (extent.low + extent.high) / 2, 2 * extent.span

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        return (1e-8, 1e6), (extent.low, extent.high), (_NARROWEST * min(extent.step, extent.span), 2 * extent.span)
