"""The gradient of log N(y | 0, A) in all that A is made of, by one pass over the blocks from the last to the first.

The quadratic form has d(−½ yᵀA⁻¹y) = ½ αᵀ dA α with α = A⁻¹y. With b = 0 behind the last block and f of the pass forward

    α_p = L⁻ᵀ(z − W b⁺),      b = Ψᵀb⁺ + Uᵀα_p,      h = f − S b:
    Ū = α hᵀ,      V̄ = α b⁺ᵀ,      K̄_pp = ½ ααᵀ,      Ψ̄ = b⁺ hᵀ.

(U h is what the rows before the block, V b⁺ what those behind it add to K α.) The determinant has, with J = 0 behind the last
block, M = D⁻¹(V − G Ψᵀ) and X = M J⁺,

    D̄ = −½ D⁻¹ − X Mᵀ,        B = D̄ U + X Ψ,       J = Ψᵀ J⁺ Ψ − Uᵀ(½ D̄U + XΨ) − (½ D̄U + XΨ)ᵀU:
    Ū = −2 B S,      V̄ = 2 X,      K̄_pp = D̄,      Ψ̄ = 2 J⁺ΨS − 2 XᵀG.

Of Ψ̄ only what pull.py says is needed is ever computed.

2J is how much the rows behind a place tell of the state there, so that J = (Ψ − MᵀU)ᵀ J⁺ (Ψ − MᵀU) + ½ UᵀD⁻¹U ⪰ 0. Where blocks
are alike J converges too, and what the determinant adds is the same for all that are left.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from kernelscribe.arrays import Array
from kernelscribe.engines.series.columns import Columns
from kernelscribe.engines.series.pull import StepSums
from kernelscribe.engines.series.recursion import FactorLink, Forward, Matrix, relink, solved

__all__ = ["LinkBar", "backward", "solve"]

# J of blocks that are alike stays as it is once it moves by no more than this, as a share of its largest entry.
_SETTLED = 1e-11


@dataclass(frozen=True, slots=True)
class LinkBar:
    """Cotangents of the pieces of a link, added up over its blocks, and of the noise at every row of every block [count, n]."""

    link: FactorLink
    U: Array
    V: Array
    K: Array
    noise: Array
    step: StepSums


@dataclass(slots=True)
class _State:
    b: Array
    J: Array


def solve(matrix: Matrix, found: Forward, z: Array) -> Array:
    """L⁻ᵀz of several columns [N, m]: with z of y, α = A⁻¹y alone."""
    alpha, b = np.empty(z.shape), np.zeros((matrix.columns.count, z.shape[1]))
    for number in reversed(range(len(found.links))):
        for link in reversed(relink(matrix, found, number)):
            for p in reversed(range(link.first, link.first + link.count)):
                rows = matrix.blocks.rows(p)
                own = solved(link.L, np.ascontiguousarray(z[rows] - link.W @ b), transposed=True)
                alpha[rows] = own
                b = link.pieces.step.transposed(b) + link.pieces.U.T @ own
    return alpha


def backward(matrix: Matrix, found: Forward, alpha: Array) -> Iterator[LinkBar]:
    """The cotangents, from the last link to the first; α is written as it is found."""
    R = matrix.columns.count
    state = _State(np.zeros(R), np.zeros((R, R)))
    for number in reversed(range(len(found.links))):
        for link in reversed(relink(matrix, found, number)):
            yield _one(matrix, found, link, state, alpha) if link.count == 1 else _many(matrix, found, link, state, alpha)


def _one(matrix: Matrix, found: Forward, link: FactorLink, state: _State, alpha: Array) -> LinkBar:
    U, step, rows, b = link.pieces.U, link.pieces.step, matrix.blocks.rows(link.first), state.b
    own = solved(link.L, (found.z[rows] - link.W @ b)[:, None], transposed=True)[:, 0]
    alpha[rows] = own
    bar = _determinant(matrix.columns, link, state, 1)
    state.b = step.transposed(b) + U.T @ own
    h = found.f[link.first] - link.S @ state.b
    bar.U[:] += np.outer(own, h)
    bar.V[:] += np.outer(own, b)
    bar.K[:] += 0.5 * np.outer(own, own)
    bar.noise[0] += 0.5 * own**2
    bar.step.add(matrix.columns, b[:, None], step.times(h)[:, None], 1.0)
    return bar


def _many(matrix: Matrix, found: Forward, link: FactorLink, state: _State, alpha: Array) -> LinkBar:
    U, step, count, first = link.pieces.U, link.pieces.step, link.count, link.first
    rows = slice(matrix.blocks.rows(first).start, matrix.blocks.rows(first + count - 1).stop)
    Z = found.z[rows].reshape(count, -1)
    behind, b = np.empty((count + 1, len(state.b))), state.b
    theta = step.times(np.eye(len(b))) - link.gain.T @ U
    told = Z @ solved(link.L, U.copy())
    behind[count] = b
    for k in reversed(range(count)):
        b = theta.T @ b + told[k]
        behind[k] = b
    own = solved(link.L, np.ascontiguousarray((Z - behind[1:] @ link.W.T).T), transposed=True)
    alpha[rows] = own.T.ravel()
    bar = _determinant(matrix.columns, link, state, count)
    state.b = b
    h = found.f[first : first + count] - behind[:-1] @ link.S
    bar.U[:] += own @ h
    bar.V[:] += own @ behind[1:]
    bar.K[:] += 0.5 * (own @ own.T)
    bar.noise[:] += 0.5 * own.T**2
    bar.step.add(matrix.columns, np.ascontiguousarray(behind[1:].T), step.times(h.T), 1.0)
    return bar


def _determinant(columns: Columns, link: FactorLink, state: _State, count: int) -> LinkBar:
    """What the determinant adds for all blocks of a link."""
    U, step, M, moved = link.pieces.U, link.pieces.step, link.gain, link.pieces.step.both(link.S)
    # What stands above the diagonal of L, and so of this, is zero.
    inverse = lapack.dpotri(link.L, lower=1)[0]
    inverse = inverse + inverse.T
    np.einsum("ii->i", inverse)[:] *= 0.5
    noise = np.empty((count, len(U)))
    bar = LinkBar(link, np.zeros(U.shape), np.zeros(U.shape), np.zeros(inverse.shape), noise, StepSums.of(columns))
    left = count
    while left:
        J = state.J
        X = M @ J
        D = -0.5 * inverse - X @ M.T
        half = D @ U
        half *= 0.5
        across = np.ascontiguousarray(X.T)
        forth = step.transposed(across).T  # X Ψ
        T = U.T @ (half + forth)
        state.J = step.both_transposed(J) - T - T.T
        # From here on all blocks add the same.
        times = left if left > 1 and np.abs(state.J - J).max(initial=0.0) <= _SETTLED * np.abs(J).max(initial=0.0) else 1
        bar.U[:] -= 2 * times * ((2 * half + forth) @ link.S)
        bar.V[:] += 2 * times * X
        bar.K[:] += times * D
        noise[left - times : left] = np.diagonal(D)
        bar.step.add(columns, J, moved, 2.0 * times)
        bar.step.add(columns, across, link.G_moved.T, -2.0 * times)
        left -= times
    return bar
