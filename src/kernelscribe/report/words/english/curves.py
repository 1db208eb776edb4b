"""Words for what does not repeat itself: smooth and rough curves along a time or along anything else, lines and polynomials."""

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Smoothness, Subject
from kernelscribe.report.words.english import amplitude, trends
from kernelscribe.report.words.english.names import input_name
from kernelscribe.report.words.english.numbers import listing
from kernelscribe.report.words.english.phrase import Phrase
from kernelscribe.report.words.english.quantities import about, amount, place
from kernelscribe.report.words.english.scale_words import change_on_scale, deviation_on_scale, slope_on_scale
from kernelscribe.report.words.english.trends import direction, steady

__all__ = ["in_all", "lines", "moves", "smooth"]


def smooth(subject: Subject) -> Phrase:
    """A trend, ups and downs or departures along a time; a smooth function, or a rough one, of anything else."""
    part = _trend(subject) if subject.timely else _function(subject)
    clauses, details = list(part.clauses), list(part.details)
    if subject.rising and not clauses:
        clauses.append(f"that {moves(subject)} throughout")
        details.append(f"It {moves(subject)} throughout the data{in_all(subject)}.")
    elif not subject.timely and subject.seen is not None and len(subject.factors) == 1:
        clauses.append(_going(subject))
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


def _going(subject: Subject) -> str:
    """Where a function of an input that is no time goes, or how far it varies."""
    course = trends.course(subject) if subject.lasting else ""
    size = deviation_on_scale(subject.link, subject.seen.size if subject.seen is not None else 0.0, 2)
    return f"that {course}" if course else f"that varies by {size}"


def _trend(subject: Subject) -> Phrase:
    (dim,) = subject.fading
    axis, (length, spread) = subject.axis(dim), subject.lengthscale(dim)
    along = "" if subject.alone else f" in {input_name(subject, dim)}"
    kind = subject.smooth(dim)
    if subject.has(Role.ROUGH):
        what = "slow" if subject.lasting else "short-lived"
        return _departures(subject, f"{what} departures{along}", f"that last {about(axis, length, spread)}")
    if subject.lasting or (kind is Smoothness.WAVES and subject.monotone):
        head = f"a {'very ' if kind is Smoothness.VERY else ''}smooth trend{along}"
        doing = "" if subject.walks(Role.DRIFT) else trends.course(subject)
        return Phrase(head, (f"that {doing}",) if doing else (), tuple(trends.course_sentences(subject)) if doing else ())
    what = f"smooth ups and downs{along}" if kind is Smoothness.WAVES else f"short-lived departures{along}"
    return _departures(subject, what, f"that last {about(axis, length, spread)}")


def _departures(subject: Subject, what: str, lasting: str) -> Phrase:
    """With their size, where it was measured and nothing makes it grow."""
    if subject.seen is None or subject.seen.size <= 0 or subject.has(Role.LINE) or subject.growing:
        return Phrase(f"{what} {lasting}", (), (), plural=True)
    size = deviation_on_scale(subject.link, subject.seen.size, 2)
    said = f"Two times of three they are no larger than {size}."
    return Phrase(f"{what} of {size} {lasting}", (), (said,), plural=True)


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
    return direction(1 if subject.upwards else -1)


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
    return _line(subject, along) if len(subject.term.of(Role.LINE)) == 1 else _polynomial(subject, along)


def _line(subject: Subject, along: str) -> Phrase:
    pace = steady(subject)
    head = _straight(subject, along)
    if not pace:
        return Phrase(head, (), ())
    (dim,) = subject.inputs
    axis, span, seen = subject.axis(dim), subject.span(dim), subject.seen
    low, high = (place(axis, each, span) for each in subject.ends[dim - 1])
    over = f"from {low} to {high}" if axis.temporal and low != high else "over the whole of the data"
    change = f"makes {_change(subject)} {over}" if subject.change else ""
    if seen is None or not change:
        return Phrase(head, (f"that {pace}",), (f"It {pace}{f', which {change}' if change else ''}.",))
    exact = slope_on_scale(subject.link, axis, seen.slope, span, exact=True)
    details = (f"It {pace.split(' by ')[0]} by {exact}, which {change}.",)
    if subject.link.multiplies:
        return Phrase(f"{head} by {pace.split(' by ')[1]}", (), details)
    return Phrase(head, (f"that {pace}",), details)


def _straight(subject: Subject, along: str) -> str:
    """On a logarithmic scale a line is growth by a share."""
    if not subject.link.multiplies or subject.seen is None:
        return f"a straight line{along}"
    return f"{'steady growth' if subject.seen.slope.value > 0 else 'a steady decline'}{along}"


def _polynomial(subject: Subject, along: str) -> Phrase:
    full = f"a {amplitude.polynomial(len(subject.term.of(Role.LINE)))}{along}"
    doing = trends.course(subject)
    if doing:
        return Phrase(full, (f"that {doing}",), tuple(trends.course_sentences(subject)))
    if not subject.monotone:
        return Phrase(full, (), ())
    return Phrase(full, (f"that {moves(subject)} throughout",), (f"It {moves(subject)} throughout the data{in_all(subject)}.",))
