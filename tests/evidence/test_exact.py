"""The exact engine against an independent library, dense algebra, and differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, ExpSineSquared, WhiteKernel

from cases import NUMPY, case, seeds
from kernelscribe.checks import check_gradient
from kernelscribe.evidence.exact import exact, likelihood
from kernelscribe.kernels import Form, pack, parse


@given(seeds)
@settings(max_examples=200)
def test_value_and_gradient(seed):
    c = case(seed)
    value, theta_bar, s2_bar = exact(NUMPY, c.form, c.theta, c.s2, c.X, c.y)
    assert value == pytest.approx(c.exact, rel=1e-8, abs=1e-6)

    def at(u):
        return exact(NUMPY, c.form, u[:-1], float(np.exp(u[-1])), c.X, c.y)[0]

    check_gradient(at, np.append(c.theta, np.log(c.s2)), np.append(theta_bar, s2_bar * c.s2))


SKLEARN = [
    ("SE(variance=1.7, lengthscale=0.6)", ConstantKernel(1.7) * RBF(0.6)),
    ("PER(variance=0.8, lengthscale=1.3, period=0.9)", ConstantKernel(0.8) * ExpSineSquared(1.3, 0.9)),
    ("LIN(variance=2.5, location=0)", ConstantKernel(2.5) * DotProduct(0.0, "fixed")),
    (
        "SE(variance=1.7, lengthscale=0.6)*PER(variance=0.8, lengthscale=1.3, period=0.9) + LIN(variance=2.5, location=0)",
        ConstantKernel(1.7) * RBF(0.6) * ConstantKernel(0.8) * ExpSineSquared(1.3, 0.9)
        + ConstantKernel(2.5) * DotProduct(0.0, "fixed"),
    ),
    (
        "SE(variance=1.2, lengthscale=2)*(PER(variance=0.8, lengthscale=0.7, period=0.4) + LIN(variance=0.5, location=0))",
        ConstantKernel(1.2)
        * RBF(2.0)
        * (ConstantKernel(0.8) * ExpSineSquared(0.7, 0.4) + ConstantKernel(0.5) * DotProduct(0.0, "fixed")),
    ),
]


@pytest.mark.parametrize(("ours", "theirs"), SKLEARN)
@pytest.mark.parametrize("s2", [0.3, 1e-3])
def test_equals_scikit_learn(ours, theirs, s2):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 1))
    y = np.sin(7 * X[:, 0]) + 0.3 * rng.normal(size=80)
    expr = parse(ours)
    value, _, _ = exact(NUMPY, Form.of(expr), pack(expr), s2, X, y)
    model = GaussianProcessRegressor(theirs + WhiteKernel(s2), optimizer=None, alpha=0.0).fit(X, y)
    assert value == pytest.approx(model.log_marginal_likelihood_value_, rel=1e-8)


def test_indefinite_matrix_is_minus_infinity():
    assert likelihood(-np.eye(3), np.ones(3), 0.5).value == -np.inf
