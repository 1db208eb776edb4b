"""The third section: every component by itself, in words, in numbers and in pictures."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelscribe.data.axis import Axis
from kernelscribe.kernels.normal import Term
from kernelscribe.report import figures
from kernelscribe.report.description.periods import one_period
from kernelscribe.report.description.view import POINTS, View
from kernelscribe.report.document import Block, Figure, Paragraph, Section, SideBySide
from kernelscribe.report.figures import sampling
from kernelscribe.report.sections.surfaces import surfaces
from kernelscribe.report.words import language

__all__ = ["components"]


def components(view: View) -> Section:
    """The components, one by one."""
    blocks: list[Block] = [Paragraph(language.components.opening(view))]
    blocks += [_component(view, i) for i in range(len(view.findings.components))]
    blocks.append(_noise(view))
    return Section(language.components.TITLE, tuple(blocks), "components")


def _component(view: View, i: int) -> Section:
    words = language.components
    charts = _series(view, i) if view.model.series else surfaces(view, i)
    said = (words.details(view, i), words.statistics(view, i))
    blocks = (*(Paragraph(each) for each in said if each), *charts)
    return Section(words.heading(view, i), blocks, f"part-{i + 1}")


def _series(view: View, i: int) -> Iterator[Block]:
    found = view.findings.components
    yield SideBySide((_alone(view, i), _together(view, i)))
    yield from _period(view, i)
    rest = [each.standard for each in found[i + 1 :]]
    if not rest:
        return
    later = np.sum(view.centred[i + 1 :], axis=0)
    x = sampling.along(view, rest, later)
    dots = figures.Dots(view.points[0], view.left(i), view.link.part(later), language.charts.LEFT_OVER)
    spec = figures.band(
        x,
        *view.shape(x[:, None], rest, later),
        view.axis,
        language.charts.rest(view),
        dots,
        height=200,
        name=language.charts.components(i + 2, len(found)),
    )
    yield Figure(spec, *language.components.rest(view, i), f"part-{i + 1}-rest")


def _alone(view: View, i: int) -> Figure:
    one = view.findings.components[i]
    start = sampling.window(view, one.standard)
    late = start > view.ends[0][0]
    x = np.linspace(start, view.last, POINTS) if late else sampling.along(view, [one.standard], one.mean)
    spec = figures.band(
        x,
        *view.shape(x[:, None], [one.standard], view.centred[i]),
        view.axis,
        language.charts.share_of(view),
        height=220,
        name=language.charts.components(i + 1, i + 1),
        marks=_marks(view, i),
    )
    return Figure(spec, *language.components.alone(view, i, start), f"part-{i + 1}-alone")


def _marks(view: View, i: int) -> tuple[float, ...]:
    """Where something happens, within the data."""
    (low, high), factors = view.ends[0], view.findings.components[i].term.factors
    return tuple(place for each in factors for place in each.base.breaks(each.values) if low <= place <= high)


def _period(view: View, i: int) -> Iterator[Block]:
    """A cycle of the calendar over one period."""
    found = one_period(view, i)
    if found is None:
        return
    band = view.shape(found.places[:, None], [view.findings.components[i].standard], view.centred[i])
    title, name = language.charts.share_of(view), language.charts.components(i + 1, i + 1)
    yield Figure(
        figures.period(found.since, *band, found.days, title, name),
        *language.components.period(i, found.days),
        f"part-{i + 1}-period",
    )


def _together(view: View, i: int) -> Figure:
    terms: Sequence[Term] = [each.standard for each in view.findings.components[: i + 1]]
    x = sampling.along(view, terms, view.sums[i])
    mean, low, high = view.together(x[:, None], i)
    dots, name = figures.Dots(*view.points, view.sums[i]), language.charts.components(1, i + 1)
    spec = figures.band(x, mean, low, high, view.axis, language.names.target(view), dots, height=220, name=name)
    return Figure(spec, *language.components.together(view, i), f"part-{i + 1}-sum")


def _noise(view: View) -> Section:
    left, title = view.left(-1), language.charts.rest(view)
    if view.model.series:
        spec = figures.residuals(view.points[0], left, view.axis, title)
    else:
        spec = figures.residuals(view.fitted, left, Axis(language.charts.predicted(language.names.target(view))), title)
    chart = Figure(spec, *language.components.noise_chart(view), "left")
    return Section(language.components.NOISE, (Paragraph(language.components.noise(view)), chart), "noise")
