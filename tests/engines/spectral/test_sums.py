"""Sums at given places against sums written out, and an engine that rehearses against one with tables."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.spectral import posterior_waves as waves
from kernelscribe.engines.spectral.engine import Spectral
from kernelscribe.engines.spectral.sums import Rehearsal, Sums, places
from kernelscribe.engines.spectral.tables import FINENESS, Frame
from kernelscribe.kernels import Form, pack, parse
from kernelscribe.kernels.normal import Factor, Term

FRAME = Frame(0.0, 1.0)


def data(n=200, seed=0):
    rng = np.random.default_rng(seed)
    return np.sort(rng.uniform(-0.5, 0.5, n)), rng.normal(size=n)


def direct(u, strengths, at):
    return np.array([np.sum(strengths * np.exp(2j * np.pi * xi * u)) for xi in at / FINENESS])


AT = np.array([0.0, 1.5, 16.0, 7000.25, 160_000.0])


def test_sums_equal_their_definition():
    u, y = data()
    found = Sums.over(FRAME, u, y, 0, AT, 3, 2)
    for r in range(3):
        np.testing.assert_allclose(found.t[r], direct(u, u**r, AT), rtol=0, atol=1e-9)
    for r in range(2):
        np.testing.assert_allclose(found.b[r], direct(u, u**r * y, AT), rtol=0, atol=1e-9)


def test_polynomials_and_negative_places():
    u, y = data()
    found = Sums.over(FRAME, u, y, 0, AT, 3, 2)
    at = np.array([[1.5, -16.0], [-7000.25, 0.0]])
    p = np.array([0.5, -1.0, 2.0])
    np.testing.assert_allclose(
        found.powers(p, at), direct(u, 0.5 - u + 2 * u**2, at.ravel()).reshape(2, 2), rtol=0, atol=1e-9
    )  # fmt: skip
    np.testing.assert_allclose(found.targets(p[:1], at), direct(u, 0.5 * y, at.ravel()).reshape(2, 2), rtol=0, atol=1e-9)


@pytest.mark.parametrize("at", [3.0, -3.0, 1e9])
def test_what_was_not_summed_is_not_made_up(at):
    u, y = data()
    with pytest.raises(LookupError, match="not taken"):
        Sums.over(FRAME, u, y, 0, AT, 1, 1).powers(np.ones(1), np.array([0.0, at]))


def test_sums_without_some_rows_are_those_of_the_others():
    u, y = data()
    rows = np.array([3, 50, 51, 199])
    found = Sums.over(FRAME, u, y, 0, AT, 3, 2).without(rows)
    expected = Sums.over(FRAME, np.delete(u, rows), np.delete(y, rows), 0, AT, 3, 2)
    np.testing.assert_allclose(found.t, expected.t, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.b, expected.b, rtol=0, atol=1e-9)
    assert len(found.u) == 196
    assert found.energy == pytest.approx(expected.energy)


def test_places_are_all_that_a_gram_matrix_asks_for():
    terms = [Term(1.0, (Factor("SE", 1, (0.2,)),)), Term(1.0, (Factor("PER", 1, (1.0, 0.13)),))]
    u, _ = data()
    blocks = waves.chosen(terms, FRAME, u, 0.1, 1e6)
    at = places(blocks)
    assert (np.diff(at) > 0).all()
    for a in blocks:
        assert np.isin(a.at, at).all()
        for b in blocks:
            assert np.isin(np.abs(a.at[:, None] - b.at), at).all()
            assert np.isin(a.at[:, None] + b.at, at).all()


@pytest.mark.parametrize("kernel", [
    "SE(variance=1, lengthscale=0.4)*PER(variance=1, lengthscale=1, period=0.3) + LIN(variance=0.5, location=0.2)",
    "PER(variance=1, lengthscale=1, period=0.3)*LIN(variance=1, location=0.1) + SE(variance=1, lengthscale=0.4)",
])  # fmt: skip
def test_a_rehearsed_engine_says_what_one_with_tables_says(kernel):
    rng = np.random.default_rng(1)
    x = np.sort(rng.uniform(0, 10, 400))
    made = Dataset.of(x, np.sin(x) + 0.2 * rng.normal(size=400))
    expr = parse(kernel)
    form, u = Form.of(expr), np.append(pack(expr), math.log(0.1))
    other = u + 0.01
    rehearsing = Spectral(made, Rehearsal.of(made.X[:, 0], made.y), 1e-6)
    for each in (u, other):
        rehearsing.objective(form, each)
    ready, tables = replace(rehearsing, tables=rehearsing.tables.sums), replace(Spectral.of(made), tolerance=1e-6)
    for each in (u, other):
        (value, slope), (expected, by_tables) = ready.objective(form, each), tables.objective(form, each)
        assert value == pytest.approx(expected, abs=1e-6)
        np.testing.assert_allclose(slope, by_tables, rtol=1e-6, atol=1e-6)
