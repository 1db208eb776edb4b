"""A statement that was fitted, looked at again: what its fit climbed, and its values from other rows of the same data."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import Effort
from kernelscribe.fit.bench import Bench
from kernelscribe.fit.target import Target
from kernelscribe.kernels.laws import multiply
from kernelscribe.kernels.normal import normal
from kernelscribe.noises import Noise
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.statement import Part, Statement

__all__ = ["Curved", "foreseeable", "refitted", "seen", "target_of"]

# The share of what is next to nothing that a last step may still have gained.
_LEFT = 0.2
# So many times as steep is a hill taken to be where a step led too far.
_SHORTER = 4.0


def target_of(data: Dataset, config: Config, statement: Statement, noise: Noise) -> Target:
    """Evidence and prior about the values of the statement, which are where it starts."""
    engine = Bench.of(data, replace(config, effort=config.effort.briefly)).engine(replace(statement, noise=noise.name))
    return Target.of(engine, statement.built(Setting.of(data)), noise)


def seen(statement: Statement, X: Array) -> Statement:
    """The statement without the components that are zero at all of the points: a jump that is yet to come, whose place nobody
    knows there."""
    return replace(statement, parts=tuple(part for part in statement.parts if _acts(part, X)))


def foreseeable(statement: Statement, past: Array, X: Array) -> NDArray[np.bool_]:
    """At which points, all later than the past (in order), no component is that began after it, and none is over that its last
    point was in: nobody could have known."""
    known = np.ones(len(X), dtype=bool)
    for part in statement.parts:
        if part.placed:
            before, there = _acting(part, past), _acting(part, X)
            known &= ~(there & (not before.any()) | ~there & before[-1])
    return known


def _acts(part: Part, X: Array) -> bool:
    return bool(_acting(part, X).any())


def _acting(part: Part, X: Array) -> NDArray[np.bool_]:
    (term,) = normal(multiply(list(part.leaves())))
    return np.asarray(term.diagonal(X) > 0)


@dataclass(frozen=True, slots=True)
class Curved:
    """The hill about a statement's values: what was climbed, how far a step may reach, and the curvature in units of that."""

    target: Target
    scale: Array
    curvature: Array

    @classmethod
    def of(cls, target: Target) -> "Curved":
        at = target.first
        return cls(target, target.scale(at), target.curvature(at, target(at)[1]))

    def of_fewer(self, target: Target) -> Array:
        """The curvature for some of the rows, in proportion to their number and in the units there; their own, where there
        are other coordinates."""
        at, rows = target.first, len(target.engine.data.y) / len(self.target.engine.data.y)
        if len(at) != len(self.scale):
            return Curved.of(target).curvature
        units = target.scale(at) / self.scale
        return rows * self.curvature * np.outer(units, units)


def refitted(
    data: Dataset, config: Config, statement: Statement, noise: Noise, whole: Curved | None = None
) -> tuple[Statement, Noise]:
    """The statement and its noise with values fitted to these rows, from those that they have: of the `whole`, where these rows
    are some of others."""
    target = target_of(data, config, statement, noise)
    curvature = Curved.of(target).curvature if whole is None else whole.of_fewer(target)
    top = _settled(target, curvature, config.effort.of(len(data.y), 1))
    if top is None:
        return statement, noise
    u, form = target.whole(top), target.built.form
    return target.built.at(u[: form.size]), target.engine.noise_at(form, u)


def _settled(target: Target, curvature: Array, effort: Effort) -> Array | None:
    """Near the top, from next to it: steps to where it is if the hill has that curvature, which each step corrects (BFGS)."""
    v = np.clip(target.first, *target.box.T)
    (value, slope), scale = target(v), target.scale(v)
    if not np.isfinite(value):
        return None
    for _ in range(effort.statement_polish):
        ahead = target.newton(curvature, v, slope)
        if slope @ (ahead - v) < _LEFT * effort.little:
            break
        there, steep = target(ahead)
        known = np.isfinite(there) and np.isfinite(steep).all()
        curvature = _corrected(curvature, (ahead - v) / scale, (slope - steep) * scale) if known else _SHORTER * curvature
        if there > value:
            v, value, slope = ahead, there, steep
        elif known:
            # Where the hill is hollow the step has taught nothing.
            curvature = _SHORTER * curvature
    return v


def _corrected(curvature: Array, step: Array, bent: Array) -> Array:
    """The curvature that bends the slope by that along the step, and is else as it was; as it was, where the hill is hollow."""
    along, before = float(step @ bent), curvature @ step
    if along <= 0 or float(step @ before) <= 0:
        return curvature
    return np.asarray(curvature + np.outer(bent, bent) / along - np.outer(before, before) / (step @ before))
