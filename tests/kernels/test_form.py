"""The canonical form: the same Gram matrix as the tree, the same derivative as differences, in both arithmetics."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings

from cases import KINDS, NUMPY, kernel, points, seeds
from kernelscribe import OptionError
from kernelscribe.effort import STANDARD
from kernelscribe.kernels import Form, pack, parse
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.testing import evaluate, numerical_gradient


def arithmetics():
    pytest.importorskip("numba")
    return NUMPY, arithmetic("numba")


def setup(seed):
    rng = np.random.default_rng(seed)
    inputs = int(rng.integers(1, 5))
    expr = kernel(rng, inputs, 6)
    X = points(rng, int(rng.integers(2, 25)), inputs, KINDS[int(rng.integers(3))])
    Z = points(rng, int(rng.integers(1, 9)), inputs, "irregular")
    return rng, expr, Form.of(expr), pack(expr), X, Z


@given(seeds)
@settings(max_examples=300)
def test_gram_equals_the_tree(seed):
    _, expr, form, theta, X, Z = setup(seed)
    expected = evaluate(expr, X, Z)
    scale = np.abs(expected).max() + 1e-300
    x, z = form.side(X, theta), form.side(Z, theta)
    for each in arithmetics():
        assert np.abs(each.gram(form, x, z) - expected).max() <= 1e-10 * scale, each.name
    diagonal = np.diagonal(evaluate(expr, X, X))
    np.testing.assert_allclose(form.diagonal(x), diagonal, rtol=1e-12, atol=1e-12 * np.abs(diagonal).max())


@given(seeds)
@settings(max_examples=300)
def test_adjoint_equals_differences(seed):
    """⟨K_bar, dK⟩ pulled back to parameters and to both sets of points, taped and not, in NumPy and numba."""
    rng, _, form, theta, X, Z = setup(seed)
    K_bar, weight = rng.normal(size=(len(X), len(Z))), float(rng.normal())

    def value(u, points_x=X, points_z=Z):
        x, z = form.side(points_x, u), form.side(points_z, u)
        return float(np.vdot(K_bar, NUMPY.gram(form, x, z))) + weight * float(form.diagonal(x).sum())

    expected = numerical_gradient(value, theta)
    moved = numerical_gradient(lambda z: value(theta, X, z.reshape(Z.shape)), Z.ravel()).reshape(Z.shape)
    x, z = form.side(X, theta), form.side(Z, theta)
    for each in arithmetics():
        for taped in {False, each.tapes}:
            tape = np.empty((len(form.terms), len(X), len(Z))) if taped else None
            each.gram(form, x, z, tape)
            x_bar, z_bar = form.bar(len(X)), form.bar(len(Z))
            each.adjoint(form, x, z, K_bar.copy(), x_bar, z_bar, tape)
            form.pull_diagonal(x, weight, x_bar)
            got = form.pull(x, x_bar)[0] + form.pull(z, z_bar)[0]
            np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-5 * (1 + np.abs(expected).max()))
            np.testing.assert_allclose(form.pull(z, z_bar)[1], moved, rtol=2e-5, atol=2e-5 * (1 + np.abs(moved).max()))


SIZES = (1, 2, 3, 5, 17, 63, 64, 65, 129, 150)


@given(seeds)
@settings(max_examples=200)
def test_triangle_equals_the_square(seed):
    """One triangle with NaN above it gives what the square gives, at sizes around those of the strips."""
    rng = np.random.default_rng(seed)
    inputs, n = int(rng.integers(1, 4)), int(rng.choice(SIZES))
    expr = kernel(rng, inputs, 6)
    form, X = Form.of(expr), points(rng, n, inputs, KINDS[int(rng.integers(3))])
    x = form.side(X, pack(expr))
    square = NUMPY.gram(form, x, x)
    K_bar = np.tril(rng.normal(size=(n, n)))
    rows, columns = form.bar(n), form.bar(n)
    NUMPY.adjoint(form, x, x, K_bar.copy(), rows, columns)
    K_bar[np.triu_indices(n, 1)] = np.nan
    for each in arithmetics():
        K = each.symmetric_gram(form, x)
        assert np.abs(np.tril(K - square)).max() <= 1e-12 * np.abs(square).max(), each.name
        x_bar = form.bar(n)
        x_bar.a += 1
        x_bar.phi += 1
        each.symmetric_adjoint(form, x, K_bar.copy(), x_bar)
        for got, one, other in ((x_bar.a, rows.a, columns.a), (x_bar.phi, rows.phi, columns.phi)):
            expected = one + other + 1
            np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-10 * np.abs(expected).max(initial=1))


@pytest.mark.parametrize(
    "text",
    [
        "LIN(variance=2, location=0.3)",
        "LIN(variance=2, location=0.3) + LIN(variance=1, location=-1)*LIN(variance=0.5, location=0)",
        "SE(variance=1, lengthscale=0.5)*(PER(variance=0.8, lengthscale=0.7, period=0.4) + LIN(variance=0.5, location=0))",
    ],
)
@pytest.mark.parametrize("n", [1, 2, 7, 66])
def test_triangle_equals_differences(text, n):
    rng = np.random.default_rng(n)
    expr = parse(text)
    form, theta, X, K_bar = Form.of(expr), pack(expr), rng.normal(size=(n, 1)), rng.normal(size=(n, n))
    lower = np.tril_indices(n)
    for each in arithmetics():

        def value(u, each=each):
            return float(K_bar[lower] @ each.symmetric_gram(form, form.side(X, u))[lower])

        x, x_bar = form.side(X, theta), form.bar(n)
        each.symmetric_adjoint(form, x, K_bar.copy(), x_bar)
        expected = numerical_gradient(value, theta)
        got = form.pull(x, x_bar)[0]
        np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-5 * (1 + np.abs(expected).max()), err_msg=each.name)


def test_blocks_add_up():
    _, _, form, theta, X, Z = setup(7)
    x, z = form.side(X, theta), form.side(Z, theta)
    whole = NUMPY.gram(form, x, z)
    half = len(X) // 2
    np.testing.assert_array_equal(
        np.vstack([NUMPY.gram(form, x.block(0, half), z), NUMPY.gram(form, x.block(half, len(X)), z)]), whole
    )


def test_compiled_exponential_is_exact_to_the_last_digits():
    """SE at many distances: from 1 down to numbers that underflow."""
    fused = arithmetics()[1]
    form, theta = Form.of(parse("SE")), np.array([0.0, 0.0])
    X, Z = np.linspace(0, 40, 5001)[:, None], np.zeros((1, 1))
    K = fused.gram(form, form.side(X, theta), form.side(Z, theta))[:, 0]
    np.testing.assert_allclose(K, np.exp(-0.5 * X[:, 0] ** 2), rtol=1e-12, atol=1e-300)


def test_backend_by_name():
    assert arithmetic("numpy").name == "numpy"
    assert arithmetic("numpy", 1e9).name == "numpy"
    with pytest.raises(OptionError, match="backend must be one of"):
        arithmetic("fortran")


def test_compiled_loops_are_loaded_only_where_matrices_repay_it():
    pytest.importorskip("numba")
    enough = STANDARD.compiled_entries
    assert [arithmetic("auto", entries).name for entries in (enough, enough + 1)] == ["numpy", "numba"]
    assert arithmetic("numba", 1).name == "numba"


def test_a_search_of_few_rows_loads_no_compiler():
    code = (
        "import sys, numpy as np; from kernelscribe.config import Config; from kernelscribe.data.dataset import Dataset;"
        "from kernelscribe.engines.choose import prepare; x = np.arange(150.0); prepare(Dataset.of(x, np.sin(x)), Config());"
        "print('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"
