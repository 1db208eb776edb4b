"""L⁻¹ of any columns, with the factor of A that is known: the recursion of z alone, for several right-hand sides at a time."""

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.series.recursion import Forward, Matrix, relink, solved

__all__ = ["whitened"]


def whitened(matrix: Matrix, found: Forward, columns: Array) -> Array:
    """z of every column [N, m], rows in the order of time."""
    z, state = np.empty(columns.shape), np.zeros((matrix.columns.count, columns.shape[1]))
    for number in range(len(found.entries)):
        for link in relink(matrix, found, number):
            for p in range(link.first, link.first + link.count):
                rows = matrix.blocks.rows(p)
                own = solved(link.L, np.ascontiguousarray(columns[rows] - link.pieces.U @ state))
                z[rows] = own
                state = link.pieces.step.times(state) + link.W.T @ own
    return z
