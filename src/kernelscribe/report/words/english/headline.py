"""What was found, in a sentence or two, as an expert would say it: the trend, the cycles, what happened; then the rest."""

from collections.abc import Sequence

from kernelscribe.kernels.base import Role
from kernelscribe.report.description.subject import Subject
from kernelscribe.report.words.english import events, trends, walks
from kernelscribe.report.words.english.component import phrase_of, where
from kernelscribe.report.words.english.names import input_name, label
from kernelscribe.report.words.english.numbers import count_word, listing
from kernelscribe.report.words.english.quantities import few

__all__ = ["headline", "ordered"]

# So many things that last are named, and so many that happen; the others are counted.
_NAMED = 3
_HAPPENED = 2


def ordered(subjects: Sequence[Subject]) -> tuple[int, ...]:
    """The numbers of the components as they are told: trends, cycles and what else lasts, what happens at a place, the
    background; of each kind in the order of their shares."""
    return tuple(sorted(range(len(subjects)), key=lambda i: _rank(subjects[i])))


def headline(subjects: Sequence[Subject]) -> str:
    """One to three sentences; the subjects come in the order of their shares."""
    if not subjects:
        return "No structure was found."
    target = label(subjects[0].target)
    told = [subjects[i] for i in ordered(subjects) if subjects[i].term.dims and not subjects[i].has(Role.NOISE)]
    if not told:
        return f"No structure was found in {target}: its values look like noise about a constant."
    lasting = [each for each in told if not each.happens and not each.background]
    happens, behind = [each for each in told if each.happens], [each for each in told if each.background]
    rest = len(lasting[_NAMED:]) + len(happens[_HAPPENED:])
    sentences = [
        _lasting(target, lasting[:_NAMED], behind, ends=not happens),
        *_happened(target, happens[:_HAPPENED], bool(lasting)),
    ]
    if happens and behind:
        sentences.append(f"Besides, there are {_background(behind)}.")
    if subjects[0].seen is not None and not subjects[0].link.plain and not subjects[0].link.multiplies:
        sentences.append(f"These sizes are those of the root of {target}.")
    if rest:
        sentences.append(f"{count_word(rest).capitalize()} more part{'s are' if rest > 1 else ' is'} described below.")
    return " ".join(each for each in sentences if each)


def _rank(subject: Subject) -> int:
    if subject.background or subject.has(Role.NOISE):
        return 3
    if subject.happens:
        return 2
    return 1 if subject.cycles or not _verb(subject) else 0


def _lasting(target: str, those: Sequence[Subject], behind: Sequence[Subject], *, ends: bool) -> str:
    """co2 rises by 55.2 in all, ever faster, with a yearly cycle of ± 3.0 and short-lived departures of a few months."""
    quiet = _background(behind) if behind and ends else ""
    if not those:
        return f"{target} shows no trend and no cycle, only {quiet}." if quiet else ""
    leads = next((each for each in those if _verb(each)), None)
    others = [_noun(each) for each in those if each is not leads]
    if leads is not None:
        besides = [*others, *([quiet] if quiet else [])]
        doing = f"{target} {_verb(leads)} {where(leads)}".rstrip()
        return f"{doing}, with {listing(besides)}." if besides else f"{doing}."
    follows = "follows" if others[0].startswith(("a ", "an ")) else "has"
    return f"{target} {follows} {listing(others)}{f', with {quiet}' if quiet else ''}."


def _happened(target: str, those: Sequence[Subject], opened: bool) -> list[str]:
    """A sentence for what happened at places; the first names the target where none has."""
    found = []
    for i, each in enumerate(those):
        said = events.happening(each)
        named = said if opened or i else said.replace(" it ", f" {target} ", 1)
        found.append(f"{named[0].upper()}{named[1:]}.")
    return found


def _verb(subject: Subject) -> str:
    """What the target does by a component that is a trend; nothing where it is none."""
    if subject.cycles or len(subject.inputs) != 1 or subject.happens:
        return ""
    (dim,) = subject.inputs
    along = "" if subject.alone and subject.timely else f" with {input_name(subject, dim)}"
    if subject.has(Role.LINE) and len(subject.factors) == 1:
        pace = trends.steady(subject)
        return f"{pace}{'' if ' per ' in pace else along}" if pace else ""
    lone = len(subject.factors) == 1
    if subject.walks(Role.DRIFT) and not subject.fading:
        return f"{walks.doing(subject)}"
    course = trends.course(subject) if lone and not subject.departs else ""
    if course:
        return f"{course}{along}"
    return f"{trends.direction(1 if subject.upwards else -1)} throughout{along}" if subject.rising and not subject.departs else ""


def _noun(subject: Subject) -> str:
    part = phrase_of(subject)
    if subject.cycles and len(subject.cycles) == 1:
        more = f" ({part.aside})" if part.aside else ""
        sizes = [each for each in part.clauses if each.startswith("whose size")]
        return f"{part.head} {listing(sizes)}".rstrip() + more
    return f"{part.head} {where(subject)}".rstrip()


def _background(those: Sequence[Subject]) -> str:
    """short-lived departures that last a few months."""
    lengths = [few(each.axis(each.fading[0]), each.lengthscale(each.fading[0])[0]) for each in those]
    kind = "slow" if all(each.lasting for each in those) else "short-lived"
    return f"{kind} departures that last {listing(list(dict.fromkeys(lengths)))}"
