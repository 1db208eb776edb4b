"""The exact engine: the log marginal likelihood itself, with what rounding may be worth on either side of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack, solve, solve_triangular

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines import digits
from kernelscribe.engines.engine import Engine, Work
from kernelscribe.engines.exact.likelihood import Likelihood, exact, likelihood
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.engines.weights import Weights
from kernelscribe.errors import Status
from kernelscribe.kernels.form import Form, Side
from kernelscribe.kernels.gram import Arithmetic, arithmetic
from kernelscribe.kernels.normal import Term
from kernelscribe.noises import Constant, Noise, noise_kind

__all__ = ["Exact"]

# Bytes of all matrices that a value with its gradient takes, for every pair of rows.
_BYTES = 12.0


@dataclass(frozen=True)
class Exact(Engine):
    """The log marginal likelihood itself."""

    name = "exact"

    arithmetic: Arithmetic
    data: Dataset
    noise: type[Noise] = Constant

    @classmethod
    def cost(cls, data: Dataset, config: Config) -> Work:
        n = len(data.y)
        return Work(float(n) ** 3, _BYTES * n * n, f"the exact engine with {n:,} rows", "use the inducing engine")

    @classmethod
    def of(cls, data: Dataset, config: Config) -> "Exact":
        return cls(arithmetic(config.backend, len(data.y) ** 2, config.effort), data, noise_kind(config.noise))

    @classmethod
    def condition(cls, data: Dataset, terms: tuple[Term, ...], noise: Noise, config: Config) -> Dense | None:
        return Dense(terms, noise, data.X, data.y) if len(data.y) <= config.effort.dense_rows else None

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        noise, X = self.noise_at(form, u), self.data.X
        value, theta_bar, s2_bar = exact(self.arithmetic, form, u[: form.size], noise.diagonal(X), X, self.data.y)
        return value, np.concatenate((theta_bar, noise.pull(X, s2_bar)))

    def certify(self, form: Form, u: Array) -> Evidence:
        """The value, and on either side of it what rounding may be worth, to the matrix with weights (weights.py): a factor of
        C is one of wCw, with the same roundings."""
        side, noise, n = form.side(self.data.X, u[: form.size]), self.noise_at(form, u), len(self.data.y)
        s2 = noise.diagonal(self.data.X)
        found = self._likelihood(form, side, s2)
        least = float(s2.min())
        squares = least / s2
        trace = float((form.diagonal(side) * squares).sum() + (s2 * squares).sum())
        blur = digits.blur(digits.entries(form, side) + digits.sums(n), trace, least)
        moved = digits.slack(blur + Weights.of(noise, self.data.X).blur(), n, found.energy)
        status = digits.status(moved)
        if not (math.isfinite(found.value) and status.usable):
            return Evidence(NOWHERE, NOWHERE, status=Status.NONFINITE)
        interval = Interval(found.value - moved, found.value + moved).outward()
        return Evidence(interval, interval, exact=found.value, status=status, rounding=moved)

    def value(self, form: Form, u: Array) -> float:
        return self._likelihood(form, form.side(self.data.X, u[: form.size]), self._noises(form, u)).value

    def _noises(self, form: Form, u: Array) -> Array:
        return self.noise_at(form, u).diagonal(self.data.X)

    def _likelihood(self, form: Form, side: Side, s2: Array) -> Likelihood:
        return likelihood(self.arithmetic.symmetric_gram(form, side), self.data.y, s2, gradient=False)

    def whitening(self, form: Form, u: Array) -> Callable[[Array], Array] | None:
        X = self.data.X[np.argsort(self.data.X[:, 0], kind="stable")]
        A = self.arithmetic.symmetric_gram(form, form.side(X, u[: form.size]))
        np.einsum("ii->i", A)[:] += self.noise_at(form, u).diagonal(X)
        L, info = lapack.dpotrf(A, lower=1, clean=1)
        return None if info else lambda columns: np.asarray(solve_triangular(L, columns, lower=True, check_finite=False))

    def residual(self, form: Form, u: Array) -> Array:
        """y − K C⁻¹y = diag s2·C⁻¹y."""
        side = form.side(self.data.X, u[: form.size])
        C = self.arithmetic.gram(form, side, side)
        s2 = self._noises(form, u)
        C.flat[:: len(C) + 1] += s2
        return np.asarray(s2 * solve(C, self.data.y, assume_a="pos", overwrite_a=True, check_finite=False))
