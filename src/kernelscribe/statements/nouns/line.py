"""A straight line about the middle of the data: rises by 2.0 a year."""

from collections.abc import Sequence

from kernelscribe.kernels.bases.lin import Linear
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import HELD, Slot, Values, Word, size_slot

__all__ = ["Line"]

# The variance of the slope, for inputs and a target of spread one: half of all variation, give or take a factor of seven.
_SIZE = 0.3
_SPREAD = 2.0
# A line that is worth a start explains so much at least.
_LEAST = 0.01


class Line(Word):
    name = "line"
    base = Linear()
    family = "trend"

    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        # The level is free, so where the line is zero is no parameter.
        return size_slot(_SIZE, _SPREAD), HELD

    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        return ((max(size, _LEAST), 0.0),)
