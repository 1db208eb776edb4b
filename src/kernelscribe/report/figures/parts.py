"""What charts are made of: numbers as rows with fixed names, axes, tooltips, zoom and the line under the pointer.

Text of the user stands only in titles of axes and in values; the names of fields, and those shown in tooltips, are ours.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import altair as alt
import numpy as np

from kernelscribe.data.axis import Axis
from kernelscribe.kernels.base import Array
from kernelscribe.report.escape import readable

__all__ = ["Spec", "along", "cursor", "finish", "places", "quantity", "reader", "rows", "tip", "up", "zoomed"]

Spec = dict[str, Any]

_DIGITS = 6
_DAY = 86_400_000
_PROPERTIES = frozenset(
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf "
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__".split()
)
# As far as the calendar of a browser reaches.
_LAST = 8.64e15


def places(x: Array, axis: Axis) -> Array:
    """Numbers of an input as they are drawn: for dates, milliseconds since 1970."""
    if axis.origin is None:
        return np.asarray(x, dtype=float)
    start = (datetime.fromisoformat(axis.origin).replace(tzinfo=None) - datetime(1970, 1, 1)).total_seconds() * 1000
    return np.clip(np.round(start + np.asarray(x, dtype=float) * _DAY), -_LAST, _LAST)


def rows(**columns: Iterable[Any]) -> list[dict[str, Any]]:
    """One object a row; numbers with as many digits as a screen can show, and null where there is none."""
    ready = [_values(column) for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*ready, strict=True)]


def _values(column: Iterable[Any]) -> list[Any]:
    held = column if isinstance(column, np.ndarray) else np.asarray(list(column))
    if held.dtype.kind not in "fiu":
        return [readable(each) if isinstance(each, str) else each for each in held.tolist()]
    held = held.astype(float)
    finite = held[np.isfinite(held)]
    size = float(np.ptp(finite)) if finite.size else 0.0
    size = size or (float(np.abs(finite).max()) if finite.size else 0.0)
    digits = _DIGITS - math.floor(math.log10(size)) if size > 0 else 0
    return [None if not math.isfinite(each) else _short(each, digits) for each in held.tolist()]


def _short(value: float, digits: int) -> float | int:
    near = round(value, digits) if digits > 0 else value
    return int(near) if abs(near) < 1e15 and near == int(near) else near  # noqa: PLR2004


def along(axis: Axis, *x: Array) -> alt.X:
    """The horizontal axis of an input: a calendar, years without a comma in them, or plain numbers."""
    title, ends = _title(axis) or None, _ends([places(each, axis) for each in x])
    if axis.dated:
        # As expressions: numbers would become calls of datetime, which Vega's interpreter takes for years and months.
        moments = [alt.ExprRef(str(end)) for end in ends]
        return alt.X("x", type="temporal", title=title, scale=alt.Scale(type="utc", domain=moments))
    form = ".10~g" if axis.unit == "years" else alt.Undefined
    return alt.X("x", type="quantitative", title=title, scale=alt.Scale(domain=ends), axis=alt.Axis(format=form))


def _ends(values: Sequence[Array]) -> list[float]:
    """First and last of all values, stated rather than left to Vega, which would also ask layers that are still empty."""
    known = np.concatenate([np.ravel(each)[np.isfinite(np.ravel(each))] for each in map(np.asarray, values)])
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    room = 0.5 * (abs(low) or 1.0) if low == high else 0.0
    return [low - room, high + room]


def _title(axis: Axis) -> str:
    name, unit = readable(axis.name), readable(axis.unit)
    # A time names itself: "date, in days" would say less than "date".
    return _safe(name) if not unit or axis.temporal or unit.lower() in name.lower() else f"{name} ({unit})"


def _safe(title: str) -> str:
    # Vega keeps titles as keys of an object: with the name of a property that all objects have, no chart is drawn.
    return f"{title} " if title in _PROPERTIES else title


def up(field: str, title: str, *values: Array) -> alt.Y:
    """A vertical axis for values, with labels that stay short."""
    return alt.Y(
        field, type="quantitative", title=_safe(readable(title)) or None, scale=alt.Scale(zero=False), axis=_labels(values)
    )


def quantity(field: str, title: str, *values: Array) -> alt.X:
    """The same, horizontally, from the lowest to the highest value."""
    scale = alt.Scale(domain=_ends(values))
    return alt.X(field, type="quantitative", title=_safe(readable(title)) or None, scale=scale, axis=_labels(values))


def _labels(values: Sequence[Array]) -> alt.Axis:
    size = _size(values)
    if size >= 1e5:  # noqa: PLR2004
        return alt.Axis(format="~s")
    return alt.Axis(format=".3~g" if 0 < size < 1e-3 else alt.Undefined)  # noqa: PLR2004


def _size(values: Sequence[Array]) -> float:
    return max((float(np.abs(each[np.isfinite(each)]).max(initial=0.0)) for each in map(np.asarray, values)), default=0.0)


def tip(field: str, title: str, *values: Array) -> alt.Tooltip:
    """One line of a tooltip."""
    plain = 1e-3 <= (_size(values) or 1.0) < 1e7  # noqa: PLR2004
    return alt.Tooltip(field, type="quantitative", title=title, format=",.6~r" if plain else ".5~e")


def reader(axis: Axis, x: Array) -> tuple[Mapping[str, str], alt.Tooltip]:
    """Where the pointer is, in words: a calculated field where there are dates, and the line of the tooltip."""
    if not axis.dated:
        low, high = _ends([x])
        # As many digits as tell ten thousand places apart, however far from zero they lie.
        digits = min(4 + max(0, math.ceil(math.log10(max(abs(low), abs(high)) / (high - low)))), 15)
        return {}, alt.Tooltip("x", type="quantitative", title="at", format=f".{digits}~g")
    step = float(np.median(np.diff(np.unique(x)))) if len(x) > 1 else 1.0
    form = "%-d %b %Y" if step >= 0.9 else "%-d %b %Y, %H:%M"  # noqa: PLR2004
    return {"at": f"utcFormat(datum.x, '{form}')"}, alt.Tooltip("at", type="nominal", title="at")


def zoomed() -> alt.Parameter:
    """Ctrl and the wheel (or two fingers) zoom, dragging moves, a double click resets. A finger scrolls the page as ever."""
    drag = "[pointerdown[event.pointerType !== 'touch'], window:pointerup] > window:pointermove!"
    return alt.selection_interval(
        name="zoom",
        bind="scales",
        encodings=["x"],
        zoom="wheel![event.ctrlKey || event.metaKey]",
        translate=drag,
        clear="dblclick",
    )


def cursor(base: alt.Chart, field: str, tips: Sequence[alt.Tooltip]) -> list[alt.Chart]:
    """A line at the point nearest to the pointer, with its numbers."""
    hover = alt.selection_point(name="hover", nearest=True, on="pointerover", clear="pointerout", encodings=["x"], empty=False)
    near = base.mark_point(opacity=0, size=1).encode(y=alt.Y(field, type="quantitative"), tooltip=list(tips)).add_params(hover)
    line = base.transform_filter(hover).mark_rule(style="cursor")
    return [line.properties(name="cursor"), near.properties(name="pointer")]


def finish(layers: Sequence[alt.Chart], height: int, data: Mapping[str, list[dict[str, Any]]]) -> Spec:
    """The layers as one chart, as wide as its place, with its data."""
    # Names of our own: Altair would count on from chart to chart, and equal charts would differ.
    named = [
        each if isinstance(each.name, str) else each.properties(name=f"layer-{number}") for number, each in enumerate(layers)
    ]
    # The specification is ours, and the tests check it; to do so for every chart of a report takes longer than to draw them.
    spec: Spec = alt.layer(*named, width="container", height=height).to_dict(validate=False)
    # The look is added when it is known where the chart will stand.
    spec.pop("config", None)
    spec["datasets"] = dict(data)
    return spec
