"""Posteriors on points P (all rows, or inducing points), with weights w and a reduction M of the variance. For the terms S

    mean_S(x) = K_S(x, P) w,        cov_S(x, z) = K_S(x, z) − K_S(x, P) M K_S(P, z),

so means of terms add up to the mean of their sum, and no N×N matrix is needed beyond some thousand rows.
"""

import os
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

from kernelscribe.arrays import Array
from kernelscribe.engines.posterior import Posterior, cross, diagonal, each
from kernelscribe.kernels.normal import Term

__all__ = ["BLOCK_ROWS", "Pointed", "blocks", "term_means", "together"]

T = TypeVar("T")

# Rows that are taken at once: few enough for a block of the kernel to stay in the cache's neighbourhood.
BLOCK_ROWS = 2048


def together(work: Callable[[slice], T], blocks: Sequence[slice]) -> Iterator[T]:
    """Work on blocks of rows, on all cores where there are several blocks; results in their order."""
    if len(blocks) == 1:
        yield work(blocks[0])
        return
    with threadpool_limits(1), ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(work, blocks)


def blocks(n: int) -> list[slice]:
    return [slice(start, min(start + BLOCK_ROWS, n)) for start in range(0, n, BLOCK_ROWS)]


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
        for rows in blocks(len(X)):
            found[rows] = cross(chosen, X[rows], self.points) @ self.weights
        return found

    def predict(self, X: Array, terms: Sequence[Term] | None = None) -> tuple[Array, Array]:
        chosen = self.terms if terms is None else terms
        mean, variance = np.empty(len(X)), np.empty(len(X))
        for rows in blocks(len(X)):
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
        return term_means(self.terms, X, self.points, self.weights)


def term_means(terms: Sequence[Term], X: Array, points: Array, weights: Array) -> Array:
    found = np.empty((len(X), len(terms)))

    def fill(rows: slice) -> None:
        for j, K in enumerate(each(terms, X[rows], points)):
            found[rows, j] = K @ weights

    list(together(fill, blocks(len(X))))
    return found
