"""A statement: a level, components that are added to it, and noise; on a scale of the target.

    g(y) = level + component + … + component + noise

A component is one noun with at most two adjectives: a product, never a sum inside a product. What is searched is what is told:
one term, one component, one sentence. The level is always there; its variance is held wide, so that it costs the same in every
statement.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.kernels.bases.constant import Level
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.tree import Expression, Leaf, Product, Sum, owners, unpack
from kernelscribe.statements.adjectives import ADJECTIVES
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.word import HELD, Slot, Values, Word

__all__ = ["LEVEL", "Built", "Part", "Statement", "near"]

# Cycles whose periods are nearer than this, relatively, are one.
_SAME = 0.03
# The variance of the level, for a standardised target: twice its spread, to either side.
LEVEL = 4.0


@dataclass(frozen=True, slots=True)
class Part:
    """One component.

    Attributes:
        held: values of the noun that a fit leaves as they are: the period of the calendar, the place of a jump.
        values: of the noun's factor and of those of the adjectives; none before a fit.
        about: the period that a cycle began with, where it is free: cycles of different periods are not the same component.
    """

    noun: str
    adjectives: tuple[str, ...] = ()
    held: tuple[float, ...] = ()
    values: tuple[Values, ...] = ()
    about: float | None = None

    @property
    def words(self) -> tuple[Word, ...]:
        return NOUNS[self.noun], *(ADJECTIVES[each] for each in self.adjectives)

    @property
    def family(self) -> str:
        return NOUNS[self.noun].family

    @property
    def name(self) -> str:
        own = f"({', '.join(f'{value:.9g}' for value in self.held)})" if self.held else ""
        own += "" if self.about is None else f"(~{self.about:.3g})"
        return " ".join((*self.adjectives, self.noun + own))

    @property
    def placed(self) -> bool:
        return NOUNS[self.noun].placed

    def alike(self, other: "Part") -> bool:
        """Whether the two may stand for the same: cycles of one period, or of overtones of one; and any two that are no cycles,
        of which each follows most of what the other does."""
        if "cycle" not in (self.noun, other.noun):
            return True
        if self.noun != other.noun:
            return False
        ratio = self.values[0][-1] / other.values[0][-1]
        return near(max(ratio, 1 / ratio), (float(max(round(max(ratio, 1 / ratio)), 1)),))

    def slots(self, setting: Setting) -> tuple[tuple[Slot, ...], ...]:
        return tuple(word.slots(setting, self.held if i == 0 else ()) for i, word in enumerate(self.words))

    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(Leaf(word.base.name, 1, values) for word, values in zip(self.words, self.values, strict=True))


@dataclass(frozen=True, slots=True)
class Statement:
    """Components, in the order in which they were found."""

    parts: tuple[Part, ...] = ()
    link: str = "none"
    noise: str = "constant"

    @property
    def name(self) -> str:
        """By which it is known: the same for the same components, whatever their values."""
        said = " + ".join(sorted(part.name for part in self.parts)) or "level"
        return f"{self.link}: {said} ~ {self.noise}"

    def with_part(self, part: Part) -> "Statement":
        return replace(self, parts=(*self.parts, part))

    def without(self, i: int) -> "Statement":
        return replace(self, parts=(*self.parts[:i], *self.parts[i + 1 :]))

    def instead(self, i: int, part: Part) -> "Statement":
        return replace(self, parts=(*self.parts[:i], part, *self.parts[i + 1 :]))

    def grows_to(self, other: "Statement") -> bool:
        """Whether the other is this one with a component more."""
        same = (self.link, self.noise) == (other.link, other.noise)
        return same and [part.name for part in self.parts] == [part.name for part in other.parts[:-1]]

    def simpler(self, other: "Statement") -> tuple[int, Part | None] | None:
        """Where the other leaves out a component of this one, or an adjective of it: which, and what is left of it."""
        for i, part in enumerate(self.parts):
            if self.without(i).name == other.name:
                return i, None
            if i < len(other.parts) and set(other.parts[i].adjectives) < set(part.adjectives):
                if self.instead(i, other.parts[i]).name == other.name and other.parts[i].noun == part.noun:
                    return i, other.parts[i]
        return None

    @property
    def expr(self) -> Expression:
        """As a kernel."""
        return _sum([part.leaves() for part in self.parts])

    def built(self, setting: Setting) -> "Built":
        """As a kernel, with what a fit needs to know of every coordinate."""
        leaves = [part.leaves() for part in self.parts]
        expr = _sum(leaves)
        known = {id(leaf): (p, f) for p, own in enumerate(leaves) for f, leaf in enumerate(own)}
        where = tuple(known.get(id(owner)) for owner in owners(expr))
        slots = [part.slots(setting) for part in self.parts]
        each = tuple(slot for at in where for slot in ((HELD,) if at is None else slots[at[0]][at[1]]))
        return Built(self, expr, Form.of(expr), where, each)


def near(period: float, others: Iterable[float]) -> bool:
    """Whether a period is one of the others."""
    return any(abs(period / other - 1) < _SAME for other in others)


def _sum(leaves: Sequence[tuple[Leaf, ...]]) -> Expression:
    level = Leaf(Level.name, 1, (LEVEL,))
    terms: list[Expression] = [own[0] if len(own) == 1 else Product(own) for own in leaves]
    return Sum((level, *terms)) if terms else level


@dataclass(frozen=True)
class Built:
    """A statement as a kernel.

    Attributes:
        where: of every owner of values, its part and its factor; None for the level.
        slots: of every coordinate.
    """

    statement: Statement
    expr: Expression
    form: Form
    where: tuple[tuple[int, int] | None, ...]
    slots: tuple[Slot, ...]

    @property
    def count(self) -> int:
        """Values that were chosen: those that are free, and places among the rows."""
        placed = sum(len(part.held) for part in self.statement.parts if NOUNS[part.noun].placed)
        return int(self.free.sum()) + placed

    @property
    def free(self) -> NDArray[np.bool_]:
        return np.array([slot.density is not None for slot in self.slots], dtype=bool)

    @property
    def ends(self) -> Array:
        return np.array([slot.ends for slot in self.slots])

    def prior(self, u: Array) -> tuple[float, Array]:
        """Its logarithm, and its slope in every coordinate."""
        value, slope = 0.0, np.zeros(len(self.slots))
        for i, slot in enumerate(self.slots):
            if slot.density is not None:
                own, slope[i] = slot.density(float(u[i]))
                value += own
        return value, slope

    def at(self, theta: Array) -> Statement:
        """The statement with the values of these coordinates."""
        values: list[list[Values]] = [[()] * len(part.words) for part in self.statement.parts]
        for at, owner in zip(self.where, owners(unpack(self.expr, theta)), strict=True):
            if at is not None:
                values[at[0]][at[1]] = owner.values or ()
        parts = tuple(replace(part, values=tuple(own)) for part, own in zip(self.statement.parts, values, strict=True))
        return replace(self.statement, parts=parts)
