"""From a component of a kernel to plain English: a noun phrase, what it looks like in detail, and how it goes on.

The head of the phrase is noise if there is any, else a cycle, else a smooth or a rough curve, else a walk or a bend, else an
event, else lines; what is left over modifies it. Curves, cycles, walks, events, amplitudes and the outlook have a file each;
every threshold of a kernel stands in subject.py, what the data show in seen.py.
"""

import math
from dataclasses import dataclass

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english import amplitude, curves, cycles, events, walks
from kernelscribe.report.words.english.names import label
from kernelscribe.report.words.english.outlook import outlook
from kernelscribe.report.words.english.phrase import Phrase
from kernelscribe.report.words.english.regions import phrase
from kernelscribe.report.words.english.scale_words import amount_on_scale

__all__ = ["Words", "describe", "phrase_of", "where"]


@dataclass(frozen=True, slots=True)
class Words:
    """A component in English.

    Attributes:
        summary: a noun phrase in lower case, without a full stop.
        details: full sentences on what it looks like.
        outlook: full sentences on what the forecast assumes of it.
    """

    summary: str
    details: tuple[str, ...]
    outlook: tuple[str, ...]


def describe(subject: Subject) -> Words:
    """The component in English."""
    part, place = phrase_of(subject), where(subject)
    summary = Phrase(part.head, (*part.clauses, *events.modifiers(subject)), (), aside=part.aside).summary
    if not place:
        return Words(summary, part.details, outlook(subject))
    return Words(
        f"{summary}, which {'apply' if part.plural else 'applies'} {place}",
        (*part.details, f"It applies {place}."),
        outlook(subject),
    )


def where(subject: Subject) -> str:
    """On which stretches it acts; nothing where on all."""
    return phrase(subject.regions, subject.axis(subject.gate), subject.span(subject.gate))


def phrase_of(subject: Subject) -> Phrase:
    """The component as a phrase in the making: the cases in their order; the first that fits."""
    cases = (
        (subject.has(Role.NOISE), _noise),
        (len(subject.cycles) == 1, cycles.cycle),
        (len(subject.cycles) > 1, cycles.product),
        (bool(subject.fading), curves.smooth),
        (subject.has(Role.DRIFT) or subject.has(Role.BEND), walks.walk),
        (subject.happens, events.event),
        (subject.has(Role.LINE), curves.lines),
    )
    return next((said for fits, said in cases if fits), _constant)(subject)


def _constant(subject: Subject) -> Phrase:
    moves = f"It is constant: it moves every value of {label(subject.target)} by the same amount."
    return Phrase("a constant", (), (moves,))


def _noise(subject: Subject) -> Phrase:
    stray = "It is uncorrelated noise: each value strays on its own"
    if subject.has(Role.LINE) or subject.growing:
        details = (f"{stray}, whatever its neighbours do.", *amplitude.sentences(subject))
        return Phrase("uncorrelated noise", amplitude.clauses(subject), details)
    deviation = amount_on_scale(subject.link, math.sqrt(subject.term.variance))
    sentence = f"{stray}, by about {deviation} (one standard deviation)."
    return Phrase(f"uncorrelated noise with a standard deviation of {deviation}", (), (sentence,))
