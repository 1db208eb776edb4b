"""The normal form in which a kernel is read: a sum of terms that hide nothing in each other.

Products are multiplied out, SE on one input merged, and every PER is split into a cycle of mean zero and a constant,

    PER = a·PER₀ + b,    b = v·exp(−1/λ²)·I₀(1/λ²),    a = v − b,

so that no term holds a constant that belongs to another. Lines that share their other factors are one line and a constant:
v₁(x−l₁)(z−l₁) + v₂(x−l₂)(z−l₂) = v(x−l)(z−l) + c,  with v = v₁+v₂,  l = (v₁l₁+v₂l₂)/v,  c = v₁v₂(l₁−l₂)²/v.
Terms with equal factors are added. White noise, which no search proposes but other systems' kernels hold, swallows every
stationary factor beside it: of two different points it says nothing, and of one point they are 1.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product as combinations

import numpy as np
from scipy.special import i0e

from kernelscribe.arrays import Array
from kernelscribe.errors import KernelError
from kernelscribe.kernels.laws import distribute
from kernelscribe.kernels.tree import Expression, Leaf, leaves
from kernelscribe.kernels.units import Affine

__all__ = ["Factor", "Term", "gather", "normal", "times"]

_ORDER = ("WN", "SE", "PER", "LIN")
# A cycle that shows less of its variance than this, next to the constant it hides, is computed with care.
_LITTLE = 1e-3
# Below this 1/λ², the cycle's share 1 − exp(−1/λ²)I₀(1/λ²) would lose more digits by subtraction than its series leaves out.
_SERIES = 1e-4


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of a term, of variance 1 (SE, PER) or slope 1 (LIN), on one input (counted from 1).

    Attributes:
        kind: SE, PER (of mean zero), LIN, or WN (white noise, which belongs to whole points: its input counts for nothing).
        values: SE: lengthscale; PER: lengthscale (unit-free), period; LIN: location; WN: none.
    """

    kind: str
    dim: int
    values: tuple[float, ...] = ()

    def __str__(self) -> str:
        return self.kind if self.kind == "WN" else f"{self.kind}{self.dim}"

    def evaluate(self, x: Array, z: Array) -> Array:
        """At pairs of numbers that NumPy can broadcast."""
        match self.kind, self.values:
            case "WN", ():
                return np.asarray(x == z, dtype=float)
            # In place, since a hundred thousand rows by hundreds of points wait for memory more than for arithmetic.
            case "SE", (lengthscale,):
                d = np.asarray(x - z)
                d *= d
                d *= -0.5 / lengthscale**2
                return np.asarray(np.exp(d, out=d))
            case "PER", (lengthscale, period):
                shown = _shown(lengthscale)
                d = np.asarray((np.pi / period) * (x - z))
                np.sin(d, out=d)
                d *= d
                d *= -2 / lengthscale**2
                # exp − hidden = (exp − 1) + (1 − hidden), where neither bracket loses digits; that takes three times as long.
                if shown < _LITTLE:
                    np.expm1(d, out=d)
                    d += shown
                else:
                    np.exp(d, out=d)
                    d -= 1 - shown
                d /= shown
                return d
            case "LIN", (location,):
                return np.asarray((x - location) * (z - location))
        raise AssertionError(self)

    def cross(self, X: Array, Z: Array) -> Array:
        """At all pairs of points X [n, D] and Z [m, D]."""
        if self.kind != "WN":
            return self.evaluate(X[:, self.dim - 1, None], Z[None, :, self.dim - 1])
        return np.asarray((X[:, None] == Z[None]).all(axis=2), dtype=float)

    def user(self, axis: Affine) -> "Factor":
        """The same in the user's units."""
        match self.kind, self.values:
            case "WN", ():
                return self
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
        return tuple(sorted({factor.dim for factor in self.factors if factor.kind != "WN"}))

    @property
    def stationary(self) -> bool:
        return not self.of("LIN")

    def cross(self, X: Array, Z: Array) -> Array:
        """k(x, z) for all pairs of points X [n, D] and Z [m, D]."""
        K = np.full((len(X), len(Z)), self.variance)
        for each in self.factors:
            K *= each.cross(X, Z)
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

    >>> from kernelscribe.kernels.language import parse
    >>> kernel = parse("SE(variance=1, lengthscale=2)*PER(variance=1, lengthscale=1, period=3)")
    >>> [str(term) for term in normal(kernel)]
    ['SE1*PER1', 'SE1']
    """
    return gather([term for part in distribute(expr) for term in _split(part)])


def gather(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Their sum with as few terms: equal factors added, lines that share their other factors made one."""
    return tuple(_one_line(_added(terms)))


def times(one: Term, other: Term) -> Term:
    """The product of two terms as one: SE on one input merged, and all that is stationary gone where there is white noise."""
    smooth: dict[int, float] = {}
    rest: list[Factor] = []
    for each in (*one.factors, *other.factors):
        if each.kind == "SE":
            (length,), known = each.values, smooth.get(each.dim)
            smooth[each.dim] = length if known is None else length * known / math.hypot(length, known)
        else:
            rest.append(each)
    merged = rest + [Factor("SE", dim, (length,)) for dim, length in smooth.items()]
    noise = next((each for each in merged if each.kind == "WN"), None)
    if noise is not None:
        merged = [noise, *(each for each in merged if each.kind == "LIN")]
    return Term(one.variance * other.variance, _sorted(merged))


def _sorted(factors: Sequence[Factor]) -> tuple[Factor, ...]:
    return tuple(sorted(factors, key=lambda f: (f.dim, _ORDER.index(f.kind), f.values)))


def _shown(lengthscale: float) -> float:
    """The cycle's share of a PER, a/v = 1 − exp(−z)I₀(z) with z = 1/λ²; for small z by its series."""
    z = lengthscale**-2
    return z * (1 - z * (3 / 4 - z * 5 / 12)) if z < _SERIES else 1 - float(i0e(z))


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
        found.append(Term(variance * share, _sorted([factor for _, factor in choice if factor is not None])))
    return found


def _choices(leaf: Leaf, values: tuple[float, ...]) -> list[tuple[float, Factor | None]]:
    factor = Factor(leaf.kind, leaf.dim, values)
    if leaf.kind != "PER":
        return [(1.0, factor)]
    shown = _shown(values[0])
    return [(shown, factor), (1 - shown, None)]


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
    # Counted, not as sets: LIN1*LIN2*LIN2*PER1 and LIN1*LIN2*PER1*PER1 differ in more than where their LIN1 stand.
    only, another = Counter(one.factors) - Counter(other.factors), Counter(other.factors) - Counter(one.factors)
    if only.total() != 1 or another.total() != 1:
        return None
    (a,), (b,) = only, another
    if a.kind != "LIN" or b.kind != "LIN" or a.dim != b.dim or len(one.of("LIN", a.dim)) > 1 or len(other.of("LIN", b.dim)) > 1:
        return None
    v, w, (l,), (k,) = one.variance, other.variance, a.values, b.values  # noqa: E741
    line = Factor("LIN", a.dim, ((v * l + w * k) / (v + w),))
    factors = tuple(line if each == a else each for each in one.factors)
    rest = tuple(each for each in one.factors if each != a)
    return Term(v + w, factors), Term(v * w * (l - k) ** 2 / (v + w), rest)
