"""What an operator is: gates w_b(x) on one input, one a branch, that let each of its kernels act in a region of its own,

    k(x, z) = Σ_b  w_b(x) w_b(z) · k_b(x, z),

which is positive semi-definite for any real w. A gate multiplies the amplitude a of every term beneath it (exponential.py), so an
operator costs no exponential, and engines that know terms need not know operators.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from itertools import product as combinations
from typing import ClassVar

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Parametric, Role, Shape
from kernelscribe.kernels.exponential import Cotangent, Features

__all__ = ["EVERYWHERE", "Branch", "Operator", "Regions", "intersect"]

# Stretches of an input, from left to right.
Regions = tuple[tuple[float, float], ...]
EVERYWHERE: Regions = ((-math.inf, math.inf),)


class Operator(Parametric):
    """Gates on one input.

    Attributes:
        branches: what each of its kernels is called, in their order.
    """

    role: ClassVar[Role] = Role.GATE
    branches: ClassVar[tuple[str, ...]]

    @abstractmethod
    def gate(self, x: Array, values: Shape | Array, branch: int) -> Array:
        """w of one branch, from 0 to 1."""

    @abstractmethod
    def pull(self, x: Array, values: Array, branch: int, bar: Array) -> tuple[Array, Array]:
        """From the cotangents [n] of one gate to those of the optimiser's coordinates and of x [n]."""

    @abstractmethod
    def steepness(self, values: Array) -> float:
        """|d log w/dx|, at most: by which share a rounded input moves a gate."""

    @abstractmethod
    def regions(self, values: Shape, branch: int) -> Regions:
        """Where a branch acts, in words: where its gate is more than half open."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One gate as features of a term."""

    operator: Operator
    number: int
    rank: int = 0

    def features(self, x: Array, values: Array) -> Features:
        return Features(np.empty((0, x.size)), self.operator.gate(x, values, self.number))

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        return self.operator.pull(x, values, self.number, bar.a)

    def steepness(self, values: Array) -> float:
        return self.operator.steepness(values)


def intersect(one: Regions, other: Regions) -> Regions:
    """The stretches common to both, from left to right."""
    both = ((max(a, c), min(b, d)) for (a, b), (c, d) in combinations(one, other))
    return tuple(sorted((start, stop) for start, stop in both if start < stop))
