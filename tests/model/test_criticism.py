"""Checks of errors: silent where the model holds, and outspoken, each about its own fault, where it does not."""

import math

import numpy as np
import pytest
from scipy import stats

from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.series.posterior import SeriesPosterior
from kernelscribe.engines.spectral.posterior import SpectralPosterior
from kernelscribe.kernels import parse
from kernelscribe.model import criticism
from kernelscribe.model.criticism import Check, criticise
from kernelscribe.model.model import Model
from kernelscribe.noises import Constant
from kernelscribe.testing import evaluate
from models import CONFIG, YEARLY, as_they_are, drawn, model, numbers, true_model, with_effort, yearly

SLOW = "SE(variance=1, lengthscale=10)"
MONTHS = 1990 + np.arange(240) / 12


def judged(errors, noise=None, x=MONTHS):
    """The checks of a slow wave with these errors about it, by a model that knows the wave and the size of the errors."""
    made = model(SLOW, x, np.sin(x / 5) + errors, noise=np.var(errors) if noise is None else noise)
    return criticise(made)


def found(verdict):
    return {check.name: check for check in verdict.findings}


@pytest.fixture(scope="module")
def null():
    """What the checks say of 200 tables of 150 rows that were drawn from the model itself."""
    x = np.arange(150) / 12
    values, vectors = np.linalg.eigh(evaluate(parse(YEARLY), x[:, None], x[:, None]))
    root = vectors * np.sqrt(np.maximum(values, 0))
    verdicts = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        y = root @ rng.normal(size=150) + math.sqrt(0.05) * rng.normal(size=150)
        verdicts.append(criticise(Model(as_they_are(x, y), parse(YEARLY), Constant(0.05), CONFIG)))
    return verdicts


def test_a_model_that_holds_is_rarely_blamed(null):
    """At 5 % for all six checks together; of 200 tables at most 16 may go wrong."""
    assert sum(any(check.adjusted <= 0.05 for check in each.checks) for each in null) <= 16
    assert sum(bool(each.odd) for each in null) <= 8
    assert all(len(each.checks) == 6 for each in null)


@pytest.mark.parametrize("name", ["tails", "skew", "spread", "drift"])
def test_where_the_model_holds_chances_are_uniform(null, name):
    chances = [check.p for each in null for check in each.checks if check.name == name]
    assert stats.kstest(chances, "uniform").pvalue > 0.001


@pytest.mark.parametrize("name", ["alike", "cycle"])
def test_where_the_model_holds_the_largest_of_many_is_no_surprise(null, name):
    """Bounds that hold where it matters, at small chances, and need not be exact elsewhere."""
    chances = np.array([check.p for each in null for check in each.checks if check.name == name])
    assert (chances <= 0.05).mean() <= 0.085
    assert (chances <= 0.2).mean() <= 0.29
    assert 0.35 < chances.mean() < 0.7


def test_errors_are_one_step_ahead(null):
    """z = (y_i − E[y_i | those before])/sd, by conditioning on the rows before, one after the other."""
    x = np.arange(150)[:, None] / 12
    K = evaluate(parse(YEARLY), x, x) + 0.05 * np.eye(150)
    rng = np.random.default_rng(5)
    order = rng.permutation(150)
    y = rng.normal(size=150)
    verdict = criticise(Model(as_they_are(x[order], y[order]), parse(YEARLY), Constant(0.05), CONFIG))
    for i in (0, 1, 40, 149):
        weights = np.linalg.solve(K[:i, :i], K[:i, i])
        expected = (y[i] - weights @ y[:i]) / math.sqrt(K[i, i] - weights @ K[:i, i])
        assert verdict.errors[i] == pytest.approx(expected, rel=1e-6)
    np.testing.assert_allclose(verdict.at, x[:, 0])
    pooled = np.concatenate([each.errors for each in null])
    assert pooled.mean() == pytest.approx(0, abs=0.03)
    assert pooled.var() == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("period", [5.0, 17.0])
def test_a_cycle_that_the_model_lacks_is_found_with_its_period(period):
    """In the user's units: of so many months, on an axis of years."""
    rng = np.random.default_rng(0)
    errors = 0.3 * np.sin(2 * np.pi * np.arange(240) / period) + 0.2 * rng.normal(size=240)
    check = found(judged(errors))["cycle"]
    assert check.verdict == "strong"
    # Frequencies lie 1/240 apart.
    assert 12 * check.place == pytest.approx(period, rel=0.6 * period / 240)
    assert 0.2 < check.statistic < 1


@pytest.mark.parametrize(("keep", "lag"), [(0.6, 1), (-0.6, 1)])
def test_errors_that_follow_each_other_are_found_alike(keep, lag):
    rng = np.random.default_rng(1)
    errors = np.zeros(240)
    for i in range(1, 240):
        errors[i] = keep * errors[i - 1] + 0.2 * rng.normal()
    check = found(judged(errors))["alike"]
    assert check.verdict == "strong"
    assert np.sign(check.statistic) == np.sign(keep)
    assert 0.3 < abs(check.statistic) < 0.7
    assert check.place == pytest.approx(lag / 12)


def test_wild_errors_have_tails():
    check = found(judged(0.2 * np.random.default_rng(2).standard_t(2, size=240)))["tails"]
    assert check.verdict == "strong"
    assert check.statistic > 1
    assert check.place is None


@pytest.mark.parametrize("sign", [1, -1])
def test_lopsided_errors_are_skewed(sign):
    check = found(judged(sign * (np.random.default_rng(3).exponential(size=240) - 1)))["skew"]
    assert check.verdict == "strong"
    assert np.sign(check.statistic) == sign


@pytest.mark.parametrize("sign", [1, -1])
def test_errors_that_grow_or_shrink_drift(sign):
    size = np.linspace(0.1, 1, 240)[::sign]
    check = found(judged(size * np.random.default_rng(4).normal(size=240)))["drift"]
    assert check.verdict == "strong"
    assert np.sign(check.statistic) == sign


@pytest.mark.parametrize("times", [0.5, 2.0])
def test_noise_of_the_wrong_size_is_a_wrong_spread(times):
    """The statistic is by how much errors are larger than the model says."""
    errors = 0.3 * np.random.default_rng(5).normal(size=240)
    findings = found(judged(errors, noise=0.09 / times**2))
    assert list(findings) == ["spread"]
    assert findings["spread"].statistic == pytest.approx(times, rel=0.15)


def test_normal_errors_of_the_right_size_are_not_blamed():
    verdict = judged(0.3 * np.random.default_rng(5).normal(size=240))
    assert verdict.findings == ()
    assert verdict.odd == ()
    assert {check.verdict for check in verdict.checks} == {"none"}


@pytest.mark.parametrize("most", [2000, 100])
def test_an_odd_row_is_named_by_its_number(most):
    """Also where only a window of the rows is checked, and in whatever order they stand."""
    rng = np.random.default_rng(6)
    order = rng.permutation(240)
    y = np.sin(MONTHS / 5) + 0.1 * rng.normal(size=240)
    y[17] += 1.5
    y[150] -= 1.0
    verdict = criticise(with_effort(model(SLOW, MONTHS[order], y[order], noise=0.01), checked_rows=most))
    assert [row for row, _ in verdict.odd] == [int(np.flatnonzero(order == 17)[0]), int(np.flatnonzero(order == 150)[0])]
    (_, above), (_, below) = verdict.odd
    assert above > 10
    assert below < -7


def test_an_odd_row_of_all_is_what_leaving_it_out_says():
    """α_i/√C⁻¹_ii is its error, over its standard deviation, by the model of all the other rows."""
    rng = np.random.default_rng(7)
    x = np.arange(60.0)
    y = np.sin(x / 9) + 0.1 * rng.normal(size=60)
    y[33] += 2
    made = model("SE(variance=1, lengthscale=9)", x, y, noise=0.01)
    rest = np.delete(np.arange(60), 33)
    other = Model(made.data.rows(rest), made.expr, made.noise, CONFIG)
    mean, sd = numbers(other.predict(made.inputs[33:34]))
    ((row, error),) = criticise(made).odd
    assert row == 33
    assert error == pytest.approx((y[33] - mean[0]) / sd[0], rel=1e-6)


def test_holm_by_hand():
    checks = [Check(name, p, 0.0) for name, p in zip("abcd", (0.01, 0.04, 0.03, 0.005), strict=True)]
    assert [check.adjusted for check in criticism._holm(checks)] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    large = [Check(name, p, 0.0) for name, p in zip("abc", (0.9, 0.4, 0.8), strict=True)]
    assert [check.adjusted for check in criticism._holm(large)] == pytest.approx([1.0, 1.0, 1.0])


@pytest.mark.parametrize(("adjusted", "verdict"), [(0.01, "strong"), (0.05, "significant"), (0.0501, "none")])
def test_verdicts(adjusted, verdict):
    assert Check("skew", 0.001, 0.0, None, adjusted).verdict == verdict


def test_findings_come_with_the_least_likely_first():
    rng = np.random.default_rng(8)
    findings = judged(np.linspace(0.1, 1, 240) * rng.standard_t(2, size=240), noise=0.01).findings
    assert len(findings) > 2
    assert [check.adjusted for check in findings] == sorted(check.adjusted for check in findings)


@pytest.mark.parametrize(("n", "judgeable"), [(19, False), (20, True)])
def test_few_rows_are_not_judged(n, judgeable):
    assert (criticise(yearly(n)) is not None) == judgeable


def test_a_constant_target_has_no_errors_to_judge():
    assert criticise(Model(Dataset.of(np.arange(30.0), np.full(30, 2.0)), None, Constant(1.0), CONFIG)) is None


def test_noise_alone_can_be_judged():
    rng = np.random.default_rng(0)
    made = Model(Dataset.of(np.arange(80.0), rng.normal(size=80)), None, Constant(1.0), CONFIG)
    np.testing.assert_allclose(criticise(made).errors, made.data.y)
    assert criticise(made).findings == ()


def test_a_table_is_asked_what_needs_no_order():
    X = np.random.default_rng(0).normal(size=(50, 2))
    verdict = criticise(
        true_model("SE1(variance=1, lengthscale=1)*SE2(variance=1, lengthscale=1)", X, 0.1, np.random.default_rng(1))
    )
    assert sorted(check.name for check in verdict.checks) == ["skew", "spread", "tails"]
    assert verdict.at.tolist() == list(range(1, 51))


def test_beyond_many_rows_a_window_is_checked_and_counted():
    verdict = criticise(with_effort(yearly(n=120), checked_rows=60))
    assert verdict.rows == len(verdict.errors) == 60
    np.testing.assert_allclose(verdict.at, np.arange(60, 120) / 12)
    X = np.random.default_rng(0).normal(size=(90, 2))
    made = true_model("SE1(variance=1, lengthscale=1)", X, 0.1, np.random.default_rng(1))
    table = criticise(with_effort(made, checked_rows=60))
    assert table.rows == 60
    assert (np.diff(table.at) > 0).all()
    assert table.at.max() > 60


def hours(n=900, seed=0):
    """Some weeks of hours with a daily cycle, and two rows that are wrong, in no order; and where these two went."""
    rng = np.random.default_rng(seed)
    x = np.arange(n) / 24
    y = np.sin(x / 20) + np.sin(2 * np.pi * x) + 0.3 * rng.normal(size=n)
    y[234] += 4
    y[77] -= 3
    order = rng.permutation(n)
    return x[order], y[order], [int(np.flatnonzero(order == row)[0]) for row in (234, 77)]


DAILY = "SE(variance=1, lengthscale=30) + PER(variance=1, lengthscale=1, period=1)"


def test_by_waves_all_rows_are_checked():
    """Few rows are taken for many."""
    x, y, wrong = hours()
    made = with_effort(model(DAILY, x, y, noise=0.09, engine="spectral"), dense_rows=600, checked_rows=600)
    assert type(made.posterior) is SpectralPosterior
    verdict = criticise(made)
    assert verdict.rows == len(verdict.errors) == 900
    assert not verdict.ahead
    np.testing.assert_allclose(verdict.at, np.arange(900) / 24, atol=1e-9)
    assert [row for row, _ in verdict.odd] == wrong
    C = sum(term.cross(made.data.X, made.data.X) for term in made.terms) + made.noise.level * np.eye(900)
    inverse = np.linalg.inv(C)
    left = inverse @ made.data.y / np.sqrt(np.diagonal(inverse))
    assert [error for _, error in verdict.odd] == pytest.approx(left[wrong], rel=1e-5)
    assert verdict.errors @ verdict.errors == pytest.approx(made.data.y @ inverse @ made.data.y, rel=1e-6)


def test_of_a_long_series_every_row_is_predicted_from_those_before_it():
    """Few rows are taken for many, and no waves are there for what is rough."""
    x, y, wrong = hours()
    made = with_effort(model(DAILY.replace("SE", "MATERN"), x, y, noise=0.09), dense_rows=600, checked_rows=600)
    assert type(made.posterior) is SeriesPosterior
    verdict, few = criticise(made), criticise(with_effort(made, dense_rows=1000, checked_rows=1000))
    assert verdict.ahead
    assert verdict.rows == few.rows == 900
    np.testing.assert_allclose(verdict.errors, few.errors, atol=1e-4)
    np.testing.assert_allclose(verdict.at, few.at)
    assert [row for row, _ in verdict.odd] == [row for row, _ in few.odd] == wrong
    assert [check.p for check in verdict.checks] == pytest.approx([check.p for check in few.checks], rel=1e-2)


def test_by_waves_what_is_missing_is_found_in_all_rows():
    """A weekly cycle, with its period."""
    x, y, _ = hours(3000)
    check = found(criticise(model(DAILY, x, y + 0.15 * np.sin(2 * np.pi * x / 7), noise=0.09)))["cycle"]
    assert check.verdict == "strong"
    assert check.place == pytest.approx(7, rel=0.05)


def test_by_waves_a_model_that_holds_is_not_blamed():
    """Drawn from its own kernel: an hourly series of a line, a level that wanders and a cycle."""
    rng = np.random.default_rng(11)
    x = np.arange(4000) / 24
    slow = np.interp(x, x[::80], true_model("SE(variance=1, lengthscale=30)", x[::80], 0.0, rng).data.y)
    day = np.tile(drawn("PER(variance=1, lengthscale=1, period=1)", x[:24], 0.0, rng), 167)[:4000]
    y = slow + day + 0.3 * rng.normal(size=4000)
    verdict = criticise(model(DAILY, x, y, noise=0.09))
    assert verdict.findings == ()
    assert verdict.odd == ()


@pytest.mark.parametrize("n", [40, 41])
def test_autocorrelation_and_periodogram_by_their_definitions(n):
    verdict = criticise(yearly(n))
    z = verdict.errors - verdict.errors.mean()
    expected = [(z[k:] * z[:-k]).sum() / (z * z).sum() for k in range(1, n // 4 + 1)]
    np.testing.assert_allclose(verdict.autocorrelation, expected, atol=1e-12)
    m = (n - 1) // 2
    np.testing.assert_allclose(verdict.frequencies, np.arange(1, m + 1) / n)
    wave = np.exp(-2j * np.pi * np.outer(verdict.frequencies, np.arange(n)))
    power = np.abs(wave @ z) ** 2
    np.testing.assert_allclose(verdict.power, power / power.sum(), atol=1e-12)
