"""A pattern that repeats itself: a yearly cycle, highest in May. It holds its period where that is the calendar's."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kernelscribe.kernels.bases.cycle import CentredPeriodic
from kernelscribe.priors import Normal
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import HELD, Slot, Values, Word, size_slot

__all__ = ["CycleNoun"]

_SIZE = 0.1
_SPREAD = 2.0
# The length within a period over which the pattern changes, in radians: a few overtones, give or take a factor of two.
_SHAPE = 0.8
_SHAPE_SPREAD = 0.7
_SHARPEST = 0.12
_SOFTEST = 8.0
# Starts: a rounded pattern, and one with corners.
_SHAPES = (1.0, 0.4)


@dataclass(frozen=True, slots=True)
class Uniform:
    """The same everywhere between two ends."""

    low: float
    high: float

    def __call__(self, u: float) -> tuple[float, float]:
        return -math.log(self.high - self.low), 0.0


class CycleNoun(Word):
    name = "cycle"
    base = CentredPeriodic()
    family = "cycle"

    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        shape = Slot(Normal(math.log(_SHAPE), _SHAPE_SPREAD**2), (math.log(_SHARPEST), math.log(_SOFTEST)))
        return size_slot(_SIZE, _SPREAD), shape, HELD if held else _any_period(setting)

    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        return tuple((size, shape, *held) for shape in _SHAPES)


def _any_period(setting: Setting) -> Slot:
    """Any of those that the data can tell is as likely as any other, by its logarithm."""
    low, high = math.log(setting.shortest), math.log(max(setting.longest, 2 * setting.shortest))
    return Slot(Uniform(low, high), (low, high))
