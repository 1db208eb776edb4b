"""Waves that the tables do not reach, as the overtones of a short cycle beyond the highest frequency of the sampling.

They are left out of every bound and belong to the remainder R, and in a certificate to αᵀRα. To bound their share by what they
weigh, Σ w · n‖α‖², would cost thousands of nats where the noise is small; but they are few, so it is computed from the rows:

    Σ w |Σ_n P(u_n) α_n e^{2πiξu_n}|²,        α = (y − Φβ)/s2.
"""

import math
from collections.abc import Callable, Sequence

import finufft
import numpy as np

from kernelscribe.evidence.spectral.features import square, unreached
from kernelscribe.evidence.spectral.tables import Complex, Tables
from kernelscribe.evidence.spectral.waves import Wave
from kernelscribe.kernels.base import Array

__all__ = ["saved"]

# Lines lighter than this are not listed.
_LIGHTEST = 1e-18
# Nats that must be at stake for a look at the rows.
_WORTH = 0.005
_DIGITS = 1e-12
# Waves over the data up to which frequencies are looked at: the transform takes memory and time as these are many. And terms,
# frequencies times rows, that are summed one by one, since a transform takes longer.
_FURTHEST, _FEW = 2**20, 2**19


def saved(waves: Sequence[Wave], tables: Tables, energy: float, residual: Callable[[], Array]) -> float:
    """By how much αᵀRα is less than with Cauchy's inequality for these waves.

    Args:
        energy: ‖α‖².
        residual: makes α·s2, y less the means of all terms at the rows; divided by s2 it must have that energy.
    """
    far = [(wave, *unreached(wave, tables, _LIGHTEST, _FURTHEST)) for wave in waves if wave.cycles]
    crude = sum(float(w.sum()) * square(wave.polynomial, tables.moments) * energy for wave, _, w in far)
    if crude < _WORTH:
        return 0.0
    left = residual()
    size = float(left @ left)
    fine = 0.0
    for wave, xi, w in far:
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
