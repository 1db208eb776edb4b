"""What charts say under the pointer: where it is, what was measured there, and what the model makes of it.

Vega-Lite's own tooltips know the row under the pointer by its numbers only: of texts they say "undefined" there. So each
tooltip is one expression, made here of names of ours. Text of the user comes in as the value of a parameter, never in code.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.report.figures.elements import ends, largest, spoken
from kernelscribe.report.figures.layers import Layer, Part, expression
from kernelscribe.report.formats.escape import readable
from kernelscribe.report.words import language

__all__ = ["ROW", "Place", "Tip", "TipLine", "between", "form", "heading", "named", "number", "pointer", "ring", "texts"]

# The nearest row: the pointer is in a cell around its point, and row, point and cell are each other's datum.
ROW = "(datum.datum || datum)"
# What is known of the pointer, by its name in a chart.
_HOVER = "hover"
# Of a day, by which dates are counted.
_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Place:
    """Where the pointer is, as an expression, and the texts of the user that it speaks of, by their names in it."""

    text: str
    words: tuple[tuple[str, str], ...] = ()


class TipLine(NamedTuple):
    """A line of a tooltip: a label of ours, an expression, and when it is said."""

    label: str
    text: str
    when: str = "true"


@dataclass(frozen=True, slots=True)
class Tip:
    """A tooltip: the place, and what there is to say of it."""

    place: Place
    lines: tuple[TipLine, ...]

    @property
    def expression(self) -> str:
        """Of its names, `title` is the one that is shown as a heading."""
        lines = (f", {line.when} ? {{'{line.label}': {line.text}}} : {{}}" for line in self.lines)
        return f"merge({{'title': {self.place.text}}}{''.join(lines)})"


def heading(axis: Axis, x: Array, field: str = "x", row: str = ROW, key: str = "input") -> Place:
    """A date, or the name of an input and its value."""
    if axis.dated:
        return Place(f"utcFormat({row}.{field}, '{_calendar(x)}')")
    # Years are those of a calendar.
    return named(axis.name, _exact(x), "" if axis.unit == "years" else spoken(axis), field, row, key)


def named(name: str, format: str, unit: str = "", field: str = "x", row: str = ROW, key: str = "input") -> Place:
    """The name of a quantity and its value."""
    words = (key, f"{readable(name)}: "), (f"{key}_unit", f" {readable(unit)}" if unit else "")
    return Place(f"{key} + {number(field, format, row)} + {key}_unit", words)


def _calendar(x: Array) -> str:
    """As much of a date as tells neighbours apart."""
    apart = np.diff(np.unique(np.asarray(x, dtype=float)))
    step = _SECONDS * (float(np.median(apart)) if len(apart) else 1.0)
    return "%-d %B %Y" + (", %H:%M:%S" if step < 54 else ", %H:%M" if step < 0.9 * _SECONDS else "")  # noqa: PLR2004


def _exact(x: Array) -> str:
    low, high = ends([x])
    # As many digits as tell ten thousand places apart, however far from zero they lie.
    return f".{min(4 + max(0, math.ceil(math.log10(max(abs(low), abs(high)) / (high - low)))), 15)}~g"


def form(*values: Array, spread: Array | float = 0.0) -> str:
    """How numbers are written: to six figures, or to three of their spread where that is known."""
    size, wide = largest(values) or 1.0, largest([np.ravel(spread)])
    if not 1e-3 <= size < 1e7:  # noqa: PLR2004
        return ".5~e"
    return f",.{min(max(2 - math.floor(math.log10(wide)), 0), 12)}~f" if wide > 0 else ",.6~r"


def number(field: str, format: str, row: str = ROW) -> str:
    """A number of the row, as text."""
    return f"format({row}.{field}, '{format}')"


def between(lower: str, upper: str, format: str, row: str = ROW) -> str:
    """A range, as text."""
    return f"{number(lower, format, row)} + ' {language.charts.TO} ' + {number(upper, format, row)}"


def pointer(base: Layer, height: str, tip: Tip, x: Array) -> list[Layer]:
    """A line at the place nearest to the pointer, and what there is to say of it.

    Args:
        height: of a row, as an expression.
        x: the places. Only where several rows share one does it matter how high the pointer is.
    """
    hover, shared = _hover("x"), len(np.unique(x)) < len(x)
    line = base.where(_at_pointer()).mark("rule", style="cursor").named("cursor")
    return [line, _nearest(base, height, tip, int(shared)).asking(hover)]


def ring(base: Layer, tip: Tip) -> list[Layer]:
    """A ring around the dot of a cloud that is nearest to the pointer, and what there is to say of it."""
    hover = _hover("x", "y")
    around = base.where(_at_pointer()).mark("point", style="ring", size=90).encode(y=_raised("datum.y"))
    return [around.named("cursor"), _nearest(base, "datum.y", tip).asking(hover)]


def _hover(*fields: str) -> Part:
    """Where the pointer is."""
    select = {"type": "point", "nearest": True, "on": "pointerover", "clear": "pointerout", "fields": list(fields)}
    return {"name": _HOVER, "select": select}


def _at_pointer() -> Part:
    """The rows there: none while it is elsewhere."""
    return {"param": _HOVER, "empty": False}


def _nearest(base: Layer, height: str, tip: Tip, stretch: int = 1) -> Layer:
    """Unseen points; Vega-Lite parts the chart among them."""
    known = base.where(f"isValid({height})")
    near = known.mark("point", opacity=0, size=1, tooltip=expression(tip.expression)).named("pointer")
    return near.encode(y=_raised(height, stretch)).asking(*texts(tip.place))


def _raised(height: str, stretch: int = 1) -> Part:
    """A height by the scale of the other layers, to which these add nothing: they may be empty."""
    return {"value": expression(f"{stretch} * scale('y', {height})")}


def texts(place: Place) -> list[Part]:
    """The texts of the user that a tooltip speaks of."""
    return [{"name": name, "value": text} for name, text in place.words]
