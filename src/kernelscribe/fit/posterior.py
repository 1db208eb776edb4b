"""Fitting one kernel: bound + log prior climbed from several starts, the best one certified.

Fits are MAP; the BIC uses the evidence at the MAP point without the prior:  BIC = log p(y) − ½ p log N, higher is better.
"""

import math
import time
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from threadpoolctl import threadpool_limits

from kernelscribe import priors
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import Status
from kernelscribe.evidence.engine import Engine, Exact, prepare
from kernelscribe.evidence.interval import Evidence, Interval
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.fit.starts import generator, hints, start
from kernelscribe.kernels.algebra import count
from kernelscribe.kernels.base import Array
from kernelscribe.kernels.expression import Expression, pack, unpack
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.kernels.terms import Form
from kernelscribe.kernels.units import to_user

__all__ = ["Fit", "Posterior", "certify", "fit"]

NOISE_BOX = (1e-6, 1e2)
_AT_BOUND = 1e-6


@dataclass(frozen=True)
class Fit:
    """A kernel with its fitted values and how well it explains the data.

    Attributes:
        expr: the kernel, with its values for the standardised data; `user` has them in the data's units.
        noise: the noise variance of the standardised data; `user_noise` in the data's units.
        evidence: log p(y) of the standardised data, in nats.
        bic: the evidence less half a log N for each parameter.
        at_bound: parameters that ended on the edge of their box, as in "lengthscale of SE1".
    """

    data: Dataset
    expr: Expression
    noise: float
    evidence: Evidence
    bic: Interval
    at_bound: tuple[str, ...]
    engine: str
    evaluations: int
    seconds: float
    status: Status

    @property
    def usable(self) -> bool:
        """Whether there is a model: an interval was found and may be ranked."""
        return self.status.usable and math.isfinite(self.bic.lower)

    @cached_property
    def user(self) -> Expression:
        return to_user(self.expr, self.data.inputs, self.data.output)

    @property
    def user_noise(self) -> float:
        return self.noise * self.data.output.scale**2


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
        for i, density in enumerate(self.densities):
            log_p, d_log_p = density(float(u[i]))
            value += log_p
            slope[i] += d_log_p
        return value, slope


def box(form: Form, data: Dataset, extra: Array) -> Array:
    """The optimiser's box [n, 2]: logarithms where parameters are positive; inducing points a span beyond the data."""
    extents = data.extents
    sides = []
    for leaf in form.leaves:
        edges = leaf.base.box(extents[leaf.dim - 1])
        for parameter, (low, high) in zip(leaf.base.parameters, edges, strict=True):
            sides.append((math.log(low), math.log(high)) if parameter.positive else (low, high))
    sides.append((math.log(NOISE_BOX[0]), math.log(NOISE_BOX[1])))
    around = [(e.low - e.span, e.high + e.span) for e in extents]
    sides.extend(around[i % len(around)] for i in range(len(extra)))
    return np.array(sides)


def fit(data: Dataset, expr: Expression, config: Config, *, noise: float | None = None, engine: Engine | None = None) -> Fit:
    """Fit the kernel: leaves with values (of the standardised data) are inherited, the others drawn, in every restart."""
    # Small matrices are slower on several threads than on one, and many times slower where processes share the cores.
    with threadpool_limits(config.threads):
        return _fit(data, expr, config, noise, engine)


def _fit(data: Dataset, expr: Expression, config: Config, noise: float | None, engine: Engine | None) -> Fit:
    began = time.monotonic()
    deadline = math.inf if config.budget is None else began + config.budget
    engine = engine or prepare(data, config)
    form = Form.of(expr)
    posterior = Posterior.of(engine, form, data, config.priors)
    edges, rng = box(form, data, engine.extra), generator(config.seed, expr)
    climbs: list[Climb] = []
    periods = hints(expr, data) if config.starts == "data" else None
    for number in range(config.restarts):
        u = np.append(start(expr, noise, data.extents, rng, number=number, periods=periods), engine.extra)
        climbs.append(climb(posterior, u, edges, steps=config.steps, deadline=deadline))
        if climbs[-1].status is Status.TIMEOUT:
            break
    best = max(climbs, key=lambda each: each.value)
    evaluations = sum(each.evaluations for each in climbs)
    timed_out = any(each.status is Status.TIMEOUT for each in climbs)
    return _finish(data, expr, config, engine, best, edges, evaluations, began, timed_out)


def _finish(
    data: Dataset, expr: Expression, config: Config, engine: Engine, best: Climb, edges: Array,
    evaluations: int, began: float, timed_out: bool,
) -> Fit:  # fmt: skip
    form = Form.of(expr)
    if math.isfinite(best.value):
        evidence = _with_exact(engine.certify(form, best.u), data, config, form, best.u)
    else:
        nowhere = Interval(-math.inf, math.inf)
        evidence = Evidence(nowhere, nowhere, status=Status.TIMEOUT if timed_out else best.status)
    status = Status.TIMEOUT if timed_out and evidence.status.usable else evidence.status
    charge = -0.5 * count(expr, config.count) * math.log(len(data.y))
    return Fit(
        data, unpack(expr, best.u[: form.size]), math.exp(best.u[form.size]), evidence, evidence.interval.shift(charge),
        _at_bound(form, best.u, edges), engine.name, evaluations, time.monotonic() - began, status,
    )  # fmt: skip


def certify(data: Dataset, expr: Expression, noise: float, config: Config) -> Evidence:
    """The interval at the kernel's own values (of the standardised data), without fitting."""
    with threadpool_limits(config.threads):
        engine, form = prepare(data, config), Form.of(expr)
        u = np.concatenate([pack(expr), [math.log(noise)], engine.extra])
        return _with_exact(engine.certify(form, u), data, config, form, u)


def _with_exact(evidence: Evidence, data: Dataset, config: Config, form: Form, u: Array) -> Evidence:
    """Beside the bounds the exact value, where the rows are few enough for it."""
    if evidence.exact is not None or len(data.y) > config.exact_limit:
        return evidence
    return replace(evidence, exact=Exact(arithmetic(config.backend), data).value(form, u))


def _at_bound(form: Form, u: Array, edges: Array) -> tuple[str, ...]:
    names = [f"{p.name} of {leaf.kind}{leaf.dim}" for leaf in form.leaves for p in leaf.base.parameters]
    names.append("noise variance")
    near = np.minimum(u - edges[:, 0], edges[:, 1] - u)[: len(names)] <= _AT_BOUND
    return tuple(name for name, touches in zip(names, near, strict=True) if touches)
