"""What base kernels share that begin with nothing at a place before the data, and grow away from it.

k(x, z) = variance · unit(s, d),      s = min(x, z) − o where that is above 0, else 0;      d = |x − z|.

The place o is called the location. All that the data tell of it is how large the kernel is at the first row, so it may lie
anywhere before that row and never behind it: a walk that begins inside the data is a change, and there is an operator for that.
"""

import math
from typing import ClassVar

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Parameter, Shape
from kernelscribe.priors import Density, Flat, Normal, StudentT
from kernelscribe.scales import Extent

__all__ = ["Anchored", "since"]

# In spans before the first row: from any earlier, what it adds over the data is next to nothing beside what it has come to.
_EARLIEST = 10.0
# Where it is put to be almost constant: inside the box, so that it can still move.
_FLAT = 8.0
# The earliest start, in spans before the first row; the latest is a step.
_EARLIEST_START = 0.5


def since(x: Array, z: Array, location: float) -> Array:
    """s: how far the earlier of two points lies beyond the location. The minimum is exact, so there is one rounding."""
    return np.asarray(np.maximum(np.minimum(x, z) - location, 0.0))


class Anchored(Base):
    """variance · something that is 0 at the location and before it."""

    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("variance", "variance"), Parameter("location", "place"))
    stationary: ClassVar[bool] = False

    def steepness(self, values: Array) -> float:
        # Formulas have differences alone, x − o and x − z, each rounded once, whatever it is.
        return 0.0

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        latest, earliest = min(extent.step, _EARLIEST_START * extent.span), _EARLIEST_START * extent.span
        before = math.exp(rng.uniform(math.log(latest), math.log(earliest)))
        # About as large, at the end of the data, as the target.
        ends, unit = np.array([extent.high]), np.array([1.0, extent.low - before])
        return math.exp(rng.normal()) / float(self.diagonal(ends, unit)[0]), extent.low - before

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return self.draw(rng, extent)

    def flatten(self, values: Shape, extent: Extent) -> Shape:
        return values[0], extent.low - _FLAT * extent.span

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        match name:
            case "weak":
                return StudentT(), Flat()
            case "practical":
                return Normal(0.0, 4.0), Flat()
            case _:
                return Flat(), Flat()

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        return (1e-8, 1e6), (extent.low - _EARLIEST * extent.span, extent.low)
