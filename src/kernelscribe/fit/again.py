"""A statement that was fitted, looked at again: what its fit climbed, and its values from other rows of the same data."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.fit.bench import Bench
from kernelscribe.fit.optimise import climb
from kernelscribe.fit.target import Target
from kernelscribe.kernels.laws import multiply
from kernelscribe.kernels.normal import normal
from kernelscribe.noises import Noise
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.statement import Part, Statement

__all__ = ["foreseeable", "refitted", "seen", "target_of"]


def target_of(data: Dataset, config: Config, statement: Statement, noise: Noise) -> Target:
    """Evidence and prior about the values of the statement, which are where it starts."""
    engine = Bench.of(data, config).engine(replace(statement, noise=noise.name))
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


def refitted(data: Dataset, config: Config, statement: Statement, noise: Noise) -> tuple[Statement, Noise]:
    """The statement and its noise with values fitted to these data, from those that they have."""
    target = target_of(data, config, statement, noise)
    effort = config.effort.of(len(data.y), 1)
    scale = target.scale(target.first)
    top = climb(
        target, target.first, target.box, steps=config.steps, scale=scale,
        patient=effort.statement_patience, effort=effort, most=effort.statement_polish,
    )  # fmt: skip
    if not np.isfinite(top.value):
        return statement, noise
    u, form = target.whole(top.u), target.built.form
    return target.built.at(u[: form.size]), target.engine.noise_at(form, u)
