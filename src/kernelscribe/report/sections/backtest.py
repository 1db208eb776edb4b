"""How good past forecasts would have been: the honest test of the bands."""

import numpy as np

from kernelscribe.model.backtest import Backtest
from kernelscribe.report import figures
from kernelscribe.report.description.bands import Width, width
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Block, Callout, Figure, Paragraph, Section
from kernelscribe.report.words import language

__all__ = ["backtest"]


def backtest(view: View) -> Section:
    """The subsection."""
    tested, words = view.findings.backtest, language.backtest
    if tested is None:
        return Section(words.title(view), (Paragraph(words.too_few(view)),), "past")
    blocks = (
        Paragraph(words.how(tested)),
        words.table(tested),
        _figure(tested),
        Paragraph(words.errors(tested)),
        _judgement(tested),
    )
    return Section(words.title(view), blocks, "past")


def _figure(tested: Backtest) -> Figure:
    levels, inside = np.array(tested.covered).T / 100
    return Figure(figures.coverage(levels, inside), *language.backtest.chart(tested), "coverage")


def _judgement(tested: Backtest) -> Block:
    said = language.backtest.judgement(tested)
    match width(tested):
        case Width.WIDENED:
            return Callout("note", said)
        case Width.NARROW:
            return Callout("warning", said)
    return Paragraph(said)
