"""What a base kernel is: one input, a variance, and the form

    k(x, z) = variance · a(x) a(z) · exp( −½ |φ(x) − φ(z)|² ),

so that the exponent vanishes at x = z. Products of such kernels have the same form (a multiplies, φ is stacked), which is why a
whole product costs one exponential. The difference is squared as it stands: multiplied out, its terms would cancel where two
points lie close together far from the origin. Both sides of the kernel use the same features, so a base kernel says how to
compute them and how to pull cotangents back through them, and nothing about matrices or bounds.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.priors import Density

__all__ = ["Base", "Cotangent", "Extent", "Features", "Parameter", "typical_step"]

# Values nearer to each other than this share of the mean distance are the same place measured twice, as by a jittering clock.
_SAME = 1e-6


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number of a base kernel and how it behaves under a change of units.

    `variance` scales with the output, `length` with the input, `place` with the input and its origin, `pure` with nothing.
    """

    name: str
    kind: Literal["variance", "length", "place", "pure"]

    @property
    def positive(self) -> bool:
        """Positive parameters are optimised as logarithms; only a place on the axis may have either sign."""
        return self.kind != "place"


@dataclass(frozen=True, slots=True)
class Extent:
    """What starting values and priors need to know of one input column: its span, its typical step, the row count."""

    low: float
    high: float
    step: float

    @property
    def span(self) -> float:
        return self.high - self.low

    @classmethod
    def of(cls, x: Array) -> "Extent":
        """The extent of a column. Its step is `typical_step`."""
        return cls(float(x.min()), float(x.max()), typical_step(x))


def typical_step(x: Array) -> float:
    """The median distance of neighbouring values: gaps do not move it, nor do values that are all but the same, whose distances
    are less than a millionth of the mean one; 1 where all are the same."""
    gaps = np.diff(np.sort(x))
    gaps = gaps[gaps > _SAME * gaps.mean()] if gaps.size else gaps
    return float(np.median(gaps)) if gaps.size else 1.0


class Features(NamedTuple):
    """φ [rank, n] and a [n] of a base kernel at n points; `a` is None where it is 1."""

    phi: Array
    a: Array | None


class Cotangent(NamedTuple):
    """The derivative of some scalar with regard to φ [rank, n] and a [n]."""

    phi: Array
    a: Array


class Base(Protocol):
    """A base kernel. Its values come in the order of `parameters`; the first is always the variance.

    `degree` is the power of the input's unit in k/variance (2 for LIN, else 0); `stationary` says that a is 1 and that
    the exponent depends on x − z alone.
    """

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> tuple[Parameter, ...]: ...
    @property
    def rank(self) -> int: ...
    @property
    def degree(self) -> int: ...
    @property
    def stationary(self) -> bool: ...

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        """k(x, z) elementwise by its textbook formula: the oracle of the features."""
        ...

    def features(self, x: Array, values: Array) -> Features: ...

    def steepness(self, values: Array) -> float:
        """|dφ/dx|, at most: by how much a rounded input moves the features. Certificates allow for that."""
        ...

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        """From cotangents of the features to those of the optimiser's shape coordinates (all but the variance) and of x [n]."""
        ...

    def draw(self, rng: np.random.Generator, extent: Extent) -> tuple[float, ...]:
        """A random starting point, by the paper's appendix "Hyperparameter initialisation and priors"."""
        ...

    def scatter(self, rng: np.random.Generator, extent: Extent) -> tuple[float, ...]:
        """A random starting point spread over every scale that the data can show, from a few steps to the whole span."""
        ...

    def flatten(self, values: tuple[float, ...], extent: Extent) -> tuple[float, ...]:
        """Values near these that make the kernel almost constant over the data: a factor that leaves its partner as it is."""
        ...

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        """The densities of the optimiser's coordinates under the prior of that name."""
        ...

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        """Where the values (not their logarithms) may lie."""
        ...
