"""Upper bounds on the log marginal likelihood.

The paper's, with α from conjugate gradients (cg.py):
    log p(y) ≤ −½ log|K̂ + s2·I| + ½ αᵀ(K + s2·I)α − αᵀy − N/2 log 2π,            because K̂ ⪯ K.
Titsias' (2014), analytic and much looser:
    log p(y) ≤ −½ log|K̂ + s2·I| − ½ yᵀ(K̂ + (s2 + tr(K − K̂))·I)⁻¹y − N/2 log 2π,  because K ⪯ K̂ + tr(K − K̂)·I.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.inducing.cg import Quadratic
from kernelscribe.engines.inducing.lower import Lower, Reduced

__all__ = ["conjugate", "proposition", "titsias"]


def conjugate(lower: Lower, found: Quadratic, rows: int) -> float:
    """The paper's upper bound."""
    return lower.nld + found.upper - 0.5 * rows * math.log(2 * math.pi)


def titsias(reduced: Reduced, lower: Lower, s2: float) -> float:
    """Titsias' upper bound: the quadratic with the noise raised by all that K̂ leaves out."""
    P, c, n = reduced.P, reduced.c, reduced.rows
    raised = s2 + max(reduced.trace - float(np.trace(P)), 0.0)
    fitted = c @ np.linalg.solve(raised * np.eye(len(c)) + P, c)
    return lower.nld - 0.5 * (reduced.yy - float(fitted)) / raised - 0.5 * n * math.log(2 * math.pi)


def proposition(P: Array, rows: int, s2: float) -> tuple[float, bool]:
    """Proposition 1: the smallest eigenvalue of K̂ + s2·I, and whether it is at least 2·s2.

    Then the upper bound lies nearer to the truth than the lower one. K̂ has rank at most m, so with fewer inducing points
    than rows the smallest eigenvalue is s2 and the condition never holds: it is sufficient, and far from necessary.
    """
    m = len(P)
    least = s2 + (max(float(np.linalg.eigvalsh(P)[0]), 0.0) if m >= rows else 0.0)
    return least, least >= 2 * s2
