"""What is known of a table when its numbers are taken away: scales and units, and how far and how finely its columns reach."""

from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array

__all__ = ["Affine", "Extent", "Scales", "typical_step"]

# Values nearer to each other than this share of the mean distance are the same place measured twice, as by a jittering clock.
_SAME = 1e-6


@dataclass(frozen=True, slots=True)
class Affine:
    """user = centre + scale · standard."""

    centre: float
    scale: float

    @property
    def inverse(self) -> "Affine":
        return Affine(-self.centre / self.scale, 1 / self.scale)


@dataclass(frozen=True, slots=True)
class Scales:
    """What is left of a table when its numbers are taken away: how many rows, what the columns are called, their units."""

    rows: int
    inputs: tuple[Affine, ...]
    output: Affine
    names: tuple[str, ...]
    target: str
    correlations: tuple[float, ...]  # of each input with the target
    link: str = "none"  # the g of links.py in whose units the output is


@dataclass(frozen=True, slots=True)
class Extent:
    """What starting values and priors need to know of one input column: its span, its typical step, the row count."""

    low: float
    high: float
    step: float

    @property
    def span(self) -> float:
        return self.high - self.low

    @classmethod
    def of(cls, x: Array) -> "Extent":
        """The extent of a column. Its step is `typical_step`."""
        return cls(float(x.min()), float(x.max()), typical_step(x))


def typical_step(x: Array) -> float:
    """The median distance of neighbouring values: gaps do not move it, nor do values that are all but the same, whose distances
    are less than a millionth of the mean one; 1 where all are the same."""
    gaps = np.diff(np.sort(x))
    gaps = gaps[gaps > _SAME * gaps.mean()] if gaps.size else gaps
    return float(np.median(gaps)) if gaps.size else 1.0
