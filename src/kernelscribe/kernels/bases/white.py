"""WN: noise that is new at every point.

WN(x, z) = variance where x = z, else 0.

Beside it a stationary factor says nothing: of two points WN is 0, and of one point that factor is 1.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Extent, Parameter, Pulled, Role, Shape
from kernelscribe.priors import Density, Flat, Normal, StudentT

__all__ = ["White"]


class White(Base):
    name = "WN"
    parameters = (Parameter("variance", "variance"),)
    role = Role.NOISE

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        return np.asarray(values[0] * (x == z))

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        return Pulled(np.empty(0), np.zeros_like(x), np.zeros_like(z))

    def steepness(self, values: Array) -> float:
        return 0.0

    def merge(self, one: Shape, other: Shape) -> Shape:
        return ()

    def swallows(self, other: Base) -> bool:
        return other.stationary

    def identified(self, number: int) -> int:
        return 1

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return (0.1 * math.exp(rng.normal() / 2),)

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return self.draw(rng, extent)

    def flatten(self, values: Shape, extent: Extent) -> Shape:
        return values

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        match name:
            case "weak":
                return (StudentT(),)
            case "practical":
                return (Normal(0.0, 4.0),)
            case _:
                return (Flat(),)

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        return ((1e-8, 1e6),)
