"""The posterior of one input and any number of rows: waves with coefficients.

With features φ (a term's polynomial times cosines and sines), prior variances W, L from B = I + W^½ΦᵀΦW^½/s2 = LLᵀ and
a = L⁻¹W^½Φᵀy (see engines/spectral/bound.py), for the terms S

    mean_S(x) = φ_S(x)ᵀβ_S,     β = W^½L⁻ᵀa/s2,
    cov_S(x, z) = K_S(x, z) − φ_S(x)ᵀMφ_S(z),     M = W^½(I − B⁻¹)W^½,

so what the waves leave out stays as uncertain as it was without the data. At many points means are one non-uniform FFT a term,
and so are variances: products of waves are waves of the sums and differences of their frequencies, few of which differ.

Errors that are independent standard normal numbers if the model holds come from a factor of (ΦWΦᵀ + s2·I)⁻¹ (Andrews, 1968):

    e = [y − ΦW^½(I + Lᵀ)⁻¹a/s2]/s.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement

import numpy as np
from scipy.linalg import lapack, solve_triangular

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import inverse
from kernelscribe.engines.posterior import Rows, Whole, cross, diagonal
from kernelscribe.engines.spectral.bound import Solution, solve
from kernelscribe.engines.spectral.features import Block
from kernelscribe.engines.spectral.gram import sections
from kernelscribe.engines.spectral.posterior_waves import chosen, curve, features, left_out, remembered, summed, unseen
from kernelscribe.engines.spectral.sums import Sums, places
from kernelscribe.engines.spectral.tables import FINENESS, Frame
from kernelscribe.engines.spectral.waves import times
from kernelscribe.errors import KernelError
from kernelscribe.kernels.normal import Term
from kernelscribe.noises import Noise

__all__ = ["SpectralPosterior"]

# Points of which variances are found one by one, at most.
_FEW = 2048
# Points at once: what they need fits the cache.
_BLOCK = 1024
# Overtones beyond so many times the finest wave that the sampling shows are left out,
_OVERTONES = 8.0
# but none below so many waves a range, which cost next to nothing,
_LOW = 2e4
# and all beyond so many, which take a gigabyte.
_HIGH = 2e6

# Coefficients of cosines and sines [powers of u, positions].
Coefficients = tuple[Array, Array]


@dataclass(frozen=True)
class SpectralPosterior(Whole):
    """Waves over all rows."""

    sums: Sums
    found: Solution
    _products: dict[tuple[int, ...], Coefficients] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, terms: tuple[Term, ...], noise: Noise, X: Array, y: Array) -> "SpectralPosterior | None":
        """None where a term has no waves, or far too many, or the noise is too small for rounding."""
        x = X[:, 0]
        frame = Frame.over(float(x.min()), float(x.max()))
        if frame.span == 0:
            return None
        u = frame.unit(x)
        try:
            blocks = chosen(terms, frame, u, noise.level, min(max(_OVERTONES * _finest(u), _LOW), _HIGH))
        except KernelError:
            return None
        if blocks is None:
            return None
        at, degree = places(blocks), max(len(block.wave.roots) for block in blocks)
        sums = Sums.over(frame, u, y, int(at[-1]), at, 2 * degree + 1, degree + 1)
        found = solve(blocks, sums, noise.level)
        return None if found is None else cls(terms, noise, X, y, sums, found)

    @property
    def blocks(self) -> list[Block]:
        return self.found.blocks

    @property
    def basis(self) -> str:
        return f"all rows, by {sum(len(block.w) for block in self.blocks):,} waves"

    @property
    def lacks(self) -> float:
        return left_out(self.blocks)

    def term(self, j: int, X: Array) -> Array:
        return self._curve(j, self._places(X), self.found.coefficients)

    def variance(self, X: Array, terms: Sequence[Term] | None = None) -> Array:
        """That of the sum of terms at points [n, 1], without the noise."""
        own, u = self._chosen(terms), self._places(X)
        found = diagonal([self.terms[j] for j in own], X)
        for active, rows in self._alike(own, u):
            found[rows] -= self._known(active, u[rows])
        # A difference of nearly equal numbers; rounding may leave it below zero.
        return np.maximum(found, 0.0)

    def unseen(self, X: Array) -> Array:
        return unseen(self.blocks, self._places(X))

    def joint(self, X: Array, terms: Sequence[Term] | None = None) -> tuple[Array, Array]:
        own, u = self._chosen(terms), self._places(X)
        if not own:
            return np.zeros(len(u)), np.zeros((len(u), len(u)))
        start, F = self._features(own, u)
        A = self._solved(start, F)
        return F.T @ self.found.z[start:], cross([self.terms[j] for j in own], X, X) - (F.T @ F - A.T @ A)

    def held_out(self, folds: Sequence[Rows]) -> Array:
        found = np.empty((len(self.y), len(self.terms)))
        for fold in folds:
            rest = solve(self.blocks, self.sums.without(fold), self.s2)
            if rest is None:
                raise FloatingPointError("the covariance of the waves cannot be factorised")
            for j in range(len(self.terms)):
                found[fold, j] = self._curve(j, self.sums.u[fold], rest.coefficients)
        return found

    @cached_property
    def errors(self) -> Array:
        """e, at every row."""
        found, s2 = self.found, self.s2
        root = found.L.copy(order="K")
        np.einsum("ii->i", root)[:] += 1.0
        half = found.root * lapack.dtrtrs(root, found.L.T @ found.z, lower=1, trans=1)[0]
        fitted = sum(self._curve(j, self.sums.u, half) for j in range(len(self.terms)))
        return np.asarray((self.y - fitted) / math.sqrt(s2))

    def _places(self, X: Array) -> Array:
        return self.sums.frame.unit(X[:, 0])

    def _alike(self, own: tuple[int, ...], u: Array) -> Iterator[tuple[tuple[int, ...], Rows]]:
        """Points by which of the terms the data still tell something of."""
        ends = np.unique([*(remembered(self.blocks[j].wave) for j in own), math.inf])
        # Beyond so many of the ends, and not beyond the next.
        passed = np.searchsorted(ends, np.abs(u) - 0.5)
        for number in np.unique(passed).tolist():
            active = tuple(j for j in own if remembered(self.blocks[j].wave) >= ends[number])
            yield active, np.flatnonzero(passed == number)

    def _curve(self, j: int, u: Array, coefficients: Array) -> Array:
        """The waves of a term with these coefficients; nothing where it has forgotten the data."""
        return curve(self.blocks[j], u, coefficients[sections(self.blocks)[j]])

    def _features(self, own: tuple[int, ...], u: Array) -> tuple[int, Array]:
        """W^½φ of some terms, from the first row that is theirs on [m, n], and that row."""
        where = sections(self.blocks)
        start = where[own[0]].start
        F = np.zeros((len(self.found.root) - start, len(u)))
        for j in own:
            F[where[j].start - start : where[j].stop - start] = self.found.root[where[j], None] * features(self.blocks[j], u)
        return start, F

    def _solved(self, start: int, F: Array) -> Array:
        """L⁻¹F, where F has nothing in the rows before."""
        return np.asarray(solve_triangular(self.found.L[start:, start:], F, lower=True, check_finite=False))

    def _known(self, own: tuple[int, ...], u: Array) -> Array:
        """φᵀMφ at places where the data tell something of all these terms, and of no other."""
        if not own:
            return np.zeros(len(u))
        if len(u) > max(_FEW, 2 * len(self.found.root)):
            return self._summed(own, u)
        known = np.empty(len(u))
        for first in range(0, len(u), _BLOCK):
            rows = slice(first, first + _BLOCK)
            start, F = self._features(own, u[rows])
            A = self._solved(start, F)
            known[rows] = np.einsum("mn,mn->n", F, F) - np.einsum("mn,mn->n", A, A)
        return known

    def _summed(self, own: tuple[int, ...], u: Array) -> Array:
        """The same as one wave for every sum and difference of frequencies."""
        if own not in self._products:
            self._products[own] = self._collected(own)
        known, power = np.zeros(len(u)), np.ones(len(u))
        for cosines, sines in zip(*self._products[own], strict=True):
            some = (cosines != 0) | (sines != 0)
            known += power * summed(u, self.sums.at[some] / FINENESS, cosines[some], sines[some])
            power *= u
        return known

    def _collected(self, own: tuple[int, ...]) -> Coefficients:
        """Coefficients of φᵀMφ for every power of u. With a and b the angles of two waves,
        cos a cos b = ½[cos(a−b) + cos(a+b)],  sin a sin b = ½[cos(a−b) − cos(a+b)],  sin a cos b = ½[sin(a+b) + sin(a−b)]."""
        where, root, at = sections(self.blocks), self.found.root, self.sums.at
        whole = inverse(self.found.L)
        cosines, sines = np.zeros((2, len(self.sums.t), len(at)))
        for i, j in combinations_with_replacement(own, 2):
            a, b = self.blocks[i], self.blocks[j]
            M = -root[where[i], None] * whole[where[i], where[j]] * root[where[j]]
            if i == j:
                np.einsum("ii->i", M)[:] += root[where[i]] ** 2
            n, m = len(a.w), len(b.w)
            cc, cs, sc, ss = M[:n, :m], M[:n, m:], M[n:, :m], M[n:, m:]
            far, near = a.at[:, None] + b.at, a.at[:, None] - b.at
            sums, differences = np.searchsorted(at, far).ravel(), np.searchsorted(at, np.abs(near)).ravel()

            def total(index: Rows, values: Array) -> Array:
                return np.asarray(np.bincount(index, weights=values.ravel(), minlength=len(at)))

            twice = 0.5 if i == j else 1.0
            even = total(sums, cc - ss) + total(differences, cc + ss)
            odd = total(sums, sc + cs) + total(differences, (sc - cs) * np.sign(near))
            for r, p in enumerate(times(a.wave.polynomial, b.wave.polynomial)):
                cosines[r] += twice * p * even
                sines[r] += twice * p * odd
        return cosines, sines


def _finest(u: Array) -> float:
    """The highest frequency that the sampling shows, in waves a range."""
    return 0.5 / float(np.median(np.diff(np.unique(u))))
