"""The first section: what was found, on one page."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.report import figures
from kernelscribe.report.description.view import POINTS, View
from kernelscribe.report.document import Block, Bullets, Callout, Cards, Figure, Paragraph, Section, Strong, Text
from kernelscribe.report.figures import sampling
from kernelscribe.report.words import language

__all__ = ["chart", "findings"]


def findings(view: View) -> Section:
    """What was found."""
    blocks: list[Block] = [Paragraph(Text((Strong(language.findings.headline(view)),)))]
    if view.model.data.constant:
        blocks.append(Cards((language.findings.rows(view),)))
    elif not view.structure:
        blocks += _nothing(view)
    else:
        blocks += _something(view)
    return Section(language.findings.TITLE, tuple(blocks), "findings")


def _nothing(view: View) -> Iterator[Block]:
    yield Cards(language.findings.plain_cards(view))
    if view.findings.outcome.kernel is None:
        yield Callout("warning", language.findings.no_model(view))
    elif view.few:
        yield Callout("warning", language.findings.too_few(view))
    yield Paragraph(language.findings.nothing_more(view))


def _something(view: View) -> Iterator[Block]:
    words = language.findings
    if view.few:
        yield Callout("warning", words.too_few(view))
    yield Cards(words.cards(view))
    yield chart(view)
    if not view.link.plain:
        yield Paragraph(language.scale_words.scale_sentence(view))
    yield Paragraph(f"{words.count(view)} {words.explains(view)}{words.helps(view)}")
    yield Bullets(words.bullets(view))
    yield words.table(view)
    yield Paragraph(words.judged(view))
    yield Paragraph(words.fits(view))


def chart(view: View) -> Figure:
    """The main figure: the data and the model, with a forecast where there is one."""
    model, target = view.model, language.names.target(view)
    if not model.series:
        spec = figures.against(view.fitted, model.target, target)
        return Figure(spec, *language.findings.chart(view, forecast=False), "main")
    before = sampling.along(view, model.terms, view.fitted, 2 * POINTS // 3)
    after = sampling.beyond(view, model.terms)
    x = before if len(after) == 0 else np.union1d(before, after)
    dots = figures.Dots(*view.points, view.fitted)
    spec = figures.band(*view.whole(x), view.axis, target, dots, view.last if len(after) else None)
    return Figure(spec, *language.findings.chart(view, forecast=len(after) > 0), "main")
