"""What is done group by group, in compiled loops: in NumPy each group takes thin products and several passes of its own.

A line of a group is moved by the core, then turned: for every function i of the core, with c and s the line's cosine and sine,

    (ΨX)_i = (c m₀ + s m₁, c m₁ − s m₀),        m = Σ_j core_ij X_j.
"""

import numpy as np
from numba import boolean, float64, int64, njit, void
from numpy.typing import NDArray

from kernelscribe.arrays import Array

__all__ = ["FusedLines"]

_ROW = float64[::1]
_MATRIX = float64[:, ::1]
# Sums may be taken in any order: what rounding makes of that is allowed for.
_FAST = {"contract", "reassoc"}


@njit(void(_MATRIX, _MATRIX, int64[:, ::1], _ROW, _ROW, _ROW, boolean), cache=True, nogil=True, fastmath=_FAST)
def _carry(
    X: Array, out: Array, where: NDArray[np.int64], cores: Array, cosine: Array, sine: Array, transposed: bool
) -> None:  # fmt: skip
    m = X.shape[1]
    for g in range(where.shape[0]):
        start, q, lines, core, turn = where[g, 0], where[g, 1], where[g, 2], where[g, 3], where[g, 4]
        halves = 2 * lines if lines else 1
        for i in range(q):
            for h in range(halves):
                row = start + i * halves + h
                for k in range(m):
                    out[row, k] = 0.0
            for j in range(q):
                size = cores[core + (j * q + i if transposed else i * q + j)]
                if size != 0.0:
                    for h in range(halves):
                        row, other = start + i * halves + h, start + j * halves + h
                        for k in range(m):
                            out[row, k] += size * X[other, k]
            for h in range(lines):
                c, s = cosine[turn + h], -sine[turn + h] if transposed else sine[turn + h]
                one, two = start + i * halves + h, start + i * halves + lines + h
                for k in range(m):
                    moved = out[one, k]
                    out[one, k] = c * moved + s * out[two, k]
                    out[two, k] = c * out[two, k] - s * moved


@njit(void(_MATRIX, _MATRIX, int64[:, ::1], float64, _ROW, _ROW), cache=True, nogil=True, fastmath=_FAST)
def _gather(A: Array, B: Array, where: NDArray[np.int64], times: float, cores: Array, turns: Array) -> None:
    m = A.shape[1]
    for g in range(where.shape[0]):
        start, q, lines, core, turn = where[g, 0], where[g, 1], where[g, 2], where[g, 3], where[g, 4]
        halves = 2 * lines if lines else 1
        for i in range(q):
            for j in range(q):
                total = 0.0
                for h in range(halves):
                    one, other = start + i * halves + h, start + j * halves + h
                    for k in range(m):
                        total += A[one, k] * B[other, k]
                cores[core + i * q + j] += times * total
            for h in range(lines):
                one, two = start + i * halves + h, start + i * halves + lines + h
                total = 0.0
                for k in range(m):
                    total += A[one, k] * B[two, k] - A[two, k] * B[one, k]
                turns[turn + h] += times * total


@njit(void(float64[:, :], int64, _MATRIX, _MATRIX), cache=True, nogil=True, fastmath=_FAST)
def _fill(X: Array, start: int, core: Array, turns: Array) -> None:
    for n in range(core.shape[0]):
        for i in range(core.shape[1]):
            for h in range(turns.shape[1]):
                X[n, start + i * turns.shape[1] + h] = core[n, i] * turns[n, h]


class FusedLines:
    """The loops."""

    def carry(
        self, X: Array, out: Array, where: NDArray[np.int64], cores: Array, cosine: Array, sine: Array, *, transposed: bool
    ) -> None:
        """ΨX, or ΨᵀX, into `out`. Of every group `where` has the first column, functions and lines, and where its core and its
        turns begin."""
        _carry(X, out, where, cores, cosine, sine, transposed)

    def gather(self, A: Array, B: Array, where: NDArray[np.int64], times: float, cores: Array, turns: Array) -> None:
        """Add to the cores Σ A Bᵀ, over all lines, and to the turns what each line turns by (pull.py)."""
        _gather(A, B, where, times, cores, turns)

    def fill(self, X: Array, start: int, core: Array, turns: Array) -> None:
        """Columns of a group that turns, from the first one on."""
        _fill(X, start, core, turns)
