"""The fidelity ladder: many starts screened with few steps, few polished to the top.

A rung climbs some steps from each start that is left and keeps the best. From some thousand rows on screening looks at part of
the rows with fewer inducing points. Screening too coarsely is a trap: on N/8 rows with m/4 points one run in eight lost 1195
nats, and with fewer inducing points on a few hundred rows short length-scales, which need many, lost to noise by 200 nats. So
below those thousands only the steps are fewer, and the start that repeats the parent is never given up: a child ends about as
well as its parent, but for what its parameters cost.
"""

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import Status
from kernelscribe.evidence.engine import Engine, inducing_points, prepare
from kernelscribe.fit.hints import Hints, Periods, look
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.fit.posterior import Posterior, box, reach
from kernelscribe.fit.starts import fractions, generator, shaken, starts
from kernelscribe.kernels.algebra import charge
from kernelscribe.kernels.base import Array
from kernelscribe.kernels.expression import Expression, pack
from kernelscribe.kernels.terms import Form

__all__ = ["Ladder", "Screened"]

# Steps of the optimiser on each rung, and starts that go on from it.
_FIRST, _SECOND, _LONG = 5, 8, 16
_KEPT, _FINALISTS = 2, 1
# What is left to gain is guessed as so many times what the second half of the last climb added.
_GAINS = 3.0
# A period cut to a half or a third is tried when that costs less than this many nats at first.
_FRACTION = 20.0
_GAINED = 0.5
# Points that are nearer than this in every coordinate will end at the same top.
_APART = 0.1
# Rows from which part of them will do for the lowest rung.
_PART_ROWS = 2000


@dataclass(frozen=True, slots=True)
class Screened:
    """What screening leaves of a kernel's starts.

    Attributes:
        points: coordinates to go on from at full size, best first.
        score: the BIC at the best point, by the bound; scaled up where part of the rows was looked at.
        hope: what the score may come to, by a generous guess.
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
        full = engine or prepare(data, config)
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
        first = starts(expr, noise, self.data.extents, rng, number=number, hints=hints)
        if config.ladder == "off":
            points = tuple(tuple(np.append(u, self.full.extra).tolist()) for u in first)
            return Screened(points, math.inf, math.inf, 0, time.monotonic() - began, Status.OK)
        # The start that repeats the parent is near its top already, so it stands apart: it would outrun better ones at first.
        parent, others = (first[:1], first[1:]) if noise is not None and hints is not None else ([], first)
        engine = self.part or self.full
        if self.part is None:
            left = rung.climb(engine, others, _FIRST, _KEPT)
            left = rung.climb(engine, [each.u for each in left], _SECOND, _FINALISTS)
            left += rung.climb(engine, parent, _SECOND, 1)
        else:
            left = rung.climb(engine, others, _SECOND, _KEPT)
            left = rung.climb(engine, [each.u for each in left], _LONG, _FINALISTS)
            left += rung.climb(engine, parent, _LONG, 1)
        left.sort(key=lambda each: -each.value)
        rows = len(self.data.y)
        prior, up, paid = rung.prior(left[0].u), rows / len(engine.data.y), charge(expr, config.count, rows)
        return Screened(
            points=tuple(tuple(np.append(each.u[: Form.of(expr).size + 1], self.full.extra).tolist()) for each in left),
            score=up * (left[0].value - prior) - paid,
            hope=up * (max(each.value + _GAINS * each.gain for each in left) - prior) - paid,
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
        """Climbs at full size to the top, from every point that is left; the best goes on with fractions of its new periods."""
        config = self.config
        deadline = math.inf if config.patience is None else time.monotonic() + config.patience
        form = Form.of(expr)
        posterior, edges = Posterior.of(self.full, form, self.data, config.priors), box(form, self.data, self.full.extra)
        climbs: list[Climb] = []
        for point in screened.points:
            u = np.array(point)
            scale = reach(form, self.data, u)
            climbs.append(climb(posterior, u, edges, steps=config.steps, scale=scale, deadline=deadline, rough=rough))
            if climbs[-1].status is Status.TIMEOUT:
                return climbs
        return climbs if config.ladder == "off" else self._fractions(expr, posterior, edges, climbs, deadline, rough)

    def _fractions(
        self, expr: Expression, posterior: Posterior, edges: Array, climbs: list[Climb], deadline: float, rough: bool
    ) -> list[Climb]:
        """The same climbs, and more from fractions of new periods, while these gain."""
        while True:
            best = max(climbs, key=lambda each: each.value)
            looks = [Climb(u, posterior(u)[0], 1, Status.OK) for u in fractions(expr, best.u, edges)]
            worth = [look.u for look in looks if look.value > best.value - _FRACTION]
            new = [
                climb(
                    posterior, u, edges, steps=self.config.steps, scale=reach(posterior.form, self.data, u),
                    deadline=deadline, rough=rough,
                )
                for u in worth
            ]  # fmt: skip
            climbs = [*climbs, *looks, *new]
            if not any(each.value > best.value + _GAINED for each in new):
                return climbs


@dataclass(slots=True)
class _Rung:
    """Climbs of one kernel that stop early."""

    ladder: Ladder
    expr: Expression
    deadline: float
    evaluations: int = 0

    def prior(self, u: Array) -> float:
        return Posterior.of(self.ladder.full, Form.of(self.expr), self.ladder.data, self.ladder.config.priors).prior(u)[0]

    def climb(self, engine: Engine, points: list[Array], steps: int, kept: int) -> list[Climb]:
        """Some steps from every point; the best few that differ, best first, at least one."""
        form = Form.of(self.expr)
        size = form.size + 1
        posterior = Posterior.of(engine, form, engine.data, self.ladder.config.priors)
        edges = box(form, self.ladder.data, engine.extra)
        climbs = []
        for u in points:
            v = np.append(u[:size], engine.extra)
            scale = reach(form, self.ladder.data, v)
            climbs.append(climb(posterior, v, edges, steps=steps, scale=scale, deadline=self.deadline))
            self.evaluations += climbs[-1].evaluations
        climbs.sort(key=lambda each: -each.value)
        return _distinct(climbs, size)[:kept]


def _distinct(climbs: list[Climb], size: int) -> list[Climb]:
    """Without those that have arrived where a better one is."""
    found: list[Climb] = []
    for each in climbs:
        if not any(np.abs(each.u[:size] - other.u[:size]).max() < _APART for other in found):
            found.append(each)
    return found


def _part(data: Dataset, config: Config, full: Engine) -> Engine | None:
    """Part of the rows with fewer inducing points, where there are many."""
    n = len(data.y)
    if full.name == "exact" or n < _PART_ROWS:
        return None
    chosen = np.sort(np.random.default_rng([config.seed, 2]).choice(n, size=n // 4, replace=False))
    fewer = max(inducing_points(data, config) // 2, 20)
    return prepare(data.rows(chosen), replace(config, engine="inducing", inducing=fewer, placement="random"))
