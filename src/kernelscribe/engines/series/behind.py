"""What the rows behind a place add to what is known there, by one pass over the blocks from the last to the first.

Γ is the covariance of all rows behind a reference time given all before it, O the states there as these rows see them, and r what
is left of y in them. With Θ = Ψ − MᵀU, what a state that nobody has seen becomes over a block, and B = L⁻¹U

    b = OᵀΓ⁻¹r  = Θᵀb⁺ + Bᵀz,        α_p = L⁻ᵀ(z − W b⁺),       h = f − S b,
    Q = OᵀΓ⁻¹O  = ΘᵀQ⁺Θ + BᵀB,       (A⁻¹)_pp = D⁻¹ + M Q⁺Mᵀ,

both 0 behind the last row. b⁺, Q⁺ stand behind block p, the others at its beginning. Q is twice the J of backward.py. Where
blocks are alike Q converges.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.series.recursion import FactorLink, Forward, Matrix, relink, solved

__all__ = ["Informed", "RowsBehind", "StateWeights", "behind", "closed", "runs", "weights"]

# Q of blocks that are alike stays as it is once it moves by no more than this, as a share of its largest entry.
_SETTLED = 1e-11


@dataclass(frozen=True, slots=True)
class StateWeights:
    """α = A⁻¹y [N]; h at the beginning of every block [P, R], and b behind it [P, R]."""

    alpha: Array
    h: Array
    b: Array


def weights(matrix: Matrix, found: Forward) -> StateWeights:
    total, R = len(matrix.blocks), matrix.columns.count
    made = StateWeights(np.empty(len(found.z)), np.empty((total, R)), np.empty((total, R)))
    b = np.zeros(R)
    for number in reversed(range(len(found.links))):
        for link in reversed(relink(matrix, found, number)):
            b = _carried_back(matrix, found, link, b, made)
    return made


def _carried_back(matrix: Matrix, found: Forward, link: FactorLink, b: Array, made: StateWeights) -> Array:
    """Write what there is of a link, and return the b before it."""
    first, count = link.first, link.count
    rows = slice(matrix.blocks.rows(first).start, matrix.blocks.rows(first + count - 1).stop)
    Z, own = found.z[rows].reshape(count, -1), slice(first, first + count)
    told, before = Z @ solved(link.L, link.pieces.U.copy()), np.empty((count, len(b)))
    transposed = closed(link).T if count > 1 else None
    for k in reversed(range(count)):
        made.b[first + k] = b
        # Ψᵀb − Uᵀ Mb, where a single block is not worth its Θ.
        moved = transposed @ b if transposed is not None else link.pieces.step.transposed(b) - link.pieces.U.T @ (link.gain @ b)
        b = moved + told[k]
        before[k] = b
    left = np.ascontiguousarray((Z - made.b[own] @ link.W.T).T)
    made.alpha[rows] = solved(link.L, left, transposed=True).T.ravel()
    made.h[own] = found.f[own] - before @ link.S
    return b


def closed(link: FactorLink) -> Array:
    """Θ."""
    return np.asarray(link.pieces.step.times(np.eye(len(link.S))) - link.gain.T @ link.pieces.U)


@dataclass(frozen=True, slots=True)
class Informed:
    """Blocks `first` to `first + count − 1` of a link, with the Q behind each of them and the one before the first."""

    link: FactorLink
    first: int
    count: int
    Q: Array
    before: Array
    theta: Array
    B: Array


def runs(links: list[FactorLink], Q: Array) -> Iterator[Informed]:
    """The blocks of links from the last to the first, with the Q behind the last; blocks with the same Q together."""
    for link in reversed(links):
        theta, B = closed(link), solved(link.L, link.pieces.U.copy())
        seen, left = B.T @ B, link.count
        while left:
            before = theta.T @ Q @ theta + seen
            before = 0.5 * (before + before.T)
            settled = np.abs(before - Q).max(initial=0.0) <= _SETTLED * np.abs(Q).max(initial=0.0)
            times = left if settled else 1
            left -= times
            yield Informed(link, link.first + left, times, Q, before, theta, B)
            Q = before


@dataclass(frozen=True, slots=True)
class RowsBehind:
    """Of every stretch of links: the Q behind it, and the product of its Θ. And the diagonal of A⁻¹ [N]."""

    Q: list[Array]
    theta: list[Array]
    inverse: Array


def behind(matrix: Matrix, found: Forward) -> RowsBehind:
    R, inverse = matrix.columns.count, np.empty(len(found.z))
    Q, ends, thetas = np.zeros((R, R)), list[Array](), list[Array]()
    for number in reversed(range(len(found.links))):
        ends.append(Q)
        over = np.eye(R)
        for run in runs(relink(matrix, found, number), Q):
            rows = slice(matrix.blocks.rows(run.first).start, matrix.blocks.rows(run.first + run.count - 1).stop)
            inverse[rows] = np.tile(_inverse_diagonal(run), run.count)
            over = over @ np.linalg.matrix_power(run.theta, run.count)
            Q = run.before
        thetas.append(over)
    return RowsBehind(ends[::-1], thetas[::-1], inverse)


def _inverse_diagonal(run: Informed) -> Array:
    L, M = run.link.L, run.link.gain
    root = solved(L, np.eye(len(L)))
    return np.asarray((root**2).sum(axis=0) + np.einsum("nr,nr->n", M @ run.Q, M))
