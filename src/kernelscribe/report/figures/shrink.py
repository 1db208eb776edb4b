"""Many rows drawn with few points: of a series the lowest and the highest in each pixel, so that no extreme goes missing; of a
cloud a random part, so that it keeps its shape."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array

__all__ = ["shrink", "thin"]

# Of a cloud: more would hide each other.
_DOTS = 2000


def shrink(x: Array, columns: Sequence[Array], pixels: int = 800) -> NDArray[np.intp]:
    """The rows to draw, in order of x: of each pixel those in which a column is lowest or highest, and both ends.

    Series with no more than two points a pixel are kept whole. NaN are passed over.

    >>> x = np.arange(10_000.0)
    >>> y = np.where(x == 4_321, 9.0, np.sin(x))
    >>> kept = shrink(x, [y], pixels=100)
    >>> len(kept) <= 202, bool((kept == 4_321).any())
    (True, True)
    """
    x = np.asarray(x, dtype=float)
    order = np.arange(len(x)) if bool(np.all(x[1:] >= x[:-1])) else np.argsort(x, kind="stable")
    if len(x) <= 2 * pixels:
        return order
    x = x[order]
    span = x[-1] - x[0]
    pixel = np.minimum((x - x[0]) * (pixels / span), pixels - 1).astype(int) if span > 0 else np.zeros(len(x), dtype=int)
    starts = np.flatnonzero(np.diff(pixel, prepend=-1))
    keep = np.zeros(len(x), dtype=bool)
    keep[[0, -1]] = True
    for column in columns:
        y = np.asarray(column, dtype=float)[order]
        for extreme in (np.fmin, np.fmax):
            hits = np.flatnonzero(y == np.repeat(extreme.reduceat(y, starts), np.diff(starts, append=len(x))))
            _, first = np.unique(pixel[hits], return_index=True)
            keep[hits[first]] = True
    return order[keep]


def thin(rows: int, most: int = _DOTS) -> NDArray[np.intp]:
    """Rows of a cloud to draw: all, or the same random part each time.

    >>> len(thin(10)), len(thin(10_000, most=100))
    (10, 100)
    """
    if rows <= most:
        return np.arange(rows)
    return np.sort(np.random.default_rng(0).choice(rows, size=most, replace=False))
