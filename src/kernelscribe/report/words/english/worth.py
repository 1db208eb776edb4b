"""Whether a component is there: what the evidence loses without it, in nats and in words."""

import math

from kernelscribe.report.description.worth import Strength, strength
from kernelscribe.report.words.english.numbers import number

__all__ = ["lost", "odds", "present", "rounded"]

_ODDS = {
    Strength.NONE: "next to nothing",
    Strength.WEAK: "weak",
    Strength.GOOD: "good",
    Strength.STRONG: "strong",
    Strength.CERTAIN: "beyond doubt",
}


def odds(nats: float) -> str:
    """What a lead of so many nats is worth, in a word or two.

    >>> odds(0.3), odds(2.0), odds(412.0)
    ('next to nothing', 'weak', 'beyond doubt')
    """
    return _ODDS[strength(nats)]


def rounded(nats: float) -> str:
    """Nats, to what matters of them.

    >>> rounded(0.34), rounded(2.71), rounded(1412.3)
    ('0.3', '2.7', '1,412')
    """
    return f"{abs(nats):,.0f}" if abs(nats) >= Strength.CERTAIN.value else f"{abs(nats):.1f}"


def lost(nats: float) -> str:
    """In a table or a list.

    >>> lost(412.3), lost(-0.4)
    ('412 nats', '−0.4 nats')
    """
    return f"{'−' if rounded(nats) != '0.0' and nats < 0 else ''}{rounded(nats)} nats"


def present(nats: float) -> str:
    """A sentence: whether the component is there."""
    match strength(nats):
        case Strength.NONE:
            moves = f"falls by {rounded(nats)} nats only" if nats > 0 else "does not fall"
            return f"Without it the evidence {moves}: the data do not say that it is there."
        case Strength.CERTAIN:
            return f"Without it the evidence falls by {rounded(nats)} nats: there is no doubt that it is there."
    return (
        f"Without it the evidence falls by {rounded(nats)} nats, odds of {number(math.exp(nats), 2)} to one: "
        f"{odds(nats)} evidence that it is there."
    )
