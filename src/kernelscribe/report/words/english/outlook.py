"""How a component goes on beyond the data: what the forecast assumes of it, and when the data cease to say anything about it."""

import math

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Fuzz, Smoothness, Subject
from kernelscribe.report.words.english import amplitude, curves, walks
from kernelscribe.report.words.english.names import input_name
from kernelscribe.report.words.english.numbers import listing
from kernelscribe.report.words.english.quantities import about, at, duration

__all__ = ["outlook"]

_FLAT = (
    "Where its prediction flattens, the phase and the shape of the cycle are unknown; that does not mean that the cycle stops."
)


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
    every = "" if several else f" every {_every(subject)}"
    if not subject.fading:
        walking = subject.has(Role.DRIFT) or subject.has(Role.BEND)
        manner = " unchanged" if not subject.has(Role.LINE) and not walking else ""
        shape = ", in the shape that it has where the data end, which is less certain the further away" if walking else ""
        return [f"{who} is assumed to go on repeating itself{manner}{every}{shape}."]
    vague = [each for each in subject.cycles if subject.fuzz(each) is not Fuzz.EXACT]
    manner = " approximately" if vague else ""
    said = [f"{who} is assumed to go on repeating itself{manner}{every}, while its shape changes.", *_returns(subject)]
    return [*said, _FLAT] if vague else said


def _every(subject: Subject) -> str:
    (one,) = subject.cycles
    return duration(subject.axis(one.dim), one.period, one.spread)


def _fading(subject: Subject) -> list[str]:
    if subject.has(Role.ROUGH):
        how = "departures are assumed to go on coming and fading" if subject.timely else "it is assumed to go on varying"
        return [f"{how}.", *_returns(subject), _prior(subject)]
    kinds = {subject.smooth(dim) for dim in subject.fading}
    manner = " very smoothly" if kinds == {Smoothness.VERY} else "" if kinds == {Smoothness.RAPID} else " smoothly"
    lasting = (
        ", but not for ever in the same direction" if subject.timely and kinds <= {Smoothness.VERY, Smoothness.TREND} else ""
    )
    return [f"it is assumed to go on{manner}{lasting}.", *_returns(subject), _prior(subject)]


def _returns(subject: Subject) -> list[str]:
    """How soon the posterior is the prior again."""
    kinds = {subject.smooth(dim) for dim in subject.fading}
    lost = any(subject.fuzz(each) is Fuzz.VERY for each in subject.cycles)
    soon = " quickly" if Smoothness.RAPID in kinds or lost else " eventually" if kinds == {Smoothness.VERY} else ""
    said = [f"{'Its forecast' if subject.timely else 'There it'}{soon} returns to zero, its long-run mean."]
    dims = subject.fading
    if subject.forgets is not None and math.isfinite(subject.forgets) and subject.forgets > 0 and len(dims) == 1:
        far = about(subject.axis(dims[0]), subject.forgets)
        said.append(
            f"Further than {far} beyond the data, these say next to nothing about it: "
            "its variance is back at 90 % of what it would be without them."
        )
    return said


def _prior(subject: Subject) -> str:
    lengths = [_along(subject, dim) for dim in subject.fading]
    what = f"length-scale{'s' if len(lengths) > 1 else ''} of {listing(lengths)}"
    return (
        f"All that is assumed of it there is that it varies{'' if subject.has(Role.ROUGH) else ' smoothly'} about zero, "
        f"with {'a ' if len(lengths) == 1 else ''}{what}."
    )


def _along(subject: Subject, dim: int) -> str:
    axis = subject.axis(dim)
    length = duration(axis, *subject.lengthscale(dim))
    return (
        length
        if subject.alone or length.endswith(f" in {input_name(subject, dim)}")
        else f"{length} in {input_name(subject, dim)}"
    )


def _lines(subject: Subject) -> str:
    dims = subject.inputs
    if len(dims) > 1:
        return f"it is assumed to remain {amplitude.degrees(subject, dims)}."
    if len(subject.factors) > 1:
        return f"the curve is assumed to go on as the same {amplitude.polynomial(len(subject.factors))}."
    pace = curves.steady(subject)
    return f"the line is assumed to go on as before{f': it {pace}' if pace else ''}."
