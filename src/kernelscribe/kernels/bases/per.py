"""PER: a pattern that repeats itself exactly, with the smoothness of its shape set by the (unit-free) length-scale.

PER(x, z) = variance · exp( −2 sin²(π(x − z)/p) / λ² );   φ(x) = (cos wx, sin wx)/λ,   a = 1,   w = 2π/p.

It is read as a cycle of mean zero and a constant,  PER = a·PER₀ + b,   b = v·exp(−1/λ²)·I₀(1/λ²),   a = v − b.
"""

import math

import numpy as np
from scipy.special import i0e

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Parameter, Pulled, Role, Shape
from kernelscribe.kernels.exponential import Cotangent, Features
from kernelscribe.kernels.spectral import Harmonics
from kernelscribe.priors import Density, Flat, Mixture, Normal, StudentT
from kernelscribe.scales import Extent

__all__ = ["Periodic"]

# A cycle that shows less of its variance than this, next to the constant it hides, is computed with care.
_LITTLE = 1e-3
# Below this 1/λ², the cycle's share 1 − exp(−1/λ²)I₀(1/λ²) would lose more digits by subtraction than its series leaves out.
_SERIES = 1e-4


def period_ends(extent: Extent) -> tuple[float, float]:
    """Logarithms of the paper's shortest and longest period: ten steps and a fifth of the span."""
    longest = math.log(extent.span / 5)
    return min(math.log(10 * extent.step), longest), longest


def _shown(lengthscale: float) -> float:
    """The cycle's share, a/v = 1 − exp(−z)I₀(z) with z = 1/λ²; for small z by its series."""
    z = lengthscale**-2
    return z * (1 - z * (3 / 4 - z * 5 / 12)) if z < _SERIES else 1 - float(i0e(z))


class _Circle:
    rank = 2

    def features(self, x: Array, values: Array) -> Features:
        lengthscale, period = values[1], values[2]
        angle = (2 * math.pi / period) * x
        return Features(np.stack([np.cos(angle), np.sin(angle)]) / lengthscale, None)

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        cosine, sine = features.phi
        turn = (2 * math.pi / values[2]) * (bar.phi[1] * cosine - bar.phi[0] * sine)
        along = bar.phi[0] @ cosine + bar.phi[1] @ sine
        return np.array([-along, -(turn @ x)]), turn

    def steepness(self, values: Array) -> float:
        return float(2 * math.pi / (values[1] * values[2]))


class Periodic(Base):
    name = "PER"
    parameters = (Parameter("variance", "variance"), Parameter("lengthscale", "pure"), Parameter("period", "length"))
    role = Role.CYCLE
    exponential = _Circle()

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        k = _exponent(x, z, values[1], values[2])
        np.exp(k, out=k)
        k *= values[0]
        return k

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        _, lengthscale, period = values
        angle = (math.pi / period) * (x[:, None] - z)
        sine, weight = np.sin(angle) / lengthscale, bar * self.evaluate(x[:, None], z, np.array([1.0, lengthscale, period]))
        # d/dd of −2 sin²(πd/p)/λ²
        slope = weight * (-4 * sine * np.cos(angle) / lengthscale) * (math.pi / period)
        shape = np.array([(4 * weight * sine**2).sum(), -(slope * (x[:, None] - z)).sum()])
        return Pulled(shape, slope.sum(axis=1), -slope.sum(axis=0))

    def steepness(self, values: Array) -> float:
        # The features' steepness times |d|·exp(−d²/2).
        return float(math.exp(-0.5) * 2 * math.pi / (values[1] * values[2]))

    def spectrum(self, shape: Shape) -> Harmonics:
        return Harmonics(shape[0], shape[1])

    def unit(self, x: Array, z: Array, shape: Shape) -> Array:
        """The cycle of mean zero. exp − hidden = (exp − 1) + (1 − hidden), where neither bracket loses digits; that takes three
        times as long, so only where it matters."""
        shown, k = _shown(shape[0]), _exponent(x, z, *shape)
        if shown < _LITTLE:
            np.expm1(k, out=k)
            k += shown
        else:
            np.exp(k, out=k)
            k -= 1 - shown
        k /= shown
        return k

    def split(self, shape: Shape) -> tuple[tuple[float, bool], ...]:
        shown = _shown(shape[0])
        return (shown, True), (1 - shown, False)

    def finest(self, shape: Shape) -> float:
        return min(shape[1] / 6, shape[0] * shape[1] / (2 * math.pi))

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        shortest, longest = period_ends(extent)
        away = abs(rng.normal()) * math.sqrt(0.5)
        log_period = rng.choice([shortest + away, longest - away])
        return 0.1 * math.exp(rng.normal() / 2), math.exp(rng.normal() / 2), math.exp(log_period)

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        shortest, longest = self.box(extent)[2]
        variance, lengthscale, _ = self.draw(rng, extent)
        return variance, lengthscale, math.exp(rng.uniform(math.log(shortest), math.log(longest)))

    def flatten(self, values: Shape, extent: Extent) -> Shape:
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


def _exponent(x: Array, z: Array, lengthscale: float, period: float) -> Array:
    d = np.asarray((np.pi / period) * (x - z))
    np.sin(d, out=d)
    d *= d
    d *= -2 / lengthscale**2
    return d
