"""A level that wanders; the best forecast is where it is."""

from collections.abc import Sequence

from kernelscribe.kernels.bases.walk import Wiener
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import HELD, Slot, Values, Word, size_slot

__all__ = ["Drift"]

# The variance of its way from the first row to the last, give or take a factor of ten.
_SIZE = 0.5
_SPREAD = 2.5
_SIZES = (1.0, 10.0)
_LEAST = 0.01


class Drift(Word):
    name = "drift"
    base = Wiener()
    family = "drift"

    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        # It begins with the data: where it is then is the level's.
        return size_slot(_SIZE / setting.extent.span, _SPREAD), HELD

    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        return tuple((share * max(size, _LEAST) / setting.extent.span, setting.extent.low) for share in _SIZES)
