"""The certificate on windows and waves: an interval that holds the log marginal likelihood.

As in certificate.py, log p(y) lies between the bound and value + ½αᵀRα, here with αᵀRα ≤ tr(R)‖α‖², since tr(R) is made so small
that nothing finer is needed, but for lines beyond the tables (far_waves.py). The kernel that windows and waves sum to is not
quite the kernel: K̂ + R = K + E with |E_ij| ≤ ε_i, at most a share q of a term with windows (windows.py), and aliases of waves.
Rows of E sum to e at most, a term's share of it being ε times how many rows of data lie within its reach. Then ‖E‖₂ ≤ e,
‖E‖_F² ≤ N Σ ε e, and both ends move out by

    ½ √N ‖E‖_F/(s2 − e) + ½ e yᵀA⁻¹y/(s2 − e);

by what the entries are worth that were cut off from the band, ½(m + zᵀz)‖δB‖₂/(1 − ‖δB‖₂); and by the digits of the tables.
Lines beyond the tables stand at their aliases where times are regular, which is exact up to how far times are off.
"""

import math

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.effort import STANDARD
from kernelscribe.engines import digits
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.engines.spectral.far_waves import far, far_lines, saved
from kernelscribe.engines.spectral.features import ALIAS
from kernelscribe.engines.spectral.tables import OFF_STEP, Tables
from kernelscribe.engines.spectral.waves import Wave
from kernelscribe.engines.spectral.window_bound import Local, local_solve
from kernelscribe.engines.spectral.windows import CUT, TermWindows, error
from kernelscribe.errors import Status

__all__ = ["local_certified", "slack"]

# Centres stand closer than for a fit, so that q is 1e-13.
_CLOSE = 0.4
# Nats that lines and waves may be worth that were left out, about.
_NATS = 0.01
_MOST = 2000
# Where that is too much work, so many times as much.
_LOOSER = (1.0, 1e2, 1e4, 1e6)
# An interval wider than this many nats is made once more with less left out,
_WIDE = 0.05
# so many times.
_AGAIN = 3
# Σ over whole numbers of e^{−k²/2}, both ways: what a row of the kernel sums to, in rows of data within a lengthscale.
_ROWS = 3.51
# What the transforms that make a table may be off by, as a share of the sum of what they add up.
_DIGITS = 1e-14


def local_certified(
    waves: list[Wave], tables: Tables, s2: float, *, places: tuple[int, ...] = (), limit: float = STANDARD.windows_work
) -> Evidence | None:
    """The interval of a kernel at these values, a wider one where that is too much work; None where windows are not to be had
    (see local_solve)."""
    tables = tables.aliased()
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
        left_out = found.trace * found.alpha - _saved(found, tables)
        interval = Interval(found.lower - moved, found.value + 0.5 * left_out + moved).outward()
        status = digits.status(moved) if interval.consistent else Status.INCONSISTENT
        best = Evidence(interval, interval, moved, status=status if math.isfinite(interval.width) else Status.NONFINITE)
        if interval.width - 2 * moved <= _WIDE:
            break
        tolerance *= 1e-2
    return best


def _saved(found: Local, tables: Tables) -> float:
    """What lines beyond the tables are worth less than by Cauchy's inequality."""
    missing = far([block.wave for block in found.blocks], tables)
    if tables.sampling is None:
        missing += far_lines([a.wave for a in found.terms], tables)
    return saved(missing, tables, found.alpha, lambda: np.asarray(tables.y - sum(found.means(tables.u))))


def slack(found: Local, tables: Tables, rho: float) -> float:
    """What the value may be off by for reasons other than what was left out."""
    n, s2, q = found.rows, found.s2, error(rho)
    places = np.sort(tables.u)
    e, squares = 0.0, 0.0
    rows = [_ROWS * _crowd(places, a.ell) for a in found.live]
    for a, near in zip(found.live, rows, strict=True):
        entry = (q * a.wave.variance + _aliases(a)) * _largest(a.wave)
        e += entry * near
        squares += math.sqrt(n * entry * entry * near)
    for block in found.blocks:
        if math.isfinite(block.wave.lengthscale):
            entry = 2.1 * ALIAS * block.wave.variance * _largest(block.wave)
            e += n * entry
            squares += n * entry
    cut = _cut(found.live, rows) / s2
    if s2 <= 2 * e or cut >= 0.5:  # noqa: PLR2004
        return math.inf
    moved = 0.5 * (math.sqrt(n) * squares + e * found.quadratic) / (s2 - e)
    band = 0.5 * (found.order.layout.m + found.explained) * cut / (1 - cut)
    return moved + band + _digits(found, tables)


def _aliases(a: TermWindows) -> float:
    """What an entry may be off by, without P, since lines stand at their aliases: they turn by 2π for every sampling and step,
    and times are off by some of a step at both ends."""
    if a.number.shape[1] <= len(a.wave.cycles):
        return 0.0
    A = math.sqrt(2 / math.pi) * a.spacing / a.ell
    return 4 * math.pi * OFF_STEP * float(np.abs(a.number[:, -1]) @ a.w) / A


def _cut(live: list[TermWindows], rows: list[float]) -> float:
    """‖δG‖₂ at most, with the weights: of two terms' windows those beyond the reach, where the nearest is worth CUT. Of all
    centres of the one beyond the reach of a centre of the other the next is worth less by a factor, which is near one where it
    is the much shorter."""
    total = 0.0
    for a, near_a in zip(live, rows, strict=True):
        for b, near_b in zip(live, rows, strict=True):
            wide = math.hypot(a.ell, b.ell)
            many = [2 / -math.expm1(-2 * math.sqrt(-math.log(CUT)) * c.spacing / wide) for c in (a, b)]
            share = CUT * math.sqrt(many[0] * many[1] * near_a * near_b * _largest(a.wave) * _largest(b.wave))
            total += share * float(a.root.sum()) * float(b.root.sum())
    return total


def _digits(found: Local, tables: Tables) -> float:
    """What digits of the tables may move the value by. The quadratic is the least of |y − Φβ|²/s2 + βᵀW⁻¹β, so it moves by what
    every inner product is off by times its coefficients; windows that do not meet have none. The log-determinant moves by that
    times the weights."""
    n, s2 = found.rows, found.s2
    P = np.zeros(len(found.root))
    for a, own in zip(found.live, found.order.features, strict=True):
        P[own] = math.sqrt(_largest(a.wave))
    stems = [np.full(2 * len(block.w), math.sqrt(_largest(block.wave))) for block in found.blocks]
    P_end = np.concatenate([*stems, np.empty(0)])
    beta, tip = np.abs(P * found.root * found.z), float(np.abs(P_end * found.stem * found.end).sum())
    met = (2 * found.order.layout.H + found.order.layout.b) * float(beta @ beta)
    whole = float(beta.sum()) + tip
    products = n * (met + 2 * float(beta.sum()) * tip + tip**2) + 2 * math.sqrt(n * tables.energy) * whole + tables.energy
    weights = n * (float((P * found.root) @ (P * found.root)) + float((P_end * found.stem) @ (P_end * found.stem)))
    return 0.5 * _DIGITS * (products + weights) / s2


def _crowd(places: Array, ell: float) -> int:
    """The most rows of data within a lengthscale."""
    return int((np.searchsorted(places, places + ell, side="right") - np.arange(len(places))).max())


def _largest(wave: Wave) -> float:
    """max P² on the unit range, at most."""
    return math.prod(float(abs(root) + 0.5) ** 2 for root in wave.roots)
