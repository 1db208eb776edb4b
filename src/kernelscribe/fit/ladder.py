"""The fidelity ladder: many starts screened with few steps, few polished to the top.

A rung climbs some way from each start that is left and keeps the best; climbs that are kept go on where they were left. Polishing
gives up what will end at a top that is known already, or below it, and spends the evaluations on looks beyond the dips around the
best top, where tops are that random starts meet one time in ten. From some thousand rows on screening looks at part of the rows
with fewer inducing points. Screening too coarsely is a trap: on N/8 rows with m/4 points one run in eight lost 1195 nats, and
with fewer inducing points on a few hundred rows short length-scales, which need many, lost to noise by 200 nats. So below those
thousands only the climbs are shorter, and the start that repeats the parent is given up for a better one alone: a child ends
about as well as its parent, but for what its parameters cost.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import Status
from kernelscribe.evidence.engine import Engine, inducing_points, prepare
from kernelscribe.evidence.spectral.engine import MANY_ROWS, Spectral
from kernelscribe.fit.hints import Hints, Periods, look
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.fit.posterior import Posterior, box, reach
from kernelscribe.fit.starts import finer, fractions, generator, narrow, shaken, starts
from kernelscribe.kernels.algebra import charge
from kernelscribe.kernels.base import Array
from kernelscribe.kernels.expression import Expression, leaves, pack
from kernelscribe.kernels.terms import Form

__all__ = ["Ladder", "Screened"]

# Evaluations from each start to the end of the two lower rungs, with all rows, with part of them, and on waves; and starts that
# go on from each.
_WHOLE, _PART, _WAVES = (8, 12), (12, 24), (10, 28)
_KEPT, _FINALISTS = 2, 1
# Evaluations that may add next to nothing before a rough climb ends, and one that is only to screen waves.
_PATIENT, _HASTY = 12, 6
# A start on waves this many nats behind the best, even with what is left to gain, is not gone on with.
_BEHIND = 10.0
# A period or a length-scale cut to a part is tried when that costs less than this many nats at first.
_DIP = 20.0
_GAINED = 0.5
# Points that are nearer than this in every coordinate will end at the same top.
_APART = 0.1
# The shortest lengthscale on a long series, in spans: with shorter ones the posterior would need too many waves. And the
# operations that a value on windows may take: half a second.
_CARRIED, _WORK = 6e-4, 1.6e10
# Rows from which part of them will do for the lowest rung.
_PART_ROWS = 2000


@dataclass(frozen=True, slots=True)
class Screened:
    """What screening leaves of a kernel's starts.

    Attributes:
        points: coordinates to go on from at full size, best first.
        score: the BIC at the best point, by the bound; scaled up where part of the rows was looked at.
        hope: what the score may come to, by a generous guess; −inf where that is less than what is new has to pay for itself.
    """

    points: tuple[tuple[float, ...], ...]
    score: float
    hope: float
    evaluations: int
    seconds: float
    status: Status
    reason: str = ""


@dataclass(frozen=True)
class Ladder:
    """The rungs for one data set, prepared once for all kernels: they share the inducing points, so that intervals compare."""

    data: Dataset
    config: Config
    full: Engine
    part: Engine | None
    target: Periods

    @classmethod
    def of(cls, data: Dataset, config: Config, engine: Engine | None = None) -> "Ladder":
        full = engine or _searching(prepare(data, config))
        part = _part(data, config, full) if config.ladder == "on" else None
        return cls(data, config, full, part, look(data, data.y))

    def screen(self, expr: Expression, noise: float | None = None, residual: Periods | None = None) -> Screened:
        """Starts for the kernel, of which the best few are left. With the ladder off all are, untouched."""
        began, config = time.monotonic(), self.config
        deadline = math.inf if config.patience is None else time.monotonic() + config.patience
        hints = None if config.starts == "paper" else Hints(self.target, self.target if residual is None else residual)
        rng = generator(config.seed, expr)
        rung = _Rung(self, expr, deadline)
        # Nothing to inherit, nothing to go by: look at more.
        number = config.restarts * (2 if noise is None and config.ladder == "on" else 1)
        if self.full.name == "spectral" and noise is not None and hints is not None and config.ladder == "on":
            points = narrow(expr, noise, self.data.extents, rng, hints)
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
        left.sort(key=lambda each: -each.value)
        # Part of the rows does not say for certain which start is better on all of them.
        behind = _BEHIND if engine.name == "spectral" else 0.0 if self.part is None else math.inf
        left = [each for each in left if each.hope >= left[0].value - behind]
        rows = len(self.data.y)
        up, paid = rows / len(engine.data.y), charge(expr, config.count, rows)
        hope = max(each.hope for each in left)
        idle = engine.name == "spectral" and len(parent) == 1 and hope < rung.value(engine, parent[0]) + _price(expr, rows)
        points, more = [each.u for each in left], 0.0
        if engine.name == "spectral" and math.isfinite(left[0].value):
            # More waves may be worth thousands of nats, and not to each kernel the same: beside others it stands with them all.
            points, best = rung.lifted(points, parent)
            more = best - left[0].value
        prior = rung.prior(points[0])
        return Screened(
            points=tuple(tuple(np.append(u[: Form.of(expr).size + 1], self.full.extra).tolist()) for u in points),
            score=up * (left[0].value + more - prior) - paid,
            hope=-math.inf if idle else up * (hope + more - prior) - paid,
            evaluations=rung.evaluations,
            seconds=time.monotonic() - began,
            status=left[0].status,
        )

    def renewed(self, expr: Expression, noise: float, number: int) -> Screened:
        """A fitted kernel as if it had just been screened: as it is (number 0), or shaken."""
        if number == 0:
            u = np.append(pack(expr), math.log(noise))
        else:
            u = shaken(expr, noise, self.data.extents, generator(self.config.seed + number, expr))
        point = tuple(np.append(u, self.full.extra).tolist())
        return Screened((point,), math.inf, math.inf, 0, 0.0, Status.OK)

    def shows(self, residual: Array) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """Periods that stand out in a residual, by input."""
        return tuple(look(self.data, residual).items())

    def polish(self, expr: Expression, screened: Screened, *, rough: bool = False) -> list[Climb]:
        """Climbs at full size to the top, from every point that is left; the best goes on from beyond the dips around it."""
        config, patient = self.config, _PATIENT if rough else None
        deadline = math.inf if config.patience is None else time.monotonic() + config.patience
        form = Form.of(expr)
        posterior, edges = Posterior.of(self.full, form, self.data, config.priors), box(form, self.data, self.full)

        def ascend(u: Array, rivals: Sequence[Climb]) -> Climb:
            scale = reach(form, self.data, u)
            return climb(posterior, u, edges, steps=config.steps, scale=scale, deadline=deadline, patient=patient, rivals=rivals)

        climbs: list[Climb] = []
        for point in screened.points:
            climbs.append(ascend(np.array(point), () if config.ladder == "off" else tuple(climbs)))
            if climbs[-1].status is Status.TIMEOUT:
                return climbs
        if config.ladder == "off":
            return climbs
        # Where rows are many, length-scales are all but certain, and every look is dear.
        cuts = (fractions, finer) if len(self.data.y) < _PART_ROWS else (fractions,)
        return _beyond(expr, posterior, edges, climbs, ascend, cuts)


def _beyond(
    expr: Expression,
    posterior: Posterior,
    edges: Array,
    climbs: list[Climb],
    ascend: Callable[[Array, Sequence[Climb]], Climb],
    cuts: Sequence[Callable[[Expression, Array, Array], list[Array]]],
) -> list[Climb]:
    """The same climbs, and more from beyond the dips around the best top, while these gain: from fractions of new periods, and
    from the length-scale that it costs least to shorten."""
    looks: list[Climb] = []
    while True:
        best = max(climbs, key=lambda each: each.value)
        new: list[Climb] = []
        for cut in cuts:
            seen = [Climb(u, posterior(u)[0], 1, Status.OK) for u in cut(expr, best.u, edges)]
            seen.sort(key=lambda each: -each.value)
            worth = [each for each in (seen[:1] if cut is finer else seen) if each.value > best.value - _DIP]
            looks, new = [*looks, *seen], [*new, *(ascend(each.u, climbs) for each in worth)]
        climbs = [*climbs, *new]
        if not any(each.value > best.value + _GAINED for each in new):
            return [*looks, *climbs]


@dataclass(slots=True)
class _Rung:
    """Climbs of one kernel that stop early."""

    ladder: Ladder
    expr: Expression
    deadline: float
    evaluations: int = 0

    def prior(self, u: Array) -> float:
        return Posterior.of(self.ladder.full, Form.of(self.expr), self.ladder.data, self.ladder.config.priors).prior(u)[0]

    def value(self, engine: Engine, u: Array) -> float:
        self.evaluations += 1
        return Posterior.of(engine, Form.of(self.expr), engine.data, self.ladder.config.priors)(np.append(u, engine.extra))[0]

    def lifted(self, points: list[Array], parent: list[Array]) -> tuple[list[Array], float]:
        """The points again, and the value of the first at full size. With fewer waves climbs may have left what the parent had
        reached with all of them: if so, what is new is set into the parent's values and stands first."""
        starts = [points[0], *([self._grafted(parent[0], points[0]), parent[0]] if parent else [])]
        values = [self.value(self.ladder.full, u) for u in starts]
        best = int(np.argmax(values))
        return ([starts[best]] if best else []) + points, values[best]

    def _grafted(self, old: Array, new: Array) -> Array:
        form, found = Form.of(self.expr), old.copy()
        for leaf, where in zip(form.leaves, form.slices, strict=True):
            if leaf.values is None:
                found[where] = new[where]
        return found

    def climb(self, engine: Engine, points: list[Array], most: int, kept: int) -> list[Climb]:
        """Some evaluations from every point; the best few that differ, best first, at least one."""
        return self.resume(engine, [Climb(u, -math.inf, 0, Status.OK) for u in points], most, kept)

    def resume(self, engine: Engine, climbs: list[Climb], most: int, kept: int) -> list[Climb]:
        """The same for climbs that were left, where they were left."""
        form = Form.of(self.expr)
        size = form.size + 1
        posterior = Posterior.of(engine, form, engine.data, self.ladder.config.priors)
        edges, patient = box(form, self.ladder.data, engine), _HASTY if engine.name == "spectral" else None
        found: list[Climb] = []
        for each in climbs:
            u = np.append(each.start[:size], engine.extra)
            scale = reach(form, self.ladder.data, u)
            found.append(
                climb(posterior, u, edges, steps=most, scale=scale, deadline=self.deadline, patient=patient, most=most, past=each)
            )
            self.evaluations += found[-1].evaluations
        found.sort(key=lambda each: -each.value)
        return _distinct(found, reach(form, self.ladder.data, found[0].u)[:size] if found else np.empty(0))[:kept]


def _price(expr: Expression, rows: int) -> float:
    """What the BIC takes, at least, for the leaves that are new: the size of a factor is free."""
    new = [len(leaf.base.parameters) - 1 for leaf in leaves(expr) if leaf.values is None]
    return 0.5 * sum(new) * math.log(rows)


def _distinct(climbs: list[Climb], scale: Array) -> list[Climb]:
    """Without those that have arrived where a better one is."""
    found: list[Climb] = []
    for each in climbs:
        if not any((np.abs(each.u - other.u)[: len(scale)] / scale).max() < _APART for other in found):
            found.append(each)
    return found


def _searching(engine: Engine) -> Engine:
    """On a long series parts may be shorter than waves can follow; what a search can afford may stand on windows instead."""
    if isinstance(engine, Spectral) and len(engine.data.y) > MANY_ROWS:
        return engine.thorough(_CARRIED, _WORK)
    return engine


def _part(data: Dataset, config: Config, full: Engine) -> Engine | None:
    """Part of the rows with fewer inducing points, where there are many."""
    n = len(data.y)
    if isinstance(full, Spectral):
        return full.coarse()
    if full.name == "exact" or n < _PART_ROWS:
        return None
    chosen = np.sort(np.random.default_rng([config.seed, 2]).choice(n, size=n // 4, replace=False))
    fewer = max(inducing_points(data, config) // 2, 20)
    return prepare(data.rows(chosen), replace(config, engine="inducing", inducing=fewer, placement="random"))
