"""What there is to say about one component: its term, where the data lie, and what was measured on its posterior mean.

Every threshold of the language stands here once. R is the span of the data along an input.
"""

import math
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import combinations

import numpy as np

from kernelscribe.data.axis import Axis
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.normal import Factor, Term
from kernelscribe.kernels.operators.operator import EVERYWHERE, Regions
from kernelscribe.links import NO_LINK, TargetLink
from kernelscribe.model.components import Component
from kernelscribe.model.findings import Findings
from kernelscribe.report.description.names import clean
from kernelscribe.report.description.seen import Seen, see

__all__ = ["Beat", "Fuzz", "Rhythm", "Smoothness", "Subject", "subjects"]

# Φ⁻¹(3/4): a length-scale below this many periods leaves little of a cycle.
_QUARTILE = 0.6745
# A cycle whose own length-scale exceeds e² is close to a sine wave.
_SINE = math.exp(2)
# Cycles are nearly in tune when one of the longer takes about one or two of the shorter.
_TUNED = 2
# They swell and fade slowly when they come into step no sooner than after so many of the longer.
_SLOW = 5
# That shows when it happens so many times in the data.
_SHOWN = 2
# Roles of factors with a length beyond which values have next to nothing in common.
_FADING = (Role.SMOOTH, Role.ROUGH)
# Roles of factors that something happens by, at a place.
_EVENTS = (Role.STEP, Role.KINK, Role.SPELL)


class Smoothness(Enum):
    """How far a smooth or a rough factor reaches: ℓ > R/2, ℓ > R/10, down to R/200, below that."""

    VERY = auto()
    TREND = auto()
    WAVES = auto()
    RAPID = auto()


class Fuzz(Enum):
    """How well a cycle repeats itself."""

    EXACT = auto()
    APPROXIMATE = auto()
    VERY = auto()


@dataclass(frozen=True, slots=True)
class Rhythm:
    """One cycle: its input, its period, and whether it is close to a sine wave."""

    dim: int
    period: float
    spread: float | None
    sine: bool


@dataclass(frozen=True, slots=True)
class Beat:
    """Two cycles nearly in tune, as the tides of sun and moon are, and how often they are in step."""

    longer: Rhythm
    shorter: Rhythm
    every: float


@dataclass(frozen=True, slots=True)
class Subject:
    """One component, in the user's units, or in those of the target's link.

    Attributes:
        link: on whose scale it is added to others.
        ends: smallest and largest value of every input.
        monotone: +1 or −1 where the posterior mean only rises or falls over the data, else 0.
        slope: of the posterior mean from its first point to its last; one input.
        spread: standard errors of the factors' values, in their shape; empty where unknown, nan where one is.
        regions: where on the input of its gates the component acts; none where that could not be worked out.
        forgets: length beyond the data after which the variance reaches 90 % of the prior's; None for never or unknown.
        seen: what the data show of it; None where it was not measured.
    """

    term: Term
    axes: tuple[Axis, ...]
    ends: tuple[tuple[float, float], ...]
    target: str = "y"
    monotone: int = 0
    slope: float = 0.0
    spread: tuple[tuple[float, ...], ...] = ()
    regions: Regions = EVERYWHERE
    forgets: float | None = None
    link: TargetLink = NO_LINK
    seen: Seen | None = None

    @classmethod
    def of(
        cls,
        term: Term,
        axes: tuple[Axis, ...],
        ends: tuple[tuple[float, float], ...],
        target: str = "y",
        link: TargetLink = NO_LINK,
    ) -> "Subject":
        """What a term says of itself, before anything was measured."""
        # Gates on several inputs leave no stretches of one of them.
        several = len({each.dim for each in term.of(Role.GATE)}) > 1
        return cls(term, axes, ends, target, regions=() if several else term.regions, link=link)

    @property
    def factors(self) -> tuple[Factor, ...]:
        """Those that give it its shape; gates only say where it acts."""
        return tuple(each for each in self.term.factors if each.role is not Role.GATE)

    @property
    def inputs(self) -> tuple[int, ...]:
        """The inputs along which it has a shape, in order."""
        return Term(1.0, self.factors).dims

    @property
    def gated(self) -> bool:
        """Whether it acts in a part of the data only."""
        return self.regions != EVERYWHERE

    @property
    def gate(self) -> int:
        """The input on which its regions lie."""
        return next((each.dim for each in self.term.of(Role.GATE)), 1)

    @property
    def alone(self) -> bool:
        """Whether the data have one input, which then need not be named where it is a time."""
        return len(self.axes) == 1

    @property
    def timely(self) -> bool:
        """Whether it runs along a time and nothing else."""
        return all(self.axis(dim).temporal for dim in self.term.dims or (1,)) and len(self.term.dims) <= 1

    def unsaid(self, dim: int) -> bool:
        """Whether a length on this input speaks for itself: it is the only input, and has a unit."""
        return self.alone and bool(clean(self.axis(dim).unit))

    def axis(self, dim: int) -> Axis:
        return self.axes[dim - 1]

    def span(self, dim: int) -> float:
        low, high = self.ends[dim - 1]
        return high - low

    def has(self, role: Role, dim: int | None = None) -> bool:
        return bool(self.term.of(role, dim))

    def dims(self, role: Role) -> tuple[int, ...]:
        """The inputs on which there is a factor in this role, in order."""
        return tuple(sorted({each.dim for each in self.term.of(role)}))

    @property
    def fading(self) -> tuple[int, ...]:
        """The inputs along which values have less in common the further they are apart: smoothly, or roughly."""
        return tuple(sorted({*self.dims(Role.SMOOTH), *self.dims(Role.ROUGH)}))

    def lengthscale(self, dim: int) -> tuple[float, float | None]:
        """That of the smooth and the rough factors on an input, several of them as one, and its standard error."""
        mine = [i for i, each in enumerate(self.term.factors) if each.role in _FADING and each.dim == dim]
        if len(mine) == 1:
            return self.term.factors[mine[0]]["lengthscale"], self._spread(mine[0], "lengthscale")
        smooth = math.hypot(*(1 / each["lengthscale"] for each in self.term.of(Role.SMOOTH, dim)))
        return 1 / (smooth + sum(1 / each["lengthscale"] for each in self.term.of(Role.ROUGH, dim))), None

    @property
    def growing(self) -> tuple[int, ...]:
        """The inputs along which a walk or a bend makes no shape of its own, but lets grow what is there: noise, what fades along
        the same input, or another walk."""
        dims = sorted([*(each.dim for each in self.term.of(Role.DRIFT)), *(each.dim for each in self.term.of(Role.BEND))])
        if self.cycles and not self.has(Role.NOISE):
            return ()
        beside = set(dims) if self.has(Role.NOISE) else set(self.fading)
        return tuple(sorted({dim for dim in dims if dim in beside or dims.count(dim) > 1}))

    def walks(self, role: Role) -> tuple[int, ...]:
        """The inputs along which it wanders (DRIFT) or bends (BEND), where that is its shape; what does both wanders."""
        if self.has(Role.NOISE):
            return ()
        without = self.fading if not self.cycles else ()
        rougher = self.dims(Role.DRIFT) if role is Role.BEND else ()
        return tuple(dim for dim in self.dims(role) if dim not in (*without, *rougher))

    def moves(self, length: float) -> float:
        """How far a lone walk gets within a length, or a lone bend off its course: a standard deviation; nan of anything else."""
        (one,) = self.factors if len(self.factors) == 1 else (None,)
        if one is None or one.role not in (Role.DRIFT, Role.BEND):
            return math.nan
        # From a location of nought, since beside a large one a short length would be lost.
        return math.sqrt(self.term.variance) * _size(replace(one, values=(0.0,)), length)

    def smooth(self, dim: int) -> Smoothness:
        length, span = self.lengthscale(dim)[0], self.span(dim)
        for least, kind in ((2, Smoothness.VERY), (10, Smoothness.TREND)):
            if length > span / least:
                return kind
        return Smoothness.RAPID if length < span / 200 else Smoothness.WAVES

    def locations(self, dim: int) -> tuple[float, ...]:
        """Where the lines on an input are zero, from left to right."""
        return tuple(sorted(each["location"] for each in self.term.of(Role.LINE, dim)))

    @property
    def cycles(self) -> tuple[Rhythm, ...]:
        found = []
        for i, each in enumerate(self.term.factors):
            if each.role is Role.CYCLE:
                shape, period = each["lengthscale"], each["period"]
                found.append(Rhythm(each.dim, period, self._spread(i, "period"), shape > _SINE))
        return tuple(found)

    def fuzz(self, cycle: Rhythm) -> Fuzz:
        """Whether another factor on the cycle's own input lets its shape change, and how soon."""
        if cycle.dim not in self.fading:
            return Fuzz.APPROXIMATE if self.has(Role.DRIFT, cycle.dim) or self.has(Role.BEND, cycle.dim) else Fuzz.EXACT
        return Fuzz.VERY if self.lengthscale(cycle.dim)[0] < _QUARTILE * cycle.period else Fuzz.APPROXIMATE

    @property
    def beats(self) -> tuple[Beat, ...]:
        """The pairs of cycles that swell and fade together."""
        found = []
        for pair in combinations(self.cycles, 2):
            shorter, longer = sorted(pair, key=lambda each: each.period)
            times = round(longer.period / shorter.period)
            drift = abs(times / longer.period - 1 / shorter.period)
            tuned = shorter.dim == longer.dim and times <= _TUNED and _SLOW * longer.period * drift <= 1
            if tuned and drift * self.span(longer.dim) >= _SHOWN:
                found.append(Beat(longer, shorter, 1 / drift))
        return tuple(found)

    @property
    def departs(self) -> bool:
        """Whether it is made of ups and downs or departures, not of one curve."""
        return bool(self.fading) and (self.has(Role.ROUGH) or not (self.monotone or self.lasting))

    @property
    def lasting(self) -> bool:
        """Whether what fades lasts long beside the data, so that it is no short-lived departure."""
        return bool(self.fading) and self.smooth(self.fading[0]) in (Smoothness.VERY, Smoothness.TREND)

    @property
    def background(self) -> bool:
        """Whether it is short-lived: told last, and not as a finding."""
        rough = self.has(Role.ROUGH) or (bool(self.fading) and self.smooth(self.fading[0]) is Smoothness.RAPID)
        return self.departs and not self.cycles and rough

    @property
    def happens(self) -> bool:
        """Whether it is an event at a place, and nothing else."""
        return len(self.factors) == 1 and self.factors[0].role in _EVENTS

    @property
    def rising(self) -> bool:
        """Whether it can be said to rise or fall throughout: along one input, on which it does not vary too fast for that."""
        dims = self.inputs
        if self.monotone == 0 or len(dims) != 1 or self.has(Role.ROUGH) or self.has(Role.DRIFT):
            return False
        return not self.fading or self.smooth(dims[0]) is not Smoothness.RAPID

    @property
    def upwards(self) -> bool:
        """Whether it rises, of one that rises or falls."""
        return (self.monotone or self.slope) > 0

    @property
    def change(self) -> float:
        """How much it rises or falls over the data, along its only input; 0 where that is not known."""
        change = abs(self.slope * self.span(self.inputs[0]))
        return change if math.isfinite(change) else 0.0

    def size(self, dim: int, place: float) -> float:
        """The prior standard deviation of the component at a place on the only input along which its size changes."""
        own = (each for each in self.factors if each.dim == dim)
        return math.prod((math.sqrt(self.term.variance), *(_size(each, place) for each in own)))

    def _spread(self, factor: int, quantity: str) -> float | None:
        return self.spread[factor][self.term.factors[factor].at(quantity)] if self.spread else None


def _size(factor: Factor, place: float) -> float:
    return math.sqrt(float(factor.diagonal(np.full((1, factor.dim), place))[0]))


def subjects(findings: Findings) -> tuple[Subject, ...]:
    """What there is to say about every component."""
    return tuple(_subject(findings, each) for each in findings.components)


def _subject(findings: Findings, component: Component) -> Subject:
    ends = tuple((float(column.min()), float(column.max())) for column in findings.model.inputs.T)
    one = Subject.of(component.term, findings.model.axes, ends, findings.model.data.target, findings.model.link)
    known = replace(one, spread=component.spread, forgets=component.forgets)
    if one.gated:
        # What rises or falls where it acts has no direction and no slope over all the data.
        return known
    return replace(known, monotone=component.monotone, slope=component.slope, seen=see(findings, component))
