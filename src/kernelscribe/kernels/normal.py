"""The normal form in which a kernel is read: a sum of terms that hide nothing in each other.

Products are multiplied out, operators become gates of the terms beneath them, factors that are one are merged, and every base
kernel is split into the shares that it declares, as PER into a cycle of mean zero and a constant: no term holds a constant
that belongs to another. Terms with equal factors are added, and terms that differ in one factor alone are gathered where their
base kernel knows how, as two lines into one line and a constant. White noise swallows every stationary factor beside it: of two
different points it says nothing, and of one point they are 1.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product as combinations

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Base, Role
from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.operators import OPERATORS
from kernelscribe.kernels.operators.operator import EVERYWHERE, Operator, Regions, intersect
from kernelscribe.kernels.tree import Expression, Leaf, Operation
from kernelscribe.kernels.units import Affine, in_user_units

__all__ = ["Factor", "Term", "gather", "normal", "times"]

_ORDER = {name: i for i, name in enumerate((*BASES, *OPERATORS))}


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of a term, of variance 1 (or slope 1), on one input (counted from 1).

    Attributes:
        kind: the name of its base kernel or operator.
        values: its shape: all values but the variance, in the order of its parameters.
        branch: of an operator, which of its branches the term stands in.
    """

    kind: str
    dim: int
    values: tuple[float, ...] = ()
    branch: int = 0

    def __str__(self) -> str:
        return f"{self.kind}{self.dim}"

    @property
    def base(self) -> Base | Operator:
        return BASES.get(self.kind) or OPERATORS[self.kind]

    @property
    def role(self) -> Role:
        return self.base.role

    def __getitem__(self, quantity: str) -> float:
        """The value of this name, as in factor["period"]."""
        return self.values[self.at(quantity)]

    def at(self, quantity: str) -> int:
        """Where among its values the one of this name stands."""
        return self.base.index(quantity) - (len(self.base.parameters) - len(self.values))

    def evaluate(self, x: Array, z: Array) -> Array:
        """At pairs of numbers that NumPy can broadcast."""
        base = self.base
        if isinstance(base, Operator):
            return np.asarray(base.gate(x, self.values, self.branch) * base.gate(z, self.values, self.branch))
        return base.unit(x, z, self.values)

    def cross(self, X: Array, Z: Array) -> Array:
        """At all pairs of points X [n, D] and Z [m, D]."""
        return self.evaluate(X[:, self.dim - 1, None], Z[None, :, self.dim - 1])

    def diagonal(self, X: Array) -> Array:
        base, x = self.base, X[:, self.dim - 1]
        return (
            np.square(base.gate(x, self.values, self.branch))
            if isinstance(base, Operator)
            else base.unit_diagonal(x, self.values)
        )

    @property
    def stationary(self) -> bool:
        return isinstance(self.base, Base) and self.base.stationary

    def user(self, axis: Affine) -> "Factor":
        """The same in the user's units."""
        own = self.base.parameters[-len(self.values) :] if self.values else ()
        return replace(self, values=tuple(in_user_units(p, v, axis) for p, v in zip(own, self.values, strict=True)))


@dataclass(frozen=True, slots=True)
class Term:
    """variance · the product of the factors; a constant where there are none."""

    variance: float
    factors: tuple[Factor, ...] = ()

    def __str__(self) -> str:
        return "*".join(str(factor) for factor in self.factors) or "C"

    def of(self, role: Role, dim: int | None = None) -> tuple[Factor, ...]:
        """The factors that play a role, on one input or on all."""
        return tuple(each for each in self.factors if each.role is role and dim in (None, each.dim))

    @property
    def dims(self) -> tuple[int, ...]:
        """The inputs on which the term depends, in order."""
        return tuple(sorted({factor.dim for factor in self.factors if factor.role is not Role.NOISE}))

    @property
    def stationary(self) -> bool:
        return all(each.stationary for each in self.factors)

    @property
    def regions(self) -> Regions:
        """Where on the input of its gates the term acts."""
        found = EVERYWHERE
        for each in self.factors:
            if isinstance(each.base, Operator):
                found = intersect(found, each.base.regions(each.values, each.branch))
        return found

    def cross(self, X: Array, Z: Array) -> Array:
        """k(x, z) for all pairs of points X [n, D] and Z [m, D]."""
        K = np.full((len(X), len(Z)), self.variance)
        for each in self.factors:
            K *= each.cross(X, Z)
        return K

    def diagonal(self, X: Array) -> Array:
        """k(x, x) at every point."""
        k = np.full(len(X), self.variance)
        for each in self.factors:
            k *= each.diagonal(X)
        return k

    def user(self, inputs: Sequence[Affine], output: Affine) -> "Term":
        """The same in the user's units."""
        variance = self.variance * output.scale**2
        for each in self.factors:
            degree = each.base.degree if isinstance(each.base, Base) else 0
            variance /= inputs[each.dim - 1].scale ** degree
        return Term(variance, tuple(each.user(inputs[each.dim - 1]) for each in self.factors))


def normal(expr: Expression) -> tuple[Term, ...]:
    """The terms of a kernel with values, in the order in which they are met.

    >>> from kernelscribe.kernels.language import parse
    >>> kernel = parse("SE(variance=1, lengthscale=2)*PER(variance=1, lengthscale=1, period=3)")
    >>> [str(term) for term in normal(kernel)]
    ['SE1*PER1', 'SE1']
    """
    form = Form.of(expr)
    met: dict[tuple[Factor, ...], list[Term]] = {}
    for term in form.terms:
        for piece in _pieces([(form.owners[form.factors[i].owner], form.factors[i].branch) for i in term]):
            met.setdefault(piece.of(Role.GATE), []).append(piece)
    return tuple(term for terms in met.values() for term in gather(terms))


def gather(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Their sum with as few terms: equal factors added, terms that differ in one factor alone made one where that can be."""
    return tuple(_gathered(_added(terms)))


def times(one: Term, other: Term) -> Term:
    """The product of two terms as one."""
    return Term(one.variance * other.variance, _multiplied([*one.factors, *other.factors]))


def _pieces(members: Sequence[tuple[Leaf | Operation, int]]) -> list[Term]:
    """A product of leaves and gates, each leaf in the shares that its base kernel is split into."""
    variance, choices = 1.0, list[list[tuple[float, Factor | None]]]()
    for owner, branch in members:
        if owner.values is None:
            raise KernelError(f"{owner} has no values to read")
        if isinstance(owner, Operation):
            choices.append([(1.0, Factor(owner.kind, owner.dim, owner.values, branch))])
            continue
        variance *= owner.values[0]
    merged = _merged_leaves([owner for owner, _ in members if isinstance(owner, Leaf)])
    choices += [_shares(factor) for factor in merged]
    found = []
    for choice in combinations(*choices):
        share = math.prod(weight for weight, _ in choice)
        found.append(Term(variance * share, _multiplied([factor for _, factor in choice if factor is not None])))
    return found


def _merged_leaves(leaves: Sequence[Leaf]) -> list[Factor]:
    factors = [Factor(leaf.kind, leaf.dim, (leaf.values or ())[1:]) for leaf in leaves]
    return _merged(sorted(factors, key=lambda factor: (factor.dim, _ORDER[factor.kind])))


def _shares(factor: Factor) -> list[tuple[float, Factor | None]]:
    return [(share, factor if stays else None) for share, stays in BASES[factor.kind].split(factor.values)]


def _merged(factors: Iterable[Factor]) -> list[Factor]:
    """Factors, those that are one merged."""
    found: list[Factor] = []
    for each in factors:
        for i, known in enumerate(found):
            shape = _merge(known, each)
            if shape is not None:
                found[i] = replace(known, values=shape)
                break
        else:
            found.append(each)
    return found


def _merge(one: Factor, other: Factor) -> tuple[float, ...] | None:
    if (one.kind, one.dim) != (other.kind, other.dim) or not isinstance(one.base, Base):
        return None
    return one.base.merge(one.values, other.values)


def _multiplied(factors: Sequence[Factor]) -> tuple[Factor, ...]:
    """Factors merged, without those that others swallow, in order."""
    kept = _merged(factors)
    bases = [each.base for each in kept]
    swallowed = [
        any(isinstance(one, Base) and one is not base and one.swallows(base) for one in bases)
        if isinstance(base, Base)
        else False
        for base in bases
    ]
    left = [each for each, gone in zip(kept, swallowed, strict=True) if not gone]
    return tuple(sorted(left, key=lambda f: (f.dim, _ORDER[f.kind], f.values, f.branch)))


def _added(terms: Sequence[Term]) -> list[Term]:
    """Terms with equal factors added up."""
    sums: dict[tuple[Factor, ...], float] = {}
    for term in terms:
        sums[term.factors] = sums.get(term.factors, 0.0) + term.variance
    return [Term(variance, factors) for factors, variance in sums.items()]


def _gathered(terms: list[Term]) -> list[Term]:
    """Where two terms differ in the shape of their only factor of a kind on an input: one such term, and what it leaves over."""
    for i, one in enumerate(terms):
        for j, other in enumerate(terms[i + 1 :], start=i + 1):
            merged = _gather(one, other)
            if merged is not None:
                kept = [*terms[:i], merged[0], *terms[i + 1 : j], *terms[j + 1 :], merged[1]]
                return _gathered(_added(kept))
    return terms


def _gather(one: Term, other: Term) -> tuple[Term, Term] | None:
    # Counted, not as sets: LIN1*LIN2*LIN2*PER1 and LIN1*LIN2*PER1*PER1 differ in more than where their LIN1 stand.
    only, another = Counter(one.factors) - Counter(other.factors), Counter(other.factors) - Counter(one.factors)
    if only.total() != 1 or another.total() != 1:
        return None
    (a,), (b,) = only, another
    if (a.kind, a.dim) != (b.kind, b.dim) or _alike(one, a) > 1 or _alike(other, b) > 1 or not isinstance(a.base, Base):
        return None
    found = a.base.gather(one.variance, a.values, other.variance, b.values)
    if found is None:
        return None
    shape, rest = found
    factors = tuple(replace(a, values=shape) if each == a else each for each in one.factors)
    return Term(one.variance + other.variance, factors), Term(rest, tuple(each for each in one.factors if each != a))


def _alike(term: Term, factor: Factor) -> int:
    return sum((each.kind, each.dim) == (factor.kind, factor.dim) for each in term.factors)
