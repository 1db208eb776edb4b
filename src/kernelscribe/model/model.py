"""A fitted model: the data, the kernel with its values, and what follows from them.

What is costly is computed when it is first asked for, and kept.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.arrays import points
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import condition
from kernelscribe.engines.posterior import Posterior
from kernelscribe.errors import DataError
from kernelscribe.fit.again import Curved, target_of
from kernelscribe.fit.facts import Fit
from kernelscribe.kernels.normal import Term, normal
from kernelscribe.kernels.tree import Expression
from kernelscribe.links import TargetLink
from kernelscribe.model.prediction import Prediction
from kernelscribe.noises import Constant, Noise
from kernelscribe.statements.statement import Statement

__all__ = ["Model"]

_TENTH = 0.1


@dataclass(frozen=True)
class Model:
    """A kernel with values, of the standardised data, and the data that it was fitted to.

    Attributes:
        expr: the kernel; None where the target is constant, or nothing could be fitted: then there is noise alone.
        noise: that of the standardised target.
        statement: what the kernel says, with its values, where the search was one over statements.
        widening: by what share the variance of forecasts grows for every tenth of the range that they reach beyond the data of a
            series, since past ones were too sure (see backtest.py).
    """

    data: Dataset
    expr: Expression | None
    noise: Noise
    config: Config
    widening: float = 0.0
    statement: Statement | None = None

    @classmethod
    def chosen(cls, data: Dataset, best: Fit | None, config: Config, widening: float = 0.0) -> "Model":
        """That of a search's choice; `data` as they were searched, on the scale on which they are told."""
        if best is None:
            return cls(data, None, Constant(1.0), config, widening)
        return cls(data.linked(best.scales.link), best.expr, best.noise, config, widening, best.statement)

    @property
    def axes(self) -> tuple[Axis, ...]:
        return self.data.axes

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The kernel in normal form, of the standardised data."""
        return () if self.expr is None else normal(self.expr)

    @cached_property
    def posterior(self) -> Posterior:
        return condition(self.data, self.terms, self.noise, self.config)

    @cached_property
    def means(self) -> Array:
        """The posterior mean of every term at every row [N, J], of the standardised data."""
        return self.posterior.means(self.data.X)

    @cached_property
    def curved(self) -> Curved | None:
        """How steep evidence and prior are about the values of the statement; None where there is none."""
        return None if self.statement is None else Curved.of(target_of(self.data, self.config, self.statement, self.noise))

    def widened(self, widening: float) -> "Model":
        """The same with forecasts that are less sure. What was computed of it so far does not depend on that, and stays."""
        made = replace(self, widening=widening)
        made.__dict__.update({**self.__dict__, "widening": widening})
        return made

    @property
    def series(self) -> bool:
        """Whether there is one input, as in a time series."""
        return len(self.data.inputs) == 1

    def standard(self, X: Array) -> Array:
        """Points [n, D] in the user's units, standardised as the data are."""
        if X.ndim != 2 or X.shape[1] != len(self.data.inputs):  # noqa: PLR2004
            raise DataError(f"the model has {len(self.data.inputs)} inputs, got an array of shape {X.shape}")
        return np.column_stack([(X[:, d] - axis.centre) / axis.scale for d, axis in enumerate(self.data.inputs)])

    @cached_property
    def inputs(self) -> Array:
        """The inputs in the user's units."""
        return np.column_stack([axis.centre + axis.scale * self.data.X[:, d] for d, axis in enumerate(self.data.inputs)])

    @cached_property
    def target(self) -> Array:
        """The target in the user's units."""
        return self.data.target_link.measured(self.transformed)

    @property
    def link(self) -> TargetLink:
        """The g on whose scale the model is a sum: components, noise and errors are in units of g(target)."""
        return self.data.target_link

    @property
    def transformed(self) -> Array:
        """g(target): the target itself where there is no link."""
        return np.asarray(self.data.output.centre + self.data.output.scale * self.data.y)

    def user(self, standard: Array) -> Array:
        """Values of the standardised g(target) as those of the target, in the user's units."""
        return self.link.inverse(self.data.output.centre + self.data.output.scale * standard)

    @property
    def noise_sd(self) -> float:
        """That of the rows, on average, in units of g(target); none where the target is constant."""
        return 0.0 if self.data.constant else math.sqrt(self.noise.average(self.data.X)) * self.data.output.scale

    def predict(self, X: Any, *, noisy: bool = True) -> Prediction:
        """What is known of the target at points [n, D] in the user's units; without noise, of what lies beneath."""
        output, Z = self.data.output, self.standard(points(X, self.axes))
        mean, variance = self.posterior.predict(Z)
        # What past forecasts lacked was doubt about the curve: the noise stays as it is.
        variance = variance + self.widening * self._beyond(Z) * (variance + self.noise.diagonal(Z))
        noise = self._noise(Z) if noisy else np.zeros(len(Z))
        return Prediction(output.centre + output.scale * mean, np.hypot(output.scale * np.sqrt(variance), noise), self.link)

    def noise_at(self, X: Array) -> Array:
        """The standard deviation of the noise, in units of g(target), at points [n, D] in the user's."""
        return self._noise(self.standard(X))

    def _noise(self, Z: Array) -> Array:
        """The standard deviation of the noise at points, in units of g(target); none where the target is constant."""
        return np.zeros(len(Z)) if self.data.constant else np.sqrt(self.noise.diagonal(Z)) * self.data.output.scale

    def _beyond(self, Z: Array) -> Array:
        """How far points lie beyond the data of a series, at either end, in tenths of their range."""
        if not self.series:
            return np.zeros(len(Z))
        x, extent = Z[:, 0], self.data.extents[0]
        return np.maximum(np.maximum(x - extent.high, extent.low - x), 0.0) / (_TENTH * extent.span)
