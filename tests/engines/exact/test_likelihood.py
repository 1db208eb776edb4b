"""The exact engine against an independent library, dense algebra, and differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, ExpSineSquared, WhiteKernel

from cases import NUMPY, case, seeds
from kernelscribe.engines.exact.likelihood import exact, likelihood
from kernelscribe.kernels import Form, pack, parse
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.testing import check_gradient


@given(seeds)
@settings(max_examples=100)
def test_value_and_gradient(seed):
    c = case(seed)
    value, theta_bar, s2_bar = exact(NUMPY, c.form, c.theta, np.full(len(c.y), c.s2), c.X, c.y)
    assert value == pytest.approx(c.exact, rel=1e-8, abs=1e-6)

    def at(u):
        return exact(NUMPY, c.form, u[:-1], np.full(len(c.y), np.exp(u[-1])), c.X, c.y)[0]

    check_gradient(at, np.append(c.theta, np.log(c.s2)), np.append(theta_bar, s2_bar.sum() * c.s2))


@given(seeds)
@settings(max_examples=100)
def test_gradient_equals_the_dense_formula(seed):
    """d/dC = ½ (ααᵀ − C⁻¹) written out in full and pulled back to both sides, in both arithmetics."""
    pytest.importorskip("numba")
    c = case(seed)
    n, side = len(c.y), c.form.side(c.X, c.theta)
    C_inverse = np.linalg.inv(NUMPY.gram(c.form, side, side) + c.s2 * np.eye(n))
    alpha = C_inverse @ c.y
    C_bar = 0.5 * (np.outer(alpha, alpha) - C_inverse)
    rows, columns = c.form.bar(n), c.form.bar(n)
    NUMPY.adjoint(c.form, side, side, C_bar, rows, columns)
    expected = c.form.pull(side, rows)[0] + c.form.pull(side, columns)[0]
    # An inverse is only as good as its condition number.
    rtol = 1e-9 + 1e-14 * np.linalg.cond(C_inverse)
    for each in (NUMPY, arithmetic("numba")):
        value, theta_bar, s2_bar = exact(each, c.form, c.theta, np.full(len(c.y), c.s2), c.X, c.y)
        assert value == pytest.approx(c.exact, rel=1e-8, abs=1e-6), each.name
        scale = 1 + np.abs(expected).max() + abs(np.trace(C_bar))
        np.testing.assert_allclose(theta_bar, expected, rtol=rtol, atol=rtol * scale, err_msg=each.name)
        np.testing.assert_allclose(s2_bar.sum(), np.trace(C_bar), rtol=rtol, atol=rtol * scale, err_msg=each.name)


@pytest.mark.parametrize("n", [1, 2, 3, 65])
def test_derivative_takes_the_place_of_the_lower_triangle(n):
    rng = np.random.default_rng(n)
    A, y = rng.normal(size=(n, n)), rng.normal(size=n)
    full = A @ A.T
    K = np.where(np.tri(n, dtype=bool), full, np.nan)
    result = likelihood(K, y, np.full(n, 0.5))
    C_inverse = np.linalg.inv(full + 0.5 * np.eye(n))
    C_bar = 0.5 * (np.outer(C_inverse @ y, C_inverse @ y) - C_inverse)
    expected = np.tril(2 * C_bar, -1) + np.diag(np.diag(C_bar))
    assert np.shares_memory(result.descent, K)
    np.testing.assert_allclose(-np.tril(result.descent), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(result.s2_bar, np.diagonal(C_bar), rtol=1e-9)
    assert np.isnan(K[np.triu_indices(n, 1)]).all()


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
    value, _, _ = exact(NUMPY, Form.of(expr), pack(expr), np.full(len(y), s2), X, y)
    model = GaussianProcessRegressor(theirs + WhiteKernel(s2), optimizer=None, alpha=0.0).fit(X, y)
    assert value == pytest.approx(model.log_marginal_likelihood_value_, rel=1e-8)


def test_indefinite_matrix_is_minus_infinity():
    assert likelihood(-np.eye(3), np.ones(3), 0.5).value == -np.inf
