"""The fidelity ladder: many starts screened with few steps, few polished to the top.

A rung climbs some way from each start that is left and keeps the best; climbs that are kept go on where they were left. Polishing
gives up what will end at a top that is known already, or below it, and spends the evaluations on looks beyond the dips around the
best top, where tops are that random starts meet one time in ten. From some thousand rows on the starts of a table are screened
on a quarter of the rows, and those that are left climb some way on all of them before kernels are compared. Coarse screening
is a trap: on N/8 rows with m/4 points one run in eight lost 1195 nats, and with fewer inducing points short length-scales, which
need many, lost to noise by hundreds. So inducing points stay as many as the rows are worth, half of them at least, below those
thousands only the climbs are shorter, and the start that repeats the parent is given up for a better one alone: a child ends
about as well as its parent, but for what its parameters cost.

Inducing points follow no length-scale shorter than the gaps between them: the bound takes for noise what they leave out, and a
climb of the bound walks away from it. So a table whose exact value is to be had is screened and climbed exactly, on samples of
its rows; the exact value on all rows judges where the climb has ended, and where the bound is tight it is climbed from there. On
the power plant (9,568 rows, 320 points) (SE1 + PER2)*SE2 ends so at a BIC of 2313, by the bound alone at 605.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import prepare
from kernelscribe.engines.engine import ClimbStage, Engine, Samples
from kernelscribe.errors import Status
from kernelscribe.fit.beyond_dips import beyond, finer, fractions
from kernelscribe.fit.facts import Screened
from kernelscribe.fit.hints import Hints, Periods, look
from kernelscribe.fit.limit import Limit
from kernelscribe.fit.objective import LogPosterior, box, reach
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.fit.short_climb import ShortClimbs
from kernelscribe.fit.short_lived import short_lived
from kernelscribe.fit.starts import generator, narrow, shaken, starts
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.laws import charge
from kernelscribe.kernels.tree import Expression, leaves, pack
from kernelscribe.noises import Noise

__all__ = ["Ladder"]


@dataclass(frozen=True)
class Ladder:
    """The rungs for one data set, prepared once for all kernels: they share the inducing points, so that intervals compare.

    Attributes:
        stages: what starts are screened with, from cheap to dear; none where they are not screened.
        samples: what is climbed before the bound is, if it is.
        target: periods that stand out in the data.
        end: a time of `time.monotonic` at which every climb ends with the best values so far.
    """

    data: Dataset
    config: Config
    full: Engine
    stages: tuple[ClimbStage, ...]
    samples: Samples | None
    target: Periods
    end: float = math.inf

    @classmethod
    def of(cls, data: Dataset, config: Config, engine: Engine | None = None) -> "Ladder":
        full = prepare(data, config) if engine is None else engine
        on = config.ladder == "on"
        stages, samples = (full.stages(config), full.samples(config)) if on else ((), None)
        return cls(data, config, full, stages, samples, look(data, data.y, config.effort))

    def screen(self, expr: Expression, noise: Noise | None = None, residual: Periods | None = None) -> Screened:
        """Starts for the kernel, of which the best few are left. With the ladder off all are, untouched."""
        began, limit = time.monotonic(), Limit.of(self.config.patience, self.end)
        hints = None if self.config.starts == "paper" else Hints(self.target, self.target if residual is None else residual)
        # The start that repeats the parent is near its top already, so it stands apart: it would outrun better ones at first.
        repeats = noise is not None and hints is not None
        points = self._starts(expr, noise, hints)
        if not self.stages:
            untouched = tuple(self._whole(u) for u in points)
            return Screened(untouched, math.inf, math.inf, 0, time.monotonic() - began, Status.OK)
        climbs = ShortClimbs(self.full, self.data, self.config.priors, expr, limit, self.config.effort)
        parent, others = (points[:1], points[1:]) if repeats else ([], points)
        left = climbs.through(self.stages, others, parent)
        points, score, hope = self._compared(climbs, left, parent)
        paid = self._charge(expr)
        return Screened(
            points=tuple(self._whole(u[: self.full.size(Form.of(expr))]) for u in points),
            score=score - paid,
            hope=hope - paid,
            evaluations=climbs.evaluations,
            seconds=time.monotonic() - began,
            status=Status.TIMEOUT if climbs.late else left[0].status,
        )

    def _charge(self, expr: Expression) -> float:
        """By how much a score is below what the engine says: the parameters' price, less the Jacobian of the target's link."""
        return charge(expr, self.config.count, len(self.data.y), self.full.noise.size()) - self.data.jacobian

    def _whole(self, u: Array) -> tuple[float, ...]:
        """With the engine's own coordinates."""
        return tuple(np.append(u, self.full.extra).tolist())

    def _starts(self, expr: Expression, noise: Noise | None, hints: Hints | None) -> list[Array]:
        """The start that repeats the parent stands first."""
        found = self._drawn(expr, noise, hints)
        if self.full.traits.series and hints is not None:
            form = Form.of(expr)
            short = short_lived(self.full, form, found[0])
            # What the parent may be its child may not: an SE that is no longer by itself has to be longer.
            low, high = box(form, self.data, self.full)[: self.full.size(form)].T
            return [np.clip(u, low, high) for u in (found if short is None else [*found, short])]
        return found

    def _drawn(self, expr: Expression, noise: Noise | None, hints: Hints | None) -> list[Array]:
        rng = generator(self.config.seed, expr)
        if self.stages and self.full.traits.series and noise is not None and hints is not None:
            return narrow(expr, noise, self.data.extents, rng, hints, self.config.effort)
        # Nothing to inherit, nothing to go by: look at more.
        number = self.config.restarts * (self.config.effort.fresh_starts if noise is None and self.stages else 1)
        shown = self.full.noise.seen(self.data.X[:, 0], self.data.y, self.data.extents[0])
        return starts(expr, noise, self.data.extents, rng, number=number, hints=hints, shown=shown)

    def _compared(self, climbs: ShortClimbs, left: list[Climb], parent: list[Array]) -> tuple[list[Array], float, float]:
        """The points that are left, and the value and the hope by which the kernel stands beside others, without the prior: with
        all that the engine has, where the last stage had less."""
        last, rows = self.stages[-1], len(self.data.y)
        points, value, hope = [each.u for each in left], left[0].value, max(each.hope for each in left)
        idle = last.pays and len(parent) == 1 and hope < climbs.value(last.engine, parent[0]) + _price(climbs.expr, rows)
        if last.engine is self.full or not math.isfinite(value):
            prior = climbs.prior(points[0])
            return points, value - prior, -math.inf if idle else hope - prior
        if self.samples is not None:
            return points, *self._foretold(climbs.expr, points[0], last.engine, hope - value)
        points, best = climbs.lifted(points, parent)
        prior, more = climbs.prior(points[0]), best - value
        return points, value + more - prior, -math.inf if idle else hope + more - prior

    def _foretold(self, expr: Expression, u: Array, engine: Engine, hope: float) -> tuple[float, float]:
        """Few rows may see little of what all are full of: beside others the kernel stands with what many say, as if all did."""
        assert self.samples is not None  # noqa: S101
        many, rows = self.samples.many, len(self.data.y)
        value = rows / len(many.data.y) * many.value(Form.of(expr), u)
        unseen = self.config.effort.unforetold * (rows - len(many.data.y))
        return value, value + rows / len(engine.data.y) * hope + unseen

    def renewed(self, expr: Expression, noise: Noise, number: int) -> Screened:
        """A fitted kernel as if it had just been screened: as it is (number 0), or shaken. Where rows are many, a shaken one that
        is on the long way back to the same top is given up."""
        known = u = np.append(pack(expr), noise.pack())
        if number > 0:
            u = shaken(expr, noise, self.data.extents, generator(self.config.seed + number, expr))
        point, old = (tuple(np.append(each, self.full.extra).tolist()) for each in (u, known))
        top = old if number > 0 and len(self.data.y) > self.config.effort.many_rows else ()
        return Screened((point,), math.inf, math.inf, 0, 0.0, Status.OK, top=top)

    def thorough(self) -> "Ladder":
        """The same for the last climb of a search, which has time for a large sample."""
        return replace(self, samples=self.samples and replace(self.samples, some=self.samples.many))

    def shows(self, residual: Array) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """Periods that stand out in a residual, by input."""
        return tuple(look(self.data, residual, self.config.effort).items())

    def sampled(self, expr: Expression, screened: Screened, *, rough: bool = False) -> list[Climb]:
        """Climbs to the top on a sample, where there are samples, from the points that are left."""
        if self.samples is None:
            return []
        return replace(self, data=self.samples.some.data, full=self.samples.some).polish(expr, screened, rough=rough)

    def polish(self, expr: Expression, screened: Screened, *, rough: bool = False) -> list[Climb]:
        """Climbs at full size to the top, from every point that is left; the best goes on from beyond the dips around it."""
        config, effort = self.config, self.config.effort.of(len(self.data.y), self.data.X.shape[1], self.full.traits)
        patient = effort.patience if rough else None
        limit = Limit.of(config.patience, self.end)
        form = Form.of(expr)
        posterior, edges = LogPosterior.of(self.full, form, self.data, config.priors), box(form, self.data, self.full)
        dear = self.full.price(form, np.array(screened.points[0])) > effort.dear_work
        most = math.inf if not dear else effort.dear_evaluations if rough else effort.last_evaluations

        def ascend(u: Array, rivals: Sequence[Climb]) -> Climb:
            scale = reach(self.full, form, self.data, u)
            return climb(
                posterior, u, edges, steps=config.steps, scale=scale, limit=limit,
                patient=patient, effort=effort, most=most, rivals=rivals,
            )  # fmt: skip

        climbs: list[Climb] = []
        if screened.top:
            top = np.array(screened.top)
            climbs.append(Climb(top, posterior(top)[0], 1, Status.OK))
            if dear:
                return climbs
        for point in screened.points:
            climbs.append(ascend(np.array(point), tuple(climbs) if self.stages else ()))
            if climbs[-1].status is Status.TIMEOUT and any(math.isfinite(each.value) for each in climbs):
                return climbs
        if not self.stages or dear:
            return climbs
        cuts = (fractions, finer) if len(self.data.y) < effort.fine_rows else (fractions,)
        return beyond(expr, posterior, edges, climbs, ascend, cuts, effort)


def _price(expr: Expression, rows: int) -> float:
    """What the BIC takes, at least, for the leaves that are new: the size of a factor is free."""
    new = [len(leaf.base.parameters) - 1 for leaf in leaves(expr) if leaf.values is None]
    return 0.5 * sum(new) * math.log(rows)
