"""What happens at a place among the rows: a jump, a slope that changes, a while that is higher or lower. The place is held."""

from collections.abc import Sequence

from kernelscribe.kernels.bases.kink import Corner
from kernelscribe.kernels.bases.spell import Stretch
from kernelscribe.kernels.bases.step import Jump
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import HELD, Slot, Values, Word, size_slot

__all__ = ["Kink", "Spell", "StepNoun"]

# As large as all variation, give or take a factor of seven.
_SIZE = 0.7
_SPREAD = 2.0
_LEAST = 0.05


class Placed(Word):
    placed = True

    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        return size_slot(_SIZE, _SPREAD), *(HELD for _ in held)

    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        return ((max(size, _LEAST), *held),)


class StepNoun(Placed):
    """A jump of +40 on 1 May 2021."""

    name = "step"
    base = Jump()
    family = "step"


class Kink(Placed):
    """From June 2019 on it rises faster."""

    name = "kink"
    base = Corner()
    family = "kink"


class Spell(Placed):
    """Between May and July it was 12 higher; or a single row was."""

    name = "spell"
    base = Stretch()
    family = "spell"
