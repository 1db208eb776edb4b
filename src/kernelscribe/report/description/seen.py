"""What the data show of a component of a series: how far it goes, when a cycle is highest, what happens at a place.

All of it is measured on the posterior: a number is a contrast of the component's mean at some places, and its error the standard
deviation of that contrast. Sizes are on the scale of the target's link, places in the user's units.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.normal import Factor, Term
from kernelscribe.model.components import Component
from kernelscribe.model.findings import Findings
from kernelscribe.model.model import Model

__all__ = ["Event", "Extreme", "Known", "Leg", "Seen", "Swing", "see"]

# Rows by which averages over the data are taken, where all would take too long.
_SOME = 60
# Of a curve that is looked at for where it turns: more than any that is told has turns.
_LOOKS = 2000
# The share of its range by which a curve has to come back to have turned.
_TURN = 0.15
# The share of the span over which a slope is taken, at either end.
_END = 0.05
# Rows of a period by which it is followed where they are; else it is followed at evenly spaced places.
_LEAST_PHASES = 4
_PHASES = 336
_EVEN_PHASES = 96
# Rows of a period may be so many times further apart than is usual, or there is a gap.
_GAP = 1.5
# A place that happens has its kind alone: what multiplies it is told otherwise.
_EVENTS = (Role.STEP, Role.KINK, Role.SPELL)
# What has a slope that a kink changes.
_SLOPING = (Role.LINE, Role.BEND, Role.KINK, Role.SMOOTH)


@dataclass(frozen=True, slots=True)
class Known:
    """A number and its standard error."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Extreme:
    """Where a cycle is highest or lowest, and by how much it then differs from its average over a period."""

    place: float
    size: Known


@dataclass(frozen=True, slots=True)
class Swing:
    """A cycle as it is in its last whole period within the data.

    Attributes:
        first, last: half of the way from its lowest to its highest point, in the first period and in the last.
        step: how far apart the places are at which it was looked at.
    """

    high: Extreme
    low: Extreme
    first: float
    last: float
    step: float


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch in which a curve goes one way, and by how much."""

    start: float
    stop: float
    change: float


@dataclass(frozen=True, slots=True)
class Event:
    """What happens at a place: a jump, a change of the slope, or a while that lies higher or lower.

    Attributes:
        size: of the jump, of the change of the slope per unit of the input, or by how much the while lies higher.
        first, last: the first row that is different, and of a while its last.
        rows: how many are.
        before: the slope of all that has one, just before a kink.
    """

    size: Known
    first: float
    last: float
    rows: int
    before: float = 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """What the data show of a component.

    Attributes:
        size: its standard deviation over the data.
        slope: its change from the first row to the last, over their distance.
        ends: its slope at the first rows and at the last, per unit of the input.
        legs: where it goes up and where it goes down.
        step: between rows, usually.
        swing: of a cycle that the data hold a whole period of; None of all else.
        event: None of what is no event.
    """

    size: float
    slope: Known
    ends: tuple[float, float]
    legs: tuple[Leg, ...]
    step: float
    swing: Swing | None = None
    event: Event | None = None


@dataclass(frozen=True)
class _Looks:
    """At a term of a model, at places in the user's units and in those of the link."""

    model: Model
    terms: Sequence[Term]

    def mean(self, x: Array) -> Array:
        return np.asarray(self._scale * self.model.posterior.mean(self.model.standard(x[:, None]), self.terms))

    def joint(self, x: Array) -> tuple[Array, Array]:
        mean, C = self.model.posterior.joint(self.model.standard(x[:, None]), self.terms)
        return np.asarray(self._scale * mean), np.asarray(self._scale**2 * C)

    def contrast(self, x: Array, weights: Array) -> Known:
        mean, C = self.joint(x)
        return _contrast(mean, C, weights)

    @property
    def _scale(self) -> float:
        return self.model.data.output.scale


def see(findings: Findings, component: Component) -> Seen | None:
    """None for tables: what their components do along each of several inputs is told by their kernels."""
    if not findings.model.series:
        return None
    model, looks = findings.model, _Looks(findings.model, [component.standard])
    x, first = np.unique(model.inputs[:, 0], return_index=True)
    if len(x) <= 1:
        return None
    span, step = float(x[-1] - x[0]), float(np.median(np.diff(x)))
    rise = looks.contrast(x[[0, -1]], np.array([-1.0, 1.0]))
    return Seen(
        size=_size(looks, x),
        slope=Known(rise.value / span, rise.error / span),
        ends=_ends(looks, x),
        legs=_legs(x, component.mean[first]),
        step=step,
        swing=_swing(looks, component.term, x, step),
        event=_event(findings, component, looks, x),
    )


def _contrast(mean: Array, C: Array, weights: Array) -> Known:
    return Known(float(weights @ mean), math.sqrt(max(float(weights @ C @ weights), 0.0)))


def _size(looks: _Looks, x: Array) -> float:
    """√E[variance of the component over the rows]: that of its mean, and what is not known of it."""
    some = x[np.unique(np.linspace(0, len(x) - 1, _SOME).round().astype(int))]
    mean, C = looks.joint(some)
    return math.sqrt(max(float(mean.var() + np.diagonal(C).mean() - C.mean()), 0.0))


def _ends(looks: _Looks, x: Array) -> tuple[float, float]:
    reach = _END * float(x[-1] - x[0])
    places = np.array([x[0], x[0] + reach, x[-1] - reach, x[-1]])
    mean = looks.mean(places)
    return float(mean[1] - mean[0]) / reach, float(mean[3] - mean[2]) / reach


def _legs(x: Array, mean: Array) -> tuple[Leg, ...]:
    """A new one begins where the curve has come back by a share of its range."""
    some = np.unique(np.linspace(0, len(x) - 1, _LOOKS).round().astype(int))
    x, mean = x[some], mean[some]
    least = _TURN * float(np.ptp(mean))
    turns, far, way = [0], 0, 0
    for i in range(1, len(x)):
        ahead = (mean[i] - mean[far]) * (way or 1)
        if way == 0 and abs(ahead) > least:
            far, way = i, 1 if mean[i] > mean[0] else -1
        elif way != 0 and ahead >= 0:
            far = i
        elif way != 0 and -ahead > least:
            turns.append(far)
            far, way = i, -way
    turns.append(len(x) - 1)
    pairs = [(a, b) for a, b in pairwise(turns) if b > a]
    return tuple(Leg(float(x[a]), float(x[b]), float(mean[b] - mean[a])) for a, b in pairs)


def _swing(looks: _Looks, term: Term, x: Array, step: float) -> Swing | None:
    cycles = term.of(Role.CYCLE)
    if len(cycles) != 1 or cycles[0]["period"] > x[-1] - x[0]:
        return None
    period = cycles[0]["period"]
    places, began = _phases(x, x[-1] - period, period, step), _phases(x, x[0] - step / 2, period, step)
    mean, C = looks.joint(places)
    size = mean - mean.mean()
    high, low = int(size.argmax()), int(size.argmin())
    first, last = (float(np.ptp(each)) / 2 for each in (looks.mean(began), mean))
    apart = float(np.median(np.diff(places)))
    return Swing(_extreme(places, mean, C, high), _extreme(places, mean, C, low), first, last, apart)


def _extreme(places: Array, mean: Array, C: Array, i: int) -> Extreme:
    weights = np.full(len(places), -1 / len(places))
    weights[i] += 1
    return Extreme(float(places[i]), _contrast(mean, C, weights))


def _phases(x: Array, start: float, period: float, step: float) -> Array:
    """The rows of one period where they follow it without a gap, else evenly spaced places."""
    rows = x[(x > start + step / 2) & (x <= start + period + step / 2)]
    whole = _LEAST_PHASES <= len(rows) <= _PHASES and np.diff(rows).max() <= _GAP * step
    if whole and np.ptp(rows) + _GAP * step >= period:
        return rows
    return start + period * np.arange(1, _EVEN_PHASES + 1) / _EVEN_PHASES


def _event(findings: Findings, component: Component, looks: _Looks, x: Array) -> Event | None:
    factors = component.term.factors
    if len(factors) != 1 or factors[0].role not in _EVENTS:
        return None
    (one,) = factors
    inside = _inside(one, x)
    if not inside.any() or inside.all():
        return None
    first, last = float(x[inside][0]), float(x[inside][-1])
    if one.role is not Role.KINK:
        outside = float(x[~inside][0])
        return Event(looks.contrast(np.array([outside, first]), np.array([-1.0, 1.0])), first, last, int(inside.sum()))
    place = one["location"]
    rise, before = looks.contrast(np.array([place, last]), np.array([-1.0, 1.0])), _slope_before(findings, component, x, place)
    length = last - place
    return Event(Known(rise.value / length, rise.error / length), first, last, int(inside.sum()), before)


def _inside(one: Factor, x: Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    if one.role is Role.SPELL:
        return np.asarray(np.abs(x - one["location"]) <= one["width"] / 2)
    return np.asarray(x >= one["location"] if one.role is Role.STEP else x > one["location"])


def _slope_before(findings: Findings, component: Component, x: Array, place: float) -> float:
    others = [each for each in findings.components if each is not component]
    sloping = [each.standard for each in others if len(each.term.factors) == 1 and each.term.factors[0].role in _SLOPING]
    reach = min(_END * float(x[-1] - x[0]), place - float(x[0]))
    if not sloping or reach <= 0:
        return 0.0
    early, late = _Looks(findings.model, sloping).mean(np.array([place - reach, place]))
    return float(late - early) / reach
