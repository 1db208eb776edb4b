"""What other kernels would mean: which components they have that the chosen one lacks, and the reverse."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kernelscribe.kernels.base import Role
from kernelscribe.kernels.normal import Factor, Term, normal
from kernelscribe.outcome import Rival
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.description.view import View

__all__ = ["Difference", "difference"]

# Length-scales are the same when they differ by less than this factor.
_LENGTH = 2.0
# Periods are the same when they differ by less than this factor.
_PERIOD = 1.1
# Prior standard deviation over the data, as a share of the target's: terms below it are not told of.
_SMALL = 0.02


@dataclass(frozen=True, slots=True)
class Difference:
    """Between a rival and the chosen kernel.

    Attributes:
        more: what the rival has besides.
        fewer: the numbers, from 0, of the components that it does without.
    """

    more: tuple[Subject, ...]
    fewer: tuple[int, ...]


def difference(view: View, rival: Rival) -> Difference:
    """What one would find if the rival were the right one."""
    data = view.model.data
    terms = [term for term in normal(rival.kernel) if _counts(view, term)]
    theirs = [term.user(data.inputs, data.output) for term in terms]
    decomposition = view.findings.decomposition
    ours = [each.term for each in decomposition.components]
    more = _without(theirs, [*ours, *decomposition.minor])
    fewer = _without(ours, theirs)
    return Difference(
        tuple(Subject.of(term, view.model.axes, view.ends, data.target, view.link) for term in more),
        tuple(ours.index(term) for term in fewer),
    )


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
    match a.role:
        case Role.SMOOTH | Role.ROUGH:
            return _near(a["lengthscale"], b["lengthscale"], _LENGTH)
        case Role.CYCLE:
            return _near(a["period"], b["period"], _PERIOD)
    return a.branch == b.branch


def _near(a: float, b: float, factor: float) -> bool:
    return max(a, b) <= factor * min(a, b)
