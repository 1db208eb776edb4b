"""What base kernels share that are an unknown multiple of a curve that is known: a jump, a corner, a stretch.

k(x, z) = variance · a(x) a(z);      there is no φ.

The curve may be exactly 0 over any part of the data: nothing is divided by it.
"""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Pulled, Shape
from kernelscribe.kernels.exponential import Cotangent, Features
from kernelscribe.kernels.spectral import Amplitude
from kernelscribe.priors import Density, Flat, Normal, StudentT
from kernelscribe.scales import Extent

__all__ = ["KnownCurve", "Multiple", "inside"]

# Draws keep this share of the span away from both ends, where a place has too few rows on one of its sides.
_MARGIN = 0.05


class KnownCurve:
    """The exponential form: an amplitude and nothing else."""

    rank = 0

    @abstractmethod
    def at(self, x: Array, values: Array) -> Array:
        """a(x), elementwise."""

    def slopes(self, x: Array, values: Array, bar: Array) -> tuple[Array, Array]:
        """From cotangents of a to those of the optimiser's shape coordinates and of x. A curve that is level but for its jumps
        has none: no small step of a place, nor of a point, changes a."""
        return np.zeros(len(values) - 1), np.zeros_like(x)

    def features(self, x: Array, values: Array) -> Features:
        return Features(np.empty((0, x.size)), self.at(x, values))

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        return self.slopes(x, values, bar.a)

    def steepness(self, values: Array) -> float:
        # There is no φ that could move.
        return 0.0


class Multiple(Base):
    """variance · a(x) a(z)."""

    stationary: ClassVar[bool] = False
    exponential: ClassVar[KnownCurve]

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        return np.asarray(values[0] * self.exponential.at(x, values) * self.exponential.at(z, values))

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        curve = self.exponential
        from_x, to_x = curve.slopes(x, values, bar @ curve.at(z, values))
        from_z, to_z = curve.slopes(z, values, curve.at(x, values) @ bar)
        return Pulled(from_x + from_z, to_x, to_z)

    def diagonal(self, x: Array, values: Array) -> Array:
        return np.asarray(values[0] * self.exponential.at(x, values) ** 2)

    def steepness(self, values: Array) -> float:
        # Certificates are for the rows and the values as they are, numbers of the machine. Of these, comparisons are exact, and
        # a difference is rounded once, whatever it is: no entry moves by more than a formula may, though a jump is as steep as
        # can be.
        return 0.0

    def size(self, values: Array) -> float:
        # Where it acts; over all rows it may be next to nothing.
        return float(values[0])

    def spectrum(self, shape: Shape) -> Amplitude:
        return Amplitude()

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return self.draw(rng, extent)

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        places = [Flat() for _ in self.parameters[1:]]
        match name:
            case "weak":
                return (StudentT(), *places)
            case "practical":
                return (Normal(0.0, 4.0), *places)
            case _:
                return (Flat(), *places)


def inside(rng: np.random.Generator, extent: Extent) -> float:
    """A place among the data, anywhere but near their ends."""
    margin = _MARGIN * extent.span
    return float(rng.uniform(extent.low + margin, extent.high - margin))
