"""From a component of a kernel to plain English: a noun phrase, what it looks like in detail, and how it goes on.

The head of the phrase is noise if there is any, else a cycle, else a smooth or a rough curve, else a walk or a bend, else lines;
what is left over modifies it. Curves, cycles, walks, amplitudes and the outlook have a file each; every threshold stands in
subject.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english import amplitude, curves, cycles, walks
from kernelscribe.report.words.english.names import input_name, label
from kernelscribe.report.words.english.numbers import count_word, listing
from kernelscribe.report.words.english.outlook import outlook
from kernelscribe.report.words.english.phrase import Phrase
from kernelscribe.report.words.english.regions import phrase
from kernelscribe.report.words.english.scale_words import amount_on_scale

__all__ = ["Words", "describe", "headline"]

# So many parts are named at the top of the page; the others are counted.
_NAMED = 3


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
    part, where = _phrase(subject), _where(subject)
    summary = " ".join([part.head, listing(part.clauses)]) if part.clauses else part.head
    if not where:
        return Words(summary, part.details, outlook(subject))
    return Words(
        f"{summary}, which {'apply' if part.plural else 'applies'} {where}",
        (*part.details, f"It applies {where}."),
        outlook(subject),
    )


def _where(subject: Subject) -> str:
    return phrase(subject.regions, subject.axis(subject.gate), subject.span(subject.gate))


def _phrase(subject: Subject) -> Phrase:
    """The cases in their order; the first that fits."""
    if subject.has(Role.NOISE):
        return _noise(subject)
    if subject.cycles:
        return cycles.cycle(subject) if len(subject.cycles) == 1 else cycles.product(subject)
    if subject.fading:
        return curves.smooth(subject)
    if subject.has(Role.DRIFT) or subject.has(Role.BEND):
        return walks.walk(subject)
    if subject.has(Role.LINE):
        return curves.lines(subject)
    return Phrase("a constant", (), (f"It is constant: it moves every value of {label(subject.target)} by the same amount.",))


def _noise(subject: Subject) -> Phrase:
    stray = "It is uncorrelated noise: each value strays on its own"
    if subject.has(Role.LINE) or subject.growing:
        details = (f"{stray}, whatever its neighbours do.", *amplitude.sentences(subject))
        return Phrase("uncorrelated noise", amplitude.clauses(subject), details)
    deviation = amount_on_scale(subject.link, math.sqrt(subject.term.variance))
    sentence = f"{stray}, by about {deviation} (one standard deviation)."
    return Phrase(f"uncorrelated noise with a standard deviation of {deviation}", (), (sentence,))


def headline(subjects: Sequence[Subject]) -> str:
    """One or two sentences that name the first parts; the subjects come in the order in which they are told."""
    if not subjects:
        return "No structure was found."
    target = label(subjects[0].target)
    told = [each for each in subjects if each.term.dims and not each.has(Role.NOISE)]
    if not told:
        return f"No structure was found in {target}: its values look like noise about a constant."
    doings = list(dict.fromkeys(_doing(each) for each in told[:_NAMED]))
    joined = doings[0] if len(doings) == 1 else f"{', '.join(doings[:-1])}, and {doings[-1]}"
    rest = len(told[_NAMED:])
    more = f" {count_word(rest).capitalize()} more part{'s are' if rest > 1 else ' is'} described below." if rest else ""
    return f"{target} {joined}.{more}"


def _doing(subject: Subject) -> str:
    """What the target does by this part: rises steadily; repeats a yearly cycle of 1.00 years."""
    return f"{_verb(subject)} {_where(subject)}".rstrip()


def _verb(subject: Subject) -> str:
    if len(subject.cycles) == 1:
        return " ".join(["repeats", cycles.head(subject, plain=True), *amplitude.clauses(subject)])
    single = not subject.cycles and len(subject.inputs) == 1
    along = "" if not single or (subject.alone and subject.timely) else f" with {input_name(subject, subject.inputs[0])}"
    if single and (subject.fading or subject.has(Role.BEND)) and subject.rising:
        return f"{curves.moves(subject)} smoothly throughout{along}"
    if single and subject.has(Role.LINE) and len(subject.factors) == 1 and subject.slope:
        return f"{curves.moves(subject)} steadily{along}"
    if subject.walks(Role.DRIFT) and not subject.cycles and not subject.fading:
        return walks.doing(subject)
    part = _phrase(subject)
    return f"{'has' if part.plural else 'follows'} {part.head}"
