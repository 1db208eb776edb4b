"""SE: smooth variation. Close points are alike, and the length-scale says how close.

SE(x, z) = variance · exp( −(x − z)² / 2ℓ² );      φ(x) = x/ℓ,   a = 1.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Parameter, Pulled, Role, Shape
from kernelscribe.kernels.exponential import Cotangent, Features
from kernelscribe.kernels.spectral import Gaussian
from kernelscribe.priors import Density, Flat, Normal, StudentT
from kernelscribe.scales import Extent

__all__ = ["SquaredExponential"]


class _Scaled:
    rank = 1

    def features(self, x: Array, values: Array) -> Features:
        return Features((x / values[1])[None], None)

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        return np.array([-(bar.phi[0] @ features.phi[0])]), bar.phi[0] / values[1]

    def steepness(self, values: Array) -> float:
        return float(1 / values[1])


class SquaredExponential(Base):
    name = "SE"
    parameters = (Parameter("variance", "variance"), Parameter("lengthscale", "length"))
    role = Role.SMOOTH
    exponential = _Scaled()

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        # In place, since a hundred thousand rows by hundreds of points wait for memory more than for arithmetic.
        k = np.asarray(x - z)
        k *= k
        k *= -0.5 / values[1] ** 2
        np.exp(k, out=k)
        k *= values[0]
        return k

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        apart = (x[:, None] - z) / values[1]
        slope = bar * np.exp(-0.5 * apart**2) * apart
        return Pulled(np.array([(slope * apart).sum()]), -slope.sum(axis=1) / values[1], slope.sum(axis=0) / values[1])

    def steepness(self, values: Array) -> float:
        # |d|·exp(−d²/2) is e^−½ at most.
        return float(math.exp(-0.5) / values[1])

    def spectrum(self, shape: Shape) -> Gaussian:
        return Gaussian(*shape)

    def merge(self, one: Shape, other: Shape) -> Shape:
        """1/ℓ² adds."""
        return (one[0] * other[0] / math.hypot(one[0], other[0]),)

    def finest(self, shape: Shape) -> float:
        return shape[0]

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return 0.1 * math.exp(rng.normal() / 2), math.exp(rng.normal() / 2)

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        shortest = min(3 * extent.step, extent.span / 4)
        return self.draw(rng, extent)[0], math.exp(rng.uniform(math.log(shortest), math.log(extent.span)))

    def flatten(self, values: Shape, extent: Extent) -> Shape:
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
        # Below half a step neighbours have next to nothing in common, exp(−2), and it is noise.
        return (1e-8, 1e6), (min(1e-3 * extent.span, 0.5 * extent.step), 1e3 * extent.span)
