"""What the data show before a kernel is fitted: periods that stand out, in a spectrum or by repetition."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from kernelscribe.arrays import Array
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import Effort
from kernelscribe.fit.autocorrelation import repeats
from kernelscribe.fit.fundamental import fundamentals
from kernelscribe.fit.periodogram import peaks, strongest
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.bases import BASES

__all__ = ["Hints", "Periods", "look"]

# Periods nearer than this, relatively, are one.
_SAME = 0.03

Periods = Mapping[int, tuple[float, ...]]
# The base kernel whose periods are looked for.
_CYCLE = next(base for base in BASES.values() if base.role is Role.CYCLE)


@dataclass(frozen=True, slots=True)
class Hints:
    """Periods that stand out, best first, by input (counted from 1): in the target, and in what the parent leaves unexplained."""

    target: Periods = field(default_factory=dict)
    residual: Periods = field(default_factory=dict)


def look(data: Dataset, residual: Array, effort: Effort) -> Periods:
    """Periods that stand out in a residual, for every input that has them: of its spectrum, of its repetitions, and where rows
    are many of its strongest waves and of what peaks of the spectrum have in common, in turn."""
    rows, inputs = data.X.shape
    found, many, most = {}, rows > effort.many_rows, effort.of(rows, inputs).peaks
    for d, extent in enumerate(data.extents):
        if extent.span == 0:  # the rows of a subset may all have one value
            continue
        x = data.X[:, d]
        shortest, longest = _CYCLE.box(extent)[_CYCLE.index("period")]
        lags = [lag for lag in repeats(x, residual) if shortest <= lag <= longest]
        tops = peaks(x, residual, extent, most)
        strong, behind = (strongest(x, residual, extent), fundamentals(tops, extent.span)) if many else ((), ())
        kept: list[float] = []
        for period in (each for some in zip_longest(tops, lags, strong, behind) for each in some if each is not None):
            if all(abs(period / other - 1) > _SAME for other in kept):
                kept.append(period)
        found[d + 1] = tuple(kept)
    return {dim: periods for dim, periods in found.items() if periods}
