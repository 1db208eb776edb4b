"""Whose size grows, or shrinks, along a straight line."""

from collections.abc import Sequence

from kernelscribe.kernels.bases.lin import Linear
from kernelscribe.priors import Normal
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import HELD, Slot, Values, Word

__all__ = ["GrowingAdjective"]

# Where the line is zero, in spans before the data: half, give or take some; far away it hardly grows.
_BEFORE = 0.5
_SPREAD = 0.7
_FURTHEST = 5.0
_START = 0.3


class GrowingAdjective(Word):
    name = "growing"
    base = Linear()
    family = "growing"

    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        span, low, high = setting.extent.span, setting.extent.low, setting.extent.high
        where = Normal(low - _BEFORE * span, (_SPREAD * span) ** 2)
        return HELD, Slot(where, (low - _FURTHEST * span, high + _FURTHEST * span))

    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        span, low, high = setting.extent.span, setting.extent.low, setting.extent.high
        return tuple((span**-2.0, zero) for zero in (low - _START * span, high + _START * span))
