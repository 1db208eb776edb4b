"""What a worker does with a statement: screen its starts, polish the best of them to a fit with a certified score, and scan what
that leaves. Engines are prepared once for every scale of the target, every noise and either precision."""

import math
import time
from dataclasses import dataclass, field, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import prepare
from kernelscribe.engines.engine import Engine
from kernelscribe.engines.interval import NOWHERE, Evidence
from kernelscribe.errors import Status
from kernelscribe.fit.facts import AtBound, End, Fit, Screened
from kernelscribe.fit.limit import Limit
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.fit.scan import scanned
from kernelscribe.fit.target import Target
from kernelscribe.kernels.tree import Owner
from kernelscribe.noises import NOISES, Constant, Noise
from kernelscribe.statements.plainness import choices
from kernelscribe.statements.scan import Scan
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.statement import Statement

__all__ = ["Bench"]

# What is taken for noise before anything is known, of the target's variance.
_HALF = 0.5
# A value nearer than this to an end is there.
_AT_BOUND = 1e-6


@dataclass(frozen=True)
class Bench:
    """The data on every scale, with engines.

    Attributes:
        end: a time of `time.monotonic` at which every climb ends with the best values so far.
    """

    data: Dataset
    config: Config
    setting: Setting
    end: float = math.inf
    _engines: dict[tuple[str, str, float], Engine] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, data: Dataset, config: Config) -> "Bench":
        effort = config.effort.of(len(data.y), 1)
        return cls(data, replace(config, effort=effort), Setting.of(data))

    def engine(self, statement: Statement, *, rough: bool = False) -> Engine:
        """Off by so many nats a row, where that saves time."""
        effort, rows = self.config.effort, len(self.data.y)
        nats = max(effort.nats_climbed, rows * (effort.statement_rough if rough else effort.statement_fine))
        key = statement.link, statement.noise, nats
        if key not in self._engines:
            config = replace(self.config, noise=statement.noise, effort=replace(effort, nats_climbed=nats))
            self._engines[key] = prepare(self.data.linked(statement.link), config, statement.built(self.setting).form)
        return self._engines[key]

    def screen(self, starts: tuple[Statement, ...], noise: Noise | None, floor: float = -math.inf) -> Screened:
        """A few evaluations from each start; the best of them goes on, unless it is below the floor."""
        began, limit, effort = time.monotonic(), Limit.of(self.config.patience, self.end), self.config.effort
        tried: list[tuple[Climb, Target]] = []
        for statement in starts:
            engine = self.engine(statement, rough=True)
            target = Target.of(engine, statement.built(self.setting), self._noise(statement, noise, engine))
            tried.append((self._climb(target, target.first, effort.statement_first, limit), target))
            if tried[-1][0].status is Status.TIMEOUT and any(math.isfinite(each.value) for each, _ in tried):
                break
        evaluations = sum(each.evaluations for each, _ in tried)
        best, target = max(tried, key=lambda each: each[0].value)
        status = tried[-1][0].status
        if status is not Status.TIMEOUT and math.isfinite(best.value) and self._screened(best, target) > floor:
            best = self._climb(target, target.first, effort.statement_evaluations, limit, past=best)
            status, evaluations = best.status, evaluations + best.evaluations
        score = self._screened(best, target)
        points = (tuple(target.whole(best.u).tolist()),) if math.isfinite(best.value) else ()
        return Screened(points, score, score, evaluations, time.monotonic() - began, status)

    def _screened(self, climbed: Climb, target: Target) -> float:
        """About what the score will be."""
        return climbed.value + self._besides(target) - self.config.effort.statement_value * len(climbed.u)

    def _noise(self, statement: Statement, noise: Noise | None, engine: Engine) -> Noise:
        """That of the parent, or one of the kind that is asked for, as loud."""
        if noise is not None and noise.name == statement.noise:
            return noise
        level = _HALF if noise is None else noise.level
        kind, data = NOISES[statement.noise], engine.data
        return Constant(level) if kind is Constant else kind.seen(data.X[:, 0], data.y, data.extents[0]).at_level(level)

    def _climb(
        self, target: Target, v: Array, most: int, limit: Limit, *, patient: bool = True, past: Climb | None = None
    ) -> Climb:
        effort = self.config.effort
        patience = effort.statement_patience if patient else None
        return climb(
            target, v, target.box, steps=self.config.steps, scale=target.scale(v), limit=limit,
            patient=patience, effort=effort, most=most, past=past,
        )  # fmt: skip

    def _besides(self, target: Target) -> float:
        """What is added to a value for it to be a score, but for the integral over its values."""
        return target.engine.data.jacobian - choices(target.built.statement, len(self.data.y))

    def polish(self, statement: Statement, screened: Screened, *, last: bool = False) -> Fit:
        """Near the top, or at it where it is the last climb; with the certified interval there."""
        began, limit = time.monotonic(), Limit.of(self.config.patience, self.end)
        engine, built = self.engine(statement), statement.built(self.setting)
        u = np.array(screened.points[0])
        target = Target.of(engine, built, engine.noise_at(built.form, u))
        start = u[target.free]
        most = self.config.effort.statement_polish
        best = self._climb(target, start, 2 * most if last else most, limit, patient=not last)
        fit = self._fit(target, best, screened)
        return replace(fit, seconds=screened.seconds + time.monotonic() - began)

    def _top(self, target: Target, climbed: Climb) -> tuple[Array, float, int]:
        """From near the top to it by one step of Newton's, what integrating over the values adds there, and how many evaluations
        that took."""
        v, value, slope = max(climbed.path, key=lambda each: each[1] if math.isfinite(each[1]) else -math.inf)
        curvature = target.curvature(v, slope)
        ahead = target.newton(curvature, v, slope)
        if target(ahead)[0] > value:
            v = ahead
        return v, target.laplace(curvature, v), len(v) + 1

    def _fit(self, target: Target, climbed: Climb, screened: Screened) -> Fit:
        engine, built = target.engine, target.built
        top, integral, looks = self._top(target, climbed) if math.isfinite(climbed.value) else (climbed.u, 0.0, 0)
        u = target.whole(top)
        data, nowhere = engine.data, Evidence(NOWHERE, NOWHERE, status=climbed.status)
        evidence = (
            engine.certify(built.form, u).moved(data.jacobian, data.jacobian_rounding)
            if math.isfinite(climbed.value)
            else nowhere
        )
        told, noise = built.at(u[: built.form.size]), engine.noise_at(built.form, u)
        extra = target.prior(u)[0] + integral - choices(told, len(data.y)) if evidence.status.usable else -math.inf
        count = built.count + engine.noise.size()
        return Fit(
            scales=data.scales,
            expr=told.expr,
            noise=noise,
            evidence=evidence,
            bic=evidence.interval.shift(-0.5 * count * math.log(len(data.y))),
            at_bound=_at_bound(target, top),
            engine=engine.name,
            evaluations=screened.evaluations + climbed.evaluations + looks,
            seconds=0.0,
            status=climbed.status if climbed.status is Status.TIMEOUT and evidence.status.usable else evidence.status,
            statement=told,
            score=evidence.interval.shift(extra),
        )

    def scan(self, fit: Fit) -> Scan:
        """What a fitted statement leaves to be found."""
        assert fit.statement is not None  # noqa: S101
        engine, built = self.engine(fit.statement), fit.statement.built(self.setting)
        u = Target.of(engine, built, fit.noise).start
        return scanned(engine, built.form, u, self.setting, self.config.effort)


def _at_bound(target: Target, v: Array) -> tuple[AtBound, ...]:
    """The values that ended on an edge."""
    form, noise = target.built.form, target.engine.noise
    named: list[tuple[Owner | None, str]] = [(owner, p.name) for owner in form.owners for p in owner.base.parameters]
    named += [(None, p.name) for p in noise.parameters]
    free = [each for each, moves in zip(named, target.free, strict=True) if moves]
    return tuple(
        AtBound.of(owner, parameter, End.LOWER if value - low <= high - value else End.UPPER)
        for (owner, parameter), value, (low, high) in zip(free, v, target.box, strict=True)
        if min(value - low, high - value) <= _AT_BOUND
    )
