"""The fourth section: what the model expects beyond the data, and what it assumes for that."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.model.forecast import draws
from kernelscribe.report import figures
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Block, Bullets, Figure, Paragraph, Section, SideBySide
from kernelscribe.report.figures import sampling
from kernelscribe.report.words import language
from kernelscribe.streams import stream

__all__ = ["forecast"]

# Possible courses that are drawn: enough to see how they part, few enough to tell them apart.
_DRAWS = 3


def forecast(view: View) -> Section:
    """What comes next."""
    words = language.forecast
    if not view.model.series:
        return Section(words.outside_title(), tuple(_outside(view)), "forecast")
    if len(view.future) == 0:
        return Section(words.title(view), (Paragraph(words.ENDED),), "forecast")
    blocks = (*_whole(view), *(_component(view, i) for i in range(len(view.findings.components))))
    return Section(words.title(view), blocks, "forecast")


def _outside(view: View) -> Iterator[Block]:
    yield Paragraph(language.forecast.leaning(view))
    yield Bullets(language.forecast.assumptions(view))
    yield Paragraph(language.forecast.GUARDED)


def _whole(view: View) -> Iterator[Block]:
    words, target = language.forecast, language.names.target(view)
    yield Paragraph(words.whole(view))
    if view.model.widening > 0:
        yield Paragraph(words.widened(view))
    x = sampling.recent(view, view.model.terms, view.fitted)
    dots = figures.Dots(*(each[view.points[0] >= x[0]] for each in (*view.points, view.fitted)))
    expected = figures.band(*view.whole(x), view.axis, target, dots, view.last)
    courses = figures.samples(x, _draws(view, x), view.axis, target, view.last)
    yield SideBySide((Figure(expected, *words.chart(view), "ahead"), Figure(courses, *words.courses(view, _DRAWS), "draws")))
    yield words.table(view)


def _draws(view: View, x: np.ndarray) -> np.ndarray:
    rng = stream(view.model.config.seed, "paths")
    return draws(view.model, x[:, None], _DRAWS, rng)


def _component(view: View, i: int) -> Section:
    found, words = view.findings.components[i], language.forecast
    x = sampling.recent(view, [found.standard], found.mean)
    band = view.shape(x[:, None], [found.standard], view.centred[i])
    title, name = language.charts.share_of(view), language.charts.components(i + 1, i + 1)
    spec = figures.band(x, *band, view.axis, title, split=view.last, height=200, name=name)
    chart = Figure(spec, *words.component_chart(view, i), f"ahead-{i + 1}")
    return Section(words.component_title(i), (Paragraph(words.component(view, i)), chart), f"ahead-part-{i + 1}")
