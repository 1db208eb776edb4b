"""Charts for tables of several inputs: values against the model's, and a part of the model over two inputs as a map."""

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.report.figures.elements import along, coordinates, dotted, finish, quantity, rows, up
from kernelscribe.report.figures.layers import Layer, Part, Spec, expression, field
from kernelscribe.report.figures.shrink import thin
from kernelscribe.report.figures.tips import Place, Tip, TipLine, form, heading, number, ring, texts
from kernelscribe.report.formats.escape import readable
from kernelscribe.report.words import language

__all__ = ["against", "heat"]

# Of a chart, in pixels.
_HEIGHT = 300
# How far a cell of a map reaches over its middle, in half cells: a little under the next.
_OVER = 1.2


def against(predicted: Array, observed: Array, target: str) -> Spec:
    """Every value against what the model makes of it; on the diagonal if there is nothing else."""
    predicted, observed = np.asarray(predicted, dtype=float), np.asarray(observed, dtype=float)
    kept = thin(len(predicted))
    ends = [float(min(predicted.min(), observed.min())), float(max(predicted.max(), observed.max()))]
    across, tall = (
        quantity("x", language.charts.predicted(target), predicted),
        up("y", language.charts.measured(target), observed),
    )
    line = Layer("ends", {"x": across, "y": tall}).mark("line", style="split", clip=True)
    base, digits = Layer("points", {"x": across}), form(observed)
    tip = Tip(
        Place("input", (("input", readable(target)),)),
        (TipLine(language.charts.MEASURED, number("y", digits)), TipLine(language.charts.MODEL, number("x", digits))),
    )
    layers = [line, dotted(base, tall, len(kept)), *ring(base, tip)]
    return finish(layers, _HEIGHT, {"ends": rows(x=ends, y=ends), "points": rows(x=predicted[kept], y=observed[kept])})


def heat(x: Array, y: Array, values: Array, across: Axis, upwards: Axis, title: str, name: str = language.charts.MODEL) -> Spec:
    """Values [len(y), len(x)] over two inputs on an even grid, as a map whose colours part at zero; `name` is theirs."""
    half_x, half_y = (0.5 * (each[1] - each[0]) for each in (x, y))
    columns, lines = (each.ravel() for each in np.meshgrid(x, y))
    # Each cell reaches a little under the next: where they only touch, the paper shines through.
    left, right = coordinates(columns - half_x, across), coordinates(columns + _OVER * half_x, across)
    below, above = coordinates(lines - half_y, upwards), coordinates(lines + _OVER * half_y, upwards)
    size = float(np.abs(values).max()) or 1.0
    middle = {"column": coordinates(columns, across), "line": coordinates(lines, upwards)}
    table = rows(x=left, x2=right, y=below, y2=above, value=values.ravel(), **middle)
    tip = _cell(across, x, upwards, y, TipLine(name, number("value", form(values, spread=size / 10), "datum")))
    channels = {
        "x": along(across, columns - half_x, columns + half_x),
        "x2": {"field": "x2"},
        "y": _upwards(upwards, lines - half_y, lines + half_y),
        "y2": {"field": "y2"},
        "color": field(
            "value",
            title=readable(title),
            scale={"domain": [-size, size], "scheme": "blueorange"},
            legend={"orient": "top", "gradientLength": 180, "titleLimit": 300},
        ),
    }
    cells = Layer("cells", channels).mark("rect", strokeWidth=0, clip=True, tooltip=expression(tip.expression))
    return finish([cells.asking(*texts(tip.place))], _HEIGHT, {"cells": table})


def _cell(across: Axis, x: Array, upwards: Axis, y: Array, line: TipLine) -> Tip:
    """What there is to say of a cell: where it lies along both inputs, and its value."""
    one, other = heading(across, x, "column", "datum"), heading(upwards, y, "line", "datum", "other")
    return Tip(Place(f"{one.text} + ', ' + {other.text}", (*one.words, *other.words)), (line,))


def _upwards(axis: Axis, *y: Array) -> Part:
    """What `along` makes, upright."""
    return {**along(axis, *y), "field": "y"}
