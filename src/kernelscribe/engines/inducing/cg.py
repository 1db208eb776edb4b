"""The quadratic term from both sides, by preconditioned conjugate gradients that know how far they are.

For every α, with r = y − (K + s2·I)α and q(α) = ½ αᵀ(K + s2·I)α − αᵀy,

    q(α) − ½ rᵀ(K̂ + s2·I)⁻¹r  ≤  −½ yᵀ(K + s2·I)⁻¹y  ≤  q(α),

since q(α) exceeds its minimum by ½ rᵀ(K + s2·I)⁻¹r, and K̂ ⪯ K. The left-hand gap, the slack, is the stopping rule: a number
of nats, not a norm. q and r are evaluated with a fresh product, never taken from the recurrences.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.inducing.products import KernelProduct
from kernelscribe.engines.inducing.structured import Structured

__all__ = ["Quadratic", "quadratic"]

# Rounding makes the recurrences drift; after this many fresh starts more would not help.
_FRESH = 4


@dataclass(frozen=True, slots=True)
class Quadratic:
    """−½ yᵀ(K + s2·I)⁻¹y lies in [upper − slack, upper]."""

    alpha: Array
    upper: float
    slack: float
    iterations: int

    def loosened(self, t: float, s2: float) -> "Quadratic":
        """With what rounding may hide of the slack: r is off by t·s2·‖α‖ at most (digits.py), and its square counts as 1/s2."""
        hidden = t * math.sqrt(s2 * float(self.alpha @ self.alpha))
        return replace(self, slack=0.5 * (math.sqrt(2 * max(self.slack, 0.0)) + hidden) ** 2)


def quadratic(
    product: KernelProduct, y: Array, s2: float, below: Structured, precondition: Structured | None, *, slack: float, most: int
) -> Quadratic:
    """Conjugate gradients from α = 0 until the certified slack is at most `slack` nats, or `most` iterations are done.

    Args:
        below: K̂ + s2·I, which lies below K + s2·I and certifies the result.
        precondition: any positive definite stand-in for K + s2·I; None for plain conjugate gradients.
    """
    alpha, r, done = np.zeros_like(y), y, 0
    best = Quadratic(alpha, 0.0, 0.5 * float(y @ below.solve(y)), 0)
    for _ in range(_FRESH):
        alpha, steps = _run(product, alpha, r, s2, below, precondition, slack, most - done)
        done += steps
        Ka = product(alpha) + s2 * alpha
        r = y - Ka
        found = Quadratic(alpha, float(0.5 * alpha @ Ka - alpha @ y), 0.5 * float(r @ below.solve(r)), done)
        if not np.isfinite(found.upper) or found.upper > best.upper:
            break
        best = found
        if best.slack <= slack or done >= most or steps == 0:
            break
    return best


def _run(
    product: KernelProduct, alpha: Array, r: Array, s2: float,
    below: Structured, precondition: Structured | None, slack: float, most: int,
) -> tuple[Array, int]:  # fmt: skip
    """One stretch of iterations from α with residual r; stops when the recurrences put the slack below what is asked."""
    p, rz = np.zeros_like(r), 1.0
    for step in range(most):
        sure = below.solve(r)
        if 0.5 * (r @ sure) <= slack:
            return alpha, step
        z = sure if precondition is below else r if precondition is None else precondition.solve(r)
        rz, last = float(r @ z), rz
        p = z + (rz / last if step else 0.0) * p
        Kp = product(p) + s2 * p
        curvature = p @ Kp
        if not (curvature > 0 and rz > 0):
            return alpha, step
        alpha = alpha + (rz / curvature) * p
        r = r - (rz / curvature) * Kp
    return alpha, most
