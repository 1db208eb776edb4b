"""A0 times columns, by two passes with the states, and by how much at most that is off: ‖E‖‖α‖ for what the states leave out and
round (errors_of_states.py), and the roundings of the passes themselves. An error that a pass makes in a state reaches all rows
behind it."""

import math
from collections.abc import Iterator

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.digits import UNIT
from kernelscribe.engines.series.columns import Step
from kernelscribe.engines.series.covariance import Covariance
from kernelscribe.engines.series.errors_of_states import StateErrors
from kernelscribe.engines.series.recursion import Matrix

__all__ = ["gamma", "norms", "product", "reach"]

# Roundings beside those of the sums.
_FEW = 16


def gamma(count: int) -> float:
    """What a sum of so many products is off by, as a share of the sum of their absolute values."""
    share = (count + _FEW) * UNIT
    return share / (1 - share)


def norms(X: Array) -> Array:
    """Of columns [m], at least."""
    return np.asarray(np.sqrt(np.einsum("nm,nm->m", X, X)) * (1 + 1e-9))


def reach(covariance: Covariance, errors: StateErrors, states: Array) -> tuple[Array, Array]:
    """Z(0), and M, for errors of the states of these sizes [R, m]; see certificate.py."""
    first, total = np.zeros(states.shape[1]), np.zeros(states.shape[1])
    largest = np.abs(covariance.side.a).max(axis=1)
    for cells, where in zip(errors.cells, covariance.columns.where, strict=True):
        q = cells.left.shape[1]
        per_function = states[where].reshape(q, (where.stop - where.start) // q, states.shape[1]).sum(axis=1)
        values = float(largest[cells.group.term]) * (cells.left @ per_function)
        first += values[0]
        total += cells.begins * cells.total(values)
    return first, total


def product(covariance: Covariance, errors: StateErrors, matrix: Matrix, alpha: Array) -> tuple[Array, Array]:
    """A0 α of columns [N, m], and the norm of what is wrong in each."""
    blocks, R, m = matrix.blocks, matrix.columns.count, alpha.shape[1]
    rows = int(np.diff(blocks.edges).max())
    found, local, moved = np.zeros(alpha.shape), np.zeros(m), np.zeros((R, m))
    for p, state, step in _passes(matrix, alpha, moved):
        own, pieces = blocks.rows(p), matrix.pieces(p)
        left = pieces.U if step > 0 else pieces.V
        found[own] += left @ state
        here = np.abs(left) @ np.abs(state)
        if step > 0:
            found[own] += pieces.K @ alpha[own]
            here += np.abs(pieces.K) @ np.abs(alpha[own])
        np.maximum(local, here.max(axis=0), out=local)
    share = gamma(R + rows)
    _, reached = reach(covariance, errors, moved)
    return found, math.sqrt(len(alpha)) * (4 * share * local + 2 * share * reached) + errors.row * norms(alpha)


def _passes(matrix: Matrix, alpha: Array, moved: Array) -> Iterator[tuple[int, Array, int]]:
    """Every block with the states that the rows before it make of α, then with those of the rows behind; `moved` keeps the
    largest sums of absolute values that were added up to a state."""
    total, h = len(matrix.blocks), np.zeros(moved.shape)
    for p in range(total):
        pieces, own = matrix.pieces(p), matrix.blocks.rows(p)
        yield p, h, 1
        np.maximum(moved, _sizes(pieces.step, h) + np.abs(pieces.V).T @ np.abs(alpha[own]), out=moved)
        h = pieces.step.times(h) + pieces.V.T @ alpha[own]
    b = np.zeros(moved.shape)
    for p in reversed(range(total)):
        pieces, own = matrix.pieces(p), matrix.blocks.rows(p)
        yield p, b, -1
        np.maximum(moved, _sizes(pieces.step, b, transposed=True) + np.abs(pieces.U).T @ np.abs(alpha[own]), out=moved)
        b = pieces.step.transposed(b) + pieces.U.T @ alpha[own]


def _sizes(step: Step, state: Array, *, transposed: bool = False) -> Array:
    """|Ψ||state|, at most."""
    found, m = np.empty(state.shape), state.shape[1]
    for each in step.groups:
        core = np.abs(each.core.T if transposed else each.core)
        q, each_has = len(core), (each.where.stop - each.where.start) // len(core)
        own = core @ np.abs(state[each.where]).reshape(q, each_has * m)
        if each.turn is not None:
            halves = own.reshape(q, 2, each_has // 2 * m).sum(axis=1, keepdims=True)
            own = np.repeat(halves, 2, axis=1)
        found[each.where] = own.reshape(q * each_has, m)
    return found
