"""The only pass over the data: sums of powers and waves, from which every Gram matrix and projection is read.

    t_r(ξ) = Σ_n u_n^r e^{2πiξu_n},  |ξ| ≤ 2f;        b_r(ξ) = Σ_n u_n^r y_n e^{2πiξu_n},  |ξ| ≤ f

at ξ = j/D, j = 0, 1, …, where u = (x − centre)/span lies in [−½, ½] and f is the highest frequency, in waves a span. Negative
frequencies are conjugates. A table is made in stretches of frequencies, each by a non-uniform FFT around its middle c,

    Σ_n (s_n e^{2πi(c/D)u_n}) e^{2πi(k/D)u_n},  k = −w/2, …, w/2 − 1,

when a place in it is first asked for: one transform to all frequencies of a million rows takes no less time, and a gigabyte.
Stretches double in length from the first on, up to a largest one: digits are lost with c + |k|, so low frequencies must not share
a transform with high ones, and the first stretch stands around zero. Where stretches begin is fixed, so no number depends on what
was asked before. Between the places of a table its values follow by Lagrange's formula of 14 points: a sum over |u| ≤ ½ is so
smooth at this spacing that what is left out is 2e-15 of the largest.

Legend: u places on the unit range, r power of u, ξ (xi) frequency, D places a unit of frequency, position ξ·D.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import finufft
import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.spectral.lagrange import POINTS, lagrange
from kernelscribe.engines.spectral.table_store import TableStore
from kernelscribe.scales import typical_step

__all__ = ["FINENESS", "Complex", "Frame", "Positions", "Tables", "synthesise"]

Complex = NDArray[np.complex128]
# Whole numbers on the table's grid, or floats between its places.
Positions = NDArray[np.int64] | NDArray[np.float64]

FINENESS = 16
# Places before zero and behind the end, for interpolation there.
_PAD = POINTS
_DIGITS = 1e-14
# Positions interpolated at once: few enough that all they need stays in the processor's cache.
_PIECE = 2**13
# Places of the smallest table: its first stretch.
_SMALLEST = 2**13
# Places of the largest table: 128 MB where all of it is asked for.
_LARGEST = 2**23
# Overtones of a short cycle lie beyond the highest frequency of the sampling: tables reach so many times as far,
_OVERTONES = 4.0
# as long as they have no more places than this.
_CHEAP = 2**20


@dataclass(frozen=True, slots=True)
class Frame:
    """The range that the unit range stands for."""

    centre: float
    span: float

    @classmethod
    def over(cls, low: float, high: float) -> "Frame":
        return cls(0.5 * (low + high), high - low)

    def unit(self, x: Array) -> Array:
        """Places on the unit range."""
        return np.asarray((x - self.centre) / self.span)


def _transform(u: Array, strengths: Array, first: int, end: int) -> Complex:
    """Σ_n s_n e^{2πi(j/D)u_n} for j from `first` to before `end`; of those that begin below zero the middle is zero."""
    centre, half = ((first + end) // 2, (end - first) // 2) if first > 0 else (0, end)
    turns = (centre / FINENESS) * u
    shifted = strengths * np.exp(2j * np.pi * (turns - np.rint(turns)))
    modes = finufft.nufft1d1((2 * np.pi / FINENESS) * u, shifted, n_modes=2 * half, eps=_DIGITS, isign=1, nthreads=1)
    return np.asarray(modes[first - centre + half :])


def synthesise(u: Array, xi: Array, cosines: Array, sines: Array) -> Array:
    """Σ_k cosines_k cos(2πξ_k u) + sines_k sin(2πξ_k u) at every place."""
    if len(xi) == 0:
        return np.zeros(len(u))
    packed = np.asarray(cosines - 1j * sines, dtype=np.complex128)
    waves = finufft.nufft1d3(np.asarray(xi, dtype=np.float64), packed, 2 * np.pi * u, eps=1e-12, isign=1, nthreads=1)
    return np.asarray(waves.real)


@dataclass(frozen=True)
class Tables:
    """The sums of one data set.

    Attributes:
        last: the last position at which a feature may stand.
    """

    frame: Frame
    u: Array
    y: Array
    last: int
    _sums: TableStore = field(default_factory=TableStore, repr=False, compare=False)

    @classmethod
    def of(cls, x: Array, y: Array, frame: Frame | None = None) -> Self:
        """For data at x; the frame is their range when not given."""
        own = Frame.over(float(x.min()), float(x.max())) if frame is None else frame
        u = own.unit(x)
        highest = FINENESS * 0.5 / typical_step(u)
        beyond = max(highest, min(_OVERTONES * highest, _CHEAP // 2), _SMALLEST // 2)
        return cls(own, u, y, int(min(beyond, _LARGEST // 2)))

    @cached_property
    def energy(self) -> float:
        """yᵀy."""
        return float(self.y @ self.y)

    @cached_property
    def moments(self) -> Array:
        """Σ u^r, for polynomials of degree up to 16."""
        found, power = [], np.ones_like(self.u)
        for _ in range(17):
            found.append(float(power.sum()))
            power *= self.u
        return np.array(found)

    def powers(self, polynomial: Array, at: Positions) -> Complex:
        """Σ_r p_r t_r at these positions, negative ones included."""
        return self._look(False, polynomial, at)

    def targets(self, polynomial: Array, at: Positions) -> Complex:
        """Σ_r p_r b_r at these positions."""
        return self._look(True, polynomial, at)

    def _look(self, targets: bool, polynomial: Array, at: Positions) -> Complex:
        where = np.abs(at)
        places = where.ravel().astype(np.int64) + _PAD
        parts = [(p, self._table(targets, r, places)) for r, p in enumerate(polynomial) if p != 0]
        self._sums.tidy()
        size = int(places.max(initial=0)) + _PAD + 1
        if len(parts) > 1 and at.size >= size:
            # One table to look at, where there are more looks than places.
            parts = [(1.0, np.asarray(sum(p * table[:size] for p, table in parts)))]
        found = np.zeros(at.shape, dtype=np.complex128)
        if np.issubdtype(at.dtype, np.integer):
            _add(found, parts, where.astype(np.int64, copy=False) + _PAD)
        else:
            flat, result = where.ravel(), found.reshape(-1)
            for start in range(0, flat.size, _PIECE):
                piece = slice(start, start + _PIECE)
                _interpolate(result[piece], parts, flat[piece])
        # Of negative positions the conjugates.
        np.negative(found.imag, out=found.imag, where=at < 0)
        return found

    def _table(self, targets: bool, r: int, places: NDArray[np.int64]) -> Complex:
        """With what is needed at these places, counted from −_PAD on, and around them."""
        found = self._sums.get((targets, r))

        def make(start: int, end: int) -> Complex:
            strengths = self.u**r * (self.y if targets else 1.0)
            return _transform(self.u, strengths, start - _PAD, end - _PAD)

        found.reach(places, _PAD, make)
        return found.values


def _add(found: Complex, parts: list[tuple[float, Complex]], index: NDArray[np.int64]) -> None:
    for p, table in parts:
        found += table[index] if p == 1 else p * table[index]


def _interpolate(found: Complex, parts: list[tuple[float, Complex]], where: Array) -> None:
    base = np.floor(where).astype(np.int64)
    for j, weight in enumerate(lagrange(where - base)):
        point = np.zeros(len(where), dtype=np.complex128)
        _add(point, parts, base + (_PAD - POINTS // 2 + 1 + j))
        point *= weight
        found += point
