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
from kernelscribe.engines.choose import inducing_points, prepare
from kernelscribe.engines.engine import Engine
from kernelscribe.engines.sizes import MANY_ROWS
from kernelscribe.engines.spectral.engine import Spectral
from kernelscribe.errors import Status
from kernelscribe.fit.beyond_dips import beyond, finer, fractions
from kernelscribe.fit.facts import Screened
from kernelscribe.fit.held_terms import UNSEEN, Trial, apart, deep, try_new
from kernelscribe.fit.hints import Hints, Periods, look
from kernelscribe.fit.limit import Limit
from kernelscribe.fit.objective import Posterior, box, reach
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.fit.sample import Samples
from kernelscribe.fit.short_climb import Rung
from kernelscribe.fit.short_lived import shortest
from kernelscribe.fit.starts import generator, narrow, shaken, starts
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.laws import charge
from kernelscribe.kernels.tree import Expression, leaves, pack
from kernelscribe.streams import stream

__all__ = ["Ladder"]

# Evaluations from each start to the end of the two lower rungs, with all rows, with part of them, and on waves; those that follow
# on all rows what was found on part of them; and starts that go on from each rung.
_WHOLE, _PART, _WAVES = (8, 12), (12, 24), (10, 28)
_AGAIN = 12
_KEPT, _FINALISTS = 2, 1
# Evaluations that may add next to nothing before a rough climb ends, and what that is in nats. Where rows are many it is more:
# kernels differ by hundreds there, evaluations are dear, and the last climb is not rough.
_PATIENT, _LITTLE, _MORE = 12, 0.05, 0.5
# A start on waves this many nats behind the best, even with what is left to gain, is not gone on with.
_BEHIND = 10.0
# The shortest lengthscale on a long series, in spans, and the operations that a value on windows may take: some half a second.
_SHORTER, _WORK = 2e-4, 2.2e10
# Operations from which an evaluation is dear, and how many of those a climb may take; and the last one, which has little to add.
_DEAR, _DEAR_STEPS, _LAST_STEPS = 3e10, 30, 12
# Rows from which part of them will do for the lowest rung, and how many of these an inducing point should stand for: with fewer
# the points cost more than the rows.
_PART_ROWS, _ROWS_A_POINT = 2000, 7
# What a kernel may gain beyond what a sample foretells, for each row that is not in it.
_UNFORETOLD = 0.05


@dataclass(frozen=True)
class Ladder:
    """The rungs for one data set, prepared once for all kernels: they share the inducing points, so that intervals compare.

    Attributes:
        part: what starts are screened with; `full` where there is none.
        samples: what tables are climbed with before the bound is, if it is.
        target: periods that stand out in the data.
        end: a time of `time.monotonic` at which every climb ends with the best values so far.
    """

    data: Dataset
    config: Config
    full: Engine
    part: Engine | None
    samples: Samples | None
    target: Periods
    end: float = math.inf

    @classmethod
    def of(cls, data: Dataset, config: Config, engine: Engine | None = None) -> "Ladder":
        full = _windowed(prepare(data, config)) if engine is None else engine
        large = config.ladder == "on" and full.name == "inducing" and len(data.y) >= _PART_ROWS
        samples = Samples.of(data, config) if large else None
        part = samples.few if samples else _part(data, config, full) if config.ladder == "on" else None
        return cls(data, config, full, part, samples, look(data, data.y))

    def screen(self, expr: Expression, noise: float | None = None, residual: Periods | None = None) -> Screened:
        """Starts for the kernel, of which the best few are left. With the ladder off all are, untouched."""
        began, config, limit = time.monotonic(), self.config, Limit.of(self.config.patience, self.end)
        hints = None if config.starts == "paper" else Hints(self.target, self.target if residual is None else residual)
        rng = generator(config.seed, expr)
        rung = Rung(self.full, self.data, config.priors, expr, limit)
        # Nothing to inherit, nothing to go by: look at more.
        number = config.restarts * (2 if noise is None and config.ladder == "on" else 1)
        if self.full.name == "spectral" and noise is not None and hints is not None and config.ladder == "on":
            beside = isinstance(self.full, Spectral) and self._deep(expr) and apart(expr)
            # What the parent may be its child may not: an SE that is no longer by itself has to be longer.
            low, high = box(Form.of(expr), self.data, self.full).T
            points = [np.clip(u, low, high) for u in narrow(expr, noise, self.data.extents, rng, hints, still=beside)]
            if isinstance(self.full, Spectral) and beside:
                return self._tried(expr, try_new(expr, self.full, config.priors, points, limit), began, limit)
        else:
            points = starts(expr, noise, self.data.extents, rng, number=number, hints=hints)
        if config.ladder == "off":
            untouched = tuple(tuple(np.append(u, self.full.extra).tolist()) for u in points)
            return Screened(untouched, math.inf, math.inf, 0, time.monotonic() - began, Status.OK)
        # The start that repeats the parent is near its top already, so it stands apart: it would outrun better ones at first.
        parent, others = (points[:1], points[1:]) if noise is not None and hints is not None else ([], points)
        engine = self.part or self.full
        first, last = _WAVES if engine.name == "spectral" else _WHOLE if self.part is None else _PART
        left = rung.climb(engine, others, first, _KEPT)
        left = rung.resume(engine, left, last, _FINALISTS) + rung.climb(engine, parent, first if self.part is None else last, 1)
        if engine is self.part and engine.name == "inducing":
            # Part of the rows does not say for certain which start, nor which kernel, is better on all of them.
            engine, left = self.full, rung.climb(self.full, [each.u for each in left], _AGAIN, len(left))
        left.sort(key=lambda each: -each.value)
        behind = _BEHIND if engine.name == "spectral" else 0.0
        left = [each for each in left if each.hope >= left[0].value - behind]
        rows = len(self.data.y)
        paid = charge(expr, config.count, rows)
        hope = max(each.hope for each in left)
        idle = engine.name == "spectral" and len(parent) == 1 and hope < rung.value(engine, parent[0]) + _price(expr, rows)
        points, more = [each.u for each in left], 0.0
        if engine.name == "spectral" and math.isfinite(left[0].value):
            # More waves may be worth thousands of nats, and not to each kernel the same: beside others it stands with them all.
            points, best = rung.lifted(points, parent)
            brief = self._brief(expr, points[0], limit)
            rung.evaluations += brief.evaluations if brief else 0
            if brief is not None and brief.value > best:
                points, best, idle = [brief.u], brief.value, False
            more = best - left[0].value
            if self._deep(expr):
                # Few waves do not say what there is to gain where they cannot follow the parent.
                hope = min(hope, left[0].value + UNSEEN * rows)
        prior = rung.prior(points[0])
        score, hope = left[0].value + more - prior, hope + more - prior
        if self.samples is not None and math.isfinite(left[0].value):
            # Few rows may see little of what all are full of: beside others the kernel stands with what many say, as if all did.
            many = self.samples.many
            foretold = rows / len(many.data.y) * many.value(Form.of(expr), left[0].u)
            unseen = _UNFORETOLD * (rows - len(many.data.y))
            score, hope = foretold, foretold + rows / len(engine.data.y) * (hope - score) + unseen
        return Screened(
            points=tuple(tuple(np.append(u[: Form.of(expr).size + 1], self.full.extra).tolist()) for u in points),
            score=score - paid,
            hope=-math.inf if idle else hope - paid,
            evaluations=rung.evaluations,
            seconds=time.monotonic() - began,
            status=Status.TIMEOUT if rung.late else left[0].status,
        )

    def _dear(self, form: Form, u: Array) -> bool:
        """Whether an evaluation takes a second or more. Then a search has time for one climb, and not for the last nats of it."""
        return isinstance(self.full, Spectral) and self.full.work > 0 and self.full.price(form, u) > _DEAR

    def _brief(self, expr: Expression, u: Array, limit: Limit) -> Climb | None:
        if not isinstance(self.full, Spectral) or not self.full.work:
            return None
        return shortest(Posterior.of(self.full, Form.of(expr), self.data, self.config.priors), u, limit)

    def _deep(self, expr: Expression) -> bool:
        return (
            isinstance(self.full, Spectral) and isinstance(self.part, Spectral) and self.full.work > 0 and deep(expr, self.part)
        )

    def _tried(self, expr: Expression, trial: Trial, began: float, limit: Limit) -> Screened:
        form, rows = Form.of(expr), len(self.data.y)
        left_out = Posterior.of(self.full, form, self.data, self.config.priors).prior(trial.u)[0] + charge(
            expr, self.config.count, rows
        )
        return Screened(
            points=(tuple(trial.u.tolist()),),
            score=trial.value - left_out,
            hope=trial.hope - left_out,
            evaluations=trial.evaluations,
            seconds=time.monotonic() - began,
            status=Status.TIMEOUT if limit.over else Status.OK if math.isfinite(trial.value) else Status.NONFINITE,
        )

    def renewed(self, expr: Expression, noise: float, number: int) -> Screened:
        """A fitted kernel as if it had just been screened: as it is (number 0), or shaken. Where rows are many, a shaken one that
        is on the long way back to the same top is given up."""
        known = u = np.append(pack(expr), math.log(noise))
        if number > 0:
            u = shaken(expr, noise, self.data.extents, generator(self.config.seed + number, expr))
        point, old = (tuple(np.append(each, self.full.extra).tolist()) for each in (u, known))
        top = old if number > 0 and len(self.data.y) > MANY_ROWS else ()
        return Screened((point,), math.inf, math.inf, 0, 0.0, Status.OK, top=top)

    def thorough(self) -> "Ladder":
        """The same for the last climb of a search, which has time for a large sample."""
        return replace(self, samples=self.samples and replace(self.samples, some=self.samples.many))

    def shows(self, residual: Array) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """Periods that stand out in a residual, by input."""
        return tuple(look(self.data, residual).items())

    def sampled(self, expr: Expression, screened: Screened, *, rough: bool = False) -> list[Climb]:
        """Climbs to the top on a sample, where there are samples, from the points that are left."""
        if self.samples is None:
            return []
        return replace(self, data=self.samples.some.data, full=self.samples.some).polish(expr, screened, rough=rough)

    def polish(self, expr: Expression, screened: Screened, *, rough: bool = False) -> list[Climb]:
        """Climbs at full size to the top, from every point that is left; the best goes on from beyond the dips around it."""
        config, patient = self.config, _PATIENT if rough else None
        little = _LITTLE if len(self.data.y) <= MANY_ROWS else _MORE
        limit = Limit.of(config.patience, self.end)
        form = Form.of(expr)
        posterior, edges = Posterior.of(self.full, form, self.data, config.priors), box(form, self.data, self.full)
        dear = self._dear(form, np.array(screened.points[0]))
        most = math.inf if not dear else _DEAR_STEPS if rough else _LAST_STEPS

        def ascend(u: Array, rivals: Sequence[Climb]) -> Climb:
            scale = reach(form, self.data, u)
            return climb(
                posterior, u, edges, steps=config.steps, scale=scale, limit=limit,
                patient=patient, little=little, most=most, rivals=rivals,
            )  # fmt: skip

        climbs: list[Climb] = []
        if screened.top:
            top = np.array(screened.top)
            climbs.append(Climb(top, posterior(top)[0], 1, Status.OK))
            if dear:
                return climbs
        for point in screened.points:
            climbs.append(ascend(np.array(point), () if config.ladder == "off" else tuple(climbs)))
            if climbs[-1].status is Status.TIMEOUT and any(math.isfinite(each.value) for each in climbs):
                return climbs
        if config.ladder == "off" or dear:
            return climbs
        # Where rows are many, length-scales are all but certain, and every look is dear.
        cuts = (fractions, finer) if len(self.data.y) < _PART_ROWS else (fractions,)
        return beyond(expr, posterior, edges, climbs, ascend, cuts)


def _price(expr: Expression, rows: int) -> float:
    """What the BIC takes, at least, for the leaves that are new: the size of a factor is free."""
    new = [len(leaf.base.parameters) - 1 for leaf in leaves(expr) if leaf.values is None]
    return 0.5 * sum(new) * math.log(rows)


def _windowed(engine: Engine) -> Engine:
    """On a long series parts may be shorter than waves can follow; what a search can afford may stand on windows instead."""
    if isinstance(engine, Spectral) and len(engine.data.y) > MANY_ROWS:
        return engine.thorough(_SHORTER, _WORK)
    return engine


def _part(data: Dataset, config: Config, full: Engine) -> Engine | None:
    """Part of the rows where there are many, on waves fewer of these."""
    n = len(data.y)
    if isinstance(full, Spectral):
        return full.coarse()
    if full.name == "exact" or n < _PART_ROWS:
        return None
    chosen = np.sort(stream(config.seed, "screened rows").choice(n, size=n // 4, replace=False))
    most = inducing_points(data, config)
    points = max(most // 2, min(most, len(chosen) // _ROWS_A_POINT), 1)
    return prepare(data.rows(chosen), replace(config, engine="inducing", inducing=points, placement="random"))
