"""Kernels of other systems, for reading only: white noise, constants, and operators that change the kernel along the first input.

No search of ours proposes these, so they are no base kernels and cannot be fitted. `pieces` takes a tree of them apart into
what the words are made from: terms in normal form, each with the stretches of the input in which it acts.

    SE*(WN*LIN + CP(C, PER₀))   →   WN*LIN everywhere, SE before the change, SE*PER₀ after it

Systems whose PER has mean zero already are read by writing it as a `Term`; a PER of ours leaves a constant of its own.
"""

import math
from dataclasses import dataclass
from functools import reduce
from itertools import product as combinations

from kernelscribe.kernels.normal import Factor, Term, gather, normal, times
from kernelscribe.kernels.tree import Expression, Leaf, Product, Sum

__all__ = ["EVERYWHERE", "Change", "Constant", "Plus", "Reading", "Regions", "Times", "White", "Window", "pieces"]

Regions = tuple[tuple[float, float], ...]
EVERYWHERE: Regions = ((-math.inf, math.inf),)


@dataclass(frozen=True, slots=True)
class White:
    """Noise that is new at every point."""

    variance: float = 1.0


@dataclass(frozen=True, slots=True)
class Constant:
    """The same unknown number everywhere."""

    variance: float = 1.0


@dataclass(frozen=True, slots=True)
class Plus:
    """A sum in which the nodes of this file may stand."""

    args: tuple["Reading", ...]


@dataclass(frozen=True, slots=True)
class Times:
    """A product in which the nodes of this file may stand."""

    args: tuple["Reading", ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One kernel before a place and another after it; None for nothing there."""

    before: "Reading | None"
    after: "Reading | None"
    location: float


@dataclass(frozen=True, slots=True)
class Window:
    """One kernel outside and another inside the stretch location ± width/2; None for nothing there."""

    outside: "Reading | None"
    inside: "Reading | None"
    location: float
    width: float


Reading = Expression | Term | White | Constant | Plus | Times | Change | Window
_Piece = tuple[Term, Regions]


def pieces(reading: Reading) -> tuple[tuple[Term, Regions], ...]:
    """The terms with the stretches in which they act, in the order in which they are met.

    A term that acts nowhere is kept, without stretches: the change is never quite sudden, so it is not quite nothing.
    """
    met: dict[Regions, list[Term]] = {}
    for term, regions in _pieces(reading):
        met.setdefault(regions, []).append(term)
    return tuple((term, regions) for regions, terms in met.items() for term in gather(terms))


def _pieces(reading: Reading | None) -> list[_Piece]:  # noqa: PLR0911, one a kind of node
    match reading:
        case None:
            return []
        case Term():
            return [(reading, EVERYWHERE)]
        case Leaf() | Sum() | Product():
            return [(term, EVERYWHERE) for term in normal(reading)]
        case White(variance):
            return [(Term(variance, (Factor("WN", 1),)), EVERYWHERE)]
        case Constant(variance):
            return [(Term(variance), EVERYWHERE)]
        case Plus(args):
            return [piece for arg in args for piece in _pieces(arg)]
        case Times(args):
            return [reduce(_times, choice) for choice in combinations(*map(_pieces, args))]
        case Change(before, after, location):
            return [*_within(before, ((-math.inf, location),)), *_within(after, ((location, math.inf),))]
        case Window(outside, inside, location, width):
            start, stop = location - width / 2, location + width / 2
            return [*_within(outside, ((-math.inf, start), (stop, math.inf))), *_within(inside, ((start, stop),))]
    raise AssertionError(reading)


def _times(one: _Piece, other: _Piece) -> _Piece:
    return times(one[0], other[0]), _intersect(one[1], other[1])


def _within(reading: Reading | None, regions: Regions) -> list[_Piece]:
    return [(term, _intersect(own, regions)) for term, own in _pieces(reading)]


def _intersect(one: Regions, other: Regions) -> Regions:
    """The stretches common to both, from left to right."""
    both = ((max(a, c), min(b, d)) for (a, b), (c, d) in combinations(one, other))
    return tuple(sorted((start, stop) for start, stop in both if start < stop))
