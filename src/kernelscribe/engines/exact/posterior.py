"""The posterior on all rows:  w = C⁻¹y,  M = C⁻¹,  C = K + s2·I  (see pointed.py). U is the Cholesky factor of C, UᵀU = C."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_solve, solve_triangular

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import root
from kernelscribe.engines.pointed import Pointed, term_means
from kernelscribe.engines.posterior import Rows, cross

__all__ = ["Dense"]


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
