"""The line spectrum of cycles.

A cycle is a sum of lines, exp(−2 sin²(πd/p)/λ²) = Σ_n c_n e^{2πi n d/p} with c_n = e^{−z} I_|n|(z), z = λ⁻²; several cycles
multiplied have lines at the sums of their frequencies. What the lines that are left out weigh together is known from above.

Legend: z concentration, ν (nu) frequency of a line, c its weight.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ive

from kernelscribe.arrays import Array

__all__ = ["Cycle", "Lines", "heavier", "lines"]

# Harmonics are listed until what is left of all of them weighs less than this.
_REST = 1e-18
_MOST_HARMONICS = 4000
# Lines of a product, at most: every value and slope sums over all of them.
_MOST_LINES = 60_000
# Pairs of a line with a harmonic of the next cycle, at most: 64 MB of each number that a pair has.
_MOST_PAIRS = 2**23


@dataclass(frozen=True, slots=True)
class Cycle:
    """A periodic factor; centred, it has no constant part and is scaled to variance 1 without it."""

    lengthscale: float
    period: float
    centred: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """The line spectrum of a term's cycles, both signs; one line at zero where there is no cycle.

    Attributes:
        number: n_b of every cycle [L, B].
        nu: Σ_b n_b/p_b.
        weight: Π_b c_{n_b}; `slope` [L, B] its derivatives in log λ_b.
        rest: what the lines that are not listed weigh, at most.
    """

    number: NDArray[np.int64]
    nu: Array
    weight: Array
    slope: Array
    rest: float


def lines(cycles: tuple[Cycle, ...], floor: float) -> Lines:
    """The lines that weigh more than the floor."""
    if not cycles:
        return Lines(np.zeros((1, 0), dtype=np.int64), np.zeros(1), np.ones(1), np.zeros((1, 0)), 0.0)
    weight, slopes, number, rest = np.ones(1), list[Array](), list[NDArray[np.int64]](), 0.0
    for cycle in cycles:
        c, dc, beyond = _harmonics(cycle)
        half = len(c) // 2
        heavy = weight > _floor(weight, 0.0, _MOST_PAIRS // len(c))
        rest += beyond + float(weight[~heavy].sum())
        weight, slopes, number = weight[heavy], [each[heavy] for each in slopes], [each[heavy] for each in number]
        both = np.outer(weight, c)
        kept = both > _floor(both, floor, _MOST_LINES)
        rest += float(both[~kept].sum())
        i, j = np.nonzero(kept)
        slopes = [*(each[i] * c[j] for each in slopes), weight[i] * dc[j]]
        weight, number = both[i, j], [*(each[i] for each in number), j - half]
    numbers = np.stack(number, axis=1)
    periods = np.array([cycle.period for cycle in cycles])
    return Lines(numbers, (numbers / periods).sum(axis=1), weight, np.stack(slopes, axis=1), rest)


def heavier(found: Lines, most: int) -> Lines:
    """The heaviest lines; what the others weigh is part of the rest. A line and its negative stay or go together."""
    kept = found.weight > _floor(found.weight, 0.0, most)
    rest = found.rest + float(found.weight[~kept].sum())
    return Lines(found.number[kept], found.nu[kept], found.weight[kept], found.slope[kept], rest)


def _floor(weights: Array, floor: float, most: int) -> float:
    """The floor, raised where too many would stay above it."""
    if weights.size <= most:
        return floor
    return max(floor, float(np.partition(weights, -most, axis=None)[-most]))


def _harmonics(cycle: Cycle) -> tuple[Array, Array, float]:
    """c_n from −n to n, its derivative in log λ, and what lies beyond, at most.

    Beyond n weights fall at least as fast as the powers of I_{n+1}/I_n ≤ z/(n + ½ + √((n + ½)² + z²)).
    """
    z, last = cycle.lengthscale**-2.0, 8
    while True:
        c = ive(np.arange(last + 2), z)
        rest = 2 * float(c[-1]) / (1 - z / (last + 1.5 + math.hypot(last + 1.5, z)))
        if rest < _REST or last >= _MOST_HARMONICS:
            break
        last *= 2
    around = np.concatenate([c[1:2], c])
    slope = -2 * z * (0.5 * (around[: last + 1] + c[1 : last + 2]) - c[: last + 1])
    half = c[: last + 1]
    if cycle.centred:
        shown, shown_slope = 2 * float(half[1:].sum()), 2 * float(slope[1:].sum())
        half, rest = half / shown, rest / shown
        slope = slope / shown - half * (shown_slope / shown)
        half[0] = slope[0] = 0.0
    return np.concatenate([half[:0:-1], half]), np.concatenate([slope[:0:-1], slope]), rest
