"""Fitting one kernel: bound + log prior climbed from several starts, the best one certified.

Fits are MAP; the BIC uses the evidence at the MAP point without the prior:  BIC = log p(y) − ½ p log N, higher is better.
"""

import math
import time
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import exact, prepare
from kernelscribe.engines.engine import Engine
from kernelscribe.engines.interval import NOWHERE, Evidence
from kernelscribe.errors import Status
from kernelscribe.fit.facts import Fit, Screened
from kernelscribe.fit.ladder import Ladder
from kernelscribe.fit.objective import at_bound, box
from kernelscribe.fit.optimise import Climb
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.laws import charge
from kernelscribe.kernels.tree import Expression, pack, unpack
from kernelscribe.noises import Noise

__all__ = ["certify", "finish", "fit"]


def fit(data: Dataset, expr: Expression, config: Config, *, noise: Noise | None = None, engine: Engine | None = None) -> Fit:
    """Fit the kernel: leaves with values (of the standardised data) are inherited, the others drawn, in every restart. Noise that
    is given says of which kind it is, too."""
    config = config if noise is None else replace(config, noise=noise.name)
    # Small matrices are slower on several threads than on one, and many times slower where processes share the cores.
    with threadpool_limits(config.threads):
        if engine is None:
            engine = prepare(data, config, Form.of(expr)).for_one()
        ladder = Ladder.of(data, config, engine)
        return finish(ladder, expr, ladder.screen(expr, noise))


def finish(ladder: Ladder, expr: Expression, screened: Screened, *, hints: bool = False, rough: bool = False) -> Fit:
    """Polish what screening has left of the starts, and certify the best; on request with hints for those who build on it.

    A rough fit ends some hundredths of a nat below the top: enough to tell kernels apart, at half the cost.
    """
    began, data, config, engine = time.monotonic(), ladder.data, ladder.config, ladder.full
    form = Form.of(expr)
    climbs, u, evidence = _climbed(ladder, expr, screened, rough=rough)
    late = climbs[-1].status is Status.TIMEOUT
    if evidence.status.usable:
        evidence = _with_exact(evidence, data, config, form, u).moved(data.jacobian, data.jacobian_rounding)
    return Fit(
        scales=data.scales,
        expr=unpack(expr, u[: form.size]),
        noise=engine.noise_at(form, u),
        evidence=evidence,
        bic=evidence.interval.shift(-charge(expr, config.count, len(data.y), engine.noise.size())),
        at_bound=at_bound(engine, form, u, box(form, data, engine)),
        engine=engine.name,
        evaluations=screened.evaluations + sum(each.evaluations for each in climbs),
        seconds=screened.seconds + time.monotonic() - began,
        status=Status.TIMEOUT if late and evidence.status.usable else evidence.status,
        periods=ladder.shows(engine.residual(form, u)) if hints and evidence.status.usable else (),
    )


def _climbed(ladder: Ladder, expr: Expression, screened: Screened, *, rough: bool) -> tuple[list[Climb], Array, Evidence]:
    """All climbs, the values that are best on all rows, and what is certified there.

    The top of a climb on a sample is judged by its exact value on all rows. Where the bound is tight there, it leads further;
    where it is not, it would lead away.
    """
    form, first, whole = Form.of(expr), ladder.sampled(expr, screened, rough=rough), Evidence(NOWHERE, NOWHERE)
    if ladder.samples is not None:
        top = max(first, key=lambda each: each.value).u
        whole = ladder.samples.whole.certify(form, top)
        gap = whole.interval.lower - ladder.full.objective(form, top)[0]
        if whole.exact is not None and (
            gap > ladder.config.effort.loose * len(ladder.data.y) or first[-1].status is Status.TIMEOUT
        ):
            return first, top, ladder.full.certify(form, top).known(whole)
        screened = replace(screened, points=(tuple(top.tolist()),))
    climbs = ladder.polish(expr, screened, rough=rough)
    best = max(climbs, key=lambda each: each.value)
    climbs = [*first, *climbs]
    if not math.isfinite(best.value):
        # The last one is a climb, where others may have been mere looks.
        return climbs, best.u, Evidence(NOWHERE, NOWHERE, status=climbs[-1].status)
    found = ladder.full.certify(form, best.u)
    if whole.interval.lower > found.interval.upper:
        return climbs, top, ladder.full.certify(form, top).known(whole)
    return climbs, best.u, found


def certify(data: Dataset, expr: Expression, noise: Noise, config: Config) -> Evidence:
    """The interval at the kernel's own values (of the standardised data) and this noise, without fitting."""
    config = replace(config, noise=noise.name)
    with threadpool_limits(config.threads):
        form = Form.of(expr)
        engine = prepare(data, config, form).for_one()
        u = np.concatenate([pack(expr), noise.pack(), engine.extra])
        found = _with_exact(engine.certify(form, u), data, config, form, u)
        return found.moved(data.jacobian, data.jacobian_rounding)


def _with_exact(evidence: Evidence, data: Dataset, config: Config, form: Form, u: Array) -> Evidence:
    """Beside the bounds the exact value, where the rows are few enough for it."""
    if evidence.exact is not None or len(data.y) > config.exact_limit:
        return evidence
    return replace(evidence, exact=exact(data, config).value(form, u))
