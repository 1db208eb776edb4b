"""The Cholesky factor of A = K + Λ block by block, in time that is linear in the rows.

With U, V and Ψ of columns.py, K_pp the kernel itself within block p, and S = 0, f = 0 at the beginning,

    G = U S,   D = K_pp + Λ_p − G Uᵀ,   L = chol D,   W = L⁻¹(V − G Ψᵀ),   S⁺ = Ψ S Ψᵀ + WᵀW,
    z = L⁻¹(y − U f),   f⁺ = Ψ f + Wᵀz,          log N(y | 0, A) = −½ Σ zᵀz − Σ log L_ii − N/2 log 2π.

z are the errors of forecasting each row from those before it, in their standard deviations. Where blocks are alike S converges,
and with it L and W: from there on only z and f move, f⁺ = (Ψ − MᵀU) f + Mᵀy with M = L⁻ᵀW.

Legend: P blocks, n rows of one, R columns.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas, lapack

from kernelscribe.arrays import Array
from kernelscribe.engines.series.blocks import Blocks
from kernelscribe.engines.series.columns import Columns, Step

__all__ = ["FactorLink", "Forward", "Matrix", "Pieces", "forward", "relink", "solved"]

# When a climb takes blocks for alike. What a block sees of S, as U S, may stand still before: a sharp cycle comes back after many
# blocks that knew nothing of each other.
_SETTLED = 1e-12
# Bytes that are no burden on any machine.
_KEPT = 5e8
# Blocks between S that are kept.
_STRIDE = 64


@dataclass(frozen=True, slots=True)
class Pieces:
    """What block p has to say: U, V, the kernel within it with the noise, and Ψ to the next."""

    U: Array
    V: Array
    K: Array
    step: Step


@dataclass(frozen=True, slots=True)
class Matrix:
    """A in pieces.

    Attributes:
        pieces: of one block.
        same: how many blocks from this one on have the same pieces.
        settled: blocks that are alike have the same factor once S moves by no more than this, as a share of its largest entry.
        room: bytes of factors that are kept for the gradient; beyond, they are computed again from the S that are kept.
    """

    blocks: Blocks
    columns: Columns
    pieces: Callable[[int], Pieces]
    same: Callable[[int], int]
    settled: float = _SETTLED
    room: float = _KEPT


@dataclass(frozen=True, slots=True)
class FactorLink:
    """The factor of one block, or of several that are alike; `after` is S⁺, and `G_moved` is G Ψᵀ."""

    first: int
    count: int
    pieces: Pieces
    S: Array
    after: Array
    G_moved: Array
    L: Array
    W: Array

    @property
    def gain(self) -> Array:
        """M = D⁻¹(V − G Ψᵀ)."""
        return solved(self.L, self.W.copy(), transposed=True)


@dataclass(frozen=True, slots=True)
class Forward:
    """The factor of A and what it makes of y.

    Attributes:
        links: of stretches of blocks; None where there was no room for one, and S at its beginning stands in `entries`.
        determinant: log|A|, and `logarithms` the sum of the absolute values that it was added up from.
        f: at the beginning of every block [P, R].
        states: the largest diagonal of S at any block [R].
        unsettled: how much S of blocks that were taken for alike would still move: |δS_ij| is no more than the product of the two
            numbers of its states [R].
    """

    links: list[list[FactorLink] | None]
    entries: list[tuple[int, int, Array]]
    determinant: float
    logarithms: float
    z: Array
    f: Array
    states: Array
    unsettled: Array

    @property
    def value(self) -> float:
        return -0.5 * (float(self.z @ self.z) + self.determinant + len(self.z) * math.log(2 * math.pi))


def solved(L: Array, X: Array, *, transposed: bool = False) -> Array:
    """L⁻¹X, or L⁻ᵀX, in the memory of X [n, R], which is in C order. L is in Fortran's."""
    found: Array = blas.dtrsm(1.0, L, X.T, side=1, lower=1, trans_a=0 if transposed else 1, overwrite_b=1)
    return found.T


def _factor(pieces: Pieces, S: Array, first: int, count: int) -> FactorLink | None:
    U = pieces.U
    G = U @ S
    D = pieces.K - G @ U.T
    L, info = lapack.dpotrf(D.T, lower=1, clean=1, overwrite_a=1)
    if info != 0 or not math.isfinite(L[-1, -1]):
        return None
    moved = pieces.step.times(G.T).T
    W = solved(L, np.ascontiguousarray(pieces.V - moved))
    after = pieces.step.both(S)
    after += W.T @ W
    return FactorLink(first, count, pieces, S, after, moved, L, W)


def _links(matrix: Matrix, S: Array, first: int, last: int) -> Iterator[FactorLink | None]:
    """The factors of blocks from `first` to `last`, with the S before the first; None where A is not positive definite."""
    p = first
    while p < last:
        pieces, left = matrix.pieces(p), min(matrix.same(p), last - p)
        link = _factor(pieces, S, p, 1)
        if link is None:
            yield None
            return
        if left > 1 and _settled(S, link.after, matrix.settled):
            link = replace(link, count=left)
        yield link
        p, S = p + link.count, link.after


def _settled(one: Array, other: Array, share: float) -> bool:
    # Without columns there is nothing to move.
    return bool(np.abs(one - other).max(initial=0.0) <= share * np.abs(other).max(initial=0.0))


def forward(matrix: Matrix, y: Array) -> Forward | None:
    """None where rounding leaves A short of positive definite."""
    total, R = len(matrix.blocks), matrix.columns.count
    f, S, state = np.zeros((total, R)), np.zeros((R, R)), np.zeros(R)
    z, determinant, logarithms, states, unsettled = np.empty(len(y)), 0.0, 0.0, np.zeros(R), np.zeros(R)
    links: list[list[FactorLink] | None] = []
    entries, room, p = list[tuple[int, int, Array]](), matrix.room, 0
    own: list[FactorLink] = []
    for link in _links(matrix, S, 0, total):
        if link is None:
            return None
        if not own:
            entries.append((link.first, 0, link.S))
        own.append(link)
        logs = 2 * np.log(np.diagonal(link.L))
        determinant += link.count * float(logs.sum())
        logarithms += link.count * float(np.abs(logs).sum())
        states = np.maximum(states, np.diagonal(link.S))
        if link.count > 1:
            unsettled = np.maximum(unsettled, _unsettled(link))
        state = _carried(matrix.blocks, link, y, state, z, f)
        p = link.first + link.count
        if len(own) == _STRIDE or p == total:
            room -= sum(2 * each.W.nbytes + each.L.nbytes + each.S.nbytes for each in own)
            links.append(own if room > 0 else None)
            entries[-1] = (entries[-1][0], p, entries[-1][2])
            own = []
    return Forward(links, entries, determinant, logarithms, z, f, states, unsettled)


def _unsettled(link: FactorLink) -> Array:
    """What one more block would move S by: √(a_i a_j) ≥ |δS_ij|, a the largest of each row."""
    return np.asarray(np.sqrt(np.abs(link.after - link.S).max(axis=1, initial=0.0)))


def relink(matrix: Matrix, found: Forward, number: int) -> list[FactorLink]:
    """A stretch of links, computed again where it was not kept."""
    kept = found.links[number]
    if kept is not None:
        return kept
    first, last, S = found.entries[number]
    return [link for link in _links(matrix, S, first, last) if link is not None]


def _carried(blocks: Blocks, link: FactorLink, y: Array, state: Array, z: Array, f: Array) -> Array:
    """Write z and f of a link, and return the f behind it."""
    U, step, first = link.pieces.U, link.pieces.step, link.first
    if link.count == 1:
        rows = blocks.rows(first)
        own = solved(link.L, (y[rows] - U @ state)[:, None])[:, 0]
        z[rows], f[first] = own, state
        return step.times(state) + link.W.T @ own
    rows = slice(blocks.rows(first).start, blocks.rows(first + link.count - 1).stop)
    Y, M = y[rows].reshape(link.count, -1), link.gain
    told, theta = Y @ M, step.times(np.eye(len(state))) - M.T @ U
    for k in range(link.count):
        f[first + k] = state
        state = theta @ state + told[k]
    left = Y - f[first : first + link.count] @ U.T
    z[rows] = solved(link.L, np.ascontiguousarray(left.T)).T.ravel()
    return state
