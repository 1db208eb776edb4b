"""What the sections of a report share: the analysis, and the curves of its components with their bands."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.faces import Face
from kernelscribe.kernels.normal import Term
from kernelscribe.links import TargetLink
from kernelscribe.model.findings import Findings
from kernelscribe.model.future import future
from kernelscribe.model.model import Model
from kernelscribe.report.description.subject import Subject, subjects

__all__ = ["LEVEL", "POINTS", "REACH", "View"]

# Of a curve: as many as a screen shows.
POINTS = 400
# Of the bands that are drawn and told, in per cent,
LEVEL = 95.0
# and half their width, in standard deviations.
REACH = 1.959964
# Below this number of rows nothing can be judged.
_ENOUGH = 10
# Rows by which averages over the data are taken, where all would take too long.
_SOME = 50
# Rows that figures draw one by one.
_DRAWN = 800


@dataclass(frozen=True)
class View:
    """An analysis as the sections look at it, in the user's units; components are as the target's link shows parts.

    Attributes:
        steps: to forecast; None for a tenth of the range.
        face: by which options are named.
    """

    findings: Findings
    steps: int | None = None
    face: Face = Face.PYTHON

    @property
    def model(self) -> Model:
        return self.findings.model

    @property
    def link(self) -> TargetLink:
        """The g on whose scale components add up."""
        return self.model.link

    @property
    def axis(self) -> Axis:
        """The only input of a series, the first one of a table."""
        return self.model.axes[0]

    @property
    def rows(self) -> int:
        return len(self.model.data.y)

    @property
    def few(self) -> bool:
        """Whether the rows are too few to judge anything by."""
        return self.rows < _ENOUGH

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        """What there is to say about every component."""
        return subjects(self.findings)

    @cached_property
    def structure(self) -> bool:
        """Whether there are components to tell of."""
        return self.findings.outcome.structure and bool(self.findings.components)

    @cached_property
    def ends(self) -> tuple[tuple[float, float], ...]:
        """Smallest and largest value of every input."""
        return tuple((float(column.min()), float(column.max())) for column in self.model.inputs.T)

    @property
    def span(self) -> float:
        low, high = self.ends[0]
        return high - low

    @property
    def last(self) -> float:
        """The end of the data along the first input."""
        return self.ends[0][1]

    @cached_property
    def points(self) -> tuple[Array, Array]:
        """The data along the first input."""
        return self.model.inputs[:, 0], self.model.target

    @cached_property
    def sizes(self) -> Array:
        """How much the noise moves every value of the target, in its units."""
        up = self.link.inverse(self.model.transformed + self.model.noise_sd)
        return np.asarray(up - self.model.target)

    @cached_property
    def centred(self) -> tuple[Array, ...]:
        """The mean of every component at every row, less its average over the rows, on the scale of the link."""
        return tuple(each.mean - each.mean.mean() for each in self.findings.components)

    @cached_property
    def level(self) -> float:
        """What the components, so centred, are to be added to, on the scale of the link."""
        some, output = self._some, self.model.data.output
        whole = output.centre + output.scale * self.mean(self.model.data.X[some], self.model.terms)
        return float((whole - np.sum([each[some] for each in self.centred], axis=0)).mean())

    @cached_property
    def _sums(self) -> tuple[Array, ...]:
        return tuple(self.level + np.cumsum(self.centred, axis=0)) if self.centred else ()

    @cached_property
    def sums(self) -> tuple[Array, ...]:
        """At every row: the level and the first, the first two, … of all components, as values of the target."""
        return tuple(self.link.inverse(each) for each in self._sums)

    def left(self, i: int) -> Array:
        """What the components up to i leave over of the target at every row, as a component is shown."""
        return self.link.part(self.model.transformed - self._sums[i])

    @cached_property
    def _some(self) -> NDArray[np.int64]:
        """A few rows that stand for all."""
        return np.unique(np.linspace(0, self.rows - 1, _SOME).round().astype(np.int64))

    @property
    def thinned(self) -> bool:
        """Whether figures show of so many rows only the lowest and the highest of every pixel."""
        return self.rows > _DRAWN

    @property
    def fitted(self) -> Array:
        """The model's mean at every row, but for what is negligible."""
        return self.sums[-1]

    @cached_property
    def future(self) -> Array:
        """The points to forecast; none beyond the end of the calendar."""
        return future(self.points[0], self.axis, self.steps)

    def mean(self, Z: Array, terms: Sequence[Term]) -> Array:
        """The mean of some terms at standardised points, without the cost of their variance."""
        return self.model.posterior.mean(Z, terms)

    def offset(self, terms: Sequence[Term], rows: Array) -> float:
        """The average over the data of the sum of some terms, which is `rows` at every row without it."""
        some = self._some
        return float((self.model.data.output.scale * self.mean(self.model.data.X[some], terms) - rows[some]).mean())

    def shape(self, X: Array, terms: Sequence[Term], rows: Array) -> tuple[Array, Array, Array]:
        """The sum of some terms less its average over the data, with the band of that difference, at points [n, D], as shown.

        What the components are on average, they may take from each other as they like: only their sum is known. Without it the
        band tells how well the shape is known.

        Args:
            rows: the same at every row, on the scale of the link.
        """
        mean, lower, upper = (self.link.part(each) for each in self._shape(X, terms, rows))
        return mean, lower, upper

    def together(self, X: Array, i: int) -> tuple[Array, Array, Array]:
        """The level and all components up to i, with their band, as values of the target."""
        terms = [each.standard for each in self.findings.components[: i + 1]]
        band = self._shape(X, terms, self._sums[i] - self.level)
        mean, lower, upper = (self.link.inverse(self.level + each) for each in band)
        return mean, lower, upper

    def _shape(self, X: Array, terms: Sequence[Term], rows: Array) -> tuple[Array, Array, Array]:
        n, some, scale = len(X), self._some, self.model.data.output.scale
        Z = np.concatenate([self.model.standard(X), self.model.data.X[some]])
        mean, C = self.model.posterior.joint(Z, terms)
        variance = np.diagonal(C)[:n] - 2 * C[:n, n:].mean(axis=1) + C[n:, n:].mean()
        return _band(scale * mean[:n] - self.offset(terms, rows), scale * np.sqrt(np.maximum(variance, 0.0)))

    def height(self, X: Array, terms: Sequence[Term], rows: Array) -> Array:
        """The same without a band, at many points."""
        mean = self.model.data.output.scale * self.mean(self.model.standard(X), terms)
        return self.link.part(mean - self.offset(terms, rows))

    def whole(self, x: Array) -> tuple[Array, Array, Array, Array]:
        """Points along the only input, and there the model and both ends of the band that holds 95 % of further values."""
        found = self.model.predict(x[:, None])
        return x, found.median, *found.band(LEVEL)


def _band(mean: Array, sd: Array) -> tuple[Array, Array, Array]:
    return mean, mean - REACH * sd, mean + REACH * sd
