"""Tables against sums written out, on their places, between them, and below zero."""

import numpy as np
import pytest

from kernelscribe.engines.spectral import tables as module
from kernelscribe.engines.spectral.tables import FINENESS, Frame, Tables, synthesise
from spectra import LONG, PI, times


def direct(u, strengths, at):
    """Σ s e^{2πiξu} in long double."""
    angle = 2 * PI * np.multiply.outer(np.asarray(at, dtype=LONG) / FINENESS, u.astype(LONG))
    return (np.cos(angle) @ strengths + 1j * (np.sin(angle) @ strengths)).astype(complex)


@pytest.fixture(scope="module")
def tables():
    rng = np.random.default_rng(0)
    return Tables.of(times("irregular", 400), rng.normal(size=400))


@pytest.mark.parametrize("polynomial", [[1.0], [0.3, -1.2], [0.0, 0.0, 1.0], [-0.4, 0.1, 0.0, 0.7, -2.0, 0.3]])
@pytest.mark.parametrize("low, high", [(0, 40), (-30, 30), (500, 6000), (-8000, -20)])
def test_sums(tables, polynomial, low, high):
    rng, p = np.random.default_rng(1), np.array(polynomial)
    shape = np.polynomial.polynomial.polyval(tables.u.astype(LONG), p.astype(LONG))
    # Angles 2πξu are rounded, so digits are lost as frequencies rise.
    room = 1e-15 * (10 + 0.5 * max(abs(low), abs(high)) / FINENESS) * float(np.abs(shape).sum())
    whole = rng.integers(low, high, 25)
    for at in (whole, whole + rng.uniform(size=25), whole + 0.5, whole.astype(float)):
        np.testing.assert_allclose(tables.powers(p, at), direct(tables.u, shape, at), rtol=0, atol=room)
        np.testing.assert_allclose(tables.targets(p, at), direct(tables.u, shape * tables.y, at), rtol=0, atol=3 * room)


def test_whole_and_broken_positions_agree_where_they_meet(tables):
    at = np.arange(-20, 200)
    np.testing.assert_allclose(
        tables.powers(np.ones(1), at), tables.powers(np.ones(1), at.astype(float)), atol=1e-12 * len(tables.u)
    )


def test_a_matrix_of_positions_is_taken_in_pieces(tables, monkeypatch):
    """In whatever pieces, and with one table for all powers or several: the same numbers."""
    at = np.random.default_rng(2).uniform(-300, 900, (37, 41))
    p = np.array([0.5, -1.0, 2.0])
    whole = tables.powers(p, at)
    monkeypatch.setattr(module, "_PIECE", 100)
    np.testing.assert_array_equal(tables.powers(p, at), whole)
    one_by_one = np.array([tables.powers(p, at[i]) for i in range(len(at))])
    np.testing.assert_allclose(one_by_one, whole, atol=1e-12 * len(tables.u))
    many = np.tile(at, (8, 1))
    assert many.size > 2**13 > at.size
    np.testing.assert_allclose(tables.powers(p, many)[: len(at)], whole, atol=1e-12 * len(tables.u))


def test_no_number_depends_on_what_was_asked_before():
    x, y = times("irregular", 300), np.random.default_rng(3).normal(size=300)
    p, low, high = np.array([1.0, 0.5]), np.array([3.5, 70.25]), np.array([9000, 20000])
    first, second = Tables.of(x, y), Tables.of(x, y)
    a = first.powers(p, low), first.targets(p, low), first.powers(p, high)
    b = second.powers(p, high), second.targets(p[1:], low), second.targets(p, low), second.powers(p, low)
    np.testing.assert_array_equal(a[0], b[3])
    np.testing.assert_array_equal(a[1], b[2])
    np.testing.assert_array_equal(a[2], b[0])


def test_moments_and_energy(tables):
    np.testing.assert_allclose(tables.moments, [np.sum(tables.u**r) for r in range(17)], rtol=1e-12)
    assert tables.energy == pytest.approx(float(np.sum(tables.y**2)))


def test_a_frame_of_its_own():
    x, y = np.linspace(2.0, 3.0, 50), np.ones(50)
    tables = Tables.of(x, y, Frame.over(0.0, 10.0))
    np.testing.assert_allclose(tables.u, (x - 5) / 10)
    assert Tables.of(x, y).u[[0, -1]] == pytest.approx([-0.5, 0.5])


@pytest.mark.parametrize("x", [[0.0, 1.0], [0.0, 0.0, 1.0], [5.0, 5.0, 5.0, 7.0, 7.0]])
def test_few_and_repeated_times(x):
    tables = Tables.of(np.array(x), np.ones(len(x)))
    at = np.array([0.0, 1.5, -40.25])
    np.testing.assert_allclose(tables.powers(np.ones(1), at), direct(tables.u, np.ones(len(x)), at), atol=1e-13)


def test_synthesis():
    rng = np.random.default_rng(4)
    u, xi, cosines, sines = rng.uniform(-0.5, 0.5, 200), rng.uniform(-3, 80, 30), rng.normal(size=30), rng.normal(size=30)
    angle = 2 * np.pi * np.multiply.outer(u, xi)
    np.testing.assert_allclose(synthesise(u, xi, cosines, sines), np.cos(angle) @ cosines + np.sin(angle) @ sines, atol=1e-10)
    np.testing.assert_array_equal(synthesise(u, xi[:0], xi[:0], xi[:0]), np.zeros(200))
