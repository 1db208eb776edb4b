"""C: the same unknown number everywhere.

C(x, z) = variance;      there is no φ,   a = 1.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Extent, Parameter, Pulled, Role, Shape
from kernelscribe.kernels.exponential import Cotangent, Features
from kernelscribe.priors import Density, Flat, Normal, StudentT

__all__ = ["Constant"]


class _Nothing:
    rank = 0

    def features(self, x: Array, values: Array) -> Features:
        return Features(np.empty((0, x.size)), None)

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        return np.empty(0), np.zeros_like(x)

    def steepness(self, values: Array) -> float:
        return 0.0


class Constant(Base):
    name = "C"
    parameters = (Parameter("variance", "variance"),)
    role = Role.LEVEL
    exponential = _Nothing()

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        return np.full(np.broadcast_shapes(np.shape(x), np.shape(z)), values[0])

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        return Pulled(np.empty(0), np.zeros_like(x), np.zeros_like(z))

    def steepness(self, values: Array) -> float:
        return 0.0

    def split(self, shape: Shape) -> tuple[tuple[float, bool], ...]:
        return ((1.0, False),)

    def merge(self, one: Shape, other: Shape) -> Shape:
        return ()

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
