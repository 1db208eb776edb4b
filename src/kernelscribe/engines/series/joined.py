"""What arms add to the log-determinant: log|A0 + ΦΦᵀ| = log|A0| + log|B|,  B = I + ΦᵀA0⁻¹Φ.

For any H, with R = Φ − A0 H,

    ΦᵀA0⁻¹Φ  =  ΦᵀH + HᵀR + RᵀA0⁻¹R,        |rᵢᵀA0⁻¹rⱼ| ≤ ‖rᵢ‖‖rⱼ‖/s²,

so that with H from the factor of A0 as it is carried B is known but for X, |B − B̂| ≤ X entry by entry: that remainder, ‖δφᵢ‖‖hⱼ‖
of rounded columns, ‖hᵢ‖ωⱼ of rounded residuals, and the roundings of all inner products. With B̂ = LLᵀ, for whose own rounding X
has more, and any C,

    |log|B| − 2 Σ log L_ii|  ≤  √m e/(1 − e),        e = ‖|C| X |C|ᵀ‖_F/(1 − ‖I − CL‖_F)²  <  1,

since e bounds the norm of L⁻¹(B − B̂)L⁻ᵀ, of which a sum of m logarithms is taken.

Legend: N rows, m arms.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack, solve_triangular

from kernelscribe.arrays import Array
from kernelscribe.engines.digits import UNIT
from kernelscribe.engines.linalg import cholesky
from kernelscribe.engines.series.arms import Arms
from kernelscribe.engines.series.products import gamma, norms

__all__ = ["Joined", "inner", "inner_units", "joined"]

# Rows whose products are added up at a time: so much shorter are the sums.
_ROWS = 512
# C is an inverse of L, but for rounding; where it is not, B is too near singular for a bound.
_INVERSE = 1e-3
# What roundings of the bounds themselves are worth.
_OUTWARD = 1 + 1e-6


@dataclass(frozen=True, slots=True)
class Joined:
    """L, log|B| as it is found, and by how much that may be off: inf where digits do not suffice."""

    L: Array
    determinant: float
    off: float

    def solved(self, v: Array) -> Array:
        """B̂⁻¹v, about."""
        return np.asarray(solve_triangular(self.L, solve_triangular(self.L, v, lower=True), lower=True, trans=1))


def joined(arms: Arms, H: Array, R: Array, off: Array, least: float) -> Joined | None:
    """With the residuals R as they were computed, which are off by these norms [m]; None where B̂ is not positive definite."""
    m = arms.columns.shape[1]
    if not m:
        return Joined(np.empty((0, 0)), 0.0, 0.0)
    B = inner(arms.columns, H) + inner(H, R)
    B = 0.5 * (B + B.T) + np.eye(m)
    L = cholesky(B)
    if L is None:
        return None
    X = _wrong(arms, H, R, off, least) + 2 * UNIT * (np.abs(B) + np.eye(m))
    X = 0.5 * (X + X.T) + gamma(m) * np.abs(L) @ np.abs(L).T
    logs = 2 * np.log(np.diagonal(L))
    rounding = (gamma(m) + 4 * UNIT) * float(np.abs(logs).sum() + m)
    return Joined(L, float(logs.sum()), _moved(L, X) + rounding)


def _wrong(arms: Arms, H: Array, R: Array, off: Array, least: float) -> Array:
    """|B − B̂|, but for the symmetric sum."""
    columns, solution, left = norms(arms.columns), norms(H), norms(R)
    rho = left + off
    units = inner_units(len(H))
    X = np.outer(arms.off, solution) + np.outer(solution, off) + np.outer(rho, rho) / least
    return np.asarray(X + units * (np.outer(columns, solution) + np.outer(solution, left)))


def _moved(L: Array, X: Array) -> float:
    """√m e/(1 − e)."""
    m = len(L)
    C, info = lapack.dtrtri(L, lower=1)
    if info != 0:
        return math.inf
    C, low = np.tril(C), np.tril(L)
    away = np.linalg.norm(np.eye(m) - C @ low) + gamma(m) * np.linalg.norm(np.abs(C) @ np.abs(low))
    if not away < _INVERSE:
        return math.inf
    e = float(np.linalg.norm(np.abs(C) @ X @ np.abs(C).T)) * _OUTWARD / (1 - float(away)) ** 2
    return math.sqrt(m) * e / (1 - e) if e < 0.5 else math.inf  # noqa: PLR2004


def inner(X: Array, Y: Array) -> Array:
    """XᵀY of columns of all rows."""
    found = np.zeros((X.shape[1], Y.shape[1]))
    for start in range(0, len(X), _ROWS):
        found += X[start : start + _ROWS].T @ Y[start : start + _ROWS]
    return found


def inner_units(rows: int) -> float:
    """What such products are off by, as a share of those of the norms."""
    return gamma(_ROWS + rows // _ROWS + 1)
