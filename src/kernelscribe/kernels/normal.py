"""The normal form in which a kernel is read: a sum of terms that hide nothing in each other.

Products are multiplied out, SE on one input merged, and every PER is split into a cycle of mean zero and a constant,

    PER = a·PER₀ + b,    b = v·exp(−1/λ²)·I₀(1/λ²),    a = v − b,

so that no term holds a constant that belongs to another. Lines that share their other factors are one line and a constant:
v₁(x−l₁)(z−l₁) + v₂(x−l₂)(z−l₂) = v(x−l)(z−l) + c,  with v = v₁+v₂,  l = (v₁l₁+v₂l₂)/v,  c = v₁v₂(l₁−l₂)²/v.
Terms with equal factors are added.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product as combinations

import numpy as np
from scipy.special import i0e

from kernelscribe.errors import KernelError
from kernelscribe.kernels.algebra import distribute
from kernelscribe.kernels.base import Array
from kernelscribe.kernels.expression import Expression, Leaf, leaves
from kernelscribe.kernels.units import Affine

__all__ = ["Factor", "Term", "normal"]

_ORDER = ("SE", "PER", "LIN")


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of a term, of variance 1 (SE, PER) or slope 1 (LIN), on one input (counted from 1).

    Attributes:
        kind: SE, PER (of mean zero) or LIN.
        values: SE: lengthscale; PER: lengthscale (unit-free), period; LIN: location.
    """

    kind: str
    dim: int
    values: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self.kind}{self.dim}"

    def evaluate(self, x: Array, z: Array) -> Array:
        """At pairs of numbers that NumPy can broadcast."""
        match self.kind, self.values:
            case "SE", (lengthscale,):
                return np.asarray(np.exp(-0.5 * ((x - z) / lengthscale) ** 2))
            case "PER", (lengthscale, period):
                hidden = float(i0e(lengthscale**-2))
                wave = np.exp(-2 * (np.sin(np.pi * (x - z) / period) / lengthscale) ** 2)
                return np.asarray((wave - hidden) / (1 - hidden))
            case "LIN", (location,):
                return np.asarray((x - location) * (z - location))
        raise AssertionError(self)

    def user(self, axis: Affine) -> "Factor":
        """The same in the user's units."""
        match self.kind, self.values:
            case "SE", (lengthscale,):
                return replace(self, values=(lengthscale * axis.scale,))
            case "PER", (lengthscale, period):
                return replace(self, values=(lengthscale, period * axis.scale))
            case "LIN", (location,):
                return replace(self, values=(location * axis.scale + axis.centre,))
        raise AssertionError(self)


@dataclass(frozen=True, slots=True)
class Term:
    """variance · the product of the factors; a constant where there are none."""

    variance: float
    factors: tuple[Factor, ...] = ()

    def __str__(self) -> str:
        return "*".join(str(factor) for factor in self.factors) or "C"

    def of(self, kind: str, dim: int | None = None) -> tuple[Factor, ...]:
        """The factors of a kind, on one input or on all."""
        return tuple(each for each in self.factors if each.kind == kind and dim in (None, each.dim))

    @property
    def dims(self) -> tuple[int, ...]:
        """The inputs on which the term depends, in order."""
        return tuple(sorted({factor.dim for factor in self.factors}))

    @property
    def stationary(self) -> bool:
        return not self.of("LIN")

    def cross(self, X: Array, Z: Array) -> Array:
        """k(x, z) for all pairs of points X [n, D] and Z [m, D]."""
        K = np.full((len(X), len(Z)), self.variance)
        for each in self.factors:
            K *= each.evaluate(X[:, each.dim - 1, None], Z[None, :, each.dim - 1])
        return K

    def diagonal(self, X: Array) -> Array:
        """k(x, x) at every point."""
        k = np.full(len(X), self.variance)
        for each in self.of("LIN"):
            k *= (X[:, each.dim - 1] - each.values[0]) ** 2
        return k

    def user(self, inputs: Sequence[Affine], output: Affine) -> "Term":
        """The same in the user's units."""
        variance = self.variance * output.scale**2
        for each in self.of("LIN"):
            variance /= inputs[each.dim - 1].scale ** 2
        return Term(variance, tuple(each.user(inputs[each.dim - 1]) for each in self.factors))


def normal(expr: Expression) -> tuple[Term, ...]:
    """The terms of a kernel with values, in the order in which they are met.

    >>> from kernelscribe.kernels.parse import parse
    >>> kernel = parse("SE(variance=1, lengthscale=2)*PER(variance=1, lengthscale=1, period=3)")
    >>> [str(term) for term in normal(kernel)]
    ['SE1*PER1', 'SE1']
    """
    met = [term for part in distribute(expr) for term in _split(part)]
    return tuple(_one_line(_added(met)))


def _split(part: Expression) -> list[Term]:
    """A product of leaves, each PER taken as a cycle of mean zero or as its constant."""
    variance, choices = 1.0, []
    for leaf in leaves(part):
        if leaf.values is None:
            raise KernelError(f"{leaf} has no values to read")
        variance *= leaf.values[0]
        choices.append(_choices(leaf, leaf.values[1:]))
    found = []
    for choice in combinations(*choices):
        share = math.prod(weight for weight, _ in choice)
        factors = sorted((f for _, f in choice if f is not None), key=lambda f: (f.dim, _ORDER.index(f.kind), f.values))
        found.append(Term(variance * share, tuple(factors)))
    return found


def _choices(leaf: Leaf, values: tuple[float, ...]) -> list[tuple[float, Factor | None]]:
    factor = Factor(leaf.kind, leaf.dim, values)
    if leaf.kind != "PER":
        return [(1.0, factor)]
    hidden = float(i0e(values[0] ** -2))
    return [(1 - hidden, factor), (hidden, None)]


def _added(terms: Sequence[Term]) -> list[Term]:
    """Terms with equal factors added up."""
    sums: dict[tuple[Factor, ...], float] = {}
    for term in terms:
        sums[term.factors] = sums.get(term.factors, 0.0) + term.variance
    return [Term(variance, factors) for factors, variance in sums.items()]


def _one_line(terms: list[Term]) -> list[Term]:
    """Where two terms differ in the location of their only LIN on an input: one line, and what it leaves over."""
    for i, one in enumerate(terms):
        for j, other in enumerate(terms[i + 1 :], start=i + 1):
            merged = _merge(one, other)
            if merged is not None:
                kept = [*terms[:i], merged[0], *terms[i + 1 : j], *terms[j + 1 :], merged[1]]
                return _one_line(_added(kept))
    return terms


def _merge(one: Term, other: Term) -> tuple[Term, Term] | None:
    only, another = set(one.factors) - set(other.factors), set(other.factors) - set(one.factors)
    if len(only) != 1 or len(another) != 1 or len(one.factors) != len(other.factors):
        return None
    (a,), (b,) = only, another
    if a.kind != "LIN" or b.kind != "LIN" or a.dim != b.dim or len(one.of("LIN", a.dim)) > 1 or len(other.of("LIN", b.dim)) > 1:
        return None
    v, w, (l,), (k,) = one.variance, other.variance, a.values, b.values  # noqa: E741
    line = Factor("LIN", a.dim, ((v * l + w * k) / (v + w),))
    factors = tuple(line if each == a else each for each in one.factors)
    rest = tuple(each for each in one.factors if each != a)
    return Term(v + w, factors), Term(v * w * (l - k) ** 2 / (v + w), rest)
