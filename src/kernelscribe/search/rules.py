"""Strategies: which moves a search makes, how it ranks kernels, and which ones grow.

Ranks round the score to a millionth of a nat and break ties by the kernel's text: machines whose last digits differ agree.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kernelscribe.effort import Effort
from kernelscribe.fit.facts import Behind, Fit, Screened
from kernelscribe.kernels.form import expand
from kernelscribe.kernels.laws import distribute
from kernelscribe.kernels.tree import text

__all__ = ["STATEMENTS", "STRATEGIES", "Rules", "drops", "grows", "overtaken", "ranked", "rounds", "score", "undecided"]

# Digits of a nat by which kernels are ranked.
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Rules:
    """A strategy.

    Attributes:
        moves: by which kernels grow, in this order.
        by: the end of the BIC interval that ranks: `upper`, `lower` or `middle`, which on waves is the lower one.
        letter: which kernels grow is decided by the paper's Algorithm 1, its intervals are used as they are, and none is dropped.
        decides: contenders whose intervals overlap are told apart by exact values where the rows allow it.
        stops: the search ends with the first round that gains nothing to speak of.
        renews: the best kernel is fitted once more from shaken copies of its values.
        plain: a step that gains less than a nat is not taken: what it grew from is chosen.
        everywhere: cycles are looked for along every input, as in the paper, not only along what comes round.
        tells: along one input, statements are searched instead of kernels.
    """

    moves: tuple[str, ...]
    by: str
    letter: bool = False
    decides: bool = False
    stops: bool = False
    renews: bool = False
    plain: bool = False
    everywhere: bool = True
    tells: bool = False


_GREEDY = Rules(("extend", "swap"), "middle", stops=True)
STRATEGIES: Mapping[str, Rules] = {
    "auto": Rules(
        ("extend", "switch", "drop"), "middle", decides=True, stops=True, renews=True, plain=True, everywhere=False, tells=True
    ),
    "skc": Rules(("extend",), "upper", letter=True),
    "skc-lb": Rules(("extend",), "lower"),
    "cks": _GREEDY,
    "subset": _GREEDY,
}


# The search over statements, which has its own moves: ranked by what integrating over their values leaves of the evidence.
STATEMENTS = Rules((), "score", stops=True, everywhere=False)


def rounds(rows: int, best: Fit, effort: Effort) -> int:
    """How deep a search goes that was not told: fewer than ten rows tell base kernels apart at best, many take their time. A long
    record resolves more: a series has one round more, until rows are vast."""
    return effort.of(rows, len(best.scales.inputs), best.traits).rounds


def score(fit: Fit, by: str) -> float:
    """The number that ranks a fit; −inf for one that may not be ranked."""
    if not fit.usable:
        return -math.inf
    if fit.score is not None:
        return round(fit.score.middle, _DIGITS)
    # Waves bound tightly or not at all: a wide interval there tells of digits that are lost, not of evidence that may be found.
    middle = fit.bic.lower if fit.traits.low else fit.bic.middle
    # What rounding may be worth is no hope: it would put kernels first that nobody can compute.
    rounding = fit.evidence.rounding
    return round({"upper": fit.bic.upper - rounding, "lower": fit.bic.lower + rounding, "middle": middle}[by], _DIGITS)


def undecided(rules: Rules, fit: Fit, effort: Effort) -> bool:
    """Whether an exact value may tell this fit from others where its interval does not: if it can be had, and was not tried."""
    affordable = fit.scales.rows <= effort.affordable_rows
    return rules.decides and affordable and fit.usable and fit.bic.width > effort.narrow and fit.reason is None


def ranked(fits: Mapping[str, Fit], names: Iterable[str], by: str) -> list[str]:
    """Those of the names that may be ranked, best first."""
    return sorted((name for name in names if fits[name].usable), key=lambda name: (-score(fits[name], by), name))


def grows(
    rules: Rules, fits: Mapping[str, Fit], best: str, children: Sequence[str], buffer: int, rows: int, effort: Effort
) -> list[str]:
    """The kernels that grow next, best first; those that have grown before may be among them.

    To the letter: of the candidates so far, all whose intervals overlap with that of the best kernel, if they are fewer than the
    buffer; else those with the highest upper bounds. Otherwise the highest in rank within reach of the best.
    """
    if rules.letter:
        order = ranked(fits, children, rules.by)
        near = [name for name in order if fits[name].bic.overlaps(fits[best].bic)]
        return near if len(near) < buffer else order[:buffer]
    order, reach = ranked(fits, fits, rules.by)[:buffer], effort.of(rows, len(fits[best].scales.inputs)).reach
    near = [name for name in order if score(fits[name], rules.by) >= score(fits[best], rules.by) - reach]
    return _plainest(fits, near, rules.by, effort.reach) if rows > effort.many_rows else near


def _plainest(fits: Mapping[str, Fit], names: Sequence[str], by: str, reach: float) -> list[str]:
    """Of kernels that are the same when they are multiplied out, as SE*(SE + PER) and SE + SE*PER are, only the one that is
    multiplied out furthest: what grows from it changes fewer terms, and every value is dear where rows are many. One that is far
    behind the best of them has ended at a worse top, and is not it."""
    found: dict[tuple[str, ...], str] = {}
    for name in names:
        same = tuple(sorted(text(part) for part in distribute(fits[name].expr)))
        first = found.setdefault(same, name)
        near = score(fits[name], by) >= score(fits[first], by) - reach
        if near and _uses(fits[name]) < _uses(fits[first]):
            found[same] = name
    return list(found.values())


def _uses(fit: Fit) -> int:
    """Leaves of all terms together."""
    return sum(len(term) for term in expand(fit.expr))


def drops(screened: Mapping[str, Screened], rows: int, effort: Effort, *, sharp: bool) -> dict[str, Behind]:
    """Of kernels that were screened, those too far behind the best of them to be polished, with the reason."""
    margin = effort.margin + (0.0 if sharp else effort.looseness * rows)
    best = max((each.score for each in screened.values()), default=-math.inf)
    return {
        name: Behind(each.score, each.hope, best)
        for name, each in screened.items()
        if each.hope < best - margin and each.score < best
    }


def overtaken(
    waiting: Mapping[str, Screened], polished: Iterable[tuple[Screened, Fit]], best: float, effort: Effort
) -> dict[str, Behind]:
    """Of kernels that wait to be polished, those that stay behind the best BIC so far even if polishing raises them as much as it
    has raised any other, with the reason."""
    # An interval on waves that has lost its digits reaches far above anything, and would keep all that wait.
    rises = [(fit.bic.lower if fit.traits.low else fit.bic.upper) - each.score for each, fit in polished if fit.usable]
    rise = max(rises, default=math.inf)
    return {
        name: Behind(each.score, each.hope, best, rise)
        for name, each in waiting.items()
        if max(each.hope, each.score + rise) < best - effort.margin
    }
