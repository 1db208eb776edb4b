"""Components of tables in pictures: along their only input, over two, or along each of several while the others are held."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.report import figures
from kernelscribe.report.description.view import POINTS, View
from kernelscribe.report.document import Block, Figure, Row
from kernelscribe.report.words.english.quantities import label, listing

__all__ = ["surfaces"]

_SIDE = 40
_PLANE = 2


def surfaces(view: View, i: int) -> Iterator[Block]:
    """The pictures of component i."""
    dims = view.analysis.components[i].term.dims
    if len(dims) == 1:
        yield _curve(view, i, dims[0], f"part-{i + 1}-alone", "")
    elif len(dims) == _PLANE:
        yield _plane(view, i, dims[0], dims[1])
    else:
        charts = [_curve(view, i, dim, f"part-{i + 1}-{dim}", _held(view, dim, dims)) for dim in dims]
        for j in range(0, len(charts), 2):
            yield Row(tuple(charts[j : j + 2]))


def _name(view: View, dim: int) -> str:
    return label(view.model.axes[dim - 1].name)


def _held(view: View, dim: int, dims: tuple[int, ...]) -> str:
    return f" Held at their medians: {listing([_name(view, each) for each in dims if each != dim])}."


def _points(view: View, n: int) -> Array:
    """n points at the medians of all inputs."""
    return np.tile(np.median(view.model.inputs, axis=0), (n, 1))


def _curve(view: View, i: int, dim: int, id: str, held: str) -> Figure:
    one = view.analysis.components[i]
    X = _points(view, POINTS)
    X[:, dim - 1] = np.linspace(*view.ends[dim - 1], POINTS)
    band = view.shape(X, [one.standard], view.centred[i])
    part, name = f"part of {view.target}", f"component {i + 1}"
    spec = figures.band(X[:, dim - 1], *band, view.model.axes[dim - 1], part, name=name)
    return Figure(
        spec,
        f"Component {i + 1} along {_name(view, dim)}, with a 95 % band.{held}",
        f"Component {i + 1} along {_name(view, dim)}: {view.analysis.words[i].summary}.",
        id,
    )


def _plane(view: View, i: int, one: int, other: int) -> Figure:
    part = view.analysis.components[i]
    across, up = (np.linspace(*view.ends[dim - 1], _SIDE) for dim in (one, other))
    X = _points(view, _SIDE**2)
    X[:, one - 1], X[:, other - 1] = (each.ravel() for each in np.meshgrid(across, up))
    mean = view.height(X, [part.standard], view.centred[i]).reshape(_SIDE, _SIDE)
    axes = view.model.axes[one - 1], view.model.axes[other - 1]
    return Figure(
        figures.heat(across, up, mean, *axes, f"part of {view.target}", f"component {i + 1}"),
        f"The mean of component {i + 1} over {_name(view, one)} and {_name(view, other)}; where there are no data near, it is a "
        "guess.",
        f"Component {i + 1} over {_name(view, one)} and {_name(view, other)} as a map: {view.analysis.words[i].summary}.",
        f"part-{i + 1}-alone",
    )
