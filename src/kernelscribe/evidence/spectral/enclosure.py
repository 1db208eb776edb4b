"""The certificate on windows and waves: an interval that holds the log marginal likelihood.

As in certificate.py, log p(y) lies between the bound and value + ½αᵀRα, here with αᵀRα ≤ tr(R)‖α‖², since tr(R) is made so small
that nothing finer is needed, but for lines beyond the tables (beyond.py). The kernel that windows and waves sum to is not quite
the kernel: K̂ + R = K + E with |E_ij| ≤ ε_i, at most a share q of a term with windows (windows.py), and aliases of waves. Rows of
E sum to e at most, a term's share of it being ε times how many rows of data lie within its reach. Then ‖E‖₂ ≤ e,
‖E‖_F² ≤ N Σ ε e, and both ends move out by

    ½ √N ‖E‖_F/(s2 − e) + ½ e yᵀA⁻¹y/(s2 − e);

by what the entries are worth that were cut off from the band, ½(m + zᵀz)‖δB‖₂; and by the digits of the tables.
"""

import math
from functools import partial

import numpy as np

from kernelscribe.errors import Status
from kernelscribe.evidence.interval import Evidence, Interval
from kernelscribe.evidence.spectral.beyond import saved
from kernelscribe.evidence.spectral.features import ALIAS
from kernelscribe.evidence.spectral.local import MOST_WORK, Local, local_means, local_solve
from kernelscribe.evidence.spectral.tables import Tables
from kernelscribe.evidence.spectral.waves import Wave
from kernelscribe.evidence.spectral.windows import CUT, error
from kernelscribe.kernels.base import Array

__all__ = ["local_certified", "slack"]

# Centres stand closer than for a fit, so that q is 1e-13.
_CLOSE = 0.4
# Nats that lines and waves may be worth that were left out, about.
_NATS = 0.01
_MOST = 2000
# Where that is too much work, so many times as much.
_LOOSER = (1.0, 1e2, 1e4, 1e6)
# An interval wider than this many nats is made once more with less left out, so many times.
_WIDE, _AGAIN = 0.05, 3
# Σ over whole numbers of e^{−k²/2}, both ways: what a row of the kernel sums to, in rows of data within a lengthscale.
_ROWS = 3.51
# What rounding and the tables' digits may move, as a share of yᵀy/s2.
_DIGITS = 1e-12


def local_certified(
    waves: list[Wave], tables: Tables, s2: float, *, places: tuple[int, ...] = (), limit: float = MOST_WORK
) -> Evidence | None:
    """The interval of a kernel at these values, a wider one where that is too much work; None where windows are not to be had
    (see local_solve)."""
    for looser in _LOOSER:
        found = _within(waves, tables, s2, looser * 2 * _NATS / len(tables.u), places, limit)
        if found is not None:
            return found
    return None


def _within(
    waves: list[Wave], tables: Tables, s2: float, tolerance: float, places: tuple[int, ...], limit: float
) -> Evidence | None:
    """That with so much left out, or with less where it is wide."""
    best = None
    for _ in range(_AGAIN):
        found = local_solve(waves, tables, s2, tolerance, _MOST, places=places, rho=_CLOSE, limit=limit)
        if found is None:
            return best
        moved = slack(found, tables, _CLOSE)
        left_out = found.trace * found.alpha - saved(waves, tables, found.alpha, partial(_residual, found, tables))
        interval = Interval(found.lower - moved, found.value + 0.5 * left_out + moved).outward()
        status = Status.OK if interval.consistent else Status.INCONSISTENT
        best = Evidence(interval, interval, moved, status=status if math.isfinite(interval.width) else Status.NONFINITE)
        if interval.width - 2 * moved <= _WIDE:
            break
        tolerance *= 1e-2
    return best


def _residual(found: Local, tables: Tables) -> Array:
    return np.asarray(tables.y - sum(local_means(found, tables.u)))


def slack(found: Local, tables: Tables, rho: float) -> float:
    """What the value may be off by for reasons other than what was left out."""
    n, s2, q = found.rows, found.s2, error(rho)
    places = np.sort(tables.u)
    e, squares, cut = 0.0, 0.0, 0.0
    for a in found.live:
        entry = q * a.wave.variance * _largest(a.wave)
        rows = _ROWS * _crowd(places, a.ell)
        e += entry * rows
        squares += math.sqrt(n * entry * entry * rows)
        # Of the centres beyond the reach the nearest is worth CUT, and all of them less than three times that.
        cut += math.sqrt(3 * CUT * rows * _largest(a.wave)) * float(a.root.sum())
    for block in found.blocks:
        if math.isfinite(block.wave.lengthscale):
            entry = 2.1 * ALIAS * block.wave.variance * _largest(block.wave)
            e += n * entry
            squares += n * entry
    if s2 <= 2 * e:
        return math.inf
    moved = 0.5 * (math.sqrt(n) * squares + e * found.quadratic) / (s2 - e)
    band = 0.5 * (found.order.layout.m + float(found.z @ found.z)) * cut**2 / s2
    return moved + band + _DIGITS * tables.energy / s2


def _crowd(places: Array, ell: float) -> int:
    """The most rows of data within a lengthscale."""
    return int((np.searchsorted(places, places + ell, side="right") - np.arange(len(places))).max())


def _largest(wave: Wave) -> float:
    """max P² on the unit range, at most."""
    return math.prod(float(abs(root) + 0.5) ** 2 for root in wave.roots)
