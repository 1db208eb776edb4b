"""What is said of the data as they were read, and of what was guessed, repaired and noticed on the way."""

from collections.abc import Iterator
from types import MappingProxyType

import numpy as np

from kernelscribe.data.axis import Axis
from kernelscribe.model.criticism import Criticism
from kernelscribe.report.description.steps import Steps
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Mono, TableBlock, Text
from kernelscribe.report.words.english.findings import dots
from kernelscribe.report.words.english.names import axis as axis_name
from kernelscribe.report.words.english.names import label, target
from kernelscribe.report.words.english.notes import sentence
from kernelscribe.report.words.english.numbers import count_word
from kernelscribe.report.words.english.quantities import amount, cycle_name
from kernelscribe.report.words.english.readings import reading, spot

__all__ = ["NOTHING_ODD", "TITLE", "against", "along", "inputs", "notes", "odd", "odd_rows", "opening", "rhythm"]

TITLE = "Your data as we read them"
NOTHING_ODD = "No row lies so far from what the model expects that chance could not have put it there."

_KINDS = (
    ("guess", "What was guessed; if a guess is wrong, say so and run again:"),
    ("repair", "What was repaired:"),
    ("notice", "What was noticed, and left as it is:"),
)
# Odd rows that are shown; the others are counted.
_ROWS = 10
# Inputs that are shown; the others are counted.
_INPUTS = 12
_STEPS = MappingProxyType(
    {
        "yearly": "one year",
        "quarterly": "three months",
        "monthly": "one month",
        "weekly": "one week",
        "daily": "one day",
        "hourly": "one hour",
    }
)


def opening(view: View) -> Text:
    """Rows, target and inputs."""
    data = view.model.data
    by = "one input" if view.model.series else f"{count_word(len(data.axes))} inputs"
    rows = f"{view.rows:,} rows. The target, which is to be explained, is "
    return Text(("We read ", rows, Mono(data.target), _values(view), by, "."))


def _values(view: View) -> str:
    low, high = float(view.model.target.min()), float(view.model.target.max())
    if view.model.data.constant:
        return f", always {low:g}. There is "
    return f", from {reading(low, high - low, 3)} to {reading(high, high - low, 3)}. It is explained by "


def inputs(view: View) -> TableBlock:
    """The inputs with their ranges."""
    rows = []
    for axis, (low, high), column in zip(view.model.axes, view.ends, view.model.inputs.T, strict=True):
        first, last = (spot(axis, end, high - low) for end in (low, high))
        rows.append((Text((Mono(axis.name),)), _unit(axis), first, last, f"{len(np.unique(column)):,}"))
    more = f" {len(rows) - _INPUTS:,} more are not shown." if len(rows) > _INPUTS else ""
    return TableBlock(
        ("Input", "Unit", "From", "To", "Different values"),
        tuple(rows[:_INPUTS]),
        f"The inputs and their ranges.{more}",
        ("left", "left", "right", "right", "right"),
    )


def _unit(axis: Axis) -> str:
    return "a date" if axis.dated else label(axis.unit) if axis.unit.strip() else "–"


def rhythm(view: View, steps: Steps) -> str:
    """The typical step of a series, and its longest gap."""
    axis = view.axis
    said = f"The typical step along {axis_name(axis)} is {_step(axis, steps)}"
    if steps.gap is None:
        return f"{said}, and no gap is much longer."
    start, stop = steps.gap
    first, last = (spot(axis, each, view.span) for each in steps.gap)
    between = f", between {first} and {last}" if first != last else ""
    return f"{said}; the longest gap is {amount(axis, stop - start)}{between}."


def _step(axis: Axis, steps: Steps) -> str:
    """As the calendar calls it, where it keeps to the calendar."""
    if steps.months is not None:
        many, unit = (steps.months // 12, "year") if steps.months % 12 == 0 else (steps.months, "month")
        return f"{count_word(many)} {unit}{'' if many == 1 else 's'}"
    name = cycle_name(axis, steps.usual)
    return _STEPS.get(name, amount(axis, steps.usual)) if name else amount(axis, steps.usual)


def notes(view: View) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What was noted while the data were read, by kind: what opens the list, and the list."""
    for kind, opens in _KINDS:
        texts = tuple(sentence(note, view.face) for note in view.model.data.notes if note.kind == kind)
        if texts:
            yield opens, texts


def odd(found: Criticism) -> str:
    """That some rows are hard to believe."""
    n = len(found.odd)
    rows = "One row lies" if n == 1 else f"{count_word(n).capitalize()} rows lie"
    return (
        f"{rows} so far from what the model expects that chance alone would hardly have put {'it' if n == 1 else 'them'} there. "
        f"{'It was' if n == 1 else 'They were'} used like all others; look whether {'it is' if n == 1 else 'they are'} right."
    )


def odd_rows(view: View, found: Criticism) -> TableBlock:
    """Which rows, the oddest first."""
    values, sizes = view.model.target, view.sizes
    listed = [
        (
            _where(view, row),
            reading(float(values[row]), float(sizes[row])),
            "above" if error > 0 else "below",
            f"{abs(error):.1f}",
        )
        for row, error in found.odd[:_ROWS]
    ]
    rest = f" {len(found.odd) - _ROWS:,} more are not shown." if len(found.odd) > _ROWS else ""
    return TableBlock(
        (axis_name(view.axis) if view.model.series else "row", target(view), "lies", "standard deviations"),
        tuple(listed),
        f"Rows that do not fit in, the oddest first.{rest}",
        ("right", "right", "left", "right"),
    )


def _where(view: View, row: int) -> str:
    return spot(view.axis, float(view.points[0][row]), view.span) if view.model.series else f"{row + 1:,}"


def along(view: View) -> tuple[str, str]:
    """Caption and description of the figure of a series."""
    return f"The data as they were read ({dots(view)}).", f"{target(view)} along {axis_name(view.axis)}."


def against(view: View, axis: Axis) -> tuple[str, str]:
    """The same for a table against one of its inputs."""
    return f"Against {axis_name(axis)}.", f"{target(view)} against {axis_name(axis)}."
