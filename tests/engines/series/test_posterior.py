"""The posterior of a series against the exact one, wherever it is asked; and at lengths where no matrix fits, against waves."""

from functools import partialmethod

import numpy as np
import pytest

from battery import column, written_case
from kernelscribe.config import Config
from kernelscribe.engines.choose import condition
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.engines.posterior import cross, diagonal
from kernelscribe.engines.series import behind, recursion
from kernelscribe.engines.series.engine import Series
from kernelscribe.engines.series.posterior import SeriesPosterior
from kernelscribe.engines.spectral.posterior import SpectralPosterior
from kernelscribe.kernels import parse
from kernelscribe.kernels.normal import Factor, Term, normal
from kernelscribe.noises import Changing, Constant, Growing
from kernelscribe.testing import check_posterior
from models import as_they_are

KERNELS = [
    "SE(variance=1, lengthscale=0.3)",
    "SE(variance=1, lengthscale=0.03) + SE(variance=1, lengthscale=0.7)*PER(variance=1, lengthscale=1, period=0.3)",
    "SE(variance=2, lengthscale=9) + LIN(variance=1, location=0.3)*PER(variance=1, lengthscale=0.8, period=0.2)",
    "PER(variance=1, lengthscale=1, period=0.5)*PER(variance=1, lengthscale=1.5, period=0.13) + C(variance=2)",
    "MATERN(variance=1, lengthscale=0.3)*PER(variance=1, lengthscale=1, period=0.4) + ROUGH(variance=0.5, lengthscale=0.05)",
    "MATERN(variance=1, lengthscale=0.2)*ROUGH(variance=1, lengthscale=0.5) + WN(variance=0.2)",
    "WALK(variance=1, location=-1.8) + SPLINE(variance=0.5, location=-0.4)",
    "SPLINE(variance=0.2, location=-1.9)*PER(variance=1, lengthscale=1, period=0.7) + WALK(variance=1, location=0.2)",
    "STEP(variance=1, location=0.2) + KINK(variance=1, location=-0.4) + SE(variance=1, lengthscale=0.3)",
    "STEP(variance=1, location=-0.3)*PER(variance=1, lengthscale=1, period=0.7) + SPELL(variance=2, location=0.5, width=0.3)",
    "KINK(variance=1, location=0.1)*ROUGH(variance=1, lengthscale=0.3) + SPELL(variance=2, location=0.5, width=0.001)",
    "CHANGE(SE(variance=1, lengthscale=0.2), LIN(variance=1, location=0.1), location=0.2, width=0.1)",
    "WINDOW(ROUGH(variance=1, lengthscale=0.2), SE(variance=1, lengthscale=0.4), location=-0.4, width=0.8, edge=0.05)",
    "CHANGE(WN(variance=1), SE(variance=1, lengthscale=0.5), location=-0.3, width=0.02) + WALK(variance=0.3, location=-2)",
]
NOISES = [Constant(0.05), Growing(0.1, 0.8), Changing(0.05, 0.4, 0.3, 0.2)]
INPUTS = ["regular", "gaps", "irregular", "repeated"]
# Nats: so few that what states leave out is next to nothing.
_FEW = 1e-8


def rows(kind, n=420, seed=0):
    """Rows in no order, on more blocks than one."""
    rng = np.random.default_rng(seed)
    X = rng.permutation(column(rng, n, kind))[:, None]
    return X, np.sin(4 * X[:, 0]) + 0.3 * rng.normal(size=n)


def both(kernel, kind="irregular", noise=NOISES[0], n=420):
    """The exact posterior and that of the series."""
    X, y = rows(kind, n)
    terms = normal(parse(kernel))
    found = SeriesPosterior.of(terms, noise, X, y, _FEW)
    assert len(found.pieces.blocks) > 2
    return Dense(terms, noise, X, y), found


def places(X):
    """Between rows, at rows, at the edges of blocks, at both ends, and far beyond them, in no order."""
    rng = np.random.default_rng(1)
    places = [rng.uniform(-2, 2, 40), X[::17, 0], np.sort(X[:, 0])[::32], [-40, -3, 3, 40]]
    return rng.permutation(np.concatenate(places))[:, None]


def agree(got, expected, size, room=1e-8):
    """To a share of the size that numbers have there."""
    assert (np.abs(got - expected) <= room * size).all(), np.max(np.abs(got - expected) / size)


def sizes(terms, X):
    return np.sqrt(1 + diagonal(terms, X))


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_agrees_with_the_exact_posterior_wherever_it_is_asked(kernel, kind):
    dense, found = both(kernel, kind)
    X = places(found.X)
    terms, size = dense.terms, sizes(dense.terms, X)
    for some in (None, terms[:1], terms[1:]):
        mean, covariance = dense.joint(X, some)
        agree(found.mean(X, some), mean, size)
        agree(found.variance(X, some), np.diagonal(covariance), size**2)
        got, whole = found.joint(X, some)
        agree(got, mean, size)
        agree(whole, covariance, np.outer(size, size))
    agree(found.means(X), dense.means(X), size[:, None])
    agree(found.term(len(terms) - 1, X), dense.means(X)[:, -1], size)


@pytest.mark.parametrize("noise", NOISES[1:], ids=str)
@pytest.mark.parametrize("kernel", KERNELS)
def test_takes_noise_that_varies(kernel, noise):
    dense, found = both(kernel, "gaps", noise)
    X = places(found.X)
    size = sizes(dense.terms, X)
    (mean, covariance), (got, whole) = dense.joint(X), found.joint(X)
    agree(got, mean, size)
    agree(whole, covariance, np.outer(size, size))


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_errors_are_those_of_the_textbook(kernel, kind):
    """One step ahead in the order of time, and of leaving one out; as the rows stand."""
    dense, found = both(kernel, kind, NOISES[1])
    order = np.argsort(found.X[:, 0], kind="stable")
    X, y = found.X[order], found.y[order]
    C = cross(found.terms, X, X) + np.diag(found.noise.diagonal(X))
    ahead, left = found.whitened(dense.mean(found.X))
    assert found.ahead
    agree(ahead[order], np.linalg.solve(np.linalg.cholesky(C), y), 1.0)
    inverse = np.linalg.inv(C)
    agree(left[order], inverse @ y / np.sqrt(np.diagonal(inverse)), 1.0)
    assert found.lacks == 0
    assert not found.unseen(found.X).any()
    assert found.basis == "all rows"


@pytest.mark.parametrize("kernel", KERNELS)
def test_rows_that_are_held_out_are_predicted_as_if_they_had_never_been(kernel):
    """In stretches of time, and at random."""
    dense, found = both(kernel, "regular")
    size = np.sqrt(1 + diagonal(found.terms, found.X).max())
    for order in (np.argsort(found.X[:, 0]), np.arange(len(found.y))):
        folds = np.array_split(order, 4)
        agree(found.held_out(folds), dense.held_out(folds), size)


@pytest.mark.parametrize("kernel", KERNELS)
def test_keeps_the_contract_with_the_digits_of_every_day(kernel):
    X, y = rows("regular")
    found = SeriesPosterior.of(normal(parse(kernel)), NOISES[0], X, y)
    check_posterior(found, np.linspace(-2, 2, 37)[:, None], np.array_split(np.arange(len(y)), 5))
    dense = Dense(found.terms, found.noise, X, y)
    agree(found.mean(X), dense.mean(X), sizes(found.terms, X), 1e-4)
    agree(found.variance(X), dense.predict(X)[1], 1 + diagonal(found.terms, X), 1e-4)


@pytest.mark.parametrize("number", range(0, 240, 2))
def test_agrees_for_kernels_that_a_user_may_write(number):
    """Odd cases have two inputs. Where the noise is too small, digits cannot be compared."""
    posed = written_case(number)
    terms = normal(posed.expr)
    noise = posed.noise.at_level(0.1)
    rng = np.random.default_rng(number)
    order = rng.permutation(len(posed.y))
    X, y = posed.X[order], posed.y[order]
    found, dense = SeriesPosterior.of(terms, noise, X, y, _FEW), Dense(terms, noise, X, y)
    if Series.accepts(posed.data, posed.form) is not None:
        assert found is None
        return
    new = rng.uniform(-2, 2, size=(30, 1))
    size, worth = sizes(terms, np.concatenate([X, new])).max(), _worth(dense)
    got, whole = found.joint(new)
    mean, covariance = dense.joint(new)
    room = 1e-8 + 1e-13 * worth
    agree(got, mean, size * (1 + np.abs(y).max()), room)
    agree(whole, covariance, size**2, room)


def _worth(dense):
    """How many times the noise what varies is."""
    return float(diagonal(dense.terms, dense.X).max(initial=0.0) / dense.noise.diagonal(dense.X).min())


def test_rows_at_one_time_share_what_is_alone_to_it():
    """White noise of a time is the same for all rows of that time, also where a block would end among them."""
    X = np.repeat(np.arange(9.0), 37)[:, None]
    y = np.random.default_rng(0).normal(size=len(X))
    terms = normal(parse("WN(variance=1) + SE(variance=1, lengthscale=2)"))
    dense, found = Dense(terms, Constant(0.1), X, y), SeriesPosterior.of(terms, Constant(0.1), X, y, _FEW)
    new = np.append(np.arange(9.0), [0.5, 12])[:, None]
    agree(found.means(new), dense.means(new), 1.0)
    agree(found.joint(new)[1], dense.joint(new)[1], 1.0)


@pytest.fixture
def forgetful(monkeypatch):
    """No link is kept, and stretches are short."""
    monkeypatch.setattr(recursion.Matrix, "__init__", partialmethod(recursion.Matrix.__init__, room=0.0))
    monkeypatch.setattr(recursion, "_STRIDE", 2)


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("kernel", KERNELS)
def test_what_was_not_kept_is_computed_again(kernel):
    dense, found = both(kernel, n=400)
    assert set(found.found.links) == {None}
    assert len(found.found.entries) >= 2
    X = places(found.X)
    size = sizes(dense.terms, X)
    (mean, covariance), (got, whole) = dense.joint(X), found.joint(X)
    agree(got, mean, size)
    agree(whole, covariance, np.outer(size, size))
    agree(found.variance(X[:3]), np.diagonal(covariance)[:3], size[:3] ** 2)
    agree(found.joint(X[:2])[1], covariance[:2, :2], size.max() ** 2)


# Hours of two years: what lasts some days, a day whose shape changes, and a line, for which no block is like another.
DAILY = "PER(variance=1, lengthscale=1.5, period=0.005)"
LONG = f"SE(variance=1, lengthscale=0.004) + SE(variance=1, lengthscale=0.3)*{DAILY} + LIN(variance=0.5, location=0)"


def long_series(kernel, n=20_000):
    x = np.linspace(-1.7, 1.7, n)
    rng = np.random.default_rng(0)
    y = x + np.sin(2 * np.pi * x / 0.005) + 0.3 * rng.normal(size=n)
    return normal(parse(kernel)), x[:, None], y


def test_a_long_regular_series_agrees_with_waves():
    terms, X, y = long_series("SE(variance=1, lengthscale=0.02) + PER(variance=1, lengthscale=1.5, period=0.1)")
    waves = SpectralPosterior.of(terms, Constant(0.09), X, y)
    found = SeriesPosterior.of(terms, Constant(0.09), X, y, 1e-4)
    new = np.concatenate([np.linspace(-1.8, 1.8, 700), X[::173, 0]])[:, None]
    agree(found.means(new), waves.means(new), 1.0, 1e-5)
    agree(found.variance(new), waves.variance(new), 1.0, 1e-5)
    some = new[::40]
    for own in (terms[:1], terms[1:]):
        agree(found.joint(some, own)[1], waves.joint(some, own)[1], 1.0, 1e-5)
    assert found.errors @ found.errors == pytest.approx(waves.errors @ waves.errors, rel=1e-5)
    np.testing.assert_allclose(found.whitened(y)[1], waves.whitened(waves.mean(X))[1], atol=1e-4)


def test_a_stretch_of_a_long_series_is_known_as_from_its_neighbourhood():
    """Rows far away say nothing of what is short."""
    terms, X, y = long_series("SE(variance=1, lengthscale=0.004)")
    found = SeriesPosterior.of(terms, Constant(0.09), X, y)
    assert _settles(found)
    around = slice(9_000, 10_000)
    dense = Dense(terms, Constant(0.09), X[around], y[around])
    new = np.linspace(X[9_400, 0], X[9_600, 0], 333)[:, None]
    for got, expected in zip(found.joint(new), dense.joint(new), strict=True):
        agree(got, expected, 1.0, 1e-6)


def _settles(found):
    return any(link.count > 25 for links in found.found.links for link in links)


def test_blocks_that_have_settled_say_what_all_of_them_do(monkeypatch):
    """With a gap, after which it begins again."""
    terms, X, y = long_series("SE(variance=1, lengthscale=0.004) + SE(variance=1, lengthscale=0.03)*" + DAILY)
    X, y = np.delete(X, slice(9_000, 9_500), axis=0), np.delete(y, slice(9_000, 9_500))
    new = np.concatenate([np.linspace(-1.8, 1.8, 400), X[8_950:9_050, 0]])[:, None]
    settled = SeriesPosterior.of(terms, Constant(0.09), X, y)
    assert _settles(settled)
    told = (*settled.joint(new), settled.variance(new, terms[1:]), settled.means(new), *settled.whitened(y))
    monkeypatch.setattr(recursion, "_settled", lambda *_: False)
    monkeypatch.setattr(behind, "_SETTLED", -1.0)
    full = SeriesPosterior.of(terms, Constant(0.09), X, y)
    assert not _settles(full)
    for got, expected in zip(
        told, (*full.joint(new), full.variance(new, terms[1:]), full.means(new), *full.whitened(y)), strict=True
    ):
        agree(got, expected, 1.0, 1e-8)


def test_a_report_may_ask_for_many_places_at_once():
    """In few pieces, whatever their order: each by itself gives the same."""
    terms, X, y = long_series(LONG, 6_000)
    found = SeriesPosterior.of(terms, Constant(0.09), X, y)
    new = np.random.default_rng(3).uniform(-5, 5, size=(5_000, 1))
    mean, variance = found.predict(new, terms[:2])
    for i in (0, 2_047, 2_048, 4_999):
        one, other = found.predict(new[i : i + 1], terms[:2])
        assert one[0] == pytest.approx(mean[i], abs=1e-12)
        assert other[0] == pytest.approx(variance[i], abs=1e-12)


def test_it_is_chosen_for_many_rows_and_left_to_a_matrix_for_few():
    terms, X, y = long_series("MATERN(variance=1, lengthscale=0.1)", 2_500)
    data = as_they_are(X[:, 0], y)
    assert isinstance(condition(data, terms, Constant(0.1), Config()), SeriesPosterior)
    assert isinstance(condition(data, terms, Growing(0.1, 0.5), Config()), SeriesPosterior)
    assert Series.condition(data.rows(np.arange(2_000)), terms, Constant(0.1), Config()) is None


def test_terms_that_are_not_known_have_none():
    walks = Term(1.0, (Factor("WALK", 1, (-2.0,)), Factor("SPLINE", 1, (-2.0,))))
    X, y = rows("regular")
    assert SeriesPosterior.of((walks,), Constant(0.1), X, y) is None


def test_far_too_many_lines_are_left_to_others():
    sharp = "PER(variance=1, lengthscale=0.03, period=1)*PER(variance=1, lengthscale=0.03, period=0.37)"
    X, y = rows("regular")
    assert SeriesPosterior.of(normal(parse(sharp)), Constant(0.1), X, y) is None


def test_where_nothing_varies_nothing_is_known():
    X, y = rows("regular")
    found = SeriesPosterior.of((), Constant(0.1), X, y)
    assert not found.mean(X).any()
    assert not found.variance(X).any()
    assert found.means(X).shape == (len(X), 0)
    np.testing.assert_allclose(found.errors, y / np.sqrt(0.1))
