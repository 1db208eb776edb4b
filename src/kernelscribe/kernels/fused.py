"""Gram matrices of the canonical form and their adjoint in two fused loops, compiled once for every structure.

The loops take the stacked features and their offsets, so nothing is compiled per kernel. NumPy's exponential handles one
number at a time on most machines; the polynomial below is written so that the compiler handles four or eight.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from kernelscribe.kernels.base import Array
from kernelscribe.kernels.terms import Bar, Form, Side

__all__ = ["Fused"]

# exp(x) = 2^k exp(r), r = x − k log 2 in two parts, |r| ≤ log 2 / 2; Taylor to r¹³ leaves a relative error below 1e-17.
_LOG2E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
# Adding 1.5·2^52 rounds to the nearest integer and leaves it in the low bits of the sum: AVX2 has no other way to int64.
_ROUND = 6755399441055744.0
_ROUND_BITS = int(np.float64(_ROUND).view(np.int64))
_LEAST = -708.0


@intrinsic
def _bits(typing_context: Any, x: Any) -> Any:
    """The bits of a float64 as int64."""
    return types.int64(types.float64), lambda context, builder, signature, args: builder.bitcast(args[0], ir.IntType(64))


@intrinsic
def _float(typing_context: Any, k: Any) -> Any:
    """The float64 with these bits."""
    return types.float64(types.int64), lambda context, builder, signature, args: builder.bitcast(args[0], ir.DoubleType())


# Only "contract" (fused multiply-add): reassociation would cancel the rounding trick.
@njit(inline="always", fastmath={"contract"})
def _exp(x: float) -> float:
    x = x if x > _LEAST else _LEAST
    shifted = x * _LOG2E + _ROUND
    k = shifted - _ROUND
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    # Estrin's scheme: short chains keep the multipliers busy, a quarter faster here than Horner's one long chain.
    r2 = r * r
    r4 = r2 * r2
    p0 = (1.0 + r) + r2 * (0.5 + r * 1.6666666666666666e-01)
    p1 = (4.1666666666666664e-02 + r * 8.333333333333333e-03) + r2 * (1.3888888888888889e-03 + r * 1.984126984126984e-04)
    p2 = (2.48015873015873e-05 + r * 2.7557319223985893e-06) + r2 * (2.755731922398589e-07 + r * 2.505210838544172e-08)
    p3 = 2.08767569878681e-09 + r * 1.6059043836821613e-10
    p = p0 + r4 * (p1 + r4 * (p2 + r4 * p3))
    power: float = _float((_bits(shifted) - _ROUND_BITS + 1023) << 52)
    return p * power


@njit(cache=True, nogil=True, fastmath={"contract"})
def _exponentials(e: Array, j: int, t: int, first: int, last: int, phi_x: Array, b_x: Array, phi_z: Array, b_z: Array) -> None:
    """e[i] = exp of the exponent of term t between point j of x and every point of z."""
    m = e.size
    if first == last:
        for i in range(m):
            e[i] = 1.0
        return
    shift = b_x[t, j]
    for i in range(m):
        e[i] = b_z[t, i] + shift
    for k in range(first, last):
        c = phi_x[k, j]
        for i in range(m):
            e[i] += c * phi_z[k, i]
    for i in range(m):
        e[i] = _exp(e[i])


@njit(cache=True, nogil=True, fastmath=True)
def _dot(u: Array, v: Array) -> float:
    total = 0.0
    for i in range(u.size):
        total += u[i] * v[i]
    return total


@njit(cache=True, nogil=True, fastmath=True)
def _dot3(u: Array, v: Array, w: Array) -> float:
    total = 0.0
    for i in range(u.size):
        total += u[i] * v[i] * w[i]
    return total


@njit(cache=True, nogil=True, fastmath={"contract"})
def _forward(K: Array, offsets: Array, phi_x: Array, b_x: Array, a_x: Array, phi_z: Array, b_z: Array, a_z: Array) -> None:
    n, m = K.shape
    e = np.empty(m)
    for j in range(n):
        for t in range(a_x.shape[0]):
            _exponentials(e, j, t, offsets[t], offsets[t + 1], phi_x, b_x, phi_z, b_z)
            c = a_x[t, j]
            if t == 0:
                for i in range(m):
                    K[j, i] = c * a_z[t, i] * e[i]
            else:
                for i in range(m):
                    K[j, i] += c * a_z[t, i] * e[i]


@njit(cache=True, nogil=True, fastmath={"contract"})
def _adjoint(
    K_bar: Array, offsets: Array,
    phi_x: Array, b_x: Array, a_x: Array, phi_z: Array, b_z: Array, a_z: Array,
    a_x_bar: Array, phi_x_bar: Array, a_z_bar: Array, phi_z_bar: Array,
) -> None:  # fmt: skip
    n, m = K_bar.shape
    g = np.empty(m)
    for j in range(n):
        for t in range(a_x.shape[0]):
            first, last = offsets[t], offsets[t + 1]
            _exponentials(g, j, t, first, last, phi_x, b_x, phi_z, b_z)
            c = a_x[t, j]
            for i in range(m):
                g[i] *= K_bar[j, i]
                a_z_bar[t, i] += c * g[i]
            for k in range(first, last):
                d = c * phi_x[k, j]
                for i in range(m):
                    phi_z_bar[k, i] += d * g[i]
            a_x_bar[t, j] += _dot(g, a_z[t])
            for k in range(first, last):
                phi_x_bar[k, j] += _dot3(g, a_z[t], phi_z[k])


class Fused:
    """The compiled implementation, with the extra `fast`."""

    name = "numba"
    tapes = False

    def gram(self, form: Form, x: Side, z: Side, tape: Array | None = None) -> Array:
        K = np.empty((x.a.shape[1], z.a.shape[1]))
        _forward(K, form.offsets, x.phi, x.b, x.a, z.phi, z.b, z.a)
        return K

    def adjoint(self, form: Form, x: Side, z: Side, K_bar: Array, x_bar: Bar, z_bar: Bar, tape: Array | None = None) -> None:
        _adjoint(
            K_bar, form.offsets, x.phi, x.b, x.a, z.phi, z.b, z.a, x_bar.a, x_bar.phi, z_bar.a, z_bar.phi
        )  # fmt: skip
