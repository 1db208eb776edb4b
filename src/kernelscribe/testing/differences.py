"""Derivatives by differences, and what a check requires."""

from collections.abc import Callable

import numpy as np

from kernelscribe.arrays import Array

__all__ = ["check_gradient", "numerical_gradient", "require"]

_STEP = 1e-6


def numerical_gradient(function: Callable[[Array], float], u: Array, step: float = 5e-4) -> Array:
    """Differences of fourth order, whose step is long enough to stand above the rounding of an evidence."""
    slopes = []
    for i in range(len(u)):
        move = np.zeros_like(u)
        move[i] = step
        near, far = function(u + move) - function(u - move), function(u + 2 * move) - function(u - 2 * move)
        slopes.append((8 * near - far) / (12 * step))
    return np.array(slopes)


def check_gradient(function: Callable[[Array], float], u: Array, got: Array, tolerance: float = 1e-4) -> None:
    """A gradient against differences at several steps: short ones drown in rounding, long ones in curvature, so each
    coordinate must agree with one of them."""
    trials = np.array([numerical_gradient(function, u, step) for step in (1e-3, 1e-4, 1e-5, 1e-6)])
    scale = 1 + np.abs(trials).max()
    off = np.abs(trials - got).min(axis=0) / scale
    worst = int(off.argmax())
    require(
        bool(off[worst] <= tolerance),
        f"coordinate {worst}: gradient {got[worst]:g}, differences {np.array2string(trials[:, worst])}",
    )


def require(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)
