"""CHANGE: one kernel until a place, another from there on, the one fading into the other.

w_after(x) = σ(t),   w_before(x) = σ(−t),   t = (x − location)/width,   σ(t) = 1/(1 + e^−t).
"""

import math

import numpy as np
from scipy.special import expit

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Extent, Parameter, Shape
from kernelscribe.kernels.operators.operator import Operator, Regions
from kernelscribe.priors import Density, Flat

__all__ = ["Change"]

# Starts keep this share of the span away from both ends, where there is nothing to tell a change by.
_MARGIN = 0.05
# The longest fade that a start is given, in spans.
_LONGEST_START = 0.05


class Change(Operator):
    name = "CHANGE"
    parameters = (Parameter("location", "place"), Parameter("width", "length"))
    branches = ("before", "after")

    def gate(self, x: Array, values: Shape | Array, branch: int) -> Array:
        location, width = values
        return np.asarray(expit((x - location) / (width if branch else -width)))

    def pull(self, x: Array, values: Array, branch: int, bar: Array) -> tuple[Array, Array]:
        location, width = values
        t, sign = (x - location) / width, 1.0 if branch else -1.0
        # dσ/dt = σ(t)σ(−t), the same for both gates but for its sign.
        slope = sign * bar * expit(t) * expit(-t)
        return np.array([-slope.sum() / width, -(slope @ t)]), slope / width

    def steepness(self, values: Array) -> float:
        # Twice, since the location is a rounded input too.
        return float(2 / values[1])

    def regions(self, values: Shape, branch: int) -> Regions:
        return ((values[0], math.inf),) if branch else ((-math.inf, values[0]),)

    def finest(self, shape: Shape) -> float:
        return shape[1]

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        margin = _MARGIN * extent.span
        shortest, longest = math.log(self.box(extent)[1][0]), math.log(_LONGEST_START * extent.span)
        return rng.uniform(extent.low + margin, extent.high - margin), math.exp(rng.uniform(min(shortest, longest), longest))

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return self.draw(rng, extent)

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        return Flat(), Flat()

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        # A tenth of a step is a jump; a change that takes longer than half of the data is a trend.
        return (extent.low, extent.high), (min(0.1 * extent.step, 0.1 * extent.span), 0.5 * extent.span)
