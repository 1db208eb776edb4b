"""Where curves are drawn: at no more than some hundred places.

Where a curve moves faster than so many evenly spaced ones can follow, they are rows of the data, of every pixel those in which
it is lowest and highest: then every point that is drawn is a point of the curve.
"""

import math
from collections.abc import Sequence

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.normal import Term
from kernelscribe.report.description.view import POINTS, View
from kernelscribe.report.figures.shrink import shrink
from kernelscribe.streams import stream

__all__ = ["along", "beyond", "recent", "window"]

# So many cycles are drawn of one that has many more, for its shape to be seen.
_CYCLES = 12
# From so many cycles on.
_MANY = 60
# Places of a long forecast that are looked at, to find those that are drawn.
_LOOKS = 2000


def along(view: View, terms: Sequence[Term], mean: Array, most: int = POINTS) -> Array:
    """Places along the only input for the curve of some terms, whose mean at every row is known."""
    x = view.points[0]
    if _even(view, terms, view.span, most):
        return np.linspace(*view.ends[0], most)
    return np.asarray(np.unique(x[shrink(x, [mean], most // 2 - 1)]))


def beyond(view: View, terms: Sequence[Term]) -> Array:
    """Places from the end of the data to that of the forecast."""
    x, most = view.future, POINTS // 3
    if len(x) == 0:
        return x
    if _even(view, terms, float(x[-1]) - view.last, most):
        return np.linspace(view.last, x[-1], most)
    if len(x) > _LOOKS:
        # At random: an even choice could fall into step with a cycle.
        x = np.sort(stream(view.model.config.seed, "looks").choice(x[:-1], _LOOKS, replace=False))
    mean = view.mean(view.model.standard(x[:, None]), terms)
    return np.unique([view.last, *x[shrink(x, [mean], most // 2 - 2)], view.future[-1]])


def recent(view: View, terms: Sequence[Term], mean: Array) -> Array:
    """Places to see a forecast from: the end of the data, three times as long as the forecast, then `beyond`."""
    after, x = beyond(view, terms), view.points[0]
    if len(after) == 0:
        return after
    start = max(view.ends[0][0], view.last - 3 * (float(after[-1]) - view.last))
    most, late = POINTS - len(after), x >= start
    if _even(view, terms, view.last - start, most):
        return np.append(np.linspace(start, view.last, most, endpoint=False), after)
    return np.union1d(x[late][shrink(x[late], [mean[late]], most // 2 - 1)], after)


def _even(view: View, terms: Sequence[Term], span: float, most: int) -> bool:
    """Whether so many evenly spaced places follow the curve: several to every length-scale, a dozen to every cycle."""
    scale, finest = view.model.data.inputs[0].scale, math.inf
    for factor in (factor for term in terms for factor in term.factors):
        finest = min(finest, factor.base.finest(factor.values) / 2)
    return span / most <= finest * scale


def window(view: View, term: Term) -> float:
    """Where a figure of one component begins: with the data, or late enough to show the shape of a cycle of many."""
    low, high = view.ends[0]
    periods = [factor["period"] * view.model.data.inputs[0].scale for factor in term.of(Role.CYCLE)]
    if not periods or high - low < _MANY * max(periods):
        return low
    return high - _CYCLES * max(periods)
