"""The posterior of a series, from all rows, in time that is linear in them.

With the names of recursion.py and behind.py, for terms s at a place x in block p, w and e zero where other terms stand,

    mean_s(x)   = U_s h + k_s(x, rows of p) α_p + V_s b⁺,
    cov_s(x, z) = k_s(x, z) − U_s S U_sᵀ − w(x)ᵀw(z) − e(x)ᵀQ⁺e(z),       z in the same block,
    w(x) = L⁻¹(k_s(rows of p, x) − U S U_sᵀ),      e(x) = V_sᵀ − Ψ S U_sᵀ − Wᵀw,

the three terms being what rows before, within and behind the block tell: e is what is left of the covariance of x with the states
behind the block. From there on e⁺ = Θe, so that for z in a block behind

    cov_s(x, z) = e(x)ᵀΘᵀ ⋯ Θᵀc(z),      c(z) = U_sᵀ − Bᵀw − ΘᵀQ⁺e.

The errors are those of predicting each row from the rows before it, z of the recursion.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.effort import STANDARD
from kernelscribe.engines.posterior import Rows, Whole, cross, diagonal
from kernelscribe.engines.series.behind import Informed, RowsBehind, StateWeights, behind, runs, weights
from kernelscribe.engines.series.blocks import cut
from kernelscribe.engines.series.ingredients import amplitude_of_term, of_term
from kernelscribe.engines.series.layout import fewest_columns, least_variance, rows_a_block
from kernelscribe.engines.series.places import Numbers, Places, SomeTerms, located
from kernelscribe.engines.series.recursion import Forward, forward, relink, solved
from kernelscribe.engines.series.row_pieces import RowPieces
from kernelscribe.errors import KernelError
from kernelscribe.kernels.normal import Term
from kernelscribe.noises import Noise

__all__ = ["SeriesPosterior"]

# Columns, at most: a matrix of so many squared is no burden yet,
_MOST_COLUMNS = 2000
# and rows times columns squared: some minutes, and a report asks twenty times for a part of that.
_MOST_WORK = 2e11
# Places at once: with the rows of their blocks they fit the cache.
_AT_ONCE = 2048


@dataclass(frozen=True)
class SeriesPosterior(Whole):
    """All rows of a series.

    Attributes:
        order: the rows in time, as which all that follows goes.
        tolerance: nats that writing the kernel by states may be worth.
    """

    order: Rows
    pieces: RowPieces
    found: Forward
    tolerance: float

    @classmethod
    def of(
        cls, terms: tuple[Term, ...], noise: Noise, X: Array, y: Array, tolerance: float = STANDARD.nats_alone
    ) -> "SeriesPosterior | None":
        """None where a series does not know a term, or sharp cycles have far too many lines, or the noise is too small for
        rounding."""
        try:
            made = [of_term(term) for term in terms]
        except KernelError:
            return None
        order = np.argsort(X[:, 0], kind="stable")
        points = np.ascontiguousarray(X[order])
        t, level = np.ascontiguousarray(points[:, 0]), noise.diagonal(points)
        a = np.array([amplitude_of_term(term, t) for term in terms]).reshape(len(terms), len(t))
        columns = fewest_columns(made, t, a, least_variance(made, float(np.diff(t).min()), a, level), tolerance)
        if columns.count > _MOST_COLUMNS or len(t) * columns.count**2 > _MOST_WORK:
            return None
        blocks = cut(t, rows_a_block(columns, len(t)))
        pieces = RowPieces(t, a, level, columns, blocks, lambda rows: cross(terms, points[rows], points[rows]))
        found = forward(pieces.matrix, y[order])
        return None if found is None else cls(terms, noise, X, y, order, pieces, found, tolerance)

    @property
    def basis(self) -> str:
        return "all rows"

    @property
    def lacks(self) -> float:
        return 0.0

    @property
    def ahead(self) -> bool:
        return True

    @cached_property
    def errors(self) -> Array:
        return self._as_given(self.found.z)

    def whitened(self, mean: Array) -> tuple[Array, Array]:
        """The latter are α_i/√A⁻¹_ii."""
        return self.errors, self._as_given(self._weights.alpha / np.sqrt(self._behind.inverse))

    def unseen(self, X: Array) -> Array:
        return np.zeros(len(X))

    def term(self, j: int, X: Array) -> Array:
        return self._means(X, (j,))[:, 0]

    def means(self, X: Array) -> Array:
        return self._means(X, self._chosen(None))

    def mean(self, X: Array, terms: Sequence[Term] | None = None) -> Array:
        return np.asarray(self._means(X, self._chosen(terms)).sum(axis=1))

    def variance(self, X: Array, terms: Sequence[Term] | None = None) -> Array:
        some = self._some(self._chosen(terms))
        found, block = diagonal(some.own, X), located(self.pieces.blocks, X[:, 0])
        order = np.argsort(block, kind="stable")
        for number, own in self._stretches(block[order]):
            for run in self._runs(number):
                first, last = own.start + np.searchsorted(block[order[own]], [run.first, run.first + run.count])
                for start in range(first, last, _AT_ONCE):
                    rows = order[start : min(start + _AT_ONCE, last)]
                    found[rows] -= _Told.at(run, some.at(X[rows, 0], block[rows])).known()
                if first == own.start:
                    break
        # A difference of nearly equal numbers; rounding may leave it below zero.
        return np.maximum(found, 0.0)

    def joint(self, X: Array, terms: Sequence[Term] | None = None) -> tuple[Array, Array]:
        some = self._some(self._chosen(terms))
        block = located(self.pieces.blocks, X[:, 0])
        order = np.argsort(block, kind="stable")
        covariance = np.empty((len(X), len(X)))
        covariance[np.ix_(order, order)] = self._joint(some, X[order], block[order])
        return self.mean(X, terms), covariance

    def held_out(self, folds: Sequence[Rows]) -> Array:
        """By the posterior of the other rows."""
        found = np.empty((len(self.y), len(self.terms)))
        for fold in folds:
            found[fold] = self._without(fold).means(self.X[fold])
        return found

    def _without(self, fold: Rows) -> "SeriesPosterior":
        others = np.delete(np.arange(len(self.y)), fold)
        rest = self.of(self.terms, self.noise, self.X[others], self.y[others], self.tolerance)
        if rest is None:
            raise FloatingPointError("the covariance of the series cannot be factorised")
        return rest

    @cached_property
    def _weights(self) -> StateWeights:
        return weights(self.pieces.matrix, self.found)

    @cached_property
    def _behind(self) -> RowsBehind:
        return behind(self.pieces.matrix, self.found)

    def _some(self, numbers: tuple[int, ...]) -> SomeTerms:
        return SomeTerms(self.pieces, self.terms, numbers)

    def _as_given(self, values: Array) -> Array:
        """Of rows in time, as the rows were given."""
        found = np.empty(len(values))
        found[self.order] = values
        return found

    def _means(self, X: Array, numbers: tuple[int, ...]) -> Array:
        some, found = self._some(numbers), np.empty((len(X), len(numbers)))
        block, own = located(self.pieces.blocks, X[:, 0]), self._weights
        for start in range(0, len(X), _AT_ONCE):
            rows = slice(start, start + _AT_ONCE)
            found[rows] = some.at(X[rows, 0], block[rows]).means(own.alpha, own.h, own.b)
        return found

    def _stretches(self, block: Numbers) -> Iterator[tuple[int, slice]]:
        """From the last to the first, stretches of links that hold some of these blocks, which are sorted, and which."""
        for number in reversed(range(len(self.found.entries))):
            first, last, _ = self.found.entries[number]
            start, stop = np.searchsorted(block, [first, last]).tolist()
            if start < stop:
                yield number, slice(start, stop)

    def _runs(self, number: int) -> Iterator[Informed]:
        return runs(relink(self.pieces.matrix, self.found, number), self._behind.Q[number])

    def _joint(self, some: SomeTerms, X: Array, block: Numbers) -> Array:
        """The covariance of places that are sorted by their blocks."""
        found, before = np.empty((len(X), len(X))), len(self.found.entries)
        c = np.empty((self.pieces.columns.count, 0))
        for number, own in self._stretches(block):
            for theta in self._behind.theta[number + 1 : before][::-1]:
                c = theta.T @ c
            before = number
            for run in self._runs(number):
                behind_of = run.first + run.count
                start, stop = own.start + np.searchsorted(block[own], [run.first, behind_of])
                for p in np.unique(block[start:stop])[::-1].tolist():
                    c = np.linalg.matrix_power(run.theta, behind_of - p - 1).T @ c
                    first, last = np.searchsorted(block, [p, p + 1]).tolist()
                    here = slice(first, last)
                    told = _Told.at(run, some.at(X[here, 0], block[here]))
                    found[here, here] = cross(some.own, X[here], X[here]) - told.known_together()
                    found[here, last:] = told.e.T @ c
                    found[last:, here] = found[here, last:].T
                    c = np.concatenate([told.onwards(), run.theta.T @ c], axis=1)
                    behind_of = p
                c = np.linalg.matrix_power(run.theta, behind_of - run.first).T @ c
        return found


@dataclass(frozen=True, slots=True)
class _Told:
    """What rows before, within and behind a block tell of places in it: S U_sᵀ [R, m], w [n, m], e and Q⁺e [R, m]."""

    run: Informed
    places: Places
    carried: Array
    w: Array
    e: Array
    Qe: Array

    @classmethod
    def at(cls, run: Informed, places: Places) -> "_Told":
        link, where = run.link, places.some.where
        carried = link.S[:, where] @ places.U.T
        w = solved(link.L, np.ascontiguousarray(places.near.T - link.pieces.U @ carried))
        e = -link.pieces.step.times(carried) - link.W.T @ w
        e[where] += places.V.T
        return cls(run, places, carried, w, e, run.Q @ e)

    def known(self) -> Array:
        """Of every place."""
        before = np.einsum("mr,rm->m", self.places.U, self.carried[self.places.some.where])
        return np.asarray(before + np.einsum("nm,nm->m", self.w, self.w) + np.einsum("rm,rm->m", self.e, self.Qe))

    def known_together(self) -> Array:
        """Of every pair of places in one block."""
        return np.asarray(self.places.U @ self.carried[self.places.some.where] + self.w.T @ self.w + self.e.T @ self.Qe)

    def onwards(self) -> Array:
        """c [R, m]."""
        found = -(self.run.B.T @ self.w) - self.run.theta.T @ self.Qe
        found[self.places.some.where] += self.places.U.T
        return np.asarray(found)
