"""What the section of the forecast says: what the model expects beyond the data, and what it assumes for that."""

import numpy as np

from kernelscribe.report.description.steps import steps as steps_of
from kernelscribe.report.description.view import LEVEL, View
from kernelscribe.report.document import Emph, Strong, TableBlock, Text
from kernelscribe.report.words.english import confidence
from kernelscribe.report.words.english.component import describe
from kernelscribe.report.words.english.names import axes, axis, target
from kernelscribe.report.words.english.noise import onwards
from kernelscribe.report.words.english.numbers import count_word, listing, number, opened
from kernelscribe.report.words.english.quantities import row
from kernelscribe.report.words.english.readings import reading, spot
from kernelscribe.report.words.english.scale_words import part_on_scale

__all__ = [
    "ENDED",
    "GUARDED",
    "assumptions",
    "chart",
    "component",
    "component_chart",
    "component_title",
    "courses",
    "leaning",
    "outside_title",
    "table",
    "title",
    "whole",
    "widened",
]

ENDED = "The data reach to the end of the calendar: there is nothing to forecast."
GUARDED = "Their bands widen there, but a band is only as good as these assumptions."

# Steps that the table shows; of more it shows some.
_ROWS = 8
# Of how much a component varies: closer than this to zero is at zero.
_NEAR = 0.1


def title(view: View) -> str:
    """Of the section, for a series."""
    return "What comes next" if view.axis.temporal or len(view.future) == 0 else "Beyond the data"


def outside_title() -> str:
    """The same for a table."""
    return "Outside the range of the data"


def leaning(view: View) -> str:
    """What predictions of a table rest on."""
    return (
        f"Inside the range of the data, predictions lean on rows that are near. Outside it, along any of {listing(axes(view))}, "
        "they lean on what is assumed of the components, and the further out, the more:"
    )


def assumptions(view: View) -> tuple[Text, ...]:
    """What is assumed of each component."""
    told = (describe(subject) for subject in view.subjects)
    return tuple(Text((Strong(f"{opened(words.summary)}. "), " ".join(words.outlook))) for words in told)


def whole(view: View) -> str:
    """What the model expects at the end of the forecast."""
    n, far = len(view.future), float(view.future[-1])
    found = view.model.predict(np.array([[far]]))
    size = float(found.std[0])
    middle, low, high = (reading(float(each[0]), size) for each in (found.median, *found.band(LEVEL)))
    steps = "one step" if n == 1 else f"{count_word(n)} steps"
    horizon = row(view.axis, far, steps_of(view).usual)
    said = (
        f"The model's forecast reaches {steps} beyond the data, to {horizon}. There it expects {target(view)} to be about "
        f"{middle}, and with a probability of 95 % between {low} and {high}, provided that what was found goes on."
    )
    return f"{said} {onwards(view)}".rstrip()


def widened(view: View) -> Text:
    """Why the bands are wider than the model's own."""
    end = (float(view.future[-1]) - view.last) / (0.1 * view.span)
    return Text((
        "Past forecasts of this kind were too sure of themselves (see ", confidence.LINK, "), so the bands "
        "beyond the data have been widened to match: at the end of this forecast they are "
        f"{number(float(np.sqrt(1 + view.model.widening * end)))} times as wide as the model alone would draw them.",
    ))  # fmt: skip


def chart(view: View) -> tuple[str, str]:
    """Caption and description of the figure of the forecast."""
    return (
        "The end of the data (dots), the model, and its forecast beyond the dashed line. "
        "The band is to hold 95 % of the values, noise included.",
        f"The forecast of {target(view)} with its 95 % band.",
    )


def courses(view: View, draws: int) -> tuple[str, str]:
    """The same for curves that are drawn at random."""
    return (
        f"{opened(count_word(draws))} courses, each as likely as the other by what is known, without the noise"
        f"{' and without the widening' if view.model.widening else ''}.",
        f"{opened(count_word(draws))} possible courses of {target(view)}, which part beyond the data.",
    )


def table(view: View) -> TableBlock:
    """The forecast at some of its steps."""
    n = len(view.future)
    chosen = view.future[np.unique(np.linspace(0, n - 1, min(n, _ROWS)).round().astype(int))]
    found = view.model.predict(chosen[:, None])
    size = float(found.std.min())
    rows = []
    for x, *numbers in zip(chosen.tolist(), found.median.tolist(), *(each.tolist() for each in found.band(LEVEL)), strict=True):
        rows.append((spot(view.axis, x, float(view.future[-1]) - view.last), *(reading(each, size) for each in numbers)))
    some = "All steps" if n <= _ROWS else f"Some of the {n:,} steps, the first and the last among them"
    return TableBlock(
        (axis(view.axis), "expected", "95 % from", "to"),
        tuple(rows),
        f"{some}. Of further values, 95 in 100 should lie between the two ends.",
        ("left", "right", "right", "right"),
    )


def component_title(i: int) -> str:
    """Of the subsection of component i."""
    return f"Component {i + 1} ahead"


def component(view: View, i: int) -> Text:
    """How component i goes on."""
    words = describe(view.subjects[i])
    return Text((Emph(f"{opened(words.summary)}. "), " ".join(words.outlook)))


def component_chart(view: View, i: int) -> tuple[str, str]:
    """Caption and description of its figure."""
    narrow = ", not widened" if view.model.widening else ""
    return (
        f"Component {i + 1} and its forecast, with a 95 % band{narrow}.{_mean(view, i)}",
        f"Component {i + 1} beyond the data: {describe(view.subjects[i]).summary}.",
    )


def _mean(view: View, i: int) -> str:
    """Where the figure has the mean to which a component returns, if not at zero."""
    found, rows = view.findings.components[i], view.centred[i]
    offset = view.offset([found.standard], rows)
    if not view.subjects[i].fading or abs(offset) < _NEAR * float(rows.std()):
        return ""
    return f" As it is drawn about its average over the data, its long-run mean lies at {part_on_scale(view.link, -offset, 2)}."
