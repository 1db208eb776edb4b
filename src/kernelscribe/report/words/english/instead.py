"""What another description would say instead: without the weekly cycle; with a drift in place of the bend."""

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
    more = [_name(each) for each in found.more]
    fewer = [_name(view.subjects[i]) for i in found.fewer]
    said = [_besides(more, fewer)] if more or fewer else []
    said += _scale_and_noise(view, rival)
    return listing(said) or "with the same components, whose values, or how they are tied to each other, differ"


def _besides(more: list[str], fewer: list[str]) -> str:
    if not more:
        return f"without {_the(fewer)}"
    if not fewer:
        return f"with {_some(more)} besides"
    if more == fewer:
        return f"with {_the(more)} of another kind"
    return f"with {_some(more)} in place of {_the(fewer)}"


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
        changes = subject.fading or any(subject.walks(role) for role in (Role.DRIFT, Role.BEND))
        clauses = [*(["changes its shape"] if changes else []), *(["grows or shrinks"] if subject.has(Role.LINE) else [])]
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
    return listing([each if each.split(" that ")[0].endswith("s") else f"{_article(each)} {each}" for each in names])


def _article(word: str) -> str:
    return "an" if word.startswith(("a", "e", "i", "o", "hour")) else "a"
