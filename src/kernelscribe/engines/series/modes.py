"""A term off the diagonal as a sum of fading waves: what is carried from one row to the next.

For x ≥ z and d = x − z

    k(x, z)  =  a(x) a(z) · Re Σ_j e^{−λ_j d} g_j Σ_e c_e (ρd)^{m_e} q_e(z)  +  error,

with a mode for every line of the cycles and every exponential of the Gaussian (exponentials.py),

    λ_j = s_j/ℓ ± iω + Σ_f κ_f,      g_j = (weight of the line)·(weight of the exponential),

pieces e of the polynomials that Matérn-like factors have in κ_f d, and of the walk, whose coefficients q depend on the earlier
point. ρ only keeps powers near one. How many exponentials a line is given goes by its weight.

Legend: M modes, E pieces, bar a cotangent: of a complex number, of its real part plus i times that of its imaginary part.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product as combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.lines import Lines, lines
from kernelscribe.engines.series.exponentials import SUMS, Exponentials, fewest
from kernelscribe.engines.series.ingredients import Ingredients

__all__ = ["Complex", "Modes", "Piece", "Pulled", "modes"]

Complex = NDArray[np.complex128]
# Lines that weigh less than this share of what may be left out are not listed.
_LIGHT = 1e-3


class Piece(NamedTuple):
    """c (ρd)^m q(z): `growth` says which power of z − o the walk has there, 0 where there is none."""

    coefficient: float
    power: int
    growth: int
    fading_powers: tuple[int, ...]


class Pulled(NamedTuple):
    """Cotangents of a term's values: of log ℓ, of log λ and log p of every cycle, of log ℓ of every fading, and of o."""

    lengthscale: float
    shapes: Array
    periods: Array
    fadings: Array
    location: float


@dataclass(frozen=True)
class Modes:
    """One term.

    Attributes:
        rate: λ [M].
        weight: g [M].
        node: s/ℓ [M], the part of λ that goes by the length-scale.
        turn: ±1 [M], how often iω stands in λ; 0 where a line stands at zero.
        line: which line [M].
        sums: how the Gaussian is written for every line; None where there is no Gaussian.
    """

    made_of: Ingredients
    lines: Lines
    rate: Complex
    weight: Complex
    node: Complex
    turn: Array
    line: NDArray[np.int64]
    pieces: tuple[Piece, ...]
    scale: float
    sums: tuple[Exponentials | None, ...]

    @cached_property
    def degree(self) -> int:
        return max((piece.power for piece in self.pieces), default=0)

    @cached_property
    def real(self) -> NDArray[np.bool_]:
        """Which modes have no imaginary part."""
        return (self.rate.imag == 0) & (self.weight.imag == 0)

    @property
    def growing(self) -> bool:
        """Whether the earlier point matters by itself."""
        return self.made_of.walk is not None

    def growth(self, z: Array, power: int) -> Array:
        """(z − o)^power, 0 before o."""
        if self.made_of.walk is None:
            return np.ones_like(z)
        return np.asarray(np.maximum(z - self.made_of.walk.location, 0.0) ** power)

    def pull(self, rate_bar: Complex, scales: Array, location_bar: float) -> Pulled:
        """From the cotangents of λ [M], of the logarithms of the sizes of pieces and modes [E, M] and of o to those of values."""
        made, by_line = self.made_of, np.zeros(len(self.lines.weight))
        np.add.at(by_line, self.line, scales.sum(axis=0))
        turned = np.zeros(len(self.lines.weight))
        np.add.at(turned, self.line, self.turn * rate_bar.imag)
        periods = np.array([cycle.period for cycle in made.cycles])
        by_piece = scales.sum(axis=1)
        fadings = [
            -each.rate / each.lengthscale * float(rate_bar.real.sum())
            - sum(piece.fading_powers[f] * by_piece[e] for e, piece in enumerate(self.pieces))
            for f, each in enumerate(made.fadings)
        ]
        return Pulled(
            -float((np.conj(self.node) * rate_bar).real.sum()),
            (by_line / self.lines.weight) @ self.lines.slope,
            -2 * math.pi * (turned @ self.lines.number) / periods,
            np.array(fadings),
            location_bar,
        )


def modes(made: Ingredients, allowed: float) -> Modes:
    """The modes of a term of amplitude one, off by no more than about `allowed` anywhere."""
    found = _half(lines(made.cycles, _LIGHT * allowed))
    enough = found.weight > allowed / max(len(found.weight), 1)
    found = Lines(found.number[enough], found.nu[enough], found.weight[enough], found.slope[enough], found.rest)
    sums = tuple(_sum(made, allowed / weight / len(found.weight)) for weight in found.weight)
    if made.alone:
        found, sums = Lines(found.number[:0], found.nu[:0], found.weight[:0], found.slope[:0], 0.0), ()
    parts = [_of_line(made, i, nu, weight, each) for i, (nu, weight, each) in enumerate(zip(found.nu, found.weight, sums, strict=True))]
    rate, weight, node, turn, line = (
        np.concatenate([part[k] for part in parts]) if parts else np.zeros(0, dtype=kind)
        for k, kind in enumerate((complex, complex, complex, float, np.int64))
    )
    scale = max((each.rate / each.lengthscale for each in made.fadings), default=1.0)
    return Modes(made, found, rate, weight, node, turn, line, _pieces(made, scale), scale, sums)


def _sum(made: Ingredients, allowed: float) -> Exponentials | None:
    return (fewest(allowed) or SUMS[-1]) if made.gaussians else None


def _half(found: Lines) -> Lines:
    """A line and its negative are one cosine of twice the weight."""
    first = np.zeros(len(found.nu))
    for column in found.number.T[::-1]:
        first = np.where(column != 0, np.sign(column), first)
    kept, twice = first >= 0, np.where(first > 0, 2.0, 1.0)
    return Lines(
        found.number[kept], found.nu[kept], (found.weight * twice)[kept], (found.slope * twice[:, None])[kept], found.rest
    )


def _of_line(
    made: Ingredients, i: int, nu: float, weight: float, sums: Exponentials | None
) -> tuple[Complex, Complex, Complex, Array, NDArray[np.int64]]:
    """λ, g, s/ℓ, the turns, and the number of the line, for one line c cos ωd."""
    fade = sum(each.rate / each.lengthscale for each in made.fadings)
    omega = 2 * math.pi * nu
    if sums is None:
        node, own, turn = np.zeros(1, complex), np.ones(1, complex), np.ones(1)
    elif omega == 0:
        node, own, turn = sums.rates / made.lengthscale, 2 * sums.weights, np.zeros(len(sums.rates))
    else:
        # 2 Re(w e^{−sd})·cos ωd = Re(w e^{−(s − iω)d}) + Re(w e^{−(s + iω)d})
        node, own = np.tile(sums.rates / made.lengthscale, 2), np.tile(sums.weights, 2)
        turn = np.repeat([1.0, -1.0], len(sums.rates))
    return node + fade + 1j * omega * turn, weight * own, node, turn, np.full(len(node), i)


def _pieces(made: Ingredients, scale: float) -> tuple[Piece, ...]:
    """All products of the pieces of the factors."""
    choices = [[(power, c) for power, c in enumerate(each.polynomial) if c != 0] for each in made.fadings]
    rates = [each.rate / each.lengthscale for each in made.fadings]
    found = []
    for growth, power, size in _walked(made):
        for choice in combinations(*choices):
            own = tuple(power for power, _ in choice)
            coefficient = math.prod(c * (rate / scale) ** m for (m, c), rate in zip(choice, rates, strict=True))
            found.append(Piece(coefficient * size / scale**power, power + sum(own), growth, own))
    return tuple(found)


def _walked(made: Ingredients) -> list[tuple[int, int, float]]:
    """Powers of z − o and of d, and their coefficients."""
    if made.walk is None:
        return [(0, 0, 1.0)]
    return [(1, 0, 1.0)] if made.walk.order == 1 else [(3, 0, 1 / 3), (2, 1, 1 / 2)]
