"""What another description would say instead: without the weekly cycle; with a drift in place of the bend."""

from collections import Counter
from collections.abc import Sequence

from kernelscribe.kernels.base import Role
from kernelscribe.outcome import Rival
from kernelscribe.report.description import rivals
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.description.view import View
from kernelscribe.report.words.english import cycles
from kernelscribe.report.words.english.component import phrase_of
from kernelscribe.report.words.english.numbers import listing
from kernelscribe.report.words.english.quantities import at

__all__ = ["instead"]

_SCALES = {"none": "without a logarithm or a root", "log": "on a logarithmic scale", "root": "on the scale of its root"}
_NOISES = {
    "constant": "with noise that stays the same",
    "growing": "with noise that grows or shrinks",
    "changing": "with noise that changes at some time",
}


def instead(view: View, rival: Rival) -> str:
    """What one would say if the rival were the right one."""
    found = rivals.difference(view, rival)
    theirs, ours = list(found.more), [view.subjects[i] for i in found.fewer]
    said = []
    for one, other in _paired(theirs, ours):
        theirs.remove(one)
        ours.remove(other)
        said.append(f"with {_otherwise(one, other)}")
    names, others = [_name(each) for each in theirs], [_name(each) for each in ours]
    said += _besides(_without(names, others), _without(others, names)) if names != others else []
    if names and names == others:
        said.append(f"with {_the(names)} of another kind")
    said += _scale_and_noise(view, rival)
    return listing(said) or "with the same components, whose values, or how they are tied to each other, differ"


def _paired(theirs: Sequence[Subject], ours: Sequence[Subject]) -> list[tuple[Subject, Subject]]:
    """Cycles of one name that differ in how they change."""
    found: list[tuple[Subject, Subject]] = []
    for one in theirs:
        for other in ours:
            lone = len(one.cycles) == 1 and len(other.cycles) == 1 and all(other is not taken for _, taken in found)
            if lone and cycles.head(one) == cycles.head(other) and _changes(one) != _changes(other):
                found.append((one, other))
                break
    return found


def _otherwise(one: Subject, other: Subject) -> str:
    """a yearly cycle whose size stays the same."""
    theirs, ours = _changes(one), _changes(other)
    says = [
        f"whose {what} {'changes' if what in theirs else 'stays the same'}"
        for what in (*theirs, *ours)
        if (what in theirs) != (what in ours)
    ]
    return f"{cycles.head(one)} {listing(says)}"


def _changes(subject: Subject) -> tuple[str, ...]:
    """What of a cycle does."""
    shape = bool(subject.fading) or any(subject.walks(role) for role in (Role.DRIFT, Role.BEND))
    return (*(("shape",) if shape else ()), *(("size",) if subject.has(Role.LINE) else ()))


def _without(names: Sequence[str], others: Sequence[str]) -> list[str]:
    """Those that the others do not have, each as often as they lack it."""
    return list((Counter(names) - Counter(others)).elements())


def _besides(more: list[str], fewer: list[str]) -> list[str]:
    if more and fewer:
        return [f"with {_some(more)} in place of {_the(fewer)}"]
    if more:
        return [f"with {_some(more)} besides"]
    return [f"without {_the(fewer)}"] if fewer else []


def _scale_and_noise(view: View, rival: Rival) -> list[str]:
    best = view.findings.outcome.best
    mine, theirs = (None if best is None else best.statement), rival.statement
    if mine is None or theirs is None:
        return []
    scale = [_SCALES[theirs.link]] if theirs.link != mine.link else []
    return [*scale, *([_NOISES[theirs.noise]] if theirs.noise != mine.noise else [])]


def _name(subject: Subject) -> str:
    """In short, without an article."""
    if len(subject.cycles) == 1:
        clauses = [{"shape": "changes its shape", "size": "grows or shrinks"}[each] for each in _changes(subject)]
        return f"{_bare(cycles.head(subject))}{f' that {listing(clauses)}' if clauses else ''}"
    if subject.background:
        return "short-lived departures"
    lone = subject.factors[0] if len(subject.factors) == 1 else None
    if lone is not None and subject.happens:
        name = {Role.STEP: "jump", Role.KINK: "change of slope"}.get(lone.role) or "while that lies higher or lower"
        return f"{name} {at(subject.axis(lone.dim), lone['location'], subject.span(lone.dim))}"
    names = {Role.LINE: "straight line", Role.BEND: "bend", Role.DRIFT: "drift"}
    if lone is not None and lone.role in names and len(subject.axes) == 1:
        return names[lone.role]
    return _bare(phrase_of(subject).head)


def _bare(phrase: str) -> str:
    return phrase.removeprefix("a ").removeprefix("an ")


def _the(names: list[str]) -> str:
    return listing([f"the {each}" for each in names])


def _some(names: list[str]) -> str:
    return listing([each if _plural(each) else f"{_article(each)} {each}" for each in names])


def _plural(name: str) -> bool:
    """Whether the noun is: short-lived departures, smooth ups and downs."""
    return name.split(" that ", maxsplit=1)[0].split(" of ", maxsplit=1)[0].split(" and ", maxsplit=1)[0].endswith("s")


def _article(word: str) -> str:
    return "an" if word.startswith(("a", "e", "i", "o", "hour")) else "a"
