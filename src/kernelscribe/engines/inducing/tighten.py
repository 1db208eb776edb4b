"""The log-determinant from both sides, by exact algebra on the part of K that the inducing points leave out.

    M = (K̂ + s2·I)^-½ (K − K̂) (K̂ + s2·I)^-½ ⪰ 0,     log|K + s2·I| = log|K̂ + s2·I| + log|I + M|.

With t1 = tr M and t2 = ‖M‖²_F (n eigenvalues λ ≥ 0):
    free      0 ≤ log|I + M| ≤ n log(1 + tr(K − K̂)/(n·s2))                     concavity, and M ⪯ (K − K̂)/s2
    trace     log(1 + t1) ≤ log|I + M| ≤ n log(1 + t1/n)                       Π(1 + λ) ≥ 1 + Σλ, and concavity
    moments   (t1²/t2) log(1 + t2/t1) ≤ log|I + M| ≤ (n−1) log(1 + b) + log(1 + a)
              a = μ + s√(n−1), b = μ − s/√(n−1), μ = t1/n, s² = t2/n − μ²
The left-hand moment bound is Jensen's inequality for the convex log(1 + λ)/λ with weights λ/t1; the right-hand one is the
spectrum that maximises Σ log(1 + λ) among all with these two moments. Both bounds rise with t1 and fall as t2 rises, so rounding
that may be worth e of t1 and of √t2 is allowed for by the worst of them.

With the eigenvectors U and values Λ of P = FᵀF and F ← F U:  (K̂ + s2·I)^-½ = (I − F d Fᵀ)/σ,  d = 1/(√(Λ+s2)(√(Λ+s2) + σ)),
and M = (K − Z Fᵀ − F Zᵀ)/s2 with Y = K F, Z = Y d − ½ F (d FᵀY d − s2/(Λ + s2)).

Legend: K, K̂ [N, N], F [N, m] with K̂ = F Fᵀ, s2 noise variance, σ its root.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.inducing.products import GridProduct, KernelProduct
from kernelscribe.engines.interval import Interval

__all__ = ["TwoMoments", "free", "measure", "moments", "trace"]


@dataclass(frozen=True, slots=True)
class TwoMoments:
    """t1 = tr M, and t2 = ‖M‖² where it was computed."""

    t1: float
    t2: float | None


def free(rest: float, n: int, s2: float) -> Interval:
    """Bounds on log|I + M| from tr(K − K̂) alone."""
    return Interval(0.0, n * math.log1p(max(rest, 0.0) / (n * s2)))


def trace(t1: float, n: int, e: float = 0.0) -> Interval:
    """Bounds on log|I + M| from its trace."""
    return Interval(math.log1p(max(t1 - e, 0.0)), n * math.log1p((t1 + e) / n))


def moments(t1: float, t2: float, n: int, e: float = 0.0) -> Interval:
    """Bounds on log|I + M| from its first two moments."""
    root = math.sqrt(max(t2, 0.0))
    low, high = _moments(max(t1 - e, 0.0), (root + e) ** 2, n), _moments(t1 + e, max(root - e, 0.0) ** 2, n)
    return Interval(low.lower, high.upper)


def _moments(t1: float, t2: float, n: int) -> Interval:
    if t1 * t1 <= 0 or n < 2:  # noqa: PLR2004  (or so small that its square underflows)
        return trace(max(t1, 0.0), n)
    # Any spectrum has t1²/n ≤ t2 ≤ t1²; rounding may not.
    t2 = min(max(t2, t1 * t1 / n), t1 * t1)
    mean = t1 / n
    spread = math.sqrt(max(t2 / n - mean * mean, 0.0))
    high, low = mean + spread * math.sqrt(n - 1), max(mean - spread / math.sqrt(n - 1), 0.0)
    return Interval(t1 * t1 / t2 * math.log1p(t2 / t1), (n - 1) * math.log1p(low) + math.log1p(high))


def measure(product: KernelProduct, F: Array, P: Array, diagonal: Array, s2: float) -> TwoMoments:
    """t1, and t2 where panels of K are at hand (on a grid they are not, and t1 alone costs O(m N log N))."""
    values, U = np.linalg.eigh(P)
    values = np.maximum(values, 0.0)
    F = F @ U
    root = np.sqrt(values + s2)
    d = 1 / (root * (root + math.sqrt(s2)))
    Y = product(F)
    inner = d[:, None] * (F.T @ Y) * d
    inner.flat[:: len(inner) + 1] -= s2 / (values + s2)
    Z = Y * d - 0.5 * F @ (0.5 * (inner + inner.T))
    t1 = max(float((diagonal - 2 * np.einsum("nm,nm->n", Z, F)).sum()) / s2, 0.0)
    if isinstance(product, GridProduct):
        return TwoMoments(t1, None)
    return TwoMoments(t1, _square(product.panels(), Z, F) / s2**2)  # type: ignore[attr-defined]


def _square(panels: Iterator[tuple[int, int, Array]], Z: Array, F: Array) -> float:
    """‖K − Z Fᵀ − F Zᵀ‖² from the upper panels of K."""
    left, right, total = np.hstack([Z, F]), np.hstack([F, Z]), 0.0
    for start, stop, panel in panels:
        part = panel - left[start:stop] @ right[start:].T
        off = part[:, stop - start :]
        corner = part[:, : stop - start]
        total += float(np.vdot(corner, corner)) + 2 * float(np.einsum("ij,ij->", off, off))
    return total
