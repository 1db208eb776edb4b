"""C: the same unknown number everywhere.

C(x, z) = variance;      there is no φ,   a = 1.
"""

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Role, Shape
from kernelscribe.kernels.bases.unshaped import Unshaped
from kernelscribe.kernels.exponential import Cotangent, Features
from kernelscribe.kernels.spectral import Steady

__all__ = ["Level"]


class _Nothing:
    rank = 0

    def features(self, x: Array, values: Array) -> Features:
        return Features(np.empty((0, x.size)), None)

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        return np.empty(0), np.zeros_like(x)

    def steepness(self, values: Array) -> float:
        return 0.0


class Level(Unshaped):
    name = "C"
    role = Role.LEVEL
    exponential = _Nothing()

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        return np.full(np.broadcast_shapes(np.shape(x), np.shape(z)), values[0])

    def spectrum(self, shape: Shape) -> Steady:
        return Steady()

    def split(self, shape: Shape) -> tuple[tuple[float, bool], ...]:
        return ((1.0, False),)
