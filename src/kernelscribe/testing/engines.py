"""Contracts of engines, bounds and posteriors."""

import math
from collections.abc import Sequence

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.engine import Engine
from kernelscribe.engines.interval import Interval
from kernelscribe.engines.posterior import Posterior, Rows, diagonal
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.tree import Expression, pack
from kernelscribe.noises import Constant, Noise
from kernelscribe.testing.differences import check_gradient, require
from kernelscribe.testing.oracles import evaluate

__all__ = ["check_engine", "check_interval", "check_posterior"]

# What rounding may leave of an identity, as a share of the sizes that enter it.
_ROUNDING = 1e-6

# A tenth of a standardised target.
_QUIET = Constant(0.1)


def check_engine(
    kind: type[Engine], data: Dataset, expr: Expression, noise: Noise = _QUIET, config: Config | None = None
) -> None:
    """What fits and searches rely on in an engine, for few data that it accepts and a kernel with values: the interval holds the
    value of the textbook, the gradient is that of the value, which is no higher, and stages can be climbed from cheap to dear."""
    config = config or Config(engine=kind.name)
    require(kind.accepts(data) is None, f"the engine is not for these data: {kind.accepts(data)}")
    require(kind.cost(data, config).operations > 0, "an engine costs something")
    engine, form = kind.of(data, config), Form.of(expr)
    u = np.concatenate([pack(expr), noise.pack(), engine.extra])
    value, slope = engine.objective(form, u)
    require(slope.shape == u.shape, f"the gradient must have {len(u)} coordinates, got {slope.shape}")
    check_gradient(lambda v: engine.objective(form, v)[0], u, slope)
    require(math.isclose(engine.value(form, u), value, rel_tol=1e-9, abs_tol=1e-6), "value and objective differ")
    exact = _evidence(evaluate(expr, data.X, data.X), data.y, noise.diagonal(data.X))
    check_interval(engine.certify(form, u).interval, exact)
    require(value <= exact + _ROUNDING * (1 + abs(exact)), f"what is climbed, {value:.9g}, is above the evidence {exact:.9g}")
    require(engine.residual(form, u).shape == data.y.shape, "what is left of the target has one number a row")
    _check_stages(engine, config)


def _evidence(K: Array, y: Array, noise: Array) -> float:
    """log N(y | 0, K + noise·I), from eigenvalues."""
    values, vectors = np.linalg.eigh(K + np.diag(noise))
    return float(-0.5 * (np.sum((vectors.T @ y) ** 2 / values) + np.log(values).sum() + len(y) * math.log(2 * math.pi)))


def _check_stages(engine: Engine, config: Config) -> None:
    stages = engine.stages(config)
    require(len(stages) > 0, "there must be a stage")
    require(sum(stage.repeat > 0 for stage in stages) == 1, "the start that repeats the parent joins the others in one stage")
    require(math.isfinite(stages[-1].behind), "the last stage must say how far behind a start may be")
    rows = [len(stage.engine.data.y) for stage in stages]
    require(rows == sorted(rows), f"stages must look at more and more rows, got {rows}")


def check_interval(interval: Interval, exact: float, tolerance: float = 1e-6) -> None:
    """lower ≤ exact ≤ upper, up to a share of the exact value's size."""
    room = tolerance * (1 + abs(exact))
    require(interval.lower <= exact + room, f"lower bound {interval.lower:.9g} above the exact value {exact:.9g}")
    require(exact <= interval.upper + room, f"upper bound {interval.upper:.9g} below the exact value {exact:.9g}")


def check_posterior(posterior: Posterior, X: Array, folds: Sequence[Rows]) -> None:
    """What the model relies on in a posterior, at the points X: means of terms add up, variances are those of the joint
    distribution and none above the prior's, and folds that hold nothing out change nothing."""
    terms = posterior.terms
    size = float(np.sqrt(diagonal(terms, X).max(initial=0.0))) + 1e-12
    mean, variance = posterior.predict(X)
    _same("the mean and that of predict", posterior.mean(X), mean, size)
    _same("the means of the terms and their sum", posterior.means(X).sum(axis=1), mean, size)
    _same("the mean of some terms", posterior.mean(X, terms[:1]), posterior.means(X)[:, 0], size)
    joint_mean, covariance = posterior.joint(X)
    _same("the joint mean", joint_mean, mean, size)
    _same("the diagonal of the covariance and the variance", np.diagonal(covariance), variance, size**2)
    require(bool((variance >= 0).all()), "a variance is negative")
    prior = diagonal(terms, X)
    require(bool((variance <= prior * (1 + _ROUNDING) + _ROUNDING * size**2).all()), "a variance is above its prior")
    require(posterior.lacks >= 0, f"the share of the variance that it lacks is {posterior.lacks:g}")
    held_out = posterior.held_out(folds)
    require(held_out.shape == (len(posterior.y), len(terms)), f"held-out means must be [N, J], got {held_out.shape}")
    require(bool(np.isfinite(held_out).all()), "a held-out mean is not finite")


def _same(what: str, got: Array, expected: Array, size: float) -> None:
    off = float(np.abs(got - expected).max(initial=0.0)) / size
    require(off <= _ROUNDING, f"{what} differ by {off:g} of their size")
