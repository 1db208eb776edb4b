"""The posterior by waves against the exact one: inside the data, at their ends and as far away as anyone may ask."""

import math
import tracemalloc

import numpy as np
import pytest
from scipy import stats

from curves import agree, agree_by_term, far, rows
from kernelscribe.config import Config
from kernelscribe.engines.choose import condition
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.engines.inducing.posterior import InducingPosterior
from kernelscribe.engines.posterior import cross, diagonal
from kernelscribe.engines.series.posterior import SeriesPosterior
from kernelscribe.engines.spectral import posterior as spectral
from kernelscribe.engines.spectral import posterior_waves as waves
from kernelscribe.engines.spectral.posterior import SpectralPosterior
from kernelscribe.kernels import parse
from kernelscribe.kernels.normal import Factor, Term, normal
from kernelscribe.noises import Constant
from models import as_they_are

KERNELS = [
    "SE(variance=1, lengthscale=0.3)",
    "SE(variance=1, lengthscale=0.05) + LIN(variance=1, location=0.3)",
    "SE(variance=2, lengthscale=9)",
    "PER(variance=1, lengthscale=1, period=0.31)",
    "SE(variance=1, lengthscale=0.5)*PER(variance=1, lengthscale=1, period=0.11)",
    "PER(variance=1, lengthscale=0.4, period=0.11)*LIN(variance=1, location=0) + SE(variance=2, lengthscale=2)",
    "SE(variance=1, lengthscale=0.7)*PER(variance=1, lengthscale=1, period=0.1)*LIN(variance=1, location=-0.2)"
    " + PER(variance=1, lengthscale=1, period=0.3)",
    "LIN(variance=1, location=0)*LIN(variance=1, location=1)*SE(variance=1, lengthscale=0.8)"
    " + SE(variance=1, lengthscale=2)*PER(variance=1, lengthscale=2, period=1)",
    "PER(variance=1, lengthscale=1, period=0.5)*PER(variance=1, lengthscale=1.5, period=0.13)",
]
LONG = "SE(variance=1, lengthscale=1.2) + LIN(variance=0.5, location=0)"


def both(kernel, kind="irregular", noise=0.02, n=500):
    """The exact posterior and the one by waves."""
    X, y = rows(kind, n)
    terms = normal(parse(kernel))
    return Dense(terms, Constant(noise), X, y), SpectralPosterior.of(terms, Constant(noise), X, y)


@pytest.mark.parametrize("kind", ["regular", "irregular", "gaps"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_agrees_with_the_exact_posterior_wherever_it_is_asked(kernel, kind):
    dense, found = both(kernel, kind)
    X = far()
    # At a place where a line is zero its prior is nothing, and the share of nothing no measure.
    room = 0.01 + diagonal(dense.terms, X)
    agree(found.predict(X), dense.predict(X), room)
    np.testing.assert_allclose(found.mean(X), found.predict(X)[0], rtol=0, atol=1e-12 * np.sqrt(room.max()))
    agree_by_term(found.means(X), dense.means(X), room)


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_term_and_every_pair_by_itself(kernel):
    dense, found = both(kernel)
    X = far(120)
    for i in range(len(dense.terms)):
        some = list(dense.terms[i : i + 2])
        room = 0.01 + diagonal(some, X)
        agree(found.predict(X, some), dense.predict(X, some), room)
        np.testing.assert_allclose(found.mean(X, some), found.predict(X, some)[0], rtol=0, atol=1e-11 * np.sqrt(room.max()))


@pytest.mark.parametrize("kernel", KERNELS[4:8])
def test_covariances_of_points_far_apart(kernel):
    dense, found = both(kernel)
    X = far(80)
    for some in (None, list(dense.terms[:1])):
        (mean, expected), (got, cov) = dense.joint(X, some), found.joint(X, some)
        room = np.sqrt(0.01 + diagonal(dense.terms, X))
        np.testing.assert_allclose(got / room, mean / room, rtol=0, atol=1e-6)
        np.testing.assert_allclose(cov / np.outer(room, room), expected / np.outer(room, room), rtol=0, atol=1e-6)


@pytest.mark.parametrize("noise", [1e-3, 1.0])
def test_agrees_whatever_the_noise(noise):
    dense, found = both(KERNELS[4], noise=noise)
    X = far()
    agree(found.predict(X), dense.predict(X), diagonal(dense.terms, X))


def test_a_forecast_as_long_as_the_data_would_be_wrong_with_waves_for_the_data_alone(monkeypatch):
    """With a step that is right on the range of the data, 1/(1 + κℓ), their start comes back beyond their end."""
    X = np.linspace(1.7, 5.1, 60)[:, None]
    dense, found = both(LONG)
    prior = diagonal(dense.terms, X)
    agree(found.predict(X), dense.predict(X), prior)
    monkeypatch.setattr(waves, "_step", lambda wave: 1 / (1 + waves.remembered(wave)))
    narrow = SpectralPosterior.of(dense.terms, dense.noise, dense.X, dense.y)
    inside = np.linspace(-1.7, 1.7, 60)[:, None]
    agree(narrow.predict(inside), dense.predict(inside), diagonal(dense.terms, inside))
    beyond = np.linspace(5.1, 5.1 + 8.0, 60)[:, None]
    assert np.abs(found.predict(beyond)[0] - dense.predict(beyond)[0]).max() < 1e-6
    assert np.abs(narrow.predict(beyond)[0] - dense.predict(beyond)[0]).max() > 0.1


def test_far_away_smooth_terms_are_as_they_were_without_data_and_lines_go_on():
    dense, found = both(LONG)
    X = np.array([[100.0], [-3000.0]])
    mean, variance = found.predict(X, [dense.terms[0]])
    assert not mean.any()
    np.testing.assert_array_equal(variance, dense.terms[0].variance)
    np.testing.assert_allclose(found.predict(X, [dense.terms[1]])[0], dense.predict(X, [dense.terms[1]])[0], rtol=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
def test_many_points_at_once_are_what_few_at_a_time_are(kernel):
    """One route sums waves one by one, the other their sums and differences; in whatever order they are asked."""
    _, found = both(kernel, n=300)
    most = max(spectral._FEW, 2 * len(found.found.root)) + 100
    X = np.random.default_rng(1).permutation(np.concatenate([np.linspace(-1.7, 1.7, most), np.linspace(-9, 9, most)]))[:, None]
    mean, variance = found.predict(X)
    parts = [found.predict(some) for some in np.array_split(X[:3000], 4)]
    room = 0.01 + diagonal(found.terms, X[:3000])
    agree((mean[:3000], variance[:3000]), [np.concatenate(each) for each in zip(*parts, strict=True)], room)
    again = found.predict(X)
    assert np.array_equal(again[0], mean)
    assert np.array_equal(again[1], variance)


def test_places_too_far_apart_for_one_transform(monkeypatch):
    _, found = both(KERNELS[3])
    X = np.linspace(-40, 40, waves._FEW + 10)[:, None]
    mean = found.mean(X)
    monkeypatch.setattr(waves, "_WIDE", 10.0)
    np.testing.assert_allclose(found.mean(X), mean, rtol=0, atol=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
def test_held_out_equals_the_exact_posterior_of_the_other_rows(kernel):
    dense, found = both(kernel, n=240)
    mixed = np.random.default_rng(0).permutation(240)
    for folds in (np.array_split(np.arange(240), 4), [np.sort(fold) for fold in np.array_split(mixed, 2)]):
        np.testing.assert_allclose(found.held_out(folds), dense.held_out(folds), rtol=0, atol=2e-6)


@pytest.mark.parametrize("kernel", [KERNELS[1], KERNELS[5]])
def test_errors_are_a_factor_of_the_inverse_covariance(kernel):
    """e = Ry with RCRᵀ = I: column by column from targets that are nothing but in one row."""
    X, _ = rows("irregular", 30)
    terms = normal(parse(kernel))
    R = np.column_stack([SpectralPosterior.of(terms, Constant(0.05), X, y).errors for y in np.eye(30)])
    C = cross(terms, X, X) + 0.05 * np.eye(30)
    np.testing.assert_allclose(R @ C @ R.T, np.eye(30), rtol=0, atol=1e-6)
    np.testing.assert_allclose(R.T @ R, np.linalg.inv(C), rtol=0, atol=1e-5)


def test_errors_of_data_from_the_model_are_standard_normal():
    X = np.linspace(-1.7, 1.7, 20_000)[:, None]
    rng = np.random.default_rng(3)
    y = rng.normal() * X[:, 0] + np.sqrt(0.3) * rng.normal(size=20_000)
    found = SpectralPosterior.of(normal(parse("LIN(variance=1, location=0)")), Constant(0.3), X, y)
    assert stats.kstest(found.errors, "norm").pvalue > 0.01


def test_where_waves_are_too_many_the_heaviest_are_kept_and_it_is_said(monkeypatch):
    """What is left out is as uncertain as it was, so bands are too wide and never too narrow."""
    dense, whole = both(KERNELS[1])
    assert whole.lacks < 1e-9
    monkeypatch.setattr(waves, "_MOST", 12)
    few = SpectralPosterior.of(dense.terms, dense.noise, dense.X, dense.y)
    assert sum(len(block.w) for block in few.blocks) == 12
    assert few.basis == "all rows, by 12 waves"
    assert 0.1 < few.lacks < 0.9
    X = np.linspace(-1.7, 1.7, 100)[:, None]
    assert (few.predict(X)[1] >= dense.predict(X)[1] - 1e-9).all()
    smooth = np.abs(few.mean(X) - dense.mean(X)).mean()
    assert 1e-3 < smooth < np.abs(dense.mean(X)).mean()


def test_capped_waves_say_more_than_inducing_points(monkeypatch):
    """Of a kernel that would take some 180 waves: 80 of them, or two points for each."""
    X, y = rows("regular", 800)
    terms = normal(parse("SE(variance=1, lengthscale=0.024)"))
    monkeypatch.setattr(waves, "_MOST", 80)
    found, exact = SpectralPosterior.of(terms, Constant(0.1), X, y), Dense(terms, Constant(0.1), X, y)
    chosen = np.random.default_rng(0).choice(800, 160, replace=False)
    points = InducingPosterior(terms, Constant(0.1), X, y, X[chosen])
    waved, pointed = (np.abs(each.mean(X) - exact.mean(X)).mean() for each in (found, points))
    assert waved < 0.3 * pointed
    assert 0 < found.lacks < points.lacks


def test_terms_without_a_spectrum_have_no_waves():
    X, y = rows("regular", 100)
    assert SpectralPosterior.of((Term(1.0, (Factor("WN", 1),)),), Constant(0.1), X, y) is None
    assert SpectralPosterior.of(normal(parse("SE(variance=1, lengthscale=1e-12)")), Constant(0.1), X, y) is None
    assert SpectralPosterior.of(normal(parse(LONG)), Constant(0.1), np.zeros((50, 1)), y[:50]) is None


def test_a_term_of_another_model_has_no_waves():
    _, found = both(LONG)
    with pytest.raises(ValueError, match="not in tuple"):
        found.predict(found.X, [Term(2.0, found.terms[0].factors)])


def test_no_terms_asked_for_are_nothing():
    _, found = both(LONG)
    assert not found.mean(found.X, []).any()
    assert not found.predict(found.X, [])[1].any()
    assert found.joint(found.X[:3], [])[1].tolist() == np.zeros((3, 3)).tolist()


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({}, SeriesPosterior),
        ({"engine": "series"}, SeriesPosterior),
        ({"engine": "spectral"}, SpectralPosterior),
        ({"inducing": 50}, InducingPosterior),
        ({"engine": "inducing"}, InducingPosterior),
    ],
)
def test_one_input_and_many_rows_take_states_unless_waves_or_points_are_asked_for(options, kind):
    X, y = rows("regular", 2100)
    assert type(condition(as_they_are(X, y), normal(parse(LONG)), Constant(0.1), Config(**options))) is kind


def test_without_waves_there_are_states_and_for_several_inputs_inducing_points():
    X, y = rows("regular", 2100)
    terms = normal(parse(LONG))
    white = (*terms, Term(0.1, (Factor("WN", 1),)))
    assert type(condition(as_they_are(X, y), white, Constant(0.1), Config(engine="spectral"))) is SeriesPosterior
    found = condition(as_they_are(np.hstack([X, X**2]), y), terms, Constant(0.1), Config())
    assert type(found) is InducingPosterior
    assert found.basis == f"{len(found.Z):,} inducing points"


def test_a_hundred_thousand_rows_take_little_memory():
    n = 100_000
    X = np.linspace(-1.7, 1.7, n)[:, None]
    rng = np.random.default_rng(0)
    truth = np.sin(3 * X[:, 0]) + 0.5 * np.sin(2 * np.pi * X[:, 0] / 0.002)
    y = truth + 0.3 * rng.normal(size=n)
    terms = normal(parse("SE(variance=1, lengthscale=0.7) + PER(variance=0.5, lengthscale=2, period=0.002)"))
    tracemalloc.start()
    try:
        found = SpectralPosterior.of(terms, Constant(0.09), X, y)
        mean, variance = found.predict(X)
        held_out = found.held_out(np.array_split(np.arange(n), 10))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60e6
    assert np.abs(mean - truth).max() < 0.02
    assert np.abs(held_out.sum(axis=1) - y).mean() == pytest.approx(0.3 * math.sqrt(2 / math.pi), rel=0.02)
    assert 0 < variance.max() < 0.001


def test_of_what_waves_leave_out_rows_tell_nothing(monkeypatch):
    """Leaving one row out stays possible where waves are too few: the variance of what they carry is below the noise."""
    monkeypatch.setattr(waves, "_MOST", 25)
    _, found = both(KERNELS[1], noise=1e-3)
    assert found.unseen(found.X).min() > 1e-3
    assert (found.variance(found.X) > found.s2).any()
    assert (found.variance(found.X) - found.unseen(found.X) < found.s2).all()
