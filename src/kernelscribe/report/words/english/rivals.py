"""What other kernels would mean: which components they have that the chosen one lacks, and the reverse."""

import math
from collections.abc import Sequence

from kernelscribe.kernels.language import parse
from kernelscribe.kernels.normal import Factor, Term, normal
from kernelscribe.model.verdict import Rival
from kernelscribe.report.description.view import View
from kernelscribe.report.words.english.component import Subject, describe
from kernelscribe.report.words.english.quantities import listing

__all__ = ["difference"]

# Length-scales and periods are the same when they differ by less than these factors.
_LENGTH, _PERIOD = 2.0, 1.1
# Prior standard deviation over the data, as a share of the target's: terms below it are not told of.
_SMALL = 0.02


def difference(view: View, rival: Rival) -> str:
    """In one sentence, what one would say if the rival were the right one."""
    data = view.model.data
    terms = [term for term in normal(parse(rival.kernel)) if _counts(view, term)]
    theirs = [term.user(data.inputs, data.output) for term in terms]
    decomposition = view.analysis.decomposition
    ours = [each.term for each in decomposition.components]
    more = _without(theirs, [*ours, *decomposition.minor])
    fewer = _without(ours, theirs)
    if not more and not fewer:
        return "It has the same components; their values, or how they are tied to each other, differ."
    has = [describe(Subject(term, view.model.axes, view.ends, view.target)).summary for term in more]
    lacks = [f"component {ours.index(term) + 1} ({view.analysis.words[ours.index(term)].summary})" for term in fewer]
    if more and fewer:
        return f"Instead of {listing(lacks)} it has {listing(has)}."
    return f"It has {listing(has)} besides." if more else f"It does without {listing(lacks)}."


def _counts(view: View, term: Term) -> bool:
    return bool(term.factors) and math.sqrt(float(term.diagonal(view.model.data.X).mean())) >= _SMALL


def _without(some: Sequence[Term], others: Sequence[Term]) -> list[Term]:
    """Those of the first that none of the second is like; each stands for one at most."""
    left, alone = list(others), []
    for term in some:
        match = next((each for each in left if _alike(term, each)), None)
        if match is None:
            alone.append(term)
        else:
            left.remove(match)
    return alone


def _alike(one: Term, other: Term) -> bool:
    """The same kinds of factors on the same inputs, with much the same lengths."""
    if len(one.factors) != len(other.factors):
        return False
    pairs = zip(sorted(one.factors, key=_order), sorted(other.factors, key=_order), strict=True)
    return all(_same(a, b) for a, b in pairs)


def _order(factor: Factor) -> tuple[int, str, tuple[float, ...]]:
    return factor.dim, factor.kind, factor.values[::-1]


def _same(a: Factor, b: Factor) -> bool:
    if (a.kind, a.dim) != (b.kind, b.dim):
        return False
    match a.kind:
        case "SE":
            return _near(a.values[0], b.values[0], _LENGTH)
        case "PER":
            return _near(a.values[1], b.values[1], _PERIOD)
    return True


def _near(a: float, b: float, factor: float) -> bool:
    return max(a, b) <= factor * min(a, b)
