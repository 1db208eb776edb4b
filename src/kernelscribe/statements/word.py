"""What a component is made of: a noun, which has a size, and adjectives, which have none of their own. Each is one factor.

A word gives its base kernel, and for every value of it where a fit begins, between which ends it may move, and how likely it is:
densities of the optimiser's coordinates that are proper, in natural units (sizes of a standardised target, lengths in spans and
steps). A value without a density is held where it is.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kernelscribe.kernels.base import Base
from kernelscribe.priors import Density, Normal
from kernelscribe.statements.setting import Setting

__all__ = ["HELD", "Slot", "Values", "Word", "length_slot", "size_slot"]

Values = tuple[float, ...]

# Variances of a standardised target that mean something: a thirty-thousandth of its spread, and a hundred times it.
_LEAST = 1e-9
_MOST = 1e4
# A length needs some room between its ends.
_ROOM = 1.01


@dataclass(frozen=True, slots=True)
class Slot:
    """One value of a factor: its density in the optimiser's coordinate (None where it is held), and its ends there."""

    density: Density | None
    ends: tuple[float, float] = (-math.inf, math.inf)


HELD = Slot(None)


def size_slot(middle: float, sd: float) -> Slot:
    """A variance: its logarithm is normal about that of `middle`."""
    return Slot(Normal(math.log(middle), sd**2), (math.log(_LEAST * min(middle, 1.0)), math.log(_MOST * max(middle, 1.0))))


def length_slot(middle: float, sd: float, low: float, high: float) -> Slot:
    """A length: its logarithm is normal, between its ends."""
    return Slot(Normal(math.log(middle), sd**2), (math.log(low), math.log(max(high, _ROOM * low))))


class Word(ABC):
    """A noun or an adjective.

    Attributes:
        base: its base kernel.
        family: words of one family stand for each other: of most a statement has one.
        placed: whether it stands at a place among the rows, which costs as many nats as there are rows to choose from.
    """

    name: ClassVar[str]
    base: ClassVar[Base]
    family: ClassVar[str]
    placed: ClassVar[bool] = False

    @abstractmethod
    def slots(self, setting: Setting, held: Sequence[float]) -> tuple[Slot, ...]:
        """Of every value of its base kernel, where the component holds some of them."""

    @abstractmethod
    def starts(self, setting: Setting, size: float, held: Sequence[float]) -> tuple[Values, ...]:
        """Values to begin with, for a component of about this variance."""
