"""The log marginal likelihood itself, by Cholesky, with its gradient.

    log N(y | 0, C) = −½ yᵀC⁻¹y − ½ log|C| − n/2 log 2π,    C = K + diag s2,    d/dC = ½ (ααᵀ − C⁻¹),    α = C⁻¹y.

O(n³): for a few thousand rows, and the oracle of every bound. All in one triangle of one matrix: K, C, its factor, its
inverse and the derivative take each other's place.

Legend: K Gram matrix [n, n], s2 noise variances [n], C their sum, U its Cholesky factor (UᵀU = C), bar a cotangent.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, lapack

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import invert
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.gram import Arithmetic

__all__ = ["Likelihood", "exact", "likelihood"]

_NONE = np.empty((0, 0))


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The value, Σ s2·α², the derivative in s2 [n], and minus that in the entries of the lower triangle of K, if asked for.

    An entry off the diagonal stands for two of the matrix: C⁻¹ − ααᵀ there, half of that on the diagonal.
    """

    value: float
    energy: float
    descent: Array
    s2_bar: Array


def likelihood(K: Array, y: Array, s2: Array, *, gradient: bool = True) -> Likelihood:
    """log N(y | 0, K + diag s2) and its derivatives. −inf where K + diag s2 is not positive definite.

    Only the lower triangle of K is read. It is overwritten, and is the memory of the derivative.
    """
    n = len(y)
    np.einsum("ii->i", K)[:] += s2
    # The lower triangle in C order is the upper in Fortran's, which LAPACK takes without a copy.
    U, info = lapack.dpotrf(K.T, lower=0, clean=0, overwrite_a=1)
    if info != 0:
        return Likelihood(-math.inf, math.inf, _NONE, np.zeros(n))
    alpha = lapack.dpotrs(U, y, lower=0)[0]
    value = -0.5 * blas.ddot(y, alpha) - np.log(np.diagonal(U)).sum() - 0.5 * n * math.log(2 * math.pi)
    least = float(s2.min())
    energy = least * blas.ddot(alpha, alpha * (s2 / least))
    if not gradient:
        return Likelihood(float(value), energy, _NONE, np.zeros(n))
    descent = blas.dsyr(-1.0, alpha, lower=0, a=invert(U), overwrite_a=1).T
    diagonal = np.einsum("ii->i", descent)
    diagonal *= 0.5
    return Likelihood(float(value), energy, descent, -diagonal)


def exact(arithmetic: Arithmetic, form: Form, theta: Array, s2: Array, X: Array, y: Array) -> tuple[float, Array, Array]:
    """The log marginal likelihood of a kernel at these coordinates, with its gradient in theta and in s2 at every row."""
    side = form.side(X, theta)
    result = likelihood(arithmetic.symmetric_gram(form, side), y, s2)
    if not math.isfinite(result.value):
        return result.value, np.zeros(form.size), np.zeros(len(y))
    bar = form.bar(len(X))
    arithmetic.symmetric_adjoint(form, side, result.descent, bar)
    return result.value, -form.pull(side, bar)[0], result.s2_bar
