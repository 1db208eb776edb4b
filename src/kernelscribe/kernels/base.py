"""What a base kernel is: a function of one input with a variance in front, said in one noun.

A base kernel **must** give its formula with pull-back and diagonal, its parameters with their units, its starts, boxes and
priors, and its role, by which the laws, the fit and the words know it. It **may** give faster forms, which engines ask for:
`exponential`, by which a whole product costs one exponential (exponential.py), and `spectrum`, by which engines of series know it
(spectral.py). What is not overridden here is the general case.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.exponential import Exponential
from kernelscribe.kernels.spectral import Spectrum
from kernelscribe.priors import Density
from kernelscribe.scales import Extent

__all__ = [
    "Base",
    "Parameter",
    "Parametric",
    "Pulled",
    "Role",
    "Shape",
]

Shape = tuple[float, ...]


class Role(Enum):
    """What a factor does in a sentence."""

    NOISE = "noise"
    SMOOTH = "smooth"
    ROUGH = "rough"
    CYCLE = "cycle"
    DRIFT = "drift"
    BEND = "bend"
    LINE = "line"
    STEP = "step"
    KINK = "kink"
    SPELL = "spell"
    LEVEL = "level"
    GATE = "gate"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number of a base kernel, an operator or a noise, and how it behaves under a change of units.

    `variance` scales with the output, `length` with the input, `place` with the input and its origin, `rate` against the input
    (so much a unit of it), `pure` with nothing.

    Attributes:
        held: a climb leaves it where it is: it has no slope, and whoever proposes the kernel sets it.
    """

    name: str
    kind: Literal["variance", "length", "place", "rate", "pure"]
    held: bool = False

    @property
    def positive(self) -> bool:
        """Positive parameters are optimised as logarithms; a place on the axis and a rate may have either sign."""
        return self.kind not in ("place", "rate")


class Parametric(ABC):
    """Whatever owns parameters: a base kernel, or an operator. Values come in the order of `parameters`."""

    name: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    role: ClassVar[Role]

    @abstractmethod
    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        """A random starting point, by the paper's appendix "Hyperparameter initialisation and priors"."""

    @abstractmethod
    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        """A random starting point spread over every scale that the data can show, from a few steps to the whole span."""

    @abstractmethod
    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        """The densities of the optimiser's coordinates under the prior of that name."""

    @abstractmethod
    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        """Where the values (not their logarithms) may lie."""

    def index(self, quantity: str) -> int:
        """At which place the quantity of this name stands among the values."""
        return [parameter.name for parameter in self.parameters].index(quantity)

    def finest(self, shape: Shape) -> float:
        """The length over which what it makes changes: what a picture has to resolve."""
        return math.inf

    def breaks(self, shape: Shape) -> tuple[float, ...]:
        """Where what it makes jumps, or turns a corner."""
        return ()

    def has(self, quantity: str) -> bool:
        return any(parameter.name == quantity for parameter in self.parameters)


class Pulled(NamedTuple):
    """Cotangents that came through a formula: of the optimiser's shape coordinates (all but the variance), of x and of z."""

    shape: Array
    x: Array
    z: Array


class Base(Parametric):
    """A base kernel, variance · unit(x, z). The first parameter is always the variance; the others are its shape.

    Attributes:
        degree: the power of the input's unit in k/variance (2 for a line, 1 for a walk, 0 for what is stationary).
        stationary: whether k depends on x − z alone.
        exponential: features by which products cost one exponential; None where there are none.
        roundings: units in the last place by which the formula of k/variance may be off, at most; seven, as a cubic has.
    """

    degree: ClassVar[int] = 0
    stationary: ClassVar[bool] = True
    exponential: ClassVar[Exponential | None] = None
    roundings: ClassVar[float] = 7.0

    @abstractmethod
    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        """k(x, z) elementwise by its textbook formula: the oracle of every faster form."""

    @abstractmethod
    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        """From the cotangents [x, z] of k/variance at all pairs of points to those of what it is made from."""

    @abstractmethod
    def steepness(self, values: Array) -> float:
        """|d(k/variance)/dx| as a share of the root of both diagonals, at most: by how much a rounded input moves an entry. Where
        inputs stand in differences alone, from each other or from a place, it may be 0: a difference is rounded once."""

    @abstractmethod
    def flatten(self, values: Shape, extent: Extent) -> Shape:
        """Values near these that make the kernel almost constant over the data: a factor that leaves its partner as it is."""

    def diagonal(self, x: Array, values: Array) -> Array:
        """k(x, x)."""
        return np.full(len(x), values[0])

    def size(self, values: Array) -> float:
        """The mean of k(x, x) over inputs of mean 0 and variance 1: all that it depends on, and nearly all where it is cubic."""
        return float(self.diagonal(np.array([-1.0, 1.0]), values).mean())

    def spectrum(self, shape: Shape) -> Spectrum | None:
        """What the factor of these values is to engines of series; None where they cannot use it."""
        return None

    # How the kernel is read: in the normal form every factor has variance one, and none hides a constant.

    def unit(self, x: Array, z: Array, shape: Shape) -> Array:
        """The factor in normal form, elementwise."""
        return self.evaluate(x, z, np.array([1.0, *shape]))

    def unit_diagonal(self, x: Array, shape: Shape) -> Array:
        return self.diagonal(x, np.array([1.0, *shape]))

    def split(self, shape: Shape) -> tuple[tuple[float, bool], ...]:
        """The shares of the variance into which the normal form splits the kernel, each with whether the factor stays in it."""
        return ((1.0, True),)

    def merge(self, one: Shape, other: Shape) -> Shape | None:
        """The shape of the product of two such factors on one input, where that is one such factor again."""
        return None

    def swallows(self, other: "Base") -> bool:
        """Whether a factor of the other kind beside it changes nothing."""
        return False

    def gather(self, v: float, one: Shape, w: float, other: Shape) -> tuple[Shape, float] | None:
        """v·unit(one) + w·unit(other) = (v + w)·unit(shape) + c: shape and c, where there are such."""
        return None

    def identified(self, number: int) -> int:
        """How many numbers the data can tell of the sum of so many such kernels on one input."""
        return number * len(self.parameters)
