"""The canonical form: every kernel is a sum of terms, each with one exponential per entry.

    k(x, z) = Σ_t  a_t(x) a_t(z) · exp( −½ |φ_t(x) − φ_t(z)|² ) · Π_j f_tj(x, z).

A term is a product of factors: leaves, and branches of the operations around them. Of those with an exponential form
(exponential.py) φ are stacked and a multiplied, and the root of the product of all variances goes into a. A base kernel without
that form stays as it is, a pairwise factor f of variance one. `Form` is the structure, `Side` the features at some points, `Bar`
their cotangents. The arithmetic on pairs of points stands in gram.py and fused.py.

Legend: R stacked features of all terms, T terms, n points.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product as combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Base
from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.exponential import Cotangent, Exponential, Features
from kernelscribe.kernels.operators.operator import Branch
from kernelscribe.kernels.tree import Expression, Leaf, Operation, Owner, Sum, Zero, owners

__all__ = ["MOST_TERMS", "Bar", "FactorOf", "Form", "Side", "expand", "terms"]

# Terms of a kernel, at most: searches stay below thirty.
MOST_TERMS = 256
# Points whose pairs are taken at once for the diagonal of a pairwise factor.
_DIAGONAL_BLOCK = 64


class FactorOf(NamedTuple):
    """A factor of a term: which owner of parameters it belongs to, and which branch of it, where that is an operation."""

    owner: int
    branch: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """What the terms need of n points X: φ [R, n], a [T, n]; and the factors' own features, to pull back through.

    Attributes:
        values: of every owner.
        features: of every factor; None where it is pairwise.
        amplitudes: what every factor gives to a: the root of its variance, times its own a.
        weights: what a of every term was multiplied by at every point, beside that.
    """

    X: Array
    values: tuple[Array, ...]
    features: tuple[Features | None, ...]
    amplitudes: tuple[Array | float, ...]
    phi: Array
    a: Array
    start: int = 0
    weights: Array | float = 1.0

    def weighted(self, weights: Array) -> "Side":
        """The same for the kernel w(x) k(x, z) w(z), with weights [n]."""
        return replace(self, a=self.a * weights, weights=weights)

    @property
    def points(self) -> Array:
        """Those of the side, or of the block that was cut from it."""
        return self.X[self.start : self.start + self.a.shape[1]]

    def block(self, start: int, stop: int) -> "Side":
        """The same for some of the points. Only the arrays of the terms are cut; pull back through the whole side."""
        first = self.start + start
        phi, a = self.phi[:, start:stop], self.a[:, start:stop]
        return Side(self.X, self.values, self.features, self.amplitudes, phi, a, first)


@dataclass(slots=True)
class Bar:
    """Cotangents of a side: of a [T, n], and Σ_z G a(z) φ(z) for φ [R, n], from which its own follows (see `_collect`); and of
    pairwise factors those of the coordinates [size] and of the points [n, D]."""

    a: Array
    phi: Array
    theta: Array
    X: Array

    def block(self, start: int, stop: int) -> "Bar":
        """A view of some of the points: what is added to it is added here."""
        return Bar(self.a[:, start:stop], self.phi[:, start:stop], self.theta, self.X[start:stop])

    def add(self, other: "Bar") -> None:
        """Add the cotangents of the same points."""
        self.a += other.a
        self.phi += other.phi
        self.theta += other.theta
        self.X += other.X


@dataclass(frozen=True)
class Form:
    """The structure of a kernel, ready to be evaluated: who owns parameters, their factors, and the terms as sets of factor
    numbers. Without operations, factors and owners are the leaves."""

    owners: tuple[Owner, ...]
    factors: tuple[FactorOf, ...]
    terms: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, expr: Expression) -> "Form":
        own = tuple(owners(expr))
        spread, _ = _expand(expr, 0)
        factors = sorted({factor for term in spread for factor in term})
        number = {factor: i for i, factor in enumerate(factors)}
        return cls(own, tuple(factors), tuple(tuple(number[factor] for factor in term) for term in spread))

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Where each owner's coordinates stand in a parameter vector."""
        ends = np.cumsum([len(owner.base.parameters) for owner in self.owners]).tolist()
        return tuple(slice(start, stop) for start, stop in zip([0, *ends[:-1]], ends, strict=True))

    @cached_property
    def size(self) -> int:
        """The number of coordinates."""
        return sum(len(owner.base.parameters) for owner in self.owners)

    @cached_property
    def inputs(self) -> int:
        """How many inputs there are at least."""
        return max(owner.dim for owner in self.owners)

    @cached_property
    def positive(self) -> tuple[NDArray[np.bool_], ...]:
        return tuple(np.array([p.positive for p in owner.base.parameters]) for owner in self.owners)

    @cached_property
    def varies(self) -> tuple[bool, ...]:
        """Of every owner, whether its first value is a variance."""
        return tuple(isinstance(owner, Leaf) for owner in self.owners)

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The terms as numbers of owners."""
        return tuple(tuple(self.factors[i].owner for i in term) for term in self.terms)

    @cached_property
    def features(self) -> tuple[Exponential | None, ...]:
        """The exponential form of every factor; None where it is pairwise."""
        found: list[Exponential | None] = []
        for owner, branch in self.factors:
            node = self.owners[owner]
            found.append(Branch(node.base, branch) if isinstance(node, Operation) else node.base.exponential)
        return tuple(found)

    @cached_property
    def pairwise(self) -> tuple[tuple[int, ...], ...]:
        """Of every term, the factors without an exponential form."""
        return tuple(tuple(i for i in term if self.features[i] is None) for term in self.terms)

    @cached_property
    def plain(self) -> bool:
        """Whether no factor is pairwise."""
        return not any(self.pairwise)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        return tuple(0 if each is None else each.rank for each in self.features)

    @cached_property
    def offsets(self) -> Array:
        """Rows offsets[t] to offsets[t+1] of φ belong to term t."""
        ranks = [sum(self.ranks[i] for i in term) for term in self.terms]
        return np.concatenate([[0], np.cumsum(ranks)]).astype(np.int64)

    def stationary(self, t: int) -> bool:
        """Whether a term depends on x − z alone."""
        nodes = [self.owners[i] for i in self.members[t]]
        return all(isinstance(node, Leaf) and node.base.stationary for node in nodes)

    def values(self, theta: Array) -> tuple[Array, ...]:
        """The values of every owner at these coordinates."""
        own = zip((theta[s] for s in self.slices), self.positive, strict=True)
        return tuple(np.where(p, np.exp(np.where(p, u, 0.0)), u) for u, p in own)

    def side(self, X: Array, theta: Array) -> Side:
        """The features of the points X [n, D] at the coordinates theta."""
        values = self.values(theta)
        features = tuple(
            None if form is None else form.features(X[:, self.owners[owner].dim - 1], values[owner])
            for form, (owner, _) in zip(self.features, self.factors, strict=True)
        )
        amplitudes = tuple(
            self._root(i, values) if own is None or own.a is None else self._root(i, values) * own.a
            for i, own in enumerate(features)
        )
        n = len(X)
        phi, a = np.empty((int(self.offsets[-1]), n)), np.ones((len(self.terms), n))
        for t, term in enumerate(self.terms):
            row = int(self.offsets[t])
            for i in term:
                own = features[i]
                if own is not None:
                    phi[row : row + self.ranks[i]] = own.phi
                    row += self.ranks[i]
                a[t] *= amplitudes[i]
        return Side(X, values, features, amplitudes, phi, a)

    def _root(self, i: int, values: tuple[Array, ...]) -> float:
        """The root of a factor's variance; operations have none."""
        owner = self.factors[i].owner
        return math.sqrt(values[owner][0]) if self.varies[owner] else 1.0

    def bar(self, n: int) -> Bar:
        """Room for the cotangents of n points."""
        rows = int(self.offsets[-1])
        return Bar(np.zeros((len(self.terms), n)), np.zeros((rows, n)), np.zeros(self.size), np.zeros((n, self.inputs)))

    def diagonal(self, side: Side) -> Array:
        """k(x, x) at every point [n]."""
        if self.plain:
            return np.asarray(np.einsum("tn,tn->n", side.a, side.a))
        return np.asarray(sum(self.term_diagonal(side, t) for t in range(len(self.terms))))

    def term_diagonal(self, side: Side, t: int) -> Array:
        """The same of one term."""
        return np.asarray(side.a[t] ** 2 * self._unit_diagonal(side, t))

    def _unit_diagonal(self, side: Side, t: int, without: int | None = None) -> Array:
        found = np.ones(side.a.shape[1])
        for i in self.pairwise[t]:
            if i != without:
                base, x, values = self.pair(side, i)
                found *= base.diagonal(x, values)
        return found

    def pair(self, side: Side, i: int) -> tuple[Base, Array, Array]:
        """A pairwise factor: its base kernel, its points, and its values with variance one."""
        owner = self.factors[i].owner
        node, values = self.owners[owner], side.values[owner].copy()
        values[0] = 1.0
        return BASES[node.kind], side.points[:, node.dim - 1], values

    def pull_pair(self, side: Side, i: int, other: Side, G: Array, bar: Bar, other_bar: Bar) -> None:
        """Add the cotangents that G [x, z] of a pairwise factor sends to coordinates and points."""
        owner = self.factors[i].owner
        base, x, values = self.pair(side, i)
        z, where, d = self.pair(other, i)[1], self.slices[owner], self.owners[owner].dim - 1
        pulled = base.pull(x, z, values, G)
        bar.theta[where.start + 1 : where.stop] += pulled.shape
        bar.X[:, d] += pulled.x
        other_bar.X[:, d] += pulled.z

    def pull_amplitude(self, side: Side, a_bar: Array, bar: Bar) -> None:
        """Add the cotangents [T, n] of amplitudes alone, to which φ adds nothing: what `_collect` takes off is put on."""
        bar.a += a_bar
        for t in range(len(self.terms)):
            rows = slice(int(self.offsets[t]), int(self.offsets[t + 1]))
            bar.phi[rows] += a_bar[t] * side.phi[rows]

    def pull_diagonal(self, side: Side, weight: float, bar: Bar) -> None:
        """Add the cotangent of weight · Σ k(x, x), to which φ adds nothing: what `_collect` takes off is put on."""
        for t in range(len(self.terms)):
            a = side.a[t] if not self.pairwise[t] else side.a[t] * self._unit_diagonal(side, t)
            bar.a[t] += 2 * weight * a
            rows = slice(int(self.offsets[t]), int(self.offsets[t + 1]))
            bar.phi[rows] += 2 * weight * a * side.phi[rows]
            for i in self.pairwise[t]:
                self._pull_pair_diagonal(side, i, weight * side.a[t] ** 2 * self._unit_diagonal(side, t, without=i), bar)

    def _pull_pair_diagonal(self, side: Side, i: int, weights: Array, bar: Bar) -> None:
        for start in range(0, len(weights), _DIAGONAL_BLOCK):
            stop = min(start + _DIAGONAL_BLOCK, len(weights))
            block, part = side.block(start, stop), bar.block(start, stop)
            self.pull_pair(block, i, block, np.diag(weights[start:stop]), part, part)

    def pull(self, side: Side, bar: Bar) -> tuple[Array, Array]:
        """From the cotangents of a side to those of theta and of the points [n, D]."""
        theta_bar, X_bar = bar.theta.copy(), np.zeros(side.X.shape)
        X_bar[:, : bar.X.shape[1]] += bar.X
        for i, (owner, _) in enumerate(self.factors):
            node, where, form = self.owners[owner], self.slices[owner], self.features[i]
            varies = self.varies[owner]
            own = Cotangent(np.zeros((self.ranks[i], len(side.X))), np.zeros(len(side.X)))
            for t, term in enumerate(self.terms):
                if i in term:
                    self._collect(side, bar, t, i, own)
                    if varies:  # a holds the root of the variance.
                        theta_bar[where.start] += 0.5 * float(side.a[t] @ bar.a[t])
            features = side.features[i]
            if form is not None and features is not None:
                shape_bar, x_bar = form.pull(side.X[:, node.dim - 1], side.values[owner], features, own)
                theta_bar[where.start + varies : where.stop] += shape_bar
                X_bar[:, node.dim - 1] += x_bar
        return theta_bar, X_bar

    def _collect(self, side: Side, bar: Bar, t: int, i: int, own: Cotangent) -> None:
        """Add what term t contributes to the cotangents of factor i's features: that of φ(x) is a(x) Σ_z G a(z) (φ(z) − φ(x))."""
        features, term = side.features[i], self.terms[t]
        if features is None:
            return
        row = int(self.offsets[t]) + sum(self.ranks[j] for j in term[: term.index(i)])
        own.phi[:] += side.a[t] * (bar.phi[row : row + self.ranks[i]] - bar.a[t] * features.phi)
        if features.a is not None:
            own.a[:] += bar.a[t] * self._others(side, t, i)

    def _others(self, side: Side, t: int, i: int) -> Array:
        """The term's factor a without factor i's own: multiplied anew, since dividing fails where a(x) = 0."""
        others = np.full(len(side.X), self._root(i, side.values) * side.weights)
        for j in self.terms[t]:
            if j != i:
                others *= side.amplitudes[j]
        return others


def terms(expr: Expression) -> int:
    """How many terms the kernel has when it is multiplied out, without doing so."""
    match expr:
        case Leaf():
            return 1
        case Sum(args) | Operation(args=args):
            return sum(terms(arg) for arg in args)
        case Zero():
            return 0
        case _:
            return math.prod(terms(arg) for arg in expr.args)


def expand(expr: Expression) -> tuple[tuple[int, ...], ...]:
    """The terms of a kernel as tuples of factor numbers, products distributed over sums.

    >>> from kernelscribe.kernels.language import parse
    >>> expand(parse("SE*(PER + LIN)"))
    ((0, 1), (0, 2))
    """
    return Form.of(expr).terms


def _expand(expr: Expression, first: int) -> tuple[tuple[tuple[FactorOf, ...], ...], int]:
    """The terms of an expression whose first owner has this number, and the number of the next."""
    if isinstance(expr, Leaf):
        return ((FactorOf(first),),), first + 1
    parts, at = [], first + isinstance(expr, Operation)
    for arg in expr.args:
        part, at = _expand(arg, at)
        parts.append(part)
    if isinstance(expr, Operation):
        found = tuple((FactorOf(first, branch), *term) for branch, part in enumerate(parts) for term in part)
    elif isinstance(expr, Sum | Zero):
        found = tuple(term for part in parts for term in part)
    else:
        if terms(expr) > MOST_TERMS:
            raise KernelError(f"the kernel has more than {MOST_TERMS} terms when multiplied out; use fewer sums inside products")
        found = tuple(sum(choice, ()) for choice in combinations(*parts))
    return found, at
