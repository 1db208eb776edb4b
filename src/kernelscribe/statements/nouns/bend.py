"""A trend whose slope changes; it goes on with its last slope."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kernelscribe.kernels.bases.spline import Spline
from kernelscribe.priors import Normal
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import Slot, Values, Word, size_slot

__all__ = ["Bend"]

# How far it strays from a straight line over the data: about half of all variation, give or take a factor of twenty.
_SIZE = 0.3
_SPREAD = 3.0
# It began that many spans before the data, about, which says how steep it may be where they begin beside how much it bends.
_BEGAN = 2.0
_EARLIEST = 50.0
_LATEST = 0.05
# Of a start, how large it may be: as what is left unexplained, and a hundred times that.
_SIZES = (1.0, 100.0)
_LEAST = 0.01


@dataclass(frozen=True, slots=True)
class Before:
    """Of a place before an edge: the logarithm of its distance is normal."""

    edge: float
    mean: float
    sd: float

    def __call__(self, u: float) -> tuple[float, float]:
        distance = self.edge - u
        value, slope = Normal(self.mean, self.sd**2)(math.log(distance))
        return value - math.log(distance), (1 - slope) / distance


class Bend(Word):
    name = "bend"
    base = Spline()
    family = "trend"

    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        span, low = setting.extent.span, setting.extent.low
        began = Before(low, math.log(_BEGAN * span), 1.0)
        return size_slot(_SIZE / span**3, _SPREAD), Slot(began, (low - _EARLIEST * span, low - _LATEST * span))

    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        span, low = setting.extent.span, setting.extent.low
        return tuple((share * max(size, _LEAST) / span**3, low - span) for share in _SIZES)
