"""How a kernel is laid out on rows: as few columns as the digits that are asked for allow, and blocks that fit them."""

import math
from collections.abc import Sequence

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.series.columns import Columns
from kernelscribe.engines.series.groups import groups
from kernelscribe.engines.series.ingredients import Ingredients

__all__ = ["fewest_columns", "rows_a_block"]

# Rows of a block for every column of the states, and their least and greatest number: products of matrices of this size are
# done at full speed, and what is dense within a block costs no more than what is carried.
_ROWS_A_COLUMN = 0.75
_FEWEST_ROWS = 32
_MOST_ROWS = 128
# Sizes of blocks are multiples of this, so that few layouts are made.
_ROUND = 32
# The integral of a sum's error over both sides, in its largest error.
_WIDTH = 16.0


def fewest_columns(made: Sequence[Ingredients], t: Array, a: Array, noise: Array, tolerance: float) -> Columns:
    """The columns of terms with amplitudes a [T, N] at sorted times: writing the kernel by them costs about so many nats."""
    span, rows, least = float(t[-1] - t[0]), len(t), float(noise.min())
    terms = []
    for number, (each, size) in enumerate(zip(made, (a**2).max(axis=1), strict=True)):
        within = min(_WIDTH * rows * each.lengthscale / span, rows) if span > 0 else rows
        allowed = 2 * tolerance * least / (len(made) * rows * max(size, 1e-300) * math.sqrt(within))
        terms.append(groups(number, each, allowed))
    return Columns(tuple(terms))


def rows_a_block(columns: Columns) -> int:
    return int(np.clip(_ROUND * round(_ROWS_A_COLUMN * columns.count / _ROUND), _FEWEST_ROWS, _MOST_ROWS))
