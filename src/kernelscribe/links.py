"""Scales on which a target can be described: g(y) = level + components + noise, with g the identity, a logarithm or a root.

A link is strictly increasing, so that quantiles go through it: a median is that of g(y), taken back. What it does to a density is
log g'(y), by which evidence on one scale compares with that on another.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array

__all__ = ["LINKS", "NO_LINK", "TargetLink", "suitable"]

# Anscombe's: with it the root of a count has nearly the same variance whatever the count.
_ANSCOMBE = 3 / 8
# A logarithm over less than a tenth of a factor is a straight line, to within what noise hides.
_LEAST_RATIO = 1.1
# With fewer different counts, 0 and 1 alone, no scale is better than another.
_LEAST_COUNTS = 3

_Map = Callable[[Array], Array]


@dataclass(frozen=True)
class TargetLink:
    """A strictly increasing function g of the target.

    Attributes:
        forward, inverse: g and its inverse; the inverse of what lies beyond all values is the end of their range.
        slope_at: log g'(y) as a function of g(y); `steepness` bounds by how much that moves when g(y) moves by one.
        variance: that of y, where g(y) is normal with this mean and this standard deviation.
        allowed: which values g is meant for, one by one.
        part: a difference on the scale of g as it is shown: in per cent for the logarithm.
    """

    name: str
    forward: _Map
    inverse: _Map
    slope_at: _Map
    steepness: _Map
    variance: Callable[[Array, Array], Array]
    allowed: Callable[[Array], NDArray[np.bool_]]
    part: _Map

    def measured(self, z: Array) -> Array:
        """The values that were measured, from g of them: counts are whole whatever rounding has done."""
        return np.asarray(np.rint(self.inverse(z))) if self.allowed is _counts else self.inverse(z)

    def log_slope(self, y: Array) -> Array:
        """log g'(y), one for every value."""
        return self.slope_at(self.forward(y))

    def allows(self, y: Array) -> bool:
        """Whether all values are of the kind that g is meant for."""
        return bool(self.allowed(y).all())

    @property
    def plain(self) -> bool:
        """Whether g leaves everything as it is."""
        return self.name == "none"

    @property
    def multiplies(self) -> bool:
        """Whether components multiply, and their sizes are told in per cent."""
        return self.name == "log"


def _same(values: Array) -> Array:
    return np.asarray(values, dtype=np.float64)


def _zeros(values: Array) -> Array:
    return np.zeros(np.shape(values))


def _lognormal_variance(mean: Array, sd: Array) -> Array:
    return np.asarray(np.expm1(sd**2) * np.exp(2 * mean + sd**2))


def _square_variance(mean: Array, sd: Array) -> Array:
    """That of the square of a normal number: exact but for what the floor at zero cuts off."""
    return np.asarray(4 * mean**2 * sd**2 + 2 * sd**4)


def _counts(y: Array) -> NDArray[np.bool_]:
    return np.asarray((y >= 0) & (y == np.rint(y)))


NO_LINK = TargetLink(
    "none", _same, _same, _zeros, _zeros, lambda mean, sd: sd**2, np.isfinite, _same
)  # fmt: skip

_LOG = TargetLink(
    "log",
    np.log,
    np.exp,
    lambda z: -_same(z),
    lambda z: np.ones(np.shape(z)),
    _lognormal_variance,
    lambda y: np.asarray(y > 0),
    lambda d: 100 * np.expm1(d),
)

_ROOT = TargetLink(
    "root",
    lambda y: np.sqrt(y + _ANSCOMBE),
    lambda z: np.maximum(np.maximum(z, 0.0) ** 2 - _ANSCOMBE, 0.0),
    lambda z: -np.log(2 * z),
    lambda z: 1 / z,
    _square_variance,
    _counts,
    _same,
)

LINKS: Mapping[str, TargetLink] = MappingProxyType({each.name: each for each in (NO_LINK, _LOG, _ROOT)})


def suitable(y: Array) -> tuple[TargetLink, ...]:
    """The links that a search may try for these values of a target, the plainest first.

    A logarithm where all are positive and differ by more than it could be told from a line; a root for counts with zeros.
    """
    values = np.asarray(y, dtype=np.float64)
    low, high = float(values.min()), float(values.max())
    if low > 0 and high > _LEAST_RATIO * low:
        return NO_LINK, _LOG
    if low == 0 and _ROOT.allows(values) and len(np.unique(values)) >= _LEAST_COUNTS:
        return NO_LINK, _ROOT
    return (NO_LINK,)
