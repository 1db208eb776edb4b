"""Whether the bands of past forecasts were as wide as they should have been."""

from enum import Enum, auto

from kernelscribe.model.backtest import Backtest

__all__ = ["Width", "width"]

# Points of a percentage within which a share is as it should be.
_CLOSE = 3.0


class Width(Enum):
    """Of the widest band that was tested: too narrow and therefore widened since, too narrow, too wide, or right."""

    WIDENED = auto()
    NARROW = auto()
    WIDE = auto()
    RIGHT = auto()


def width(tested: Backtest) -> Width:
    """By how many of the past values lay inside."""
    level, inside = tested.covered[-1]
    if tested.widening > 0:
        return Width.WIDENED
    if inside < level - _CLOSE:
        return Width.NARROW
    return Width.WIDE if inside > level + _CLOSE else Width.RIGHT
