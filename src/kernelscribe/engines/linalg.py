"""Cholesky factors, and the jitter that makes them exist.

For any e ≥ 0, K_Nm (K_mm + eI)⁻¹ K_mN ⪯ K_Nm K_mm⁺ K_mN ⪯ K, so jitter on K_mm leaves every bound valid, only looser;
jitter on the N×N matrix would change the model. It is relative to the mean diagonal and the smallest that works.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from kernelscribe.arrays import Array

__all__ = ["LARGEST_JITTER", "SMALLEST_JITTER", "Factor", "cholesky", "factor", "inverse", "invert"]

SMALLEST_JITTER = 1e-8
LARGEST_JITTER = 1e-3


@dataclass(frozen=True, slots=True)
class Factor:
    """L Lᵀ = K_mm + jitter · mean(diag K_mm) · I."""

    L: Array
    jitter: float


def cholesky(M: Array) -> Array | None:
    """The lower factor (Fortran order), or None where the matrix is not numerically positive definite or not finite."""
    L, info = lapack.dpotrf(M, lower=1, clean=1, overwrite_a=0)
    return L if info == 0 and np.isfinite(L).all() else None


def inverse(L: Array) -> Array:
    """(L Lᵀ)⁻¹, both triangles."""
    full: Array = lapack.dpotri(L, lower=1)[0]
    # dpotri leaves the strict upper triangle as it was in L: zero.
    full += np.tril(full, -1).T
    return full


def invert(U: Array) -> Array:
    """(UᵀU)⁻¹ in the upper triangle and the memory of U (Fortran order). Below the diagonal nothing is read or written."""
    full: Array = lapack.dpotri(U, lower=0, overwrite_c=1)[0]
    return full


def factor(K: Array, jitter: float = SMALLEST_JITTER) -> Factor | None:
    """The factor of K with the smallest jitter that works, from the one given in steps of ten; None beyond 1e-3."""
    scale = float(np.diagonal(K).mean())
    if not np.isfinite(scale) or scale <= 0:
        return None
    while jitter <= LARGEST_JITTER * (1 + 1e-9):
        L = cholesky(K + jitter * scale * np.eye(len(K)))
        if L is not None:
            return Factor(L, jitter)
        jitter *= 10
    return None
