"""Lines and walks that multiply something else: they make no shape, they say whether it grows, and from what to what."""

import math
from dataclasses import dataclass

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Fuzz, Subject
from kernelscribe.report.words.english.names import input_name
from kernelscribe.report.words.english.numbers import count_word, listing
from kernelscribe.report.words.english.quantities import at, place
from kernelscribe.report.words.english.scale_words import amount_on_scale, deviation_on_scale

__all__ = ["Quantity", "clauses", "degrees", "onwards", "polynomial", "quantity", "sentences"]

_DEGREES = ("linear", "quadratic", "cubic", "quartic", "quintic")
# Sizes within this factor are told as much the same.
_SAME = 1.1


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


_SIZE = Quantity("size", "Its size")
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


def quantity(subject: Subject) -> Quantity:
    """A cycle has a size; what is a cycle only by name, or none, has swings; noise has a standard deviation."""
    if subject.has(Role.NOISE):
        return _DEVIATION
    cycles = subject.cycles
    vague = len(cycles) == 1 and subject.fuzz(cycles[0]) is Fuzz.VERY
    return _SIZE if cycles and not vague else _SWINGS


def clauses(subject: Subject) -> tuple[str, ...]:
    """For the summary: "whose size grows from ± 3.0 to ± 12 over the data"; none without lines."""
    dims, what = _dims(subject), quantity(subject)
    if not dims:
        return ()
    if len(subject.inputs) == 1:
        seen = _seen(subject)
        return (f"whose {what.name} {f'{seen} over the data' if seen else _course(subject, dims[0], what)}",)
    lines = tuple(dim for dim in subject.dims(Role.LINE) if dim not in subject.growing)
    grows = [input_name(subject, dim) for dim in subject.growing]
    found = [f"whose {what.name} {'are' if what.plural else 'is'} {degrees(subject, lines)}"] if lines else []
    return (*found, f"whose {what.name} {what.does('grow')} with {listing(grows)}") if grows else tuple(found)


def _seen(subject: Subject) -> str:
    """grows from ± 3.0 to ± 12: of a cycle, from the first period to the last; nothing where that was not seen."""
    swing = subject.seen.swing if subject.seen is not None else None
    if swing is None or subject.has(Role.NOISE):
        return ""
    first, last = (deviation_on_scale(subject.link, each, 2) for each in (swing.first, swing.last))
    verb = "grows" if swing.last > _SAME * swing.first else "shrinks" if swing.first > _SAME * swing.last else "changes"
    return f"changes little, from {first} to {last}" if verb == "changes" else f"{verb} from {first} to {last}"


def _dims(subject: Subject) -> tuple[int, ...]:
    """The inputs along which its size changes."""
    return tuple(sorted({*subject.dims(Role.LINE), *subject.growing}))


def sentences(subject: Subject) -> list[str]:
    """For the details: what the summary does not say yet, one for every input with lines."""
    dims, what = _dims(subject), quantity(subject)
    if not dims or (len(subject.inputs) == 1 and _seen(subject)):
        return []
    return [f"{what.opening} {_course(subject, dim, what)}{_sizes(subject, dim, what)}." for dim in dims]


def onwards(subject: Subject) -> list[str]:
    """For the outlook: how the quantity goes on beyond the data."""
    return [_onward(subject, dim, quantity(subject)) for dim in _dims(subject)]


def _course(subject: Subject, dim: int, what: Quantity) -> str:
    """grows, where the line is zero before the data; shrinks, where it is zero behind them; else varies."""
    return f"{what.does(_verb(subject, dim))}{_along(subject, dim)}"


def _seen_verb(subject: Subject) -> str:
    """The same where it was seen."""
    swing = subject.seen.swing if subject.seen is not None else None
    if swing is None or subject.has(Role.NOISE):
        return ""
    return "grow" if swing.last > _SAME * swing.first else "shrink" if swing.first > _SAME * swing.last else "vary"


def _verb(subject: Subject, dim: int) -> str:
    roots, (low, high) = subject.locations(dim), subject.ends[dim - 1]
    if not roots or roots[-1] <= low:
        return "grow"
    return "shrink" if roots[0] >= high and dim not in subject.growing else "vary"


def _along(subject: Subject, dim: int) -> str:
    return "" if subject.unsaid(dim) and subject.axis(dim).temporal else f" with {input_name(subject, dim)}"


def _sizes(subject: Subject, dim: int, what: Quantity) -> str:
    """From which size to which, of noise: what it is expected to be at both ends of the data."""
    alone = {each.dim for each in subject.factors if not each.stationary} <= {dim}
    if what is not _DEVIATION or not alone or subject.gated:
        return ""
    axis, (low, high), span = subject.axis(dim), subject.ends[dim - 1], subject.span(dim)
    first, last = subject.size(dim, low), subject.size(dim, high)
    if not (math.isfinite(first) and math.isfinite(last)) or place(axis, low, span) == place(axis, high, span):
        return ""
    start, end = (
        f"about {amount_on_scale(subject.link, size, 2)} {at(axis, where, span)}" for size, where in ((first, low), (last, high))
    )
    return f", from {start} to {end}"


def _onward(subject: Subject, dim: int, what: Quantity) -> str:
    verb = _seen_verb(subject) or (_verb(subject, dim) if subject.timely else "vary")
    return f"{what.opening} {what.does('continue')} to {verb}{_along(subject, dim)}."
