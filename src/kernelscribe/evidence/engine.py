"""Engines: kernel and data in, value, gradient and a certified interval out. All take the same coordinates

u = (the kernel's coordinates, log noise variance, further coordinates of the engine's own, such as inducing points).
"""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import solve

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import OptionError, Status
from kernelscribe.evidence import digits
from kernelscribe.evidence.exact import Likelihood, exact, likelihood
from kernelscribe.evidence.inducing.bound import variational
from kernelscribe.evidence.inducing.cg import Quadratic, quadratic
from kernelscribe.evidence.inducing.lower import Lower, Reduced, lower
from kernelscribe.evidence.inducing.points import place
from kernelscribe.evidence.inducing.products import Product
from kernelscribe.evidence.inducing.sketch import Sketch
from kernelscribe.evidence.inducing.tighten import free, measure, moments, trace
from kernelscribe.evidence.inducing.upper import conjugate
from kernelscribe.evidence.inducing.workspace import Workspace
from kernelscribe.evidence.interval import NOWHERE, Evidence, Interval
from kernelscribe.evidence.spectral.engine import Spectral
from kernelscribe.kernels.base import Array, Extent
from kernelscribe.kernels.gram import Arithmetic, arithmetic
from kernelscribe.kernels.terms import Form, Side

__all__ = ["AFFORDABLE_ROWS", "EXACT_ROWS", "KEPT", "Engine", "Exact", "Inducing", "engine_name", "inducing_points", "prepare"]

EXACT_ROWS = 500
# Rows up to which a single Cholesky factorisation is worth its seconds where bounds cannot decide.
AFFORDABLE_ROWS = 12_000
# Inducing points where their number is not given: a quarter of the rows, but neither fewer nor more than these.
_FEWEST, _MOST = 160, 320
_MEGABYTE = 1e6
# How often entries enter the moments of what is left out: as they are, and three times by way of the inducing points.
_OFTEN = 4.0
# What the two passes of the lower bound may keep: beyond this, computing again is as fast as fetching.
KEPT = 2.5e8


class Engine(Protocol):
    """What a fit and a search need of an engine."""

    @property
    def name(self) -> str: ...

    @property
    def data(self) -> Dataset:
        """The rows that the engine looks at."""
        ...

    @property
    def extra(self) -> Array:
        """Starting values of the engine's own coordinates."""
        ...

    def limits(self, kind: str, parameter: str, extent: Extent, beside: frozenset[str] = frozenset()) -> tuple[float, float]:
        """Between which values of a base kernel's parameter the engine is of use, where base kernels of these kinds stand in the
        same products; −inf and inf where any will do."""
        ...

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        """The value to be climbed and its gradient; −inf where it cannot be computed."""
        ...

    def certify(self, form: Form, u: Array) -> Evidence:
        """The interval that holds the log marginal likelihood at u."""
        ...

    def residual(self, form: Form, u: Array) -> Array:
        """What the posterior mean at u leaves of y."""
        ...


def engine_name(data: Dataset, config: Config) -> str:
    """The engine that the options ask for: `auto` is exact while the rows are few and no inducing points are asked for."""
    if config.engine != "auto":
        return config.engine
    if config.inducing is not None:
        return "inducing"
    if len(data.y) <= EXACT_ROWS:
        return "exact"
    return "spectral" if data.X.shape[1] == 1 else "inducing"


def inducing_points(data: Dataset, config: Config) -> int:
    """How many inducing points the options ask for."""
    n = len(data.y)
    return min(config.inducing or min(max(n // 4, _FEWEST), _MOST), n)


def prepare(data: Dataset, config: Config) -> Engine:
    """The engine that the options ask for, once per search: with its inducing points, which all kernels share."""
    sums = arithmetic(config.backend)
    n = len(data.y)
    name = engine_name(data, config)
    if name == "spectral":
        if data.X.shape[1] != 1:
            raise OptionError(f"the spectral engine is for one input, got {data.X.shape[1]}: use the inducing engine")
        return Spectral.of(data)
    if name == "exact":
        _afford(12.0 * n * n, config, f"the exact engine with {n:,} rows", "use the inducing engine")
        return Exact(sums, data)
    m = inducing_points(data, config)
    _afford(8.0 * m * (n + 8 * m), config, f"{m:,} inducing points with {n:,} rows", "use fewer inducing points")
    Z = place(data.X, m, config.placement, np.random.default_rng([config.seed, 1]))
    return Inducing(sums, data, config, Z, Workspace(min(KEPT, config.memory * _MEGABYTE)))


def _afford(needed: float, config: Config, what: str, remedy: str) -> None:
    """Refuse early what would fail late for want of memory (in bytes)."""
    if needed > config.memory * _MEGABYTE:
        raise OptionError(
            f"{what} need about {needed / _MEGABYTE:,.0f} MB, {config.memory:,.0f} are allowed: {remedy}, or allow more memory"
        )


@dataclass(frozen=True, slots=True)
class Exact:
    """The log marginal likelihood itself."""

    arithmetic: Arithmetic
    data: Dataset
    name: str = "exact"

    @property
    def extra(self) -> Array:
        return np.empty(0)

    def limits(self, kind: str, parameter: str, extent: Extent, beside: frozenset[str] = frozenset()) -> tuple[float, float]:
        return -math.inf, math.inf

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        s2 = math.exp(u[form.size])
        value, theta_bar, s2_bar = exact(self.arithmetic, form, u[: form.size], s2, self.data.X, self.data.y)
        return value, np.append(theta_bar, s2_bar * s2)

    def certify(self, form: Form, u: Array) -> Evidence:
        """The value, and on either side of it what rounding may be worth."""
        side, s2, n = form.side(self.data.X, u[: form.size]), math.exp(u[form.size]), len(self.data.y)
        found = self._likelihood(form, side, s2)
        trace = float(form.diagonal(side).sum()) + n * s2
        moved = digits.slack(digits.blur(digits.entries(form, side) + digits.sums(n), trace, s2), n, found.energy)
        status = digits.status(moved)
        if not (math.isfinite(found.value) and status.usable):
            return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
        interval = Interval(found.value - moved, found.value + moved).outward()
        return Evidence(interval, interval, exact=found.value, status=status, rounding=moved)

    def value(self, form: Form, u: Array) -> float:
        return self._likelihood(form, form.side(self.data.X, u[: form.size]), math.exp(u[form.size])).value

    def _likelihood(self, form: Form, side: Side, s2: float) -> Likelihood:
        return likelihood(self.arithmetic.symmetric_gram(form, side), self.data.y, s2, gradient=False)

    def residual(self, form: Form, u: Array) -> Array:
        """y − K C⁻¹y = s2·C⁻¹y."""
        side = form.side(self.data.X, u[: form.size])
        C = self.arithmetic.gram(form, side, side)
        s2 = math.exp(u[form.size])
        C.flat[:: len(C) + 1] += s2
        return np.asarray(s2 * solve(C, self.data.y, assume_a="pos", overwrite_a=True, check_finite=False))


@dataclass(frozen=True, slots=True)
class Inducing:
    """The paper's sandwich: the variational lower bound is climbed, and certified from above at the top."""

    arithmetic: Arithmetic
    data: Dataset
    config: Config
    Z: Array
    workspace: Workspace
    name: str = "inducing"

    @property
    def learns(self) -> bool:
        return self.config.placement == "learned"

    @property
    def extra(self) -> Array:
        return self.Z.ravel() if self.learns else np.empty(0)

    def limits(self, kind: str, parameter: str, extent: Extent, beside: frozenset[str] = frozenset()) -> tuple[float, float]:
        return -math.inf, math.inf

    def _points(self, form: Form, u: Array) -> Array:
        return u[form.size + 1 :].reshape(self.Z.shape) if self.learns else self.Z

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        theta, s2 = u[: form.size], math.exp(u[form.size])
        bound = variational(
            self.arithmetic, form, theta, s2, self.data.X, self.data.y, self._points(form, u),
            jitter=self.config.jitter, workspace=self.workspace,
        )  # fmt: skip
        if bound.gradient is None:
            return -math.inf, np.zeros_like(u)
        own = bound.gradient.Z.ravel() if self.learns else np.empty(0)
        return bound.value, np.concatenate([bound.gradient.theta, [bound.gradient.s2 * s2], own])

    def certify(self, form: Form, u: Array) -> Evidence:
        theta, s2, y, config = u[: form.size], math.exp(u[form.size]), self.data.y, self.config
        sketch = Sketch.of(self.arithmetic, form, theta, s2, self.data.X, self._points(form, u), config.jitter)
        if sketch is None:
            return Evidence(NOWHERE, NOWHERE, status=Status.SINGULAR)
        reduced = sketch.reduced(y)
        low = lower(reduced, s2)
        if low is None or not math.isfinite(low.value):
            return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
        product = sketch.product(config.memory * _MEGABYTE)
        below = sketch.structured("nystrom")
        precondition = {"nystrom": below, "none": None}.get(config.preconditioner)
        if config.preconditioner in ("fic", "pic"):
            precondition = sketch.structured(config.preconditioner)
        found = quadratic(product, y, s2, below, precondition, slack=config.slack, most=config.iterations)
        t = sketch.blur(product)
        found = found.loosened(t, s2)
        paper = Interval(low.value, conjugate(low, found, len(y)))
        tight = paper if config.tighten == "paper" else paper.meet(self._tighten(sketch, reduced, product, low, found, t))
        moved = digits.slack(t, len(low.u), s2 * float(found.alpha @ found.alpha) + float(low.u @ low.u))
        paper, tight = paper.widened(moved).outward(), tight.widened(moved).outward()
        status = digits.status(moved, Status.OK if found.slack <= config.slack else Status.LOOSE)
        if not status.usable:
            return Evidence(NOWHERE, NOWHERE, status=status)
        if not (tight.consistent and paper.consistent):
            status = Status.INCONSISTENT
        return Evidence(tight, paper, found.slack, sketch.factor.jitter, found.iterations, status=status, rounding=moved)

    def residual(self, form: Form, u: Array) -> Array:
        """y − K̂(K̂ + s2·I)⁻¹y = s2·(K̂ + s2·I)⁻¹y."""
        s2 = math.exp(u[form.size])
        sketch = Sketch.of(self.arithmetic, form, u[: form.size], s2, self.data.X, self._points(form, u), self.config.jitter)
        return self.data.y if sketch is None else s2 * sketch.structured("nystrom").solve(self.data.y)

    def _tighten(self, sketch: Sketch, reduced: Reduced, product: Product, low: Lower, found: Quadratic, t: float) -> Interval:
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
