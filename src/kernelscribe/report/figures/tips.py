"""What charts say under the pointer: where it is, what was measured there, and what the model makes of it.

Vega-Lite's own tooltips know the row under the pointer by its numbers only: of texts they say "undefined" there. So each
tooltip is one expression, made here of names of ours. Text of the user comes in as the value of a parameter, never in code.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import altair as alt
import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.report.figures.elements import ends, largest, spoken
from kernelscribe.report.formats.escape import readable
from kernelscribe.report.words import language

__all__ = ["ROW", "Place", "Tip", "TipLine", "between", "form", "heading", "named", "number", "pointer", "ring", "texts"]

# The nearest row: the pointer is in a cell around its point, and row, point and cell are each other's datum.
ROW = "(datum.datum || datum)"
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


def pointer(base: alt.Chart, height: str, tip: Tip, x: Array) -> list[alt.Chart]:
    """A line at the place nearest to the pointer, and what there is to say of it.

    Args:
        height: of a row, as an expression.
        x: the places. Only where several rows share one does it matter how high the pointer is.
    """
    hover, shared = _hover("x"), len(np.unique(x)) < len(x)
    line = base.transform_filter(hover).mark_rule(style="cursor").properties(name="cursor")
    return [line, _nearest(base, height, tip, int(shared)).add_params(hover)]


def ring(base: alt.Chart, tip: Tip) -> list[alt.Chart]:
    """A ring around the dot of a cloud that is nearest to the pointer, and what there is to say of it."""
    hover = _hover("x", "y")
    around = base.transform_filter(hover).mark_point(style="ring", size=90).encode(y=_raised("datum.y"))
    return [around.properties(name="cursor"), _nearest(base, "datum.y", tip).add_params(hover)]


def _hover(*fields: str) -> alt.Parameter:
    return alt.selection_point(name="hover", nearest=True, on="pointerover", clear="pointerout", fields=list(fields), empty=False)


def _nearest(base: alt.Chart, height: str, tip: Tip, stretch: int = 1) -> alt.Chart:
    """Unseen points; Vega-Lite parts the chart among them."""
    known = base.transform_filter(f"isValid({height})")
    near = known.mark_point(opacity=0, size=1, tooltip=alt.ExprRef(tip.expression)).properties(name="pointer")
    return near.encode(y=_raised(height, stretch)).add_params(*texts(tip.place))


def _raised(height: str, stretch: int = 1) -> alt.YValue:
    """A height by the scale of the other layers, to which these add nothing: they may be empty."""
    return alt.YValue(alt.ExprRef(f"{stretch} * scale('y', {height})"))


def texts(place: Place) -> list[alt.Parameter]:
    """The texts of the user that a tooltip speaks of."""
    return [alt.param(name=name, value=text) for name, text in place.words]
