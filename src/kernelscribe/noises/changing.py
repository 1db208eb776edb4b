"""Noise of two levels: Λ(x) = before · σ(−t) + after · σ(t), t = (x − location)/width, along the first input.

σ(t) = 1/(1 + e^−t): the gates of CHANGE, on the variance.
"""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from scipy.special import expit

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Parameter
from kernelscribe.noises.neighbours import differences
from kernelscribe.noises.noise import LOUDEST, QUIETEST, Noise
from kernelscribe.priors import Density, Flat
from kernelscribe.priors import noise as density
from kernelscribe.scales import Extent

__all__ = ["Changing"]

# This share of the span at either end has too few rows to tell a level of its own by.
_MARGIN = 0.05
# The shortest change, in steps: it lies between two rows,
_SHORTEST = 0.5
# and the longest, in spans: what takes longer grows.
_LONGEST = 0.1
# The same for starts: from a sudden change all rows beside it are of use.
_LONGEST_START = 0.02
# By what factor one level of a start is above the other, at most.
_FACTOR = 10.0
# How far a step may move the location, in spans: beyond it is another change.
_ACROSS = 0.05
# Units in the last place: of the gates, the products and the sum,
_ANY = 8.0
# and for each unit of t, of a gate that is all but shut.
_SHUT = 4.0


@dataclass(frozen=True, slots=True)
class Changing(Noise):
    """One level of noise before a place on the first input, another after it.

    Attributes:
        middle: the mean of the input, 0 where that is standardised, for `level` alone.
    """

    before: float
    after: float
    location: float
    width: float
    middle: float = 0.0

    name: ClassVar[str] = "changing"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("before", "variance"),
        Parameter("after", "variance"),
        Parameter("location", "place"),
        Parameter("width", "length"),
    )

    @property
    def values(self) -> tuple[float, ...]:
        return self.before, self.after, self.location, self.width

    @classmethod
    def of(cls, values: tuple[float, ...], middle: float = 0.0) -> Self:
        before, after, location, width = values
        return cls(before, after, location, width, middle)

    def _gates(self, x: Array) -> tuple[Array, Array, Array]:
        """t, and what both levels give."""
        t = np.asarray((x - self.location) / self.width)
        return t, np.asarray(self.before * expit(-t)), np.asarray(self.after * expit(t))

    def diagonal(self, X: Array) -> Array:
        _, early, late = self._gates(X[:, 0])
        return early + late

    def pull(self, X: Array, bar: Array) -> Array:
        t, early, late = self._gates(X[:, 0])
        # dσ/dt = σ(t)σ(−t), the same for both gates but for its sign.
        slope = bar * (self.after - self.before) * expit(t) * expit(-t)
        return np.array([bar @ early, bar @ late, -slope.sum() / self.width, -(slope @ t)])

    def rounding(self, X: Array) -> Array:
        t, early, late = self._gates(X[:, 0])
        shut = np.where(t > 0, early, late) / (early + late)
        return np.asarray(_ANY + _SHUT * np.abs(t) * shut)

    @property
    def level(self) -> float:
        return float(self.diagonal(np.array([[self.middle]]))[0])

    def amplified(self, factor: float) -> Self:
        return replace(self, before=self.before * factor, after=self.after * factor)

    @classmethod
    def draw(cls, rng: np.random.Generator, extent: Extent) -> Self:
        (low, high), (shortest, _) = cls.box(extent)[2:]
        longest = max(_LONGEST_START * extent.span, shortest)
        factor = math.exp(rng.uniform(-1.0, 1.0) * math.log(_FACTOR))
        width = math.exp(rng.uniform(math.log(shortest), math.log(longest)))
        return cls(1.0, factor, rng.uniform(low, high), width)

    @classmethod
    def seen(cls, x: Array, y: Array, extent: Extent) -> Self:
        """Where two levels explain best what neighbours differ by."""
        (low, high), (shortest, _) = cls.box(extent)[2:]
        at, squares = differences(x, y)
        sums, number = np.cumsum(squares), np.arange(1, len(squares))
        left, right = sums[:-1] / number, (sums[-1] - sums[:-1]) / (len(squares) - number)
        worth = -number * np.log(left) - (len(squares) - number) * np.log(right)
        places = 0.5 * (at[1:] + at[:-1])
        inside = (places > low) & (places < high) & (left > 0) & (right > 0)
        if not inside.any():
            return cls(1.0, 1.0, 0.5 * (low + high), shortest)
        best = int(np.argmax(np.where(inside, worth, -np.inf)))
        factor = float(np.clip(right[best] / left[best], 1 / _FACTOR, _FACTOR))
        return cls(1.0, factor, float(places[best]), shortest)

    @classmethod
    def prior(cls, name: str, extent: Extent) -> tuple[Density, ...]:
        return density(name), density(name), Flat(), Flat()

    @classmethod
    def box(cls, extent: Extent) -> tuple[tuple[float, float], ...]:
        margin, longest = _MARGIN * extent.span, _LONGEST * extent.span
        levels = (QUIETEST, LOUDEST)
        width = (min(_SHORTEST * extent.step, 0.5 * longest), longest)
        return levels, levels, (extent.low + margin, extent.high - margin), width

    @classmethod
    def reach(cls, extent: Extent) -> tuple[float, ...]:
        return 1.0, 1.0, _ACROSS * extent.span, 1.0
