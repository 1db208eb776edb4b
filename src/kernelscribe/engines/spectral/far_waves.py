"""Waves that the tables do not reach, as the overtones of a short cycle beyond the highest frequency of the sampling.

They are left out of every bound and belong to the remainder R, and in a certificate to αᵀRα. To bound their share by what they
weigh, Σ w · n‖α‖², would cost thousands of nats where the noise is small; but they are few, so it is computed from the rows:

    Σ w |Σ_n P(u_n) α_n e^{2πiξu_n}|²,        α = (y − Φβ)/s2.
"""

import math
from collections.abc import Callable, Sequence

import finufft
import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.spectral.features import square, unreached
from kernelscribe.engines.spectral.tables import Complex, Tables
from kernelscribe.engines.spectral.waves import Wave

__all__ = ["Far", "far", "saved"]

# A term, frequencies, and their prior variances.
Far = tuple[Wave, Array, Array]

# Lines lighter than this are not listed.
_LIGHTEST = 1e-18
# Nats that must be at stake for a look at the rows.
_WORTH = 0.005
_DIGITS = 1e-12
# Waves over the data up to which frequencies are looked at: the transform takes memory and time as these are many.
_FURTHEST = 2**20
# Terms, frequencies times rows, that are summed one by one, since a transform takes longer.
_FEW = 2**19


def far(waves: Sequence[Wave], tables: Tables) -> list[Far]:
    """What lies beyond the tables; of a line that is within them some may."""
    return [(wave, *unreached(wave, tables, _LIGHTEST, _FURTHEST)) for wave in waves if wave.cycles]


def saved(found: Sequence[Far], tables: Tables, energy: float, residual: Callable[[], Array]) -> float:
    """By how much αᵀRα is less than with Cauchy's inequality for these waves, all of which the trace of R must hold.

    Args:
        energy: ‖α‖².
        residual: makes α·s2, y less the means of all terms at the rows; divided by s2 it must have that energy.
    """
    crude = sum(float(w.sum()) * square(wave.polynomial, tables.moments) * energy for wave, _, w in found)
    if crude < _WORTH:
        return 0.0
    left = residual()
    size = float(left @ left)
    fine = 0.0
    for wave, xi, w in found:
        if len(xi):
            strengths = left * np.polynomial.polynomial.polyval(tables.u, wave.polynomial) * math.sqrt(energy / size)
            sums = _sums(tables.u, strengths, xi)
            # Digits of the transform, as a share of the largest that a sum can be.
            allowed = _DIGITS * float(np.abs(strengths).sum())
            fine += float(w @ (np.abs(sums) + allowed) ** 2)
    return max(crude - fine, 0.0)


def _sums(u: Array, strengths: Array, xi: Array) -> Complex:
    """Σ_n s_n e^{2πiξu_n}."""
    if len(xi) * len(u) <= _FEW:
        return np.asarray(np.exp(2j * np.pi * (np.outer(xi, u) % 1.0)) @ strengths)
    packed = strengths.astype(np.complex128)
    return np.asarray(finufft.nufft1d3(u, packed, 2 * np.pi * xi, eps=_DIGITS, isign=1, nthreads=1))
