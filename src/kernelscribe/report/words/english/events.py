"""Words for what happens at a place: a jump, a slope that changes, a while that lies higher or lower, a row out of line."""

import math

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.seen import Event, Known
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english.phrase import Phrase
from kernelscribe.report.words.english.quantities import at, on_row, row
from kernelscribe.report.words.english.scale_words import exactly_on_scale, near_on_scale, signed_on_scale, slope_on_scale
from kernelscribe.report.words.english.trends import direction

__all__ = ["event", "happening", "modifiers", "onwards"]


def event(subject: Subject) -> Phrase:
    """The phrase of a component that is an event and nothing else."""
    known = subject.seen.event if subject.seen is not None else None
    role = subject.factors[0].role
    if known is None:
        return _unmeasured(subject)
    if role is Role.STEP:
        return _jump(subject, known)
    return _kink(subject, known) if role is Role.KINK else _while(subject, known)


def happening(subject: Subject) -> str:
    """A clause for the headline: it jumps by +40 on 1 May 2021."""
    known = subject.seen.event if subject.seen is not None else None
    role = subject.factors[0].role
    if known is None:
        return f"there is {_unmeasured(subject).head}"
    if role is Role.STEP:
        up = "up" if known.size.value > 0 else "down"
        return f"{_when(subject, known)} it jumps {up} by {near_on_scale(subject.link, known.size)}"
    if role is Role.KINK:
        return f"from {_row(subject, known.first)} on {_turns(subject, known)}"
    if known.rows == 1:
        return f"a single row, {_row(subject, known.first)}, lies {_away(subject, known)} what the rest says"
    return f"between {_row(subject, known.first)} and {_row(subject, known.last)} it lies {_higher(subject, known.size)}"


def modifiers(subject: Subject) -> list[str]:
    """Clauses for a component of another kind that an event multiplies."""
    found: list[str] = []
    if subject.happens:
        return found
    for role, begins in ((Role.STEP, "that begins"), (Role.KINK, "that grows from nothing"), (Role.SPELL, "that is there only")):
        found += [f"{begins} {at(subject.axis(f.dim), f['location'], subject.span(f.dim))}" for f in subject.term.of(role)]
    return found


def onwards(subject: Subject) -> str:
    """What a forecast takes for granted."""
    role = subject.factors[0].role
    if role is Role.STEP:
        return "the new level is taken to stay."
    if role is Role.KINK:
        return "the new slope is taken to stay."
    return "the row is taken for an exception that does not come again." if _single(subject) else "the while is taken to be over."


def _single(subject: Subject) -> bool:
    return subject.seen is not None and subject.seen.event is not None and subject.seen.event.rows == 1


def _jump(subject: Subject, known: Event) -> Phrase:
    higher = _higher(subject, known.size, exact=True)
    return Phrase(
        f"a jump of {signed_on_scale(subject.link, known.size)} {_when(subject, known)}",
        (),
        (f"From {_row(subject, known.first)} on it lies {higher} than before, and stays there.",),
    )


def _kink(subject: Subject, known: Event) -> Phrase:
    place = subject.factors[0]
    axis, span = subject.axis(place.dim), subject.span(place.dim)
    by = slope_on_scale(subject.link, axis, known.size, span, exact=True)
    steeper = "more" if known.size.value > 0 else "less"
    details = [f"From {_row(subject, known.first)} on {_turns(subject, known)}.", f"The slope is {by} {steeper} than before."]
    return Phrase(f"a change of slope {_when(subject, known)}", (), tuple(details), aside=f"after which {_turns(subject, known)}")


def _turns(subject: Subject, known: Event) -> str:
    """it rises by 3.1 a year more slowly; what was rising then falls, by so much."""
    place = subject.factors[0]
    axis, span = subject.axis(place.dim), subject.span(place.dim)
    before, after = known.before, known.before + known.size.value
    by = slope_on_scale(subject.link, axis, known.size, span)
    if before == 0:
        return f"it {direction(after)} by {by}"
    if before * after <= 0:
        new = slope_on_scale(subject.link, axis, Known(after, known.size.error), span)
        return f"it no longer {direction(before)} but {direction(after)}, by {new}"
    return f"it {direction(after)} by {by} {'faster' if abs(after) > abs(before) else 'more slowly'}"


def _while(subject: Subject, known: Event) -> Phrase:
    first, last = _row(subject, known.first), _row(subject, known.last)
    if known.rows == 1:
        exact = f"{exactly_on_scale(subject.link, known.size)} {_above(known.size)} what the rest says"
        details = f"The value of {first} lies {exact}: it is taken for an exception, and nothing else is made to follow it."
        return Phrase(f"a single row, {first},", (f"that lies {_away(subject, known)} what the rest says",), (details,))
    exact = _higher(subject, known.size, exact=True)
    return Phrase(
        f"a while between {first} and {last}",
        (f"that lies {_higher(subject, known.size)}",),
        (f"From {first} until {last}, for {known.rows:,} rows, it lies {exact} than before and after.",),
    )


def _unmeasured(subject: Subject) -> Phrase:
    (one,) = subject.factors
    axis, span, place = subject.axis(one.dim), subject.span(one.dim), one["location"]
    if one.role is not Role.SPELL:
        return Phrase(f"{'a jump' if one.role is Role.STEP else 'a change of slope'} {at(axis, place, span)}", (), ())
    half = one["width"] / 2
    ends = [at(axis, each, span) for each in (place - half, place + half)]
    where = ends[0] if ends[0] == ends[1] or not math.isfinite(half) else f"{ends[0]} to {ends[1].split(' ', 1)[1]}"
    return Phrase(f"a while {where} that lies higher or lower", (), ())


def _when(subject: Subject, known: Event) -> str:
    return on_row(subject.axis(subject.factors[0].dim), known.first, _step(subject))


def _row(subject: Subject, place: float) -> str:
    return row(subject.axis(subject.factors[0].dim), place, _step(subject))


def _step(subject: Subject) -> float:
    return subject.seen.step if subject.seen is not None else 0.0


def _higher(subject: Subject, size: Known, *, exact: bool = False) -> str:
    told = exactly_on_scale if exact else near_on_scale
    return f"{told(subject.link, size)} {'higher' if size.value > 0 else 'lower'}"


def _away(subject: Subject, known: Event) -> str:
    return f"{near_on_scale(subject.link, known.size)} {_above(known.size)}"


def _above(size: Known) -> str:
    return "above" if size.value > 0 else "below"
