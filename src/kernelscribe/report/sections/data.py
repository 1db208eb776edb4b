"""The second section: the data as they were read, and what was guessed, repaired and noticed on the way."""

from collections.abc import Iterator

from kernelscribe.report import figures
from kernelscribe.report.description.steps import steps
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Block, Bullets, Figure, Paragraph, Section, SideBySide
from kernelscribe.report.words import language

__all__ = ["data"]

# Inputs against which the target is drawn.
_INPUTS = 12


def data(view: View) -> Section:
    """The data as we read them."""
    words = language.data
    blocks: list[Block] = [Paragraph(words.opening(view)), words.inputs(view)]
    if view.model.series:
        blocks.append(Paragraph(words.rhythm(view, steps(view))))
    for opens, texts in words.notes(view):
        blocks += [Paragraph(opens), Bullets(texts)]
    blocks += [*_odd(view), *_raw(view)]
    return Section(words.TITLE, tuple(blocks), "data")


def _odd(view: View) -> Iterator[Block]:
    """Rows that the model finds hard to believe."""
    found = None if not view.structure else view.findings.criticism
    if found is None:
        return
    if not found.odd:
        yield Paragraph(language.data.NOTHING_ODD)
        return
    yield Paragraph(language.data.odd(found))
    yield language.data.odd_rows(view, found)


def _raw(view: View) -> Iterator[Block]:
    (x, y), target = view.points, language.names.target(view)
    if view.model.series:
        yield Figure(figures.data(x, y, view.axis, target), *language.data.along(view), "raw")
        return
    charts = [
        Figure(figures.scatter(column, y, axis, target), *language.data.against(view, axis), f"raw-{d}")
        for d, (column, axis) in enumerate(zip(view.model.inputs.T[:_INPUTS], view.model.axes, strict=False), start=1)
    ]
    for i in range(0, len(charts), 2):
        yield SideBySide(tuple(charts[i : i + 2]))
