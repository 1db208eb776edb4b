"""Words for what wanders: a level whose steps know nothing of each other, and a trend whose slope is such a level."""

import math

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english import amplitude
from kernelscribe.report.words.english.curves import in_all, moves
from kernelscribe.report.words.english.names import input_name
from kernelscribe.report.words.english.numbers import listing, number
from kernelscribe.report.words.english.phrase import Phrase
from kernelscribe.report.words.english.quantities import rate, stretch

__all__ = ["LEVEL", "onwards", "walk"]

# What the phrase of a level begins with, and the top of the page leaves out.
LEVEL = "a level that "


def walk(subject: Subject) -> Phrase:
    """A level that wanders; a trend, or a curve along anything but a time, whose slope changes."""
    return _level(subject) if subject.walks(Role.DRIFT) else _trend(subject)


def _level(subject: Subject) -> Phrase:
    dims, bends = subject.walks(Role.DRIFT), subject.walks(Role.BEND)
    told = "" if subject.alone and subject.timely else f" with {_names(subject, dims)}"
    head = f"{LEVEL}wanders{told}{f' and bends with {_names(subject, bends)}' if bends else ''}"
    step, within = _pace(subject, dims[0])
    how = "up as readily as down, and nothing draws it back"
    if not step:
        said = f"It is {head}: it moves {how}."
        return Phrase(head, amplitude.clauses(subject), (said, *amplitude.sentences(subject)))
    said = f"It is {head}: {within} it moves by about {step} (one standard deviation), {how}."
    return Phrase(head, (f"by about {step} {within}",), (said,))


def _trend(subject: Subject) -> Phrase:
    dims = subject.walks(Role.BEND)
    timely = subject.timely and len(dims) == 1
    along = "" if subject.alone and timely else f" in {_names(subject, dims)}"
    head = f"a {'trend' if timely else 'curve'}{along} whose slope changes"
    rises = [f"that {moves(subject)} throughout"] if subject.rising else []
    details = [f"It is {head}{_turning(subject, dims[0])}."]
    if rises:
        details.append(f"It {moves(subject)} throughout the data{in_all(subject)}.")
    clauses = [*(f"and {each}" for each in rises), *amplitude.clauses(subject)]
    return Phrase(head, tuple(clauses), (*details, *amplitude.sentences(subject)))


def _turning(subject: Subject, dim: int) -> str:
    """: within a year by about 0.12 per year (one standard deviation)."""
    axis, span = subject.axis(dim), subject.span(dim)
    if not math.isfinite(subject.moves(1.0)) or span <= 0:
        return ""
    within, length = stretch(axis, span)
    turn = math.sqrt(subject.term.variance) * math.sqrt(length)
    return f": {within} by about {rate(axis, turn, span)} (one standard deviation)" if math.isfinite(turn) else ""


def _pace(subject: Subject, dim: int, times: float = 1.0) -> tuple[str, str]:
    """By how much it moves, and within what; nothing where that is not the same everywhere."""
    if subject.span(dim) <= 0:
        return "", ""
    within, length = stretch(subject.axis(dim), subject.span(dim))
    size = subject.moves(times * length)
    return (number(size, 2), within) if math.isfinite(size) and size > 0 else ("", "")


def _names(subject: Subject, dims: tuple[int, ...]) -> str:
    return listing([input_name(subject, dim) for dim in dims])


def onwards(subject: Subject) -> list[str]:
    """For the outlook: where a walk and a bend lead; the first sentence still without its opening."""
    drifts = subject.walks(Role.DRIFT)
    dim = (drifts or subject.walks(Role.BEND))[0]
    size, within = _pace(subject, dim)
    if drifts:
        ahead = "its forecast stays where the data leave it" if subject.timely else "it stays where the data leave it"
        said = [f"the level is assumed to go on wandering, so that {ahead}."]
        far = f"{within} it moves by about {size} (one standard deviation), and within four times as long by twice as much"
    else:
        slope = "that it has at the end of the data" if subject.timely else "with which the data leave it"
        said = [f"it is assumed to go on with the slope {slope}."]
        far = f"{within} it strays by about {size} (one standard deviation), and within four times as long by eight times as much"
        if subject.timely:
            said.append("Its slope is assumed to go on changing, so that it becomes uncertain soon.")
    return [*said, f"{far[0].upper()}{far[1:]}."] if size else said
