"""Whose shape changes: beside a cycle, over several periods."""

from collections.abc import Sequence

from kernelscribe.kernels.bases.se import SquaredExponential
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import HELD, Slot, Values, Word, length_slot

__all__ = ["ChangingAdjective"]

# In spans: half of the data, give or take a factor of three.
_LENGTH = 0.5
_LENGTH_SPREAD = 1.2
_LONGEST = 5.0
# In typical steps.
_SHORTEST = 4.0
# Starts, in spans.
_LENGTHS = (0.15, 0.7)


class ChangingAdjective(Word):
    name = "changing"
    base = SquaredExponential()
    family = "changing"

    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        span = setting.extent.span
        return HELD, length_slot(_LENGTH * span, _LENGTH_SPREAD, _shortest(setting), _LONGEST * span)

    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        return tuple((1.0, max(share * setting.extent.span, _shortest(setting))) for share in _LENGTHS)


def _shortest(setting: Setting) -> float:
    return min(_SHORTEST * setting.extent.step, _LENGTH * setting.extent.span)
