"""The series engine: one input, any number of rows, any length-scale, in time that is linear in the rows.

The kernel is carried from block to block of the sorted rows (columns.py, recursion.py), exactly within a block and to as many
digits as are asked for beyond it. Regular stretches settle, and cost next to nothing from there on."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import STANDARD, Effort
from kernelscribe.engines.engine import ClimbStage, Engine, Work
from kernelscribe.engines.interval import Evidence
from kernelscribe.engines.posterior import Posterior
from kernelscribe.engines.registry import Traits
from kernelscribe.engines.series.blocks import Blocks, cut
from kernelscribe.engines.series.certificate import certified
from kernelscribe.engines.series.columns import Columns, Loops
from kernelscribe.engines.series.covariance import Covariance
from kernelscribe.engines.series.ingredients import known, of_form
from kernelscribe.engines.series.layout import fewest_columns, least_variance, rows_a_block
from kernelscribe.engines.series.posterior import SeriesPosterior
from kernelscribe.engines.series.recursion import forward
from kernelscribe.engines.series.whitening import whitened
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.gram import Arithmetic, arithmetic
from kernelscribe.kernels.normal import Term
from kernelscribe.noises import Constant, Noise, noise_kind

__all__ = ["Series"]

# Nats that writing the kernel by states may cost a certificate, at worst.
_CERTIFIED = 1e-4
# Errors of states have either sign: what adds up to so much at worst adds up to the root of the rows less than that, and a
# quarter of it was never exceeded on draws of random kernels, nor on hourly loads.
_WORST = 0.25
# Columns of a kernel, about, before it is known.
_USUAL = 35
# Operations of a value with its gradient, for every row and column squared.
_OPERATIONS = 20.0


def compiled(arithmetic: Arithmetic) -> Loops | None:
    """Compiled loops, where the arithmetic is numba's."""
    if arithmetic.name != "numba":
        return None
    from kernelscribe.engines.series.fused import Fused  # noqa: PLC0415  (numba takes a second to load)

    return Fused()


@dataclass(frozen=True)
class Series(Engine):
    """One input.

    Attributes:
        tolerance: nats that writing the kernel by states may cost, about.
        data: as they came; all else goes by the order of the rows in time.
    """

    name = "series"
    traits = Traits(series=True)

    arithmetic: Arithmetic
    data: Dataset
    noise: type[Noise] = Constant
    tolerance: float = STANDARD.nats_climbed
    effort: Effort = STANDARD

    @classmethod
    def accepts(cls, data: Dataset, form: Form | None = None) -> str | None:
        if data.X.shape[1] != 1:
            return f"the series engine is for one input, got {data.X.shape[1]}: use the inducing engine"
        return None if form is None else known(form)

    @classmethod
    def cost(cls, data: Dataset, config: Config) -> Work:
        """As much for the fewest rows as a matrix of all rows takes where a search leaves it."""
        return Work(max(_OPERATIONS * _USUAL**2 * len(data.y), float(config.effort.series_rows) ** 3))

    @classmethod
    def of(cls, data: Dataset, config: Config) -> "Series":
        sums = arithmetic(config.backend, _OPERATIONS * _USUAL * len(data.y), config.effort)
        return cls(sums, data, noise_kind(config.noise), config.effort.nats_climbed, config.effort)

    @classmethod
    def condition(cls, data: Dataset, terms: tuple[Term, ...], noise: Noise, config: Config) -> Posterior | None:
        """Few rows are left to a matrix of all of them."""
        if len(data.y) <= config.effort.dense_rows:
            return None
        return SeriesPosterior.of(terms, noise, data.X, data.y, config.effort.nats_alone)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The rows in time."""
        return np.argsort(self.data.X[:, 0], kind="stable")

    @cached_property
    def points(self) -> Array:
        return np.ascontiguousarray(self.data.X[self.order])

    @cached_property
    def y(self) -> Array:
        return np.ascontiguousarray(self.data.y[self.order])

    @cached_property
    def _closest(self) -> float:
        """The least distance of two rows."""
        return float(np.diff(self.points[:, 0]).min(initial=np.inf)) if len(self.y) > 1 else 0.0

    @cached_property
    def _layouts(self) -> dict[int, Blocks]:
        return {}

    def _blocks(self, columns: Columns) -> Blocks:
        size = rows_a_block(columns, len(self.y))
        if size not in self._layouts:
            self._layouts[size] = cut(self.points[:, 0], size)
        return self._layouts[size]

    def covariance(self, form: Form, u: Array, worst: float | None = None) -> Covariance:
        """The kernel and noise of these coordinates on the rows; off by so many nats at worst, where that is given."""
        points, noise = self.points, self.noise_at(form, u)
        side, level = form.side(points, u[: form.size]), noise.diagonal(points)
        made, t = of_form(form, side), points[:, 0]
        least, loops = least_variance(made, self._closest, side.a, level), compiled(self.arithmetic)
        columns = fewest_columns(
            made, t, side.a, least, worst or _WORST * math.sqrt(len(t)) * self.tolerance, engine=True, loops=loops
        )
        return Covariance(form, side, level, noise.rounding(points), columns, self._blocks(columns), self.arithmetic)

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        covariance = self.covariance(form, u)
        found = forward(covariance.matrix, self.y)
        if found is None or not math.isfinite(found.value):
            return -math.inf, np.zeros_like(u)
        gradient = covariance.gradient(found)
        return found.value, np.concatenate([gradient.theta, self.noise_at(form, u).pull(self.points, gradient.noise)])

    def value(self, form: Form, u: Array) -> float:
        found = forward(self.covariance(form, u).matrix, self.y)
        return -math.inf if found is None else found.value

    def certify(self, form: Form, u: Array) -> Evidence:
        return certified(self.covariance(form, u, _CERTIFIED), self.y)

    def whitening(self, form: Form, u: Array) -> Callable[[Array], Array] | None:
        matrix = self.covariance(form, u).matrix
        found = forward(matrix, self.y)
        return None if found is None else lambda columns: whitened(matrix, found, columns)

    def residual(self, form: Form, u: Array) -> Array:
        """y − K A⁻¹y = Λ A⁻¹y."""
        covariance = self.covariance(form, u)
        found = forward(covariance.matrix, self.y)
        if found is None:
            return self.data.y
        left = np.empty(len(self.y))
        left[self.order] = covariance.noise * covariance.gradient(found).alpha
        return left

    def for_one(self) -> "Series":
        return replace(self, tolerance=self.effort.nats_alone)

    def stages(self, config: Config) -> tuple[ClimbStage, ...]:
        """On a long series many starts have very few evaluations each, at first."""
        effort = config.effort
        if len(self.y) <= effort.many_rows:
            return super().stages(config)
        (first, second, last), (many, few, finalists) = effort.series_evaluations, effort.series_kept
        return (
            ClimbStage(self, first, many),
            ClimbStage(self, second, few),
            ClimbStage(self, last, finalists, repeat=second, behind=0.0, pays=True),
        )

    def price(self, form: Form, u: Array) -> float:
        """Blocks that are alike cost what one of them does, and next to nothing each."""
        covariance = self.covariance(form, u)
        R, share = covariance.columns.count, covariance.rows.different / len(covariance.blocks)
        return _OPERATIONS * len(self.y) * R * (R * share + 1)

    def smooth(self, form: Form, u: Array, around: list[Array]) -> "Series | None":
        finer = replace(self, tolerance=self.effort.nats_curved)
        return finer if finer.price(form, u) * len(around) <= self.effort.curved_work else None
