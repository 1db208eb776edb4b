"""What was told beside what is true: components matched, counted, steps dated and sized, false finds. Pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from statement_draws import Draw, Part

# A true component is matched by a told one, or by the sum of two, whose correlation with it is at least this.
ALIKE = 0.9
# Rows by which a step may be dated wrong: one step of the sampling.
DATED = 1
# The share by which its size may be wrong.
SIZED = 0.1
# Kernels of a background: where nothing of the kind is there, one that is told alone counts for no finding.
BACKGROUND = frozenset({"ROUGH", "MATERN"})
SHORT = frozenset({"rough", "matern"})
CYCLES = frozenset({"PER", "CYCLE"})
BREAKS = frozenset({"STEP", "KINK", "SPELL", "CHANGE", "WINDOW"})
# A term that is one of these alone is a step: the second is a level on one side of a change.
STEPS = frozenset({"STEP", "CHANGE"})
# A period is found where it is this near to the true one, as a share of it.
NEAR = 0.01


@dataclass(frozen=True, eq=False)
class Told:
    """A component that was told: the kernels that its term is a product of, its mean at the rows, and periods of its cycles."""

    kinds: tuple[str, ...]
    mean: np.ndarray
    periods: tuple[float, ...] = ()

    @property
    def background(self) -> bool:
        return len(self.kinds) == 1 and self.kinds[0] in BACKGROUND


def told(components: Sequence[Any]) -> list[Told]:
    """The components of an analysis."""
    return [
        Told(
            tuple(factor.kind for factor in each.term.factors),
            each.mean,
            tuple(float(factor["period"]) for factor in each.term.factors if factor.kind in CYCLES),
        )
        for each in components
    ]


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Of two curves about their means; 0 where one does not move."""
    a, b = a - a.mean(), b - b.mean()
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size > 0 else 0.0


def alike(values: np.ndarray, found: Sequence[Told]) -> tuple[float, float]:
    """The best correlation with one told component, and with the sum of two; 0 where there are too few."""
    one = max((correlation(values, each.mean) for each in found), default=0.0)
    two = max((correlation(values, a.mean + b.mean) for a, b in combinations(found, 2)), default=0.0)
    return one, two


def counted(parts: Sequence[Part], found: Sequence[Told]) -> int:
    """How many components are told. A background counts where something short is there, or where it stands for what is there."""
    if any(part.noun in SHORT for part in parts):
        return len(found)
    return sum(not each.background or any(correlation(part.values, each.mean) >= ALIKE for part in parts) for each in found)


def matched(part: Part, found: Sequence[Told]) -> dict[str, Any]:
    one, two = alike(part.values, found)
    return {"noun": part.noun, "one": one, "two": two, "matched": max(one, two) >= ALIKE}


def jump(each: Told) -> tuple[int, float]:
    """The row at which a told step has jumped, and by how much."""
    moves = np.diff(each.mean)
    row = int(np.argmax(np.abs(moves)))
    return row + 1, float(moves[row])


def dated(part: Part, found: Sequence[Told]) -> dict[str, Any]:
    """A true step beside the told one that is nearest to it in time."""
    row, size = part.row or 0, part.size or 0.0
    jumps = [jump(each) for each in found if len(each.kinds) == 1 and each.kinds[0] in STEPS]
    if not jumps:
        return {"row": row, "size": size, "told_row": None, "told_size": None, "dated": False, "sized": False}
    at, much = min(jumps, key=lambda each: abs(each[0] - row))
    near = abs(at - row) <= DATED
    return {
        "row": row, "size": size, "told_row": at, "told_size": much,
        "dated": near, "sized": near and abs(much - size) <= SIZED * abs(size),
    }  # fmt: skip


def score(draw: Draw, found: Sequence[Told], link: str) -> dict[str, Any]:
    """All that is said of one draw."""
    return {
        "recipe": draw.recipe, "times": draw.times.kind, "large": draw.large, "growing": draw.growing,
        "true": len(draw.parts), "told": counted(draw.parts, found), "told_all": len(found),
        "terms": ["*".join(each.kinds) for each in found],
        "parts": [matched(part, found) for part in draw.parts],
        "steps": [dated(part, found) for part in draw.parts if part.noun == "step"],
        "link": draw.link, "told_link": link,
    }  # fmt: skip


def finds(found: Sequence[Told]) -> dict[str, int]:
    """Cycles; steps, kinks, spells and gates; and single rows that are told as odd."""
    single = [_single(each) for each in found]
    return {
        "cycles": sum(bool(CYCLES & set(each.kinds)) for each in found),
        "breaks": sum(bool(BREAKS & set(each.kinds)) and not odd for each, odd in zip(found, single, strict=True)),
        "outliers": sum(single),
    }


def _single(each: Told) -> bool:
    """Whether it is a spell of one row."""
    return each.kinds == ("SPELL",) and int((np.abs(each.mean - np.median(each.mean)) > 0).sum()) == 1


def periods_found(true: Sequence[float], found: Sequence[Told]) -> list[bool]:
    """Whether each true period is told; multiples and fractions do not count."""
    periods = [period for each in found for period in each.periods]
    return [any(abs(each / period - 1) <= NEAR for each in periods) for period in true]
