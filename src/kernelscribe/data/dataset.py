"""The data as the engines meet them: finite float64, centred and scaled, with the way back to the user's units.

After this door nothing downstream meets a NaN, a string or a constant column.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelscribe.errors import DataError
from kernelscribe.kernels.base import Array, Extent
from kernelscribe.kernels.units import Affine

__all__ = ["FEWEST_ROWS", "Dataset", "Scales"]

FEWEST_ROWS = 3
# Below this share of its size a column's spread is rounding.
_FLAT = 1e-12


@dataclass(frozen=True, slots=True)
class Scales:
    """What is left of a table when its numbers are taken away: how many rows, what the columns are called, their units."""

    rows: int
    inputs: tuple[Affine, ...]
    output: Affine
    names: tuple[str, ...]
    target: str
    correlations: tuple[float, ...]  # of each input with the target


@dataclass(frozen=True)
class Dataset:
    """Standardised inputs X [N, D] and target y [N], and the affine maps back to the user's units."""

    X: Array
    y: Array
    inputs: tuple[Affine, ...]
    output: Affine
    names: tuple[str, ...]
    target: str

    @classmethod
    def of(cls, X: Any, y: Any, *, names: Sequence[str] | None = None, target: str = "y") -> "Dataset":
        """From arrays: X [N] or [N, D], y [N]."""
        raw, values = _numbers(X, "X"), _numbers(y, "y")
        raw = raw[:, None] if raw.ndim == 1 else raw
        if raw.ndim != 2:  # noqa: PLR2004
            raise DataError(f"X must have one or two dimensions, got {raw.ndim}")
        if values.ndim != 1 or len(values) != len(raw):
            raise DataError(f"y must be one number for each of the {len(raw)} rows of X, got shape {values.shape}")
        if len(raw) < FEWEST_ROWS:
            raise DataError(f"at least {FEWEST_ROWS} rows are needed, got {len(raw)}")
        if raw.shape[1] == 0:
            raise DataError("at least one input column is needed")
        labels = tuple(names) if names is not None else tuple(f"x{d + 1}" for d in range(raw.shape[1]))
        if len(labels) != raw.shape[1]:
            raise DataError(f"{raw.shape[1]} input columns need as many names, got {len(labels)}")
        inputs, columns = zip(*(_standardise(raw[:, d], labels[d]) for d in range(raw.shape[1])), strict=True)
        output, scaled = _standardise(values, target)
        return cls(np.column_stack(columns), scaled, tuple(inputs), output, labels, target)

    @cached_property
    def scales(self) -> Scales:
        together = tuple(float(self.X[:, d] @ self.y) / len(self.y) for d in range(self.X.shape[1]))
        return Scales(len(self.y), self.inputs, self.output, self.names, self.target, together)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the table: equal for equal numbers under equal names."""
        mark = hashlib.sha256("\x1f".join([*self.names, self.target]).encode())
        for affine in (*self.inputs, self.output):
            mark.update(np.array([affine.centre, affine.scale], dtype="<f8").tobytes())
        for array in (self.X, self.y):
            mark.update(repr(array.shape).encode())
            mark.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
        return mark.hexdigest()

    def rows(self, chosen: NDArray[np.int64]) -> "Dataset":
        """Some of the rows, on the scales of all: what is fitted to them may go on with the whole."""
        return replace(self, X=self.X[chosen], y=self.y[chosen])

    @cached_property
    def extents(self) -> tuple[Extent, ...]:
        """Span and step of every standardised input."""
        return tuple(Extent.of(self.X[:, d]) for d in range(self.X.shape[1]))


def _numbers(values: Any, name: str) -> Array:
    try:
        array = np.asarray(values)
        if array.dtype.kind == "c":
            raise TypeError
        array = array.astype(np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{name} must hold numbers only") from None
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        raise DataError(f"{name} has {len(bad)} missing or infinite values, the first in row {bad[0][0] + 1}: remove those rows")
    return array


def _standardise(column: Array, name: str) -> tuple[Affine, Array]:
    """Mean 0 and variance 1. The middle is subtracted first: sums of squares of large offsets would lose the digits."""
    middle = float(column[0])
    with np.errstate(over="ignore", invalid="ignore"):
        offset = column - middle
        centre = float(offset.mean())
    offset = offset - centre
    with np.errstate(over="ignore"):
        scale = float(np.sqrt(np.mean(offset * offset)))
    if not np.isfinite(scale):
        raise DataError(f"column {name} has values too large to square: rescale it")
    if scale <= _FLAT * max(float(np.abs(column).max()), np.finfo(float).tiny / _FLAT):
        raise DataError(f"column {name} is constant at {middle:g}: there is nothing to explain with it or in it")
    return Affine(middle + centre, scale), offset / scale
