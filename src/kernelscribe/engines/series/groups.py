"""A term off the diagonal, as states that are carried from one row to the next.

For x ≥ z and d = x − z a term is

    k(x, z)  =  a(x) a(z) · G(d/ℓ) · e^{−κd} · Σ_e c_e (ρd)^{m_e} q_e(z) · Σ_l w_l cos ω_l d        + error,

G the Gaussian as a sum of exponentials (balanced.py), κ = Σ_f κ_f and the polynomial those of fading factors, q of the walk,
which depends on the earlier point, and l the lines of the cycles. ρ only keeps powers near one. Lines that are written by the
same sum of exponentials are a group: they share their core, functions of distance of which each line has a copy that turns. How
many exponentials a line is given goes by its weight.

Legend: J functions of the Gaussian's basis, L lines of a group, q = J·(1 + degree) functions of its core.
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
from kernelscribe.engines.series.balanced import Balanced, fewest
from kernelscribe.engines.series.ingredients import Ingredients

__all__ = ["Fade", "Group", "Piece", "TermGroups", "groups", "no_groups"]

# Lines that weigh less than this share of what may be left out are not listed.
_LIGHT = 1e-3


class Piece(NamedTuple):
    """c (ρd)^m q(z); `growth` is the power of z − o that q is, 0 where there is no walk."""

    coefficient: float
    power: int
    growth: int
    fading_powers: tuple[int, ...]


@dataclass(frozen=True)
class Fade:
    """What fades and grows in a term: e^{−κd} times a polynomial."""

    made_of: Ingredients

    @cached_property
    def kappas(self) -> tuple[float, ...]:
        return tuple(each.rate / each.lengthscale for each in self.made_of.fadings)

    @cached_property
    def kappa(self) -> float:
        return sum(self.kappas)

    @cached_property
    def scale(self) -> float:
        """ρ."""
        return max(self.kappas, default=1.0)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """All products of the pieces of the factors."""
        choices = [[(power, c) for power, c in enumerate(each.polynomial) if c != 0] for each in self.made_of.fadings]
        found = []
        for growth, power, size in self._walked():
            for choice in combinations(*choices):
                own = tuple(m for m, _ in choice)
                coefficient = math.prod(c * (rate / self.scale) ** m for (m, c), rate in zip(choice, self.kappas, strict=True))
                found.append(Piece(coefficient * size / self.scale**power, power + sum(own), growth, own))
        return tuple(found)

    def _walked(self) -> list[tuple[int, int, float]]:
        """Powers of z − o and of d, and their coefficients."""
        if self.made_of.walk is None:
            return [(0, 0, 1.0)]
        return [(1, 0, 1.0)] if self.made_of.walk.order == 1 else [(3, 0, 1 / 3), (2, 1, 1 / 2)]

    @cached_property
    def degree(self) -> int:
        return max(piece.power for piece in self.pieces)

    def grown(self, z: Array) -> Array:
        """z − o, 0 before o."""
        return np.maximum(z - self.made_of.walk.location, 0.0) if self.made_of.walk is not None else np.ones_like(z)

    def _left(self, d: Array) -> Array:
        """e^{−κd}: what is left over a distance; of what is new at every point, nothing over any but zero."""
        return np.asarray(d == 0, dtype=np.float64) if self.made_of.alone else np.exp(-self.kappa * d)

    def later(self, x: Array) -> Array:
        """(ρx)^m e^{−κx} [n, 1 + degree]."""
        return np.asarray(self._left(x)[:, None] * (self.scale * x)[:, None] ** np.arange(self.degree + 1))

    def earlier(self, x: Array, z: Array, only: int | None = None) -> Array:
        """Σ_e c_e C(m_e, m) (ρx)^{m_e − m} q_e(z) e^{−κx} [n, 1 + degree], of all pieces or of one."""
        found, grown = np.zeros((len(x), self.degree + 1)), self.grown(z)
        for e, piece in enumerate(self.pieces):
            if only in (None, e):
                size = piece.coefficient * grown**piece.growth
                for m in range(piece.power + 1):
                    found[:, m] += math.comb(piece.power, m) * size * (self.scale * x) ** (piece.power - m)
        return np.asarray(found * self._left(x)[:, None])

    def steps(self, delta: Array) -> Array:
        """[n, 1 + degree, 1 + degree]: (ρ(x + Δ))^k e^{−κ(x + Δ)} in powers of ρx."""
        found = np.zeros((len(delta), self.degree + 1, self.degree + 1))
        for k in range(self.degree + 1):
            for m in range(k + 1):
                found[:, m, k] = math.comb(k, m) * (self.scale * delta) ** (k - m)
        return np.asarray(found * self._left(delta)[:, None, None])


@dataclass(frozen=True)
class Group:
    """Lines of one term with the same core.

    Attributes:
        basis: of the Gaussian; None where there is none.
        line: their numbers among the lines of the term [L].
        omega: their frequencies [L]; empty where the only line stands at zero, which does not turn.
        weight: [L], or that of the line at zero.
    """

    term: int
    fade: Fade
    lengthscale: float
    basis: Balanced | None
    line: NDArray[np.int64]
    omega: Array
    weight: Array

    @property
    def functions(self) -> int:
        """q."""
        return (1 if self.basis is None else self.basis.size) * (self.fade.degree + 1)

    @property
    def turning(self) -> bool:
        return len(self.omega) > 0

    @property
    def columns(self) -> int:
        return self.functions * (2 * len(self.omega) if self.turning else 1)

    def later(self, x: Array) -> Array:
        """The core at distances x behind a reference time [n, q]."""
        return self._times(self.fade.later(x), 1.0, x)

    def earlier(self, x: Array, z: Array, only: int | None = None) -> Array:
        """The same before one [n, q]."""
        return self._times(self.fade.earlier(x, z, only), 1.0 if self.basis is None else self.basis.sign, x)

    def _times(self, powers: Array, sign: Array | float, x: Array) -> Array:
        if self.basis is None:
            return powers
        rows = self.basis.rows(x / self.lengthscale) * sign
        return np.asarray((powers[:, :, None] * rows[:, None, :]).reshape(len(x), -1))

    def steps(self, delta: Array) -> Array:
        """The core's transition [n, q, q]."""
        powers = self.fade.steps(delta)
        if self.basis is None:
            return powers
        rows = self.basis.steps(delta / self.lengthscale)
        size = self.functions
        return np.asarray(np.einsum("nij,nkl->nikjl", powers, rows).reshape(-1, size, size))

    @cached_property
    def generator(self) -> Array:
        """N [q, q], by which the core moves as log ℓ does; zero where there is no Gaussian."""
        if self.basis is None:
            return np.zeros((self.functions, self.functions))
        return np.asarray(np.kron(np.eye(self.fade.degree + 1), self.basis.generator), dtype=np.float64)


@dataclass(frozen=True)
class TermGroups:
    """All of one term.

    Attributes:
        left_out: what the lines that are in no group weigh.
    """

    made_of: Ingredients
    fade: Fade
    lines: Lines
    groups: tuple[Group, ...]
    left_out: float

    @property
    def growing(self) -> bool:
        """Whether the earlier point matters by itself."""
        return self.made_of.walk is not None


def groups(number: int, made: Ingredients, allowed: float) -> TermGroups:
    """The states of the term of this number, whose amplitude is taken for one: off by no more than about `allowed` anywhere."""
    if made.alone:
        return _alone(number, made)
    found = _half(lines(made.cycles, _LIGHT * allowed))
    heavy = found.weight > (0.0 if not made.cycles else allowed / max(len(found.weight), 1))
    left_out = (found.rest + float(found.weight[~heavy].sum())) * (1 + 1e-9)
    found = _some(found, heavy)
    fade = Fade(made)
    sums = [fewest(allowed / weight / len(found.weight)) if made.gaussians else None for weight in found.weight]
    parts: dict[tuple[int, int], list[int]] = {}
    for i, (each, nu) in enumerate(zip(sums, found.nu, strict=True)):
        # Lines at zero do not turn, so each has a group of its own.
        parts.setdefault((0 if each is None else each.size, -1 if nu != 0 else i), []).append(i)
    made_groups = [
        Group(
            number, fade, made.lengthscale, sums[own[0]], np.array(own), 
            2 * math.pi * found.nu[own] if turn == -1 else np.empty(0), found.weight[own],
        )
        for (_, turn), own in parts.items()
    ]  # fmt: skip
    return TermGroups(made, fade, found, tuple(made_groups), left_out)


def no_groups(made: Ingredients) -> TermGroups:
    """A term that is carried nowhere, since all rows are one block."""
    cycles = len(made.cycles)
    none = Lines(np.zeros((0, cycles), dtype=np.int64), np.zeros(0), np.zeros(0), np.zeros((0, cycles)), 0.0)
    return TermGroups(made, Fade(made), none, (), 0.0)


def _alone(number: int, made: Ingredients) -> TermGroups:
    """A term that is 0 between different points. At one point, which may have rows in several blocks, all that is stationary in
    it is 1, whatever its values."""
    one, fade, cycles = np.ones(1), Fade(made), len(made.cycles)
    only = Lines(np.zeros((1, cycles), dtype=np.int64), np.zeros(1), one, np.zeros((1, cycles)), 0.0)
    own = Group(number, fade, made.lengthscale, None, np.zeros(1, dtype=np.int64), np.empty(0), one)
    return TermGroups(made, fade, only, (own,), 0.0)


def _some(found: Lines, kept: NDArray[np.bool_]) -> Lines:
    return Lines(found.number[kept], found.nu[kept], found.weight[kept], found.slope[kept], found.rest)


def _half(found: Lines) -> Lines:
    """A line and its negative are one cosine of twice the weight."""
    first = np.zeros(len(found.nu))
    for column in found.number.T[::-1]:
        first = np.where(column != 0, np.sign(column), first)
    twice = np.where(first > 0, 2.0, 1.0)
    return _some(Lines(found.number, found.nu, found.weight * twice, found.slope * twice[:, None], found.rest), first >= 0)
