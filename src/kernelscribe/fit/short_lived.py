"""Starts with what is short-lived, on a long series.

Coarse stages cannot follow a part that lasts for some rows only, and between it and the long parts that they can follow the bound
dips: no climb from these leads there. What then is left unexplained is not noise, and kernels are made to explain it with cycles
that are none. So a new SE, or ROUGH, that stands by itself is tried as short as may be, on the engine itself, with all values
free.
"""

import math

from kernelscribe.arrays import Array
from kernelscribe.effort import Effort
from kernelscribe.fit.limit import Limit
from kernelscribe.fit.objective import LogPosterior, box, reach
from kernelscribe.fit.optimise import Climb, climb
from kernelscribe.kernels.base import Role

__all__ = ["shortest"]

# The variance that it begins with, in that of the data: half of them may be short-lived.
_VARIANCE = 0.5
# The lengthscale, in the shortest: on the edge of the box there would be no slope to go by.
_LENGTH = 1.5
# The noise, in the variance of the data, at most: what is short-lived was taken for noise before.
_NOISE = 0.05
# Roles of kernels that a variance and a lengthscale make short-lived.
_FADING = (Role.SMOOTH, Role.ROUGH)
# One whose lengthscale is less than three times the shortest is short already.
_NEARLY = math.log(3.0)


def shortest(posterior: LogPosterior, u: Array, limit: Limit, effort: Effort) -> Climb | None:
    """A short climb from u, but for a new SE that is a term by itself, and short. None where there is no such SE, or a short one
    among those that were inherited."""
    form, data = posterior.form, posterior.engine.data
    edges = box(form, data, posterior.engine)
    alone = [term[0] for term in form.members if len(term) == 1 and form.owners[term[0]].base.role in _FADING]
    new = [i for i in alone if form.owners[i].values is None]
    lengths = [form.slices[i].start + 1 for i in alone if i not in new]
    if not new or any(u[at] < edges[at, 0] + _NEARLY for at in lengths):
        return None
    start = u.copy()
    at = form.slices[new[0]].start
    start[at : at + 2] = math.log(_VARIANCE), edges[at + 1, 0] + math.log(_LENGTH)
    noise = posterior.engine.noise_at(form, start)
    if noise.level > _NOISE:
        start[form.size : posterior.engine.size(form)] = noise.at_level(_NOISE).pack()
    scale = reach(posterior.engine, form, data, start)
    return climb(
        posterior, start, edges, steps=effort.short_evaluations, scale=scale, limit=limit,
        patient=effort.short_patience, effort=effort, most=effort.short_evaluations,
    )  # fmt: skip
