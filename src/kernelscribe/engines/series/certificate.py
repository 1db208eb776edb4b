"""The certified interval of the series engine.

A = K + Λ, and what is factorised is A + E + Δ: E what the states leave out and round (errors_of_states.py), Δ the backward error
of the recursion. With ‖X‖ the largest sum of a row's absolute values and s² the least noise, t = (‖E‖ + ‖Δ‖)/s² < ½ and

    |log|A + E + Δ| − log|A||  ≤  √N τ + τ²,        τ = ‖E + Δ‖_F/s²,      ‖X‖_F² ≤ N·(largest entry)·‖X‖,

since no eigenvalue of A is below s². The quadratic form needs no such worst case: for any α

    αᵀy + αᵀr  ≤  yᵀA⁻¹y  ≤  αᵀy + αᵀr + ‖r‖²/s²,        r = y − A α,

and A α is a product with the states, which is off by ‖E‖‖α‖ and its own roundings.

**Backward error.** L and W of block p are exact for D + c and Y + w, with |c| ≤ γ|L||Lᵀ| and so on (Higham, Accuracy and
Stability of Numerical Algorithms, theorems 8.5 and 10.3), and S is off by φ_p, |φ_ij| ≤ γ σ_i σ_j, σ² the largest diagonal of S,
from block to block. An error of a state at the beginning of block k reaches a row at a distance d behind it as the functions of
the core do, by no more than Z(d) = Σ_c A_c |u_c(d)| σ_c. So with κ² the largest diagonal of A, M = max Σ_k Z over the beginnings
of blocks and n rows of a block

    ‖Δ‖ ≤ n γ ((Z(0) + κ)² + 2 (Z(0) + κ) M + 2 M²),        largest entry ≤ γ (Z(0) + κ)(Z(0) + κ + 2 M),

γ = 4 (R + n + 16) u and, where blocks were taken for alike before S had settled, what it would still have moved.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines import digits
from kernelscribe.engines.digits import UNIT
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.engines.series.backward import solve
from kernelscribe.engines.series.columns import Step
from kernelscribe.engines.series.covariance import Covariance
from kernelscribe.engines.series.errors_of_states import StateErrors
from kernelscribe.engines.series.recursion import Forward, Matrix, forward
from kernelscribe.errors import Status

__all__ = ["certified"]

# What S of blocks that are taken for alike may still move by is a slack of all rows: a hundredth of what a climb allows costs few
# blocks more.
_SETTLED = 1e-14
# Roundings beside those of the sums.
_FEW = 16


@dataclass(frozen=True, slots=True)
class _Backward:
    """Of Δ: the largest entry, and the largest sum of a row's absolute values."""

    entry: float
    row: float


def certified(covariance: Covariance, y: Array) -> Evidence:
    """The interval that holds log N(y | 0, K + Λ)."""
    matrix = replace(covariance.matrix, settled=_SETTLED)
    found = forward(matrix, y)
    if found is None or not math.isfinite(found.determinant):
        return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
    errors, n, least = StateErrors(covariance), len(y), float(covariance.noise.min())
    back = _backward_error(covariance, errors, found)
    if not (errors.row + back.row) / least < 0.5:  # noqa: PLR2004
        return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
    tau = (math.sqrt(n * errors.entry * errors.row) + math.sqrt(n * back.entry * back.row)) / least
    moved = math.sqrt(n) * tau + tau * tau + _FEW * UNIT * math.log2(n + 2) * (found.logarithms + n)
    low, high = _quadratic(covariance, matrix, found, y, errors.row, least)
    rest = found.determinant + n * math.log(2 * math.pi)
    interval = Interval(-0.5 * (high + rest + moved), -0.5 * (low + rest - moved)).outward()
    slack = 0.5 * (moved + high - low)
    status = digits.status(slack)
    return Evidence(interval, interval, status=status, rounding=slack)


def _gamma(count: int) -> float:
    return count * UNIT / (1 - count * UNIT)


def _sizes(covariance: Covariance) -> Array:
    """The largest amplitude of every group's term."""
    largest = np.abs(covariance.side.a).max(axis=1)
    return np.array([largest[group.term] for group in covariance.columns.groups])


def _reach(covariance: Covariance, errors: StateErrors, states: Array) -> tuple[float, float]:
    """Z(0), and M, for errors of the states of these sizes [R]."""
    first, total = 0.0, 0.0
    for size, cells, where in zip(_sizes(covariance), errors.cells, covariance.columns.where, strict=True):
        per_function = states[where].reshape(cells.left.shape[1], -1).sum(axis=1)
        values = size * (cells.left @ per_function)
        first += float(values[0])
        total += cells.begins * cells.total(values)
    return first, total


def _backward_error(covariance: Covariance, errors: StateErrors, found: Forward) -> _Backward:
    rows = int(np.diff(covariance.blocks.edges).max())
    first, total = _reach(covariance, errors, np.sqrt(found.states))
    kappa = math.sqrt(float((covariance.form.diagonal(covariance.side) + covariance.noise).max()))
    gamma = 4 * _gamma(covariance.columns.count + rows + _FEW)
    edge, settled = first + kappa, gamma + found.unsettled
    return _Backward(
        gamma * edge * (edge + 2 * total) + settled * first * total,
        rows * (gamma * edge * (edge + 2 * total) + 2 * settled * total * total),
    )


def _quadratic(covariance: Covariance, matrix: Matrix, found: Forward, y: Array, row: float, least: float) -> tuple[float, float]:
    """Between which numbers yᵀA⁻¹y lies."""
    alpha = solve(matrix, found)
    product, off = _product(covariance, StateErrors(covariance), matrix, alpha)
    r = y - product
    length = math.sqrt(float(alpha @ alpha)) * (1 + 1e-9)
    wrong = off + row * length
    dots = 4 * UNIT * float(np.abs(alpha) @ (np.abs(y) + np.abs(r)))
    middle = math.fsum(alpha * y) + math.fsum(alpha * r)
    slack = length * wrong + dots
    left = math.sqrt(float(r @ r)) * (1 + 1e-9) + wrong
    return middle - slack, middle + slack + left * left / least


def _product(covariance: Covariance, errors: StateErrors, matrix: Matrix, alpha: Array) -> tuple[Array, float]:
    """The product of the states with α, and the norm of what rounding leaves wrong in it."""
    blocks, R = matrix.blocks, matrix.columns.count
    rows = int(np.diff(blocks.edges).max())
    product, local, moved = np.zeros(len(alpha)), 0.0, np.zeros(R)
    for p, state, step in _passes(matrix, alpha, moved):
        own, pieces = blocks.rows(p), matrix.pieces(p)
        left = pieces.U if step > 0 else pieces.V
        product[own] += left @ state
        here = np.abs(left) @ np.abs(state)
        if step > 0:
            product[own] += pieces.K @ alpha[own]
            here += np.abs(pieces.K) @ np.abs(alpha[own])
        local = max(local, float(here.max()))
    gamma = _gamma(R + rows + _FEW)
    # An error that a pass makes in a state reaches all rows behind it.
    _, reached = _reach(covariance, errors, moved)
    return product, math.sqrt(len(alpha)) * (4 * gamma * local + 2 * gamma * reached)


def _passes(matrix: Matrix, alpha: Array, moved: Array) -> Iterator[tuple[int, Array, int]]:
    """Every block with the state that the rows before it make of α, then with that of the rows behind; `moved` keeps the largest
    sums of absolute values that were added up to a state."""
    total, h = len(matrix.blocks), np.zeros(matrix.columns.count)
    for p in range(total):
        pieces, own = matrix.pieces(p), matrix.blocks.rows(p)
        yield p, h, 1
        np.maximum(moved, _sizes_of(pieces.step, h) + np.abs(pieces.V).T @ np.abs(alpha[own]), out=moved)
        h = pieces.step.times(h) + pieces.V.T @ alpha[own]
    b = np.zeros(matrix.columns.count)
    for p in reversed(range(total)):
        pieces, own = matrix.pieces(p), matrix.blocks.rows(p)
        yield p, b, -1
        np.maximum(moved, _sizes_of(pieces.step, b, transposed=True) + np.abs(pieces.U).T @ np.abs(alpha[own]), out=moved)
        b = pieces.step.transposed(b) + pieces.U.T @ alpha[own]


def _sizes_of(step: Step, state: Array, *, transposed: bool = False) -> Array:
    """|Ψ||state|, at most."""
    found = np.empty(len(state))
    for each in step.groups:
        core = np.abs(each.core.T if transposed else each.core)
        own = core @ np.abs(state[each.where]).reshape(len(core), -1)
        if each.turn is not None:
            halves = own.reshape(len(core), 2, -1)
            own = np.repeat(halves.sum(axis=1, keepdims=True), 2, axis=1)
        found[each.where] = own.reshape(-1)
    return found
