"""From a statement to its neighbours: a noun or an adjective more or less, another in its place, another scale, another noise.

Each move is a statement with several sets of values to begin with. Those that the parent had are inherited; what is new begins
with what the scan has seen, and with its own starts.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kernelscribe.noises import NOISES
from kernelscribe.statements.adjectives import ADJECTIVES
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.scan import Scan, Sight
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.statement import Part, Statement, near
from kernelscribe.statements.word import Values, Word

__all__ = ["Neighbourhood", "beginnings", "without_each"]

# Of what is left unexplained, so much is a new component given to begin with.
_SHARE = 0.3
# And of the target's variance, so much at least.
_LEAST = 1e-3
# A trend that takes the place of another begins with so much of the target's variance.
_TREND = 0.1
# A drift is a trend with departures that last; these begin with so much of it, and of the span.
_OF_DRIFT = 0.2
_LASTING = 0.1
# A new cycle that changes does so over so much of the span, and so many of its periods at least.
_CHANGES = 0.3
_PERIODS = 3.0
# A cycle of the calendar that the scan sees nothing of is not worth a fit.
_SEEN = 1.0
# Families of which a statement has one.
_ONE = ("trend", "drift", "smooth", "rough")
# Families that have a length.
_SHORT = ("smooth", "rough")
# A place must be worth so many nats, beside the choice of it, to be worth a fit.
_WORTH = 2.0


def beginnings(setting: Setting, links: Iterable[str]) -> Iterator[tuple[Statement, ...]]:
    """What a search begins with: noise alone, and every trend and background by itself, on every scale of the target."""
    for link in links:
        level = Statement(link=link)
        yield (level,)
        for noun in NOUNS.values():
            if noun.family in _ONE:
                yield tuple(level.with_part(part) for part in _fresh(Part(noun.name), setting, _SHARE))


def without_each(statement: Statement) -> Iterator[tuple[Statement, ...]]:
    """Every component left out in turn."""
    return ((statement.without(i),) for i in range(len(statement.parts)))


@dataclass(frozen=True)
class Neighbourhood:
    """What is known where a statement is to be changed.

    Attributes:
        left: the variance of its noise, for a standardised target.
        links: scales that the target may be told on.
    """

    statement: Statement
    setting: Setting
    scan: Scan
    left: float
    links: tuple[str, ...]

    def moves(self) -> Iterator[tuple[Statement, ...]]:
        """Each as starts of one new statement."""
        yield from self._nouns()
        yield from self._trend_and_departures()
        yield from self._cycles()
        yield from self._adjectives()
        yield from self._periods()
        yield from self._places()
        yield from self._others()
        # What was found since may do without what was there before.
        yield from without_each(self.statement) if len(self.statement.parts) > 1 else ()

    def seen(self) -> Iterator[tuple[Statement, ...]]:
        """Those that the scan proposes."""
        yield from self._cycles()
        yield from self._places()

    @property
    def _size(self) -> float:
        return max(_SHARE * self.left, _LEAST)

    def _has(self, family: str) -> int | None:
        return next((i for i, part in enumerate(self.statement.parts) if part.family == family), None)

    def _nouns(self) -> Iterator[tuple[Statement, ...]]:
        """One that there is none of its family of; and in the place of another, unless its family stands elsewhere."""
        families = {part.family for part in self.statement.parts}
        for noun in NOUNS.values():
            if noun.family not in _ONE:
                continue
            if noun.family not in families:
                yield tuple(self.statement.with_part(part) for part in _fresh(Part(noun.name), self.setting, self._size))
            for i, old in enumerate(self.statement.parts):
                free = noun.family == old.family or noun.family not in families
                if old.family in _ONE and old.noun != noun.name and free:
                    yield tuple(self.statement.instead(i, part) for part in self._in_place(old, noun))

    def _in_place(self, old: Part, noun: Word) -> Iterator[Part]:
        """With the values of what it takes the place of, where they mean the same; else with starts of its own."""
        if noun.family == old.family == "rough":
            yield replace(old, noun=noun.name)
        else:
            yield from _fresh(Part(noun.name), self.setting, _TREND)

    def _trend_and_departures(self) -> Iterator[tuple[Statement, ...]]:
        """A level that wanders may be a trend with departures that last."""
        i = self._has("drift")
        if i is None or self._has("rough") is not None or self._has("trend") is not None:
            return
        setting, (size, _) = self.setting, self.statement.parts[i].values[0]
        departs = (_OF_DRIFT * size * setting.extent.span, _LASTING * setting.extent.span)
        for trend in ("line", "bend"):
            for rough in ("rough", "departures"):
                yield tuple(
                    self.statement.instead(i, part).with_part(Part(rough, values=(departs,)))
                    for part in _fresh(Part(trend), setting, _TREND)
                )

    def _cycles(self) -> Iterator[tuple[Statement, ...]]:
        """Those of the calendar, fixed, and those that stand out; as they are, and changing."""
        known = [part.values[0][-1] for part in self.statement.parts if part.noun == "cycle"]
        calendar = [each for each in self.scan.calendar if not near(each.values[0], known) and each.nats > _SEEN]
        free = [each for each in self.scan.periods if not near(each.values[0], (*known, *self.setting.calendar))]
        for sights, fixed in ((calendar, True), (free, False)):
            for sight in sights:
                for adjectives in ((), ("changing",)):
                    yield tuple(self._cycle(sight, fixed, adjectives))

    def _cycle(self, sight: Sight, fixed: bool, adjectives: tuple[str, ...]) -> Iterator[Statement]:
        (period,) = sight.values
        pace = max(_CHANGES * self.setting.extent.span, _PERIODS * period)
        starts = NOUNS["cycle"].starts(self.setting, self._size, (period,))
        beside = [(self.statement, own) for own in starts]
        for statement, own in (*beside, *_longer(self.statement, starts[0])):
            values = (own, *((1.0, pace) for _ in adjectives))
            free = replace(Part("cycle", adjectives, values=values), about=period)
            yield statement.with_part(replace(free, held=(period,), about=None) if fixed else free)

    def _adjectives(self) -> Iterator[tuple[Statement, ...]]:
        """Of a cycle one more, or one less."""
        for i, part in enumerate(self.statement.parts):
            if part.noun != "cycle":
                continue
            for name, adjective in ADJECTIVES.items():
                if name in part.adjectives:
                    yield (self.statement.instead(i, _less(part, name)),)
                else:
                    starts = adjective.starts(self.setting, 1.0, ())
                    yield tuple(self.statement.instead(i, _more(part, name, own)) for own in starts)

    def _periods(self) -> Iterator[tuple[Statement, ...]]:
        """A period of the calendar may be free, and one that is all but the calendar's fixed."""
        for i, part in enumerate(self.statement.parts):
            if part.noun != "cycle":
                continue
            if part.held:
                yield (self.statement.instead(i, replace(part, held=(), about=part.held[0])),)
            else:
                (size, shape, period), *others = part.values
                for fixed in (each for each in self.setting.calendar if near(each, (period,))):
                    new = replace(part, held=(fixed,), about=None, values=((size, shape, fixed), *others))
                    yield (self.statement.instead(i, new),)

    def _places(self) -> Iterator[tuple[Statement, ...]]:
        seen = (("step", self.scan.steps), ("kink", self.scan.kinks), ("spell", self.scan.spells), ("spell", self.scan.outliers))
        for noun, sights in seen:
            for sight in sights[:1]:
                if sight.nats > _WORTH + math.log(self.setting.rows):
                    part = Part(noun, held=sight.values)
                    yield tuple(self.statement.with_part(each) for each in _fresh(part, self.setting, self._size))

    def _others(self) -> Iterator[tuple[Statement, ...]]:
        """On another scale of the target, or with noise that varies."""
        yield from ((replace(self.statement, link=link),) for link in self.links if link != self.statement.link)
        yield from ((replace(self.statement, noise=noise),) for noise in NOISES if noise != self.statement.noise)


def _longer(statement: Statement, cycle: Values) -> Iterator[tuple[Statement, Values]]:
    """Where something comes and goes within a period it follows the cycle too: the same, no shorter than that, and a cycle of
    which most of it was."""
    period, size, parts = cycle[-1], cycle[0], list(statement.parts)
    for i, part in enumerate(parts):
        if part.family in _SHORT and part.values[0][1] < period:
            parts[i] = replace(part, values=((part.values[0][0], period), *part.values[1:]))
            size = max(size, _SHARE * part.values[0][0])
    if size > cycle[0]:
        yield replace(statement, parts=tuple(parts)), (size, *cycle[1:])


def _fresh(part: Part, setting: Setting, size: float) -> Iterator[Part]:
    """The part with each of its starts."""
    return (replace(part, values=(own,)) for own in NOUNS[part.noun].starts(setting, size, part.held))


def _more(part: Part, adjective: str, values: Values) -> Part:
    return replace(part, adjectives=(*part.adjectives, adjective), values=(*part.values, values))


def _less(part: Part, adjective: str) -> Part:
    at = part.adjectives.index(adjective)
    left = tuple(each for each in part.adjectives if each != adjective)
    return replace(part, adjectives=left, values=(*part.values[: at + 1], *part.values[at + 2 :]))
