"""The data as the engines meet them: finite float64, centred and scaled, with the way back to the user's units.

After this door nothing downstream meets a NaN, a string or a constant input. A constant target passes, and says so.
"""

import hashlib
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.data.arrays import Inputs, numbers, points
from kernelscribe.data.arrays import inputs as read_inputs
from kernelscribe.data.axis import Axis
from kernelscribe.data.notes import Note
from kernelscribe.errors import DataError, OptionError
from kernelscribe.links import LINKS, TargetLink
from kernelscribe.scales import Affine, Extent, Scales

__all__ = ["FEWEST_ROWS", "Dataset", "asked_link", "flat", "varied"]

# With fewer there is no line that they could differ from.
FEWEST_ROWS = 3
# Below this share of its size a column's spread is rounding.
_FLAT = 1e-12
# Half the distance of one from the next double: the most by which one operation is off, as a share of its result.
_UNIT = sys.float_info.epsilon / 2
# Operations behind every term of the Jacobian, each function of a library counted as four: it is off by less than two units.
_OPERATIONS = 16


@dataclass(frozen=True)
class Dataset:
    """Standardised inputs X [N, D] and target y [N], and the affine maps back to the user's units.

    Attributes:
        axes: what the numbers of each input mean.
        notes: what was guessed, repaired and noticed on the way here.
        link: the name of the g of links.py for which y is the standardised g(target), and `output` the way back to g(target).
        plain: the way back from the target itself where it is standardised without a link; None where there is no link.
        given: the target as it was given; None where only its standardised values are known.
    """

    X: Array
    y: Array
    inputs: tuple[Affine, ...]
    output: Affine
    axes: tuple[Axis, ...]
    target: str
    notes: tuple[Note, ...] = ()
    link: str = "none"
    plain: Affine | None = None
    given: Array | None = field(default=None, repr=False, compare=False, metadata={"saved": False})

    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        *,
        names: Sequence[str] | None = None,
        target: str = "y",
        axes: Sequence[Axis] | None = None,
        notes: Sequence[Note] = (),
    ) -> "Dataset":
        """From arrays, series, lists or a frame, X [N] or [N, D] and y [N], that must have no gaps.

        Dates become days from the first. `axes` say more of the inputs than `names` do.
        """
        found = read_inputs(X, names) if axes is None else Inputs(points(X, axes), tuple(axes))
        raw, values, axes = _whole(found.numbers, "X"), _whole(numbers(y), "y"), found.axes
        if values.ndim != 1 or len(values) != len(raw):
            raise DataError(f"y must be one number for each of the {len(raw)} rows of X, got shape {values.shape}")
        if len(raw) < FEWEST_ROWS:
            raise DataError(f"at least {FEWEST_ROWS} rows are needed, got {len(raw)}")
        inputs, columns = zip(*(_standardise(raw[:, d], axes[d].name) for d in range(raw.shape[1])), strict=True)
        output, scaled = _standard_target(values, target)
        known = (*found.notes, *notes)
        return cls(np.column_stack(columns), scaled, tuple(inputs), output, axes, target, known, given=values)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the inputs."""
        return tuple(axis.name for axis in self.axes)

    @property
    def constant(self) -> bool:
        """Whether the target never changes, so that there is nothing to explain."""
        return not self.y.any()

    @cached_property
    def scales(self) -> Scales:
        together = tuple(float(self.X[:, d] @ self.y) / len(self.y) for d in range(self.X.shape[1]))
        return Scales(len(self.y), self.inputs, self.output, self.names, self.target, together, self.link)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the table: equal for equal numbers under equal names, units and dates."""
        labels = [part for axis in self.axes for part in (axis.name, axis.unit, axis.origin or "")]
        mark = hashlib.sha256("\x1f".join([*labels, self.target, *self._linked_by]).encode("utf-8", "surrogatepass"))
        for affine in (*self.inputs, self.output, *((self.plain,) if self.plain else ())):
            mark.update(np.array([affine.centre, affine.scale], dtype="<f8").tobytes())
        for array in (self.X, self.y):
            mark.update(repr(array.shape).encode())
            mark.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
        return mark.hexdigest()

    @cached_property
    def aim(self) -> str:
        """A fingerprint of what is to be explained: equal for the same target in the same rows, whatever explains it."""
        mark = hashlib.sha256("\x1f".join([self.target, *self._linked_by]).encode("utf-8", "surrogatepass"))
        for array in ([self.output.centre, self.output.scale], self.y):
            mark.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
        return mark.hexdigest()

    def rows(self, chosen: NDArray[np.int64]) -> "Dataset":
        """Some of the rows, on the scales of all: what is fitted to them may go on with the whole."""
        given = None if self.given is None else self.given[chosen]
        return replace(self, X=self.X[chosen], y=self.y[chosen], given=given)

    @property
    def _linked_by(self) -> tuple[str, ...]:
        """The link for a fingerprint; nothing where there is none."""
        return () if self.link == "none" else (self.link,)

    @property
    def target_link(self) -> TargetLink:
        """The g of which y is the standardised value."""
        return LINKS[self.link]

    @cached_property
    def values(self) -> Array:
        """The target in the user's units."""
        return self.target_link.measured(self.output.centre + self.output.scale * self.y) if self.given is None else self.given

    def linked(self, name: str) -> "Dataset":
        """The same table with y the standardised g(target), for the g of that name; "none" takes any other back.

        Raises:
            OptionError: g is not meant for these values.
        """
        if name == self.link:
            return self
        link, values = LINKS[name], self.values
        bad = np.flatnonzero(~link.allowed(values))
        if bad.size:
            raise OptionError(f"{_MEANT_FOR[name]}, but {self.target} is {values[bad[0]]:g} in row {bad[0] + 1}")
        output, scaled = _standard_target(link.forward(values), self.target)
        return replace(self, y=scaled, output=output, link=name, plain=None if link.plain else self.plain or self.output)

    @cached_property
    def jacobian(self) -> float:
        """Nats to add to log p(y) for it to be that of the target standardised without a link: Σ log g'(target) + N log of its
        scale − N log of that of g(target). Evidence with one link then compares with that of another."""
        return math.fsum([*self._slopes, len(self.y) * self._stretch])

    @cached_property
    def jacobian_rounding(self) -> float:
        """By how much the Jacobian may be off, at most, for y as it stands.

        A transformed value w = centre + scale·y is off by u(|scale·y| + |w|), u half a unit in the last place, and log g' by that
        times its own slope and by what the library rounds; `fsum` rounds once.
        """
        if self.plain is None:
            return 0.0
        moved = self.output.scale * self.y
        transformed = self.output.centre + moved
        terms = self.target_link.steepness(transformed) * (np.abs(moved) + np.abs(transformed)) + np.abs(self._slopes) + 1
        logs = abs(math.log(self.plain.scale)) + abs(math.log(self.output.scale))
        return _OPERATIONS * _UNIT * (math.fsum(terms) + len(self.y) * logs)

    @property
    def _slopes(self) -> Array:
        return self.target_link.slope_at(self.output.centre + self.output.scale * self.y)

    @property
    def _stretch(self) -> float:
        return 0.0 if self.plain is None else math.log(self.plain.scale) - math.log(self.output.scale)

    @cached_property
    def extents(self) -> tuple[Extent, ...]:
        """Span and step of every standardised input."""
        return tuple(Extent.of(self.X[:, d]) for d in range(self.X.shape[1]))


# What a link needs of a target, as the start of a sentence that says where it is not so.
_MEANT_FOR = {
    "none": "a target must be finite",
    "log": "transform log needs a target above zero throughout",
    "root": "transform root needs counts, whole numbers from zero on",
}


def asked_link(data: Dataset, transform: str) -> Dataset:
    """The data on the scale that the option asks for; as they are where that is left to the search."""
    return data if transform == "auto" or data.constant else data.linked(transform)


def _standard_target(values: Array, name: str) -> tuple[Affine, Array]:
    if flat(values):
        # The scale of a constant means nothing; 1 keeps every division by it harmless.
        return Affine(float(values[0]), 1.0), np.zeros(len(values))
    return _standardise(values, name)


def _whole(array: Array, name: str) -> Array:
    """Refuse gaps."""
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        raise DataError(f"{name} has {len(bad)} missing or infinite values, the first in row {bad[0][0] + 1}: remove those rows")
    return array


def flat(column: Array) -> bool:
    """Whether a column's spread is no more than rounding."""
    size = max(float(np.abs(column).max()), np.finfo(float).tiny / _FLAT)
    # The ends differ by more than the largest number only where they differ.
    with np.errstate(over="ignore"):
        return float(column.max() - column.min()) <= _FLAT * size


def _standardise(column: Array, name: str) -> tuple[Affine, Array]:
    """Mean 0 and variance 1. The middle is subtracted first: sums of squares of large offsets would lose the digits."""
    if flat(column):
        raise DataError(f"column {name} is constant at {column[0]:g}: there is nothing to explain with it")
    middle = float(column[0])
    with np.errstate(over="ignore", invalid="ignore"):
        offset = column - middle
        centre = float(offset.mean())
        offset = offset - centre
        scale = float(np.sqrt(np.mean(offset * offset)))
    if not np.isfinite(scale):
        raise DataError(f"column {name} has values too large to square: rescale it")
    if scale == 0:
        raise DataError(f"column {name} has differences too small to square: rescale it")
    return Affine(middle + centre, scale), offset / scale


def varied(data: Dataset) -> None:
    """Refuse a target that never changes, where something is to be fitted to it."""
    if data.constant:
        raise DataError(f"column {data.target} is constant at {data.output.centre:g}: there is nothing to explain in it")
