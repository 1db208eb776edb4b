"""Products with K: dense, blocked and by FFT agree, with gaps, repeats and LIN factors."""

import numpy as np
import pytest
from hypothesis import given, settings

from cases import NUMPY, kernel, points, seeds
from kernelscribe.engines.inducing.products import Blocked, GridProduct, Panels, choose, positions
from kernelscribe.kernels import Form, pack, parse
from kernelscribe.testing import evaluate


@given(seeds)
@settings(max_examples=300)
def test_fft_equals_dense(seed):
    rng = np.random.default_rng(seed)
    expr = kernel(rng, 1, 6)
    n = int(rng.integers(5, 120))
    grid = np.arange(2 * n) * float(np.exp(rng.normal())) + rng.normal()
    x = rng.choice(grid, size=n, replace=bool(rng.random() < 0.5))
    x[:2] = grid[n : n + 2]  # of the gaps one at least is the step of the grid
    X = ((x - x.mean()) / (x.std() or 1.0))[:, None]
    form, theta = Form.of(expr), pack(expr)
    places = positions(form, X)
    assert places is not None
    side = form.side(X, theta)
    V = rng.normal(size=(n, 11))
    K = evaluate(expr, X, X)
    got = GridProduct.of(form, side, theta, places)
    scale = np.abs(K).max() * n
    assert np.abs(got(V) - K @ V).max() <= 1e-9 * scale
    assert np.abs(got(V[:, 0]) - K @ V[:, 0]).max() <= 1e-9 * scale


@given(seeds)
@settings(max_examples=60)
def test_dense_and_blocked(seed):
    rng = np.random.default_rng(seed)
    expr, X = kernel(rng, 2, 4), points(rng, int(rng.integers(2, 300)), 2, "irregular")
    form, theta = Form.of(expr), pack(expr)
    blocked = Blocked(NUMPY, form, form.side(X, theta))
    V = rng.normal(size=len(X))
    expected = evaluate(expr, X, X) @ V
    for product in (blocked, Panels.of(blocked)):
        np.testing.assert_allclose(product(V), expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_choice_is_made_by_itself():
    rng = np.random.default_rng(0)
    form = Form.of(parse("SE*PER + LIN"))
    theta = np.zeros(form.size)

    def chosen(X, memory=1e9, kernel_form=form):
        return choose(NUMPY, kernel_form, theta[: kernel_form.size], kernel_form.side(X, theta[: kernel_form.size]), memory).name

    regular = np.delete(np.linspace(-1.7, 1.7, 300), slice(100, 140))[:, None]
    assert chosen(regular) == "grid"
    assert chosen(rng.normal(size=(200, 1))) == "dense"
    assert chosen(rng.normal(size=(200, 1)), memory=1e4) == "blocked"
    assert chosen(np.column_stack([regular, regular]), kernel_form=Form.of(parse("SE1 + SE2"))) == "dense"


@pytest.mark.parametrize("x", [np.ones(5), np.array([0.0, 1.0, np.pi, 4.0, 5.0]), np.array([0, 1e-6, 1.0, 2.0])])
def test_what_is_not_a_grid(x):
    assert positions(Form.of(parse("SE")), x[:, None]) is None


def test_rounding_does_not_hide_a_grid():
    hours = np.arange(40000) / 24 + 12000.0
    x = (hours - hours.mean()) / hours.std()
    assert positions(Form.of(parse("SE")), x[:, None]) is not None
