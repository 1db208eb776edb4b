"""The posterior by windows and waves against the exact one: inside the data, at their ends and beyond."""

import math
from dataclasses import replace

import numpy as np
import pytest

from curves import agree, agree_by_term, far, rows
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.engines.posterior import diagonal
from kernelscribe.engines.spectral import window_posterior as windowed
from kernelscribe.engines.spectral.cost import cost
from kernelscribe.engines.spectral.window_posterior import WindowPosterior
from kernelscribe.kernels import parse
from kernelscribe.kernels.normal import normal
from kernelscribe.noises import Constant

KERNELS = [
    "SE(variance=1, lengthscale=0.03)",
    "SE(variance=1, lengthscale=0.03)*PER(variance=1, lengthscale=1, period=0.05)",
    "SE(variance=1, lengthscale=0.02)*LIN(variance=1, location=0.3) + PER(variance=1, lengthscale=1, period=0.31)",
    "SE(variance=1, lengthscale=0.03)*PER(variance=1, lengthscale=1, period=0.05) + SE(variance=2, lengthscale=0.9)"
    " + LIN(variance=1, location=0.5)",
    "SE(variance=1, lengthscale=0.02) + SE(variance=0.5, lengthscale=0.09)*PER(variance=1, lengthscale=0.7, period=0.06)"
    " + PER(variance=1, lengthscale=1, period=0.3)*SE(variance=1, lengthscale=2)",
]


# What may be left out here is worth a hundredth of a nat.
CLOSE = 2e-4, 2e-5


@pytest.fixture(autouse=True)
def windows_where_waves_would_do(monkeypatch):
    monkeypatch.setattr(windowed, "cost", lambda *args: replace(cost(*args), waves=math.inf, frequencies=math.inf))
    # Of a nat that may be left out, tens of thousands of rows have next to nothing each; these few have not.
    monkeypatch.setattr(windowed, "_TOLERANCE", 0.01)


def both(kernel, kind="irregular", noise=0.02, n=700):
    X, y = rows(kind, n, 0.05, 0.5)
    terms = normal(parse(kernel))
    found = WindowPosterior.of(terms, Constant(noise), X, y)
    assert found is not None
    assert found.found.live
    return Dense(terms, Constant(noise), X, y), found


@pytest.mark.parametrize("kind", ["regular", "irregular", "gaps"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_agrees_with_the_exact_posterior_wherever_it_is_asked(kernel, kind):
    dense, found = both(kernel, kind)
    X = far()
    room = 0.01 + diagonal(dense.terms, X)
    agree(found.predict(X), dense.predict(X), room, *CLOSE)
    agree_by_term(found.means(X), dense.means(X), room, CLOSE[0])
    np.testing.assert_allclose(found.means(X).sum(axis=1), found.mean(X), rtol=0, atol=1e-10 * np.sqrt(room.max()))


@pytest.mark.parametrize("kernel", KERNELS)
def test_with_less_left_out_it_agrees_to_more_digits(kernel, monkeypatch):
    monkeypatch.setattr(windowed, "_TOLERANCE", 1e-7)
    dense, found = both(kernel)
    X = far()
    room = 0.01 + diagonal(dense.terms, X)
    for got, expected, digits in zip(found.predict(X), dense.predict(X), (np.sqrt(room), room), strict=True):
        np.testing.assert_allclose(got / digits, expected / digits, rtol=0, atol=1e-7)


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_term_and_every_pair_by_itself(kernel):
    dense, found = both(kernel)
    X = far(120)
    for i in range(len(dense.terms)):
        some = list(dense.terms[i : i + 2])
        agree(found.predict(X, some), dense.predict(X, some), 0.01 + diagonal(some, X), *CLOSE)


@pytest.mark.parametrize("kernel", KERNELS[2:])
def test_covariances_of_points_far_apart(kernel):
    dense, found = both(kernel)
    X = far(80)
    for some in (None, list(dense.terms[:1]), list(dense.terms[-1:])):
        (mean, expected), (got, cov) = dense.joint(X, some), found.joint(X, some)
        room = np.sqrt(0.01 + diagonal(dense.terms, X))
        np.testing.assert_allclose(got / room, mean / room, rtol=0, atol=2e-4)
        np.testing.assert_allclose(cov / np.outer(room, room), expected / np.outer(room, room), rtol=0, atol=2e-5)


@pytest.mark.parametrize("kernel", KERNELS[1:4])
def test_rows_that_are_held_out_are_predicted_as_if_they_had_never_been(kernel):
    dense, found = both(kernel)
    folds = np.array_split(np.arange(len(dense.y)), 4)
    got, expected = found.held_out(folds), dense.held_out(folds)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-3)
    assert np.abs(got - found.means(dense.X)).max() > 0.1


def test_errors_have_the_covariance_of_chance(monkeypatch):
    """e = Cy for one factor of the inverse covariance: CᵀC is that inverse."""
    monkeypatch.setattr(windowed, "_TOLERANCE", 1e-7)
    slow = "SE(variance=1, lengthscale=0.05) + SE(variance=2, lengthscale=0.9) + LIN(variance=1, location=0.5)"
    dense, found = both(slow, n=90)
    assert found.found.blocks
    columns = []
    for i in range(len(dense.y)):
        unit = np.zeros(len(dense.y))
        unit[i] = 1.0
        columns.append(WindowPosterior.of(dense.terms, dense.noise, dense.X, unit).errors)
    C = np.column_stack(columns)
    K = sum(term.cross(dense.X, dense.X) for term in dense.terms)
    np.testing.assert_allclose(C @ (K + dense.s2 * np.eye(len(K))) @ C.T, np.eye(len(K)), rtol=0, atol=1e-6)
    np.testing.assert_allclose(found.errors, C @ dense.y, rtol=0, atol=1e-8)


def test_what_is_left_out_is_as_uncertain_as_without_data(monkeypatch):
    """Between the variance of the curve and that of the part which the features carry lies what they leave out."""
    monkeypatch.setattr(windowed, "_TOLERANCE", 2000.0)
    dense, found = both(KERNELS[2])
    X = dense.X[::20]
    left = found.unseen(X)
    assert left.min() > 1e-4
    assert (found.variance(X) >= left).all()
    # Leaving a row out, by the model of what is carried: less noise than there is, but not none.
    assert (found.variance(X) - left < found.s2).all()


def test_it_says_what_it_rests_on_and_what_it_leaves_out():
    _, found = both(KERNELS[3])
    assert found.basis.startswith("all rows, by ")
    assert 0 <= found.lacks < 1e-4


def test_waves_are_left_to_do_what_they_can(monkeypatch):
    monkeypatch.undo()
    X, y = rows("regular", 700, 0.05, 0.5)
    assert WindowPosterior.of(normal(parse(KERNELS[1])), Constant(0.02), X, y) is None
