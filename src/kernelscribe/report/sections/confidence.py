"""The fifth section: how sure the choice is, what it could not be told from, and how good past forecasts would have been."""

import math
from collections.abc import Iterator

from kernelscribe.engines.spectral.engine import MANY_ROWS
from kernelscribe.kernels.language import parse
from kernelscribe.kernels.tree import text
from kernelscribe.model.verdict import Rival
from kernelscribe.report import figures
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Block, Bullets, Callout, Details, Figure, Mono, Paragraph, Part, Section, Table, Text
from kernelscribe.report.sections.backtest import past, past_verdict
from kernelscribe.report.words.english.quantities import count_word, listing, number, percent
from kernelscribe.report.words.english.readings import nats, odds, times
from kernelscribe.report.words.english.rivals import difference

__all__ = ["sure", "verdict"]

# Differences of BIC below this are worth nothing.
_NOTHING = 1.0
# Noise alone is drawn beside the kernels where it is no further from them than this.
_NEAR = 50.0
# Of the kernel's variance: less than this may be left out of its curves unsaid.
_LACKS = 0.01


def verdict(view: View) -> tuple[Part, ...]:
    """In a sentence or two."""
    return (f"{_choice(view)}{_ended(view)}{past_verdict(view)}",)


def _choice(view: View) -> str:
    found, rivals = view.analysis.verdict, view.analysis.verdict.rivals
    if not rivals:
        return "No other description was fitted that this one could be held against."
    open_ = sum(not each.told for each in rivals)
    if open_:
        which = "One other description explains" if open_ == 1 else f"{count_word(open_).capitalize()} other descriptions explain"
        return f"{which} the data so nearly as well that the scores do not tell {'the two' if open_ == 1 else 'them'} apart."
    gap = min(found.bic.lower - each.bic.upper for each in rivals)
    if _apart(view) or gap < 0:
        return "No other description that was tried explains the data as well."
    return (
        f"The next best description is at least {nats(gap)} nats behind, a lead that is {odds(gap)}: by the BIC it is "
        f"{times(gap)} less probable."
    )


def _apart(view: View) -> bool:
    """Whether the rivals were scored on a part of the rows, and the chosen kernel on all of them."""
    config = view.model.config
    return config.strategy == "subset" and view.rows > config.subset


def _ended(view: View) -> str:
    stopped = view.analysis.verdict.stopped
    return f" The search ended before it was done ({stopped}), so what is better may have been missed." if stopped else ""


def sure(view: View) -> Section:
    """How sure are we."""
    found = view.analysis.verdict
    if found.kernel is None:
        said = f"There is no model to be sure of: {found.decision}."
        return Section("How sure are we?", (Paragraph(f"{said}{_ended(view)}"),), "sure")
    score = Paragraph(Text((*_score(view),)))
    blocks: list[Block] = [*_warnings(view), score, *_interval(view), *_noise(view), *_rivals(view), _bounds(view)]
    blocks += past(view) if view.structure else ()
    return Section("How sure are we?", tuple(blocks), "sure")


def _warnings(view: View) -> Iterator[Block]:
    found = view.analysis.verdict
    if view.few:
        yield Callout(
            "warning", f"With {count_word(view.rows)} rows nothing below can be judged: scores of so few rows are chance."
        )
    if found.stopped:
        yield Callout("warning", f"The search ended early: {found.stopped}. Better descriptions may have been missed.")
    if found.at_bound:
        many = len(found.at_bound) > 1
        yield Callout(
            "warning",
            f"{'These values' if many else 'One value'} of the kernel ended on the edge of the range that is allowed for "
            f"{'them' if many else 'it'}: {listing(found.at_bound)}. What is said about {'them' if many else 'it'} is not to be "
            "relied on.",
        )
    if view.model.posterior.lacks > _LACKS:
        yield Callout(
            "warning",
            f"The kernel varies faster than can be followed over so many rows: what is said about components rests on "
            f"{view.model.posterior.basis}, which leave out {percent(view.model.posterior.lacks)} of its variance. Curves are "
            "smoother than they should be, and their bands wider.",
        )


def _score(view: View) -> Iterator[Part]:
    found = view.analysis.verdict
    yield (
        "Descriptions are compared by their BIC: the logarithm of how probable they make the data, less a charge for every value "
        "that was fitted. More is better. Differences are in nats: one nat makes a description e = 2.7 times more probable than "
        "another, if both were equally likely before; below one, a difference means nothing; from one to five it is moderate; "
        "above five, decisive. The chosen kernel is "
    )
    yield Mono(found.kernel or "")
    yield f". {_decision(found.decision)}"


def _decision(decision: str) -> str:
    return f"The choice is {decision}." if decision.startswith("left open") else f"It was chosen {decision}."


def _interval(view: View) -> Iterator[Block]:
    """What is known of the chosen kernel's score."""
    bic, rows = view.analysis.verdict.bic, f"all {view.rows:,} rows"
    low, high = nats(bic.lower), nats(bic.upper)
    if not math.isfinite(bic.lower):
        return
    if bic.pointlike:
        yield Paragraph(f"Its own BIC is {nats(bic.middle)}, by {rows}.")
    elif math.isfinite(bic.upper):
        yield Paragraph(
            f"Its own BIC is certified: the true value, by {rows}, lies between {low} and {high}, an interval "
            f"{nats(bic.width)} nats wide."
        )
    else:
        yield Paragraph(f"Its own BIC, by {rows}, is certified to be at least {low}; from above it could not be bounded.")


def _noise(view: View) -> Iterator[Block]:
    found = view.analysis.verdict
    gap = found.bic.lower - found.noise_bic
    if not found.structure:
        yield Paragraph(
            "No kernel exceeds the BIC of noise alone, without any structure: what the kernel seems to find, chance would show "
            "as well."
        )
    elif gap < _NOTHING and not view.few:
        yield Paragraph(
            "The chosen kernel is not certain to lie above noise alone by as much as a nat, so there may be no structure at all."
        )
    elif not view.few:
        better = f"It is at least {number(gap, 4)} nats better than noise alone, without any structure"
        yield Paragraph(f"{better}, which is {odds(gap)}.")


def _rivals(view: View) -> Iterator[Block]:
    found = view.analysis.verdict
    if not found.rivals:
        yield Paragraph("No other kernel was fitted that it could be held against.")
        return
    if _apart(view):
        yield Paragraph(
            f"The kernels were compared on {view.model.config.subset:,} of the rows, and the chosen one fitted to all of them "
            "afterwards, so the scores below are not to be held against its own."
        )
    else:
        yield _figure(view)
    yield _table(view)
    open_ = [each for each in found.rivals if not each.told]
    if open_:
        one = len(open_) == 1
        yield Paragraph(
            f"The scores do not tell {'this kernel' if one else 'these kernels'} from the chosen one. "
            f"What {'it' if one else 'each'} would mean instead:"
        )
        yield Bullets(tuple(Text((Mono(_name(view, each)), f": {difference(view, each)}")) for each in open_))


def _name(view: View, rival: Rival) -> str:
    return text(parse(rival.kernel), inputs=len(view.model.axes))


def _figure(view: View) -> Figure:
    found = view.analysis.verdict
    ranks = [(found.kernel or "", found.bic.lower, found.bic.upper)]
    ranks += [(_name(view, each), each.bic.lower, each.bic.upper) for each in found.rivals]
    if found.noise_bic > min(low for _, low, _ in ranks) - _NEAR:
        ranks.append(("noise alone", found.noise_bic, found.noise_bic))
    return Figure(
        figures.intervals(ranks),
        "The BIC of the chosen kernel (first) and of its best rivals, in nats below the best of them. Where an exact value is "
        "not known, a bar reaches from the lower to the upper bound.",
        f"Scores of {len(ranks)} kernels, the chosen one first.",
        "rivals",
    )


def _table(view: View) -> Table:
    rows = tuple((Text((Mono(_name(view, each)),)), *_compared(view, each)) for each in view.analysis.verdict.rivals)
    return Table(
        ("Kernel", "BIC", "Behind by (nats)", "That is"),
        rows,
        f"The best kernels that were not chosen.{_last_climb(view)}",
        ("left", "right", "right", "left"),
    )


def _last_climb(view: View) -> str:
    """Beyond so many rows not every rival's values are as well fitted as the chosen kernel's."""
    found = view.analysis.verdict
    if found.engine != "spectral" or view.rows <= MANY_ROWS or len(found.rivals) == 1:
        return ""
    return (
        " With so many rows only the chosen kernel and the next best had their values fitted to the end, so the others may lie "
        "nearer than is said here."
    )


def _compared(view: View, rival: Rival) -> tuple[str, str, str]:
    own, other = view.analysis.verdict.bic, rival.bic
    low, high = nats(other.lower), nats(other.upper)
    score = low if low == high else f"{low} to {high}"
    if _apart(view):
        return score, "–", "lower on the same rows" if rival.told else "not told from it"
    least, most = own.lower - other.upper, own.upper - other.lower
    gap = nats(least) if nats(least) == nats(most) else f"{nats(least)} to {nats(most)}"
    if most < 0:
        return score, gap, "ahead by less than its size is worth"
    if not rival.told or least < 0:
        return score, gap, "left open"
    return score, gap, f"{odds(least)}: {times(least)} less probable" if least >= _NOTHING else "next to nothing"


def _bounds(view: View) -> Details:
    exact = nats(view.analysis.verdict.bic.lower) == nats(view.analysis.verdict.bic.upper)
    here = (
        "For the chosen kernel both agree to the second decimal."
        if exact
        else "For the chosen kernel they leave the interval that is given above."
    )
    return Details(
        "What lower and upper bounds mean",
        (
            Paragraph(
                "How probable a kernel makes the data is costly to compute for many rows. Instead two numbers are computed "
                "between which it must lie: a lower and an upper bound, both proven, so that no approximation hides in a "
                "comparison. If the lower bound of one kernel is above the upper bound of another, the first one is better, "
                f"without any doubt that more arithmetic could remove. If their intervals overlap, it is left open. {here} The "
                "bounds hold at the fitted values; that better values exist which the fit did not find, no bound excludes."
            ),
        ),
    )
