"""LIN: a straight line through zero at the location.

LIN(x, z) = variance · (x − l)(z − l);      there is no φ,   a(x) = x − l.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Cotangent, Extent, Features, Parameter
from kernelscribe.priors import Density, Flat, Normal, StudentT

__all__ = ["Linear"]


class Linear:
    name = "LIN"
    parameters = (Parameter("variance", "variance"), Parameter("location", "place"))
    rank = 0
    degree = 2
    stationary = False

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        variance, location = values
        return np.asarray(variance * (x - location) * (z - location))

    def features(self, x: Array, values: Array) -> Features:
        return Features(np.empty((0, x.size)), x - values[1])

    def steepness(self, values: Array) -> float:
        return 0.0

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        return np.array([-bar.a.sum()]), bar.a

    def draw(self, rng: np.random.Generator, extent: Extent) -> tuple[float, ...]:
        # The paper draws the location as exp(Z/2), which never lies below the mean; a random sign mends that.
        variance = math.exp(-abs(rng.normal()))
        location = math.exp(rng.normal() / 2) * rng.choice([-1, 1])
        return variance, location

    def scatter(self, rng: np.random.Generator, extent: Extent) -> tuple[float, ...]:
        # Inside the data, or just outside them, where a line grows from nothing or shrinks to it.
        aside = extent.span / 2
        return self.draw(rng, extent)[0], rng.uniform(extent.low - aside, extent.high + aside)

    def flatten(self, values: tuple[float, ...], extent: Extent) -> tuple[float, ...]:
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
