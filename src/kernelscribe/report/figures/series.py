"""Charts along one input: the data, a curve with its band, draws of curves, and what is left over."""

from collections.abc import Sequence
from itertools import cycle

import altair as alt
import numpy as np

from kernelscribe.data.axis import Axis
from kernelscribe.kernels.base import Array
from kernelscribe.report.figures.parts import Spec, along, cursor, finish, places, reader, rows, tip, up, zoomed
from kernelscribe.report.shrink import shrink, thin

__all__ = ["Band", "band", "components", "data", "residuals", "samples", "scatter", "slice"]

# Mean, lower and upper end at each place.
Band = tuple[Array, Array, Array]

_HEIGHT = 260
_PIXELS = 400
_CURVE_PIXELS = 200
_STYLES = ("mean", "ahead", "third", "fourth")


def data(x: Array, y: Array, axis: Axis, target: str) -> Spec:
    """The data as they came; in time they are joined by a faint line."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    kept = shrink(x, [y], _PIXELS)
    layers = [_dots(x, y, axis, target, len(kept)).add_params(zoomed())]
    if axis.temporal or axis.dated:
        layers.insert(0, _base("points", axis, x).mark_line(style="trace").encode(y=up("y", target, y)))
    return finish(layers, _HEIGHT, {"points": rows(x=places(x[kept], axis), y=y[kept])})


def scatter(x: Array, y: Array, axis: Axis, target: str) -> Spec:
    """The data against one of several inputs."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    kept = thin(len(x))
    layer = _dots(x, y, axis, target, len(kept)).add_params(zoomed())
    return finish([layer], _HEIGHT, {"points": rows(x=places(x[kept], axis), y=y[kept])})


def band(
    x: Array,
    mean: Array,
    lower: Array,
    upper: Array,
    axis: Axis,
    title: str,
    points: tuple[Array, Array] | None = None,
    split: float | None = None,
    height: int = _HEIGHT,
) -> Spec:
    """A curve with its band.

    Args:
        title: of the vertical axis.
        points: data to draw with it, as x and y.
        split: the last datum; what lies beyond is a forecast and drawn in another colour, behind a dashed line.
    """
    x, mean, lower, upper = (np.asarray(each, dtype=float) for each in (x, mean, lower, upper))
    kept = shrink(x, [lower, upper], _CURVE_PIXELS)
    x, mean, lower, upper = (each[kept] for each in (x, mean, lower, upper))
    px, py = (np.asarray(each, dtype=float) for each in points or ((), ()))
    reach = np.append(x, px)
    tables = {"curve": rows(x=places(x, axis), mean=mean, lower=lower, upper=upper)}
    base = _base("curve", axis, reach)
    layers, sides = [], [(base, "band", "mean")]
    if points is not None:
        few = shrink(px, [py], _PIXELS)
        tables["points"] = rows(x=places(px[few], axis), y=py[few])
        layers.append(_dots(reach, py, axis, title, len(few)))
    if split is not None and x[0] <= split < x[-1]:
        # The last known place belongs to both sides, so that they join.
        edge = tables["curve"][int(np.searchsorted(x, split, side="right")) - 1]["x"]
        known, ahead = base.transform_filter(f"datum.x <= {edge}"), base.transform_filter(f"datum.x >= {edge}")
        sides = [(known, "band", "mean"), (ahead, "band-ahead", "ahead")]
        tables["split"] = rows(x=places(np.array([split]), axis))
        layers.append(_base("split", axis, reach).mark_rule(style="split"))
    for side, area, line in sides:
        layers.append(side.mark_area(style=area).encode(y=up("lower", title, lower, upper), y2="upper"))
        layers.append(side.mark_line(style=line).encode(y=up("mean", title, lower, upper)))
    _, at = reader(axis, reach)
    numbers = [tip("mean", "value", lower, upper), tip("lower", "95 % from", lower, upper), tip("upper", "to", lower, upper)]
    layers += cursor(base, "mean", [at, *numbers])
    layers[-1] = layers[-1].add_params(zoomed())
    return finish(layers, height, tables)


def slice(
    x: Array, mean: Array, lower: Array, upper: Array, axis: Axis, target: str, points: tuple[Array, Array] | None = None
) -> Spec:
    """A curve along one of several inputs, the others held where they are."""
    return band(x, mean, lower, upper, axis, target, points)


def components(
    x: Array,
    alone: Sequence[Band],
    together: Sequence[Band],
    axis: Axis,
    target: str,
    points: tuple[Array, Array],
    split: float | None = None,
) -> tuple[tuple[Spec, Spec], ...]:
    """For each component a pair of charts: it alone, and the sum of all up to it with the data."""
    return tuple(
        (
            band(x, *one, axis, f"part of {target}", split=split, height=220),
            band(x, *whole, axis, target, points, split, height=220),
        )
        for one, whole in zip(alone, together, strict=True)
    )


def samples(x: Array, draws: Array, axis: Axis, title: str, split: float | None = None) -> Spec:
    """Curves drawn from the model, one a row of `draws` [k, n]."""
    x, draws = np.asarray(x, dtype=float), np.atleast_2d(np.asarray(draws, dtype=float))
    kept = shrink(x, list(draws), _CURVE_PIXELS)
    names = [f"y{number}" for number in range(len(draws))]
    tables = {"curve": rows(x=places(x[kept], axis), **{name: draw[kept] for name, draw in zip(names, draws, strict=True)})}
    base = _base("curve", axis, x)
    layers = [
        base.mark_line(style=style, strokeWidth=1.25).encode(y=up(name, title, draws))
        for name, style in zip(names, cycle(_STYLES), strict=False)
    ]
    layers[0] = layers[0].add_params(zoomed())
    if split is not None:
        tables["split"] = rows(x=places(np.array([split]), axis))
        layers.append(_base("split", axis, x).mark_rule(style="split"))
    return finish(layers, _HEIGHT, tables)


def residuals(x: Array, r: Array, axis: Axis, title: str) -> Spec:
    """What a model leaves over, about zero."""
    x, r = np.asarray(x, dtype=float), np.asarray(r, dtype=float)
    kept = shrink(x, [r], _PIXELS)
    zero = alt.Chart(alt.NamedData(name="zero")).mark_rule(style="level").encode(y=up("y", title, r))
    layers = [zero, _dots(x, r, axis, title, len(kept)).add_params(zoomed())]
    return finish(layers, 200, {"points": rows(x=places(x[kept], axis), y=r[kept]), "zero": rows(y=[0])})


def _base(name: str, axis: Axis, x: Array) -> alt.Chart:
    """What the layers of a chart share: their table, and an axis as long as x, which is all that the chart shows."""
    extra, _ = reader(axis, x)
    chart = alt.Chart(alt.NamedData(name=name)).encode(x=along(axis, x))
    return chart.transform_calculate(**extra) if extra else chart


def _dots(x: Array, y: Array, axis: Axis, title: str, count: int) -> alt.Chart:
    """The data, the smaller the more there are."""
    size = 34 if count <= 100 else 16 if count <= 400 else 9  # noqa: PLR2004
    tips = [reader(axis, x)[1], tip("y", "value", y)]
    dots: alt.Chart = _base("points", axis, x).mark_circle(style="datum", size=size)
    return dots.encode(y=up("y", title, y), tooltip=tips)
