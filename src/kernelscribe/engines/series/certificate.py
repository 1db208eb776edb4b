"""The certified interval of the series engine.

A = K + Λ = A0 + ΦΦᵀ + E₁: what fades, with the noise; the arms, which do not; and E₁ ⪰ 0, lines of theirs that were left out
(arms.py). What is factorised is A0 + E + Δ: E what the states leave out and round (errors_of_states.py), Δ the backward error of
the recursion. With ‖X‖ the largest sum of a row's absolute values and s² the least noise, t = (‖E‖ + ‖Δ‖)/s² < ½ and

    |log|A0 + E + Δ| − log|A0||  ≤  √N τ + τ²,        τ = ‖E + Δ‖_F/s²,      ‖X‖_F² ≤ N·(largest entry)·‖X‖,
    log|A0| + log|B|  ≤  log|A|  ≤  log|A0| + log|B| + tr E₁/s²,        B = I + ΦᵀA0⁻¹Φ  (joined.py),

since no eigenvalue of A0 is below s². The quadratic form needs no such worst case: yᵀA⁻¹y is the least over β of
(y − Φβ)ᵀA0⁻¹(y − Φβ) + βᵀβ but for E₁, and the most over α of 2αᵀy − αᵀAα. So for any α and β, with x = y − Φβ and r = x − A0 α,

    q − ‖β − Φᵀα‖² − tr E₁ ‖α‖²  ≤  yᵀA⁻¹y  ≤  q + ‖r‖²/s²,        q = αᵀx + αᵀr + βᵀβ,

where A0 α is a product with the states, which is off by ‖E‖‖α‖ and its own roundings (products.py), Φβ by Σ|β_j|‖δφ_j‖ and Φᵀα
by ‖δφ_j‖‖α‖.

**Backward error.** L and W of block p are exact for D + c and Y + w, with |c| ≤ γ|L||Lᵀ| and so on (Higham, Accuracy and
Stability of Numerical Algorithms, theorems 8.5 and 10.3), and S is off by φ_p, |φ_ij| ≤ γ σ_i σ_j, σ² the largest diagonal of S,
from block to block. An error of a state at the beginning of block k reaches a row at a distance d behind it as the functions of
the core do, by no more than Z(d) = Σ_c A_c |u_c(d)| σ_c. So with κ² the largest diagonal of A, M = max Σ_k Z over the beginnings
of blocks and n rows of a block

    ‖Δ‖ ≤ n γ ((Z(0) + κ)² + 2 (Z(0) + κ) M + 2 M²),        largest entry ≤ γ (Z(0) + κ)(Z(0) + κ + 2 M),

γ = 4 (R + n + 16) u. Where blocks were taken for alike before S had settled, what it would still have moved is one more error of
states, |δS_ij| ≤ φ_i φ_j, which reaches the rows in the same way with φ for σ and 1 for γ.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines import digits
from kernelscribe.engines.digits import UNIT
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.engines.series.arms import Arms, parted
from kernelscribe.engines.series.backward import solve
from kernelscribe.engines.series.covariance import Covariance
from kernelscribe.engines.series.errors_of_states import StateErrors
from kernelscribe.engines.series.joined import inner, inner_units, joined
from kernelscribe.engines.series.products import gamma, norms, product, reach
from kernelscribe.engines.series.recursion import Forward, Matrix, forward
from kernelscribe.engines.series.whitening import whitened
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


@dataclass(frozen=True)
class _Fading:
    """A0, with its factor and what it makes of y."""

    covariance: Covariance
    errors: StateErrors
    matrix: Matrix
    found: Forward

    @property
    def least(self) -> float:
        """s²."""
        return float(self.covariance.noise.min())

    def whitened(self, columns: Array) -> Array:
        """L⁻¹ of columns [N, m]; without any there is no pass."""
        return whitened(self.matrix, self.found, columns) if columns.shape[1] else columns

    def solved(self, z: Array) -> Array:
        """L⁻ᵀ of columns [N, m]."""
        return solve(self.matrix, self.found, z) if z.shape[1] else z

    def left(self, x: Array, alpha: Array) -> tuple[Array, Array]:
        """x − A0 α of columns [N, m], and the norms of what is wrong in them."""
        if not x.shape[1]:
            return x, np.zeros(0)
        told, off = product(self.covariance, self.errors, self.matrix, alpha)
        r = x - told
        return r, off + UNIT * norms(r)


def certified(covariance: Covariance, y: Array) -> Evidence:
    """The interval that holds log N(y | 0, K + Λ)."""
    fading, arms = parted(covariance)
    matrix = replace(fading.matrix, settled=_SETTLED)
    found = forward(matrix, y)
    if found is None or not math.isfinite(found.determinant):
        return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
    own = _Fading(fading, StateErrors(fading), matrix, found)
    back, n, least = _backward_error(own), len(y), own.least
    if not (own.errors.row + back.row) / least < 0.5:  # noqa: PLR2004
        return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
    Z = own.whitened(arms.columns)
    H = own.solved(Z)
    R, off = own.left(arms.columns, H)
    B = joined(arms, H, R, off + arms.off, least)
    if B is None or not math.isfinite(B.off):
        return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
    tau = (math.sqrt(n * own.errors.entry * own.errors.row) + math.sqrt(n * back.entry * back.row)) / least
    moved = math.sqrt(n) * tau + tau * tau + _FEW * UNIT * math.log2(n + 2) * (found.logarithms + n) + B.off
    low, high = _quadratic(own, arms, B.solved(H.T @ y), Z, y)
    rest, more = found.determinant + B.determinant + n * math.log(2 * math.pi), arms.left_out / least
    slack = 0.5 * (moved + more + high - low)
    if not math.isfinite(slack):
        return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
    interval = Interval(-0.5 * (high + rest + moved + more), -0.5 * (low + rest - moved)).outward()
    return Evidence(interval, interval, status=digits.status(slack), rounding=slack)


def _backward_error(own: _Fading) -> _Backward:
    covariance, found = own.covariance, own.found
    rows = int(np.diff(covariance.blocks.edges).max())
    states = np.stack([np.sqrt(found.states), found.unsettled], axis=1)
    (first, first_moved), (total, total_moved) = (each.tolist() for each in reach(covariance, own.errors, states))
    kappa = math.sqrt(float((covariance.form.diagonal(covariance.side) + covariance.noise).max()))
    share, edge = 4 * gamma(covariance.columns.count + rows), first + kappa
    local = share * edge * (edge + 2 * total)
    carried = share * first * total + first_moved * total_moved
    return _Backward(local + carried, rows * (local + 2 * share * total * total + 2 * total_moved * total_moved))


def _quadratic(own: _Fading, arms: Arms, beta: Array, Z: Array, y: Array) -> tuple[float, float]:
    """Between which numbers yᵀA⁻¹y lies; Z = L⁻¹Φ."""
    columns, m = arms.columns, len(beta)
    x = (y - columns @ beta)[:, None]
    sizes = np.abs(y) + np.abs(columns) @ np.abs(beta)
    shifted = float(arms.off @ np.abs(beta)) + gamma(m) * float(norms(sizes[:, None])[0])
    alpha = own.solved((own.found.z - Z @ beta)[:, None])
    r, off = own.left(x, alpha)
    wrong = float(off[0]) + shifted
    length, remainder = float(norms(alpha)[0]), float(norms(r)[0])
    apart = beta - inner(columns, alpha)[:, 0]
    unclear = (arms.off + inner_units(len(y)) * norms(columns)) * length + 2 * UNIT * (np.abs(beta) + np.abs(apart))
    gap = float(np.linalg.norm(apart) + np.linalg.norm(unclear)) * (1 + 1e-9)
    dots = 4 * UNIT * float(np.abs(alpha[:, 0]) @ (np.abs(x) + np.abs(r))[:, 0] + beta @ beta)
    middle = math.fsum((alpha * x)[:, 0]) + math.fsum((alpha * r)[:, 0]) + math.fsum(beta * beta)
    slack = length * (wrong + shifted) + dots
    return middle - slack - gap * gap - arms.left_out * length * length, middle + slack + (remainder + wrong) ** 2 / own.least
