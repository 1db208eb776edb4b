"""What charts are made of: numbers as rows with fixed names, axes and zoom.

Text of the user stands only in titles of axes and in values; the names of fields are ours.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.report.figures.layers import Layer, Part, Spec, expression, field, layered
from kernelscribe.report.formats.escape import readable

__all__ = [
    "across",
    "along",
    "coordinates",
    "dotted",
    "ends",
    "finish",
    "largest",
    "quantity",
    "rows",
    "spoken",
    "up",
    "zoomed",
]

# Of a number, of those that its range needs: more than a screen can show.
_DIGITS = 6
# In milliseconds, by which browsers count time.
_DAY = 86_400_000
# What every object of JavaScript has.
_PROPERTIES = frozenset(
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf "
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__".split()
)
# As far as the calendar of a browser reaches.
_LAST = 8.64e15


def coordinates(x: Array, axis: Axis) -> Array:
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
    return [None if not math.isfinite(each) else _rounded(each, digits) for each in held.tolist()]


def _rounded(value: float, digits: int) -> float | int:
    near = round(value, digits) if digits > 0 else value
    return int(near) if abs(near) < 1e15 and near == int(near) else near  # noqa: PLR2004


def along(axis: Axis, *x: Array) -> Part:
    """The horizontal axis of an input: a calendar, years without a comma in them, or plain numbers."""
    title, reach = _title(axis) or None, ends([coordinates(each, axis) for each in x])
    if axis.dated:
        # As an expression: numbers would become calls of datetime, which Vega's interpreter takes for years and months.
        return field("x", "temporal", title=title, scale={"type": "utc", "domain": expression(str(reach))})
    form = {"format": ".10~g"} if axis.unit == "years" else {}
    return field("x", title=title, scale={"domain": reach}, axis=form)


def across(table: str, axis: Axis, x: Array) -> Layer:
    """What the layers of a chart share: their table, and an axis as long as x, which is all that the chart shows."""
    return Layer(table, {"x": along(axis, x)})


def dotted(base: Layer, y: Part, count: int) -> Layer:
    """Data as dots, the smaller the more there are."""
    size = 34 if count <= 100 else 16 if count <= 400 else 9  # noqa: PLR2004
    return base.mark("circle", style="datum", size=size).encode(y=y)


def ends(values: Sequence[Array]) -> list[float]:
    """First and last of all values, stated rather than left to Vega, which would also ask layers that are still empty."""
    known = np.concatenate([np.ravel(each)[np.isfinite(np.ravel(each))] for each in map(np.asarray, values)])
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    room = 0.5 * (abs(low) or 1.0) if low == high else 0.0
    return [low - room, high + room]


def _title(axis: Axis) -> str:
    # A time names itself: "date, in days" would say less than "date".
    name, unit = readable(axis.name), "" if axis.temporal else spoken(axis)
    return f"{name} ({unit})" if unit else _safe(name)


def spoken(axis: Axis) -> str:
    """The unit of an input, unless its name says it already."""
    unit, words = readable(axis.unit), re.split(r"[^\w°%/]+", readable(axis.name).lower())
    return "" if {unit.lower(), unit.lower().removesuffix("s")} & set(words) else unit


def _safe(title: str) -> str:
    # Vega keeps titles as keys of an object: with the name of a property that all objects have, no chart is drawn.
    return f"{title} " if title in _PROPERTIES else title


def up(column: str, title: str, *values: Array) -> Part:
    """A vertical axis for values, with labels that stay short."""
    return field(column, title=_safe(readable(title)) or None, scale={"zero": False}, axis=_labels(values))


def quantity(column: str, title: str, *values: Array) -> Part:
    """The same, horizontally, from the lowest to the highest value."""
    return field(column, title=_safe(readable(title)) or None, scale={"domain": ends(values)}, axis=_labels(values))


def _labels(values: Sequence[Array]) -> Part:
    size = largest(values)
    if size >= 1e5:  # noqa: PLR2004
        return {"format": "~s"}
    return {"format": ".3~g"} if 0 < size < 1e-3 else {}  # noqa: PLR2004


def largest(values: Sequence[Array]) -> float:
    """The largest of all values, whatever its sign."""
    return max((float(np.abs(each[np.isfinite(each)]).max(initial=0.0)) for each in map(np.asarray, values)), default=0.0)


def zoomed() -> Part:
    """Ctrl and the wheel (or two fingers) zoom, dragging moves, a double click resets. A finger scrolls the page as ever."""
    drag = "[pointerdown[event.pointerType !== 'touch'], window:pointerup] > window:pointermove!"
    wheel = "wheel![event.ctrlKey || event.metaKey]"
    select = {"type": "interval", "encodings": ["x"], "zoom": wheel, "translate": drag, "clear": "dblclick"}
    return {"name": "zoom", "bind": "scales", "select": select}


def finish(layers: Sequence[Layer], height: int, data: Mapping[str, list[dict[str, Any]]]) -> Spec:
    """The layers as one chart with its data. The look is added when it is known where the chart will stand."""
    return {**layered(layers, height), "datasets": dict(data)}
