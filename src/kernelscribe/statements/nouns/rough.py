"""Departures that last for some rows and change at every one: background, not a finding."""

from collections.abc import Sequence
from typing import ClassVar

from kernelscribe.kernels.base import Base
from kernelscribe.kernels.bases.rough import Rough
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import Slot, Values, Word, length_slot, size_slot

__all__ = ["RoughNoun"]

_SIZE = 0.1
_SPREAD = 2.5
# In typical steps: some rows, give or take a factor of three.
_LENGTH = 5.0
_LENGTH_SPREAD = 1.2
_SHORTEST = 0.3
# In spans: what lasts longer is no departure.
_LONGEST = 0.25
# Starts, in steps; and in spans, where rows are few, all alike.
_LENGTHS = (2.0, 12.0)
_FEW = 0.2


class RoughNoun(Word):
    name = "rough"
    base: ClassVar[Base] = Rough()
    family = "rough"

    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        step, span = setting.extent.step, setting.extent.span
        longest = max(_LONGEST * span, 3 * step)
        return size_slot(_SIZE, _SPREAD), length_slot(_LENGTH * step, _LENGTH_SPREAD, _SHORTEST * step, longest)

    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        step, span = setting.extent.step, setting.extent.span
        return tuple((size, length) for length in dict.fromkeys(min(steps * step, _FEW * span) for steps in _LENGTHS))
