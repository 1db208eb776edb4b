"""SPLINE: a trend that bends. Its slope is a level that wanders, and beyond the data it goes on with its last slope.

SPLINE(x, z) = variance · ( s³/3 + s²d/2 ),      s = min(x, z) − o where that is above 0, else 0;      d = |x − z|.

It is the Wiener process that begins at o, integrated from there on; the variance is that of the change of its slope over one unit
of the input. Its posterior mean is a cubic spline (Wahba 1978). In powers of o

    s³/3 + s²d/2 = min²·(3 max − min)/6 − o·xz + o²·(x + z)/2 − o³/3,

so a sum of any number of them, beyond all their locations, has four numbers: Σv, Σvo, Σvo² and Σvo³.
"""

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Pulled, Role, Shape
from kernelscribe.kernels.bases.anchored import Anchored, since
from kernelscribe.kernels.spectral import Walk

__all__ = ["Spline"]

# Of a sum of splines, by the powers of o.
_SPLINES = 4


class Spline(Anchored):
    name = "SPLINE"
    role = Role.BEND
    degree = 3

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        s = since(x, z, values[1])
        # A sum of what is positive: no digits are lost, as they would be in powers of x.
        return np.asarray(values[0] * (s * s * (s / 3 + np.abs(x - z) / 2)))

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        s, ahead = since(x[:, None], z, values[1]), z - x[:, None]
        # Of the later point s²/2; the earlier has s·d besides; and o has both, with the other sign.
        later, besides = bar * (s * s / 2), bar * (s * np.abs(ahead))
        to_x = (later + np.where(ahead > 0, besides, 0.0)).sum(axis=1)
        to_z = (later + np.where(ahead < 0, besides, 0.0)).sum(axis=0)
        return Pulled(np.array([-(2 * later + besides).sum()]), to_x, to_z)

    def diagonal(self, x: Array, values: Array) -> Array:
        return self.evaluate(x, x, values)

    def spectrum(self, shape: Shape) -> Walk:
        return Walk(shape[0], 2)

    def identified(self, number: int) -> int:
        return min(2 * number, _SPLINES)
