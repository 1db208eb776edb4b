"""From cotangents of columns and transitions to those of a kernel's values.

A value moves the states by a generator that commutes with the transition, so that d(log ℓ, κ, ω) of Ψ is Δ times (N/ℓ, −1, a
quarter turn) applied to Ψ: what the gradient needs of the cotangent Ψ̄ = Σ A Bᵀ is, group by group, Σ A (ΨB)ᵀ in the core, added
up over all lines, and one number for the turn of each line.
"""

from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.series.columns import BuiltRows, Columns, amplitude
from kernelscribe.engines.series.groups import Group, TermGroups

__all__ = ["GroupCotangents", "GroupSums", "PulledTerm", "StepSums", "pull_rows"]


@dataclass(slots=True)
class StepSums:
    """Of one link, for every group: Σ A (ΨB)ᵀ in the core [q, q], and what its lines turn by [L]."""

    cores: Array
    turns: Array
    core: list[Array]
    turn: list[Array]

    @classmethod
    def of(cls, columns: Columns) -> "StepSums":
        """Those of single groups are parts of the whole."""
        functions, lines = [group.functions for group in columns.groups], [len(group.omega) for group in columns.groups]
        cores, turns = np.zeros(sum(q * q for q in functions)), np.zeros(sum(lines))
        ends, places = np.cumsum([q * q for q in functions]), np.cumsum(lines)
        return cls(
            cores,
            turns,
            [cores[end - q * q : end].reshape(q, q) for q, end in zip(functions, ends, strict=True)],
            [turns[end - L : end] for L, end in zip(lines, places, strict=True)],
        )

    def add(self, columns: Columns, A: Array, B: Array, times: float) -> None:
        """Add those of A and ΨB, both [R, m]."""
        A, B = np.ascontiguousarray(A), np.ascontiguousarray(B)
        if columns.loops is not None and columns.groups:
            columns.loops.gather(A, B, columns.layout, times, self.cores, self.turns)
            return
        for g, (group, where) in enumerate(zip(columns.groups, columns.where, strict=True)):
            q, size = group.functions, len(group.omega)
            one, other = A[where].reshape(q, -1), B[where].reshape(q, -1)
            self.core[g] += times * (one @ other.T)
            if group.turning:
                these, those = A[where].reshape(q, 2 * size, -1), B[where].reshape(q, 2 * size, -1)
                self.turn[g] += times * np.einsum("qlm,qlm->l", these[:, :size], those[:, size:])
                self.turn[g] -= times * np.einsum("qlm,qlm->l", these[:, size:], those[:, :size])


@dataclass(slots=True)
class GroupSums:
    """Cotangents of one group: of log ℓ, of κ, of its frequencies and of the logarithms of its lines' weights [L], and of the
    logarithms of the sizes of pieces [E]."""

    lengthscale: float
    kappa: float
    omega: Array
    weight: Array
    pieces: Array
    location: float


@dataclass(frozen=True, slots=True)
class PulledTerm:
    """Cotangents of a term's values: of log ℓ, of log λ and log p of every cycle, of log ℓ of every fading, and of o."""

    lengthscale: float
    shapes: Array
    periods: Array
    fadings: Array
    location: float


@dataclass(slots=True)
class GroupCotangents:
    """Cotangents of all groups, added up link by link."""

    columns: Columns
    groups: list[GroupSums]

    @classmethod
    def of(cls, columns: Columns) -> "GroupCotangents":
        return cls(
            columns,
            [
                GroupSums(0.0, 0.0, np.zeros(len(g.omega)), np.zeros(len(g.weight)), np.zeros(len(g.fade.pieces)), 0.0)
                for g in columns.groups
            ],
        )

    def add_step(self, found: StepSums, delta: float) -> None:
        for group, sums, core, turn in zip(self.columns.groups, self.groups, found.core, found.turn, strict=True):
            sums.lengthscale += delta / group.lengthscale * float((core * group.generator).sum())
            sums.kappa -= delta * float(np.trace(core))
            sums.omega += delta * turn

    def term(self, t: int) -> PulledTerm:
        """Of the values of a term."""
        term = self.columns.terms[t]
        own = [(group, sums) for group, sums in zip(self.columns.groups, self.groups, strict=True) if group.term == t]
        by_line, turned = np.zeros(len(term.lines.weight)), np.zeros(len(term.lines.weight))
        pieces = np.zeros(len(term.fade.pieces))
        for group, sums in own:
            by_line[group.line] += sums.weight
            if group.turning:
                turned[group.line] += sums.omega
            pieces += sums.pieces
        kappa = sum(sums.kappa for _, sums in own)
        return PulledTerm(
            sum(sums.lengthscale for _, sums in own),
            (by_line / term.lines.weight) @ term.lines.slope,
            -2 * np.pi * (turned @ term.lines.number) / np.array([cycle.period for cycle in term.made_of.cycles]),
            _fadings(term, kappa, pieces),
            sum(sums.location for _, sums in own),
        )


def _fadings(term: TermGroups, kappa: float, pieces: Array) -> Array:
    """κ_f is a part of κ, and its powers are factors of the pieces."""
    return np.array(
        [
            -rate * kappa - sum(piece.fading_powers[f] * pieces[e] for e, piece in enumerate(term.fade.pieces))
            for f, rate in enumerate(term.fade.kappas)
        ]
    )


def pull_rows(columns: Columns, built: BuiltRows, U_bar: Array, V_bar: Array, sums: GroupCotangents) -> Array:
    """Add what the cotangents of U and V send to the groups; those of a [T, n] are returned."""
    rows = built.rows
    a_bar = np.zeros_like(rows.a)
    for g, (group, where) in enumerate(zip(columns.groups, columns.where, strict=True)):
        later, earlier, own = built.later[g], built.earlier[g], sums.groups[g]
        U, V = U_bar[:, where].reshape(*later.shape, -1), V_bar[:, where].reshape(*later.shape, -1)
        later_bar, turn = _core(later, U, built.ahead[g])
        earlier_bar, back = _core(earlier, V, built.behind[g])
        ahead, behind = built.ahead[g], built.behind[g]
        if ahead is not None and behind is not None:
            own.omega += rows.x @ _across(turn, ahead) - rows.back @ _across(back, behind)
            own.weight += (back * behind).sum(axis=(0, 1))
        else:
            earlier_bar = earlier_bar * group.weight
            own.weight[0] += float((earlier * earlier_bar).sum())
        along, across = (later * later_bar).sum(axis=1), (earlier * earlier_bar).sum(axis=1)
        own.kappa -= float(rows.x @ along + rows.back @ across)
        if group.basis is not None:
            moved = rows.x @ ((later @ group.generator) * later_bar).sum(axis=1)
            moved += rows.back @ ((earlier @ group.generator.T) * earlier_bar).sum(axis=1)
            own.lengthscale += float(moved) / group.lengthscale
        _pull_pieces(group, built, earlier_bar, own)
        a_bar[group.term] += (along + across) / amplitude(rows.a[group.term])[:, 0]
    return a_bar


def _core(core: Array, bar: Array, turns: Array | None) -> tuple[Array, Array]:
    """The cotangents of a core [n, q], and of its cosines and sines [n, 2, L]."""
    if turns is None:
        return bar[:, :, 0], np.empty(0)
    n = len(core)
    flat = turns.reshape(n, -1)
    return np.einsum("nqc,nc->nq", bar, flat), np.einsum("nq,nqc->nc", core, bar).reshape(turns.shape)


def _across(bar: Array, turns: Array) -> Array:
    """Of cosines and sines, by how much a turn forward moves what they are cotangents of [n, L]."""
    return np.asarray(bar[:, 1] * turns[:, 0] - bar[:, 0] * turns[:, 1])


def _pull_pieces(group: Group, built: BuiltRows, earlier_bar: Array, own: GroupSums) -> None:
    """The sizes of pieces, and the location of the walk."""
    rows, fade = built.rows, group.fade
    if not fade.made_of.fadings and fade.made_of.walk is None:
        return
    size = amplitude(rows.a[group.term])
    for e, piece in enumerate(fade.pieces):
        sized = ((group.earlier(rows.back, rows.z, e) * size) * earlier_bar).sum(axis=1)
        own.pieces[e] += float(sized.sum())
        if fade.made_of.walk is not None:
            grown = fade.grown(rows.z)
            own.location -= float(sized[grown > 0] @ (piece.growth / grown[grown > 0]))
