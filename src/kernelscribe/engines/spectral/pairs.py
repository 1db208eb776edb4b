"""Inner products of windows with windows, put into a band; and the way back, from what a value owes to the band's entries.

    ψ₁(u − τ₁) ψ₂(u − τ₂) = E · exp(−(u − t)²/L²),    E = exp(−(τ₁ − τ₂)²/(ℓ₁² + ℓ₂²)),
    t = w₁τ₁ + w₂τ₂,    w₁ = ℓ₂²/(ℓ₁² + ℓ₂²) = 1 − w₂,    L² = ℓ₁²ℓ₂²/(ℓ₁² + ℓ₂²),

so an entry is E times a sum of two g(t, ν ± ν′) (smooth.py, and gram.py for the cosines and sines). In log ℓ₁ move

    log E by 2(τ₁ − τ₂)² ℓ₁²/(ℓ₁² + ℓ₂²)²,        log L by w₁,        t by −2w₁w₂(τ₁ − τ₂).

Windows of one term meet at regular t, of which there are few; those of two terms anywhere. The frequencies ν ± ν′ are told apart
by the numbers that make them, since these say how they move with the periods.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from kernelscribe.arrays import Array
from kernelscribe.engines.spectral.smooth import Regular, Scattered, TableRow
from kernelscribe.engines.spectral.tables import FINENESS, Complex, Tables
from kernelscribe.engines.spectral.waves import times
from kernelscribe.engines.spectral.windows import TermWindows, reach, signs

__all__ = ["Meeting", "Pair", "Share", "pair", "rows"]


@dataclass(frozen=True, slots=True)
class Share:
    """What a value owes to one term's values through some of its inner products."""

    lengthscale: float
    period: Array
    roots: Array

    def __add__(self, other: "Share") -> "Share":
        return Share(self.lengthscale + other.lengthscale, self.period + other.period, self.roots + other.roots)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Some pairs of centres: their numbers in both terms, and where their t stands among all t of the pair."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    t: slice


@dataclass(frozen=True, slots=True)
class Pair:
    """Two terms, or one with itself.

    Attributes:
        number: what the distinct frequencies are made of [X, B₁ + B₂], or [X, B] of one term.
        mix: from the real and imaginary parts of g to the products of features [f₁·f₂, 2X].
        values: the tables' values on the frequencies' combs.
        table: the products at every t, without E [T, f₁, f₂].
    """

    a: TermWindows
    b: TermWindows
    meetings: list[Meeting]
    smooth: Regular | Scattered
    number: NDArray[np.int64]
    mix: csr_array
    values: Complex
    table: Array

    @property
    def own(self) -> bool:
        return self.a is self.b

    def twice(self, meeting: Meeting) -> bool:
        """Whether entries stand for their mirror images too: not where centres meet themselves."""
        return not (self.own and meeting.first[0] == meeting.second[0])

    def apart(self, meeting: Meeting) -> Array:
        """τ₁ − τ₂."""
        return np.asarray(self.a.centres[meeting.first] - self.b.centres[meeting.second])

    def entries(self) -> Iterator[tuple[Meeting, Array]]:
        """The inner products of every meeting [n, f₁, f₂]."""
        for meeting in self.meetings:
            fall = np.exp(-(self.apart(meeting) ** 2) / (self.a.ell**2 + self.b.ell**2))
            yield meeting, fall[:, None, None] * self.table[meeting.t]

    def pull(self, bars: Iterator[Array], tables: Tables) -> tuple[Share, Share]:
        """What the entries' cotangents, in the order of the meetings, are for the values of both terms; of one term with itself
        the second share is nothing."""
        a, b = self.a, self.b
        both = a.ell**2 + b.ell**2
        total, far = np.zeros_like(self.table), 0.0
        for meeting, given in zip(self.meetings, bars, strict=True):
            d = self.apart(meeting)
            bar = given * np.exp(-(d**2) / both)[:, None, None]
            far += float(d**2 @ np.einsum("nab,nab->n", bar, self.table[meeting.t]))
            total[meeting.t] += bar
        parts = self.mix.T @ total.reshape(len(total), -1).T
        X = len(self.number)
        bar_g = parts[:X] + 1j * parts[X:]
        h = self.smooth.adjoint(bar_g)
        wide = float(np.einsum("xj,xj,j->", h, self.values, self.smooth.widening).real)
        slide = 0.0
        if isinstance(self.smooth, Scattered):
            moved = self.smooth.adjoint(bar_g * np.concatenate([self.apart(meeting) for meeting in self.meetings]))
            slide = float(np.einsum("xj,xj,j->", moved, self.values, -2j * np.pi * self.smooth.x * self.smooth.weight).real)
        h *= self.smooth.weight
        polynomial = times(a.wave.polynomial, b.wave.polynomial)
        raised = rows(self.smooth, self.xi, times(np.array([0.0, 1.0]), polynomial), tables)
        by_xi = -2 * np.pi * np.einsum("xj,xj->x", h, raised).imag
        period = -(by_xi @ self.number) * self._rates
        w = b.ell**2 / both
        first = 2 * far * a.ell**2 / both**2 + w * wide - 2 * w * (1 - w) * slide
        second = 2 * far * b.ell**2 / both**2 + (1 - w) * wide + 2 * w * (1 - w) * slide
        if self.own:
            # A root is a factor of both features.
            roots = 2 * self._roots(a, b, h, tables)
            return Share(first + second, period, roots), Share(0.0, 0 * period, 0 * roots)
        cut = a.number.shape[1]
        return (
            Share(first, period[:cut], self._roots(a, b, h, tables)),
            Share(second, period[cut:], self._roots(b, a, h, tables)),
        )

    @property
    def _rates(self) -> Array:
        return self.a.rates if self.own else np.concatenate([self.a.rates, self.b.rates])

    @property
    def xi(self) -> Array:
        return np.asarray(self.number @ self._rates)

    def _roots(self, moved: TermWindows, other: TermWindows, h: Complex, tables: Tables) -> Array:
        slopes = []
        for i in range(len(moved.wave.roots)):
            changed = rows(self.smooth, self.xi, times(moved.wave.without(i), other.wave.polynomial), tables)
            slopes.append(float(np.einsum("xj,xj->", h, changed).real))
        return np.array(slopes)


def rows(smooth: Regular | Scattered, xi: Array, polynomial: Array, tables: Tables, targets: bool = False) -> Complex:
    """The tables' values on the combs of some frequencies."""
    at = xi * FINENESS
    wide = smooth.margin()
    row = TableRow.between(tables, polynomial, float(at.min()) - wide, float(at.max()) + wide, targets)
    return row.comb(at, smooth.step, smooth.teeth)


def pair(a: TermWindows, b: TermWindows, tables: Tables) -> Pair:
    """The inner products of two terms' windows, or of one's with themselves."""
    number, mix = _mix(a, b)
    smooth: Regular | Scattered
    if a is b:
        meetings, smooth = _neighbours(a), a.between_centres()
    else:
        meetings, t = _partners(a, b)
        L = a.ell * b.ell / math.hypot(a.ell, b.ell)
        smooth = Scattered(L, min(a.step, b.step), t)
    rates = a.rates if a is b else np.concatenate([a.rates, b.rates])
    values = rows(smooth, number @ rates, times(a.wave.polynomial, b.wave.polynomial), tables)
    g = smooth.sums(values)
    table = np.ascontiguousarray((mix @ np.concatenate([g.real, g.imag])).T)
    return Pair(a, b, meetings, smooth, number, mix, values, table.reshape(-1, len(a.line), len(b.line)))


def _neighbours(a: TermWindows) -> list[Meeting]:
    count = 2 * a.half + 1
    k = np.arange(count)
    last = min(int(reach(a.ell, a.ell) / a.spacing), count - 1)
    return [Meeting(k[: count - d], k[d:], slice(d, 2 * count - 1 - d, 2)) for d in range(last + 1)]


def _partners(a: TermWindows, b: TermWindows) -> tuple[list[Meeting], Array]:
    """Each centre of the one with those of the other that it meets, and where each two of them meet."""
    far, w = reach(a.ell, b.ell), b.ell**2 / (a.ell**2 + b.ell**2)
    k, count = np.arange(2 * a.half + 1), 2 * b.half + 1
    lowest = np.ceil((a.centres - far) / b.spacing).astype(np.int64) + b.half
    meetings, t, start = list[Meeting](), list[Array](), 0
    for j in range(int(2 * far / b.spacing) + 1):
        inside = (lowest + j >= 0) & (lowest + j < count)
        first, second = k[inside], (lowest + j)[inside]
        meetings.append(Meeting(first, second, slice(start, start + len(first))))
        t.append(w * a.centres[first] + (1 - w) * b.centres[second])
        start += len(first)
    return meetings, np.concatenate(t)


def _mix(a: TermWindows, b: TermWindows) -> tuple[NDArray[np.int64], csr_array]:
    """The distinct frequencies ν ± ν′, and how the features' products come from them: with C = Re g, S = Im g, δ = ν − ν′ and
    σ = ν + ν′, cos·cos′ = ½[C(δ) + C(σ)], sin·sin′ = ½[C(δ) − C(σ)], sin·cos′ = ½[S(σ) + S(δ)], cos·sin′ = ½[S(σ) − S(δ)]."""
    one, two = a.number, b.number
    if a is not b:
        one = np.pad(one, ((0, 0), (0, b.number.shape[1])))
        two = np.pad(two, ((0, 0), (a.number.shape[1], 0)))
    n = len(one) * len(two)
    sums = np.stack([one[:, None] - two, one[:, None] + two]).reshape(2 * n, -1)
    sign = signs(sums)
    # Of a frequency and its negative one is enough: they are conjugates.
    number, where = np.unique(np.where(sign < 0, -1, 1)[:, None] * sums, axis=0, return_inverse=True)
    where, sign = where.reshape(2, len(one), len(two)), sign.reshape(2, len(one), len(two))
    X, i, j = len(number), a.line[:, None], b.line
    mixed = a.sine[:, None] != b.sine
    near, far = where[0][i, j] + X * mixed, where[1][i, j] + X * mixed
    less = a.sine[:, None] & b.sine, ~a.sine[:, None] & b.sine
    by_near = 0.5 * np.where(mixed, sign[0][i, j], 1) * np.where(less[1], -1, 1)
    by_far = 0.5 * np.where(mixed, sign[1][i, j], 1) * np.where(less[0], -1, 1)
    features = np.arange(near.size)
    entries = (
        np.concatenate([by_near.ravel(), by_far.ravel()]),
        (np.tile(features, 2), np.concatenate([near.ravel(), far.ravel()])),
    )
    return number, csr_array(entries, shape=(near.size, 2 * X))
