"""Smooth ups and downs, that last for more than some rows and less than the data: what lasts longer is a trend."""

import math
from collections.abc import Sequence

from kernelscribe.kernels.bases.se import SquaredExponential
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import Slot, Values, Word, length_slot, size_slot

__all__ = ["Smooth"]

_SIZE = 0.2
_SPREAD = 2.0
# A quarter of the span: beyond, it is a trend that bends.
_LONGEST = 0.25
# Typical steps: below one, it is noise.
_SHORTEST = 1.0
# The logarithm of its length is spread over what lies between, by half of that to either side.
_HALF = 0.25
_WIDER = 0.5
# Starts, from short to long.
_SHARES = (0.15, 0.5, 0.9)


class Smooth(Word):
    name = "smooth"
    base = SquaredExponential()
    family = "smooth"

    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        short, long = _ends(setting)
        middle, sd = math.sqrt(short * long), _HALF * math.log(long / short) + _WIDER
        return size_slot(_SIZE, _SPREAD), length_slot(middle, sd, short, long)

    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        short, long = _ends(setting)
        return tuple((size, short * (long / short) ** share) for share in _SHARES)


def _ends(setting: Setting) -> tuple[float, float]:
    long = _LONGEST * setting.extent.span
    return min(_SHORTEST * setting.extent.step, long / 2), long
