"""What a fit climbs: evidence + log prior of one kernel, in the optimiser's coordinates, and the box they may move in."""

import math
from dataclasses import dataclass

import numpy as np

from kernelscribe import priors
from kernelscribe.data.dataset import Dataset
from kernelscribe.evidence.engine import Engine
from kernelscribe.kernels.base import Array, Extent
from kernelscribe.kernels.terms import Form

__all__ = ["NOISE_BOX", "Posterior", "at_bound", "box", "in_step", "reach"]

NOISE_BOX = (1e-6, 1e2)
_AT_BOUND = 1e-6
_IN_STEP = 0.2


@dataclass(frozen=True)
class Posterior:
    """Evidence + log prior of one kernel as a function of the optimiser's coordinates."""

    engine: Engine
    form: Form
    densities: tuple[priors.Density, ...]

    @classmethod
    def of(cls, engine: Engine, form: Form, data: Dataset, name: str) -> "Posterior":
        extents = data.extents
        own = [d for leaf in form.leaves for d in leaf.base.prior(name, extents[leaf.dim - 1])]
        return cls(engine, form, (*own, priors.noise(name)))

    def __call__(self, u: Array) -> tuple[float, Array]:
        value, slope = self.engine.objective(self.form, u)
        log_p, d_log_p = self.prior(u)
        slope[: len(d_log_p)] += d_log_p
        return value + log_p, slope

    def prior(self, u: Array) -> tuple[float, Array]:
        """The logarithm of the prior, and its slope in the coordinates that have one."""
        pairs = [density(float(u[i])) for i, density in enumerate(self.densities)]
        return sum(value for value, _ in pairs), np.array([slope for _, slope in pairs])


def box(form: Form, data: Dataset, engine: Engine) -> Array:
    """The optimiser's box [n, 2]: logarithms where parameters are positive; inducing points a span beyond the data. What the
    engine cannot afford lies outside."""
    extents = data.extents
    sides = []
    for leaf in form.leaves:
        edges = leaf.base.box(extents[leaf.dim - 1])
        for parameter, (least, greatest) in zip(leaf.base.parameters, edges, strict=True):
            low, high = engine.limits(leaf.kind, parameter.name, extents[leaf.dim - 1])
            low, high = max(least, low), min(greatest, high)
            sides.append((math.log(low), math.log(high)) if parameter.positive else (low, high))
    sides.append((math.log(NOISE_BOX[0]), math.log(NOISE_BOX[1])))
    around = [(e.low - e.span, e.high + e.span) for e in extents]
    sides.extend(around[i % len(around)] for i in range(len(engine.extra)))
    return np.array(sides)


def in_step(period: float, extent: Extent) -> float:
    """How far the logarithm of a period may move until cycles at both ends of the data are a fifth out of step."""
    return _IN_STEP * period / extent.span


def reach(form: Form, data: Dataset, u: Array) -> Array:
    """How far a step in each coordinate may reach: a period only while cycles stay in step; the others by a factor of e, or by
    the spread of the data."""
    far = np.ones(len(u))
    for leaf, where in zip(form.leaves, form.slices, strict=True):
        for i, parameter in enumerate(leaf.base.parameters):
            if parameter.name == "period":
                far[where.start + i] = in_step(math.exp(u[where.start + i]), data.extents[leaf.dim - 1])
    return far


def at_bound(form: Form, u: Array, edges: Array) -> tuple[str, ...]:
    """The parameters that lie on the edge of the box, as in "lengthscale of SE1"."""
    names = [f"{p.name} of {leaf.kind}{leaf.dim}" for leaf in form.leaves for p in leaf.base.parameters]
    names.append("noise variance")
    near = np.minimum(u - edges[:, 0], edges[:, 1] - u)[: len(names)] <= _AT_BOUND
    return tuple(name for name, touches in zip(names, near, strict=True) if touches)
