"""Where a curve goes in the course of the data: up, down, ever faster, or up until one time and down since."""

from kernelscribe.report.description.seen import Leg, Seen
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english.numbers import listing
from kernelscribe.report.words.english.quantities import place
from kernelscribe.report.words.english.scale_words import change_on_scale, rate_on_scale, slope_on_scale

__all__ = ["course", "course_sentences", "direction", "in_all", "steady"]

# So many stretches up and down can be followed in a sentence.
_TOLD = 3
# Faster, or more slowly, is a slope that has changed by this factor.
_FASTER = 1.5


def direction(change: float) -> str:
    """rises, or falls."""
    return "rises" if change > 0 else "falls"


def in_all(subject: Subject, change: float) -> str:
    """by 55.2 in all."""
    return f"by {change_on_scale(subject.link, change)} in all"


def steady(subject: Subject) -> str:
    """rises by 1.5 a year; grows by 3.0 % a year; empty where a line's slope is not known."""
    seen, span = subject.seen, subject.span(subject.inputs[0])
    axis = subject.axis(subject.inputs[0])
    if seen is not None:
        return f"{_verb(subject, seen.slope.value)} by {slope_on_scale(subject.link, axis, seen.slope, span)}"
    if not subject.change:
        return direction(subject.monotone) if subject.monotone else ""
    return f"{direction(subject.slope)} by {rate_on_scale(subject.link, axis, subject.slope, span)}"


def course(subject: Subject) -> str:
    """What a curve does over the data: rises by 55.2 in all, ever faster; rises until 1980 and falls since; empty where it turns
    too often to be told, or where nothing is known."""
    seen = subject.seen
    if seen is None or not 0 < len(seen.legs) <= _TOLD:
        return ""
    if len(seen.legs) == 1:
        change = seen.legs[0].change
        return f"{_verb(subject, change)} {in_all(subject, change)}{_pace(seen, change)}"
    return listing([_leg(subject, leg, last=leg is seen.legs[-1]) for leg in seen.legs])


def course_sentences(subject: Subject) -> list[str]:
    """With which slope it begins, and with which it ends."""
    seen = subject.seen
    if seen is None or not course(subject):
        return []
    dim = subject.inputs[0]
    axis, span = subject.axis(dim), subject.span(dim)
    first, last = (f"by {rate_on_scale(subject.link, axis, each, span)}" for each in seen.ends)
    begins, goes_on = (_verb(subject, each) for each in seen.ends)
    return [f"It {begins} {first} at first and {'' if goes_on == begins else f'{goes_on} '}{last} at the end."]


def _verb(subject: Subject, change: float) -> str:
    return "grows" if subject.link.multiplies and change > 0 else direction(change)


def _pace(seen: Seen, change: float) -> str:
    first, last = (abs(each) if each * change > 0 else 0.0 for each in seen.ends)
    if last > _FASTER * first:
        return ", ever faster"
    return ", ever more slowly" if first > _FASTER * last else ""


def _leg(subject: Subject, leg: Leg, *, last: bool) -> str:
    dim = subject.inputs[0]
    return f"{direction(leg.change)} {'since' if last else f'until {place(subject.axis(dim), leg.stop, subject.span(dim))}'}"
