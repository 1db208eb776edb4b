"""log p(y) in as many digits as are asked for, for what 64 binary ones cannot tell."""

import mpmath
import numpy as np

from kernelscribe.kernels import Leaf, Sum

DIGITS = 60


def precise(expr, X, y, s2):
    """log N(y | 0, K + s2·I) by the textbook and by elimination, of these very numbers."""
    with mpmath.workdps(DIGITS):
        points = [[mpmath.mpf(float(value)) for value in row] for row in X]
        A = np.array([[_kernel(expr, x, z) for z in points] for x in points], dtype=object)
        for i in range(len(y)):
            A[i, i] += mpmath.mpf(s2)
        return float(_density(A, np.array([mpmath.mpf(float(value)) for value in y], dtype=object)))


def _kernel(expr, x, z):
    if isinstance(expr, Leaf):
        own, other, v = x[expr.dim - 1], z[expr.dim - 1], [mpmath.mpf(value) for value in expr.values]
        match expr.kind:
            case "SE":
                return v[0] * mpmath.exp(-((own - other) ** 2) / (2 * v[1] ** 2))
            case "PER":
                return v[0] * mpmath.exp(-2 * mpmath.sin(mpmath.pi * (own - other) / v[2]) ** 2 / v[1] ** 2)
            case _:
                return v[0] * (own - v[1]) * (other - v[1])
    parts = [_kernel(arg, x, z) for arg in expr.args]
    return mpmath.fsum(parts) if isinstance(expr, Sum) else mpmath.fprod(parts)


def _density(A, rest):
    total = len(rest) * mpmath.log(2 * mpmath.pi)
    for j in range(len(rest)):
        total += mpmath.log(A[j, j]) + rest[j] ** 2 / A[j, j]
        column = A[j + 1 :, j] / A[j, j]
        rest[j + 1 :] -= column * rest[j]
        A[j + 1 :, j + 1 :] -= np.multiply.outer(column, A[j, j + 1 :])
    return -total / 2
