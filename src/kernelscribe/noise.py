"""Noise: what is new at every row, as a value. Its variance may depend on where it is.

A noise has coordinates of its own, which stand behind those of the kernel; engines ask for its diagonal and send cotangents back
through it. An engine that wants one number for all rows has a posterior for noise that is `uniform`, and none for any other.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Parameter
from kernelscribe.priors import Density
from kernelscribe.priors import noise as density

__all__ = ["Constant", "Noise"]


class Noise(ABC):
    """Independent noise. Its values come in the order of `parameters`.

    Attributes:
        uniform: whether it is the same everywhere.
    """

    parameters: ClassVar[tuple[Parameter, ...]]
    uniform: ClassVar[bool] = False

    @property
    @abstractmethod
    def values(self) -> tuple[float, ...]: ...

    @classmethod
    @abstractmethod
    def of(cls, values: tuple[float, ...]) -> Self:
        """The inverse of `values`."""

    @abstractmethod
    def diagonal(self, X: Array) -> Array:
        """Its variance at points [n, D]."""

    @abstractmethod
    def pull(self, X: Array, bar: Array) -> Array:
        """From the cotangents [n] of the diagonal to those of the optimiser's coordinates."""

    @property
    @abstractmethod
    def level(self) -> float:
        """Its variance, where the data lie on average: how much of a standardised target it is."""

    @abstractmethod
    def amplified(self, factor: float) -> Self:
        """With its variance multiplied everywhere."""

    @classmethod
    @abstractmethod
    def prior(cls, name: str) -> tuple[Density, ...]:
        """The densities of the optimiser's coordinates under the prior of that name."""

    @classmethod
    @abstractmethod
    def box(cls) -> tuple[tuple[float, float], ...]:
        """Where the values (not their logarithms) may lie, for a standardised target."""

    @classmethod
    def size(cls) -> int:
        """The number of coordinates."""
        return len(cls.parameters)

    def pack(self) -> Array:
        """The optimiser's coordinates: logarithms of positive values, places as they are."""
        pairs = zip(self.parameters, self.values, strict=True)
        return np.array([math.log(value) if parameter.positive else value for parameter, value in pairs])

    @classmethod
    def unpack(cls, u: Array) -> Self:
        """The noise of these coordinates: the inverse of `pack`."""
        pairs = zip(cls.parameters, u, strict=True)
        return cls.of(tuple(math.exp(value) if parameter.positive else float(value) for parameter, value in pairs))

    def at_level(self, level: float) -> Self:
        """The same, so much louder or quieter that this is its level."""
        return self.amplified(level / self.level)


@dataclass(frozen=True, slots=True)
class Constant(Noise):
    """The same variance everywhere."""

    variance: float

    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("variance", "variance"),)
    uniform: ClassVar[bool] = True

    @property
    def values(self) -> tuple[float, ...]:
        return (self.variance,)

    @classmethod
    def of(cls, values: tuple[float, ...]) -> Self:
        return cls(*values)

    @classmethod
    def unpack(cls, u: Array) -> Self:
        # Once a value, of which a search computes a hundred thousand.
        return cls(math.exp(u[0]))

    def diagonal(self, X: Array) -> Array:
        return np.full(len(X), self.variance)

    def pull(self, X: Array, bar: Array) -> Array:
        return np.array([self.variance * float(bar.sum())])

    @property
    def level(self) -> float:
        return self.variance

    def amplified(self, factor: float) -> Self:
        return type(self)(self.variance * factor)

    def at_level(self, level: float) -> Self:
        return type(self)(level)

    @classmethod
    def prior(cls, name: str) -> tuple[Density, ...]:
        return (density(name),)

    @classmethod
    def box(cls) -> tuple[tuple[float, float], ...]:
        # A thousandth of the target's standard deviation is less than any instrument's; ten times it leaves nothing to explain.
        return ((1e-6, 1e2),)
