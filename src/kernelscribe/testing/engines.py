"""Contracts of bounds and posteriors."""

from collections.abc import Sequence

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.interval import Interval
from kernelscribe.engines.posterior import Posterior, Rows, diagonal
from kernelscribe.testing.differences import require

__all__ = ["check_interval", "check_posterior"]

# What rounding may leave of an identity, as a share of the sizes that enter it.
_ROUNDING = 1e-6


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
