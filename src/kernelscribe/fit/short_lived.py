"""A start with what is short-lived, on a series.

Between a part that lasts for some rows only and the long parts that starts are drawn with, the evidence dips: no climb from these
leads there. What then is left unexplained is not noise, and kernels are made to explain it with cycles that are none. So a new SE
that stands by itself is also tried as short as may be.
"""

import math

from kernelscribe.arrays import Array
from kernelscribe.engines.engine import Engine
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.form import Form

__all__ = ["short_lived"]

# The variance that it begins with, in that of the data: half of them may be short-lived.
_VARIANCE = 0.5
# The length-scale, in steps: a few rows have something in common.
_STEPS = 3.0
# The noise, in the variance of the data, at most: what is short-lived was taken for noise before.
_NOISE = 0.05
# Roles of kernels that a variance and a length-scale make short-lived.
_FADING = (Role.SMOOTH, Role.ROUGH)
# One of fewer steps than this is short already.
_NEARLY = 10.0


def short_lived(engine: Engine, form: Form, u: Array) -> Array | None:
    """The start u, but for a new SE that is a term by itself, and short. None where there is no such SE, or a short one among
    those that were inherited."""
    alone = [term[0] for term in form.members if len(term) == 1 and form.owners[term[0]].base.role in _FADING]
    new = [i for i in alone if form.owners[i].values is None]
    step = [engine.data.extents[owner.dim - 1].step for owner in form.owners]
    if not new or any(u[form.slices[i].start + 1] < math.log(_NEARLY * step[i]) for i in alone if i not in new):
        return None
    start, at = u.copy(), form.slices[new[0]].start
    start[at : at + 2] = math.log(_VARIANCE), math.log(_STEPS * step[new[0]])
    noise = engine.noise_at(form, start)
    if noise.level > _NOISE:
        start[form.size : engine.size(form)] = noise.at_level(_NOISE).pack()
    return start
