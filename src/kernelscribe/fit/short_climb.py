"""Short climbs: from many starts a few evaluations each, of which the best are kept, and taken up where they were left."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import Effort
from kernelscribe.engines.engine import ClimbStage, Engine
from kernelscribe.errors import Status
from kernelscribe.fit.limit import Limit
from kernelscribe.fit.objective import LogPosterior, box, reach
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.tree import Expression

__all__ = ["ShortClimbs"]

# Points that are nearer than this in every coordinate will end at the same top.
_DISTINCT = 0.1


@dataclass(slots=True)
class ShortClimbs:
    """Climbs of one kernel that stop early.

    Attributes:
        full: the engine at full size; `data` all rows.
        priors: the name of the set.
        limit: when to end; `late` says whether that cost anything.
        effort: what is next to nothing, for stages that end then.
    """

    full: Engine
    data: Dataset
    priors: str
    expr: Expression
    limit: Limit
    effort: Effort
    evaluations: int = 0
    late: bool = False

    def prior(self, u: Array) -> float:
        return LogPosterior.of(self.full, Form.of(self.expr), self.data, self.priors).prior(u)[0]

    def value(self, engine: Engine, u: Array) -> float:
        self.evaluations += 1
        return LogPosterior.of(engine, Form.of(self.expr), engine.data, self.priors)(np.append(u, engine.extra))[0]

    def lifted(self, points: list[Array], parent: list[Array]) -> tuple[list[Array], float]:
        """The points again, and the value of the first at full size. On a coarser engine climbs may have left what the parent
        had reached: if so, what is new is set into the parent's values and stands first."""
        starts = [points[0], *([self._grafted(parent[0], points[0]), parent[0]] if parent else [])]
        values = [self.value(self.full, u) for u in starts]
        best = int(np.argmax(values))
        return ([starts[best]] if best else []) + points, values[best]

    def _grafted(self, old: Array, new: Array) -> Array:
        form, found = Form.of(self.expr), old.copy()
        for leaf, where in zip(form.owners, form.slices, strict=True):
            if leaf.values is None:
                found[where] = new[where]
        return found

    def through(self, stages: Sequence[ClimbStage], starts: list[Array], parent: list[Array]) -> list[Climb]:
        """What the stages leave of the starts, best first; the parent's own start joins the others where its stage has it."""
        left, before = [_untouched(u) for u in starts], None
        for stage in stages:
            if stage.engine is not before:
                left, before = [_untouched(each.u) for each in left], stage.engine
            left = self.stage(stage, left)
            if stage.repeat:
                again = replace(stage, evaluations=stage.repeat, kept=1)
                left += self.stage(again, [_untouched(u) for u in parent])
        left.sort(key=lambda each: -each.value)
        return [each for each in left if each.hope >= left[0].value - stages[-1].behind]

    def stage(self, stage: ClimbStage, climbs: list[Climb]) -> list[Climb]:
        """Some evaluations more of every climb, from where it was left; the best few that differ, best first, at least one."""
        form, engine, most = Form.of(self.expr), stage.engine, stage.evaluations
        size = engine.size(form)
        posterior = LogPosterior.of(engine, form, engine.data, self.priors)
        edges = box(form, self.data, engine)
        found: list[Climb] = []
        for each in climbs:
            if self.late and any(math.isfinite(other.value) for other in found):
                break
            u = np.append(each.start[:size], engine.extra)
            scale = reach(engine, form, self.data, u)
            new = climb(
                posterior, u, edges, steps=most, scale=scale, limit=self.limit,
                patient=stage.patience, effort=self.effort, most=most, past=each,
            )  # fmt: skip
            found.append(new)
            self.evaluations += new.evaluations
            self.late |= new.status is Status.TIMEOUT
        found.sort(key=lambda each: -each.value)
        return _distinct(found, reach(engine, form, self.data, found[0].u)[:size] if found else np.empty(0))[: stage.kept]


def _untouched(u: Array) -> Climb:
    """A climb that has yet to begin."""
    return Climb(u, -math.inf, 0, Status.OK)


def _distinct(climbs: list[Climb], scale: Array) -> list[Climb]:
    """Without those that have arrived where a better one is."""
    found: list[Climb] = []
    for each in climbs:
        if not any((np.abs(each.u - other.u)[: len(scale)] / scale).max() < _DISTINCT for other in found):
            found.append(each)
    return found
