"""What noise is: new at every row, independent, with a variance that may depend on where the row is.

A noise is a value with coordinates of its own, which stand behind those of the kernel; engines ask for its diagonal Λ and send
cotangents back through it. To an engine, noise that varies is one more weight: with w = Λ^−½,

    log N(y | 0, K + Λ) = log N(wy | 0, wKw + I) + Σ log w,

so that whatever holds for noise of variance one holds for any. An engine that wants one number for all rows takes noise that is
`uniform`, and no other (`Traits.uniform`).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, Self

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Parameter
from kernelscribe.kernels.units import in_user_units
from kernelscribe.priors import Density
from kernelscribe.scales import Affine, Extent

__all__ = ["LOUDEST", "QUIETEST", "Noise"]

# Variances, for a standardised target: a thousandth of its standard deviation is less than any instrument's,
QUIETEST = 1e-6
# and ten times it leaves nothing to explain.
LOUDEST = 1e2


class Noise(ABC):
    """Independent noise. Its values come in the order of `parameters`; those of an input are of the first one.

    Attributes:
        name: by which an option asks for it.
        uniform: whether it is the same everywhere.
    """

    name: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    uniform: ClassVar[bool] = False

    @property
    def middle(self) -> float:
        """That of the first input, its mean: 0 where it is standardised, and where it is of no account."""
        return 0.0

    @property
    @abstractmethod
    def values(self) -> tuple[float, ...]: ...

    @classmethod
    @abstractmethod
    def of(cls, values: tuple[float, ...], middle: float = 0.0) -> Self:
        """The noise of these values, where the middle of the first input is there."""

    @abstractmethod
    def diagonal(self, X: Array) -> Array:
        """Its variance at points [n, D]."""

    @abstractmethod
    def pull(self, X: Array, bar: Array) -> Array:
        """From the cotangents [n] of the diagonal to those of the optimiser's coordinates."""

    @abstractmethod
    def rounding(self, X: Array) -> Array:
        """Units in the last place by which the diagonal may be off, at every point: certificates allow for them."""

    @property
    @abstractmethod
    def level(self) -> float:
        """Its variance in the middle of the data: how much of a standardised target it is there."""

    @abstractmethod
    def amplified(self, factor: float) -> Self:
        """With its variance multiplied everywhere."""

    @classmethod
    @abstractmethod
    def draw(cls, rng: np.random.Generator, extent: Extent) -> Self:
        """A random start, of which the level is of no account."""

    @classmethod
    @abstractmethod
    def seen(cls, x: Array, y: Array, extent: Extent) -> Self:
        """A start by what the target y [n] at the first input x [n] shows; its level is of no account either."""

    @classmethod
    @abstractmethod
    def prior(cls, name: str, extent: Extent) -> tuple[Density, ...]:
        """The densities of the optimiser's coordinates under the prior of that name."""

    @classmethod
    @abstractmethod
    def box(cls, extent: Extent) -> tuple[tuple[float, float], ...]:
        """Where the values (not their logarithms) may lie, for a standardised target."""

    @classmethod
    def reach(cls, extent: Extent) -> tuple[float, ...]:
        """How far a step in each coordinate may reach: a variance by a factor of e."""
        return (1.0,) * cls.size()

    @classmethod
    def size(cls) -> int:
        """The number of coordinates."""
        return len(cls.parameters)

    def pack(self) -> Array:
        """The optimiser's coordinates: logarithms of positive values, the others as they are."""
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

    def average(self, X: Array) -> float:
        """Its variance, on average over points [n, D]."""
        return float(self.diagonal(X).mean())

    def user(self, inputs: Sequence[Affine], output: Affine) -> Self:
        """The same in the user's units."""
        return self._on(inputs[0], lambda variance: variance * output.scale**2)

    def standard(self, inputs: Sequence[Affine], output: Affine) -> Self:
        """The inverse of `user`."""
        return self._on(inputs[0].inverse, lambda variance: variance / output.scale**2)

    def _on(self, axis: Affine, size: Callable[[float], float]) -> Self:
        """On another axis, with variances of another size."""
        values = tuple(
            size(value) if parameter.kind == "variance" else in_user_units(parameter, value, axis)
            for parameter, value in zip(self.parameters, self.values, strict=True)
        )
        return self.of(values, axis.centre + axis.scale * self.middle)
