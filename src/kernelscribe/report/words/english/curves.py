"""Words for what does not repeat itself: smooth and rough curves along a time or along anything else, lines and polynomials."""

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Smoothness, Subject
from kernelscribe.report.words.english import amplitude
from kernelscribe.report.words.english.names import input_name
from kernelscribe.report.words.english.numbers import listing
from kernelscribe.report.words.english.phrase import Phrase
from kernelscribe.report.words.english.quantities import about, amount, at, duration, place
from kernelscribe.report.words.english.scale_words import change_on_scale, rate_on_scale

__all__ = ["in_all", "lines", "moves", "smooth", "steady"]

# Departures that last so long, beside the data, are not short-lived.
_LONG = (Smoothness.VERY, Smoothness.TREND)


def smooth(subject: Subject) -> Phrase:
    """A trend, ups and downs or departures along a time; a smooth function, or a rough one, of anything else."""
    part = _trend(subject) if subject.timely else _function(subject)
    clauses, details = list(part.clauses), list(part.details)
    if subject.rising:
        clauses.append(f"that {moves(subject)} throughout")
        details.append(f"It {moves(subject)} throughout the data{in_all(subject)}.")
    elsewhere = _elsewhere(subject)
    details += [f"It {each}, and nothing draws it back." for each in elsewhere]
    clauses += [*(f"that {each}" for each in elsewhere), *amplitude.clauses(subject)]
    if part.plural and len(clauses) == 1:
        # Their head has a clause of its own: "that last about two months".
        clauses = [f"and {clauses[0]}"]
    return Phrase(
        part.head,
        tuple(clauses),
        (*details, *amplitude.sentences(subject)),
        part.plural,
    )


def _trend(subject: Subject) -> Phrase:
    (dim,) = subject.fading
    axis, (length, spread) = subject.axis(dim), subject.lengthscale(dim)
    along = "" if subject.alone else f" in {input_name(subject, dim)}"
    kind = subject.smooth(dim)
    if subject.has(Role.ROUGH):
        return _rough(f"{'slow' if kind in _LONG else 'short-lived'} departures{along} that last {about(axis, length, spread)}")
    if kind is Smoothness.VERY:
        head = f"a very smooth trend{along}"
        return Phrase(head, (), (f"It is {head}: it bends only slowly in the course of the data.",))
    if kind is Smoothness.TREND or (kind is Smoothness.WAVES and subject.monotone):
        head = f"a smooth trend{along}"
        return Phrase(head, (), (f"It is {head} with a typical length-scale of {duration(axis, length, spread)}.",))
    what = f"smooth ups and downs{along}" if kind is Smoothness.WAVES else f"short-lived departures{along}"
    lasting = f"that last {about(axis, length, spread)}"
    sentence = f"It consists of {'rapid, ' if kind is Smoothness.RAPID else ''}{what} {lasting}, their typical length-scale."
    return Phrase(f"{what} {lasting}", (), (sentence,), plural=True)


def _rough(head: str) -> Phrase:
    fades = "They come without warning and fade: in that time, what is left of one shrinks to about a third."
    return Phrase(head, (), (f"It consists of {head}.", fades), plural=True)


def _function(subject: Subject) -> Phrase:
    dims = subject.fading
    head = f"{_adjective(subject)} function of {listing([input_name(subject, dim) for dim in dims])}"
    very = not subject.has(Role.ROUGH) and {subject.smooth(dim) for dim in dims} == {Smoothness.VERY}
    return Phrase(head, (), (f"It is {head}.", *(_reach(subject, dim) for dim in dims if not very)))


def _adjective(subject: Subject) -> str:
    """With its article: what is smooth along one input and rough along another is neither."""
    rough, kinds = subject.dims(Role.ROUGH), {subject.smooth(dim) for dim in subject.fading}
    if rough:
        return "a rough" if rough == subject.fading else "a"
    return "a very smooth" if kinds == {Smoothness.VERY} else "a rapidly varying" if kinds == {Smoothness.RAPID} else "a smooth"


def _elsewhere(subject: Subject) -> list[str]:
    """What it does along inputs on which it neither fades nor grows."""
    walks = {"wanders": subject.walks(Role.DRIFT), "bends": subject.walks(Role.BEND)}
    return [f"{does} with {listing([input_name(subject, dim) for dim in dims])}" for does, dims in walks.items() if dims]


def _reach(subject: Subject, dim: int) -> str:
    length, name = amount(subject.axis(dim), *subject.lengthscale(dim)), input_name(subject, dim)
    if subject.has(Role.ROUGH, dim) and subject.has(Role.SMOOTH):
        return f"It is rough in {name}, with a typical length-scale of {length}."
    match subject.smooth(dim):
        case Smoothness.VERY:
            return f"It is very smooth in {name}."
        case Smoothness.RAPID:
            return f"It varies rapidly with {name}, with a typical length-scale of {length}."
    return f"Its typical length-scale in {name} is {length}."


def moves(subject: Subject) -> str:
    """rises, or falls."""
    return "rises" if subject.upwards else "falls"


def in_all(subject: Subject) -> str:
    """How much that is over the data, where it is known."""
    return f", by {_change(subject)} in all" if subject.change else ""


def _change(subject: Subject) -> str:
    return change_on_scale(subject.link, subject.change if subject.upwards else -subject.change)


def lines(subject: Subject) -> Phrase:
    """A straight line, a polynomial, or an interaction of several inputs."""
    dims = subject.inputs
    if len(dims) > 1:
        ways = amplitude.degrees(subject, dims)
        others = "other" if len(dims) == 2 else "others"  # noqa: PLR2004
        return Phrase(
            f"an interaction that is {ways}", (), (f"It is {ways}, so that the effect of each depends on the {others}.",)
        )
    along = "" if subject.alone and subject.timely else f" in {input_name(subject, dims[0])}"
    return _line(subject, along) if len(subject.factors) == 1 else _polynomial(subject, along)


def steady(subject: Subject) -> str:
    """rises by 1.52 per year; empty where a line's slope is not known."""
    if not subject.change:
        return moves(subject) if subject.monotone else ""
    (dim,) = subject.inputs
    return f"{moves(subject)} by {rate_on_scale(subject.link, subject.axis(dim), subject.slope, subject.span(dim))}"


def _line(subject: Subject, along: str) -> Phrase:
    head, pace = f"a straight line{along}", steady(subject)
    if not pace:
        return Phrase(head, (), (f"It is {head}.",))
    (dim,) = subject.inputs
    axis, span = subject.axis(dim), subject.span(dim)
    low, high = (place(axis, each, span) for each in subject.ends[dim - 1])
    over = f"from {low} to {high}" if axis.temporal and low != high else "over the whole of the data"
    makes = f", which makes {_change(subject)} {over}" if subject.change else ""
    return Phrase(head, (f"that {pace}",), (f"It is {head} that {pace}{makes}.",))


def _polynomial(subject: Subject, along: str) -> Phrase:
    (dim,) = subject.inputs
    (low, high), axis, span, roots = subject.ends[dim - 1], subject.axis(dim), subject.span(dim), subject.locations(dim)
    full = f"a {amplitude.polynomial(len(roots))}{along}"
    zeros = list(dict.fromkeys(at(axis, each, span) for each in roots if low <= each <= high))
    details = [f"It is {full}{f', which is zero {listing(zeros)}' if zeros else ''}."]
    if subject.monotone:
        details.append(f"It {moves(subject)} throughout the data{in_all(subject)}.")
    clauses = (f"that {moves(subject)} throughout",) if subject.monotone else ()
    return Phrase(full, clauses, tuple(details))
