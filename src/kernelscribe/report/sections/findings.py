"""The first section: what was found, on one page."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.report import figures
from kernelscribe.report.description.view import POINTS, View, opened
from kernelscribe.report.document import (
    Block,
    Bullets,
    Callout,
    Card,
    Figure,
    Link,
    Numbers,
    Paragraph,
    Section,
    Strong,
    Table,
    Text,
)
from kernelscribe.report.figures import sampling
from kernelscribe.report.sections.checks import verdict as fits
from kernelscribe.report.sections.confidence import verdict as sure
from kernelscribe.report.words.english.quantities import count_word, label, listing, number, percent, place
from kernelscribe.report.words.english.readings import portion, spot

__all__ = ["chart", "findings", "headline"]

_MOST, _NEARLY_ALL = 0.9, 0.99
# A component that lowers the error by less than this share may be no more than chance.
_HELPS = 0.001


def headline(view: View) -> str:
    """What was found, in a sentence or two."""
    if view.model.expr is None and not view.model.data.constant:
        return f"No model of {view.target} could be fitted."
    return view.analysis.headline


def findings(view: View) -> Section:
    """What was found."""
    blocks: list[Block] = [Paragraph(Text((Strong(headline(view)),)))]
    if view.model.data.constant:
        blocks.append(Numbers((_rows(view),)))
    elif not view.structure:
        blocks += _nothing(view)
    else:
        blocks += _something(view)
    return Section("What we found", tuple(blocks), "findings")


def _rows(view: View) -> Card:
    axis, ends = view.axis, view.ends[0]
    if not view.model.series:
        return Card("Rows", f"{view.rows:,}", f"{len(view.model.axes)} inputs")
    if not axis.temporal:
        return Card(
            "Rows", f"{view.rows:,}", f"{label(axis.name)} from {' to '.join(spot(axis, each, view.span) for each in ends)}"
        )
    low, high = (place(axis, each, view.span) for each in ends)
    return Card("Rows", f"{view.rows:,}", f"{low} to {high}" if low != high else low)


def _nothing(view: View) -> Iterator[Block]:
    output, verdict = view.model.data.output, view.analysis.verdict
    yield Numbers((_rows(view), Card("Mean", number(output.centre, 4)), Card("Standard deviation", number(output.scale))))
    if verdict.kernel is None:
        yield Callout("warning", f"There is no model: {verdict.decision}.{_stopped(view)} The appendix tells what was tried.")
    elif view.few:
        yield _too_few(view)
    best = (
        f"The best that can be said of further values of {view.target} is that they lie about the mean, "
        f"{number(output.centre, 4)}, with a standard deviation of {number(output.scale)}."
    )
    why = () if verdict.kernel is None else (" Why no kernel was held to explain more is told in ", _to_sure(), ".")
    yield Paragraph(Text((best, *why)))


def _stopped(view: View) -> str:
    stopped = view.analysis.verdict.stopped
    return f" The search ended early: {stopped}." if stopped else ""


def _too_few(view: View) -> Callout:
    rows = f"{count_word(view.rows).capitalize()} rows are too few to judge structure by."
    return Callout("warning", f"{rows} Take what follows as a hint, not as a finding.")


def _something(view: View) -> Iterator[Block]:
    parts = view.analysis.decomposition
    if view.few:
        yield _too_few(view)
    yield Numbers((
        _rows(view),
        Card("Components", str(len(parts.components)), "told one by one below"),
        Card("Explained", percent(parts.explained), f"of the variance of {view.target}"),
        Card("Noise", f"± {number(view.model.noise_sd)}", f"standard deviation; {percent(1 - parts.explained)} of the variance"),
    ))  # fmt: skip
    yield chart(view)
    yield Paragraph(f"{_count(view)} {_explains(view)}{_helps(view)}")
    yield Bullets(tuple(_bullet(view, i) for i in range(len(parts.components))))
    yield _table(view)
    yield Paragraph(Text((*sure(view), " More in ", _to_sure(), ".")))
    yield Paragraph(Text((fits(view), " More in ", Link("Does the model fit?", "checks"), ".")))


def _to_sure() -> Link:
    return Link("How sure are we?", "sure")


def chart(view: View) -> Figure:
    """The main figure: the data and the model, with a forecast where there is one."""
    model, target = view.model, view.target
    if not model.series:
        return Figure(
            figures.against(view.fitted, model.target, target),
            "The values of the rows against what the model makes of them. Without noise all would lie on the dashed line.",
            f"Observed values of {target} against those of the model, which explains "
            f"{percent(view.analysis.decomposition.explained)} of their variance.",
            "main",
        )
    before = sampling.along(view, model.terms, view.fitted, 2 * POINTS // 3)
    after = sampling.beyond(view, model.terms)
    x = before if len(after) == 0 else np.union1d(before, after)
    dots = figures.Dots(*view.points, view.fitted)
    spec = figures.band(*view.whole(x), view.axis, target, dots, view.last if len(after) else None)
    ahead = " Beyond the dashed line it is a forecast." if len(after) else ""
    return Figure(
        spec,
        f"The data ({view.dots}), the model (line), and the band in which it expects 95 % of the values.{ahead}",
        f"{target} with the model's curve and its 95 % band{', and a forecast' if len(after) else ''}.",
        "main",
    )


def _count(view: View) -> str:
    n = len(view.analysis.components)
    if n == 1:
        return f"The model explains {view.target} by one component."
    return f"The model explains {view.target} as the sum of {count_word(n)} components, the largest share of the variance first."


def _explains(view: View) -> str:
    """How much, by how few: the first components that reach nine tenths, and those that reach 99 of a hundred."""
    parts = view.analysis.decomposition
    totals, n = [each.total for each in parts.components], len(parts.components)
    of = f"of the variance of {view.target}"
    most = next((i for i, total in enumerate(totals[:-1], start=1) if total >= _MOST), None)
    if most is None:
        return f"{'It explains' if n == 1 else 'Together they explain'} {percent(parts.explained)} {of}."
    said = f"The {_first(most)} {percent(totals[most - 1])} {of}"
    nearly = next((i for i, total in enumerate(totals, start=1) if total >= _NEARLY_ALL), None)
    if totals[most - 1] >= _NEARLY_ALL or nearly is None:
        return f"{said}."
    who = "all of them together" if nearly == n else f"the first {count_word(nearly)} together"
    return f"{said}, {who} {percent(totals[nearly - 1])}."


def _first(n: int) -> str:
    return "first alone explains" if n == 1 else f"first {count_word(n)} together explain"


def _helps(view: View) -> str:
    """Which components lower the error on data that were left out, if some do not."""
    components = view.analysis.components
    useless = [str(i) for i, each in enumerate(components, start=1) if each.drop < _HELPS]
    if len(useless) == len(components):
        return " None of what was found lowers the cross-validated error by 0.1 % or more: it may be no more than noise."
    if not useless:
        return ""
    one = len(useless) == 1
    which = f"component {useless[0]} does" if one else f"components {listing(useless)} do"
    lower = "by 0.1 % or more: it" if one else "each by 0.1 % or more: they"
    return f" But {which} not lower the cross-validated error {lower} may describe short-lived movements, noise or artefacts."


def _bullet(view: View, i: int) -> Text:
    part, words = view.analysis.components[i], view.analysis.words[i]
    name = Link(opened(words.summary), f"part-{i + 1}")
    if part.share < _HELPS / 2:
        return Text((name, ": next to none of the variance."))
    return Text((name, f": {percent(part.share)} of the variance."))


def _table(view: View) -> Table:
    parts = view.analysis.decomposition
    rows: list[tuple[str, ...]] = [("–", "the mean alone", "–", "–", "–", number(parts.baseline), "–")]
    for i, (each, words) in enumerate(zip(parts.components, view.analysis.words, strict=True), start=1):
        shares = tuple(portion(value) for value in (each.total, each.share, each.rest))
        rows.append((str(i), words.summary, *shares, number(each.error), _change(each.drop)))
    rows.append(("–", "what is left as noise", portion(1.0), portion(1 - parts.explained), "–", number(parts.error), "–"))
    many = count_word(min(10, view.rows))
    blocks = f"{many} blocks along the axis" if view.model.series else f"{many} random parts"
    return Table(
        ("#", "Component", "Explained so far", "By this one", "Of what was left", "Error without it", "Change"),
        tuple(rows),
        "Table 1. The share of each component in the variance: what it adds to the model on average over all orders in which the "
        f"components can be added. The error is the mean absolute one on rows left out in {blocks}: without the component and, "
        "in the last row, of all together; the change is what the component makes of it. The components and their values were "
        "fitted to all the data: this error tells components apart, it is no estimate of how well new data would be predicted.",
        ("right", "left", "right", "right", "right", "right", "right"),
    )


def _change(drop: float) -> str:
    if abs(drop) < _HELPS / 2:
        return portion(0.0)
    return portion(-drop) if drop > 0 else f"+{portion(-drop)}"
