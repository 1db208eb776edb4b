"""The modes of all terms as columns of matrices, between reference times that stand at the beginnings of blocks.

For rows x of a block that begins at τ and rows z of blocks before it

    k(x, z) = U(x) Ψ … Ψ V(z)ᵀ,      U_k = a (ρ(x−τ))^k e^{−λ(x−τ)},      V_k = a Σ_e g c_e C(m_e, k) (ρ(τ′−z))^{m_e−k} q_e(z) e^{−λ(τ′−z)},

where τ′ is the beginning of the block after that of z, and Ψ leads from one reference time to the next. A complex column is two
real ones, Re U V = Re U·Re V + (−Im U)·Im V. Columns stand in groups: first the real and then the imaginary parts of terms
without powers of d, then their real modes, then all columns of terms with powers.

Legend: R real columns, n rows, T terms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.series.modes import Complex, Modes

if TYPE_CHECKING:
    from kernelscribe.engines.series.backward import LinkBar

__all__ = ["Columns", "Step", "Sums"]

# Rows where an amplitude is zero have columns of this size: they weigh nothing, and the amplitude's slope can be read off them.
_TINY = 1e-100


@dataclass(frozen=True, slots=True)
class Step:
    """Ψ: a complex number for every pair of columns, a real one for every single column, and a matrix for terms with powers."""

    turning: Complex
    fading: Array
    dense: Array

    def times(self, X: Array) -> Array:
        """Ψ X for X [R, …]."""
        return self._applied(X, self.turning.imag, self.dense)

    def transposed(self, X: Array) -> Array:
        """ΨᵀX."""
        return self._applied(X, -self.turning.imag, self.dense.T)

    def _applied(self, X: Array, sine: Array, dense: Array) -> Array:
        c, r = len(self.turning), len(self.fading)
        shape = (-1,) + (1,) * (X.ndim - 1)
        cosine, sine = self.turning.real.reshape(shape), sine.reshape(shape)
        found = np.empty_like(X)
        np.multiply(cosine, X[:c], out=found[:c])
        found[:c] -= sine * X[c : 2 * c]
        np.multiply(sine, X[:c], out=found[c : 2 * c])
        found[c : 2 * c] += cosine * X[c : 2 * c]
        np.multiply(self.fading.reshape(shape), X[2 * c : 2 * c + r], out=found[2 * c : 2 * c + r])
        found[2 * c + r :] = dense @ X[2 * c + r :]
        return found

    def both(self, S: Array) -> Array:
        """Ψ S Ψᵀ for symmetric S."""
        return self.times(self.times(S).T)

    def both_transposed(self, S: Array) -> Array:
        """Ψᵀ S Ψ for symmetric S."""
        return self.transposed(self.transposed(S).T)


@dataclass(slots=True)
class Sums:
    """Cotangents of the modes, added up block by block.

    Attributes:
        rate: of λ, for every term [M].
        scales: of the logarithms of the sizes of pieces and modes, for every term [E, M].
        location: of o, for every term.
    """

    rate: list[Complex]
    scales: list[Array]
    location: list[float]


@dataclass(frozen=True)
class Columns:
    """Of all terms."""

    terms: tuple[Modes, ...]

    @cached_property
    def _plain(self) -> tuple[int, ...]:
        return tuple(t for t, each in enumerate(self.terms) if each.degree == 0 and not each.growing)

    @cached_property
    def _powered(self) -> tuple[int, ...]:
        return tuple(t for t in range(len(self.terms)) if t not in self._plain)

    @cached_property
    def _turning(self) -> Complex:
        return np.concatenate([np.zeros(0, complex), *(self.terms[t].rate[~self.terms[t].real] for t in self._plain)])

    @cached_property
    def _fading(self) -> Array:
        return np.concatenate([np.zeros(0), *(self.terms[t].rate[self.terms[t].real].real for t in self._plain)])

    @cached_property
    def _weights(self) -> tuple[Complex, Array]:
        of = [self.terms[t] for t in self._plain]
        return (
            np.concatenate([np.zeros(0, complex), *(each.weight[~each.real] for each in of)]),
            np.concatenate([np.zeros(0), *(each.weight[each.real].real for each in of)]),
        )

    @cached_property
    def _slices(self) -> tuple[tuple[slice, ...], tuple[slice, ...], tuple[slice, ...]]:
        """Of every term: its pairs among pairs, its single columns among those, and its columns among those with powers."""
        pairs, singles, powered = [], [], []
        at = [0, 0, 0]
        for t, each in enumerate(self.terms):
            single = int(each.real.sum())
            own = (len(each.rate) - single, single, 0) if t in self._plain else (0, 0, self._width(each))
            for k, kept in enumerate((pairs, singles, powered)):
                kept.append(slice(at[k], at[k] + own[k]))
                at[k] += own[k]
        return tuple(pairs), tuple(singles), tuple(powered)

    @staticmethod
    def _width(term: Modes) -> int:
        return (term.degree + 1) * (2 * len(term.rate) - int(term.real.sum()))

    @cached_property
    def count(self) -> int:
        """R."""
        return 2 * len(self._turning) + len(self._fading) + sum(self._width(self.terms[t]) for t in self._powered)

    @cached_property
    def of_term(self) -> tuple[tuple[slice, ...], ...]:
        """The columns of every term, as slices."""
        c, r = len(self._turning), len(self._fading)
        found = []
        for pair, single, powered in zip(*self._slices, strict=True):
            shifted = (
                pair,
                slice(c + pair.start, c + pair.stop),
                slice(2 * c + single.start, 2 * c + single.stop),
                slice(2 * c + r + powered.start, 2 * c + r + powered.stop),
            )
            found.append(tuple(each for each in shifted if each.stop > each.start))
        return tuple(found)

    def left(self, x: Array, a: Array) -> Array:
        """U [n, R] for rows at distances x ≥ 0 from the beginning of their block."""
        c, r = len(self._turning), len(self._fading)
        U = np.empty((len(x), self.count))
        waves = np.exp(np.multiply.outer(-x, self._turning))
        U[:, :c] = waves.real
        np.negative(waves.imag, out=U[:, c : 2 * c])
        U[:, 2 * c : 2 * c + r] = np.exp(np.multiply.outer(-x, self._fading))
        for t in self._powered:
            term, own = self.terms[t], self._powered_columns(t)
            waves = np.exp(np.multiply.outer(-x, term.rate))
            parts = [waves * ((term.scale * x) ** k)[:, None] for k in range(term.degree + 1)]
            U[:, own] = _split(term, parts, -1.0)
        self._amplify(U, a)
        return U

    def right(self, x: Array, z: Array, a: Array) -> Array:
        """V [n, R] for rows z at distances x ≥ 0 before the beginning of the next block."""
        c, r = len(self._turning), len(self._fading)
        V = np.empty((len(x), self.count))
        waves = np.exp(np.multiply.outer(-x, self._turning))
        waves *= self._weights[0]
        V[:, :c] = waves.real
        V[:, c : 2 * c] = waves.imag
        V[:, 2 * c : 2 * c + r] = np.exp(np.multiply.outer(-x, self._fading)) * self._weights[1]
        for t in self._powered:
            term, own = self.terms[t], self._powered_columns(t)
            V[:, own] = _split(term, self._earlier(term, x, z), 1.0)
        self._amplify(V, a)
        return V

    def _powered_columns(self, t: int) -> slice:
        first = 2 * len(self._turning) + len(self._fading)
        own = self._slices[2][t]
        return slice(first + own.start, first + own.stop)

    @staticmethod
    def _earlier(term: Modes, x: Array, z: Array, only: int | None = None) -> list[Complex]:
        """V of every power as complex columns, of all pieces or of one."""
        waves = np.exp(np.multiply.outer(-x, term.rate)) * term.weight
        found = [np.zeros_like(waves) for _ in range(term.degree + 1)]
        for e, piece in enumerate(term.pieces):
            if only in (None, e):
                size = piece.coefficient * term.growth(z, piece.growth)
                for k in range(piece.power + 1):
                    rest = piece.power - k
                    found[k] += waves * (math.comb(piece.power, k) * size * (term.scale * x) ** rest)[:, None]
        return found

    def _amplify(self, X: Array, a: Array) -> None:
        for own, each in zip(self.of_term, a, strict=True):
            size = np.where(each == 0.0, _TINY, each)[:, None]
            for columns in own:
                X[:, columns] *= size

    def step(self, delta: float) -> Step:
        """Ψ over a distance."""
        size = [self._width(self.terms[t]) for t in self._powered]
        dense, at = np.zeros((sum(size), sum(size))), 0
        for t, width in zip(self._powered, size, strict=True):
            dense[at : at + width, at : at + width] = _jordan(self.terms[t], delta)
            at += width
        return Step(np.exp(-delta * self._turning), np.exp(-delta * self._fading), dense)

    def pull(self, bar: LinkBar, x: Array, back: Array, z: Array, delta: float, a: Array, sums: Sums) -> Array:
        """Add the cotangents that those of a link's U, V and Ψ send to the modes; those of a [T, n] are returned.

        Args:
            x: distances of its rows from the beginning of their block.
            back: the same to the beginning of the next.
            z: the rows.
            delta: from beginning to beginning.
        """
        pieces = bar.link.pieces
        along, across = pieces.U * bar.U, pieces.V * bar.V
        sized = [sum((both[:, own].sum(axis=1) for own in columns for both in (along, across)), np.zeros(len(x))) for columns in self.of_term]
        self._pull_plain(bar, x, back, delta, along, across, sums)
        for t in self._powered:
            self._pull_powered(t, bar, x, back, z, delta, a[t], sums)
        return np.array([each / np.where(own == 0.0, _TINY, own) for each, own in zip(sized, a, strict=True)]).reshape(a.shape)

    def _pull_plain(self, bar: LinkBar, x: Array, back: Array, delta: float, along: Array, across: Array, sums: Sums) -> None:
        c, r = len(self._turning), len(self._fading)
        one, two, single = slice(0, c), slice(c, 2 * c), slice(2 * c, 2 * c + r)
        step, U, V = bar.link.pieces.step, bar.link.pieces.U, bar.link.pieces.V
        # Of a complex number u with cotangent v: conj(u)·v, whose real part is along it and whose imaginary part is across.
        turned = np.empty(c, complex)
        turned.real = -x @ (along[:, one] + along[:, two]) - back @ (across[:, one] + across[:, two])
        turned.imag = -x @ (U[:, two] * bar.U[:, one] - U[:, one] * bar.U[:, two])
        turned.imag -= back @ (V[:, one] * bar.V[:, two] - V[:, two] * bar.V[:, one])
        turned -= delta * np.conj(step.turning) * bar.step.turning
        faded = -x @ along[:, single] - back @ across[:, single] - delta * step.fading * bar.step.fading
        paired, alone = (across[:, one] + across[:, two]).sum(axis=0), across[:, single].sum(axis=0)
        for t in self._plain:
            pairs, singles, real = self._slices[0][t], self._slices[1][t], self.terms[t].real
            sums.rate[t][~real] += turned[pairs]
            sums.rate[t][real] += faded[singles]
            sums.scales[t][0, ~real] += paired[pairs]
            sums.scales[t][0, real] += alone[singles]

    def _pull_powered(self, t: int, bar: LinkBar, x: Array, back: Array, z: Array, delta: float, a: Array, sums: Sums) -> None:
        term, own = self.terms[t], self._powered_columns(t)
        first = 2 * len(self._turning) + len(self._fading)
        inner, count, size = slice(own.start - first, own.stop - first), len(term.rate), np.where(a == 0.0, _TINY, a)
        U, U_bar = _joined(term, bar.link.pieces.U[:, own], -1.0), _joined(term, bar.U[:, own], -1.0)
        V, V_bar = _joined(term, bar.link.pieces.V[:, own], 1.0), _joined(term, bar.V[:, own], 1.0)
        turned = -x @ (np.conj(U) * U_bar) - back @ (np.conj(V) * V_bar)
        matrix, matrix_bar = _complex(term, bar.link.pieces.step.dense[inner, inner]), _complex(term, bar.step.dense[inner, inner], sums=True)
        turned -= delta * (np.conj(matrix) * matrix_bar).sum(axis=0)
        sums.rate[t] += turned.reshape(-1, count).sum(axis=0)
        for e, piece in enumerate(term.pieces):
            part = np.concatenate(self._earlier(term, back, z, e), axis=1) * size[:, None]
            sized = (np.conj(part) * V_bar).real
            sums.scales[t][e] += sized.sum(axis=0).reshape(-1, count).sum(axis=0)
            if term.made_of.walk is not None:
                grown = np.maximum(z - term.made_of.walk.location, _TINY)
                sums.location[t] -= float((piece.growth / grown) @ sized.sum(axis=1))

    def sums(self) -> Sums:
        """Room for cotangents."""
        return Sums(
            [np.zeros(len(each.rate), complex) for each in self.terms],
            [np.zeros((len(each.pieces), len(each.rate))) for each in self.terms],
            [0.0] * len(self.terms),
        )


def _split(term: Modes, parts: Sequence[Complex], sign: float) -> Array:
    """Complex columns of every power as real ones: all real parts, then the imaginary parts of modes that have one."""
    whole = np.concatenate(parts, axis=1)
    complex_ = np.tile(~term.real, len(parts))
    return np.concatenate([whole.real, sign * whole.imag[:, complex_]], axis=1)


def _joined(term: Modes, X: Array, sign: float) -> Complex:
    """The inverse of `_split`, for columns and for their cotangents."""
    powers = term.degree + 1
    count = len(term.rate) * powers
    found = X[:, :count].astype(complex)
    found.imag[:, np.tile(~term.real, powers)] = sign * X[:, count:]
    return found


def _complex(term: Modes, X: Array, *, sums: bool = False) -> Complex:
    """The complex matrix of which X is the real form; its cotangent, where X are those of the real form."""
    kept, count = np.tile(~term.real, term.degree + 1), len(term.rate) * (term.degree + 1)
    found = X[:count, :count].astype(complex)
    if sums:
        found[np.ix_(kept, kept)] += X[count:, count:]
        found.imag[:, kept] -= X[:count, count:]
        found.imag[kept] += X[count:, :count]
    else:
        found.imag[kept] = X[count:, :count]
    return found


def _jordan(term: Modes, delta: float) -> Array:
    """Ψ of a term with powers: F_l ← Σ_{k ≥ l} C(k, l) (ρΔ)^{k−l} e^{−λΔ} F_k, for real and imaginary parts."""
    count, powers = len(term.rate), term.degree + 1
    wave, size = np.exp(-delta * term.rate), count * powers
    whole = np.zeros((size, size), complex)
    for low in range(powers):
        for k in range(low, powers):
            block = math.comb(k, low) * (term.scale * delta) ** (k - low) * wave
            whole[range(low * count, (low + 1) * count), range(k * count, (k + 1) * count)] = block
    kept = np.tile(~term.real, powers)
    return np.block([[whole.real, -whole.imag[:, kept]], [whole.imag[kept], whole.real[np.ix_(kept, kept)]]])
