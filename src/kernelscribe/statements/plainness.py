"""What a statement costs for being one of many: the logarithm of the choices that it stands among.

A prior over structures: each noun is one of so many, each adjective one of so many, and what happens at a place happens at one
of all rows. On another scale than the target's own, or with noise that varies, a statement is one of a few.
"""

import math

from kernelscribe.statements.adjectives import ADJECTIVES
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.statement import Part, Statement

__all__ = ["choices"]

# A scale of the target that is not its own, and a noise that varies: one of three each.
_OTHER = math.log(3)


def choices(statement: Statement, rows: int) -> float:
    """Nats."""
    scale = _OTHER if statement.link != "none" else 0.0
    noise = _OTHER if statement.noise != "constant" else 0.0
    return scale + noise + sum(_part(part, rows) for part in statement.parts)


def _part(part: Part, rows: int) -> float:
    place = math.log(rows) if NOUNS[part.noun].placed else 0.0
    return math.log(len(NOUNS)) + len(part.adjectives) * math.log(1 + len(ADJECTIVES)) + place
