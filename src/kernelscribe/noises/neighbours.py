"""A first look at noise: what neighbours along an input differ by, which hardly depends on a curve that is smooth."""

import numpy as np

from kernelscribe.arrays import Array

__all__ = ["differences"]

# Of the mean square: equal neighbours, as of rounded values, differ by no less.
_LEAST = 1e-3


def differences(x: Array, y: Array) -> tuple[Array, Array]:
    """Places between neighbours along x [n], in order, and half the square of what y [n] differs by there: the variance of
    the noise, but for what the curve adds."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    squares = 0.5 * np.diff(y) ** 2
    return 0.5 * (x[1:] + x[:-1]), np.maximum(squares, max(_LEAST * float(squares.mean()), np.finfo(np.float64).tiny))
