"""Screening where coarse stages will not do: what is new is tried on all that the parent stands on, while that stays as it is.

A kernel with a part so short that it needs windows is thousands of nats better on these than on the waves that starts are
otherwise screened with, and what is worth adding to the one says little of what is worth adding to the other. But where rows are
many, inherited values are all but certain. So the leaves that are new climb alone (`Engine.hold`), from each start:
a value takes milliseconds, since nothing of the parent is computed twice. What is new and short needs windows of its own
(short_lived.py).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.effort import Effort
from kernelscribe.engines.engine import Engine, Holding
from kernelscribe.errors import Status
from kernelscribe.fit.limit import Limit
from kernelscribe.fit.objective import LogPosterior, box, reach
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.fit.short_lived import shortest
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.tree import Expression

__all__ = ["Trial", "separate", "too_short", "try_new"]


@dataclass(frozen=True, slots=True)
class Trial:
    """Where the best start has come to, with the bound and the prior; and what the bound may come to, by a generous guess."""

    u: Array
    value: float
    hope: float
    evaluations: int


def too_short(expr: Expression, part: Engine) -> bool:
    """Whether the kernel has inherited a length-scale that the engine for screening cannot follow."""
    return any(
        leaf.base.role in (Role.SMOOTH, Role.ROUGH)
        and leaf.values is not None
        and leaf.values[1] < part.limits(leaf.base.role, "lengthscale", part.data.extents[leaf.dim - 1])[0]
        for leaf in Form.of(expr).owners
    )


def separate(expr: Expression) -> bool:
    """Whether some terms of the kernel have none of its new leaves."""
    form = Form.of(expr)
    return any(all(form.owners[i].values is not None for i in term) for term in form.members)


def try_new(expr: Expression, full: Engine, priors: str, points: Sequence[Array], limit: Limit, effort: Effort) -> Trial:
    """The best of the points, of which the first is all but the parent itself, after a climb in the new leaves alone; that first
    one, where nothing can be held."""
    form = Form.of(expr)
    new = frozenset(i for i, leaf in enumerate(form.owners) if leaf.values is None)
    posterior = LogPosterior.of(full, form, full.data, priors)
    holding = full.hold(form, points[0], new) if new else None
    if holding is None:
        value = full.value(form, points[0]) + posterior.prior(points[0])[0]
        return Trial(points[0], value, value + effort.unseen * len(full.data.y), 1)
    moving = np.concatenate([np.arange(form.slices[i].start, form.slices[i].stop) for i in sorted(new)])
    found = [_alone(holding, posterior, u, moving, limit, effort) for u in points[1:]]
    start = Climb(points[0], full.value(form, points[0]) + posterior.prior(points[0])[0], 1, Status.OK)
    ends = _ends(posterior, full, sorted(found, key=lambda each: -each.value)[: effort.held_finalists], new, limit, effort)
    brief = shortest(posterior, points[0], limit, effort)
    ends = [start, *ends, *([brief] if brief is not None else [])]
    top, most = max(ends, key=lambda each: each.value), effort.unseen * len(full.data.y)
    more = min(top.value - start.value, most) if math.isfinite(start.value) else most
    return Trial(top.u, top.value, top.value + more, sum(each.evaluations for each in [*found, *ends]))


def _ends(
    posterior: LogPosterior, full: Engine, best: list[Climb], new: frozenset[int], limit: Limit, effort: Effort
) -> list[Climb]:
    """The best climb, with its value by all that the engine has. For a new cycle, where values are cheap, all that are given go
    on with all leaves: which is best while the others are held may not be so when they give way, to a day more than to half a
    day."""
    form = posterior.form
    cycle = any(form.owners[i].base.role is Role.CYCLE for i in new)
    if cycle and len(best) > 1 and full.price(form, best[0].u) <= effort.cheap_work:
        return [_all(posterior, each.u, limit, effort) for each in best]
    return [Climb(each.u, full.value(form, each.u) + posterior.prior(each.u)[0], 1, Status.OK) for each in best[:1]]


def _all(posterior: LogPosterior, u: Array, limit: Limit, effort: Effort) -> Climb:
    """A climb in all coordinates."""
    form, data = posterior.form, posterior.engine.data
    edges, scale, most = box(form, data, posterior.engine), reach(posterior.engine, form, data, u), effort.freed_evaluations
    return climb(
        posterior, u, edges, steps=most, scale=scale, limit=limit, patient=effort.freed_patience, effort=effort, most=most
    )


def _alone(holding: Holding, posterior: LogPosterior, u: Array, moving: Array, limit: Limit, effort: Effort) -> Climb:
    """A climb in some coordinates, the others as they are."""
    form, data = posterior.form, posterior.engine.data
    bound = holding.around(u)

    def spread(v: Array) -> Array:
        whole = u.copy()
        whole[moving] = v
        return whole

    def objective(v: Array) -> tuple[float, Array]:
        value, slope = bound(spread(v))
        log_p, d_log_p = posterior.prior(spread(v))
        return value + log_p, (slope + d_log_p)[moving]

    edges = box(form, data, posterior.engine)[moving]
    there = climb(
        objective,
        u[moving],
        edges,
        steps=effort.held_evaluations,
        scale=reach(posterior.engine, form, data, u)[moving],
        limit=limit,
        patient=effort.held_patience,
        effort=effort,
        most=effort.held_evaluations,
    )
    return Climb(spread(there.u), there.value, there.evaluations, there.status)
