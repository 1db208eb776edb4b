"""The process given the data: by all rows while they are few, by waves for one input, else by inducing points.

A posterior on points P (all rows, or inducing points) has weights w and a reduction M of the variance. For the terms S

    mean_S(x) = K_S(x, P) w,        cov_S(x, z) = K_S(x, z) − K_S(x, P) M K_S(P, z),

so means of terms add up to the mean of their sum, and no N×N matrix is needed beyond some thousand rows.

    dense:     P = X,   w = C⁻¹y,            M = C⁻¹,               C = K + s2·I.
    inducing:  P = Z,   w = s2⁻¹ B⁻¹ K_ZX y,  M = K_ZZ⁻¹ − B⁻¹,      B = K_ZZ + s2⁻¹ K_ZX K_XZ   (the variational posterior).

Legend: L Cholesky of K_ZZ (base), A = L⁻¹K_ZX, R that of I + s2⁻¹AAᵀ (inner); U Cholesky of C (UᵀU = C); J terms.
"""

import math
import os
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky, solve_triangular
from threadpoolctl import threadpool_limits

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.evidence.engine import engine_name, inducing_points
from kernelscribe.evidence.inducing.factor import factor
from kernelscribe.evidence.inducing.points import place
from kernelscribe.kernels.base import Array
from kernelscribe.kernels.normal import Term
from kernelscribe.model.process import Posterior, Rows, cross, diagonal, each
from kernelscribe.model.spectral import Spectral
from kernelscribe.model.windowed import Windowed

__all__ = ["DENSE_ROWS", "Dense", "Inducing", "Posterior", "Rows", "condition", "cross", "diagonal", "root"]

T = TypeVar("T")

# Rows up to which all of them are used: one factorisation takes less than a second.
DENSE_ROWS = 2000
# Points that the search can afford hundreds of times are few; the posterior is found once.
_POINTS = 1024
# Rows times points squared, at most, for those that are added: some seconds.
_WORK = 5_000_000_000
_BLOCK = 2048
# Of the mean diagonal, from rounding to what still is less than any noise.
_SHARES = (1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8)


def root(C: Array) -> Array:
    """U with UᵀU = C. Where hardly any noise stands against much variance, rounding may leave C short of positive definite; then
    with the least share of its mean diagonal added that mends it."""
    for share in (0.0, *_SHARES):
        try:
            more = share * float(np.diagonal(C).mean()) * np.eye(len(C)) if share else 0.0
            return np.asarray(cholesky(C + more, lower=False, overwrite_a=True, check_finite=False))
        except LinAlgError:
            continue
    raise FloatingPointError("the covariance of the data cannot be factorised")


def _together(work: Callable[[slice], T], blocks: Sequence[slice]) -> Iterator[T]:
    """Work on blocks of rows, on all cores where there are several blocks; results in their order."""
    if len(blocks) == 1:
        yield work(blocks[0])
        return
    with threadpool_limits(1), ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(work, blocks)


def _blocks(n: int) -> list[slice]:
    return [slice(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK)]


@dataclass(frozen=True)
class Pointed(Posterior):
    """Means by weights, variances by what the data take away."""

    @property
    @abstractmethod
    def points(self) -> Array:
        """P."""

    @property
    @abstractmethod
    def weights(self) -> Array:
        """w."""

    @abstractmethod
    def known(self, K: Array) -> Array:
        """K M Kᵀ for K [n, P]."""

    @abstractmethod
    def known_diagonal(self, K: Array) -> Array:
        """Its diagonal [n]."""

    def mean(self, X: Array, terms: Sequence[Term] | None = None) -> Array:
        chosen, found = self.terms if terms is None else terms, np.empty(len(X))
        for rows in _blocks(len(X)):
            found[rows] = cross(chosen, X[rows], self.points) @ self.weights
        return found

    def predict(self, X: Array, terms: Sequence[Term] | None = None) -> tuple[Array, Array]:
        chosen = self.terms if terms is None else terms
        mean, variance = np.empty(len(X)), np.empty(len(X))
        for rows in _blocks(len(X)):
            K = cross(chosen, X[rows], self.points)
            mean[rows] = K @ self.weights
            variance[rows] = diagonal(chosen, X[rows]) - self.known_diagonal(K)
        # A difference of nearly equal numbers; rounding may leave it below zero.
        return mean, np.maximum(variance, 0.0)

    def joint(self, X: Array, terms: Sequence[Term] | None = None) -> tuple[Array, Array]:
        chosen = self.terms if terms is None else terms
        K = cross(chosen, X, self.points)
        return K @ self.weights, cross(chosen, X, X) - self.known(K)

    def means(self, X: Array) -> Array:
        return _means(self.terms, X, self.points, self.weights)


def _means(terms: Sequence[Term], X: Array, points: Array, weights: Array) -> Array:
    found = np.empty((len(X), len(terms)))

    def fill(rows: slice) -> None:
        for j, K in enumerate(each(terms, X[rows], points)):
            found[rows, j] = K @ weights

    list(_together(fill, _blocks(len(X))))
    return found


@dataclass(frozen=True)
class Dense(Pointed):
    """All rows: the exact posterior."""

    @property
    def basis(self) -> str:
        return "all rows"

    @property
    def lacks(self) -> float:
        return 0.0

    @property
    def points(self) -> Array:
        return self.X

    @cached_property
    def root(self) -> Array:
        C = cross(self.terms, self.X, self.X)
        C.flat[:: len(C) + 1] += self.noise
        return root(C)

    @cached_property
    def weights(self) -> Array:
        return np.asarray(cho_solve((self.root, False), self.y, check_finite=False))

    def known(self, K: Array) -> Array:
        V = solve_triangular(self.root, K.T, trans="T", check_finite=False)
        return np.asarray(V.T @ V)

    def known_diagonal(self, K: Array) -> Array:
        V = solve_triangular(self.root, K.T, trans="T", check_finite=False)
        return np.asarray(np.einsum("pn,pn->n", V, V))

    def held_out(self, folds: Sequence[Rows]) -> Array:
        """From one inverse for all folds: without the rows b, w_r = α_r − C⁻¹_rb (C⁻¹_bb)⁻¹ α_b for the others r."""
        inverse = cho_solve((self.root, False), np.eye(len(self.y)), check_finite=False)
        found = np.empty((len(self.y), len(self.terms)))
        for fold in folds:
            w = self.weights - inverse[:, fold] @ np.linalg.solve(inverse[np.ix_(fold, fold)], self.weights[fold])
            w[fold] = 0.0
            found[fold] = _means(self.terms, self.X[fold], self.X, w)
        return found


@dataclass(frozen=True)
class Inducing(Pointed):
    """The variational posterior with inducing points Z."""

    Z: Array
    jitter: float = 1e-8

    @property
    def basis(self) -> str:
        return f"{len(self.Z):,} inducing points"

    @cached_property
    def lacks(self) -> float:
        """By what the points explain of each other's neighbours, on some of the rows."""
        if not self.terms:
            return 0.0
        some = self.X[np.unique(np.linspace(0, len(self.y) - 1, _BLOCK).round().astype(np.int64))]
        V = solve_triangular(self._base, cross(self.terms, self.Z, some), lower=True, check_finite=False)
        return max(1 - float(np.einsum("pn,pn->", V, V) / diagonal(self.terms, some).sum()), 0.0)

    @property
    def points(self) -> Array:
        return self.Z

    @cached_property
    def _base(self) -> Array:
        if not self.terms:
            return np.eye(len(self.Z))  # nothing varies, and of nothing any factor will do
        found = factor(cross(self.terms, self.Z, self.Z), self.jitter)
        if found is None:
            raise FloatingPointError("the covariance of the inducing points cannot be factorised")
        return found.L

    def _seen(self, rows: Rows | None = None) -> tuple[Array, Array]:
        """s2⁻¹AAᵀ and s2⁻¹Ay over all rows, or over some."""
        X, y = (self.X, self.y) if rows is None else (self.X[rows], self.y[rows])
        m = len(self.Z)
        square, right = np.zeros((m, m)), np.zeros(m)

        def look(block: slice) -> tuple[Array, Array]:
            A = solve_triangular(self._base, cross(self.terms, self.Z, X[block]), lower=True, check_finite=False)
            return A @ A.T, A @ y[block]

        # Added up in their order, so that the sum does not depend on who was first.
        for own_square, own_right in _together(look, _blocks(len(y))):
            square += own_square
            right += own_right
        return square / self.noise, right / self.noise

    @cached_property
    def _whole(self) -> tuple[Array, Array]:
        return self._seen()

    @cached_property
    def _inner(self) -> Array:
        return np.asarray(cholesky(np.eye(len(self.Z)) + self._whole[0], lower=True, check_finite=False))

    def _solve(self, R: Array, right: Array) -> Array:
        inner = cho_solve((R, True), right, check_finite=False)
        return np.asarray(solve_triangular(self._base, inner, lower=True, trans="T", check_finite=False))

    @cached_property
    def weights(self) -> Array:
        return self._solve(self._inner, self._whole[1])

    def _split(self, K: Array) -> tuple[Array, Array]:
        V = solve_triangular(self._base, K.T, lower=True, check_finite=False)
        return V, solve_triangular(self._inner, V, lower=True, check_finite=False)

    def known(self, K: Array) -> Array:
        V, W = self._split(K)
        return np.asarray(V.T @ V - W.T @ W)

    def known_diagonal(self, K: Array) -> Array:
        V, W = self._split(K)
        return np.asarray(np.einsum("pn,pn->n", V, V) - np.einsum("pn,pn->n", W, W))

    def held_out(self, folds: Sequence[Rows]) -> Array:
        square, right = self._whole
        found = np.empty((len(self.y), len(self.terms)))
        for fold in folds:
            own_square, own_right = self._seen(fold)
            R = cholesky(np.eye(len(self.Z)) + square - own_square, lower=True, check_finite=False)
            found[fold] = _means(self.terms, self.X[fold], self.Z, self._solve(R, right - own_right))
        return found


def condition(data: Dataset, terms: tuple[Term, ...], noise: float, config: Config) -> Posterior:
    """The posterior of the terms: dense while the rows are few; for one input with windows where waves are too many, or with
    waves, unless inducing points were asked for or neither will do; else with inducing points."""
    n = len(data.y)
    if n <= DENSE_ROWS:
        return Dense(terms, noise, data.X, data.y)
    if data.X.shape[1] == 1 and terms and engine_name(data, config) != "inducing":
        windowed = Windowed.of(terms, noise, data.X, data.y)
        found = windowed or Spectral.of(terms, noise, data.X, data.y)
        if found is not None:
            return found
    m = max(inducing_points(data, config), min(_POINTS, math.isqrt(_WORK // n))) if terms else 1
    rng = np.random.default_rng([config.seed, 3])
    return Inducing(terms, noise, data.X, data.y, place(data.X, m, "random", rng), config.jitter)
