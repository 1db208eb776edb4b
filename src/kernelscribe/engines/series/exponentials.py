"""The Gaussian as a sum of few exponentials, each with proven bounds of its error.

exp(−d²/2) = 2 Re Σ_j w_j e^(−s_j d) + error(d),      d = |x − z|/ℓ ≥ 0.

J exponentials are J/2 pairs of a rate with its conjugate. The error peaks 2J + 1 times at one height, signs in turn: the mark
of the least largest error that 2J parameters give. One more pair is worth a factor of 85.

| J | largest error | ∫ of it, both sides | weight |
|---|---|---|---|
| 2 | 1.38e-02 | 1.2e-01 | 1.95 |
| 4 | 1.65e-04 | 1.9e-03 | 4.47 |
| 6 | 1.95e-06 | 2.7e-05 | 9.94 |
| 8 | 2.27e-08 | 3.6e-07 | 22 |
| 10 | 2.65e-10 | 4.8e-09 | 48.4 |
| 12 | 3.09e-12 | 6.0e-11 | 107 |
| 14 | 3.60e-14 | 7.6e-13 | 235 |

The second column holds for every d ≥ 0; the third takes the largest error of every cell for all of it. Both are proven in
interval arithmetic for the doubles as stored (scripts/exponentials.py), where all else is exact.

They say nothing of rounding: exponentials that are computed with errors of δ make one of weight·δ in the sum, weight = 2Σ|w|.
Computed at once, as e^(−a d)·(Re w cos bd + Im w sin bd) with functions right to a unit in the last place, the sum is off by
weight·(6 + J/2)u at most, u = 2⁻⁵³: for each w functions and products cost e^(−a d)·(7 + (a + b)d)u, which is 7u at most since
b < 2a, and adding up J/2 − 1 more. With J = 14 that is 3e-13 (measured: 2e-14), ten times the error of the sum itself, so that
J = 16 would gain nothing. An engine that takes e^(−s d) apart into factors counts their roundings itself.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.series.exponential_table import CELL, TABLE

__all__ = ["CELL", "SUMS", "Exponentials", "fewest"]

# Three roundings of a sum of positive numbers, and room.
_ROUNDING = 1e-15


@dataclass(frozen=True, slots=True)
class Exponentials:
    """A sum of exponentials and bounds of its error.

    Attributes:
        rates: s_j with positive real and imaginary parts, [J/2].
        weights: w_j, [J/2].
        largest: bound of |error(d)| for every d ≥ 0.
        cells: the same for d in [k·CELL, (k + 1)·CELL), k = 0, 1, ...
        tail: beyond the cells, |error(d)| ≤ tail·exp(−decay·(d − len(cells)·CELL)).
        decay: the least real part of the rates.
    """

    rates: NDArray[np.complex128]
    weights: NDArray[np.complex128]
    largest: float
    cells: Array
    tail: float
    decay: float

    @property
    def integral(self) -> float:
        """Bound of ∫|error(d)| over d ≥ 0, with the largest error of each cell in all of it."""
        return (CELL * math.fsum(self.cells) + self.tail / self.decay) * (1 + _ROUNDING)

    @property
    def weight(self) -> float:
        """2Σ|w_j|: how much larger an error of the exponentials can be in their sum."""
        return 2 * math.fsum(np.abs(self.weights)) * (1 + _ROUNDING)


def _stored(rates: tuple[complex, ...], weights: tuple[complex, ...], tail: float, cells: tuple[float, ...]) -> Exponentials:
    found = Exponentials(np.array(rates), np.array(weights), max(cells), np.array(cells), tail, min(s.real for s in rates))
    for each in (found.rates, found.weights, found.cells):
        each.flags.writeable = False
    return found


# From few exponentials to many: 2, 4, ..., 14.
SUMS: tuple[Exponentials, ...] = tuple(_stored(*each) for each in TABLE)


def fewest(allowed: float) -> Exponentials | None:
    """The sum of fewest exponentials whose error is at most that; None where there is none.

    >>> [2 * len(fewest(allowed).rates) for allowed in (1e-3, 1e-6, 1e-9)], fewest(1e-15)
    ([4, 8, 10], None)
    """
    return next((each for each in SUMS if each.largest <= allowed), None)
