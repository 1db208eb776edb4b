"""Fitting one kernel: bound + log prior climbed from several starts, the best one certified.

Fits are MAP; the BIC uses the evidence at the MAP point without the prior:  BIC = log p(y) − ½ p log N, higher is better.
"""

import math
import time
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from threadpoolctl import threadpool_limits

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import Status
from kernelscribe.evidence.engine import Engine, Exact, prepare
from kernelscribe.evidence.interval import Evidence, Interval
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.fit.posterior import Posterior, at_bound, box
from kernelscribe.fit.starts import generator, hints, start
from kernelscribe.kernels.algebra import count
from kernelscribe.kernels.base import Array
from kernelscribe.kernels.expression import Expression, pack, unpack
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.kernels.terms import Form
from kernelscribe.kernels.units import to_user

__all__ = ["Fit", "certify", "fit"]


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


def fit(data: Dataset, expr: Expression, config: Config, *, noise: float | None = None, engine: Engine | None = None) -> Fit:
    """Fit the kernel: leaves with values (of the standardised data) are inherited, the others drawn, in every restart."""
    # Small matrices are slower on several threads than on one, and many times slower where processes share the cores.
    with threadpool_limits(config.threads):
        return _fit(data, expr, config, noise, engine or prepare(data, config))


def _fit(data: Dataset, expr: Expression, config: Config, noise: float | None, engine: Engine) -> Fit:
    began = time.monotonic()
    form = Form.of(expr)
    edges = box(form, data, engine.extra)
    climbs = _climbs(data, expr, config, noise, engine, edges)
    best = max(climbs, key=lambda each: each.value)
    late = climbs[-1].status is Status.TIMEOUT
    if math.isfinite(best.value):
        evidence = _with_exact(engine.certify(form, best.u), data, config, form, best.u)
    else:
        nowhere = Interval(-math.inf, math.inf)
        evidence = Evidence(nowhere, nowhere, status=best.status)
    charge = 0.5 * count(expr, config.count) * math.log(len(data.y))
    return Fit(
        data=data,
        expr=unpack(expr, best.u[: form.size]),
        noise=math.exp(best.u[form.size]),
        evidence=evidence,
        bic=evidence.interval.shift(-charge),
        at_bound=at_bound(form, best.u, edges),
        engine=engine.name,
        evaluations=sum(each.evaluations for each in climbs),
        seconds=time.monotonic() - began,
        status=Status.TIMEOUT if late and evidence.status.usable else evidence.status,
    )


def _climbs(data: Dataset, expr: Expression, config: Config, noise: float | None, engine: Engine, edges: Array) -> list[Climb]:
    """One climb from every start, or as many as the time allows: the last one then says so."""
    deadline = math.inf if config.budget is None else time.monotonic() + config.budget
    posterior = Posterior.of(engine, Form.of(expr), data, config.priors)
    rng, periods = generator(config.seed, expr), hints(expr, data) if config.starts == "data" else None
    climbs: list[Climb] = []
    for number in range(config.restarts):
        u = np.append(start(expr, noise, data.extents, rng, number=number, periods=periods), engine.extra)
        climbs.append(climb(posterior, u, edges, steps=config.steps, deadline=deadline))
        if climbs[-1].status is Status.TIMEOUT:
            break
    return climbs


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
