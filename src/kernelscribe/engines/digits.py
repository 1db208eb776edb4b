"""What rounding may move a bound by, in nats: added to both ends of every interval that comes from matrices.

Everything computed from entries of K is exact for a matrix K + Δ with |Δ_ij| ≤ η·√(K_ii K_jj), η = (entries + sums)·ε:

- `entries`, units in the last place by which an entry may be off, as a share of √(K_ii K_jj): a few for every factor, and
  d·e^{−d²/2}·|δφ| ≤ 0.61·|δφ| for features that are off by δφ, d being their distance; inputs are rounded, so δφ grows as
  |x|·|dφ/dx| (`steepness`);
- `sums`: a Cholesky factor LLᵀ, its solves and inner products are off by as many units as numbers are added one after the other,
  times |L||Lᵀ| ≤ √(K_ii K_jj) (Higham, Accuracy and Stability of Numerical Algorithms, theorems 10.3 and 10.4).

So ‖Δ‖_F ≤ η·tr K. With t = η·tr K/s2 < ½ and K ⪰ 0, whose sum with the noise has no eigenvalue below s2, for a rank r

    |log|K + Δ + s2·I| − log|K + s2·I||  ≤  √r t + t²,        |yᵀ(K + Δ + s2·I)⁻¹y − yᵀ(K + s2·I)⁻¹y|  ≤  (1 + t)·t·s2·‖α‖²

with α = (K + Δ + s2·I)⁻¹y, and half of their sum is what the ends move by. Where t ≥ ½ the digits do not tell the noise from
nothing, and there is no interval.
"""

import math

import numpy as np

from kernelscribe.errors import Status
from kernelscribe.kernels.form import Form, Side
from kernelscribe.kernels.tree import Leaf

__all__ = ["UNIT", "WIDE", "blur", "entries", "slack", "status", "sums"]

UNIT = 2.0**-53
# Nats of slack from which an interval is called loose.
WIDE = 0.1
# Units in the last place of any entry: square root, exponential, and what is squared; and one for every term that is added.
_ANY = 16.0
# The same for every factor of a term beside those of its formula: one to multiply it in, and on either side the root of its
# variance and a product.
_FACTOR = 5.0
# Those of the formula where the factor has features.
_FEATURES = 7.0
# The same for weights of the points, where there are any, on either side.
_WEIGHT = 4.0
# 0.61 times the roundings of an input's features: of the parameter, the quotient, and the sine; on either side.
_INPUT = 8.0
# Numbers beyond which BLAS adds up blocks,
_BLOCK = 512
# and within blocks so many at least side by side.
_SIDE_BY_SIDE = 16


def entries(form: Form, side: Side, moved: float = 0.0) -> float:
    """Units in the last place by which an entry of K may be off, as a share of √(K_ii K_jj), where inputs were moved by so much
    beside their rounding."""
    steepest, roundings, largest = 0.0, _FACTOR + _FEATURES, 0.0
    for t, term in enumerate(form.terms):
        slopes = [_slope(form, side, i, moved) for i in term]
        rows = side.phi[int(form.offsets[t]) : int(form.offsets[t + 1])]
        steepest, roundings = max(steepest, sum(slopes)), max(roundings, sum(_FACTOR + _formula(form, i) for i in term))
        largest = max(largest, float(np.abs(rows).max(initial=0.0)))
    weights = _WEIGHT if np.ndim(side.weights) else 0.0
    return _ANY + len(form.terms) + roundings + _INPUT * (steepest + largest) + weights


def _formula(form: Form, i: int) -> float:
    node = form.owners[form.factors[i].owner]
    return _FEATURES if form.features[i] is not None or not isinstance(node, Leaf) else node.base.roundings


def _slope(form: Form, side: Side, i: int, moved: float) -> float:
    owner = form.factors[i].owner
    node, features = form.owners[owner], form.features[i]
    furthest = float(np.abs(side.X[:, node.dim - 1]).max(initial=0.0))
    steepest = node.base.steepness(side.values[owner]) if features is None else features.steepness(side.values[owner])
    return steepest * (furthest + moved / UNIT)


def sums(*lengths: int) -> float:
    """The same for sums of so many numbers, one after another."""
    return 4 * sum(min(n, _BLOCK + n / _SIDE_BY_SIDE) for n in lengths)


def blur(units: float, trace: float, s2: float) -> float:
    """t."""
    return units * UNIT * trace / s2


def slack(t: float, rank: int, energy: float) -> float:
    """Nats, with energy = s2·‖α‖²; inf where the digits do not suffice."""
    if not t < 0.5:  # noqa: PLR2004
        return math.inf
    return 0.5 * (math.sqrt(rank) * t + t * t + (1 + t) * t * energy)


def status(moved: float, otherwise: Status = Status.OK) -> Status:
    """Of an interval that rounding moves by so many nats."""
    if not math.isfinite(moved):
        return Status.NONFINITE
    return Status.LOOSE if moved > WIDE else otherwise
