"""What the first section says: the findings, on one page."""

from kernelscribe.model.components import Component
from kernelscribe.report.description.shares import negligible, reaching, useless
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Align, Card, Link, TableBlock, Text
from kernelscribe.report.words.english import checks, confidence, facts
from kernelscribe.report.words.english.component import Words, describe
from kernelscribe.report.words.english.headline import headline as components_headline
from kernelscribe.report.words.english.headline import ordered
from kernelscribe.report.words.english.names import axis as axis_name
from kernelscribe.report.words.english.names import target
from kernelscribe.report.words.english.noise import average, in_short
from kernelscribe.report.words.english.numbers import count_word, listing, number, opened, percent
from kernelscribe.report.words.english.quantities import place
from kernelscribe.report.words.english.readings import portion, spot
from kernelscribe.report.words.english.scale_words import amount_on_scale, deviation_on_scale, explained
from kernelscribe.report.words.english.worth import lost, odds

__all__ = [
    "TITLE",
    "bullets",
    "cards",
    "chart",
    "count",
    "explains",
    "fits",
    "glance",
    "headline",
    "helps",
    "judged",
    "no_model",
    "nothing_more",
    "plain_cards",
    "rows",
    "table",
    "too_few",
]

TITLE = "What we found"

# Shares of the variance from which on it is said how few components explain them.
_MOST = 0.9
_NEARLY_ALL = 0.99


def headline(view: View) -> str:
    """What was found, in a sentence or two."""
    name, model = target(view), view.model
    if model.data.constant:
        return f"{name} is constant at {model.data.output.centre:g}: there is nothing to explain."
    if model.expr is None:
        return f"No model of {name} could be fitted."
    if not view.findings.outcome.structure:
        return f"{name} shows no structure that noise alone would not show."
    if not view.subjects:
        return f"{name} hardly moves by what was found: the rest looks like noise."
    return f"{components_headline(view.subjects)} {in_short(view)}".rstrip()


def glance(view: View) -> tuple[str, ...]:
    """Every component in a line, for a notebook."""
    pairs = list(zip(view.findings.components, _words(view), strict=True))
    told = [pairs[i] for i in ordered(view.subjects)]
    return tuple(f"{opened(words.summary)} ({percent(each.share)})" for each, words in told)


def rows(view: View) -> Card:
    """How many rows, and from where to where."""
    axis, ends = view.axis, view.ends[0]
    if not view.model.series:
        return Card("Rows", f"{view.rows:,}", f"{len(view.model.axes)} inputs")
    if not axis.temporal:
        spots = " to ".join(spot(axis, each, view.span) for each in ends)
        return Card("Rows", f"{view.rows:,}", f"{axis_name(axis)} from {spots}")
    low, high = (place(axis, each, view.span) for each in ends)
    return Card("Rows", f"{view.rows:,}", f"{low} to {high}" if low != high else low)


def plain_cards(view: View) -> tuple[Card, ...]:
    """Key figures where nothing was found."""
    values = view.model.target
    return rows(view), Card("Mean", number(float(values.mean()), 4)), Card("Standard deviation", number(float(values.std())))


def cards(view: View) -> tuple[Card, ...]:
    """Key figures of what was found."""
    found = view.findings.decomposition
    noise = f"standard deviation{average(view)}; {percent(1 - found.explained)} of the variance"
    return (
        rows(view),
        Card("Components", str(len(found.components)), "told one by one below"),
        Card("Explained", percent(found.explained), f"of the variance of {explained(view)}"),
        Card("Noise", deviation_on_scale(view.link, view.model.noise_sd), noise),
    )


def no_model(view: View) -> str:
    """A warning that nothing could be fitted."""
    outcome = view.findings.outcome
    stopped = f" The search ended early: {facts.stop(outcome.stopped)}." if outcome.stopped else ""
    return f"There is no model: {facts.decision(outcome.decision)}.{stopped} The appendix tells what was tried."


def too_few(view: View) -> str:
    """A warning that nothing can be judged."""
    said = f"{count_word(view.rows).capitalize()} rows are too few to judge structure by."
    return f"{said} Take what follows as a hint, not as a finding."


def nothing_more(view: View) -> Text:
    """What can be said where there is no structure."""
    values = view.model.target
    best = (
        f"The best that can be said of further values of {target(view)} is that they lie about the mean, "
        f"{number(float(values.mean()), 4)}, with a standard deviation of {number(float(values.std()))}."
    )
    if view.findings.outcome.kernel is None:
        return Text((best,))
    return Text((best, " Why no kernel was held to explain more is told in ", confidence.LINK, "."))


def chart(view: View, forecast: bool) -> tuple[str, str]:
    """Caption and description of the main figure."""
    name = target(view)
    if not view.model.series:
        return (
            "The values of the rows against what the model makes of them. Without noise all would lie on the dashed line.",
            f"Observed values of {name} against those of the model, which explains "
            f"{percent(view.findings.decomposition.explained)} of their variance.",
        )
    beyond = " Beyond the dashed line it is a forecast." if forecast else ""
    return (
        f"The data ({dots(view)}), the model (line), and the band in which it expects 95 % of the values.{beyond}",
        f"{name} with the model's curve and its 95 % band{', and a forecast' if forecast else ''}.",
    )


def dots(view: View) -> str:
    """What the dots of a figure are, in its caption."""
    return "dots: of so many rows the lowest and the highest of every pixel" if view.thinned else "dots"


def count(view: View) -> str:
    """How many components there are."""
    n = len(view.findings.components)
    if n == 1:
        return f"The model explains {target(view)} by one component."
    how = "product" if view.link.multiplies else "sum"
    of = explained(view) if view.link.name == "root" else target(view)
    return f"The model explains {of} as the {how} of {count_word(n)} components, the largest share of the variance first."


def explains(view: View) -> str:
    """How much, by how few: the first components that reach nine tenths, and those that reach 99 of a hundred."""
    found = view.findings.decomposition
    totals, n = [each.total for each in found.components], len(found.components)
    of = f"of the variance of {explained(view)}"
    most = reaching(found.components[:-1], _MOST)
    if most is None:
        return f"{'It explains' if n == 1 else 'Together they explain'} {percent(found.explained)} {of}."
    said = f"The {_first(most)} {percent(totals[most - 1])} {of}"
    nearly = reaching(found.components, _NEARLY_ALL)
    if totals[most - 1] >= _NEARLY_ALL or nearly is None:
        return f"{said}."
    who = "all of them together" if nearly == n else f"the first {count_word(nearly)} together"
    return f"{said}, {who} {percent(totals[nearly - 1])}."


def _first(n: int) -> str:
    return "first alone explains" if n == 1 else f"first {count_word(n)} together explain"


def helps(view: View) -> str:
    """Which components lower the error on data that were left out, if some do not."""
    components = view.findings.components
    without = [str(i) for i in useless(components)]
    if len(without) == len(components):
        return " None of what was found lowers the cross-validated error by 0.1 % or more: it may be no more than noise."
    if not without:
        return ""
    one = len(without) == 1
    which = f"component {without[0]} does" if one else f"components {listing(without)} do"
    lower = "by 0.1 % or more: it" if one else "each by 0.1 % or more: they"
    return f" But {which} not lower the cross-validated error {lower} may describe short-lived movements, noise or artefacts."


def bullets(view: View) -> tuple[Text, ...]:
    """Every component with its share."""
    found, words = view.findings.components, _words(view)
    return tuple(_bullet(i, found[i], words[i]) for i in ordered(view.subjects))


def _bullet(i: int, one: Component, words: Words) -> Text:
    """With its share, and how sure it is that it is there."""
    name = Link(opened(words.summary), f"part-{i + 1}")
    share = "next to none" if negligible(one.share) else percent(one.share)
    sure = "" if one.worth is None else f"; {lost(one.worth)}, {odds(one.worth)}"
    return Text((name, f": {share} of the variance{sure}."))


def table(view: View) -> TableBlock:
    """The components with what each is worth."""
    found, judged = view.findings.decomposition, any(each.worth is not None for each in view.findings.components)
    alone, whole = (amount_on_scale(view.link, each) for each in (found.baseline, found.error))
    lines: list[tuple[str, ...]] = [("–", "the mean alone", "–", "–", "–", alone, "–", "–")]
    for i, (each, words) in enumerate(zip(found.components, _words(view), strict=True), start=1):
        shares = tuple(portion(value) for value in (each.total, each.share, each.rest))
        worth = "–" if each.worth is None else lost(each.worth)
        lines.append((str(i), words.summary, *shares, amount_on_scale(view.link, each.error), _change(each.drop), worth))
    lines.append(("–", "what is left as noise", portion(1.0), portion(1 - found.explained), "–", whole, "–", "–"))
    head = ("#", "Component", "Explained so far", "By this one", "Of what was left", "Error without it", "Change", "Worth")
    columns = len(head) if judged else len(head) - 1
    sides: tuple[Align, ...] = ("right", "left", "right", "right", "right", "right", "right", "right")
    many = count_word(min(10, view.rows))
    blocks = f"{many} blocks along the axis" if view.model.series else f"{many} random parts"
    worth_said = " What a component is worth is by how much the evidence falls without it." if judged else ""
    return TableBlock(
        head[:columns],
        tuple(line[:columns] for line in lines),
        "Table 1. The share of each component in the variance: what it adds to the model on average over all orders in which the "
        f"components can be added. The error is the mean absolute one on rows left out in {blocks}: without the component and, "
        "in the last row, of all together; the change is what the component makes of it. The components and their values were "
        "fitted to all the data: this error tells components apart, it is no estimate of how well new data would be predicted."
        f"{worth_said}",
        sides[:columns],
    )


def _change(drop: float) -> str:
    if negligible(drop):
        return portion(0.0)
    return portion(-drop) if drop > 0 else f"+{portion(-drop)}"


def judged(view: View) -> Text:
    """How sure the choice is, and where more is told of it."""
    return Text((confidence.verdict(view), " More in ", confidence.LINK, "."))


def fits(view: View) -> Text:
    """Whether the model fits, and where more is told of it."""
    return Text((checks.verdict(view), " More in ", Link(checks.TITLE, "checks"), "."))


def _words(view: View) -> tuple[Words, ...]:
    return tuple(describe(subject) for subject in view.subjects)
