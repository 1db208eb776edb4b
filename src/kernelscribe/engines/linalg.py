"""Cholesky factors, and the jitter that makes them exist.

For any e ≥ 0, K_Nm (K_mm + eI)⁻¹ K_mN ⪯ K_Nm K_mm⁺ K_mN ⪯ K, so jitter on K_mm leaves every bound valid, only looser;
jitter on the N×N matrix would change the model. It is relative to the mean diagonal and the smallest that works.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from kernelscribe.arrays import Array

__all__ = ["LARGEST_JITTER", "SMALLEST_JITTER", "Jittered", "cholesky", "factor", "inverse", "invert", "root"]

SMALLEST_JITTER = 1e-8
LARGEST_JITTER = 1e-3
# Shares of the mean diagonal that mend a covariance of all rows: from rounding to what still is less than any noise.
_MENDING = (0.0, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8)


@dataclass(frozen=True, slots=True)
class Jittered:
    """L Lᵀ = K + jitter · mean(diag K) · I."""

    L: Array
    jitter: float


def cholesky(M: Array, *, lower: bool = True, overwrite: bool = False) -> Array | None:
    """The lower factor (Fortran order), or the upper, or None where the matrix is not numerically positive definite or not
    finite. Only that triangle is read."""
    if not len(M):
        return M
    L, info = lapack.dpotrf(M, lower=lower, clean=1, overwrite_a=overwrite)
    # What is not finite anywhere is not so on the diagonal of the same row.
    return L if info == 0 and np.isfinite(np.diagonal(L)).all() else None


def inverse(L: Array) -> Array:
    """(L Lᵀ)⁻¹, both triangles."""
    if not len(L):
        return L
    full: Array = lapack.dpotri(L, lower=1)[0]
    # dpotri leaves the strict upper triangle as it was in L: zero.
    full += np.tril(full, -1).T
    return full


def invert(U: Array) -> Array:
    """(UᵀU)⁻¹ in the upper triangle and the memory of U (Fortran order). Below the diagonal nothing is read or written."""
    full: Array = lapack.dpotri(U, lower=0, overwrite_c=1)[0]
    return full


def factor(K: Array, jitter: float = SMALLEST_JITTER) -> Jittered | None:
    """The factor of K with the smallest jitter that works, from the one given in steps of ten; None beyond 1e-3."""
    return _jittered(K, _tens(jitter), lower=True)


def root(C: Array) -> Array:
    """U with UᵀU = C. Where hardly any noise stands against much variance, rounding may leave C short of positive definite; then
    with the least share of its mean diagonal added that mends it."""
    found = _jittered(C, _MENDING, lower=False)
    if found is None:
        raise FloatingPointError("the covariance of the data cannot be factorised")
    return found.L


def _tens(jitter: float) -> Iterator[float]:
    while jitter <= LARGEST_JITTER * (1 + 1e-9):
        yield jitter
        jitter *= 10


def _jittered(K: Array, shares: Iterable[float], *, lower: bool) -> Jittered | None:
    """With the first of these shares of its mean diagonal that makes it positive definite."""
    scale = float(np.diagonal(K).mean())
    if not np.isfinite(scale) or scale <= 0:
        return None
    for share in shares:
        L = cholesky(K + share * scale * np.eye(len(K)), lower=lower, overwrite=True)
        if L is not None:
            return Jittered(L, share)
    return None
