"""WN: noise that is new at every point.

WN(x, z) = variance where x = z, else 0.

Beside it a stationary factor says nothing: of two points WN is 0, and of one point that factor is 1.
"""

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Role, Shape
from kernelscribe.kernels.bases.unshaped import Unshaped
from kernelscribe.kernels.spectral import Alone

__all__ = ["White"]


class White(Unshaped):
    name = "WN"
    role = Role.NOISE

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        return np.asarray(values[0] * (x == z))

    def spectrum(self, shape: Shape) -> Alone:
        return Alone()

    def swallows(self, other: Base) -> bool:
        return other.stationary
