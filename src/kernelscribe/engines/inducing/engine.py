"""The inducing engine: the paper's sandwich of a variational lower bound and an upper bound by conjugate gradients."""

import math
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines import digits
from kernelscribe.engines.engine import ClimbStage, Engine, Samples, Work
from kernelscribe.engines.inducing.bound import variational
from kernelscribe.engines.inducing.cg import Quadratic, quadratic
from kernelscribe.engines.inducing.lower import Lower, Reduced, lower
from kernelscribe.engines.inducing.points import place
from kernelscribe.engines.inducing.posterior import InducingPosterior
from kernelscribe.engines.inducing.products import KernelProduct
from kernelscribe.engines.inducing.sample import samples
from kernelscribe.engines.inducing.sketch import Sketch
from kernelscribe.engines.inducing.structured import Structured
from kernelscribe.engines.inducing.tighten import free, measure, moments, trace
from kernelscribe.engines.inducing.upper import conjugate
from kernelscribe.engines.inducing.workspace import Workspace
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.engines.registry import AUTO, Traits
from kernelscribe.errors import Status
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.gram import Arithmetic, arithmetic
from kernelscribe.kernels.normal import Term
from kernelscribe.noises import Noise, noise_kind
from kernelscribe.streams import stream

__all__ = ["CACHE_BYTES", "Inducing", "inducing_points"]

_MEGABYTE = 1e6
# How often entries enter the moments of what is left out: as they are, and three times by way of the inducing points.
_OFTEN = 4.0
# Bytes that the two passes of the lower bound may keep: beyond this, computing again is as fast as fetching.
CACHE_BYTES = 2.5e8


def inducing_points(data: Dataset, config: Config) -> int:
    """How many inducing points the options ask for."""
    n, effort = len(data.y), config.effort
    return min(config.inducing or min(max(n // effort.rows_a_point_least, effort.points_least), effort.points_most), n)


@dataclass(frozen=True)
class Inducing(Engine):
    """The paper's sandwich: the variational lower bound is climbed, and certified from above at the top."""

    name = "inducing"
    traits = Traits(sharp=False)

    arithmetic: Arithmetic
    data: Dataset
    config: Config
    Z: Array
    workspace: Workspace

    @classmethod
    def asked(cls, config: Config) -> bool:
        """By its name, or by a number of inducing points."""
        return config.engine == cls.name or (config.engine == AUTO and config.inducing is not None)

    @classmethod
    def cost(cls, data: Dataset, config: Config) -> Work:
        n, m = len(data.y), inducing_points(data, config)
        return Work(
            max(float(n) * m * m, float(config.effort.exact_rows) ** 3),
            8.0 * m * (n + 8 * m),
            f"{m:,} inducing points with {n:,} rows",
            "use fewer inducing points",
        )

    @classmethod
    def of(cls, data: Dataset, config: Config) -> "Inducing":
        """With points that all kernels share, so that intervals compare."""
        m = inducing_points(data, config)
        Z = place(data.X, m, config.placement, stream(config.seed, "inducing points"))
        sums = arithmetic(config.backend, m * len(data.y), config.effort)
        return cls(sums, data, config, Z, Workspace(min(CACHE_BYTES, config.memory * _MEGABYTE)))

    @classmethod
    def condition(cls, data: Dataset, terms: tuple[Term, ...], noise: Noise, config: Config) -> InducingPosterior | None:
        n, effort = len(data.y), config.effort
        if n <= effort.dense_rows:
            return None
        most = min(effort.posterior_points, math.isqrt(effort.posterior_work // n))
        m = max(inducing_points(data, config), most) if terms else 1
        rng = stream(config.seed, "posterior points")
        return InducingPosterior(terms, noise, data.X, data.y, place(data.X, m, "random", rng), config.jitter)

    def samples(self, config: Config) -> Samples | None:
        return samples(self.data, config) if len(self.data.y) >= config.effort.part_rows else None

    def stages(self, config: Config) -> tuple[ClimbStage, ...]:
        """On samples where there are samples; else on part of the rows where there are many, and then on all of them."""
        effort = config.effort
        if len(self.data.y) < effort.part_rows:
            return super().stages(config)
        found = self.samples(config)
        part = self._part(config) if found is None else found.few
        (few, more), (kept, finalists) = effort.part_evaluations, effort.part_kept
        first, last = ClimbStage(part, few, kept), ClimbStage(part, more, finalists, repeat=more)
        if found is not None:
            return first, replace(last, behind=0.0)
        return first, last, ClimbStage(self, effort.part_again, None, behind=0.0)

    def _part(self, config: Config) -> "Inducing":
        n = len(self.data.y)
        chosen = np.sort(stream(config.seed, "screened rows").choice(n, size=n // config.effort.part, replace=False))
        most = inducing_points(self.data, config)
        points = max(most // 2, min(most, len(chosen) // config.effort.rows_a_point), 1)
        return Inducing.of(self.data.rows(chosen), replace(config, inducing=points, placement="random"))

    @property
    def learns(self) -> bool:
        return self.config.placement == "learned"

    @property
    def extra(self) -> Array:
        return self.Z.ravel() if self.learns else np.empty(0)

    @property
    def noise(self) -> type[Noise]:
        return noise_kind(self.config.noise)

    def _points(self, form: Form, u: Array) -> Array:
        return u[self.size(form) :].reshape(self.Z.shape) if self.learns else self.Z

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        bound = variational(
            self.arithmetic, form, u[: form.size], self.noise_at(form, u), self.data.X, self.data.y, self._points(form, u),
            jitter=self.config.jitter, workspace=self.workspace,
        )  # fmt: skip
        if bound.gradient is None:
            return -math.inf, np.zeros_like(u)
        own = bound.gradient.Z.ravel() if self.learns else np.empty(0)
        return bound.value, np.concatenate([bound.gradient.theta, bound.gradient.noise, own])

    def certify(self, form: Form, u: Array) -> Evidence:
        sketch, config = self._sketch(form, u), self.config
        if sketch is None:
            return Evidence(NOWHERE, NOWHERE, status=Status.SINGULAR)
        weights, s2 = sketch.weights, sketch.s2
        y = weights.target(self.data.y)
        reduced = sketch.reduced(y)
        low, ready = lower(reduced, s2), self._ready(sketch)
        if low is None or ready is None or not math.isfinite(low.value):
            return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
        product, (below, precondition) = sketch.product(config.memory * _MEGABYTE), ready
        found = quadratic(product, y, s2, below, precondition, slack=config.slack, most=config.iterations)
        t = sketch.blur(product)
        found = found.loosened(t, s2)
        paper = Interval(low.value, conjugate(low, found, len(y)))
        tight = paper if config.tighten == "paper" else paper.meet(self._tighten(sketch, reduced, product, low, found, t))
        moved = digits.slack(t, len(low.u), s2 * float(found.alpha @ found.alpha) + float(low.u @ low.u))
        # By as much as conjugate gradients leave open: ½ s2·‖α − C⁻¹y‖² is no more than their slack.
        moved += weights.slack(y, found.alpha, math.sqrt(2 * found.slack))
        paper, tight = (each.shift(weights.logs).widened(moved).outward() for each in (paper, tight))
        status = digits.status(moved, Status.OK if found.slack <= config.slack else Status.LOOSE)
        if not status.usable:
            return Evidence(NOWHERE, NOWHERE, status=status)
        if not (tight.consistent and paper.consistent):
            status = Status.INCONSISTENT
        return Evidence(tight, paper, found.slack, sketch.factor.jitter, found.iterations, status=status, rounding=moved)

    def _ready(self, sketch: Sketch) -> tuple[Structured, Structured | None] | None:
        """K̂ + s2·I, and the preconditioner; None where hardly any noise stands against so much variance that rounding spoils
        them."""
        name = self.config.preconditioner
        try:
            below = sketch.structured("nystrom")
            return below, below if name == "nystrom" else None if name == "none" else sketch.structured(name)
        except FloatingPointError:
            return None

    def residual(self, form: Form, u: Array) -> Array:
        """y − K̂(K̂ + Λ)⁻¹y = Λ·(K̂ + Λ)⁻¹y, which is s2/w·(wK̂w + s2·I)⁻¹wy."""
        sketch = self._sketch(form, u)
        ready = None if sketch is None else self._ready(sketch)
        if sketch is None or ready is None:
            return self.data.y
        return sketch.s2 * ready[0].solve(sketch.weights.target(self.data.y)) / sketch.weights.w

    def _sketch(self, form: Form, u: Array) -> Sketch | None:
        theta, noise, Z = u[: form.size], self.noise_at(form, u), self._points(form, u)
        return Sketch.of(self.arithmetic, form, theta, noise, self.data.X, Z, self.config.jitter)

    def _tighten(
        self, sketch: Sketch, reduced: Reduced, product: KernelProduct, low: Lower, found: Quadratic, t: float
    ) -> Interval:
        """Both sides of the quadratic from the conjugate gradients, and of the log-determinant from what K̂ leaves out, of which
        rounding leaves open as much as t says (digits.py)."""
        n, s2 = len(self.data.y), sketch.s2
        rest = free(2 * s2 * low.penalty, n, s2)
        if self.config.tighten == "moments":
            seen = measure(product, sketch.F, reduced.P, sketch.diagonal, s2)
            rest = rest.meet(trace(seen.t1, n, _OFTEN * t))
            if seen.t2 is not None:
                rest = rest.meet(moments(seen.t1, seen.t2, n, _OFTEN * t))
        known = low.nld + found.upper - 0.5 * n * math.log(2 * math.pi)
        return Interval(known - found.slack - 0.5 * rest.upper, known - 0.5 * rest.lower)
