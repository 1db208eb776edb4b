"""Densities of the optimiser's coordinates: value and derivative of the logarithm, both vectorless and pure.

Coordinates are logarithms of positive parameters and plain places otherwise. Four sets of priors exist:
`practical` (the default: weak enough for short length-scales, strong enough to keep fits sensible), `paper` (Kim & Teh's
strong ones), `weak` (Student t on every logarithm) and `none`. The base kernels say which density each parameter has.
"""

import math
from dataclasses import dataclass
from typing import Protocol

__all__ = ["NAMES", "Density", "Flat", "Mixture", "Normal", "StudentT", "noise"]

NAMES = ("practical", "paper", "weak", "none")


class Density(Protocol):
    """A density of one coordinate, known by its logarithm and the derivative of that."""

    def __call__(self, u: float) -> tuple[float, float]: ...


@dataclass(frozen=True, slots=True)
class Flat:
    """No preference; improper, and counted as zero."""

    def __call__(self, u: float) -> tuple[float, float]:
        return 0.0, 0.0


@dataclass(frozen=True, slots=True)
class Normal:
    mean: float
    variance: float

    def __call__(self, u: float) -> tuple[float, float]:
        d = u - self.mean
        return -0.5 * (d * d / self.variance + math.log(2 * math.pi * self.variance)), -d / self.variance


@dataclass(frozen=True, slots=True)
class StudentT:
    """Student's t with `freedom` degrees of freedom, centre 0 and scale 1."""

    freedom: float = 4.0

    def __call__(self, u: float) -> tuple[float, float]:
        f = self.freedom
        constant = math.lgamma((f + 1) / 2) - math.lgamma(f / 2) - 0.5 * math.log(f * math.pi)
        return constant - (f + 1) / 2 * math.log1p(u * u / f), -(f + 1) * u / (f + u * u)


@dataclass(frozen=True, slots=True)
class Mixture:
    """An even mixture of two densities."""

    one: Density
    other: Density

    def __call__(self, u: float) -> tuple[float, float]:
        (f, df), (g, dg) = self.one(u), self.other(u)
        top = max(f, g)
        total = math.exp(f - top) + math.exp(g - top)
        share = math.exp(f - top) / total
        return top + math.log(total / 2), share * df + (1 - share) * dg


def noise(name: str) -> Density:
    """The prior of the logarithm of the noise variance."""
    match name:
        case "paper":
            return Normal(0.0, 0.2)
        case "weak":
            return StudentT()
        case _:
            return Flat()
