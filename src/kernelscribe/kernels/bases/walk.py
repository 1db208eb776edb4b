"""WALK: a level that wanders. Its steps know nothing of each other, and nothing draws it back.

WALK(x, z) = variance · s,      s = min(x, z) − o where that is above 0, else 0.

It is the Wiener process that begins at o, and the variance is that of its change over one unit of the input. Over data that begin
behind o it is a walk from the first row and a level of variance v·(first row − o): a sum of two walks is one, with the sum of
variances, and has two numbers, v₁ + v₂ and v₁o₁ + v₂o₂. It is not gathered into one, since before the later o it is another.
"""

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Pulled, Role, Shape
from kernelscribe.kernels.bases.anchored import Anchored, since
from kernelscribe.kernels.spectral import Walk

__all__ = ["Wiener"]

# Of a sum of walks, beyond all their locations: how fast it grows, and how large it is already.
_WALKS = 2


class Wiener(Anchored):
    name = "WALK"
    role = Role.DRIFT
    degree = 1

    def evaluate(self, x: Array, z: Array, values: Array) -> Array:
        return np.asarray(values[0] * since(x, z, values[1]))

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        weight = bar * (since(x[:, None], z, values[1]) > 0)
        # The earlier point has all of it. Where both are one place each has half, so that a diagonal has its own slope, 1.
        first = weight * np.heaviside(z - x[:, None], 0.5)
        return Pulled(np.array([-weight.sum()]), first.sum(axis=1), (weight - first).sum(axis=0))

    def diagonal(self, x: Array, values: Array) -> Array:
        return self.evaluate(x, x, values)

    def spectrum(self, shape: Shape) -> Walk:
        return Walk(shape[0], 1)

    def finest(self, shape: Shape) -> float:
        # It turns at every row.
        return 0.0

    def identified(self, number: int) -> int:
        return min(2 * number, _WALKS)
