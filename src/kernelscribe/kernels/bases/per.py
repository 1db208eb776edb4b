"""PER: a pattern that repeats itself exactly, with the smoothness of its shape set by the (unit-free) length-scale.

PER(x, z) = variance · exp( −2 sin²(π(x − z)/p) / λ² );   φ(x) = (cos wx, sin wx)/λ,   a = 1,   w = 2π/p.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Cotangent, Extent, Features, Parameter
from kernelscribe.priors import Density, Flat, Mixture, Normal, StudentT

__all__ = ["Periodic"]


def period_ends(extent: Extent) -> tuple[float, float]:
    """Logarithms of the paper's shortest and longest period: ten steps and a fifth of the span."""
    longest = math.log(extent.span / 5)
    return min(math.log(10 * extent.step), longest), longest


class Periodic:
    name = "PER"
    parameters = (Parameter("variance", "variance"), Parameter("lengthscale", "pure"), Parameter("period", "length"))
    rank = 2
    degree = 0
    stationary = True

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        variance, lengthscale, period = values
        return np.asarray(variance * np.exp(-2 * (np.sin(np.pi * (x - z) / period) / lengthscale) ** 2))

    def features(self, x: Array, values: Array) -> Features:
        lengthscale, period = values[1], values[2]
        angle = (2 * math.pi / period) * x
        phi = np.stack([np.cos(angle), np.sin(angle)]) / lengthscale
        return Features(phi, None)

    def steepness(self, values: Array) -> float:
        return float(2 * math.pi / (values[1] * values[2]))

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        cosine, sine = features.phi
        turn = (2 * math.pi / values[2]) * (bar.phi[1] * cosine - bar.phi[0] * sine)
        along = bar.phi[0] @ cosine + bar.phi[1] @ sine
        return np.array([-along, -(turn @ x)]), turn

    def draw(self, rng: np.random.Generator, extent: Extent) -> tuple[float, ...]:
        shortest, longest = period_ends(extent)
        away = abs(rng.normal()) * math.sqrt(0.5)
        log_period = rng.choice([shortest + away, longest - away])
        return 0.1 * math.exp(rng.normal() / 2), math.exp(rng.normal() / 2), math.exp(log_period)

    def scatter(self, rng: np.random.Generator, extent: Extent) -> tuple[float, ...]:
        shortest, longest = self.box(extent)[2]
        variance, lengthscale, _ = self.draw(rng, extent)
        return variance, lengthscale, math.exp(rng.uniform(math.log(shortest), math.log(longest)))

    def flatten(self, values: tuple[float, ...], extent: Extent) -> tuple[float, ...]:
        return values[0], 30.0, values[2]

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        match name:
            case "paper":
                shortest, longest = period_ends(extent)
                return Flat(), StudentT(), Mixture(Normal(shortest - 0.5, 0.25), Normal(longest - 2, 0.5))
            case "weak":
                return StudentT(), StudentT(), StudentT()
            case "practical":
                return Normal(0.0, 4.0), Normal(0.0, 2.0), Flat()
            case _:
                return Flat(), Flat(), Flat()

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        # A cycle must be seen twice to be called one, and three times sampled to be seen.
        longest = extent.span / 2
        return (1e-8, 1e6), (0.03, 100.0), (min(3 * extent.step, longest / 2), longest)
