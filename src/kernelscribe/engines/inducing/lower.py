"""The variational lower bound (Titsias 2009; the paper's equation 1) and its derivatives, as algebra on small matrices.

    log p(y) ≥ log N(y | 0, K̂ + s2·I) − tr(K − K̂) / 2s2,        K̂ = K_Nm Q⁻¹ K_mN,   Q = K_mm + jitter = L Lᵀ.

Everything that depends on the N rows enters through P = A Aᵀ, c = A y with A = L⁻¹K_mN, yᵀy and tr K. With B = I + P/s2,
    log|K̂ + s2·I| = N log s2 + log|B|,    tr K̂ = tr P,
    yᵀ(K̂ + s2·I)⁻¹y = min_v |y − Aᵀv|²/s2 + |v|² = (yᵀy − 2cᵀu + uᵀPu)/s2 + uᵀu   at   v = u = B⁻¹c/s2.
The minimum is written out because no other u brings the value below it: an u that is solved for badly lowers the bound. The
shorter (yᵀy − cᵀu)/s2 has come out negative there, and the bound at millions of nats. What rounding of P, about ε·tr P, may
still have added through uᵀPu and log|B| is taken off: next to nothing, unless the noise drowns in it.

The cotangents follow from F as a function of Q, Ψ = K_mN K_Nm and ψ = K_mN y, with
    W = (I − B⁻¹ − uuᵀ) / 2s2:      Ψ̄ = L⁻ᵀ W L⁻¹,    ψ̄ = L⁻ᵀu/s2,    Q̄ = L⁻ᵀ (s2·W − P/2s2) L⁻¹,
so that K̄_mN = 2 Ψ̄ K_mN + ψ̄ yᵀ.

Legend: as above; N rows, m inducing points, bar a cotangent.
"""

import math
from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import cholesky, inverse

__all__ = ["Lower", "Reduced", "lower"]


_ROUNDING = 8 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class Reduced:
    """What the bound needs of the N rows."""

    P: Array
    c: Array
    yy: float
    trace: float
    rows: int


@dataclass(frozen=True, slots=True)
class Lower:
    """The bound with its parts: value = nld + nip − penalty − N/2 log 2π."""

    value: float
    nld: float
    nip: float
    penalty: float
    B_factor: Array
    W: Array
    u: Array
    s2_bar: float


def lower(reduced: Reduced, s2: float) -> Lower | None:
    """The bound and what its gradient needs; None where B is not numerically positive definite."""
    P, c, n = reduced.P, reduced.c, reduced.rows
    m = len(c)
    B = P / s2
    B.flat[:: m + 1] += 1
    LB = cholesky(B)
    if LB is None:
        return None
    B_inverse = inverse(LB)
    u = B_inverse @ c / s2
    rest = max(reduced.trace - float(np.trace(P)), 0.0)
    nld = -0.5 * n * math.log(s2) - float(np.log(np.diagonal(LB)).sum())
    misfit = reduced.yy - 2 * float(c @ u) + float(u @ P @ u)
    square = float(u @ u)
    nip = -0.5 * (misfit / s2 + square + _ROUNDING * float(np.trace(P)) / s2 * (square + m))
    penalty = rest / (2 * s2)
    W = np.multiply.outer(u, u)
    W += B_inverse
    W *= -0.5 / s2
    W.flat[:: m + 1] += 0.5 / s2
    # tr(B⁻¹P) = s2·(m − tr B⁻¹), which loses no digits when P is large.
    fit = s2 * (m - float(np.trace(B_inverse))) + misfit + rest
    s2_bar = 0.5 * (fit / s2 - n) / s2
    return Lower(nld + nip - penalty - 0.5 * n * math.log(2 * math.pi), nld, nip, penalty, LB, W, u, s2_bar)
