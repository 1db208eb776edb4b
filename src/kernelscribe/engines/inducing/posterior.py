"""The variational posterior with inducing points Z:  w = B⁻¹ K_ZX Λ⁻¹ y,  M = K_ZZ⁻¹ − B⁻¹,  B = K_ZZ + K_ZX Λ⁻¹ K_XZ.

Legend: Λ noise, L Cholesky of K_ZZ (base), A = L⁻¹K_ZX, R that of I + AΛ⁻¹Aᵀ (inner); pointed.py has the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import factor
from kernelscribe.engines.pointed import BLOCK_ROWS, Pointed, blocks, term_means, together
from kernelscribe.engines.posterior import Rows, cross, diagonal
from kernelscribe.engines.weights import Weights

__all__ = ["InducingPosterior"]


@dataclass(frozen=True)
class InducingPosterior(Pointed):
    """The variational posterior with inducing points Z."""

    Z: Array
    jitter: float = 1e-8

    @property
    def basis(self) -> str:
        return f"{len(self.Z):,} inducing points"

    @property
    def sparse(self) -> bool:
        return True

    @cached_property
    def lacks(self) -> float:
        """By what the points explain of each other's neighbours, on some of the rows."""
        if not self.terms:
            return 0.0
        some = self.X[np.unique(np.linspace(0, len(self.y) - 1, BLOCK_ROWS).round().astype(np.int64))]
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
        """AΛ⁻¹Aᵀ and AΛ⁻¹y over all rows, or over some."""
        X, y = (self.X, self.y) if rows is None else (self.X[rows], self.y[rows])
        weights, m = Weights.of(self.noise, X), len(self.Z)
        y = weights.target(y)
        square, right = np.zeros((m, m)), np.zeros(m)

        def look(block: slice) -> tuple[Array, Array]:
            A = solve_triangular(self._base, cross(self.terms, self.Z, X[block]), lower=True, check_finite=False)
            A *= weights.w[block]
            return A @ A.T, A @ y[block]

        # Added up in their order, so that the sum does not depend on who was first.
        for own_square, own_right in together(look, blocks(len(y))):
            square += own_square
            right += own_right
        return square / weights.s2, right / weights.s2

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
            found[fold] = term_means(self.terms, self.X[fold], self.Z, self._solve(R, right - own_right))
        return found
