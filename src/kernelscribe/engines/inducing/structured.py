"""Matrices D + F Fᵀ with D easy and F thin: what the Nyström, FIC and PIC approximations have in common.

    (D + FFᵀ)⁻¹ = D⁻¹ − D⁻¹F (I + FᵀD⁻¹F)⁻¹ FᵀD⁻¹,        log|D + FFᵀ| = log|D| + log|I + FᵀD⁻¹F|

(the paper's appendix "Matrix Identities"). With F = K_Nm L⁻ᵀ, so that FFᵀ = K̂:
    nystrom  D = s2·I                     the model of DTC, and below K + s2·I in the Loewner order
    fic      D = s2·I + diag(K − K̂)       the diagonal corrected
    pic      D = s2·I + blocks(K − K̂)     diagonal blocks corrected

Legend: F [N, m], D [N, N], G = D⁻¹F, s2 noise variance.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import cholesky

__all__ = ["KINDS", "Structured", "fic", "nystrom", "pic"]

KINDS = ("nystrom", "fic", "pic", "none")


@dataclass(frozen=True, slots=True)
class Structured:
    """D + F Fᵀ, factored: what solves with it and its determinant need."""

    weigh: Callable[[Array], Array]
    G: Array
    inner: Array
    logdet: float

    def solve(self, r: Array) -> Array:
        """(D + FFᵀ)⁻¹ r."""
        inside: Array = cho_solve((self.inner, True), self.G.T @ r, check_finite=False)
        return self.weigh(r) - self.G @ inside

    def density(self, y: Array) -> float:
        """log N(y | 0, D + FFᵀ)."""
        return float(-0.5 * (y @ self.solve(y) + self.logdet + len(y) * math.log(2 * math.pi)))


def _structured(F: Array, weigh: Callable[[Array], Array], logdet: float) -> Structured:
    G = weigh(F)
    inner = cholesky(np.eye(F.shape[1]) + F.T @ G)
    if inner is None:
        raise FloatingPointError("I + FᵀD⁻¹F is not positive definite")
    return Structured(weigh, G, inner, logdet + 2 * float(np.log(np.diagonal(inner)).sum()))


def nystrom(F: Array, s2: float) -> Structured:
    """K̂ + s2·I."""
    return _structured(F, lambda r: r / s2, len(F) * math.log(s2))


def fic(F: Array, s2: float, diagonal: Array) -> Structured:
    """K̂ + diag(K − K̂) + s2·I, from the diagonal of K. Rounding may leave K − K̂ below zero; it is clamped."""
    d = s2 + np.maximum(diagonal - np.einsum("nm,nm->n", F, F), 0.0)
    return _structured(F, lambda r: (r.T / d).T, float(np.log(d).sum()))


def pic(F: Array, s2: float, tile: Callable[[int, int], Array], size: int) -> Structured:
    """K̂ + blocks(K − K̂) + s2·I, from diagonal tiles of K of that many rows: `tile(start, stop)`."""
    n, starts = len(F), range(0, len(F), size)
    factors, logdet = [], 0.0
    for start in starts:
        part = F[start : start + size]
        block = tile(start, min(start + size, n)) - part @ part.T
        block.flat[:: len(block) + 1] += s2
        factors.append(_definite(block, s2))
        logdet += 2 * float(np.log(np.diagonal(factors[-1])).sum())

    def weigh(r: Array) -> Array:
        pairs = zip(starts, factors, strict=True)
        return np.concatenate([cho_solve((L, True), r[start : start + size], check_finite=False) for start, L in pairs])

    return _structured(F, weigh, logdet)


def _definite(block: Array, s2: float) -> Array:
    """The factor of s2·I + (K − K̂); where rounding spoils it, of its nearest matrix with eigenvalues of at least s2."""
    L = cholesky(block)
    if L is not None:
        return L
    values, vectors = np.linalg.eigh(block)
    root = vectors * np.sqrt(np.maximum(values, s2))
    triangle = np.linalg.qr(root.T).R
    # The diagonal's sign is free; the log-determinant wants it positive.
    return np.asarray(triangle.T * np.sign(np.diagonal(triangle)))
