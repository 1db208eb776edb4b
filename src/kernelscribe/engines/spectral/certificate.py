"""The certificate: an interval that holds the log marginal likelihood, from waves that were kept and waves that were left out.

K_per, the kernel that all waves sum to, is K̂ + R with K̂ = ΦWΦᵀ of the kept ones and R ⪰ 0 of the others. Whichever are kept,
with α = (K̂ + s2·I)⁻¹y,

    log N(y | 0, K̂ + s2·I) − tr(R)/2s2  ≤  log p(y)  ≤  log N(y | 0, K̂ + s2·I) + ½ αᵀRα.

On the left Jensen's inequality; on the right K ⪰ K̂ in the determinant and Fenchel's inequality in the quadratic.
αᵀRα = Σ w |Σ P α e^{2πiξu}|² over the waves that were left out: the heavier ones by the tables, lines beyond the tables by the
rows (far_waves.py), the others at most Σ w · n‖α‖² (Cauchy). The kernel itself differs from K_per by aliases, |E_ij| ≤ e, which
are not of one sign. Both ends move out by

    ½ N e (N^½/s2 + ‖α‖²) · s2/(s2 − Ne),

and by what the last digits may be worth. The quadratic is the least of (‖y‖² − 2βᵀb + βᵀGβ)/s2 + βᵀW⁻¹β over β, so that digits
δ of every inner product, as a share of the norms that it joins, move half of it by ½δ(‖y‖ + Σ|β_j|‖φ_j‖)²/s2; half of the
log-determinant moves by ½δ tr(K̂)/s2. This tells when large coefficients nearly cancel. Rounding is not enclosed by it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines import digits
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.engines.spectral.bound import Solution, solve
from kernelscribe.engines.spectral.far_waves import far, saved
from kernelscribe.engines.spectral.features import ALIAS, Block, blocks, heaviest
from kernelscribe.engines.spectral.gram import products, projection, sections
from kernelscribe.engines.spectral.tables import Tables
from kernelscribe.engines.spectral.waves import Wave, times
from kernelscribe.errors import Status

__all__ = ["certified"]

# Nats that the bound may lose by leaving out waves.
_TOLERANCE = 0.01
# Frequencies, at most: some seconds.
_MOST = 2000
# An interval wider than this many nats is made once more on more waves,
_WIDE = 0.05
# so many times.
_AGAIN = 3
# Lines lighter than this are not listed.
_LIGHTEST = 1e-18
# Waves that were left out and are looked at one by one.
_LISTED = 8000
# So many of them at once: their products with what was kept fit the memory.
_BATCH = 500
# What rounding may move an inner product by, as a share of the product of two norms.
_DIGITS = 1e-15
# The same, as angles 2πξu are rounded, for every wave a span that it is made of, over √N, since the rows err independently.
_TURNS = 8e-15


def certified(waves: list[Wave], tables: Tables, s2: float) -> Evidence:
    """The interval of a kernel at these values, on as many waves as make it narrow."""
    every = blocks(waves, tables, _LIGHTEST)
    tolerance, best = _TOLERANCE, Evidence(NOWHERE, NOWHERE, status=Status.SINGULAR)
    for _ in range(_AGAIN):
        chosen = heaviest(every, s2, tolerance, _MOST)
        found = solve([block.only(own) for block, own in zip(every, chosen, strict=True)], tables, s2)
        if found is None:
            return best
        slack = _slack(found, tables)
        interval = Interval(found.lower - slack, found.value + 0.5 * _left_out(found, every, chosen, tables) + slack).outward()
        best = Evidence(interval, interval, slack, status=_status(interval, slack))
        capped = sum(int(own.sum()) for own in chosen) >= _MOST
        # More waves do not lessen the slack.
        if interval.width - 2 * slack <= _WIDE or capped:
            break
        tolerance *= 1e-2
    return best


def _status(interval: Interval, slack: float) -> Status:
    if not math.isfinite(interval.width):
        return Status.NONFINITE
    return digits.status(slack) if interval.consistent else Status.INCONSISTENT


def _slack(found: Solution, tables: Tables) -> float:
    """What aliases, and the digits of the tables, may move the value by."""
    n, s2 = found.rows, found.s2
    e = sum(
        2.1 * ALIAS * block.wave.variance * _largest(block.wave)
        for block in found.blocks
        if math.isfinite(block.wave.lengthscale)
    )
    if s2 <= 2 * n * e:
        return math.inf
    aliases = 0.5 * n * e * (math.sqrt(n) / s2 + found.alpha) * s2 / (s2 - n * e)
    norms = np.sqrt(np.concatenate([np.full(2 * len(block.w), block.size) for block in found.blocks]))
    reach = math.sqrt(tables.energy) + float(np.abs(found.coefficients) @ norms)
    held = sum(block.size * float(block.w.sum()) for block in found.blocks)
    highest = max(float(np.abs(block.xi).max(initial=0.0)) for block in found.blocks)
    return aliases + 0.5 * (_DIGITS + _TURNS * highest / math.sqrt(n)) * (reach**2 + held) / s2


def _largest(wave: Wave) -> float:
    """max P² on the unit range, at most."""
    return math.prod(float(abs(root) + 0.5) ** 2 for root in wave.roots)


def _left_out(found: Solution, every: list[Block], chosen: list[NDArray[np.bool_]], tables: Tables) -> float:
    """αᵀRα, at most."""
    total = 0.0
    others = [block.only(~own) for block, own in zip(every, chosen, strict=True)]
    for whole, left, own in zip(every, others, heaviest(others, found.s2, 0.0, _LISTED), strict=True):
        total += (whole.rest + float(left.w[~own].sum())) * whole.size * found.alpha
        listed = left.only(own)
        for start in range(0, len(listed.w), _BATCH):
            part = slice(start, start + _BATCH)
            total += float(listed.w[part] @ _energy(found, listed, part, tables))
    missing = far([block.wave for block in every], tables)
    return total - saved(missing, tables, found.alpha, lambda: np.asarray(tables.y - sum(found.means(tables.u))))


def _energy(found: Solution, listed: Block, part: slice, tables: Tables) -> Array:
    """|Σ P α e^{2πiξu}|² = |(b − Gβ)/s2|² of waves that are not among the kept ones."""
    at = listed.at[part]
    right = projection(tables, listed.wave.polynomial, at)
    beta = found.coefficients
    for block, where in zip(found.blocks, sections(found.blocks), strict=True):
        both = times(listed.wave.polynomial, block.wave.polynomial)
        right -= products(tables, both, at, block.at) @ beta[where]
    cosines, sines = np.split(right / found.s2, 2)
    return np.asarray(cosines**2 + sines**2)
