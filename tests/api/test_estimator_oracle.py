"""The regressor beside scikit-learn's own Gaussian process, with the same kernel at the same values."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, ExpSineSquared, PairwiseKernel

import kernelscribe as ks
from kernelscribe.kernels.tree import Leaf, Product
from kernelscribe.kernels.units import to_user
from regressors import series


def oracle(expr):
    """A kernel with values in scikit-learn's terms, for one input."""
    if not isinstance(expr, Leaf):
        parts = [oracle(arg) for arg in expr.args]
        whole = parts[0]
        for part in parts[1:]:
            whole = whole * part if isinstance(expr, Product) else whole + part
        return whole
    variance, *values = expr.values
    match expr.kind:
        case "SE":
            return ConstantKernel(variance) * RBF(values[0])
        case "PER":
            return ConstantKernel(variance) * ExpSineSquared(length_scale=values[0], periodicity=values[1])
        case "LIN":
            return ConstantKernel(variance) * PairwiseKernel(metric=lambda a, b, **_: (a[0] - values[0]) * (b[0] - values[0]))
    raise AssertionError(expr)


def peer(estimator, X, y):
    """What has been fitted, as scikit-learn has it: for the target about its mean, without noise in its predictions."""
    data = estimator.model_.data
    kernel = oracle(to_user(estimator.model_.expr, data.inputs, data.output))
    return GaussianProcessRegressor(kernel, alpha=estimator.noise_variance_, optimizer=None).fit(X, y - y.mean())


def with_kernel(estimator, kernel, X, y):
    """The same estimator with a kernel that it might have found."""
    found = ks.fit_kernel(kernel, X, y, restarts=2, steps=50, backend="numpy")
    changed = clone(estimator).fit(X, y)
    changed.model_ = replace(estimator.model_, expr=found.expr, noise=found.noise)
    changed.noise_variance_ = found.user_noise.level
    return changed


@pytest.mark.parametrize("kernel", ["SE", "LIN", "PER + LIN", "SE*PER + LIN", "(SE + PER)*LIN"])
def test_mean_and_deviation_are_those_of_scikit_learns_own_process(fitted, kernel):
    X, y = series()
    estimator = with_kernel(fitted, kernel, X, y)
    beyond = np.linspace(-1, 7, 50)[:, None]
    mean, std = estimator.predict(beyond, return_std=True)
    expected, without_noise = peer(estimator, X, y).predict(beyond, return_std=True)
    np.testing.assert_allclose(mean, expected + y.mean(), atol=1e-6)
    np.testing.assert_allclose(std, np.hypot(without_noise, np.sqrt(estimator.noise_variance_)), atol=1e-6)
    np.testing.assert_allclose(estimator.predict(beyond), mean, atol=1e-10)


def test_draws_have_the_mean_and_the_covariance_of_scikit_learns_own_process(fitted):
    X, y = series()
    estimator = with_kernel(fitted, "SE", X, y)
    points = np.array([[0.4], [0.5], [2.0], [6.0], [6.2]])
    mean, covariance = peer(estimator, X, y).predict(points, return_cov=True)
    covariance = covariance + estimator.noise_variance_ * np.eye(5)
    draws = estimator.sample_y(points, n_samples=20_000, random_state=0)
    assert draws.shape == (5, 20_000)
    deviation = np.sqrt(np.diag(covariance))
    assert (np.abs(draws.mean(axis=1) - mean - y.mean()) < 4 * deviation / np.sqrt(20_000)).all()
    np.testing.assert_allclose(
        np.cov(draws) / np.outer(deviation, deviation), covariance / np.outer(deviation, deviation), atol=0.03
    )
    assert abs(covariance[3, 4]) > 0.1 * deviation[3] * deviation[4]


def test_draws_follow_their_random_state(fitted):
    X, _ = series(5)
    assert (fitted.sample_y(X, 2, random_state=3) == fitted.sample_y(X, 2, random_state=np.random.RandomState(3))).all()
    assert (fitted.sample_y(X, 2, random_state=3) != fitted.sample_y(X, 2, random_state=4)).all()
    assert fitted.sample_y(X).shape == (5, 1)
