"""Oracles that know nothing of the engines: the textbook's matrix, and the evidence of so many rows that no matrix fits."""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.tree import Expression, Leaf, Operation, Sum, Zero

__all__ = ["evaluate", "toeplitz_evidence"]


def evaluate(expr: Expression, X: Array, Z: Array) -> Array:
    """The Gram matrix of a kernel by the textbook formulas of its leaves, added and multiplied as the tree says."""
    if isinstance(expr, Leaf):
        column = expr.dim - 1
        return expr.base.evaluate(X[:, column][:, None], Z[:, column][None], np.array(expr.values))
    if isinstance(expr, Zero):
        return np.zeros((len(X), len(Z)))
    if isinstance(expr, Operation):
        x, z, values = X[:, expr.dim - 1], Z[:, expr.dim - 1], expr.values or ()
        gates = [np.outer(expr.base.gate(x, values, b), expr.base.gate(z, values, b)) for b in range(len(expr.args))]
        return np.asarray(sum(gate * evaluate(arg, X, Z) for gate, arg in zip(gates, expr.args, strict=True)))
    parts = np.stack([evaluate(arg, X, Z) for arg in expr.args])
    return np.asarray(parts.sum(axis=0) if isinstance(expr, Sum) else parts.prod(axis=0))


def toeplitz_evidence(r: Array, y: Array) -> float:
    """log N(y | 0, T) for the Toeplitz matrix T with first row r, by Durbin's recursion: the innovations of the best linear
    predictor, in O(N²) time and O(N) memory."""
    n, phi, variance = len(y), np.zeros(len(y)), float(r[0])
    logdet, quadratic = math.log(variance), float(y[0]) ** 2 / variance
    for k in range(1, n):
        own = phi[: k - 1]
        reflection = (r[k] - own @ r[k - 1 : 0 : -1]) / variance
        own -= reflection * own[::-1].copy()
        phi[k - 1] = reflection
        variance *= 1 - reflection**2
        error = y[k] - phi[:k] @ y[k - 1 :: -1]
        logdet += math.log(variance)
        quadratic += float(error**2 / variance)
    return float(-0.5 * (quadratic + logdet + n * math.log(2 * math.pi)))
