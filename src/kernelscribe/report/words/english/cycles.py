"""Words for what repeats itself: one cycle, exactly or nearly so, or several multiplied."""

from collections.abc import Iterator
from types import MappingProxyType

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.seen import Swing
from kernelscribe.report.description.subject import Fuzz, Rhythm, Smoothness, Subject
from kernelscribe.report.words.english import amplitude
from kernelscribe.report.words.english.names import input_name
from kernelscribe.report.words.english.numbers import count_word, listing, ordinal
from kernelscribe.report.words.english.phases import calendar_phase, phase
from kernelscribe.report.words.english.phrase import Phrase
from kernelscribe.report.words.english.quantities import about, amount, cycle_name, duration
from kernelscribe.report.words.english.scale_words import deviation_on_scale, exactly_on_scale

__all__ = ["cycle", "every", "head", "product"]

# What the calendar's cycles repeat themselves by.
_UNITS = MappingProxyType({
    "yearly": "year", "half-yearly": "half year", "quarterly": "quarter", "monthly": "month",
    "weekly": "week", "daily": "day", "half-daily": "half day", "hourly": "hour",
})  # fmt: skip

# What the shape of a cycle does beside a walk, and beside a bend.
_WALKS = MappingProxyType({Role.DRIFT: "wanders", Role.BEND: "drifts"})


def cycle(subject: Subject) -> Phrase:
    """One cycle: its period and its size, when it is highest and lowest, and how both change."""
    (one,) = subject.cycles
    details = [f"It {_repeats(subject)}.", *_when_sentences(subject, one), *_across(subject), *amplitude.sentences(subject)]
    if subject.fuzz(one) is Fuzz.VERY:
        details.append("As its shape is lost within less than a cycle, it may look like plain smooth ups and downs.")
    return Phrase(
        f"{head(subject)}{_size(subject)}",
        (*_shape(subject), *amplitude.clauses(subject)),
        tuple(details),
        aside=_when(subject, one),
    )


def head(subject: Subject) -> str:
    """a yearly cycle; a cycle of 10.9 ± 0.3 years."""
    (one,) = subject.cycles
    axis, vague = subject.axis(one.dim), subject.fuzz(one) is Fuzz.VERY
    name = cycle_name(axis, one.period, one.spread)
    manner = f"{'very approximate ' if vague else ''}{name or ''}".strip()
    kind = f"{_article(manner)} {manner} cycle" if manner else "a cycle"
    along = "" if subject.unsaid(one.dim) else f" in {input_name(subject, one.dim)}"
    return f"{kind}{along}" if name is not None else f"{kind} of {amount(axis, one.period, one.spread)}{along}"


def _size(subject: Subject) -> str:
    """Half of the way from the lowest to the highest point, where it stays the same."""
    swing = _swing(subject)
    if swing is None or amplitude.clauses(subject):
        return ""
    joined = " of" if cycle_name(subject.axis(1), subject.cycles[0].period, subject.cycles[0].spread) else " and"
    return f"{joined} {deviation_on_scale(subject.link, swing.last, 2)}"


def _swing(subject: Subject) -> Swing | None:
    return subject.seen.swing if subject.seen is not None else None


def _when(subject: Subject, one: Rhythm) -> str:
    """highest in May and lowest in October."""
    swing = _swing(subject)
    if swing is None:
        return ""
    high, low = (phase(subject.axis(one.dim), one.period, each.place, swing.step) for each in (swing.high, swing.low))
    if high == low:
        return ""
    last = "" if calendar_phase(subject.axis(one.dim), one.period, swing.high.place, swing.step) else "last "
    return f"{last}highest {high} and {last}lowest {low}"


def _when_sentences(subject: Subject, one: Rhythm) -> Iterator[str]:
    """The same with both sizes."""
    swing = _swing(subject)
    if swing is None or not _when(subject, one):
        return
    axis = subject.axis(one.dim)
    ends = []
    for which, side, extreme in (("highest", "above", swing.high), ("lowest", "below", swing.low)):
        when = phase(axis, one.period, extreme.place, swing.step)
        ends.append(f"{which} {when}, {exactly_on_scale(subject.link, extreme.size)} {side} its average")
    changing = " In the last whole period of the data it" if subject.fading or amplitude.clauses(subject) else " It"
    was = "is" if calendar_phase(axis, one.period, swing.high.place, swing.step) else "was last"
    yield f"{changing.strip()} {was} {ends[0]}, and {ends[1]}."
    if one.sine:
        yield "Its shape is close to a sine wave."


def _repeats(subject: Subject) -> str:
    """repeats itself exactly, every 10.9 ± 0.3 years; every year."""
    (one,) = subject.cycles
    exact = "exactly" if subject.factors == subject.term.of(Role.CYCLE) else ""
    manner = {Fuzz.VERY: "very approximately", Fuzz.APPROXIMATE: "", Fuzz.EXACT: exact}[subject.fuzz(one)]
    return f"repeats itself{f' {manner},' if manner else ''} {every(subject)}"


def every(subject: Subject) -> str:
    """every year; every 10.9 ± 0.3 years."""
    (one,) = subject.cycles
    axis = subject.axis(one.dim)
    name = cycle_name(axis, one.period, one.spread)
    return f"every {duration(axis, one.period, one.spread) if name is None else _UNITS[name]}"


def product(subject: Subject) -> Phrase:
    """Several cycles multiplied: the same for the product, then each cycle by itself."""
    several = subject.cycles
    vague = any(subject.fuzz(each) is not Fuzz.EXACT for each in several)
    many = f"{'an approximate' if vague else 'a'} product of {count_word(len(several))} cycles"
    lengths = [_period(subject, each) for each in several]
    details = [f"It is {many}.", *_in_step(subject), *_across(subject), *amplitude.sentences(subject)]
    for i, (each, length) in enumerate(zip(several, lengths, strict=True)):
        name = cycle_name(subject.axis(each.dim), each.period, each.spread)
        which = f"{ordinal(i + 1)}, {_article(name)} {name} one," if name else ordinal(i + 1)
        details.append(f"The {which} has a period of {length}.")
    beats = [duration(subject.axis(beat.longer.dim), beat.every, None) for beat in subject.beats]
    swells = [f"that swells and fades every {listing(beats)}"] if beats else []
    return Phrase(f"{many} (of {listing(lengths)})", (*swells, *_shape(subject), *amplitude.clauses(subject)), tuple(details))


def _in_step(subject: Subject) -> Iterator[str]:
    """Sentences on cycles nearly in tune."""
    for beat in subject.beats:
        both = listing([_period(subject, beat.shorter), _period(subject, beat.longer)])
        again = duration(subject.axis(beat.longer.dim), beat.every, None)
        yield f"The cycles of {both} come into step every {again}; with that rhythm it swells and fades."


def _article(word: str) -> str:
    return "an" if word.startswith(("a", "hourly")) else "a"


def _period(subject: Subject, one: Rhythm) -> str:
    """Its length, with the name of its input where that is not the only one or has no unit."""
    axis = subject.axis(one.dim)
    length = amount(axis, one.period, one.spread)
    return length if subject.unsaid(one.dim) else f"{length} in {input_name(subject, one.dim)}"


def _shape(subject: Subject) -> list[str]:
    """Clauses on how the shape changes: along the cycle's own input, and along others."""
    own = {each.dim for each in subject.cycles}
    clauses = [f"whose shape changes {_pace(subject, dim)}" for dim in subject.fading if dim in own]
    for manner, those in ((" smoothly", subject.dims(Role.SMOOTH)), ("", subject.dims(Role.ROUGH))):
        others = [input_name(subject, dim) for dim in those if dim not in own]
        clauses += [f"whose shape changes{manner} with {listing(others)}"] if others else []
    for role, does in _WALKS.items():
        dims = subject.walks(role)
        names = [input_name(subject, dim) for dim in dims if dim not in own]
        clauses += [f"whose shape {does}{f' with {listing(names)}' if names else ''}"] if dims else []
    return clauses


def _across(subject: Subject) -> Iterator[str]:
    """Sentences on the same."""
    own = {each.dim for each in subject.cycles}
    for dim in subject.fading:
        slow, name = _slow(subject, dim), input_name(subject, dim)
        manner = "by fits and starts" if subject.has(Role.ROUGH, dim) else "smoothly"
        if dim in own:
            yield f"From one cycle to the next its shape changes {'' if slow else f'{manner}, '}{_pace(subject, dim)}."
        elif slow:
            yield f"Its shape changes very slowly with {name}."
        else:
            length = amount(subject.axis(dim), *subject.lengthscale(dim))
            yield f"Its shape changes {manner} with {name}, with a typical length-scale of {length}."
    for role, does in _WALKS.items():
        for dim in subject.walks(role):
            where = "From one cycle to the next" if dim in own else f"With {input_name(subject, dim)}"
            yield f"{where} its shape {does}, and nothing draws it back."


def _pace(subject: Subject, dim: int) -> str:
    return "very slowly" if _slow(subject, dim) else _length(subject, dim, *subject.lengthscale(dim))


def _slow(subject: Subject, dim: int) -> bool:
    """Very smooth over the data, and not only because they do not hold a whole cycle."""
    lost = any(subject.fuzz(each) is Fuzz.VERY for each in subject.cycles if each.dim == dim)
    return subject.smooth(dim) is Smoothness.VERY and not lost


def _length(subject: Subject, dim: int, length: float, spread: float | None) -> str:
    axis = subject.axis(dim)
    return f"over {about(axis, length, spread)}" if axis.temporal else f"with a length-scale of {duration(axis, length, spread)}"
