"""What base kernels share that have a variance and no shape: nothing to fit but their size."""

import math
from typing import ClassVar

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Base, Parameter, Pulled, Shape
from kernelscribe.priors import Density, Flat, Normal, StudentT
from kernelscribe.scales import Extent

__all__ = ["Unshaped"]


class Unshaped(Base):
    """variance · something that has no values. Products of it with itself are the same again, and so are sums."""

    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("variance", "variance"),)

    def pull(self, x: Array, z: Array, values: Array, bar: Array) -> Pulled:
        return Pulled(np.empty(0), np.zeros_like(x), np.zeros_like(z))

    def steepness(self, values: Array) -> float:
        return 0.0

    def merge(self, one: Shape, other: Shape) -> Shape:
        return ()

    def identified(self, number: int) -> int:
        return 1

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return (0.1 * math.exp(rng.normal() / 2),)

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return self.draw(rng, extent)

    def flatten(self, values: Shape, extent: Extent) -> Shape:
        return values

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        match name:
            case "weak":
                return (StudentT(),)
            case "practical":
                return (Normal(0.0, 4.0),)
            case _:
                return (Flat(),)

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        return ((1e-8, 1e6),)
