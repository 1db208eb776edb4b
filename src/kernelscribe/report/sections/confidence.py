"""The fifth section: how sure the choice is, what it could not be told from, and how good past forecasts would have been."""

from collections.abc import Iterator

from kernelscribe.report import figures
from kernelscribe.report.description import choice
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Block, Bullets, Callout, Details, Figure, Paragraph, Section
from kernelscribe.report.sections.backtest import backtest
from kernelscribe.report.words import language

__all__ = ["confidence"]

# In nats: noise alone is drawn beside the kernels where it is no further from them than this.
_NEAR = 50.0


def confidence(view: View) -> Section:
    """How sure are we."""
    words = language.confidence
    if view.findings.outcome.kernel is None:
        return Section(words.TITLE, (Paragraph(words.no_model(view)),), "sure")
    blocks: list[Block] = [Callout("warning", each) for each in words.warnings(view)]
    said = (words.score(view), words.interval(view), words.noise(view))
    blocks += [Paragraph(each) for each in said if each]
    blocks += _rivals(view)
    blocks.append(Details(words.BOUNDS_TITLE, (Paragraph(words.bounds(view)),)))
    if view.structure:
        blocks.append(backtest(view))
    return Section(words.TITLE, tuple(blocks), "sure")


def _rivals(view: View) -> Iterator[Block]:
    words = language.confidence
    if not view.findings.outcome.rivals:
        yield Paragraph(words.NO_RIVALS)
        return
    yield Paragraph(words.subset(view)) if choice.scored_on_subset(view) else _figure(view)
    yield words.table(view)
    if choice.undecided(view) and not choice.told(view):
        yield Paragraph(words.instead(view))
        yield Bullets(words.differences(view))


def _figure(view: View) -> Figure:
    found, own, words = view.findings.outcome, choice.standing(view), language.confidence
    ranks = [(words.chosen(view), own.lower, own.upper)]
    ranks += [(words.label(view, each), each.standing.lower, each.standing.upper) for each in found.rivals]
    if not choice.told(view) and found.noise_bic > min(low for _, low, _ in ranks) - _NEAR:
        ranks.append((language.charts.NOISE_ALONE, found.noise_bic, found.noise_bic))
    return Figure(figures.intervals(ranks), *words.chart(view, len(ranks)), "rivals")
