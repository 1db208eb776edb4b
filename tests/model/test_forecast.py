"""Tables of predictions, in the user's units, and draws against the joint distribution they are from."""

import numpy as np
import pytest
from scipy.stats import norm

from kernelscribe import OptionError
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.kernels import parse
from kernelscribe.kernels.normal import normal
from kernelscribe.model.components import decompose
from kernelscribe.model.forecast import draws, names, table
from kernelscribe.model.model import Model
from kernelscribe.noises import Constant
from models import CONFIG, YEARLY, drawn, model, yearly

BEYOND = np.array([[3.0], [7.9], [8.5], [30.0]])


def many(*columns):
    """A model of a table with inputs of these names."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, len(columns)))
    return Model(Dataset.of(X, X.sum(axis=1), names=columns), parse("SE1(variance=1, lengthscale=1)"), Constant(0.1), CONFIG)


def test_columns_are_places_mean_bands_and_components():
    made = yearly()
    frame = table(made, BEYOND, [each.standard for each in decompose(made).components])
    assert sorted(frame.columns[4:]) == ["LIN1", "PER1", "SE1"]
    assert list(frame.columns[:4]) == ["ds", "mean", "lower_95", "upper_95"]
    assert frame["ds"].tolist() == [3.0, 7.9, 8.5, 30.0]
    assert len(frame) == 4


def test_numbers_are_those_of_the_posterior_in_the_users_units():
    made = yearly()
    scale, centre = made.data.output.scale, made.data.output.centre
    frame = table(made, BEYOND, made.terms, levels=(95, 50))
    mean, variance = made.posterior.predict(made.standard(BEYOND))
    sd = scale * np.sqrt(variance + made.noise.level)
    np.testing.assert_allclose(frame["mean"], centre + scale * mean, rtol=1e-12)
    for level in (95, 50):
        reach = norm.ppf(0.5 + level / 200) * sd
        np.testing.assert_allclose(frame[f"upper_{level}"] - frame["mean"], reach, rtol=1e-9)
        np.testing.assert_allclose(frame["mean"] - frame[f"lower_{level}"], reach, rtol=1e-9)
    parts = frame[names(made.terms)].sum(axis=1)
    np.testing.assert_allclose(parts + centre, frame["mean"], rtol=1e-8)


def test_bands_are_nested_and_widen_beyond_the_data():
    frame = table(yearly(), BEYOND, levels=(50, 80.5, 95, 99.9))
    ends = frame[["lower_99.9", "lower_95", "lower_80.5", "lower_50", "mean", "upper_50", "upper_80.5", "upper_95", "upper_99.9"]]
    assert (np.diff(ends.to_numpy(), axis=1) > 0).all()
    width = (frame["upper_95"] - frame["lower_95"]).to_numpy()
    assert (np.diff(width) > 0).all()


def test_no_level_no_band():
    assert list(table(yearly(), BEYOND, levels=()).columns) == ["ds", "mean"]


@pytest.mark.parametrize("level", [0, 1, 100, -5, 120, float("nan")])
def test_a_level_is_a_percentage_or_a_share(level):
    assert list(table(yearly(), BEYOND, levels=(0.57, 95)).columns[2:]) == ["lower_57", "upper_57", "lower_95", "upper_95"]
    with pytest.raises(OptionError, match="above 1 and below 100"):
        table(yearly(), BEYOND, levels=(95, level))


def test_no_points_no_rows():
    made = yearly()
    frame = table(made, np.empty((0, 1)), made.terms[:1])
    assert list(frame.columns) == ["ds", "mean", "lower_95", "upper_95", "SE1"]
    assert len(frame) == 0


def test_dates_are_dates():
    x, axis = np.arange(60.0), Axis("day", "days", "2024-01-01T00:00:00")
    data = Dataset.of(x, np.sin(x), axes=[axis])
    made = Model(data, parse("SE(variance=1, lengthscale=0.1)"), Constant(0.1), CONFIG)
    assert table(made, np.array([[0.0], [59.0]]))["ds"].tolist() == ["2024-01-01", "2024-02-29"]


def test_a_table_has_a_column_for_every_input():
    made = many("rain", "sun")
    assert list(table(made, made.inputs[:3], made.terms).columns) == ["rain", "sun", "mean", "lower_95", "upper_95", "SE1"]


def test_an_input_that_is_called_like_a_result_is_kept_beside_it():
    made = many("mean", "SE1", "upper_95", "upper_50")
    frame = table(made, made.inputs[:5], made.terms)
    assert list(frame.columns[:4]) == ["mean (input)", "SE1 (input)", "upper_95 (input)", "upper_50"]
    np.testing.assert_allclose(frame["mean (input)"], made.inputs[:5, 0], rtol=1e-9)
    np.testing.assert_allclose(frame["mean"], made.predict(made.inputs[:5]).median)


def test_names_are_unique_and_in_order():
    kernel = "SE(variance=1, lengthscale=1) + SE(variance=1, lengthscale=9) + LIN(variance=1, location=0)"
    assert names(normal(parse(kernel))) == ["SE1 (1)", "SE1 (2)", "LIN1"]
    assert names(()) == []


def test_a_constant_target_is_predicted_without_doubt():
    made = Model(Dataset.of(np.arange(6.0), np.full(6, 7.5)), None, Constant(1.0), CONFIG)
    frame = table(made, np.array([[2.0], [9.0]]))
    assert (frame[["mean", "lower_95", "upper_95"]] == 7.5).all(axis=None)


@pytest.mark.parametrize("chosen", [None, 1])
def test_draws_have_the_mean_and_covariance_of_the_joint(chosen):
    """20,000 draws: within five standard errors of every entry."""
    x = np.arange(40) / 12
    made = model(YEARLY, x, 300 + drawn(YEARLY, x, 0.05, np.random.default_rng(0)), noise=0.05)
    terms = None if chosen is None else made.terms[:chosen]
    points, scale, number = np.array([[1.0], [3.4], [4.0], [9.0]]), made.data.output.scale, 20_000
    mean, cov = made.posterior.joint(made.standard(points), terms)
    found = draws(made, points, number, np.random.default_rng(1), terms)
    assert found.shape == (number, 4)
    cov = cov * scale**2
    variance = np.diagonal(cov)
    off = found.mean(axis=0) - scale * mean - (made.data.output.centre if terms is None else 0.0)
    assert (np.abs(off) < 5 * np.sqrt(variance / number)).all()
    error = np.sqrt((np.outer(variance, variance) + cov**2) / number)
    assert (np.abs(np.cov(found.T) - cov) < 5 * error).all()


def test_draws_at_equal_points_are_equal():
    """A covariance without full rank has draws all the same."""
    found = draws(yearly(), np.array([[2.0], [2.0], [5.0]]), 10, np.random.default_rng(0))
    np.testing.assert_allclose(found[:, 0], found[:, 1], atol=1e-5)
    assert np.ptp(found[:, 0]) > 0
