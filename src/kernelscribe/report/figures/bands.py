"""Charts of a curve with its band along one input, with the data, and with a forecast beyond them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.report.figures.elements import across, coordinates, dotted, finish, rows, up, zoomed
from kernelscribe.report.figures.layers import Layer, Spec
from kernelscribe.report.figures.shrink import shrink
from kernelscribe.report.figures.tips import ROW, Tip, TipLine, between, form, heading, number, pointer
from kernelscribe.report.words import language

__all__ = ["Curve", "Dots", "band"]

# Of a chart, in pixels.
_HEIGHT = 260
# Columns in each of which the lowest and the highest datum are drawn.
_PIXELS = 400
# The same for curves, whose points are joined.
_CURVE_PIXELS = 200
# Nearer to a dot than this share of the whole width, the pointer is on the dot, not on the curve.
_NEAR = 0.012


class Curve(NamedTuple):
    """Places, and at each of them the mean and both ends of the band."""

    x: Array
    mean: Array
    lower: Array
    upper: Array


class Dots(NamedTuple):
    """Data that are drawn with a curve, its height at each of them, and what they are called under the pointer."""

    x: Array
    y: Array
    fit: Array
    name: str = language.charts.MEASURED


def band(
    x: Array,
    mean: Array,
    lower: Array,
    upper: Array,
    axis: Axis,
    title: str,
    dots: Dots | None = None,
    split: float | None = None,
    height: int = _HEIGHT,
    name: str = language.charts.MODEL,
    marks: Sequence[float] = (),
) -> Spec:
    """A curve with its band.

    Args:
        title: of the vertical axis.
        split: the last datum; what lies beyond is a forecast and drawn in another colour, behind a dashed line.
        name: of the curve under the pointer.
        marks: places at which something happens; a rule stands there.
    """
    curve = _numbers(x, mean, lower, upper)
    curve = Curve(*(each[shrink(curve.x, [curve.lower, curve.upper], _CURVE_PIXELS)] for each in curve))
    split = split if split is not None and curve.x[0] <= split < curve.x[-1] else None
    reach = curve.x if dots is None else np.append(curve.x, dots.x)
    tables = {"curve": rows(**_columns(curve, axis))}
    layers = []
    if dots is not None:
        dots = _few(dots)
        tables["points"] = rows(x=coordinates(dots.x, axis), y=dots.y)
        tables["places"] = _reachable(dots, curve, axis, tables["curve"])
        layers.append(dotted(across("points", axis, reach), up("y", title, dots.y), len(dots.x)))
    if split is not None:
        tables["split"] = rows(x=coordinates(np.array([split]), axis))
        layers.append(across("split", axis, reach).mark("rule", style="split"))
    if marks:
        tables["marks"] = rows(x=coordinates(np.array(marks), axis))
        layers.append(across("marks", axis, reach).mark("rule", style="split"))
    edge = tables["curve"][-1 if split is None else int(np.searchsorted(curve.x, split, side="right")) - 1]["x"]
    layers += _sides(across("curve", axis, reach), curve, title, None if split is None else edge)
    beyond = "false" if split is None else f"!isValid({ROW}.y) && {ROW}.x > {edge}"
    # A curve has places between the dates that matter.
    said = Tip(heading(axis, curve.x[::4] if dots is None else dots.x), tuple(_lines(curve, dots, name, beyond)))
    where = ("curve", "datum.mean") if dots is None else ("places", "isValid(datum.y) ? datum.y : datum.mean")
    layers += pointer(across(where[0], axis, reach), where[1], said, curve.x if dots is None else dots.x)
    layers[-1] = layers[-1].asking(zoomed())
    return finish(layers, height, tables)


def _numbers(*columns: Array) -> Curve:
    return Curve(*(np.asarray(each, dtype=float) for each in columns))


def _few(dots: Dots) -> Dots:
    kept = shrink(dots.x, [dots.y], _PIXELS)
    x, y, fit = (np.asarray(each, dtype=float)[kept] for each in (dots.x, dots.y, dots.fit))
    return Dots(x, y, fit, dots.name)


def _columns(curve: Curve, axis: Axis) -> dict[str, Array]:
    return {"x": coordinates(curve.x, axis), "mean": curve.mean, "lower": curve.lower, "upper": curve.upper}


def _sides(base: Layer, curve: Curve, title: str, edge: float | None) -> Iterator[Layer]:
    """Band and line, up to the edge and beyond; the last known place belongs to both, so that they join."""
    sides = [(base, "band", "mean")]
    if edge is not None:
        known, ahead = base.where(f"datum.x <= {edge}"), base.where(f"datum.x >= {edge}")
        sides = [(known, "band", "mean"), (ahead, "band-ahead", "ahead")]
    for side, area, line in sides:
        yield side.mark("area", style=area).encode(y=up("lower", title, curve.lower, curve.upper), y2={"field": "upper"})
        yield side.mark("line", style=line).encode(y=up("mean", title, curve.lower, curve.upper))


def _reachable(dots: Dots, curve: Curve, axis: Axis, drawn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the pointer may be on: the dots with the curve and its band, and what is drawn of the curve near no dot."""
    below, above = (np.interp(dots.x, curve.x, each) for each in (curve.lower - curve.mean, curve.upper - curve.mean))
    known = rows(y=dots.y, **_columns(Curve(dots.x, dots.fit, dots.fit + below, dots.fit + above), axis))
    return known + [row for row, free in zip(drawn, _free(curve.x, np.unique(dots.x)), strict=True) if free]


def _free(x: Array, dots: Array) -> Array:
    """Which places are near no dot; dots are in order."""
    if len(dots) == 0:
        return np.ones(len(x), dtype=bool)
    after = np.clip(np.searchsorted(dots, x), 1, len(dots) - 1) if len(dots) > 1 else np.zeros(len(x), dtype=int)
    distance = np.minimum(np.abs(x - dots[after]), np.abs(x - dots[after - 1]))
    return np.asarray(distance > _NEAR * (max(x[-1], dots[-1]) - min(x[0], dots[0])))


def _lines(curve: Curve, dots: Dots | None, name: str, beyond: str) -> Iterator[TipLine]:
    digits = form(curve.lower, curve.upper, spread=float(np.median(curve.upper - curve.lower)) / 2)
    if dots is not None:
        yield TipLine(dots.name, number("y", form(dots.y)), f"isValid({ROW}.y)")
    yield TipLine(name, number("mean", digits), f"!({beyond})")
    yield TipLine(language.charts.FORECAST, number("mean", digits), beyond)
    yield TipLine(language.charts.BAND, between("lower", "upper", digits))
