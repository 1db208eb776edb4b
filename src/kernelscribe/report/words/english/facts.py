"""What a run says of itself: one function a fact."""

import math
from collections.abc import Iterator

from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Interval
from kernelscribe.events import Stop
from kernelscribe.fit.facts import AtBound, Behind, Failure, Fault, Reason
from kernelscribe.kernels.base import Role
from kernelscribe.outcome import Decision, DecisionKind
from kernelscribe.report.words.english.nodes import node
from kernelscribe.search.tree import Children, Mark

__all__ = ["at_bound", "decision", "nats", "reason", "stop", "tree", "unsaid"]

_STOPS = {
    Stop.TIME: "the time allowed was used up",
    Stop.INTERRUPT: "ctrl-C",
    Stop.TERMINATE: "asked to end",
    Stop.USER: "you stopped it",
}
_CHOICES = {
    DecisionKind.CONSTANT: "the target is constant: there was nothing to search for",
    DecisionKind.NONE: "no kernel could be fitted",
    DecisionKind.ONLY: "as the only one that was fitted by then",
    DecisionKind.SIMPLE: "for its simplicity: {} that grew from it gained less than a nat",
    DecisionKind.OPEN: "left open: the intervals of {} more reach into that of the best",
    DecisionKind.EXACT: "by exact values",
    DecisionKind.INTERVALS: "by intervals: no other one reaches into that of the best",
    DecisionKind.PLAIN: "for its plainness: {} that say more score higher by less than a further component must gain",
    DecisionKind.NEAR: "left open: {} more score within what a further component must gain",
    DecisionKind.AHEAD: "by its score",
}
_FAULTS = {
    Fault.CANCELLED: "cancelled",
    Fault.ERROR: "{}",
    Fault.HUNG: "its worker hung",
    Fault.MEMORY: "not enough memory",
    Fault.OUTSTANDING: "outstanding",
}
_MARKS = {Mark.CHOSEN: "*", Mark.OPEN: "?", Mark.GREW: "+", Mark.OTHER: "-"}


def stop(why: Stop) -> str:
    """Why a search ended early."""
    return _STOPS[why]


def decision(how: Decision) -> str:
    """How the best kernel was told from the others."""
    behind = "" if how.nats is None else f"; the next one is {how.nats:.1f} nats behind"
    return _CHOICES[how.kind].format(how.number) + behind


def at_bound(each: AtBound) -> str:
    """Which parameter ended on the edge of its range.

    >>> from kernelscribe.fit.facts import End
    >>> from kernelscribe.kernels.tree import Leaf
    >>> at_bound(AtBound.of(Leaf("SE", 1), "lengthscale", End.LOWER))
    'lengthscale of SE1'
    """
    return f"{each.parameter} of {each.kind}{each.dim}" if each.kind else f"noise {each.parameter}"


def unsaid(each: AtBound) -> bool:
    """Whether nothing is said about that parameter: where a walk begins, at the first row or long before, is its level there."""
    return each.role in (Role.DRIFT, Role.BEND) and each.parameter != "variance"


def reason(why: Reason | None) -> str:
    """What went wrong with a kernel; nothing where nothing did."""
    match why:
        case None:
            return ""
        case Failure():
            return _FAULTS[why.fault].format(why.detail)
        case Behind(score, hope, best, None):
            hopes = f"hope for {hope:.1f}" if math.isfinite(hope) else "no hope of gaining what its parameters cost"
            return f"screened at a BIC of {score:.1f} with {hopes}; the best was at {best:.1f}"
        case Behind(score, hope, best, rise):
            return (
                f"screened at a BIC of {score:.1f} with hope for {hope:.1f}; polishing raised others by {rise:.1f} at most, and "
                f"the best is at {best:.1f}"
            )


def nats(interval: Interval) -> str:
    """An interval of nats in short: one number where both ends agree to a tenth of a nat."""
    low, high = f"{interval.lower:.1f}", f"{interval.upper:.1f}"
    return low if low == high else f"{low} .. {high}"


def tree(top: Children, data: Dataset) -> str:
    """One line for each that was tried: `*` marks the chosen one, `?` those that it is not told from, `+` those that grew."""
    lines = list(_lines(top, "", data))
    width = max((len(head) for head, _ in lines), default=0)
    return "\n".join(f"{head:{width}}  {tail}".rstrip() for head, tail in lines)


def _lines(tree: Children, indent: str, data: Dataset) -> Iterator[tuple[str, str]]:
    rest = _rest(tree)
    for i, twig in enumerate(tree.shown, start=1):
        last = i == len(tree.shown) and not rest
        yield f"{indent}{'└' if last else '├'} {_MARKS[twig.mark]} {node(twig.tried, data)}", nats(twig.standing)
        yield from _lines(twig.children, indent + ("  " if last else "│ "), data)
    if rest:
        yield f"{indent}└ and {rest}", ""


def _rest(tree: Children) -> str:
    counts = ((tree.lower, "lower"), (tree.dropped, "dropped after screening"), (tree.failed, "failed"))
    return ", ".join(f"{count} {what}" for count, what in counts if count)
