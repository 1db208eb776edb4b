"""LIN: a straight line through zero at the location.

LIN(x, z) = variance · (x − l)(z − l);      there is no φ,   a(x) = x − l.

Two lines on one input are one line and a constant:
v₁(x−l₁)(z−l₁) + v₂(x−l₂)(z−l₂) = v(x−l)(z−l) + c,  with v = v₁+v₂,  l = (v₁l₁+v₂l₂)/v,  c = v₁v₂(l₁−l₂)²/v.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Extent, Parameter, Pulled, Role, Shape
from kernelscribe.kernels.exponential import Cotangent, Features
from kernelscribe.kernels.spectral import Root
from kernelscribe.priors import Density, Flat, Normal, StudentT

__all__ = ["Linear"]

# A sum of lines on one input is a quadratic form in (1, x): three numbers, however many are written.
_LINES = 3


class _Shifted:
    rank = 0

    def features(self, x: Array, values: Array) -> Features:
        return Features(np.empty((0, x.size)), x - values[1])

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        return np.array([-bar.a.sum()]), bar.a

    def steepness(self, values: Array) -> float:
        return 0.0


class Linear(Base):
    name = "LIN"
    parameters = (Parameter("variance", "variance"), Parameter("location", "place"))
    role = Role.LINE
    degree = 2
    stationary = False
    exponential = _Shifted()

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        variance, location = values
        return np.asarray(variance * (x - location) * (z - location))

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        to_x, to_z = bar @ (z - values[1]), (x - values[1]) @ bar
        return Pulled(np.array([-to_x.sum() - to_z.sum()]), to_x, to_z)

    def diagonal(self, x: Array, values: Array) -> Array:
        return np.asarray(values[0] * (x - values[1]) ** 2)

    def steepness(self, values: Array) -> float:
        # x − l is rounded once, whatever it is.
        return 0.0

    def spectrum(self, shape: Shape) -> Root:
        return Root(*shape)

    def gather(self, v: float, one: Shape, w: float, other: Shape) -> tuple[Shape, float]:
        (first,), (second,) = one, other
        return ((v * first + w * second) / (v + w),), v * w * (first - second) ** 2 / (v + w)

    def identified(self, number: int) -> int:
        return min(2 * number, _LINES)

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        # The paper draws the location as exp(Z/2), which never lies below the mean; a random sign mends that.
        variance = math.exp(-abs(rng.normal()))
        location = math.exp(rng.normal() / 2) * rng.choice([-1, 1])
        return variance, location

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        # Inside the data, or just outside them, where a line grows from nothing or shrinks to it.
        aside = extent.span / 2
        return self.draw(rng, extent)[0], rng.uniform(extent.low - aside, extent.high + aside)

    def flatten(self, values: Shape, extent: Extent) -> Shape:
        return values[0], extent.low - 8 * extent.span

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        match name:
            case "weak":
                return StudentT(), Flat()
            case "practical":
                return Normal(0.0, 4.0), Flat()
            case _:
                return Flat(), Flat()

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        reach = 10 * extent.span
        return (1e-8, 1e6), (extent.low - reach, extent.high + reach)
