"""SE: smooth variation. Close points are alike, and the length-scale says how close.

SE(x, z) = variance · exp( −(x − z)² / 2ℓ² );      φ(x) = x/ℓ,   a = 1.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Cotangent, Extent, Features, Parameter
from kernelscribe.priors import Density, Flat, Normal, StudentT

__all__ = ["SquaredExponential"]


class SquaredExponential:
    name = "SE"
    parameters = (Parameter("variance", "variance"), Parameter("lengthscale", "length"))
    rank = 1
    degree = 0
    stationary = True

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        variance, lengthscale = values
        return np.asarray(variance * np.exp(-0.5 * ((x - z) / lengthscale) ** 2))

    def features(self, x: Array, values: Array) -> Features:
        return Features((x / values[1])[None], None)

    def steepness(self, values: Array) -> float:
        return float(1 / values[1])

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        return np.array([-(bar.phi[0] @ features.phi[0])]), bar.phi[0] / values[1]

    def draw(self, rng: np.random.Generator, extent: Extent) -> tuple[float, ...]:
        return 0.1 * math.exp(rng.normal() / 2), math.exp(rng.normal() / 2)

    def scatter(self, rng: np.random.Generator, extent: Extent) -> tuple[float, ...]:
        shortest = min(3 * extent.step, extent.span / 4)
        return self.draw(rng, extent)[0], math.exp(rng.uniform(math.log(shortest), math.log(extent.span)))

    def flatten(self, values: tuple[float, ...], extent: Extent) -> tuple[float, ...]:
        return values[0], 10 * extent.span

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        match name:
            case "paper":
                return Flat(), Normal(0.0, 0.01)
            case "weak":
                return StudentT(), StudentT()
            case "practical":
                return Normal(0.0, 4.0), Normal(0.0, 2.0)
            case _:
                return Flat(), Flat()

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        # In a long record some steps are less than a thousandth of it.
        return (1e-8, 1e6), (min(1e-3 * extent.span, 10 * extent.step), 1e3 * extent.span)
