"""What a statement's fit climbs: evidence + log prior in the values that are free; and Laplace's evidence at the top,

    log p(y) ≈ log p(y|θ̂) + log p(θ̂) + d/2 log 2π − ½ log|H|,

H the second derivative of −log p(y, θ) in the d free coordinates, by differences of slopes. In a direction in which the top is
flatter than the prior alone, as on an edge, H is as steep as the prior.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.engine import Engine
from kernelscribe.fit.objective import in_step, noise_box
from kernelscribe.kernels.base import Parameter
from kernelscribe.kernels.tree import pack
from kernelscribe.noises import Noise
from kernelscribe.priors import Density, Normal
from kernelscribe.scales import Extent
from kernelscribe.statements.statement import Built

__all__ = ["Target"]

# How far values are moved to see how slopes change, in parts of how far a step may reach.
_MOVE = 0.02
# Below this a density is taken to be as wide as one that says nothing: seven times as far as a step may reach.
_FLATTEST = 0.02
# How far coordinates are moved to see how steep the prior is.
_PRIOR_MOVE = 1e-3
# The least variance of the noise, of a standardised target, for every row: with less, rounding would blur certificates of long
# series, or there would be none.
_QUIETEST = 1e-9
# The logarithm of the noise's variance, for a standardised target: a sixth of its spread, give or take a factor of three.
_NOISE = Normal(math.log(0.03), 2.5**2)
# By which share noise may grow over one spread of the input, or be another.
_GROWTH = Normal(0.0, 1.0)
# Where noise changes, in spans, and over what length.
_WHERE = 0.3
_FADES = 0.02


@dataclass(frozen=True)
class Target:
    """The free coordinates of kernel and noise in, value and slope out.

    Attributes:
        start: all coordinates; `free` says which of them move.
    """

    engine: Engine
    built: Built
    start: Array
    free: NDArray[np.bool_]

    @classmethod
    def of(cls, engine: Engine, built: Built, noise: Noise) -> "Target":
        start = np.append(pack(built.expr), noise.pack())
        return cls(engine, built, start, np.append(built.free, np.ones(noise.size(), dtype=bool)))

    def whole(self, v: Array) -> Array:
        u = self.start.copy()
        u[self.free] = v
        return u

    @property
    def first(self) -> Array:
        return np.asarray(self.start[self.free])

    def __call__(self, v: Array) -> tuple[float, Array]:
        u = self.whole(v)
        value, slope = self.engine.objective(self.built.form, u)
        own, d_own = self.prior(u)
        return value + own, (slope + d_own)[self.free]

    def prior(self, u: Array) -> tuple[float, Array]:
        """Its logarithm, and its slope in every coordinate."""
        size = self.built.form.size
        value, slope = self.built.prior(u[:size])
        noise = [density(float(x)) for density, x in zip(self._noise, u[size:], strict=True)]
        return value + sum(each for each, _ in noise), np.append(slope, [each for _, each in noise])

    @cached_property
    def _noise(self) -> tuple[Density, ...]:
        extent = self.engine.data.extents[0]
        return tuple(_noise_density(parameter, extent) for parameter in self.engine.noise.parameters)

    @cached_property
    def box(self) -> Array:
        noise = noise_box(self.engine.noise, self.engine.data.extents[0])
        quietest = math.log(_QUIETEST * len(self.engine.data.y))
        for side, parameter in zip(noise, self.engine.noise.parameters, strict=True):
            if parameter.kind == "variance":
                side[0] = max(side[0], quietest)
        return np.asarray(np.vstack([self.built.ends, noise])[self.free])

    def scale(self, v: Array) -> Array:
        """How far a step in each coordinate may reach: a period only while cycles stay in step."""
        form, extent, u = self.built.form, self.engine.data.extents[0], self.whole(v)
        far = np.ones(len(u))
        far[form.size :] = self.engine.noise.reach(extent)
        for owner, where in zip(form.owners, form.slices, strict=True):
            if owner.base.has("period"):
                i = where.start + owner.base.index("period")
                far[i] = in_step(math.exp(u[i]), extent)
        return np.asarray(far[self.free])

    def laplace(self, curvature: Array, v: Array) -> float:
        """What integrating over the values adds to the value at their top v."""
        scale = self.scale(v)
        steep, axes = np.linalg.eigh(curvature)
        least = np.maximum(self._prior_curvature(v) * scale**2, _FLATTEST)
        steep = np.maximum(steep, (axes**2 * least[:, None]).sum(axis=0))
        return 0.5 * len(v) * math.log(2 * math.pi) - 0.5 * float(np.log(steep).sum()) + float(np.log(scale).sum())

    def curvature(self, v: Array, slope: Array) -> Array:
        """H at v, where the slope is this, in units of the scale."""
        scale = self.scale(v)
        H = np.zeros((len(v), len(v)))
        # Towards the middle of the box, where there is room.
        steps = _MOVE * scale * np.where(2 * v < self.box.sum(axis=1), 1.0, -1.0)
        for i, step in enumerate(steps):
            aside = v.copy()
            aside[i] += step
            H[i] = (slope - self(aside)[1]) / step
        H = np.where(np.isfinite(H), H, 0.0) * np.outer(scale, scale)
        return 0.5 * (H + H.T)

    def newton(self, curvature: Array, v: Array, slope: Array) -> Array:
        """Where the top is if the hill is as steep as that on all sides: no further than a step may reach, inside the box."""
        scale = self.scale(v)
        steep, axes = np.linalg.eigh(curvature)
        step = axes @ ((axes.T @ (slope * scale)) / np.maximum(np.abs(steep), _FLATTEST))
        step /= max(1.0, float(np.abs(step).max(initial=0.0)))
        return np.asarray(np.clip(v + scale * step, self.box[:, 0], self.box[:, 1]))

    def _prior_curvature(self, v: Array) -> Array:
        """How steep the prior alone is."""
        u, found = self.whole(v), []
        for i in np.flatnonzero(self.free):
            above, below = u.copy(), u.copy()
            above[i] += _PRIOR_MOVE
            below[i] -= _PRIOR_MOVE
            found.append((self.prior(below)[1][i] - self.prior(above)[1][i]) / (2 * _PRIOR_MOVE))
        return np.asarray(np.maximum(np.array(found), 0.0))


def _noise_density(parameter: Parameter, extent: Extent) -> Density:
    match parameter.kind:
        case "variance":
            return _NOISE
        case "place":
            return Normal(0.5 * (extent.low + extent.high), (_WHERE * extent.span) ** 2)
        case "length":
            return Normal(math.log(_FADES * extent.span), 1.0)
        case _:
            return _GROWTH
