"""What is said of how sure the choice is, and what it could not be told from."""

import math
from collections.abc import Iterator

from kernelscribe.outcome import Decision, DecisionKind, Rival
from kernelscribe.report.description import choice
from kernelscribe.report.description.choice import NOTHING
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Link, Mono, Prose, TableBlock, Text
from kernelscribe.report.words.english import backtest, facts
from kernelscribe.report.words.english.instead import instead as instead_of
from kernelscribe.report.words.english.numbers import count_word, listing, number, percent
from kernelscribe.report.words.english.readings import nats, times
from kernelscribe.report.words.english.worth import odds

__all__ = [
    "BOUNDS_TITLE",
    "CHOSEN",
    "LINK",
    "NO_RIVALS",
    "TITLE",
    "bounds",
    "chart",
    "chosen",
    "differences",
    "instead",
    "interval",
    "label",
    "no_model",
    "noise",
    "score",
    "subset",
    "table",
    "verdict",
    "warnings",
]

TITLE = "How sure are we?"
# So many other descriptions are told in a sentence.
_NAMED = 2
_STEPS = (
    "Differences are in nats: one nat makes a description e = 2.7 times more probable than another, if both were equally likely "
    "before. Below one, a difference means next to nothing; from one to three it is weak, to five good, to ten strong, and above "
    "ten beyond doubt."
)
LINK = Link(TITLE, "sure")
BOUNDS_TITLE = "What lower and upper bounds mean"
CHOSEN = "what this report tells"
NO_RIVALS = "No other kernel was fitted that it could be held against."


def verdict(view: View) -> str:
    """In a sentence or two."""
    return f"{_choice(view)}{_ended(view)}{backtest.verdict(view)}"


def _choice(view: View) -> str:
    if not view.findings.outcome.rivals:
        return "No other description was fitted that this one could be held against."
    n = len(choice.undecided(view))
    if n:
        many = f"{count_word(n).capitalize()} other descriptions explain"
        which, who = ("One other description explains", "the two") if n == 1 else (many, "them")
        said = f"{which} the data so nearly as well that the scores do not tell {who} apart"
        others = [instead_of(view, each) for each in choice.undecided(view)]
        return f"{said}: {'; '.join(others)}." if n <= _NAMED else f"{said}."
    gap = choice.lead(view)
    if gap is None:
        return "No other description that was tried explains the data as well."
    by = "its evidence" if choice.told(view) else "the BIC"
    which = instead_of(view, view.findings.outcome.rivals[0])
    return f"The next best description ({which}) is at least {nats(gap)} nats behind: by {by} it is {times(gap)} less probable."


def _ended(view: View) -> str:
    stopped = view.findings.outcome.stopped
    if stopped is None:
        return ""
    return f" The search ended before it was done ({facts.stop(stopped)}), so what is better may have been missed."


def no_model(view: View) -> str:
    """Where there is nothing to be sure of."""
    return f"There is no model to be sure of: {facts.decision(view.findings.outcome.decision)}.{_ended(view)}"


def warnings(view: View) -> Iterator[str]:
    """What must not be overlooked."""
    found, posterior = view.findings.outcome, view.model.posterior
    if view.few:
        yield f"With {count_word(view.rows)} rows nothing below can be judged: scores of so few rows are chance."
    if found.stopped:
        yield f"The search ended early: {facts.stop(found.stopped)}. Better descriptions may have been missed."
    edges = [each for each in found.at_bound if not facts.unsaid(each)]
    if edges:
        many = len(edges) > 1
        yield (
            f"{'These values' if many else 'One value'} of the kernel ended on the edge of the range that is allowed for "
            f"{'them' if many else 'it'}: {listing([facts.at_bound(each) for each in edges])}. What is said about "
            f"{'them' if many else 'it'} is not to be relied on."
        )
    if choice.lacks(view):
        yield (
            f"The kernel varies faster than can be followed over so many rows: what is said about components rests on "
            f"{posterior.basis}, which leave out {percent(posterior.lacks)} of its variance. Curves are "
            "smoother than they should be, and their bands wider."
        )


def score(view: View) -> Text:
    """What descriptions are compared by, and how this one was chosen."""
    found = view.findings.outcome
    said = _evidence(view) if choice.told(view) else _bic()
    return Text((f"{said} {_STEPS} The chosen kernel is ", Mono(found.kernel or ""), f". {_decision(found.decision)}"))


def _evidence(view: View) -> str:
    effort = view.model.config.effort
    return (
        "Descriptions are compared by their evidence: the logarithm of how probable they make the data, averaged over all values "
        "that their parts could have (by Laplace's approximation: the best values, and how sharply the data single them out), "
        "less what it costs to choose one from so many. More is better. A further part must gain "
        f"{effort.statement_margin:g} nats, since the best of several useless ones would often gain one or two by chance, and of "
        "descriptions that are within that of the best, the plainest is told."
    )


def _bic() -> str:
    return (
        "Descriptions are compared by their BIC: the logarithm of how probable they make the data, less a charge for every value "
        "that was fitted. More is better."
    )


def _decision(decision: Decision) -> str:
    how = facts.decision(decision)
    return f"The choice is {how}." if decision.kind in (DecisionKind.OPEN, DecisionKind.NEAR) else f"It was chosen {how}."


def interval(view: View) -> str:
    """What is known of the chosen kernel's score; empty where nothing is."""
    own, bic, rows = choice.standing(view), view.findings.outcome.bic, f"all {view.rows:,} rows"
    name, besides = ("evidence", f" Its BIC is {nats(bic.middle)}.") if choice.told(view) else ("BIC", "")
    low, high = nats(own.lower), nats(own.upper)
    if not math.isfinite(own.lower):
        return ""
    if own.pointlike:
        return f"Its own {name} is {nats(own.middle)}, by {rows}.{besides}"
    if not math.isfinite(own.upper):
        return f"Its own {name}, by {rows}, is certified to be at least {low}; from above it could not be bounded.{besides}"
    return (
        f"Its own {name} is certified: the true value, by {rows}, lies between {low} and {high}, an interval "
        f"{nats(own.width)} nats wide.{besides}"
    )


def noise(view: View) -> str:
    """How far the chosen kernel lies above noise alone; empty where so few rows say nothing."""
    found = view.findings.outcome
    gap = found.bic.lower - found.noise_bic
    if not found.structure:
        return (
            "No kernel exceeds the BIC of noise alone, without any structure: what the kernel seems to find, chance would show "
            "as well."
        )
    if view.few:
        return ""
    if gap < NOTHING:
        return (
            "The chosen kernel is not certain to lie above noise alone by as much as a nat, so there may be no structure at all."
        )
    by = "By its BIC it" if choice.told(view) else "It"
    return f"{by} is at least {number(gap, 4)} nats better than noise alone, without any structure: {odds(gap)}."


def subset(view: View) -> str:
    """Why the scores of rivals are not to be held against that of the chosen kernel."""
    return (
        f"The kernels were compared on {view.model.config.subset:,} of the rows, and the chosen one fitted to all of them "
        "afterwards, so the scores below are not to be held against its own."
    )


def chart(view: View, kernels: int) -> tuple[str, str]:
    """Caption and description of the figure of the scores."""
    what = "evidence" if choice.told(view) else "BIC"
    return (
        f"The {what} of the chosen description (first) and of its best rivals, in nats below the best of them. Where an exact "
        "value is not known, a bar reaches from the lower to the upper bound.",
        f"Scores of {kernels} descriptions, the chosen one first.",
    )


def label(view: View, rival: Rival) -> str:
    """What a rival is called in the figure: what it says instead or, by the paper's strategies, its kernel."""
    return instead_of(view, rival) if choice.told(view) else choice.kernel(view, rival)


def chosen(view: View) -> str:
    """The same of the chosen one."""
    return CHOSEN if choice.told(view) else view.findings.outcome.kernel or ""


def table(view: View) -> TableBlock:
    """The rivals with their scores."""
    others, told = view.findings.outcome.rivals, choice.told(view)
    names: list[Prose] = [instead_of(view, each) if told else Text((Mono(choice.kernel(view, each)),)) for each in others]
    rows = tuple((name, *_compared(view, each)) for name, each in zip(names, others, strict=True))
    rough = (
        " With so many rows only the chosen kernel and the next best had their values fitted to the end, so the others may lie "
        "nearer than is said here."
        if choice.roughly_fitted(view)
        else ""
    )
    return TableBlock(
        ("What it would say instead" if told else "Kernel", "Evidence" if told else "BIC", "Behind by (nats)", "That is"),
        rows,
        f"The best descriptions that were not chosen.{rough}",
        ("left", "right", "right", "left"),
    )


def _compared(view: View, rival: Rival) -> tuple[str, str, str]:
    own, other = choice.standing(view), rival.standing
    low, high = nats(other.lower), nats(other.upper)
    score = low if low == high else f"{low} to {high}"
    if choice.scored_on_subset(view):
        return score, "–", "lower on the same rows" if rival.told else "not told from it"
    least, most = own.lower - other.upper, own.upper - other.lower
    gap = nats(least) if nats(least) == nats(most) else f"{nats(least)} to {nats(most)}"
    if most < 0:
        return score, gap, "ahead by less than its size is worth"
    if not rival.told or least < 0:
        return score, gap, "left open"
    return score, gap, f"{odds(least)}: {times(least)} less probable" if least >= NOTHING else "next to nothing"


def instead(view: View) -> str:
    """What opens the list of differences."""
    one = len(choice.undecided(view)) == 1
    return (
        f"The scores do not tell {'this kernel' if one else 'these kernels'} from the chosen one. "
        f"What {'it' if one else 'each'} would say instead:"
    )


def differences(view: View) -> tuple[Text, ...]:
    """What each of the kernels would say that the scores do not tell from the chosen one."""
    return tuple(Text((Mono(choice.kernel(view, each)), f": {instead_of(view, each)}")) for each in choice.undecided(view))


def bounds(view: View) -> str:
    """What bounds are, and how far apart they lie here."""
    bic = view.findings.outcome.bic
    here = (
        "For the chosen kernel both agree to the second decimal."
        if nats(bic.lower) == nats(bic.upper)
        else "For the chosen kernel they leave the interval that is given above."
    )
    return (
        "How probable a kernel makes the data is costly to compute for many rows. Instead two numbers are computed "
        "between which it must lie: a lower and an upper bound, both proven, so that no approximation hides in a "
        "comparison. If the lower bound of one kernel is above the upper bound of another, the first one is better, "
        f"without any doubt that more arithmetic could remove. If their intervals overlap, it is left open. {here} The "
        "bounds hold at the fitted values; that better values exist which the fit did not find, no bound excludes."
    )
