"""Noise as a weight: with w = √(s2/Λ) for any s2 > 0,

    log N(y | 0, K + Λ) = log N(wy | 0, wKw + s2·I) + Σ log w.

So bounds for noise that is the same everywhere hold word for word for noise Λ that is not: for the kernel w(x) k(x, z) w(z),
whose terms have the amplitudes w·a, and the target wy. s2 is the least of Λ, so that w = 1 where noise is the same everywhere,
and all numbers are those without weights.

The rounding of w moves Λ, that of wy the target. |δΛ| ≤ d·Λ moves the value by no more than `digits.slack` says of t = d·√n and
rank n; |δ| ≤ ε·|wy| by ε·|α|ᵀ|wy| + ε²·|wy|²/2s2, α = (wKw + s2·I)⁻¹wy. The logarithms are added without error (`fsum`).

Since w ∝ Λ^−½, d/dΛ = −(d/d log w)/2Λ, and d/d log w is Σ_t ā_t·a_t through the amplitudes, ȳ·wy through the target, and one.
"""

import math
from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines import digits
from kernelscribe.kernels.form import Bar, Side
from kernelscribe.noises import Noise

__all__ = ["Weights"]

# Units in the last place: of the quotient and the root, which count twice in w².
_ROOT = 6.0
# The same of a logarithm, as a share of it and of one.
_LOGARITHM = 2.0


@dataclass(frozen=True, slots=True)
class Weights:
    """w [n] and s2.

    Attributes:
        logs: Σ log w.
        units: units in the last place by which Λ = s2/w² may be off, at most; none where noise is the same everywhere.
    """

    w: Array
    s2: float
    logs: float = 0.0
    units: float = 0.0

    @classmethod
    def of(cls, noise: Noise, X: Array) -> "Weights":
        if noise.uniform:
            return cls(np.ones(len(X)), noise.level)
        variances = noise.diagonal(X)
        s2 = float(variances.min())
        w = np.sqrt(s2 / variances)
        return cls(w, s2, math.fsum(np.log(w)), float(noise.rounding(X).max()) + _ROOT)

    @property
    def uniform(self) -> bool:
        return self.units == 0

    def target(self, y: Array) -> Array:
        """wy."""
        return y if self.uniform else self.w * y

    def side(self, side: Side) -> Side:
        """The features of the kernel w(x) k(x, z) w(z)."""
        return side if self.uniform else side.weighted(self.w)

    def pull(self, side: Side, bar: Bar, weighed: Array, weighed_bar: Array) -> Array:
        """From the cotangents of the weighted side, all of them, and of wy to that of Λ [n]."""
        by_log = np.einsum("tn,tn->n", bar.a, side.a) + weighed_bar * weighed + 1
        return np.asarray(-0.5 * by_log * self.w**2 / self.s2)

    def blur(self) -> float:
        """t of digits.py for what Λ may be off by."""
        return self.units * digits.UNIT * math.sqrt(len(self.w))

    def slack(self, weighed: Array, alpha: Array, off: float) -> float:
        """Nats that all of this may move the value by, with the target wy and α, of which √s2·‖α‖ may be off by so much."""
        if self.uniform:
            return 0.0
        size, n = math.sqrt(self.s2) * float(np.linalg.norm(alpha)) + off, len(self.w)
        largest = float(np.linalg.norm(weighed)) / math.sqrt(self.s2)
        target = digits.UNIT * (float(np.abs(alpha) @ np.abs(weighed)) + off * largest) + 0.5 * (digits.UNIT * largest) ** 2
        logs = _LOGARITHM * digits.UNIT * (n + float(np.abs(np.log(self.w)).sum()))
        return digits.slack(self.blur(), n, size**2) + target + logs
