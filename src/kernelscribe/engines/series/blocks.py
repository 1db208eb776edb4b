"""Rows cut into blocks, and which of them are alike: on a regular grid all blocks without a gap have the same distances."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array

__all__ = ["Blocks", "cut", "regular_step"]

# Times lie on a grid if they are off by no more than this, in steps: what that is worth the certificate allows for. Rounding
# alone makes some of it,
OFF_GRID = 1e-10
# so many units in the last place of the largest time.
_UNITS = 8.0
# Steps between neighbours are whole numbers of the grid's if they are off by no more than this.
_WHOLE = 0.01


@dataclass(frozen=True)
class Blocks:
    """Blocks of sorted times.

    Attributes:
        edges: rows at which blocks begin, and the number of rows [P + 1].
        tau: the times at which they begin, and the last time [P + 1].
        alike: which blocks have rows one step apart, and the next block another step further [P].
        step: that step; 0 where there is none.
        off: by how much times are off the grid, at most.
    """

    edges: NDArray[np.int64]
    tau: Array
    alike: NDArray[np.bool_]
    step: float
    off: float

    def __len__(self) -> int:
        return len(self.edges) - 1

    def rows(self, p: int) -> slice:
        return slice(int(self.edges[p]), int(self.edges[p + 1]))


def regular_step(t: Array) -> tuple[float, float]:
    """The step of the grid on which sorted times lie, gaps allowed, and by how much they are off it; 0 where there is none."""
    apart = np.diff(t)
    if not len(apart) or apart.min() <= 0:
        return 0.0, 0.0
    steps = np.rint(apart / np.median(apart))
    if steps.min() < 1:
        return 0.0, 0.0
    step = float((t[-1] - t[0]) / steps.sum())
    units = np.finfo(float).eps * float(np.abs(t).max())
    off = float(np.abs(t - t[0] - step * np.concatenate([[0.0], np.cumsum(steps)])).max()) + 2 * units
    return (step, off) if off <= max(OFF_GRID * step, _UNITS * units) else (0.0, 0.0)


def cut(t: Array, size: int) -> Blocks:
    """Blocks of so many rows; the last may have fewer."""
    edges = np.append(np.arange(0, len(t), size), len(t)).astype(np.int64)
    step, off = regular_step(t)
    tau = np.append(t[edges[:-1]], t[-1])
    alike = np.zeros(len(edges) - 1, dtype=np.bool_)
    if step:
        # The last block leads nowhere, so it is like no other.
        alike[:-1] = np.abs(np.diff(tau)[:-1] - size * step) < _WHOLE * step
    return Blocks(edges, tau, alike, step, off)
