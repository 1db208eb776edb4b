"""Charts for tables of several inputs: values against the model's, and a part of the model over two inputs as a map."""

import altair as alt
import numpy as np

from kernelscribe.data.axis import Axis
from kernelscribe.kernels.base import Array
from kernelscribe.report.escape import readable
from kernelscribe.report.figures.parts import Spec, along, finish, places, quantity, rows, tip, up
from kernelscribe.report.shrink import thin

__all__ = ["against", "heat"]

_HEIGHT = 300
_PIXELS = 400
_OVER = 1.2


def against(predicted: Array, observed: Array, target: str) -> Spec:
    """Every value against what the model makes of it; on the diagonal if there is nothing else."""
    predicted, observed = np.asarray(predicted, dtype=float), np.asarray(observed, dtype=float)
    kept = thin(len(predicted))
    ends = [float(min(predicted.min(), observed.min())), float(max(predicted.max(), observed.max()))]
    across, tall = quantity("x", f"{target} by the model", predicted), up("y", f"{target} as observed", observed)
    tips = [tip("x", "by the model", predicted), tip("y", "observed", observed)]
    size = 34 if len(kept) <= 100 else 16 if len(kept) <= 400 else 9  # noqa: PLR2004
    line = alt.Chart(alt.NamedData(name="ends")).mark_line(style="split", clip=True).encode(x=across, y=tall)
    dots = alt.Chart(alt.NamedData(name="points")).mark_circle(style="datum", size=size).encode(x=across, y=tall, tooltip=tips)
    return finish([line, dots], _HEIGHT, {"ends": rows(x=ends, y=ends), "points": rows(x=predicted[kept], y=observed[kept])})


def heat(x: Array, y: Array, values: Array, across: Axis, upwards: Axis, title: str) -> Spec:
    """Values [len(y), len(x)] over two inputs on an even grid, as a map whose colours part at zero."""
    half_x, half_y = (0.5 * (each[1] - each[0]) for each in (x, y))
    columns, lines = (each.ravel() for each in np.meshgrid(x, y))
    # Each cell reaches a little under the next: where they only touch, the paper shines through.
    left, right = places(columns - half_x, across), places(columns + _OVER * half_x, across)
    below, above = places(lines - half_y, upwards), places(lines + _OVER * half_y, upwards)
    size = float(np.abs(values).max()) or 1.0
    table = rows(x=left, x2=right, y=below, y2=above, value=values.ravel())
    chart = alt.Chart(alt.NamedData(name="cells")).mark_rect(strokeWidth=0, clip=True)
    chart = chart.encode(
        x=along(across, columns - half_x, columns + half_x),
        x2="x2",
        y=_upwards(upwards, lines - half_y, lines + half_y),
        y2="y2",
        color=alt.Color(
            "value",
            type="quantitative",
            title=readable(title),
            scale=alt.Scale(domain=[-size, size], scheme="blueorange"),
            legend=alt.Legend(orient="top", gradientLength=180, titleLimit=300),
        ),
        tooltip=[tip("value", "value", values)],
    )
    return finish([chart], _HEIGHT, {"cells": table})


def _upwards(axis: Axis, *y: Array) -> alt.Y:
    """What `along` makes, upright."""
    return alt.Y.from_dict({**along(axis, *y).to_dict(), "field": "y"})
