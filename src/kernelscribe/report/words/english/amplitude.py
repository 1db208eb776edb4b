"""Lines and walks that multiply something else: they make no shape, they say where that shape is large and where it is small."""

import math
from dataclasses import dataclass

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Fuzz, Subject
from kernelscribe.report.words.english.names import input_name
from kernelscribe.report.words.english.numbers import count_word, listing
from kernelscribe.report.words.english.quantities import at, place
from kernelscribe.report.words.english.scale_words import amount_on_scale

__all__ = ["Quantity", "clauses", "degrees", "onwards", "polynomial", "quantity", "sentences"]

_DEGREES = ("linear", "quadratic", "cubic", "quartic", "quintic")


@dataclass(frozen=True, slots=True)
class Quantity:
    """What the lines make larger or smaller, and how it is called at the start of a sentence."""

    name: str
    opening: str
    plural: bool = False

    def does(self, verb: str) -> str:
        """A regular verb in the right number: grows, grow; varies, vary."""
        if self.plural:
            return verb
        return f"{verb.removesuffix('y')}ies" if verb.endswith("y") else f"{verb}s"

    @property
    def it(self) -> str:
        return "they are" if self.plural else "it is"


_AMPLITUDE = Quantity("amplitude", "Its amplitude")
_SWINGS = Quantity("swings", "Its swings", plural=True)
_DEVIATION = Quantity("standard deviation", "The standard deviation of the noise")


def degrees(subject: Subject, dims: tuple[int, ...]) -> str:
    """linear in temperature and pressure; linear in temperature and quadratic in pressure."""
    names: dict[int, list[str]] = {}
    for dim in dims:
        names.setdefault(len(subject.locations(dim)), []).append(input_name(subject, dim))
    return listing([f"{_degree(n)} in {listing(those)}" for n, those in names.items()])


def _degree(n: int) -> str:
    """As an adjective: linear, quadratic, … quintic, of degree n."""
    return _DEGREES[n - 1] if n <= len(_DEGREES) else f"of degree {count_word(n)}"


def polynomial(n: int) -> str:
    """As a noun.

    >>> polynomial(2), polynomial(7)
    ('quadratic polynomial', 'polynomial of degree seven')
    """
    return f"{_degree(n)} polynomial" if n <= len(_DEGREES) else f"polynomial {_degree(n)}"


def _manner(n: int) -> str:
    """As an adverb: linearly, quadratically, … as a polynomial of degree n."""
    if n == 1:
        return "linearly"
    return f"{_DEGREES[n - 1]}ally" if n <= len(_DEGREES) else f"as a {polynomial(n)}"


def quantity(subject: Subject) -> Quantity:
    """A cycle has an amplitude; what is a cycle only by name, or none, has swings; noise has a standard deviation."""
    if subject.has(Role.NOISE):
        return _DEVIATION
    cycles = subject.cycles
    vague = len(cycles) == 1 and subject.fuzz(cycles[0]) is Fuzz.VERY
    return _AMPLITUDE if cycles and not vague else _SWINGS


def clauses(subject: Subject) -> tuple[str, ...]:
    """For the summary: "whose amplitude grows linearly"; none without lines."""
    dims, what = _dims(subject), quantity(subject)
    if not dims:
        return ()
    if len(subject.inputs) == 1:
        return (f"whose {what.name} {_course(subject, dims[0], what)}",)
    lines = tuple(dim for dim in subject.dims(Role.LINE) if dim not in subject.growing)
    grows = [input_name(subject, dim) for dim in subject.growing]
    found = [f"whose {what.name} {'are' if what.plural else 'is'} {degrees(subject, lines)}"] if lines else []
    return (*found, f"whose {what.name} {what.does('grow')} with {listing(grows)}") if grows else tuple(found)


def _dims(subject: Subject) -> tuple[int, ...]:
    """The inputs along which its size changes."""
    return tuple(sorted({*subject.dims(Role.LINE), *subject.growing}))


def sentences(subject: Subject) -> list[str]:
    """For the details: one for every input with lines, with sizes where one input alone decides them."""
    dims, what = _dims(subject), quantity(subject)
    alone = {each.dim for each in subject.factors if not each.stationary} <= set(dims)
    sizes = _sizes(subject, dims[0], what) if len(dims) == 1 and alone and not subject.gated else ""
    return [f"{what.opening} {_course(subject, dim, what)}{sizes}." for dim in dims]


def onwards(subject: Subject) -> list[str]:
    """For the outlook: how the quantity goes on beyond the data."""
    return [_onward(subject, dim, quantity(subject)) for dim in _dims(subject)]


def _course(subject: Subject, dim: int, what: Quantity) -> str:
    """grows linearly; shrinks quadratically; grows linearly away from March 1975; varies cubically; grows, beside a walk."""
    roots, (low, high) = subject.locations(dim), subject.ends[dim - 1]
    along = _along(subject, dim)
    if dim in subject.growing:
        return f"{what.does('grow' if not roots or roots[-1] <= low else 'vary')}{along}"
    manner = _manner(len(roots))
    if roots[-1] <= low:
        return f"{what.does('grow')} {manner}{along}"
    if roots[0] >= high:
        return f"{what.does('shrink')} {manner}{along}"
    if roots[0] == roots[-1]:
        return f"{what.does('grow')} {manner} away from {place(subject.axis(dim), roots[0], subject.span(dim))}"
    return f"{what.does('vary')} {manner}{along}"


def _along(subject: Subject, dim: int) -> str:
    return "" if subject.unsaid(dim) and subject.axis(dim).temporal else f" with {input_name(subject, dim)}"


def _sizes(subject: Subject, dim: int, what: Quantity) -> str:
    """From which size to which, as prior standard deviations at both ends of the data."""
    axis, (low, high), span = subject.axis(dim), subject.ends[dim - 1], subject.span(dim)
    first, last = subject.size(dim, low), subject.size(dim, high)
    if not (math.isfinite(first) and math.isfinite(last)) or place(axis, low, span) == place(axis, high, span):
        return ""
    start, end = (
        f"about {amount_on_scale(subject.link, size, 2)} {at(axis, where, span)}" for size, where in ((first, low), (last, high))
    )
    note = "" if what is _DEVIATION else " (as standard deviations)"
    roots = subject.locations(dim)
    zeros = list(dict.fromkeys(at(axis, each, span) for each in roots if low < each < high))
    if not zeros:
        return f", from {start} to {end}{note}"
    if roots[0] == roots[-1] and dim not in subject.growing:
        return f", where {what.it} zero, to {start} and {end}{note}"
    return f": {what.it} {start}, {end}{note}, and zero {listing(zeros)}"


def _onward(subject: Subject, dim: int, what: Quantity) -> str:
    axis, span, roots = subject.axis(dim), subject.span(dim), subject.locations(dim)
    along = _along(subject, dim)
    if dim in subject.growing:
        verb = "grow" if subject.timely and not any(each > subject.ends[dim - 1][1] for each in roots) else "vary"
        return f"{what.opening} {what.does('continue')} to {verb}{along}."
    manner = _manner(len(roots))
    if not subject.timely:
        return f"{what.opening} {what.does('continue')} to vary {manner}{along}."
    beyond = [each for each in roots if each > subject.ends[dim - 1][1]]
    if not beyond:
        return f"{what.opening} {what.does('continue')} to grow {manner}{along}."
    if len(roots) == 1:
        return f"{what.opening} {what.does('shrink')} until {place(axis, beyond[0], span)} and then {what.does('grow')} again."
    return f"{what.opening} {what.does('continue')} to vary {manner}{along}, and {what.it} zero {at(axis, beyond[0], span)}."
