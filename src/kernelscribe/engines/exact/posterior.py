"""The posterior on all rows:  w = C⁻¹y,  M = C⁻¹,  C = K + s2·I  (see pointed.py). U is the Cholesky factor of C, UᵀU = C."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky, solve_triangular

from kernelscribe.arrays import Array
from kernelscribe.engines.pointed import Pointed, term_means
from kernelscribe.engines.posterior import Rows, cross

__all__ = ["Dense", "root"]

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
            found[fold] = term_means(self.terms, self.X[fold], self.X, w)
        return found
