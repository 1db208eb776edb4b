"""Looks beyond the dips around a top, at parts of its periods and length-scales: random starts meet the better tops there one
time in ten."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.effort import Effort
from kernelscribe.errors import Status
from kernelscribe.fit.objective import LogPosterior
from kernelscribe.fit.optimise import Climb
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.tree import Expression, owners

__all__ = ["beyond", "finer", "fractions"]


def beyond(
    expr: Expression,
    posterior: LogPosterior,
    edges: Array,
    climbs: list[Climb],
    ascend: Callable[[Array, Sequence[Climb]], Climb],
    cuts: Sequence[Callable[[Expression, Array, Array], list[Array]]],
    effort: Effort,
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
            worth = [each for each in (seen[:1] if cut is finer else seen) if each.value > best.value - effort.dip]
            looks, new = [*looks, *seen], [*new, *(ascend(each.u, climbs) for each in worth)]
        climbs = [*climbs, *new]
        late = any(each.status is Status.TIMEOUT for each in new)
        if late or not any(each.value > best.value + effort.dip_gain for each in new):
            return [*looks, *climbs]


def fractions(expr: Expression, u: Array, box: Array) -> list[Array]:
    """The point with each new period halved, and cut to a third: a cycle is as well described by twice its period, with more
    detail than there is, and no small step leads from there to the truth."""
    found, at = [], 0
    for leaf in owners(expr):
        if leaf.base.role is Role.CYCLE and leaf.values is None:
            for part in (2, 3):
                v = u.copy()
                # The same shape over time: the period is shorter and the length-scale, which is counted in periods, longer.
                v[at + leaf.base.index("lengthscale")] += math.log(part)
                v[at + leaf.base.index("period")] -= math.log(part)
                found.append(np.clip(v, box[:, 0], box[:, 1]))
        at += len(leaf.base.parameters)
    return found


def finer(expr: Expression, u: Array, box: Array) -> list[Array]:
    """The point with each length-scale cut to a third, and to a sixth: what was smooth while other things were noise may show
    detail now, and there is a dip on the way to it."""
    found, at = [], 0
    for leaf in owners(expr):
        for i, parameter in enumerate(leaf.base.parameters):
            if parameter.name == "lengthscale":
                for part in (3, 6):
                    v = u.copy()
                    v[at + i] -= math.log(part)
                    found.append(np.clip(v, box[:, 0], box[:, 1]))
        at += len(leaf.base.parameters)
    return found
