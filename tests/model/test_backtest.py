"""Backtests against forecasts made one by one, the coverage that bands promise, and the least widening that mends the past."""

import importlib

import numpy as np
import pytest
from scipy.stats import norm

from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import Effort
from kernelscribe.engines.inducing.posterior import InducingPosterior
from kernelscribe.engines.spectral.posterior import SpectralPosterior
from kernelscribe.kernels import parse
from kernelscribe.model.backtest import backtest
from kernelscribe.model.components import folds
from kernelscribe.model.model import Model
from kernelscribe.noises import Constant
from kernelscribe.streams import stream
from models import CONFIG, drawn, model, numbers, true_model, with_effort, yearly

module = importlib.import_module("kernelscribe.model.backtest")

WAVES = "SE(variance=400, lengthscale=2) + PER(variance=400, lengthscale=1, period=1)"
BUMPS = "SE1(variance=1, lengthscale=1)*SE2(variance=1, lengthscale=1)"


def series(seed, n=100, **options):
    """Drawn from the model, with noise, in units of its own and in no order."""
    rng = np.random.default_rng(seed)
    x = rng.permutation(n) / 12
    return model(WAVES, 1990 + x, 300 + drawn(WAVES, x, 120.0, rng), noise=120.0, steps=30, **options)


def by_hand(made, origins, rows):
    """Errors and their standard deviations, in the user's units, of forecasts of the next tenth with the values as they are."""
    order = np.argsort(made.data.X[:, 0])
    if rows < len(order):
        order = order[np.sort(stream(made.config.seed, "forecast origins").choice(len(order), size=rows, replace=False))]
    errors, sds, naive, far = [], [], [], []
    for share in origins:
        cut, end = round(share * rows), round((share + 0.1) * rows)
        seen = Model(made.data.rows(order[:cut]), made.expr, made.noise, CONFIG)
        mean, sd = numbers(seen.predict(made.inputs[order[cut:end]]))
        x = made.inputs[order, 0]
        errors.append(made.target[order[cut:end]] - mean)
        naive.append(made.target[order[cut:end]] - made.target[order[cut - 1]])
        sds.append(sd)
        far.append(10 * (x[cut:end] - x[cut - 1]) / (x[cut - 1] - x[0]))
    return [np.concatenate(each) for each in (errors, sds, naive, far)]


def covered(z):
    return [(level, 100 * np.mean(np.abs(z) <= norm.ppf(0.5 + level / 200))) for level in (50, 80, 95)]


def size(errors):
    return np.sqrt(np.mean(errors**2))


@pytest.mark.parametrize(("options", "rows"), [({}, 100), ({"inducing": 90}, 90)])
def test_a_long_series_is_forecast_from_its_own_past(monkeypatch, options, rows):
    """With the values of the full fit, by all rows or, without waves, by some: all that a Backtest says, written out."""
    made = series(2, effort=Effort(backtest_rows=99, backtest_sample=90), **options)
    if options:
        monkeypatch.setitem(
            made.__dict__, "posterior", InducingPosterior(made.terms, made.noise, made.data.X, made.data.y, made.data.X)
        )
    found = backtest(made)
    errors, sd, naive, far = by_hand(made, (0.5, 0.6, 0.7, 0.8, 0.9), rows)
    assert (found.rows, found.origins, found.refitted) == (rows // 2, 5, False)
    assert [level for level, _ in found.covered] == [50, 80, 95]
    assert found.covered == tuple(pytest.approx(each) for each in covered(errors / sd))
    assert found.error == pytest.approx(size(errors), rel=1e-6)
    assert found.naive == pytest.approx(size(naive), rel=1e-6)

    def held(c):
        return np.mean(np.abs(errors / sd) <= norm.ppf(0.975) * np.sqrt(1 + c * far))

    assert found.widening == min(c for c in module._WIDENINGS if held(c) >= 0.95) > 0


def test_true_values_cover_what_they_promise():
    """Thirty series of 45 forecasts, with the values that the data were drawn with."""
    effort = Effort(backtest_rows=99)
    shares = np.array([[share for _, share in backtest(series(seed, effort=effort)).covered] for seed in range(30)]).mean(axis=0)
    np.testing.assert_allclose(shares, [50, 80, 95], atol=5)


def test_of_a_million_rows_some_of_the_next_tenth_are_forecast_from_all_before():
    """By waves, as if they were all rows: what the exact posterior would forecast."""
    rng = np.random.default_rng(0)
    x = np.arange(720) / 24
    kernel = "SE(variance=1, lengthscale=10) + PER(variance=1, lengthscale=1, period=1)"
    y = np.sin(x / 6) + np.sin(2 * np.pi * x) + 0.3 * rng.normal(size=720)
    given = model(kernel, x, y, noise=0.09, engine="spectral")
    made = with_effort(given, forecast_rows=40, dense_rows=300, backtest_rows=300)
    assert type(made.posterior) is SpectralPosterior
    found = backtest(made)
    assert (found.rows, found.origins, found.refitted) == (200, 5, False)
    assert found.error == pytest.approx(0.3, rel=0.2)
    assert found.naive > 2 * found.error
    exact = backtest(with_effort(given, forecast_rows=40, dense_rows=720, backtest_rows=300))
    assert exact.covered == found.covered
    assert exact.error == pytest.approx(found.error, rel=1e-6)


def test_fitted_values_cover_almost_as_much_and_beat_the_last_value():
    """Values that are fitted to the past alone are less sure than they think; that is what the widening is for."""
    tests = [backtest(series(seed)) for seed in range(6)]
    assert all(each.refitted and each.rows == 50 for each in tests)
    assert 85 < np.mean([dict(each.covered)[95] for each in tests]) < 98
    assert all(each.error < each.naive for each in tests)


def test_values_are_fitted_again_to_what_was_known():
    """A model whose values are far off forecasts as well as one whose values are right."""
    good = series(1)
    x, y = good.inputs[:, 0], good.target
    wrong = WAVES.replace("SE(variance=400, lengthscale=2)", "SE(variance=50, lengthscale=0.8)")
    bad = model(wrong, x, y, noise=500.0)
    assert backtest(bad).error < 1.05 * backtest(good).error


def test_a_table_is_predicted_in_ten_parts():
    made = true_model(BUMPS, np.random.default_rng(1).normal(size=(65, 2)), 0.3, np.random.default_rng(2))
    z, errors = np.empty(65), np.empty(65)
    for fold in folds(made):
        rest = np.setdiff1d(np.arange(65), fold)
        mean, sd = numbers(Model(made.data.rows(rest), made.expr, made.noise, CONFIG).predict(made.inputs[fold]))
        errors[fold] = made.target[fold] - mean
        z[fold] = errors[fold] / sd
    found = backtest(made)
    assert (found.rows, found.origins, found.refitted, found.widening) == (65, 0, False, 0.0)
    assert found.covered == tuple(pytest.approx(each) for each in covered(z))
    assert found.error == pytest.approx(size(errors), rel=1e-6)
    assert found.naive == pytest.approx(size(made.data.y), rel=1e-6)


def test_tables_cover_what_they_promise():
    shares = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        found = backtest(true_model(BUMPS, rng.normal(size=(80, 2)), 0.3, rng))
        shares.append([share for _, share in found.covered])
    np.testing.assert_allclose(np.mean(shares, axis=0), [50, 80, 95], atol=4)


def test_of_a_large_table_some_rows_are_predicted():
    made = true_model(BUMPS, np.random.default_rng(1).normal(size=(65, 2)), 0.3, np.random.default_rng(2))
    assert backtest(with_effort(made, backtest_rows=40)).rows == 40


@pytest.mark.parametrize(("n", "enough"), [(29, False), (30, True)])
def test_few_rows_are_not_tested(n, enough):
    assert (backtest(yearly(n)) is not None) == enough


def test_without_a_kernel_there_is_nothing_to_test():
    assert backtest(Model(Dataset.of(np.arange(60.0), np.arange(60.0) % 7), None, Constant(1.0), CONFIG)) is None


def test_of_one_place_alone_nothing_is_forecast():
    """Doses of a trial: the rows that come first all have the same one."""
    rng = np.random.default_rng(0)
    x = np.concatenate([np.zeros(45), np.arange(1, 36)])
    kernel = "SE(variance=1, lengthscale=9)"
    found = backtest(model(kernel, x, np.sqrt(x) + 0.3 * rng.normal(size=80), noise=0.1))
    assert (found.origins, found.rows) == (4, 32)
    lonely = np.concatenate([np.zeros(79), [1.0]])
    assert backtest(model(kernel, lonely, rng.normal(size=80), noise=1.0)) is None


def test_widening_is_the_least_that_mends():
    """Errors twice as large as the band allows, a tenth of the range ahead: 1 + c must be 4."""
    reach = norm.ppf(0.975)
    z, far = np.full(100, 2 * reach - 1e-9), np.ones(100)
    c = module._widening(z, far)
    tried = module._WIDENINGS
    assert c == tried[tried >= 3].min()
    assert module._widening(z, 3 * far) == tried[tried >= 1].min()


def test_bands_that_held_are_not_widened():
    z = np.concatenate([np.full(95, 1.0), np.full(5, 50.0)])
    assert module._widening(z, np.ones(100)) == 0
    assert module._widening(np.append(z, 50.0), np.ones(101)) > 100


def test_rows_at_the_last_place_seen_say_nothing_about_reaching_beyond():
    z, far = np.array([9.0] * 30 + [0.5] * 20), np.array([0.0] * 30 + [1.0] * 20)
    assert module._widening(z, far) == 0
    assert module._widening(z[:30], far[:30]) == 0


def test_rows_in_another_order_are_tested_alike():
    made = series(3)
    order = np.random.default_rng(0).permutation(100)
    other = Model(made.data.rows(order), made.expr, made.noise, made.config)
    one, same = backtest(made), backtest(other)
    assert same.covered == one.covered
    assert same.error == pytest.approx(one.error, rel=1e-4)


def test_a_fit_that_fails_leaves_the_values_as_they_are(monkeypatch):
    """On a few rows the same structure may have no fit; the forecast then rests on the values of the whole."""
    made = series(0)

    class Nothing:
        usable = False

    monkeypatch.setattr(module, "finish", lambda *_, **__: Nothing())
    errors, sd, *_ = by_hand(made, (0.5, 0.6, 0.7, 0.8, 0.9), 100)
    assert backtest(made).covered == tuple(pytest.approx(each) for each in covered(errors / sd))


def test_wrong_structure_is_seen():
    """A line where there is a square: the bands miss, and are widened."""
    x = np.arange(100.0)
    made = model("LIN(variance=1000, location=50)", x, x**2 + 5 * np.random.default_rng(0).normal(size=100), noise=600.0**2)
    found = backtest(Model(made.data, parse("LIN(variance=1, location=0)"), made.noise, made.config))
    assert dict(found.covered)[95] < 80
    assert found.widening > 0.5
