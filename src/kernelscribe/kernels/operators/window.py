"""WINDOW: one kernel within a stretch, another outside it, the one fading into the other at both edges.

w_inside(x) = σ(s) σ(−t),   w_outside(x) = 1 − w_inside(x) = σ(−s) + σ(s) σ(t),
s = (x − location + width/2)/edge,   t = (x − location − width/2)/edge,   σ(t) = 1/(1 + e^−t).
"""

import math

import numpy as np
from scipy.special import expit

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Extent, Parameter, Shape
from kernelscribe.kernels.operators.operator import Operator, Regions
from kernelscribe.priors import Density, Flat

__all__ = ["Window"]

# Starts lie this share of the span away from both ends at least.
_MARGIN = 0.1
# The widest window and the softest edge that a start is given, in spans.
_WIDEST_START = 0.5
_SOFTEST_START = 0.02


class Window(Operator):
    name = "WINDOW"
    parameters = (Parameter("location", "place"), Parameter("width", "length"), Parameter("edge", "length"))
    branches = ("outside", "inside")

    def gate(self, x: Array, values: Shape | Array, branch: int) -> Array:
        s, t = _edges(x, values)
        return np.asarray(expit(s) * expit(-t) if branch else expit(-s) + expit(s) * expit(t))

    def pull(self, x: Array, values: Array, branch: int, bar: Array) -> tuple[Array, Array]:
        _, width, edge = values
        s, t = _edges(x, values)
        sign = 1.0 if branch else -1.0
        opens = sign * bar * expit(s) * expit(-s) * expit(-t)
        closes = -sign * bar * expit(t) * expit(-t) * expit(s)
        both = opens + closes
        # ds/dw = 1/2edge, dt/dw = −1/2edge; logarithms of lengths are the coordinates.
        wider = (opens.sum() - closes.sum()) * width / (2 * edge)
        return np.array([-both.sum() / edge, wider, -(opens @ s) - (closes @ t)]), both / edge

    def steepness(self, values: Array) -> float:
        # Both edges, and the location and the width are rounded inputs too.
        return float(4 / values[2])

    def regions(self, values: Shape, branch: int) -> Regions:
        start, stop = values[0] - values[1] / 2, values[0] + values[1] / 2
        return ((start, stop),) if branch else ((-math.inf, start), (stop, math.inf))

    def finest(self, shape: Shape) -> float:
        return shape[2]

    def draw(self, rng: np.random.Generator, extent: Extent) -> Shape:
        margin = _MARGIN * extent.span
        narrowest, softest = (low for low, _ in self.box(extent)[1:])
        width = math.exp(rng.uniform(math.log(narrowest), math.log(_WIDEST_START * extent.span)))
        longest = math.log(_SOFTEST_START * extent.span)
        return (
            rng.uniform(extent.low + margin, extent.high - margin),
            width,
            math.exp(rng.uniform(min(math.log(softest), longest), longest)),
        )

    def scatter(self, rng: np.random.Generator, extent: Extent) -> Shape:
        return self.draw(rng, extent)

    def prior(self, name: str, extent: Extent) -> tuple[Density, ...]:
        return Flat(), Flat(), Flat()

    def box(self, extent: Extent) -> tuple[tuple[float, float], ...]:
        # A window shows a few rows at least, and leaves some outside.
        step = min(extent.step, 0.1 * extent.span)
        return (extent.low, extent.high), (3 * step, extent.span), (0.1 * step, 0.25 * extent.span)


def _edges(x: Array, values: Shape | Array) -> tuple[Array, Array]:
    location, width, edge = values
    return (x - location + width / 2) / edge, (x - location - width / 2) / edge
