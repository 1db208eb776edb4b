"""Constant noise: Λ(x) = variance."""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Parameter
from kernelscribe.noises.noise import LOUDEST, QUIETEST, Noise
from kernelscribe.priors import Density
from kernelscribe.priors import noise as density
from kernelscribe.scales import Extent

__all__ = ["Constant"]


@dataclass(frozen=True, slots=True)
class Constant(Noise):
    """The same variance everywhere."""

    variance: float

    name: ClassVar[str] = "constant"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("variance", "variance"),)
    uniform: ClassVar[bool] = True

    @property
    def values(self) -> tuple[float, ...]:
        return (self.variance,)

    @classmethod
    def of(cls, values: tuple[float, ...], middle: float = 0.0) -> Self:
        return cls(*values)

    @classmethod
    def unpack(cls, u: Array) -> Self:
        # Once a value, of which a search computes a hundred thousand.
        return cls(math.exp(u[0]))

    def diagonal(self, X: Array) -> Array:
        return np.full(len(X), self.variance)

    def pull(self, X: Array, bar: Array) -> Array:
        return np.array([self.variance * float(bar.sum())])

    def rounding(self, X: Array) -> Array:
        return np.zeros(len(X))

    @property
    def level(self) -> float:
        return self.variance

    def average(self, X: Array) -> float:
        return self.variance

    def amplified(self, factor: float) -> Self:
        return type(self)(self.variance * factor)

    def at_level(self, level: float) -> Self:
        return type(self)(level)

    @classmethod
    def draw(cls, rng: np.random.Generator, extent: Extent) -> Self:
        return cls(1.0)

    @classmethod
    def seen(cls, x: Array, y: Array, extent: Extent) -> Self:
        return cls(1.0)

    @classmethod
    def prior(cls, name: str, extent: Extent) -> tuple[Density, ...]:
        return (density(name),)

    @classmethod
    def box(cls, extent: Extent) -> tuple[tuple[float, float], ...]:
        return ((QUIETEST, LOUDEST),)
