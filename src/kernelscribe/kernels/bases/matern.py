"""MATERN: variation with kinks. As SE, but a function drawn from it has a slope everywhere and no curvature (order 3/2).

MATERN(x, z) = variance · (1 + s)·exp(−s),      s = √3·|x − z|/ℓ.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Parameter, Pulled, Role, Shape
from kernelscribe.kernels.spectral import Fading
from kernelscribe.priors import Density, Flat, Normal, StudentT
from kernelscribe.scales import Extent

__all__ = ["Matern"]

_ROOT = math.sqrt(3.0)


class Matern(Base):
    name = "MATERN"
    parameters = (Parameter("variance", "variance"), Parameter("lengthscale", "length"))
    role = Role.ROUGH

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        s = (_ROOT / values[1]) * np.abs(x - z)
        return np.asarray(values[0] * (1 + s) * np.exp(-s))

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        s = (_ROOT / values[1]) * (x[:, None] - z)
        # d/ds of (1 + |s|)·exp(−|s|) is −s·exp(−|s|), on either side of 0.
        slope = bar * -s * np.exp(-np.abs(s))
        return Pulled(
            np.array([-(slope * s).sum()]), slope.sum(axis=1) * _ROOT / values[1], -slope.sum(axis=0) * _ROOT / values[1]
        )

    def steepness(self, values: Array) -> float:
        # s·exp(−s) is 1/e at most.
        return float(_ROOT / (math.e * values[1]))

    def spectrum(self, shape: Shape) -> Fading:
        return Fading(shape[0], _ROOT, (1.0, 1.0))

    def finest(self, shape: Shape) -> float:
        return shape[0] / 2

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return 0.1 * math.exp(rng.normal() / 2), math.exp(rng.normal() / 2)

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        shortest = min(3 * extent.step, extent.span / 4)
        return self.draw(rng, extent)[0], math.exp(rng.uniform(math.log(shortest), math.log(extent.span)))

    def flatten(self, values: Shape, extent: Extent) -> Shape:
        return values[0], 100 * extent.span

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        match name:
            case "weak":
                return StudentT(), StudentT()
            case "practical":
                return Normal(0.0, 4.0), Normal(0.0, 2.0)
            case _:
                return Flat(), Flat()

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        return (1e-8, 1e6), (min(1e-3 * extent.span, extent.step), 1e3 * extent.span)
