"""The gradient in every coordinate and in the noise at every row, and α, against dense algebra."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from battery import written_case
from cases import NUMPY, seeds
from kernelscribe.engines.exact.likelihood import exact
from kernelscribe.engines.series.backward import solve
from kernelscribe.engines.series.ingredients import known
from kernelscribe.engines.series.recursion import forward
from kernelscribe.kernels import pack
from kernelscribe.testing import check_gradient, toeplitz_evidence
from states import LANGUAGE, TIMES, covariance, dense, kernel, rows, times


def check(expr, x, y, noise, size, entry=3e-13):
    """Beside `exact`, to what errors of entries, as a share of the largest, may cost. Slopes in the noise are compared as those
    in its logarithm."""
    noise = np.array(np.broadcast_to(noise, x.shape))
    of = covariance(expr, x, noise, size)
    found = forward(of.matrix, y)
    assert found is not None
    A = dense(expr, x) + np.diag(noise)
    got, alpha = of.gradient(found), np.linalg.solve(A, y)
    value, theta, s2 = exact(NUMPY, of.form, pack(expr), noise, x[:, None], y)
    n, quadratic = len(x), float(y @ alpha)
    room = n * entry * float(np.diagonal(A).max() / noise.min())
    assert found.value == pytest.approx(value, rel=0, abs=room * (math.sqrt(n) + quadratic))
    np.testing.assert_allclose(got.theta, theta, rtol=0, atol=10 * room * (n + quadratic + np.abs(theta).max(initial=0)))
    np.testing.assert_allclose(noise * got.noise, noise * s2, rtol=0, atol=10 * room * (1 + quadratic))
    np.testing.assert_allclose(got.alpha, alpha, rtol=0, atol=10 * room * np.abs(alpha).max())
    np.testing.assert_allclose(
        solve(of.matrix, found, found.z[:, None])[:, 0], got.alpha, rtol=0, atol=10 * room * np.abs(alpha).max()
    )


@pytest.mark.parametrize("kind", TIMES)
@pytest.mark.parametrize("text", LANGUAGE)
def test_every_term_of_the_language(text, kind):
    x = times(kind, 32)
    for size, s2 in ((1, 0.1), (7, 1e-5)):
        check(kernel(text), x, rows(x, s2), s2, size)


@pytest.mark.parametrize("text", LANGUAGE)
def test_one_block_for_all_rows(text):
    x = times("irregular", 40)
    check(kernel(text), x, rows(x, 1.0), 1.0, 40)


@pytest.mark.parametrize("steps", [0.5, 1, 10, 400, 1200])
@pytest.mark.parametrize("kind", ["regular", "gapped", "irregular"])
@pytest.mark.parametrize("base", ["SE(1, {})", "MATERN(1, {})", "ROUGH(1, {})", "SE(1, {})*PER(1, 1, 0.31)"])
def test_lengthscales_from_half_a_step_to_three_spans(base, kind, steps):
    x = times(kind, 400)
    check(kernel(base.format(3.4 / 399 * steps)), x, rows(x, 0.01), 0.01, 50)


@pytest.mark.parametrize("steps", [0.31, 0.9999, 2, 3.092, 40, 5000])
def test_overtones_of_any_period(steps):
    x = times("regular", 150)
    for text in ("PER(1, 0.5, {})", "SE(1, 0.5)*PER(1, 1, {})"):
        check(kernel(text.format(3.4 / 149 * steps)), x, rows(x, 0.1), 0.1, 16, 3e-11)


@given(seeds)
@settings(max_examples=25)
def test_any_kernel_that_can_be_written_with_noise_that_varies(seed):
    """Values and noise at random, wild, or on the edges of their boxes."""
    posed = written_case(2 * (seed % 10_000))
    order = np.argsort(posed.X[:, 0], kind="stable")
    x, y, noise = posed.X[order, 0], posed.y[order], posed.noise.diagonal(posed.X[order])
    # Beyond that neither is worth a digit.
    if known(posed.form) is None and np.diagonal(dense(posed.expr, x)).max() < 1e6 * noise.min():
        check(posed.expr, x, y, noise, (1, 7, 32, len(x))[seed % 4])


REGULAR = ("SE(1, 0.02)", "SE(1, 0.05)*PER(1, 3, 0.1)", "MATERN(1, 0.1)", "ROUGH(1, 0.05) + C(0.3)*SE(0.3, 0.04)", "WN(0.3)")


@pytest.mark.parametrize("text", REGULAR)
@pytest.mark.parametrize("kind", ["regular", "gapped"])
def test_blocks_that_have_settled_have_the_gradient_of_all(text, kind):
    """That in the noise too, at every row of every block."""
    x = times(kind, 1000)
    y = rows(x, 0.1)
    of = covariance(kernel(text), x, 0.1, 10)
    found, full = forward(of.matrix, y), forward(replace(of.matrix, same=lambda p: 1), y)
    assert sum(map(len, found.links)) < sum(map(len, full.links)) == len(of.blocks)
    one, other = of.gradient(found), of.gradient(full)
    np.testing.assert_allclose(one.theta, other.theta, rtol=1e-8, atol=1e-7)
    np.testing.assert_allclose(one.noise, other.noise, rtol=0, atol=1e-8)
    np.testing.assert_allclose(one.alpha, other.alpha, rtol=0, atol=1e-8)
    np.testing.assert_allclose(solve(of.matrix, found, found.z[:, None])[:, 0], other.alpha, rtol=0, atol=1e-8)
    check(kernel(text), x[:300], y[:300], 0.1, 10)


@pytest.mark.parametrize("text", ["SE(1, 0.3)", "SE(1, 0.05)*PER(1, 8, 0.1)", "WALK(1, -1.8) + ROUGH(1, 0.01)"])
@pytest.mark.parametrize("kind", ["regular", "irregular"])
def test_factors_that_were_not_kept_are_computed_again(text, kind):
    x = times(kind, 400)
    y, of = rows(x, 0.1), covariance(kernel(text), x, 0.1, 2, 1e-8)
    found = forward(of.matrix, y)
    for room in (0.0, 1e4):
        again = forward(replace(of.matrix, room=room), y)
        assert None in again.links
        one, other = of.gradient(found), of.gradient(again)
        np.testing.assert_allclose(other.theta, one.theta, rtol=1e-9, atol=1e-8)
        np.testing.assert_allclose(other.noise, one.noise, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(other.alpha, one.alpha, rtol=1e-9, atol=1e-9)


def test_slopes_of_durbins_value():
    """Two thousand rows, most of them settled."""
    lag = np.arange(2000.0)
    y = np.sin(2 * np.pi * lag / 24) + np.random.default_rng(0).normal(size=2000)
    expr = kernel("SE(1, 2.4) + SE(0.7, 30)*PER(1, 0.9, 24) + ROUGH(0.2, 5)")

    def at(u):
        v = np.exp(u)
        r = v[0] * np.exp(-0.5 * (lag / v[1]) ** 2) + v[7] * np.exp(-lag / v[8])
        r += v[2] * v[4] * np.exp(-0.5 * (lag / v[3]) ** 2 - 2 * np.sin(np.pi * lag / v[6]) ** 2 / v[5] ** 2)
        r[0] += v[9]
        return toeplitz_evidence(r, y)

    of = covariance(expr, lag, 0.1, 32, 1e-11)
    found = forward(of.matrix, y)
    slope = of.gradient(found)
    assert sum(map(len, found.links)) < 0.8 * len(of.blocks)
    u = np.append(pack(expr), math.log(0.1))
    got, apart = np.append(slope.theta, 0.1 * slope.noise.sum()), np.random.default_rng(1).normal(size=len(u))
    # Along two directions, since each value takes a tenth of a second.
    for direction in (apart, np.eye(len(u))[6]):
        check_gradient(lambda s, way=direction: at(u + s[0] * way), np.zeros(1), np.array([got @ direction]), 1e-6)


@pytest.mark.parametrize("place", [0, 23, 59])
@pytest.mark.parametrize("kind", TIMES)
def test_kernels_that_are_zero_at_a_row(place, kind):
    """The slope in the place where LIN is zero is read off that row as off any other."""
    x = times(kind, 60)
    at = float(x[place])
    for text in (
        f"LIN(1, {at!r})*SE(1, 0.5)", f"LIN(1, {at!r})*LIN(1, {at!r})*PER(1, 1, 0.7)", f"WALK(1, {at!r}) + SPLINE(1, {at!r})",
        f"CHANGE(SE(1, 0.5), ROUGH(1, 1), location={at!r}, width=0.0001)",
    ):  # fmt: skip
        check(kernel(text), x, rows(x, 0.01), 0.01, 7)


@pytest.mark.parametrize("text", LANGUAGE)
def test_one_row_two_and_all_at_one_time(text):
    for x in (np.array([0.3]), np.array([0.0, 1.0]), np.full(2, 0.3), np.full(20, 0.3)):
        for size in (1, 3):
            check(kernel(text), x, rows(x, 0.1), 0.1, size)


@pytest.mark.parametrize("base", ["SE({}, {})", "MATERN({}, {})", "ROUGH({}, {})*SE(1, 1)", "SE({}, {})*PER(1, 2, 0.7)"])
@pytest.mark.parametrize("variance, length", [(1e-8, 1e-3), (1e-8, 3.4e3), (1e6, 1e-3), (1e3, 3.4e3)])
def test_the_edges_of_boxes(base, variance, length):
    x = times("irregular", 60)
    check(kernel(base.format(variance, length)), x, rows(x, 0.5), 0.5, 7)
