"""What a fit climbs: evidence + log prior of one kernel, in the optimiser's coordinates, and the box they may move in."""

import math
from dataclasses import dataclass

import numpy as np

from kernelscribe import priors
from kernelscribe.arrays import Array
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.engine import Engine
from kernelscribe.fit.facts import AtBound, End
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.tree import Owner
from kernelscribe.noises import Noise
from kernelscribe.scales import Extent

__all__ = ["LogPosterior", "at_bound", "box", "in_step", "noise_box", "reach"]

_AT_BOUND = 1e-6
_IN_STEP = 0.2
# How far a step may move the place of a gate or a kink, in spans: beyond it is another change.
_ACROSS = 0.05


@dataclass(frozen=True)
class LogPosterior:
    """Evidence + log prior of one kernel as a function of the optimiser's coordinates."""

    engine: Engine
    form: Form
    densities: tuple[priors.Density, ...]
    held: tuple[int, ...]

    @classmethod
    def of(cls, engine: Engine, form: Form, data: Dataset, name: str) -> "LogPosterior":
        extents = data.extents
        own = [d for owner in form.owners for d in owner.base.prior(name, extents[owner.dim - 1])]
        return cls(engine, form, (*own, *engine.noise.prior(name, extents[0])), _held(form))

    def __call__(self, u: Array) -> tuple[float, Array]:
        value, slope = self.engine.objective(self.form, u)
        log_p, d_log_p = self.prior(u)
        slope[: len(d_log_p)] += d_log_p
        # A climb goes along slopes alone: where there is none, a coordinate stays where it is.
        slope[list(self.held)] = 0.0
        return value + log_p, slope

    def prior(self, u: Array) -> tuple[float, Array]:
        """The logarithm of the prior, and its slope in the coordinates that have one."""
        pairs = [density(float(u[i])) for i, density in enumerate(self.densities)]
        return sum(value for value, _ in pairs), np.array([each for _, each in pairs])


def _held(form: Form) -> tuple[int, ...]:
    """The coordinates that climbs leave where they are."""
    return tuple(
        i
        for owner, where in zip(form.owners, form.slices, strict=True)
        for i, parameter in enumerate(owner.base.parameters, start=where.start)
        if parameter.held
    )


def box(form: Form, data: Dataset, engine: Engine) -> Array:
    """The optimiser's box [n, 2]: logarithms where parameters are positive; inducing points a span beyond the data. What the
    engine cannot afford lies outside. What is held has no sides: nothing is to move it, not even into a box."""
    extents = data.extents
    sides = []
    for i, owner in enumerate(form.owners):
        base, extent = owner.base, extents[owner.dim - 1]
        beside = frozenset(form.owners[j].base.role for term in form.members if i in term for j in term if j != i)
        for parameter, (least, greatest) in zip(base.parameters, base.box(extent), strict=True):
            low, high = engine.limits(base.role, parameter.name, extent, beside)
            low, high = max(least, low), min(greatest, high)
            sides.append((math.log(low), math.log(high)) if parameter.positive else (low, high))
    for i in _held(form):
        sides[i] = (-math.inf, math.inf)
    sides.extend(noise_box(engine.noise, extents[0]).tolist())
    around = [(e.low - e.span, e.high + e.span) for e in extents]
    sides.extend(around[i % len(around)] for i in range(len(engine.extra)))
    return np.array(sides)


def noise_box(kind: type[Noise], extent: Extent) -> Array:
    """That of the coordinates of the noise [n, 2]."""
    pairs = zip(kind.parameters, kind.box(extent), strict=True)
    return np.array([(math.log(low), math.log(high)) if one.positive else (low, high) for one, (low, high) in pairs])


def in_step(period: float, extent: Extent) -> float:
    """How far the logarithm of a period may move until cycles at both ends of the data are a fifth out of step."""
    return _IN_STEP * period / extent.span


def reach(engine: Engine, form: Form, data: Dataset, u: Array) -> Array:
    """How far a step in each coordinate may reach: a period only while cycles stay in step; those of the noise as it says; the
    others by a factor of e, or by the spread of the data."""
    far = np.ones(len(u))
    far[form.size : engine.size(form)] = engine.noise.reach(data.extents[0])
    for owner, where in zip(form.owners, form.slices, strict=True):
        extent = data.extents[owner.dim - 1]
        for i, parameter in enumerate(owner.base.parameters, start=where.start):
            if parameter.name == "period":
                far[i] = in_step(math.exp(u[i]), extent)
            elif owner.base.role in (Role.GATE, Role.KINK) and not parameter.positive:
                far[i] = _ACROSS * extent.span
    return far


def at_bound(engine: Engine, form: Form, u: Array, edges: Array) -> tuple[AtBound, ...]:
    """The parameters that lie on the edge of the box."""
    named: list[tuple[Owner | None, str]] = [(owner, p.name) for owner in form.owners for p in owner.base.parameters]
    named += [(None, p.name) for p in engine.noise.parameters]
    near = zip(named, u, edges, strict=False)  # behind them are inducing points that move
    return tuple(
        AtBound.of(owner, parameter, End.LOWER if value - low <= high - value else End.UPPER)
        for (owner, parameter), value, (low, high) in near
        if min(value - low, high - value) <= _AT_BOUND
    )
