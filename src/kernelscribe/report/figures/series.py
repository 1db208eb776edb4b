"""Charts of values along one input: the data, draws of curves, and what is left over."""

from collections.abc import Sequence
from itertools import cycle

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.report.figures.elements import across, coordinates, dotted, finish, rows, up, zoomed
from kernelscribe.report.figures.layers import Layer, Spec
from kernelscribe.report.figures.shrink import shrink, thin
from kernelscribe.report.figures.tips import Tip, TipLine, form, heading, number, pointer, ring
from kernelscribe.report.words import language

__all__ = ["data", "residuals", "samples", "scatter"]

# Of a chart, in pixels.
_HEIGHT = 260
# Columns in each of which the lowest and the highest datum are drawn.
_PIXELS = 400
# The same for curves, whose points are joined.
_CURVE_PIXELS = 200
_STYLES = ("mean", "ahead", "third", "fourth")


def data(x: Array, y: Array, axis: Axis, target: str) -> Spec:
    """The data as they came; in time they are joined by a faint line."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    kept, base, tall = shrink(x, [y], _PIXELS), across("points", axis, x), up("y", target, y)
    joined = [base.mark("line", style="trace").encode(y=tall)] if axis.temporal or axis.dated else []
    tip = Tip(heading(axis, x), (TipLine(language.charts.MEASURED, number("y", form(y))),))
    layers = [*joined, dotted(base, tall, len(kept)), *pointer(base, "datum.y", tip, x)]
    return finish(_zooming(layers), _HEIGHT, {"points": rows(x=coordinates(x[kept], axis), y=y[kept])})


def scatter(x: Array, y: Array, axis: Axis, target: str) -> Spec:
    """The data against one of several inputs."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    kept, base = thin(len(x)), across("points", axis, x)
    tip = Tip(heading(axis, x), (TipLine(language.charts.MEASURED, number("y", form(y))),))
    layers = [dotted(base, up("y", target, y), len(kept)), *ring(base, tip)]
    return finish(_zooming(layers), _HEIGHT, {"points": rows(x=coordinates(x[kept], axis), y=y[kept])})


def samples(x: Array, draws: Array, axis: Axis, title: str, split: float | None = None) -> Spec:
    """Curves drawn from the model, one a row of `draws` [k, n]."""
    x, draws = np.asarray(x, dtype=float), np.atleast_2d(np.asarray(draws, dtype=float))
    kept = shrink(x, list(draws), _CURVE_PIXELS)
    names = [f"y{number}" for number in range(len(draws))]
    tables = {"curve": rows(x=coordinates(x[kept], axis), **{name: draw[kept] for name, draw in zip(names, draws, strict=True)})}
    base = across("curve", axis, x)
    layers = [
        base.mark("line", style=style, strokeWidth=1.25).encode(y=up(name, title, draws))
        for name, style in zip(names, cycle(_STYLES), strict=False)
    ]
    if split is not None:
        tables["split"] = rows(x=coordinates(np.array([split]), axis))
        layers.append(across("split", axis, x).mark("rule", style="split"))
    digits = form(draws, spread=np.std(draws, axis=1))
    lines = tuple(TipLine(language.charts.course(count), number(name, digits)) for count, name in enumerate(names, start=1))
    layers += pointer(base, "datum.y0", Tip(heading(axis, x[::4]), lines), x)
    return finish(_zooming(layers), _HEIGHT, tables)


def residuals(x: Array, r: Array, axis: Axis, title: str) -> Spec:
    """What a model leaves over, about zero."""
    x, r = np.asarray(x, dtype=float), np.asarray(r, dtype=float)
    kept, base = shrink(x, [r], _PIXELS), across("points", axis, x)
    zero = Layer("zero", {"y": up("y", title, r)}).mark("rule", style="level")
    tip = Tip(heading(axis, x), (TipLine(language.charts.LEFT_OVER, number("y", form(r, spread=float(np.std(r))))),))
    layers = [zero, dotted(base, up("y", title, r), len(kept)), *pointer(base, "datum.y", tip, x)]
    return finish(_zooming(layers), 200, {"points": rows(x=coordinates(x[kept], axis), y=r[kept]), "zero": rows(y=[0])})


def _zooming(layers: Sequence[Layer]) -> list[Layer]:
    return [*layers[:-1], layers[-1].asking(zoomed())]
