"""What an engine answers: an interval that holds the log marginal likelihood, and how it was come by."""

import math
from dataclasses import dataclass, replace

from kernelscribe.errors import Status

__all__ = ["NOWHERE", "POINTLIKE", "Evidence", "Interval"]

# Bounds that cross by less than this share of their size do so through rounding.
_ROUNDING = 1e-6
# What rounding may add to or take from a bound that is computed with care, as a share of its size.
_ALLOWANCE = 1e-9
# Nats below which an interval is one number, up to rounding, and is told as one.
POINTLIKE = 0.005


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval, in nats."""

    lower: float
    upper: float

    @property
    def pointlike(self) -> bool:
        """Whether its ends are the same number where two decimals of a nat are told, up to how they are rounded."""
        return self.width < POINTLIKE

    @property
    def width(self) -> float:
        return self.upper - self.lower

    @property
    def middle(self) -> float:
        return 0.5 * (self.lower + self.upper)

    def shift(self, by: float) -> "Interval":
        """The same interval moved, as from a likelihood to its BIC."""
        return Interval(self.lower + by, self.upper + by)

    def widened(self, by: float) -> "Interval":
        """The same interval with so much more room at both ends."""
        return Interval(self.lower - by, self.upper + by)

    def outward(self) -> "Interval":
        """The same interval with an allowance for rounding: what holds in exact arithmetic then holds in floating point."""
        room = _ALLOWANCE * (1 + max(abs(self.lower), abs(self.upper)))
        return Interval(self.lower - room, self.upper + room)

    def overlaps(self, other: "Interval") -> bool:
        return self.lower <= other.upper and other.lower <= self.upper

    def meet(self, other: "Interval") -> "Interval":
        """What both intervals hold: the bounds of two valid intervals together."""
        return Interval(max(self.lower, other.lower), min(self.upper, other.upper))

    @property
    def consistent(self) -> bool:
        """Whether lower ≤ upper up to rounding."""
        return self.lower <= self.upper + _ROUNDING * (1 + abs(self.lower))


NOWHERE = Interval(-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A certified interval for log p(y) at given values, of the standardised data, in nats.

    Attributes:
        interval: the narrowest that was computed.
        paper: the interval of Kim & Teh: variational lower bound, Nyström and conjugate-gradient upper bound.
        slack: by how much, at most, the conjugate gradients leave the upper bound too high.
        jitter: what was added to the inducing points' covariance, relative to its mean diagonal.
        iterations: of the conjugate gradients.
        exact: the value itself, where it was computed.
        rounding: nats that rounding may be worth, by which both ends were moved out.
    """

    interval: Interval
    paper: Interval
    slack: float = 0.0
    jitter: float = 0.0
    iterations: int = 0
    exact: float | None = None
    status: Status = Status.OK
    rounding: float = 0.0

    @property
    def settled(self) -> bool:
        """Whether the value itself is known, and nothing but rounding left open."""
        return self.exact is not None and self.interval.pointlike

    def moved(self, by: float, rounding: float) -> "Evidence":
        """The same for a target on another scale: so many nats more, which are themselves off by as much as `rounding`."""
        if by == rounding == 0:
            return self
        return replace(
            self,
            interval=self.interval.shift(by).widened(rounding).outward(),
            paper=self.paper.shift(by).widened(rounding).outward(),
            exact=None if self.exact is None else self.exact + by,
            rounding=self.rounding + rounding,
        )

    def known(self, value: "Evidence") -> "Evidence":
        """The same with the value itself, as the exact engine gave it, and what rounding leaves open of it."""
        return replace(self, exact=value.exact, interval=value.interval, rounding=value.rounding) if value.status.usable else self
