"""The canonical form: every kernel is a sum of terms, each with one exponential per entry.

    k(x, z) = Σ_t  a_t(x) a_t(z) · exp( −½ |φ_t(x) − φ_t(z)|² ),      k(x, x) = Σ_t a_t(x)².

A term is a product of leaves (see base.py): their φ are stacked, their a multiplied, and the root of the
product of their variances goes into a. `Form` is the structure, `Side` the features at some points, `Bar` their cotangents.
The arithmetic on pairs of points stands in gram.py and fused.py.

Legend: R stacked features of all terms, T terms, n points.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product as combinations

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Base, Cotangent, Features
from kernelscribe.kernels.tree import Expression, Leaf, Sum, leaves

__all__ = ["MOST_TERMS", "Bar", "Form", "Side", "expand", "terms"]

MOST_TERMS = 256


@dataclass(frozen=True, slots=True)
class Side:
    """What the terms need of n points X: φ [R, n], a [T, n]; and the leaves' own features, to pull back through."""

    X: Array
    values: tuple[Array, ...]
    features: tuple[Features, ...]
    phi: Array
    a: Array

    def block(self, start: int, stop: int) -> "Side":
        """The same for some of the points. Only the arrays of the terms are cut; pull back through the whole side."""
        return Side(self.X, self.values, self.features, self.phi[:, start:stop], self.a[:, start:stop])


@dataclass(slots=True)
class Bar:
    """Cotangents of a side: of a [T, n], and Σ_z G a(z) φ(z) for φ [R, n], from which its own follows (see `_collect`)."""

    a: Array
    phi: Array

    def block(self, start: int, stop: int) -> "Bar":
        """A view of some of the points: what is added to it is added here."""
        return Bar(self.a[:, start:stop], self.phi[:, start:stop])


@dataclass(frozen=True)
class Form:
    """The structure of a kernel, ready to be evaluated: its leaves, and its terms as sets of leaf numbers."""

    leaves: tuple[Leaf, ...]
    terms: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, expr: Expression) -> "Form":
        return cls(tuple(leaves(expr)), expand(expr))

    @cached_property
    def bases(self) -> tuple[Base, ...]:
        return tuple(leaf.base for leaf in self.leaves)

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Where each leaf's coordinates stand in a parameter vector."""
        ends = np.cumsum([len(base.parameters) for base in self.bases]).tolist()
        return tuple(slice(start, stop) for start, stop in zip([0, *ends[:-1]], ends, strict=True))

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return sum(len(base.parameters) for base in self.bases)

    @cached_property
    def positive(self) -> tuple[NDArray[np.bool_], ...]:
        return tuple(np.array([p.positive for p in base.parameters]) for base in self.bases)

    @cached_property
    def offsets(self) -> Array:
        """Rows offsets[t] to offsets[t+1] of φ belong to term t."""
        ranks = [sum(self.bases[i].rank for i in term) for term in self.terms]
        return np.concatenate([[0], np.cumsum(ranks)]).astype(np.int64)

    def side(self, X: Array, theta: Array) -> Side:
        """The features of the points X [n, D] at the coordinates theta."""
        own = zip((theta[s] for s in self.slices), self.positive, strict=True)
        values = tuple(np.where(p, np.exp(np.where(p, u, 0.0)), u) for u, p in own)
        features = tuple(
            base.features(X[:, leaf.dim - 1], v) for leaf, base, v in zip(self.leaves, self.bases, values, strict=True)
        )
        n = len(X)
        phi, a = np.empty((int(self.offsets[-1]), n)), np.ones((len(self.terms), n))
        for t, term in enumerate(self.terms):
            row = int(self.offsets[t])
            for i in term:
                phi[row : row + self.bases[i].rank] = features[i].phi
                row += self.bases[i].rank
                factor = features[i].a
                a[t] *= np.sqrt(values[i][0]) if factor is None else np.sqrt(values[i][0]) * factor
        return Side(X, values, features, phi, a)

    def bar(self, n: int) -> Bar:
        """Room for the cotangents of n points."""
        return Bar(np.zeros((len(self.terms), n)), np.zeros((int(self.offsets[-1]), n)))

    def diagonal(self, side: Side) -> Array:
        """k(x, x) at every point [n]."""
        return np.asarray(np.einsum("tn,tn->n", side.a, side.a))

    def pull_diagonal(self, side: Side, weight: float, bar: Bar) -> None:
        """Add the cotangent of weight · Σ k(x, x), to which φ adds nothing: what `_collect` takes off is put on."""
        bar.a += 2 * weight * side.a
        for t in range(len(self.terms)):
            rows = slice(int(self.offsets[t]), int(self.offsets[t + 1]))
            bar.phi[rows] += 2 * weight * side.a[t] * side.phi[rows]

    def pull(self, side: Side, bar: Bar) -> tuple[Array, Array]:
        """From the cotangents of a side to those of theta and of the points [n, D]."""
        theta_bar, X_bar = np.zeros(self.size), np.zeros_like(side.X)
        for i, (leaf, base, where) in enumerate(zip(self.leaves, self.bases, self.slices, strict=True)):
            own = Cotangent(np.zeros((base.rank, len(side.X))), np.zeros(len(side.X)))
            for t, term in enumerate(self.terms):
                if i in term:
                    self._collect(side, bar, t, i, own)
                    # a holds the root of the variance.
                    theta_bar[where.start] += 0.5 * float(side.a[t] @ bar.a[t])
            shape_bar, x_bar = base.pull(side.X[:, leaf.dim - 1], side.values[i], side.features[i], own)
            theta_bar[where.start + 1 : where.stop] = shape_bar
            X_bar[:, leaf.dim - 1] += x_bar
        return theta_bar, X_bar

    def _collect(self, side: Side, bar: Bar, t: int, i: int, own: Cotangent) -> None:
        """Add what term t contributes to the cotangents of leaf i's features: that of φ(x) is a(x) Σ_z G a(z) (φ(z) − φ(x))."""
        term = self.terms[t]
        row = int(self.offsets[t]) + sum(self.bases[j].rank for j in term[: term.index(i)])
        own.phi[:] += side.a[t] * (bar.phi[row : row + self.bases[i].rank] - bar.a[t] * side.features[i].phi)
        if side.features[i].a is not None:
            own.a[:] += bar.a[t] * self._others(side, t, i)

    def _others(self, side: Side, t: int, i: int) -> Array:
        """The term's factor a without leaf i's own: multiplied anew, since dividing fails where a(x) = 0."""
        others = np.full(len(side.X), np.sqrt(side.values[i][0]))
        for j in self.terms[t]:
            if j != i:
                factor = side.features[j].a
                others *= np.sqrt(side.values[j][0]) if factor is None else np.sqrt(side.values[j][0]) * factor
        return others


def terms(expr: Expression) -> int:
    """How many terms the kernel has when it is multiplied out, without doing so."""
    match expr:
        case Leaf():
            return 1
        case Sum(args):
            return sum(terms(arg) for arg in args)
        case _:
            return math.prod(terms(arg) for arg in expr.args)


def expand(expr: Expression) -> tuple[tuple[int, ...], ...]:
    """The terms of a kernel as tuples of leaf numbers, products distributed over sums.

    >>> from kernelscribe.kernels.language import parse
    >>> expand(parse("SE*(PER + LIN)"))
    ((0, 1), (0, 2))
    """
    found, _ = _expand(expr, 0)
    return found


def _expand(expr: Expression, first: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    if isinstance(expr, Leaf):
        return ((first,),), first + 1
    parts, at = [], first
    for arg in expr.args:
        part, at = _expand(arg, at)
        parts.append(part)
    if isinstance(expr, Sum):
        found = tuple(term for part in parts for term in part)
    else:
        if terms(expr) > MOST_TERMS:
            raise KernelError(f"the kernel has more than {MOST_TERMS} terms when multiplied out; use fewer sums inside products")
        found = tuple(sum(choice, ()) for choice in combinations(*parts))
    return found, at
