"""By how much A as it is carried by states may differ from K + Λ, and how far errors in the states reach.

Off the diagonal blocks, for two rows at a distance d, an entry of a group is off by no more than D, the largest diagonal of its
term, times

- w·error(d/ℓ) of the sum of exponentials, for every line (exponentials.py, in cells), and all lines that were left out;
- roundings: of the functions of the core on either side, of every transition between (at most m of them, the beginnings of
  blocks within d), of the turns, whose angles are off by units of ωd, and of amplitudes; and what rows are off the grid on which
  blocks are taken for alike.

Roundings are units in the last place of sums of absolute values, which fade as exp(−decay·d/ℓ), and never exceed what the heights
of the functions allow: the lesser of both is taken, cell by cell. Groups that do not fade have one cell as long as the record.

Within blocks entries are those of the kernel's formula (digits.py).

Legend: cells are a quarter of ℓ, or of 1/κ; D largest diagonal of a term.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines import digits
from kernelscribe.engines.digits import UNIT
from kernelscribe.engines.series.blocks import Blocks
from kernelscribe.engines.series.covariance import Covariance
from kernelscribe.engines.series.exponentials import CELL
from kernelscribe.engines.series.groups import Group, TermGroups

__all__ = ["DistanceCells", "StateErrors"]

# DistanceCells that are looked at; what lies beyond falls at least as fast as the last of them.
_CELLS = 64
# Units in the last place of a function of the core (exponential, angle, quotient, sum over J), of a transition, of a turn.
_FUNCTION = 24.0
_TRANSITION = 24.0
_TURN = 8.0
# Units of the angle itself: of ω, of the distance, and of their product, on either side.
_ANGLE = 8.0
# What is of second order, and the sums over the cells themselves.
_ROOM = 1.05


@dataclass(frozen=True)
class DistanceCells:
    """Distances of one group in cells: how long they are, how many rows and blocks one holds at most, and how much of every
    function of the core is left there [cells, q]."""

    group: Group
    length: float
    rows: int
    begins: int
    left: Array

    @classmethod
    def of(cls, group: Group, blocks: Blocks, t: Array) -> "DistanceCells":
        span = float(t[-1] - t[0])
        unit = group.lengthscale if group.basis is not None else 1 / group.fade.kappa if group.fade.kappa > 0 else math.inf
        if not CELL * _CELLS * unit < math.inf or CELL * unit >= span:
            powers = np.maximum(1.0, (group.fade.scale * span) ** np.arange(group.fade.degree + 1))
            heights = np.ones(1) if group.basis is None else group.basis.height
            return cls(group, max(span, np.finfo(float).tiny), len(t), len(blocks), np.kron(powers, heights)[None])
        length = CELL * unit
        return cls(group, length, _most(t, length), _most(blocks.tau[:-1], length), _left(group, unit))

    @property
    def count(self) -> int:
        return len(self.left)

    @cached_property
    def tail(self) -> float:
        """All cells together, in the last of them: what lies beyond falls by the slowest rate, but for powers and counts, which
        the factor of 8 is for."""
        if self.count == 1:
            return 1.0
        rate = self.group.fade.kappa * self.length + (0.0 if self.group.basis is None else CELL * self.group.basis.sums.decay)
        return float(8.0 / -math.expm1(-0.5 * rate))

    def total(self, values: Array) -> Array:
        """Of quantities that are no more than `values` [cells, …] in each cell, the sums over one row in each."""
        return np.asarray(values[:-1].sum(axis=0) + values[-1] * self.tail)


def _most(places: Array, length: float) -> int:
    """How many sorted places lie in an interval of this length, at most, both ends counted."""
    reach = length * (1 + 1e-9)
    return int((np.searchsorted(places, places + reach, side="right") - np.arange(len(places))).max())


def _left(group: Group, unit: float) -> Array:
    """What the functions of a core are at most, from the beginning of each cell on."""
    s = CELL * np.arange(_CELLS)
    fade = np.exp(-group.fade.kappa * unit * s)
    # (ρx)^m e^{−κx} is largest at m/κ.
    powers = []
    for m in range(group.fade.degree + 1):
        kappa, scale = group.fade.kappa * unit, group.fade.scale * unit
        top = m / kappa if kappa > 0 else math.inf
        at = np.maximum(s, min(top, CELL * _CELLS))
        powers.append((scale * at) ** m * np.exp(-kappa * at) if m else fade)
    rows = np.stack(powers, axis=1)
    if group.basis is None:
        return rows
    basis = group.basis
    own = np.minimum(basis.height, basis.peak * np.exp(-basis.sums.decay * s)[:, None])
    return np.asarray((rows[:, :, None] * own[:, None, :]).reshape(len(s), -1))


@dataclass(frozen=True)
class StateErrors:
    """Of one covariance."""

    of: Covariance

    @cached_property
    def cells(self) -> tuple[DistanceCells, ...]:
        return tuple(DistanceCells.of(group, self.of.blocks, self.of.t) for group in self.of.columns.groups)

    @cached_property
    def diagonals(self) -> Array:
        """The largest diagonal of every term."""
        return np.array([float(self.of.form.term_diagonal(self.of.side, t).max()) for t in range(len(self.of.form.terms))])

    @cached_property
    def off_grid(self) -> float:
        """By how much distances may be off where blocks are taken for alike."""
        return 2 * self.of.blocks.off if self.of.blocks.alike.any() else 0.0

    @cached_property
    def entry(self) -> float:
        """What an entry may be off by, at most."""
        return max(self._apart, self._within)

    @cached_property
    def row(self) -> float:
        """The same for the sum of a row's absolute values."""
        size = int(np.diff(self.of.blocks.edges).max())
        return self._rows + size * self._within

    @cached_property
    def _within(self) -> float:
        total = self.of.form.diagonal(self.of.side)
        units = digits.entries(self.of.form, self.of.side, self.off_grid)
        return float(UNIT * (units * float(total.max()) + float((self.of.noise_units * self.of.noise).max())))

    @cached_property
    def _apart(self) -> float:
        return float(sum(values.max() for values, _ in self._groups)) + float(self._left_out.sum())

    @cached_property
    def _rows(self) -> float:
        carried = float(sum(2 * cells.rows * float(cells.total(values)) for values, cells in self._groups))
        left_out = zip(self.of.columns.terms, self._left_out.tolist(), strict=True)
        return carried + float(sum(_rows_of(term, self.of.t) * out for term, out in left_out))

    @cached_property
    def _groups(self) -> list[tuple[Array, DistanceCells]]:
        """Errors of every group in its cells."""
        return [(self._of_group(cells), cells) for cells in self.cells]

    @cached_property
    def _left_out(self) -> Array:
        """What lines that were left out weigh, for every term."""
        return np.array([term.left_out * size for term, size in zip(self.of.columns.terms, self.diagonals, strict=True)])

    def _of_group(self, cells: DistanceCells) -> Array:
        group, blocks = cells.group, self.of.blocks
        k = np.arange(cells.count)
        # Beginnings of blocks between two rows at a distance within a cell or any before it.
        between = np.minimum((k + 1.0) * cells.begins, len(blocks)) if cells.count > 1 else np.full(1, float(len(blocks)))
        far = (k + 1.0) * cells.length
        weight, omega = float(np.abs(group.weight).sum()), float((group.weight * group.omega).sum()) if group.turning else 0.0
        height, functions, steps = _constants(cells)
        units = functions * _FUNCTION + steps * _TRANSITION * between + height * (_TURN * (between + 2) + _FUNCTION)
        found = UNIT * weight * units + height * (UNIT * _ANGLE * far + self.off_grid) * omega
        if group.basis is not None:
            found += weight * _error(cells) + weight * height * self.off_grid / group.lengthscale
        found += weight * height * (self.off_grid + UNIT * _ANGLE * far) * group.fade.kappa * (1 + group.fade.degree)
        return np.asarray(_ROOM * self.diagonals[group.term] * found)


def _rows_of(term: TermGroups, t: Array) -> float:
    """Rows that a line which was left out reaches, at most: ∫exp(−s²/2) in whole cells, on either side."""
    length = term.made_of.lengthscale * CELL
    if not length < float(t[-1] - t[0]):
        return float(len(t))
    s = CELL * np.arange(_CELLS)
    return min(2 * _most(t, length) * float(np.exp(-0.5 * s * s).sum() + 1.0), float(len(t)))


def _error(cells: DistanceCells) -> Array:
    """Of the sum of exponentials in every cell."""
    assert cells.group.basis is not None  # noqa: S101
    sums = cells.group.basis.sums
    if cells.count == 1:
        return np.array([sums.largest])
    k = np.arange(cells.count)
    beyond = sums.tail * np.exp(-sums.decay * CELL * np.maximum(k - len(sums.cells), 0))
    return np.where(k < len(sums.cells), np.pad(sums.cells, (0, max(cells.count - len(sums.cells), 0)))[: cells.count], beyond)


def _constants(cells: DistanceCells) -> tuple[Array, Array, Array]:
    """In every cell, at most: Σ|u||v|, what roundings of the functions and those of the transitions are shares of."""
    group = cells.group
    count = group.fade.degree + 1
    if group.basis is None:
        # Powers are positive and add up to the kernel itself, which is no more than its diagonal.
        ones = np.minimum(1.0, cells.left.sum(axis=1)) if cells.group.fade.made_of.walk is None else np.ones(cells.count)
        return count * ones, count * ones, count * ones
    basis = group.basis
    s = CELL * np.arange(cells.count) if cells.count > 1 else np.zeros(1)
    fades = np.exp(-basis.sums.decay * s)
    high, peak = basis.height, basis.peak
    height = np.minimum(high @ high, (peak @ peak) * fades)
    functions = np.minimum(2 * (peak @ high), 2 * (peak @ peak) * fades)
    steps = np.minimum(high @ basis.carried @ high, (peak @ basis.carried @ peak) * fades)
    return count * height, count * functions, count * steps
