"""What a difference of evidence is worth: one scale, for components and for descriptions.

A nat makes one of two descriptions e times more probable than the other, if both were equally likely before. The steps are
those of Kass and Raftery (1995): odds of 3, 20 and 150 to one, which are 1, 3 and 5 nats; and from ten nats on, odds of 22,000 to
one, nobody asks any more.
"""

from enum import Enum

__all__ = ["Strength", "demanded", "strength"]


class Strength(Enum):
    """How strong evidence is, by the nats from which on it is so strong."""

    NONE = -float("inf")
    WEAK = 1.0
    GOOD = 3.0
    STRONG = 5.0
    CERTAIN = 10.0


def strength(nats: float) -> Strength:
    """The strongest that is reached."""
    return max((each for each in Strength if nats >= each.value), key=lambda each: each.value)


def demanded(worth: float | None) -> bool:
    """Whether the evidence asks for a component; not where nobody knows."""
    return worth is not None and strength(worth) is not Strength.NONE
