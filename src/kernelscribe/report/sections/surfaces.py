"""Components of tables in pictures: along their only input, over two, or along each of several while the others are fixed."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.report import figures
from kernelscribe.report.description.view import POINTS, View
from kernelscribe.report.document import Block, Figure, SideBySide
from kernelscribe.report.words import language

__all__ = ["surfaces"]

# Points along either side of a map.
_SIDE = 40
# With so many inputs a component is drawn as a map.
_PLANE = 2


def surfaces(view: View, i: int) -> Iterator[Block]:
    """The pictures of component i."""
    dims = view.findings.components[i].term.dims
    if len(dims) == 1:
        yield _curve(view, i, dims[0], f"part-{i + 1}-alone", ())
    elif len(dims) == _PLANE:
        yield _plane(view, i, dims[0], dims[1])
    else:
        charts = [_curve(view, i, dim, f"part-{i + 1}-{dim}", [each for each in dims if each != dim]) for dim in dims]
        for j in range(0, len(charts), 2):
            yield SideBySide(tuple(charts[j : j + 2]))


def _points(view: View, n: int) -> Array:
    """n points at the medians of all inputs."""
    return np.tile(np.median(view.model.inputs, axis=0), (n, 1))


def _curve(view: View, i: int, dim: int, id: str, fixed: Sequence[int]) -> Figure:
    one = view.findings.components[i]
    X = _points(view, POINTS)
    X[:, dim - 1] = np.linspace(*view.ends[dim - 1], POINTS)
    band = view.shape(X, [one.standard], view.centred[i])
    axis, name = view.model.axes[dim - 1], language.charts.components(i + 1, i + 1)
    spec = figures.band(X[:, dim - 1], *band, axis, language.charts.share_of(view), name=name)
    return Figure(spec, *language.surfaces.curve(view, i, dim, fixed), id)


def _plane(view: View, i: int, one: int, other: int) -> Figure:
    component = view.findings.components[i]
    across, up = (np.linspace(*view.ends[dim - 1], _SIDE) for dim in (one, other))
    X = _points(view, _SIDE**2)
    X[:, one - 1], X[:, other - 1] = (each.ravel() for each in np.meshgrid(across, up))
    mean = view.height(X, [component.standard], view.centred[i]).reshape(_SIDE, _SIDE)
    axes, name = (view.model.axes[one - 1], view.model.axes[other - 1]), language.charts.components(i + 1, i + 1)
    spec = figures.heat(across, up, mean, *axes, language.charts.share_of(view), name)
    return Figure(spec, *language.surfaces.plane(view, i, one, other), f"part-{i + 1}-alone")
