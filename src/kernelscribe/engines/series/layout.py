"""How a kernel is laid out on rows: as few columns as the digits that are asked for allow, and blocks that fit them."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.series.columns import Columns, Loops
from kernelscribe.engines.series.groups import groups, no_groups
from kernelscribe.engines.series.ingredients import Ingredients

__all__ = ["fewest_columns", "least_variance", "rows_a_block"]

# Rows of a block for every column of the states, and their least and greatest number: products of matrices of this size are
# done at full speed, and what is dense within a block costs no more than what is carried.
_ROWS_A_COLUMN = 0.8
_FEWEST_ROWS = 64
_MOST_ROWS = 192
# Sizes of blocks are multiples of this, so that few layouts are made.
_ROUND = 32
# Columns, at most: S takes some megabytes then, and a value of forty thousand rows some seconds.
_MOST_COLUMNS = 800
# So many times more nats may be lost at a time until there are no more.
_COARSER = 10.0
# Where an amplitude is zero throughout.
_TINY = 1e-300
# Lags that are added up for the least of a spectrum.
_LAGS = 2048
# The integral of a sum's error over both sides, in its largest error.
_WIDTH = 16.0


def fewest_columns(
    made: Sequence[Ingredients],
    t: Array,
    a: Array,
    least: float,
    tolerance: float,
    *,
    engine: bool = False,
    loops: Loops | None = None,
) -> Columns:
    """The columns of terms with amplitudes a [T, N] at sorted times: writing the kernel by them costs about so many nats, where
    no direction of the rows has less variance than `least`. For the engine it may be more, where there would be too many, and
    there are none where they would be no fewer than the rows, which are one block then."""
    sizes = (a**2).max(axis=1)
    while True:
        allowed = list(_allowed(made, t, sizes, least, tolerance))
        columns = Columns(tuple(groups(*each) for each in allowed), loops)
        if engine and len(t) <= min(columns.count, _MOST_COLUMNS):
            return Columns(tuple(no_groups(each) for each in made))
        # Where terms may be off by all they are, there are no fewer.
        if not engine or columns.count <= _MOST_COLUMNS or min(each[-1] for each in allowed) > 1:
            return columns
        tolerance *= _COARSER


def _allowed(
    made: Sequence[Ingredients], t: Array, sizes: Array, least: float, tolerance: float
) -> Iterator[tuple[int, Ingredients, float]]:
    """The terms, with what each may be off by at an amplitude of one."""
    span, rows = float(t[-1] - t[0]), len(t)
    for number, (each, size) in enumerate(zip(made, sizes, strict=True)):
        within = min(_WIDTH * rows * each.lengthscale / span, rows) if span > 0 else rows
        largest = max(float(size) * each.grown(float(t[-1])), _TINY)
        yield number, each, 2 * tolerance * least / (len(made) * rows * largest * math.sqrt(within))


def least_variance(made: Sequence[Ingredients], closest: float, a: Array, noise: Array) -> float:
    """Of any direction of the rows, about: the noise, and what terms without a slope add to it. That is the least of their
    spectra on a grid, Σ_m (−1)^m k(mh), h the distance of the closest rows: nothing, where two are at one time. (An estimate, for
    how many digits a climb needs; no certificate rests on it.)
    """
    found = float(noise.min())
    lags = np.asarray(closest * np.arange(_LAGS), dtype=np.float64)
    signs = np.where(np.arange(_LAGS) % 2, -2.0, 2.0)
    signs[0], signs[-1] = 1.0, 0.5 * signs[-1]
    for each, own in zip(made, a, strict=True):
        if each.fadings and not each.gaussians and not each.cycles and each.walk is None:
            unit = np.prod([fade.at(lags) for fade in each.fadings], axis=0)
            found += float((own**2).min()) * max(float(signs @ unit), 0.0)
        elif each.walk is not None and each.walk.order == 1 and not (each.fadings or each.gaussians or each.cycles):
            # Steps of a walk are independent; their sum has least at the highest frequency, where it is a quarter of a step's.
            found += 0.25 * float((own**2).min()) * closest
    return found


def rows_a_block(columns: Columns, rows: int) -> int:
    """So many that they fit the columns; all, where there are none for so few. (Columns that weigh too little to be carried are
    none either, of any number of rows.)"""
    if not columns.count and rows <= _MOST_COLUMNS:
        return rows
    return int(np.clip(_ROUND * round(_ROWS_A_COLUMN * columns.count / _ROUND), _FEWEST_ROWS, _MOST_ROWS))
