"""The states of all terms as columns of matrices, between reference times that stand at the beginnings of blocks.

For rows x of a block that begins at τ and rows z of blocks before it, with τ′ the beginning of the block after that of z,

    k(x, z) = U(x) Ψ … Ψ V(z)ᵀ,      U = a(x)·later(x−τ)·(cos, sin) ω(x−τ),      V = a(z)·earlier(τ′−z)·w (cos, −sin) ω(τ′−z),

and Ψ, from one reference time to the next, is the transition of the core with a turn by ω. Columns stand group by group; in each
as [function of the core, cosine or sine, line], so that the core moves all lines of a group by one product of matrices.

Legend: R columns, n rows, T terms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.series.groups import Group, TermGroups

__all__ = ["BuiltRows", "Columns", "FlatColumns", "GroupStep", "Loops", "RowsOf", "Step", "amplitude"]

# Rows where an amplitude is zero have columns of this size: they weigh nothing, and the amplitude's slope can be read off them.
_TINY = 1e-100


@dataclass(frozen=True, slots=True)
class GroupStep:
    """The transition of one group: that of the core, and the cosines and sines of the turns (None where nothing turns)."""

    where: slice
    core: Array
    turn: tuple[Array, Array] | None

    def apply(self, X: Array, found: Array, *, transposed: bool = False) -> None:
        own = X[self.where]
        core = self.core.T if transposed else self.core
        q = len(core)
        moved = core * own.reshape(1, -1) if q == 1 else core @ own.reshape(q, -1)
        if self.turn is None:
            found[self.where] = moved.reshape(own.shape)
            return
        cosine, sine = self.turn
        size = len(cosine)
        moved = moved.reshape(q, 2, size, -1)
        out = found[self.where].reshape(q, 2, size, -1)
        cosine, sine = cosine[:, None], (-sine if transposed else sine)[:, None]
        np.multiply(cosine, moved[:, 0], out=out[:, 0])
        out[:, 0] += sine * moved[:, 1]
        np.multiply(cosine, moved[:, 1], out=out[:, 1])
        out[:, 1] -= sine * moved[:, 0]


class Loops(Protocol):
    """What is done group by group, compiled (fused.py)."""

    def carry(
        self, X: Array, out: Array, where: NDArray[np.int64], cores: Array, cosine: Array, sine: Array, *, transposed: bool
    ) -> None: ...

    def gather(self, A: Array, B: Array, where: NDArray[np.int64], times: float, cores: Array, turns: Array) -> None: ...

    def fill(self, X: Array, start: int, core: Array, turns: Array) -> None: ...


@dataclass(frozen=True, slots=True)
class FlatColumns:
    """The transitions of all groups side by side, for one loop."""

    loops: Loops
    where: NDArray[np.int64]
    cores: Array
    cosine: Array
    sine: Array

    def apply(self, X: Array, found: Array, *, transposed: bool) -> None:
        R = len(X)
        self.loops.carry(
            X.reshape(R, -1), found.reshape(R, -1), self.where, self.cores, self.cosine, self.sine, transposed=transposed
        )


@dataclass(frozen=True, slots=True)
class Step:
    """Ψ."""

    groups: tuple[GroupStep, ...]
    flat: FlatColumns | None = None

    def times(self, X: Array) -> Array:
        """Ψ X for X [R, …]."""
        return self._applied(X, transposed=False)

    def transposed(self, X: Array) -> Array:
        """ΨᵀX."""
        return self._applied(X, transposed=True)

    def _applied(self, X: Array, *, transposed: bool) -> Array:
        found, X = np.empty(X.shape), np.ascontiguousarray(X)
        if self.flat is not None:
            self.flat.apply(X, found, transposed=transposed)
            return found
        for each in self.groups:
            each.apply(X, found, transposed=transposed)
        return found

    def both(self, S: Array) -> Array:
        """Ψ S Ψᵀ for symmetric S."""
        return self.times(self.times(S).T)

    def both_transposed(self, S: Array) -> Array:
        """Ψᵀ S Ψ for symmetric S."""
        return self.transposed(self.transposed(S).T)


@dataclass(frozen=True, slots=True)
class RowsOf:
    """Rows z with amplitudes a [T, n], at distances x from the beginning of their block and `back` to that of the next."""

    x: Array
    back: Array
    z: Array
    a: Array


@dataclass(frozen=True, slots=True)
class BuiltRows:
    """Columns of rows, with what they were made of: the cores [n, q] of every group, and its cosines and sines [n, 2, L]."""

    rows: RowsOf
    U: Array
    V: Array
    later: tuple[Array, ...]
    earlier: tuple[Array, ...]
    ahead: tuple[Array | None, ...]
    behind: tuple[Array | None, ...]


@dataclass(frozen=True)
class Columns:
    """Of all terms; `loops` where there are compiled ones."""

    terms: tuple[TermGroups, ...]
    loops: Loops | None = None

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        return tuple(group for term in self.terms for group in term.groups)

    @cached_property
    def where(self) -> tuple[slice, ...]:
        """The columns of every group."""
        ends = np.cumsum([0, *(group.columns for group in self.groups)]).tolist()
        return tuple(slice(start, stop) for start, stop in pairwise(ends))

    @cached_property
    def count(self) -> int:
        """R."""
        return sum(group.columns for group in self.groups)

    def of_term(self, t: int) -> slice:
        """The columns of a term."""
        own = [where for group, where in zip(self.groups, self.where, strict=True) if group.term == t]
        return slice(own[0].start, own[-1].stop) if own else slice(0, 0)

    def build(self, rows: RowsOf) -> BuiltRows:
        """U and V of rows."""
        U, V = np.empty((len(rows.x), self.count)), np.empty((len(rows.x), self.count))
        later, earlier, ahead, behind = [], [], list[Array | None](), list[Array | None]()
        for group, where in zip(self.groups, self.where, strict=True):
            size = amplitude(rows.a[group.term])
            later.append(group.later(rows.x) * size)
            earlier.append(group.earlier(rows.back, rows.z) * size)
            if not group.turning:
                U[:, where], V[:, where] = later[-1], earlier[-1] * group.weight
                ahead.append(None)
                behind.append(None)
                continue
            ahead.append(_turns(rows.x, group.omega, 1.0))
            behind.append(_turns(rows.back, group.omega, -1.0) * group.weight)
            self._fill(U, where, later[-1], ahead[-1])
            self._fill(V, where, earlier[-1], behind[-1])
        return BuiltRows(rows, U, V, tuple(later), tuple(earlier), tuple(ahead), tuple(behind))

    def _fill(self, X: Array, where: slice, core: Array, turns: Array | None) -> None:
        """Columns of a group that turns."""
        n = len(core)
        if turns is None:
            return
        if self.loops is not None:
            self.loops.fill(X, where.start, np.ascontiguousarray(core), turns.reshape(n, -1))
        else:
            X[:, where] = (core[:, :, None] * turns.reshape(n, 1, -1)).reshape(n, -1)

    def steps(self, delta: Array) -> list[Step]:
        """Ψ over every distance."""
        cores = [group.steps(delta) for group in self.groups]
        turns = [
            (np.cos(np.multiply.outer(delta, group.omega)), np.sin(np.multiply.outer(delta, group.omega)))
            for group in self.groups
        ]
        flat = self._flat(cores, turns, len(delta))
        return [
            Step(
                tuple(
                    GroupStep(where, core[i], (turn[0][i], turn[1][i]) if group.turning else None)
                    for group, where, core, turn in zip(self.groups, self.where, cores, turns, strict=True)
                ),
                flat[i],
            )
            for i in range(len(delta))
        ]

    @cached_property
    def layout(self) -> NDArray[np.int64]:
        """Of every group the first column, functions and lines, and where its core and its turns begin."""
        functions, lines = [group.functions for group in self.groups], [len(group.omega) for group in self.groups]
        begins = [np.cumsum([0, *counts[:-1]]) for counts in ([q * q for q in functions], lines)]
        return np.column_stack([[where.start for where in self.where], functions, lines, *begins]).astype(np.int64)

    def _flat(self, cores: list[Array], turns: list[tuple[Array, Array]], count: int) -> Sequence[FlatColumns | None]:
        if self.loops is None or not self.groups:
            return [None] * count
        flat = np.concatenate([core.reshape(count, -1) for core in cores], axis=1)
        cosine, sine = (np.concatenate([turn[k] for turn in turns], axis=1) for k in (0, 1))
        return [FlatColumns(self.loops, self.layout, flat[i], cosine[i], sine[i]) for i in range(count)]


def amplitude(a: Array) -> Array:
    """As a column [n, 1], nowhere zero."""
    return np.asarray(np.where(a == 0.0, _TINY, a)[:, None])


def _turns(x: Array, omega: Array, sign: float) -> Array:
    """Cosines and sines [n, 2, L]."""
    angle = np.multiply.outer(x, omega)
    found = np.empty((len(x), 2, len(omega)))
    np.cos(angle, out=found[:, 0])
    np.sin(angle, out=found[:, 1])
    found[:, 1] *= sign
    return found
