"""The fourth section: what the model expects beyond the data, and what it assumes for that."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.model.forecast import draws
from kernelscribe.report import figures
from kernelscribe.report.description.view import REACH, View, opened
from kernelscribe.report.document import Block, Bullets, Emph, Figure, Link, Paragraph, Row, Section, Strong, Table, Text
from kernelscribe.report.figures import sampling
from kernelscribe.report.words.english.quantities import count_word, label, listing, number, place
from kernelscribe.report.words.english.readings import reading, spot

__all__ = ["ahead"]

_DRAWS, _ROWS = 3, 8
# Of how much a component varies: closer than this to zero is at zero.
_NEAR = 0.1


def ahead(view: View) -> Section:
    """What comes next."""
    if not view.model.series:
        return Section("Outside the range of the data", tuple(_outside(view)), "forecast")
    if len(view.ahead) == 0:
        ended = Paragraph("The data reach to the end of the calendar: there is nothing to forecast.")
        return Section("What comes next", (ended,), "forecast")
    title = "What comes next" if view.axis.temporal else "Beyond the data"
    blocks = (*_whole(view), *(_part(view, i) for i in range(len(view.analysis.components))))
    return Section(title, blocks, "forecast")


def _outside(view: View) -> Iterator[Block]:
    names = listing([label(axis.name) for axis in view.model.axes])
    yield Paragraph(
        f"Inside the range of the data, predictions lean on rows that are near. Outside it, along any of {names}, they lean on "
        "what is assumed of the components, and the further out, the more:"
    )
    yield Bullets(tuple(
        Text((Strong(f"{opened(words.summary)}. "), " ".join(words.outlook))) for words in view.analysis.words
    ))  # fmt: skip
    yield Paragraph("Their bands widen there, but a band is only as good as these assumptions.")


def _whole(view: View) -> Iterator[Block]:
    axis, target, n = view.axis, view.target, len(view.ahead)
    far = float(view.ahead[-1])
    mean, sd = (float(each[0]) for each in view.model.predict(np.array([[far]])))
    low, high = (reading(mean + side * REACH * sd, sd) for side in (-1, 1))
    steps = "one step" if n == 1 else f"{count_word(n)} steps"
    horizon = place(axis, far, max(far - view.last, view.span / 50))
    yield Paragraph(
        f"The model's forecast reaches {steps} beyond the data, to {horizon}. There it expects {target} to be about "
        f"{reading(mean, sd)}, and with a probability of 95 % between {low} and {high}, provided that what was found goes on."
    )
    yield from _widened(view)
    x = sampling.recent(view, view.model.terms, view.fitted)
    dots = figures.Dots(*(each[view.points[0] >= x[0]] for each in (*view.points, view.fitted)))
    yield Row((
        Figure(
            figures.band(*view.whole(x), axis, target, dots, view.last),
            "The end of the data (dots), the model, and its forecast beyond the dashed line. "
            "The band is to hold 95 % of the values, noise included.",
            f"The forecast of {target} with its 95 % band.",
            "ahead",
        ),
        Figure(
            figures.samples(x, _draws(view, x), axis, target, view.last),
            f"{count_word(_DRAWS).capitalize()} courses, each as likely as the other by what is known, without the noise"
            f"{' and without the widening' if view.model.widening else ''}.",
            f"Three possible courses of {target}, which part beyond the data.",
            "draws",
        ),
    ))  # fmt: skip
    yield _table(view)


def _draws(view: View, x: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng([view.model.config.seed, 7])
    return draws(view.model, x[:, None], _DRAWS, rng)


def _widened(view: View) -> Iterator[Block]:
    c = view.model.widening
    if c <= 0:
        return
    end = (float(view.ahead[-1]) - view.last) / (0.1 * view.span)
    yield Paragraph(Text((
        "Past forecasts of this kind were too sure of themselves (see ", Link("How sure are we?", "sure"), "), so the bands "
        "beyond the data have been widened to match: at the end of this forecast they are "
        f"{number(float(np.sqrt(1 + c * end)), 2)} times as wide as the model alone would draw them.",
    )))  # fmt: skip


def _table(view: View) -> Table:
    n = len(view.ahead)
    chosen = view.ahead[np.unique(np.linspace(0, n - 1, min(n, _ROWS)).round().astype(int))]
    mean, sd = view.model.predict(chosen[:, None])
    size = float(sd.min())
    rows = []
    for x, m, s in zip(chosen.tolist(), mean.tolist(), sd.tolist(), strict=True):
        ends = (reading(m + side * REACH * s, size) for side in (-1, 1))
        rows.append((spot(view.axis, x, float(view.ahead[-1]) - view.last), reading(m, size), *ends))
    some = "All steps" if n <= _ROWS else f"Some of the {n:,} steps, the first and the last among them"
    return Table(
        (label(view.axis.name), "expected", "95 % from", "to"),
        tuple(rows),
        f"{some}. Of further values, 95 in 100 should lie between the two ends.",
        ("left", "right", "right", "right"),
    )


def _mean(view: View, i: int) -> str:
    """Where the figure has the mean to which a component returns, if not at zero."""
    found, rows = view.analysis.components[i], view.centred[i]
    offset = view.offset([found.standard], rows)
    if not found.term.of("SE") or abs(offset) < _NEAR * float(rows.std()):
        return ""
    return f" As it is drawn about its average over the data, its long-run mean lies at {number(-offset, 2)}."


def _part(view: View, i: int) -> Section:
    found, words = view.analysis.components[i], view.analysis.words[i]
    x = sampling.recent(view, [found.standard], found.mean)
    band = view.shape(x[:, None], [found.standard], view.centred[i])
    narrow = ", not widened" if view.model.widening else ""
    blocks: tuple[Block, ...] = (
        Paragraph(Text((Emph(f"{opened(words.summary)}. "), " ".join(words.outlook)))),
        Figure(
            figures.band(x, *band, view.axis, f"part of {view.target}", split=view.last, height=200, name=f"component {i + 1}"),
            f"Component {i + 1} and its forecast, with a 95 % band{narrow}.{_mean(view, i)}",
            f"Component {i + 1} beyond the data: {words.summary}.",
            f"ahead-{i + 1}",
        ),
    )
    return Section(f"Component {i + 1} ahead", blocks, f"ahead-part-{i + 1}")
