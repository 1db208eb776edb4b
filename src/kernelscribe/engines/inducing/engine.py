"""The inducing engine: the paper's sandwich of a variational lower bound and an upper bound by conjugate gradients."""

import math
from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines import digits
from kernelscribe.engines.inducing.bound import variational
from kernelscribe.engines.inducing.cg import Quadratic, quadratic
from kernelscribe.engines.inducing.lower import Lower, Reduced, lower
from kernelscribe.engines.inducing.products import Product
from kernelscribe.engines.inducing.sketch import Sketch
from kernelscribe.engines.inducing.tighten import free, measure, moments, trace
from kernelscribe.engines.inducing.upper import conjugate
from kernelscribe.engines.inducing.workspace import Workspace
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.errors import Status
from kernelscribe.kernels.base import Extent, Role
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.gram import Arithmetic

__all__ = ["Inducing"]

_MEGABYTE = 1e6
# How often entries enter the moments of what is left out: as they are, and three times by way of the inducing points.
_OFTEN = 4.0


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

    def limits(self, role: Role, quantity: str, extent: Extent, beside: frozenset[Role] = frozenset()) -> tuple[float, float]:
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
