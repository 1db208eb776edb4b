"""Gram matrices of the canonical form and their adjoint in two fused loops, compiled once for every structure.

The loops take the stacked features and their offsets, so nothing is compiled per kernel. NumPy's exponential handles one
number at a time on most machines; the polynomial below is written so that the compiler handles four or eight.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import float64, int64, njit, types, void
from numba.extending import intrinsic

from kernelscribe.arrays import Array
from kernelscribe.kernels.form import Bar, Form, Side
from kernelscribe.kernels.gram import Numpy

__all__ = ["Fused"]

# exp(x) = 2^k exp(r), r = x − k log 2 in two parts, |r| ≤ log 2 / 2; the Chebyshev fit of degree 11 is off by 2e-18.
_LOG2E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
# Adding 1.5·2^52 rounds to the nearest integer and leaves it in the low bits of the sum: AVX2 has no other way to int64.
_ROUND = 6755399441055744.0
_ROUND_BITS = int(np.float64(_ROUND).view(np.int64))
_LEAST = -708.0

# One signature a loop, so that each is compiled once. A row of numbers that lie side by side:
_ROW = float64[::1]
# A matrix whose rows lie one behind the other, as those made here do.
_MATRIX = float64[:, ::1]
# Cotangents of a block of x: a part of a larger matrix, in any layout.
_BLOCK = float64[:, :]
# Where the features of each term begin; then features and amplitudes of the rows, and of the columns.
_SIDES = (int64[::1], _MATRIX, _MATRIX, _MATRIX, _MATRIX)


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
    p0 = (1.0 + r * 1.0) + r2 * (0.5000000000000019 + r * 0.1666666666666668)
    p1 = (0.04166666666648795 + r * 0.008333333333319589) + r2 * (0.0013888888952352863 + r * 0.00019841269890076403)
    p2 = (2.4801485441561313e-05 + r * 2.755724088722987e-06) + r2 * (2.763265472252779e-07 + r * 2.5110049204818658e-08)
    p = p0 + r4 * (p1 + r4 * p2)
    power: float = _float((_bits(shifted) - _ROUND_BITS + 1023) << 52)
    return p * power


@njit(void(_ROW, int64, int64, int64, _MATRIX, _MATRIX), cache=True, nogil=True, fastmath={"contract"})
def _exponentials(e: Array, j: int, first: int, last: int, phi_x: Array, phi_z: Array) -> None:
    """e[i] = exp of the exponent of a term between point j of x and every point of z. Low ranks in one pass over memory."""
    m = e.size
    if first == last:
        for i in range(m):
            e[i] = 1.0
    elif last - first == 1:
        c = phi_x[first, j]
        for i in range(m):
            apart = c - phi_z[first, i]
            e[i] = _exp(-0.5 * (apart * apart))
    elif last - first == 2:  # noqa: PLR2004
        c, d = phi_x[first, j], phi_x[first + 1, j]
        for i in range(m):
            apart, beside = c - phi_z[first, i], d - phi_z[first + 1, i]
            e[i] = _exp(-0.5 * (apart * apart + beside * beside))
    else:
        for i in range(m):
            e[i] = 0.0
        for k in range(first, last):
            c = phi_x[k, j]
            for i in range(m):
                apart = c - phi_z[k, i]
                e[i] += apart * apart
        for i in range(m):
            e[i] = _exp(-0.5 * e[i])


@njit(float64(_ROW, _ROW, _ROW, float64, _ROW), cache=True, nogil=True, fastmath=True)
def _share(g: Array, K_bar: Array, a_z: Array, weight: float, bar: Array) -> float:
    """g *= K_bar, bar += weight · g, and Σ g·a_z, in one pass."""
    total = 0.0
    for i in range(g.size):
        here = g[i] * K_bar[i]
        g[i] = here
        bar[i] += weight * here
        total += here * a_z[i]
    return total


@njit(types.UniTuple(float64, 2)(_ROW, _ROW, _ROW, _ROW, float64, float64, _ROW, _ROW), cache=True, nogil=True, fastmath=True)
def _share_both(
    g: Array, K_bar: Array, a_z: Array, phi_z: Array, weight: float, phi_weight: float, bar: Array, phi_bar: Array
) -> tuple[float, float]:  # fmt: skip
    """`_share` and `_share_feature` of a term with one feature, in one pass and without storing g."""
    total, phi_total = 0.0, 0.0
    for i in range(g.size):
        here = g[i] * K_bar[i]
        bar[i] += weight * here
        phi_bar[i] += phi_weight * here
        total += here * a_z[i]
        phi_total += here * a_z[i] * phi_z[i]
    return total, phi_total


@njit(float64(_ROW, _ROW, _ROW, float64, _ROW), cache=True, nogil=True, fastmath=True)
def _share_feature(g: Array, a_z: Array, phi_z: Array, weight: float, bar: Array) -> float:
    """bar += weight · g, and Σ g·a_z·phi_z, in one pass."""
    total = 0.0
    for i in range(g.size):
        bar[i] += weight * g[i]
        total += g[i] * a_z[i] * phi_z[i]
    return total


@njit(void(int64, _MATRIX, *_SIDES), cache=True, nogil=True, fastmath={"contract"})
def _forward(
    lower: int, K: Array, offsets: Array, phi_x: Array, a_x: Array, phi_z: Array, a_z: Array
) -> None:  # fmt: skip
    """K, or only its lower triangle."""
    row = np.empty(K.shape[1])
    for j in range(K.shape[0]):
        e = row[: j + 1] if lower else row
        for t in range(a_x.shape[0]):
            _exponentials(e, j, offsets[t], offsets[t + 1], phi_x, phi_z)
            c = a_x[t, j]
            for i in range(e.size):
                K[j, i] = (K[j, i] if t > 0 else 0.0) + c * a_z[t, i] * e[i]


@njit(void(int64, _MATRIX, *_SIDES, _BLOCK, _BLOCK, _MATRIX, _MATRIX), cache=True, nogil=True, fastmath={"contract"})
def _adjoint(
    lower: int, K_bar: Array, offsets: Array,
    phi_x: Array, a_x: Array, phi_z: Array, a_z: Array,
    a_x_bar: Array, phi_x_bar: Array, a_z_bar: Array, phi_z_bar: Array,
) -> None:  # fmt: skip
    """The cotangents of both sides from K_bar, or only from its lower triangle; then both sides may be the same memory."""
    row = np.empty(K_bar.shape[1])
    for j in range(K_bar.shape[0]):
        g = row[: j + 1] if lower else row
        for t in range(a_x.shape[0]):
            first, last = offsets[t], offsets[t + 1]
            _exponentials(g, j, first, last, phi_x, phi_z)
            c = a_x[t, j]
            if last - first == 1:
                d = c * phi_x[first, j]
                share, phi_share = _share_both(g, K_bar[j], a_z[t], phi_z[first], c, d, a_z_bar[t], phi_z_bar[first])
                a_x_bar[t, j] += share
                phi_x_bar[first, j] += phi_share
                continue
            # Named first: `+=` would read the left before the call, which adds to the same entry where the sides are one.
            share = _share(g, K_bar[j], a_z[t], c, a_z_bar[t])
            a_x_bar[t, j] += share
            for k in range(first, last):
                phi_share = _share_feature(g, a_z[t], phi_z[k], c * phi_x[k, j], phi_z_bar[k])
                phi_x_bar[k, j] += phi_share


def _whole(side: Side) -> tuple[Array, Array]:
    """The arrays of a side, contiguous: blocks of it are cut from longer rows."""
    return np.ascontiguousarray(side.phi), np.ascontiguousarray(side.a)


class Fused:
    """The compiled implementation, with the extra `fast`. Forms with pairwise factors, which no loop here knows, are NumPy's."""

    name = "numba"
    tapes = False
    _plain = Numpy()

    def gram(self, form: Form, x: Side, z: Side, tape: Array | None = None, out: Array | None = None) -> Array:
        if not form.plain:
            return self._plain.gram(form, x, z, None, out)
        K = np.empty((x.a.shape[1], z.a.shape[1])) if out is None else out
        _forward(0, K, form.offsets, *_whole(x), *_whole(z))
        return K

    def adjoint(self, form: Form, x: Side, z: Side, K_bar: Array, x_bar: Bar, z_bar: Bar, tape: Array | None = None) -> None:
        if not form.plain:
            self._plain.adjoint(form, x, z, K_bar, x_bar, z_bar)
            return
        _adjoint(0, K_bar, form.offsets, *_whole(x), *_whole(z), x_bar.a, x_bar.phi, z_bar.a, z_bar.phi)

    def symmetric_gram(self, form: Form, x: Side) -> Array:
        if not form.plain:
            return self._plain.symmetric_gram(form, x)
        K = np.empty((x.a.shape[1], x.a.shape[1]))
        _forward(1, K, form.offsets, *_whole(x), *_whole(x))
        return K

    def symmetric_adjoint(self, form: Form, x: Side, K_bar: Array, x_bar: Bar) -> None:
        if not form.plain:
            self._plain.symmetric_adjoint(form, x, K_bar, x_bar)
            return
        _adjoint(1, K_bar, form.offsets, *_whole(x), *_whole(x), x_bar.a, x_bar.phi, x_bar.a, x_bar.phi)
