"""Lagrange's formula of 14 points, by which tables are read between their places."""

import math

import numpy as np

from kernelscribe.arrays import Array

__all__ = ["POINTS", "lagrange"]

# Neighbours that a value between two places is made of: what is left out is 2e-15 of the largest value.
POINTS = 14
_NODES = range(1 - POINTS // 2, POINTS // 2 + 1)
_SCALES = [1 / math.prod(float(node - other) for other in _NODES if other != node) for node in _NODES]


def lagrange(shift: Array) -> list[Array]:
    """The weights of the points −6, …, 7 at places in [0, 1)."""
    gaps = [shift - node for node in _NODES]
    before, after = [np.ones_like(shift)], [np.ones_like(shift)]
    for gap in gaps[:-1]:
        before.append(before[-1] * gap)
    for gap in gaps[:0:-1]:
        after.append(after[-1] * gap)
    return [scale * before[j] * after[POINTS - 1 - j] for j, scale in enumerate(_SCALES)]
