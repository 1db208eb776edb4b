"""ROUGH: departures that fade. What is left of one shrinks by the same share in every stretch of equal length.

ROUGH(x, z) = variance · exp(−|x − z|/ℓ).

It is the process of Ornstein and Uhlenbeck: a function drawn from it has no slope anywhere, and what comes next depends on where
it is, not on how it came there. A product of two is one again, since 1/ℓ adds.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Parameter, Pulled, Role, Shape
from kernelscribe.kernels.spectral import Fading
from kernelscribe.priors import Density, Flat, Normal, StudentT
from kernelscribe.scales import Extent

__all__ = ["Rough"]


class Rough(Base):
    name = "ROUGH"
    parameters = (Parameter("variance", "variance"), Parameter("lengthscale", "length"))
    role = Role.ROUGH

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        return np.asarray(values[0] * np.exp(-np.abs(x - z) / values[1]))

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        apart = (x[:, None] - z) / values[1]
        weight = bar * np.exp(-np.abs(apart))
        # Where two points meet there is a kink: its slopes on either side have 0 as their mean.
        slope = -np.sign(apart) * weight / values[1]
        return Pulled(np.array([(weight * np.abs(apart)).sum()]), slope.sum(axis=1), -slope.sum(axis=0))

    def steepness(self, values: Array) -> float:
        # At the kink.
        return float(1 / values[1])

    def spectrum(self, shape: Shape) -> Fading:
        return Fading(shape[0], 1.0, (1.0,))

    def merge(self, one: Shape, other: Shape) -> Shape:
        """1/ℓ adds."""
        return (one[0] * other[0] / (one[0] + other[0]),)

    def finest(self, shape: Shape) -> float:
        return shape[0] / 2

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return 0.1 * math.exp(rng.normal() / 2), math.exp(rng.normal() / 2)

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        shortest = min(extent.step, extent.span / 4)
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
        # Below half a step neighbours have next to nothing in common, exp(−2), and it is noise.
        return (1e-8, 1e6), (min(1e-3 * extent.span, 0.5 * extent.step), 1e3 * extent.span)
