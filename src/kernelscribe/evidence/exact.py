"""The log marginal likelihood itself, by Cholesky, with its gradient.

    log N(y | 0, C) = −½ yᵀC⁻¹y − ½ log|C| − n/2 log 2π,    C = K + s2·I,    d/dC = ½ (ααᵀ − C⁻¹),    α = C⁻¹y.

O(n³): for a few thousand rows, and the oracle of every bound.

Legend: K Gram matrix [n, n], s2 noise variance, C their sum, L its Cholesky factor, bar a cotangent.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve, lapack

from kernelscribe.evidence.inducing.factor import inverse
from kernelscribe.kernels.base import Array
from kernelscribe.kernels.gram import Arithmetic
from kernelscribe.kernels.terms import Form

__all__ = ["Likelihood", "exact", "likelihood"]


@dataclass(frozen=True, slots=True)
class Likelihood:
    value: float
    K_bar: Array
    s2_bar: float


def likelihood(K: Array, y: Array, s2: float, *, gradient: bool = True) -> Likelihood:
    """log N(y | 0, K + s2·I) and its derivatives. K is overwritten. −inf where K + s2·I is not positive definite."""
    n = len(y)
    K.flat[:: n + 1] += s2
    # K is symmetric, so its transpose is the Fortran-ordered matrix that LAPACK wants, with no copy.
    L, info = lapack.dpotrf(K.T, lower=1, clean=1, overwrite_a=1)
    if info != 0:
        return Likelihood(-math.inf, np.zeros((n, n)), 0.0)
    alpha = cho_solve((L, True), y, check_finite=False)
    value = -0.5 * (y @ alpha) - np.log(np.diagonal(L)).sum() - 0.5 * n * math.log(2 * math.pi)
    if not gradient:
        return Likelihood(float(value), np.empty((0, 0)), 0.0)
    C_bar = np.multiply.outer(0.5 * alpha, alpha)
    C_bar -= 0.5 * inverse(L)
    return Likelihood(float(value), C_bar, float(np.trace(C_bar)))


def exact(arithmetic: Arithmetic, form: Form, theta: Array, s2: float, X: Array, y: Array) -> tuple[float, Array, float]:
    """The log marginal likelihood of a kernel at these coordinates, with its gradient in theta and s2."""
    side = form.side(X, theta)
    result = likelihood(arithmetic.gram(form, side, side), y, s2)
    if not math.isfinite(result.value):
        return result.value, np.zeros(form.size), 0.0
    rows, columns = form.bar(len(X)), form.bar(len(X))
    arithmetic.adjoint(form, side, side, result.K_bar, rows, columns)
    rows.a += columns.a
    rows.phi += columns.phi
    return result.value, form.pull(side, rows)[0], result.s2_bar
