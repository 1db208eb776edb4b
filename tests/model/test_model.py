"""A model between the user's units and its own, and how its numbers follow a change of units."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe import DataError
from kernelscribe.data.dataset import Dataset
from kernelscribe.kernels import parse, to_standard, to_user
from kernelscribe.kernels.base import Role
from kernelscribe.model.components import decompose
from kernelscribe.model.model import Model
from kernelscribe.noises import Constant
from kernelscribe.scales import Affine
from models import CONFIG, YEARLY, drawn, model, numbers, yearly

# From the units of one table to those of another: x and y, stretched and moved.
CHANGES = [
    (Affine(0.0, 365.25), Affine(0.0, 1.0)),
    (Affine(1900.0, 1.0), Affine(-40.0, 1.8)),
    (Affine(-5.0, 1e-3), Affine(1e4, 1e5)),
    (Affine(0.0, 1.0), Affine(10.0, -2.0)),
]


def at(affine, values):
    return affine.centre + affine.scale * values


def test_units_there_and_back():
    rng = np.random.default_rng(0)
    X, y = 1e3 + 50 * rng.normal(size=(20, 3)), 7 + 1e-3 * rng.normal(size=20)
    made = Model(Dataset.of(X, y), None, Constant(1.0), CONFIG)
    np.testing.assert_allclose(made.inputs, X, rtol=1e-12)
    np.testing.assert_allclose(made.target, y, rtol=1e-12)
    np.testing.assert_allclose(made.standard(X), made.data.X, atol=1e-9)
    assert not made.series
    assert yearly().series


@pytest.mark.parametrize("shape", [(5,), (5, 2), (5, 1, 1)])
def test_points_of_another_shape_are_refused(shape):
    with pytest.raises(DataError, match="1 inputs"):
        yearly().standard(np.zeros(shape))


def test_what_lies_beneath_has_no_noise():
    made = yearly()
    X = made.inputs[:7] + 0.01
    mean, whole = numbers(made.predict(X))
    same, beneath = numbers(made.predict(X, noisy=False))
    assert np.array_equal(mean, same)
    np.testing.assert_allclose(whole**2 - beneath**2, made.noise_sd**2, rtol=1e-9)
    assert made.noise_sd == pytest.approx(math.sqrt(0.05), rel=1e-12)


def test_forecasts_are_widened_by_how_far_they_reach():
    """The variance of the target times 1 + c·t, with t in tenths of the range beyond either end; the mean stays."""
    made = yearly(n=97)
    wide = replace(made, widening=2.5)
    X = np.array([[0.0], [4.0], [8.0], [8.8], [12.0], [-1.6]])
    (mean, sd), (same, more) = numbers(made.predict(X)), numbers(wide.predict(X))
    assert np.array_equal(mean, same)
    np.testing.assert_allclose((more / sd) ** 2, 1 + 2.5 * np.array([0, 0, 0, 1, 5, 2]), rtol=1e-9)
    np.testing.assert_allclose(more**2 - wide.predict(X, noisy=False).std ** 2, made.noise_sd**2, rtol=1e-9)


def test_tables_are_not_widened():
    X = np.random.default_rng(0).normal(size=(30, 2))
    made = Model(Dataset.of(X, X[:, 0]), parse("SE1(variance=1, lengthscale=1)"), Constant(0.1), CONFIG)
    far = np.array([[50.0, 50.0]])
    assert replace(made, widening=9.0).predict(far).std == made.predict(far).std


@pytest.mark.parametrize("n", [6, 2001])
def test_without_a_kernel_there_is_noise_alone(n):
    x = np.arange(float(n))
    made = Model(Dataset.of(x, 5 + 3 * (-1) ** x), None, Constant(1.0), CONFIG)
    assert made.terms == ()
    mean, sd = numbers(made.predict(np.array([[0.0], [1e6]])))
    np.testing.assert_allclose(mean, made.target.mean(), rtol=1e-12)
    np.testing.assert_allclose(sd, made.target.std(), rtol=1e-12)


def test_a_constant_has_no_noise():
    made = Model(Dataset.of(np.arange(6.0), np.full(6, -3.0)), None, Constant(1.0), CONFIG)
    mean, sd = numbers(made.predict(np.array([[2.0], [50.0]])))
    assert mean.tolist() == [-3.0, -3.0]
    assert sd.tolist() == [0.0, 0.0]
    assert made.noise_sd == 0


@pytest.mark.parametrize(("x_by", "y_by"), CHANGES)
def test_numbers_follow_a_change_of_units(x_by, y_by):
    """The same kernel, told in the new units, on the same table in them: every number changes as its unit says."""
    x = np.arange(96) / 12
    y = drawn(YEARLY, x, 0.05, np.random.default_rng(0))
    one = model(YEARLY, x, y, noise=0.05)
    expr = to_user(parse(YEARLY), [x_by], Affine(0.0, abs(y_by.scale)))
    data = Dataset.of(at(x_by, x), at(y_by, y))
    other = Model(
        data, to_standard(expr, data.inputs, data.output), Constant(0.05 * y_by.scale**2 / data.output.scale**2), CONFIG
    )
    new = np.array([[-1.0], [2.33], [11.0]])
    (mean, sd), (moved, wide) = numbers(one.predict(new)), numbers(other.predict(at(x_by, new)))
    np.testing.assert_allclose(moved, at(y_by, mean), rtol=1e-6)
    np.testing.assert_allclose(wide, abs(y_by.scale) * sd, rtol=1e-6)
    before, after = decompose(one), decompose(other)
    assert after.level == pytest.approx(at(y_by, before.level), rel=1e-6)
    assert after.baseline == pytest.approx(abs(y_by.scale) * before.baseline, rel=1e-6)
    assert after.explained == pytest.approx(before.explained, rel=1e-6)
    assert len(before.components) == 3
    for was, now in zip(before.components, after.components, strict=True):
        assert str(now.term) == str(was.term)
        np.testing.assert_allclose(now.mean, y_by.scale * was.mean, rtol=1e-6, atol=1e-6 * np.abs(y_by.scale * was.mean).max())
        assert now.slope == pytest.approx(was.slope * y_by.scale / x_by.scale, rel=1e-6)
        assert now.monotone == was.monotone * np.sign(y_by.scale)
        assert now.forgets == (None if was.forgets is None else pytest.approx(was.forgets * x_by.scale, rel=1e-6))
        assert now.error == pytest.approx(abs(y_by.scale) * was.error, rel=1e-6)
        assert [now.share, now.total, now.rest, now.drop] == pytest.approx([was.share, was.total, was.rest, was.drop], rel=1e-5)
        degree = 2 * len(was.term.of(Role.LINE))
        assert now.term.variance == pytest.approx(was.term.variance * y_by.scale**2 / x_by.scale**degree, rel=1e-6)
        for factor, old, error, then in zip(now.term.factors, was.term.factors, now.spread, was.spread, strict=True):
            stretch = (1.0, x_by.scale) if factor.kind == "PER" else (x_by.scale,)
            origin = x_by.centre if factor.kind == "LIN" else 0.0
            assert factor.values == pytest.approx([v * by + origin for v, by in zip(old.values, stretch, strict=True)], rel=1e-6)
            assert np.isfinite(then).all() or factor.kind == "LIN"
            assert error == pytest.approx([e * by for e, by in zip(then, stretch, strict=True)], rel=1e-5, nan_ok=True)


def test_a_series_read_backwards_falls_where_it_rose():
    """x → −x: every mean as it was at its row, every slope turned round, and the other end goes on."""
    x = np.arange(100) / 10
    y = drawn("SE(variance=1, lengthscale=2)", x, 0.01, np.random.default_rng(0)) + 3 * x
    kernel = "SE(variance=1, lengthscale=2) + LIN(variance=1, location=5)"
    one, other = model(kernel, x, y, noise=0.01), model(kernel.replace("location=5", "location=-5"), -x, y, noise=0.01)
    for was, now in zip(decompose(one).components, decompose(other).components, strict=True):
        np.testing.assert_allclose(now.mean, was.mean, rtol=1e-6, atol=1e-6)
        assert now.slope == pytest.approx(-was.slope, rel=1e-6)
        assert now.monotone == -was.monotone
        assert now.drop == pytest.approx(was.drop, rel=1e-6)
        assert now.spread[0] == pytest.approx(was.spread[0], rel=1e-5, nan_ok=True)


def test_rows_in_another_order_change_nothing():
    made = yearly()
    order = np.random.default_rng(0).permutation(len(made.data.y))
    other = model(YEARLY, made.inputs[order], made.target[order], noise=0.05)
    for was, now in zip(decompose(made).components, decompose(other).components, strict=True):
        np.testing.assert_allclose(now.mean, was.mean[order], rtol=1e-6, atol=1e-9)
        assert (now.share, now.drop, now.slope) == pytest.approx((was.share, was.drop, was.slope), rel=1e-6)
