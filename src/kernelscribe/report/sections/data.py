"""The second section: the data as they were read, and what was guessed, repaired and noticed on the way."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.model.future import rhythm
from kernelscribe.report import figures
from kernelscribe.report.description.view import View
from kernelscribe.report.document import Block, Bullets, Figure, Mono, Paragraph, Row, Section, Table, Text
from kernelscribe.report.words.english.quantities import amount, count_word, cycle_name, label
from kernelscribe.report.words.english.readings import reading, spot

__all__ = ["seen"]

_KINDS = (
    ("guess", "What was guessed; if a guess is wrong, say so and run again:"),
    ("repair", "What was repaired:"),
    ("notice", "What was noticed, and left as it is:"),
)
# Rows and inputs that are shown; the others are counted.
_ROWS, _INPUTS = 10, 12
_GAP = 1.5
_STEPS = {
    "yearly": "one year",
    "quarterly": "three months",
    "monthly": "one month",
    "weekly": "one week",
    "daily": "one day",
    "hourly": "one hour",
}


def seen(view: View) -> Section:
    """The data as we read them."""
    data = view.model.data
    rows = f"{view.rows:,} rows"
    by = "one input" if view.model.series else f"{count_word(len(data.axes))} inputs"
    blocks: list[Block] = [
        Paragraph(
            Text(("We read ", f"{rows}. The target, which is to be explained, is ", Mono(data.target), _values(view), by, "."))
        )
    ]
    blocks += [_inputs(view), *_steps(view), *_notes(view), *_odd(view), *_raw(view)]
    return Section("Your data as we read them", tuple(blocks), "data")


def _values(view: View) -> str:
    low, high = float(view.model.target.min()), float(view.model.target.max())
    if view.model.data.constant:
        return f", always {low:g}. There is "
    return f", from {reading(low, high - low, 3)} to {reading(high, high - low, 3)}. It is explained by "


def _inputs(view: View) -> Table:
    rows = []
    for axis, (low, high), column in zip(view.model.axes, view.ends, view.model.inputs.T, strict=True):
        first, last = (spot(axis, end, high - low) for end in (low, high))
        rows.append((Text((Mono(axis.name),)), _unit(axis), first, last, f"{len(np.unique(column)):,}"))
    shown = rows[:_INPUTS]
    more = f" {len(rows) - _INPUTS:,} more are not shown." if len(rows) > _INPUTS else ""
    return Table(
        ("Input", "Unit", "From", "To", "Different values"),
        tuple(shown),
        f"The inputs and their ranges.{more}",
        ("left", "left", "right", "right", "right"),
    )


def _unit(axis: Axis) -> str:
    return "a date" if axis.dated else label(axis.unit) if axis.unit.strip() else "–"


def _steps(view: View) -> Iterator[Block]:
    """The rhythm of a series, and its longest gap."""
    if not view.model.series:
        return
    axis, places = view.axis, np.unique(view.points[0])
    steps = np.diff(places)
    usual, widest = float(np.median(steps)), int(np.argmax(steps))
    said = f"The typical step along {label(axis.name)} is {_step(axis, places, usual)}"
    if steps[widest] > _GAP * usual:
        first, last = (spot(axis, float(places[widest + i]), view.span) for i in (0, 1))
        between = f", between {first} and {last}" if first != last else ""
        yield Paragraph(f"{said}; the longest gap is {amount(axis, float(steps[widest]))}{between}.")
    else:
        yield Paragraph(f"{said}, and no gap is much longer.")


def _step(axis: Axis, places: Array, usual: float) -> str:
    """As the calendar calls it, where it keeps to the calendar."""
    months = rhythm(places, axis)
    if months is not None:
        many, unit = (months // 12, "year") if months % 12 == 0 else (months, "month")
        return f"{count_word(many)} {unit}{'' if many == 1 else 's'}"
    name = cycle_name(axis, usual)
    return _STEPS.get(name, amount(axis, usual)) if name else amount(axis, usual)


def _notes(view: View) -> Iterator[Block]:
    for kind, opening in _KINDS:
        texts = tuple(note.text for note in view.model.data.notes if note.kind == kind)
        if texts:
            yield Paragraph(opening)
            yield Bullets(texts)


def _odd(view: View) -> Iterator[Block]:
    """Rows that the model finds hard to believe."""
    found = None if not view.structure else view.analysis.criticism
    if found is None:
        return
    if not found.odd:
        yield Paragraph("No row lies so far from what the model expects that chance could not have put it there.")
        return
    n = len(found.odd)
    rows = "One row lies" if n == 1 else f"{count_word(n).capitalize()} rows lie"
    where = "row" if not view.model.series else label(view.axis.name)
    target, size = view.model.target, view.model.noise_sd
    listed = [
        (_where(view, row), reading(float(target[row]), size), f"{'above' if error > 0 else 'below'}", f"{abs(error):.1f}")
        for row, error in found.odd[:_ROWS]
    ]
    rest = f" {n - _ROWS:,} more are not shown." if n > _ROWS else ""
    yield Paragraph(
        f"{rows} so far from what the model expects that chance alone would hardly have put {'it' if n == 1 else 'them'} there. "
        f"{'It was' if n == 1 else 'They were'} used like all others; look whether {'it is' if n == 1 else 'they are'} right."
    )
    yield Table(
        (where, view.target, "lies", "standard deviations"),
        tuple(listed),
        f"Rows that do not fit in, the oddest first.{rest}",
        ("right", "right", "left", "right"),
    )


def _where(view: View, row: int) -> str:
    return spot(view.axis, float(view.points[0][row]), view.span) if view.model.series else f"{row + 1:,}"


def _raw(view: View) -> Iterator[Block]:
    x, y = view.points
    if view.model.series:
        spec = figures.data(x, y, view.axis, view.target)
        yield Figure(spec, f"The data as they were read ({view.dots}).", f"{view.target} along {label(view.axis.name)}.", "raw")
        return
    charts = [
        Figure(
            figures.scatter(column, y, axis, view.target),
            f"Against {label(axis.name)}.",
            f"{view.target} against {label(axis.name)}.",
            f"raw-{d}",
        )
        for d, (column, axis) in enumerate(zip(view.model.inputs.T[:_INPUTS], view.model.axes, strict=False), start=1)
    ]
    for i in range(0, len(charts), 2):
        yield Row(tuple(charts[i : i + 2]))
