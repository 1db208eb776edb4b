"""KINK: a slope that changes. Nothing before the location, a straight line of unknown slope from there on.

KINK(x, z) = variance · a(x) a(z),      a(x) = max(x − l, 0).

The variance is that of the change of the slope. A line and kinks are a line that bends at so many places.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Parameter, Role, Shape
from kernelscribe.kernels.bases.multiple import KnownCurve, Multiple, inside
from kernelscribe.scales import Extent

__all__ = ["Corner"]


class _Beyond(KnownCurve):
    def at(self, x: Array, values: Array) -> Array:
        return np.asarray(np.maximum(x - values[1], 0.0))

    def slopes(self, x: Array, values: Array, bar: Array) -> tuple[Array, Array]:
        to_x = bar * (x > values[1])
        return np.array([-to_x.sum()]), to_x


class Corner(Multiple):
    name = "KINK"
    parameters = (Parameter("variance", "variance"), Parameter("location", "place"))
    role = Role.KINK
    degree = 2
    exponential = _Beyond()

    def breaks(self, shape: Shape) -> tuple[float, ...]:
        return shape

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        # About as large, a quarter of the span beyond it, as the target.
        return math.exp(rng.normal()) * (4 / extent.span) ** 2, inside(rng, extent)

    def flatten(self, values: Shape, extent: Extent) -> Shape:
        # No kink among the data is flat: at the first row it is a line, the plainest that its box holds.
        return values[0], extent.low

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        # Before the data it would be a line, and behind them nothing.
        return (1e-8, 1e6), (extent.low, extent.high)
