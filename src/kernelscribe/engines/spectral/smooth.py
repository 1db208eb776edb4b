"""Sums over the data under a Gaussian window, wherever it stands: read from the tables, at no cost that grows with the data.

    g(t, ξ) = Σ_n p(u_n) e^{−(u_n−t)²/L²} e^{2πiξu_n} = Σ_j ω_j T(ξ + x_j) e^{−2πi x_j t},   ω_j = δL√π e^{−π²L²x_j²},   x_j = jδ,

where T = Σ_r p_r t_r comes from the tables (Poisson's formula: the window repeats at distances 1/δ, which no place of the data
sees). δ is a whole number of the tables' places, so that one set of Lagrange's weights serves a whole row of x_j. At regular t
the sum over j is an FFT, at others a non-uniform one. What a scalar owes to g it owes to T by the adjoint of the same
transform, h_j = Σ_t ḡ(t)* e^{−2πi x_j t}, and its derivatives follow:

    in ξ: Re Σ_j 2πi ω_j h_j T⁺(ξ + x_j),        in log L: Re Σ_j (1 − 2π²L²x_j²) ω_j h_j T(ξ + x_j),

with u·p for p in T⁺; a shift of t gives −2πi x_j.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import finufft
import numpy as np
import scipy.fft
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.spectral.lagrange import POINTS, lagrange
from kernelscribe.engines.spectral.tables import FINENESS, Complex, Tables

__all__ = ["FAR", "Regular", "Scattered", "TableRow", "WindowSums"]

# Windows e^{−d²/L²} end at this distance, in L, and their spectra at this frequency, in 1/L: both have fallen to 1e-17.
FAR = math.sqrt(17 * math.log(10))
_HIGH = FAR / math.pi
_DIGITS = 1e-14
# Frequencies this near to a place of the table, in places, stand on it.
_ON = 1e-13


@dataclass(frozen=True, slots=True)
class TableRow:
    """Consecutive values of a table, from the position `first` on."""

    values: Complex
    first: int

    @classmethod
    def between(cls, tables: Tables, polynomial: Array, low: float, high: float, targets: bool = False) -> "TableRow":
        """All that is needed to interpolate between two positions."""
        first, last = math.floor(low) - POINTS // 2, math.ceil(high) + POINTS // 2
        look = tables.targets if targets else tables.powers
        return cls(look(polynomial, np.arange(first, last + 1)), first)

    def shifted(self, shift: float) -> "TableRow":
        """The values so far (from 0 to 1) above the positions."""
        if shift < _ON:
            return self
        count = len(self.values) - POINTS + 1
        found = np.zeros(count, dtype=np.complex128)
        for i, weight in enumerate(lagrange(np.array([shift]))):
            found += weight * self.values[i : i + count]
        return TableRow(found, self.first + POINTS // 2 - 1)

    def comb(self, at: Array, step: int, teeth: int) -> Complex:
        """The values at each position and at −teeth, …, teeth steps from it [len(at), 2·teeth + 1]."""
        found = np.empty((len(at), 2 * teeth + 1), dtype=np.complex128)
        base = np.floor(at + _ON).astype(np.int64)
        weights, size = np.stack(lagrange(at - base), axis=1), self.values.itemsize
        for x, (start, shift) in enumerate(zip(base - step * teeth - self.first, at - base, strict=True)):
            if shift < _ON:
                found[x] = self.values[start : start + 2 * teeth * step + 1 : step]
            else:
                low = start - POINTS // 2 + 1
                part = self.values[low : low + 2 * teeth * step + POINTS]
                # Every point's neighbours, without a copy of each.
                found[x] = weights[x] @ as_strided(part, (POINTS, 2 * teeth + 1), (size, size * step), writeable=False)
        return found


@dataclass(frozen=True)
class WindowSums(ABC):
    """A window's width and the frequencies that make it up.

    Attributes:
        step: δ in places of the table.
    """

    L: float
    step: int

    @property
    def teeth(self) -> int:
        return math.ceil(_HIGH * FINENESS / (self.L * self.step))

    @cached_property
    def x(self) -> Array:
        return np.asarray((self.step / FINENESS) * np.arange(-self.teeth, self.teeth + 1), dtype=np.float64)

    @cached_property
    def weight(self) -> Array:
        return np.asarray((self.step / FINENESS * self.L * math.sqrt(math.pi)) * np.exp(-((np.pi * self.L * self.x) ** 2)))

    @cached_property
    def widening(self) -> Array:
        """dω/d log L."""
        return np.asarray(self.weight * (1 - 2 * (np.pi * self.L * self.x) ** 2))

    def margin(self) -> float:
        """Places beyond the ends of a row of frequencies that their combs reach."""
        return float(self.teeth * self.step)

    @abstractmethod
    def sums(self, values: Complex) -> Complex:
        """g at every t, from the tables' values on the combs of some frequencies [X, J]."""

    @abstractmethod
    def adjoint(self, bar: Complex) -> Complex:
        """h, from the cotangents of g [X, T]."""


@dataclass(frozen=True)
class Regular(WindowSums):
    """At t = start + s/(cells·δ), s < count ≤ cells."""

    start: float
    count: int
    cells: int

    @cached_property
    def _turn(self) -> Complex:
        return np.asarray(np.exp(-2j * np.pi * self.x * self.start))

    def sums(self, values: Complex) -> Complex:
        J, M = len(self.x), self.cells
        folds = -(-J // M)
        padded = np.zeros((len(values), folds * M), dtype=np.complex128)
        np.multiply(values, self.weight * self._turn, out=padded[:, :J])
        folded = padded.reshape(len(values), folds, M).sum(axis=1) if folds > 1 else padded
        found = scipy.fft.fft(folded, axis=1, overwrite_x=True)[:, : self.count]
        # The rows begin at −teeth, where the transform counts from nothing.
        found *= np.exp((2j * np.pi / M) * (self.teeth * np.arange(self.count) % M))
        return np.asarray(found)

    def adjoint(self, bar: Complex) -> Complex:
        waves = scipy.fft.fft(np.conj(bar), n=self.cells, axis=1, overwrite_x=True)
        found = waves[:, np.arange(-self.teeth, self.teeth + 1) % self.cells]
        found *= self._turn
        return np.asarray(found)


@dataclass(frozen=True)
class Scattered(WindowSums):
    """At any t."""

    t: NDArray[np.float64]

    @cached_property
    def _angle(self) -> Array:
        turns = self.t * (self.step / FINENESS)
        return np.ascontiguousarray(-2 * np.pi * (turns - np.round(turns)))

    def sums(self, values: Complex) -> Complex:
        found = np.empty((len(values), len(self.t)), dtype=np.complex128)
        for low, high in pairwise([*range(0, len(values), 64), len(values)]):
            weighted = np.ascontiguousarray(values[low:high] * self.weight)
            finufft.nufft1d2(self._angle, weighted, out=found[low:high], eps=_DIGITS, isign=1, nthreads=1)
        return found

    def adjoint(self, bar: Complex) -> Complex:
        packed = np.ascontiguousarray(np.conj(bar))
        found = finufft.nufft1d1(self._angle, packed, n_modes=len(self.x), eps=_DIGITS, isign=1, nthreads=1)
        return np.asarray(found).reshape(len(bar), len(self.x))
