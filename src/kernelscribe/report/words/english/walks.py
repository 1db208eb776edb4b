"""Words for what drifts and bends: a level whose steps know nothing of each other, and a trend whose slope is such a level."""

import math
from collections.abc import Sequence

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.names import clean
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english import amplitude, trends
from kernelscribe.report.words.english.curves import in_all, moves
from kernelscribe.report.words.english.names import input_name
from kernelscribe.report.words.english.numbers import listing
from kernelscribe.report.words.english.phrase import Phrase
from kernelscribe.report.words.english.quantities import stretch
from kernelscribe.report.words.english.scale_words import amount_on_scale, change_on_scale, rate_on_scale
from kernelscribe.report.words.english.trends import direction

__all__ = ["doing", "onwards", "walk"]


def walk(subject: Subject) -> Phrase:
    """A level that wanders; a trend, or a curve along anything but a time, whose slope changes."""
    return _level(subject) if subject.walks(Role.DRIFT) else _trend(subject)


def doing(subject: Subject) -> str:
    """What the target does by a level, for the headline: drifts, up by 30.0 in all."""
    return f"{_wanders(subject)}{_ended(subject)}"


def _ended(subject: Subject) -> str:
    """, up by 30.0 in all; nothing where it ends about where it began, or where that is not known."""
    seen = subject.seen
    if seen is None or subject.span(1) <= 0:
        return ""
    change = seen.slope.value * subject.span(1)
    if abs(change) < seen.size:
        return ""
    return f", {'up' if change > 0 else 'down'} by {change_on_scale(subject.link, change)} in all"


def _level(subject: Subject) -> Phrase:
    head = f"a level that {_wanders(subject)}"
    step, within = _pace(subject, subject.walks(Role.DRIFT)[0])
    how = "up as readily as down, and nothing draws it back"
    if step:
        said = f"{within[0].upper()}{within[1:]} it moves by about {step} (one standard deviation), {how}."
        ended = _ended(subject)
        return Phrase(f"{head}{ended}", () if ended else (f"by about {step} {within}",), (said,))
    details = (f"It moves {how}.", *amplitude.sentences(subject))
    return Phrase(head, _further_clauses(amplitude.clauses(subject)), details)


def _further_clauses(clauses: Sequence[str]) -> tuple[str, ...]:
    """Those of a head that has one of its own."""
    return (f"and {listing(clauses)}",) if clauses else ()


def _wanders(subject: Subject) -> str:
    """With the names of its inputs, but for a time that is the only one, or one that is named with the lengths along it."""
    drifts, bends = subject.walks(Role.DRIFT), subject.walks(Role.BEND)
    named = bool(_pace(subject, drifts[0])[0]) and not clean(subject.axis(drifts[0]).unit)
    wanders = "drifts" if named or (subject.alone and subject.timely) else f"drifts with {_names(subject, drifts)}"
    return f"{wanders} and bends with {_names(subject, bends)}" if bends else wanders


def _trend(subject: Subject) -> Phrase:
    dims = subject.walks(Role.BEND)
    timely = subject.timely and len(dims) == 1
    along = "" if subject.alone and timely else f" in {_names(subject, dims)}"
    head = f"a {'trend' if timely else 'curve'}{along} that bends"
    lone = len(subject.factors) == 1
    said = trends.course(subject) if lone else ""
    if said:
        return Phrase(
            f"a bending {'trend' if timely else 'curve'}{along}", (f"that {said}",), tuple(trends.course_sentences(subject))
        )
    rises = [f"that {moves(subject)} throughout"] if subject.rising else []
    details = [f"It {moves(subject)} throughout the data{in_all(subject)}."] if rises else []
    return Phrase(head, _further_clauses((*rises, *amplitude.clauses(subject))), (*details, *amplitude.sentences(subject)))


def _pace(subject: Subject, dim: int) -> tuple[str, str]:
    """By how much it moves, and within what; nothing where that is not the same everywhere."""
    if subject.span(dim) <= 0:
        return "", ""
    within, length = stretch(subject.axis(dim), subject.span(dim))
    size = subject.moves(length)
    return (amount_on_scale(subject.link, size, 2), within) if math.isfinite(size) and size > 0 else ("", "")


def _names(subject: Subject, dims: tuple[int, ...]) -> str:
    return listing([input_name(subject, dim) for dim in dims])


def onwards(subject: Subject) -> list[str]:
    """For the outlook: where a walk and a bend lead; the first sentence still without its opening."""
    return _level_onwards(subject) if subject.walks(Role.DRIFT) else _trend_onwards(subject)


def _level_onwards(subject: Subject) -> list[str]:
    size, within = _pace(subject, subject.walks(Role.DRIFT)[0])
    if not size:
        return ["the level is assumed to go on drifting, and is less certain the further one looks."]
    stays = "the best forecast of the level is where it is" if subject.timely else "the best guess is that the level stays"
    moved = f"{within} it moves by about {size} (one standard deviation), {_further(subject)} by twice as much"
    return [f"{stays}.", f"It is less certain the further one looks: {moved}."]


def _trend_onwards(subject: Subject) -> list[str]:
    who = "the trend" if subject.timely else "the curve"
    size, within = _pace(subject, subject.walks(Role.BEND)[0])
    if not size:
        return [f"{who} is assumed to go on the way it does where the data end, while its slope goes on changing."]
    strays = f"{within} {who} strays from its course by about {size} (one standard deviation)"
    return [
        f"{who} is assumed to go on with its last slope{_last_slope(subject)}.",
        f"As it may bend again, it is less certain the further one looks: {strays}, {_further(subject)} by eight times as much.",
    ]


def _last_slope(subject: Subject) -> str:
    """: it rises by 1.7 a year."""
    if subject.seen is None:
        return ""
    dim = subject.inputs[0]
    slope = subject.seen.ends[1]
    return f": it {direction(slope)} by {rate_on_scale(subject.link, subject.axis(dim), slope, subject.span(dim))}"


def _further(subject: Subject) -> str:
    return "and within four times as long" if subject.timely else "and four times as far"
