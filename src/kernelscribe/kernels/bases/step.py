"""STEP: a jump. Nothing before the location, one unknown number from there on.

STEP(x, z) = variance · a(x) a(z),      a(x) = 1 where x ≥ l, else 0.

Between two rows the location changes nothing, and beyond one it jumps: it has no slope (0 in these coordinates), so it is a place
that whoever proposes the kernel sets, and fits leave it where it is. Halfway between two rows no rounding moves a row across it.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Parameter, Role, Shape
from kernelscribe.kernels.bases.multiple import KnownCurve, Multiple, inside
from kernelscribe.scales import Extent

__all__ = ["Jump"]


class _Since(KnownCurve):
    def at(self, x: Array, values: Array) -> Array:
        return np.asarray(x >= values[1]).astype(x.dtype)


class Jump(Multiple):
    name = "STEP"
    parameters = (Parameter("variance", "variance"), Parameter("location", "place", held=True))
    role = Role.STEP
    exponential = _Since()

    def breaks(self, shape: Shape) -> tuple[float, ...]:
        return shape

    def merge(self, one: Shape, other: Shape) -> Shape:
        # Both have begun where the later has.
        return (max(one[0], other[0]),)

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return math.exp(rng.normal()), inside(rng, extent)

    def flatten(self, values: Shape, extent: Extent) -> Shape:
        # At the first row it has begun everywhere.
        return values[0], extent.low

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        return (1e-8, 1e6), (extent.low, extent.high)
