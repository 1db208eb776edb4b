"""How a component goes on beyond the data: what the forecast assumes of it, and when the data cease to say anything about it."""

import math

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english import amplitude, cycles, events, trends, walks
from kernelscribe.report.words.english.names import input_name
from kernelscribe.report.words.english.numbers import listing
from kernelscribe.report.words.english.quantities import about, at

__all__ = ["outlook"]


def outlook(subject: Subject) -> tuple[str, ...]:
    """Full sentences, for a forecast along a time or for going outside the range of other inputs."""
    ended = _ended(subject)
    if ended:
        return (ended,)
    first, *others = _onwards(subject)
    if subject.timely:
        return (first[0].upper() + first[1:], *others)
    return (f"{_outside(subject)} {first}", *others)


def _onwards(subject: Subject) -> list[str]:
    """The cases, as for the words; the first sentence still without its opening."""
    if subject.has(Role.NOISE):
        as_is = "" if subject.has(Role.LINE) or subject.growing else " as it is"
        return [f"the noise is assumed to go on{as_is}.", *amplitude.onwards(subject)]
    if subject.cycles:
        return [*_cycles(subject), *amplitude.onwards(subject)]
    if subject.fading:
        return [*_fading(subject), *amplitude.onwards(subject)]
    if subject.has(Role.DRIFT) or subject.has(Role.BEND):
        return [*walks.onwards(subject), *amplitude.onwards(subject)]
    if subject.happens:
        return [events.onwards(subject)]
    return [_lines(subject) if subject.has(Role.LINE) else "it is assumed to stay constant."]


def _outside(subject: Subject) -> str:
    if subject.alone or not subject.inputs:
        return "Outside the range of the data"
    return f"Outside the range of {listing([input_name(subject, dim) for dim in subject.inputs])} in the data"


def _ended(subject: Subject) -> str:
    """What replaces everything else for a component that stops acting."""
    if not subject.regions:
        return "As it could not be worked out where this part applies, nothing can be said of how it goes on."
    stop, dim = max(stop for _, stop in subject.regions), subject.gate
    if stop == math.inf or subject.inputs not in ((), (dim,)):
        return ""
    if stop <= subject.ends[dim - 1][1]:
        return "This part ends before the end of the data, and is taken to be zero beyond them."
    return f"This part is assumed to end {at(subject.axis(dim), stop, subject.span(dim))}, and is taken to be zero from there on."


def _cycles(subject: Subject) -> list[str]:
    several = len(subject.cycles) > 1
    who = "the product of cycles" if several else "the cycle"
    often = "" if several else f" {cycles.every(subject)}"
    if subject.fading:
        said = (
            f"{who} is assumed to go on repeating itself{often} as it does where the data end, less surely the further one looks."
        )
        return [said, *_forgets(subject)]
    if subject.has(Role.DRIFT) or subject.has(Role.BEND):
        return [f"{who} is assumed to go on repeating itself{often}, in its last shape, which is less certain the further away."]
    manner = "" if subject.has(Role.LINE) else " unchanged"
    return [f"{who} is assumed to go on repeating itself{manner}{often}."]


def _fading(subject: Subject) -> list[str]:
    who = "they" if subject.timely and subject.departs else "it"
    goes, verb = ("go", "are") if who == "they" else ("goes", "is")
    if who == "they":
        return [f"what is left of the last of them fades: {who} {goes} back to the level.", *_forgets(subject)]
    there = "" if subject.timely else " there"
    return [f"{who} {goes} back{there} to its level, the average, and {verb} ever less certain on the way.", *_forgets(subject)]


def _forgets(subject: Subject) -> list[str]:
    """How soon the data say next to nothing of it."""
    dims, far = subject.fading, subject.forgets
    if far is None or not math.isfinite(far) or far <= 0 or len(dims) != 1:
        return []
    of = "its shape" if subject.cycles else "them" if subject.timely and subject.departs else "it"
    return [f"Further than {about(subject.axis(dims[0]), far)} beyond the data, these say next to nothing about {of}."]


def _lines(subject: Subject) -> str:
    dims = subject.inputs
    if len(dims) > 1:
        return f"it is assumed to remain {amplitude.degrees(subject, dims)}."
    if len(subject.factors) > 1:
        return f"the curve is assumed to go on as the same {amplitude.polynomial(len(subject.factors))}."
    pace = trends.steady(subject)
    return f"the line is assumed to go on as before{f': it {pace}' if pace else ''}."
