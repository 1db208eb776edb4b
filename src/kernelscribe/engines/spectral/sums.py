"""Sums over the rows, t_r(ξ) = Σ u^r e^{2πiξu} and b_r(ξ) = Σ u^r y e^{2πiξu}, at those frequencies alone that a posterior needs.

A search asks for ever other frequencies, and has tables of all. A posterior knows its waves, and what it asks for are their sums
and differences: a non-uniform FFT to just these takes a tenth of the time and of the memory of tables. Sums over rows add up, so
those without some rows are a difference. Where an engine of the search is to be asked a few times, a rehearsal notes what it will
look up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement

import finufft
import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.spectral.features import Block
from kernelscribe.engines.spectral.tables import FINENESS, Complex, Frame, Positions, Tables

__all__ = ["Rehearsal", "Sums", "places"]

_DIGITS = 1e-14


def places(blocks: Sequence[Block]) -> Array:
    """The positions of waves, of their differences, without sign, and of their sums; in order."""
    found = [np.zeros(1), *(block.at for block in blocks)]
    for a, b in combinations_with_replacement(blocks, 2):
        found += [np.unique(np.abs(a.at[:, None] - b.at)), np.unique(a.at[:, None] + b.at)]
    return np.unique(np.concatenate(found))


def _nothing() -> Complex:
    return np.empty((0, 0), dtype=np.complex128)


@dataclass(frozen=True)
class Sums(Tables):
    """Tables that know some places only.

    Attributes:
        at: the positions, in order.
        t: t_r there, for r = 0, 1, …; `b` b_r.
    """

    at: Array = field(default_factory=lambda: np.empty(0))
    t: Complex = field(default_factory=_nothing)
    b: Complex = field(default_factory=_nothing)

    @classmethod
    def over(cls, frame: Frame, u: Array, y: Array, last: int, at: Array, powers: int, targets: int) -> "Sums":
        """So many powers of u in t and in b."""
        plan = finufft.Plan(3, 1, eps=_DIGITS, isign=1, nthreads=1)
        plan.setpts(2 * np.pi * u, s=at / FINENESS)
        t = [plan.execute((u**r).astype(np.complex128)) for r in range(powers)]
        b = [plan.execute((u**r * y).astype(np.complex128)) for r in range(targets)]
        return cls(frame, u, y, last, at=at, t=np.stack(t), b=np.stack(b))

    def without(self, rows: NDArray[np.int64]) -> "Sums":
        """Those of the other rows."""
        part = Sums.over(self.frame, self.u[rows], self.y[rows], self.last, self.at, len(self.t), len(self.b))
        others = np.ones(len(self.u), dtype=bool)
        others[rows] = False
        return replace(self, u=self.u[others], y=self.y[others], t=self.t - part.t, b=self.b - part.b)

    def powers(self, polynomial: Array, at: Positions) -> Complex:
        return self._found(self.t, polynomial, at)

    def targets(self, polynomial: Array, at: Positions) -> Complex:
        return self._found(self.b, polynomial, at)

    def _found(self, sums: Complex, polynomial: Array, at: Positions) -> Complex:
        whole: Complex = polynomial @ sums[: len(polynomial)]
        index = np.searchsorted(self.at, np.abs(at))
        if not np.array_equal(self.at.take(index, mode="clip"), np.abs(at)):
            raise LookupError("the sums were not taken at all these places")
        found = whole[index]
        # Of negative positions the conjugates.
        np.negative(found.imag, out=found.imag, where=at < 0)
        return found


@dataclass(frozen=True)
class Rehearsal(Tables):
    """Tables that know nothing, but note what they are asked."""

    asked: list[tuple[bool, int, Array]] = field(default_factory=list)

    def powers(self, polynomial: Array, at: Positions) -> Complex:
        return self._noted(False, polynomial, at)

    def targets(self, polynomial: Array, at: Positions) -> Complex:
        return self._noted(True, polynomial, at)

    def _noted(self, targets: bool, polynomial: Array, at: Positions) -> Complex:
        self.asked.append((targets, len(polynomial), np.unique(np.abs(at)).astype(np.float64)))
        return np.zeros(at.shape, dtype=np.complex128)

    @property
    def sums(self) -> Sums:
        """What was asked for."""
        at = np.unique(np.concatenate([positions for *_, positions in self.asked]))
        powers, targets = (max(number for which, number, _ in self.asked if which is kind) for kind in (False, True))
        return Sums.over(self.frame, self.u, self.y, self.last, at, powers, targets)
