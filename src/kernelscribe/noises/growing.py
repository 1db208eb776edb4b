"""Noise that grows or shrinks: Λ(x) = variance · exp(e), e = rate · (x − middle), along the first input.

So its standard deviation changes by the factor exp(rate/2) with every unit of the input. e is held within ±300, far beyond what
data can show, so that no place however distant is without a number.
"""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Parameter
from kernelscribe.noises.neighbours import differences
from kernelscribe.noises.noise import LOUDEST, QUIETEST, Noise
from kernelscribe.priors import Density, Flat, Normal
from kernelscribe.priors import noise as density
from kernelscribe.scales import Extent

__all__ = ["Growing"]

# The exponent at most: its exponential, squared and times the square of any scale, is still a number.
_FARTHEST = 300.0
# By how much the logarithm of the variance changes over the span of the data, at most: a hundredfold standard deviation.
_MOST = math.log(1e4)
# The same for starts that are drawn: a standard deviation that triples,
_USUAL = math.log(9.0)
# and for the prior, whose standard deviation it is.
_EXPECTED = 4.0
# Units in the last place: of the exponential and the product,
_ANY = 8.0
# and for each unit of the exponent, which the difference and the product round.
_EXPONENT = 2.0


@dataclass(frozen=True, slots=True)
class Growing(Noise):
    """Growing along the first input, or shrinking where the rate is negative.

    Attributes:
        middle: where its variance is `variance`: the mean of the input, 0 where that is standardised.
    """

    variance: float
    rate: float
    middle: float = 0.0

    name: ClassVar[str] = "growing"
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("variance", "variance"), Parameter("rate", "rate"))

    @property
    def values(self) -> tuple[float, ...]:
        return self.variance, self.rate

    @classmethod
    def of(cls, values: tuple[float, ...], middle: float = 0.0) -> Self:
        variance, rate = values
        return cls(variance, rate, middle)

    def pack(self) -> Array:
        """For a middle at zero, whatever its own is."""
        return np.array([math.log(self.variance) - self.rate * self.middle, self.rate])

    def _exponent(self, X: Array) -> Array:
        return np.asarray(self.rate * (X[:, 0] - self.middle))

    def diagonal(self, X: Array) -> Array:
        return np.asarray(self.variance * np.exp(np.clip(self._exponent(X), -_FARTHEST, _FARTHEST)))

    def pull(self, X: Array, bar: Array) -> Array:
        here = bar * self.diagonal(X)
        within = np.abs(self._exponent(X)) < _FARTHEST
        return np.array([here.sum(), here @ np.where(within, X[:, 0] - self.middle, 0.0)])

    def rounding(self, X: Array) -> Array:
        return np.asarray(_ANY + _EXPONENT * np.minimum(np.abs(self._exponent(X)), _FARTHEST))

    @property
    def level(self) -> float:
        return self.variance

    def amplified(self, factor: float) -> Self:
        return replace(self, variance=self.variance * factor)

    @classmethod
    def draw(cls, rng: np.random.Generator, extent: Extent) -> Self:
        return cls(1.0, rng.uniform(-_USUAL, _USUAL) / extent.span)

    @classmethod
    def seen(cls, x: Array, y: Array, extent: Extent) -> Self:
        """By the slope of the logarithm of what neighbours differ by."""
        at, squares = differences(x, y)
        if np.ptp(at) == 0:
            return cls(1.0, 0.0)
        slope = float(np.polyfit(at, np.log(squares), 1)[0])
        return cls(1.0, float(np.clip(slope, *cls.box(extent)[1])))

    @classmethod
    def prior(cls, name: str, extent: Extent) -> tuple[Density, ...]:
        return density(name), Flat() if name == "none" else Normal(0.0, (_EXPECTED / extent.span) ** 2)

    @classmethod
    def box(cls, extent: Extent) -> tuple[tuple[float, float], ...]:
        return (QUIETEST, LOUDEST), (-_MOST / extent.span, _MOST / extent.span)

    @classmethod
    def reach(cls, extent: Extent) -> tuple[float, ...]:
        return 1.0, 1 / extent.span
