"""Sums under Gaussian windows, read from tables, against the sums themselves."""

import numpy as np
import pytest

from kernelscribe.engines.spectral.pairs import rows
from kernelscribe.engines.spectral.smooth import Regular, Scattered, TableRow
from kernelscribe.engines.spectral.tables import FINENESS, Frame, Tables

RNG = np.random.default_rng(0)
U = np.sort(RNG.uniform(-0.5, 0.5, 400))
Y = RNG.normal(size=400)
TABLES = Tables(Frame(0.0, 1.0), U, Y, 2**16)
XI = np.array([0.0, 0.4375, 17.3, 250.0, 333.3333333])
POLYNOMIAL = np.array([0.3, -1.0, 2.0])


def smooth(kind, L):
    step = 12
    if kind == "regular":
        return Regular(L, step, -0.55, 90, 110), -0.55 + np.arange(90) * FINENESS / (110 * step)
    t = np.random.default_rng(1).uniform(-0.55, 0.55, 90)
    return Scattered(L, step, t), t


def direct(L, t, targets=False, polynomial=POLYNOMIAL):
    strength = np.polynomial.polynomial.polyval(U, polynomial) * (Y if targets else 1.0)
    window = np.exp(-(((U - t[:, None]) / L) ** 2))
    return np.exp(2j * np.pi * np.outer(XI, U)) * strength @ window.T


@pytest.mark.parametrize("targets", [False, True])
@pytest.mark.parametrize("L", [0.002, 0.02])
@pytest.mark.parametrize("kind", ["regular", "scattered"])
def test_sums_are_those_of_the_data(kind, L, targets):
    own, t = smooth(kind, L)
    got = own.sums(rows(own, XI, POLYNOMIAL, TABLES, targets))
    np.testing.assert_allclose(got, direct(L, t, targets), rtol=0, atol=1e-10)


@pytest.mark.parametrize("kind", ["regular", "scattered"])
def test_adjoint_and_derivatives(kind):
    own, t = smooth(kind, 0.02)
    values = rows(own, XI, POLYNOMIAL, TABLES)
    rng = np.random.default_rng(2)
    bar = rng.normal(size=(len(XI), 90)) + 1j * rng.normal(size=(len(XI), 90))
    h = own.adjoint(bar)

    def owed(L, t):
        return np.sum(np.conj(bar) * direct(L, t)).real

    assert np.sum(h * values * own.weight).real == pytest.approx(owed(0.02, t), rel=1e-9)
    e = 1e-5
    wider = (owed(0.02 * np.exp(e), t) - owed(0.02 * np.exp(-e), t)) / (2 * e)
    assert np.sum(h * values * own.widening).real == pytest.approx(wider, rel=1e-6)
    later = (owed(0.02, t + 1e-6) - owed(0.02, t - 1e-6)) / 2e-6
    assert np.sum(h * values * own.weight * (-2j * np.pi * own.x)).real == pytest.approx(later, rel=1e-6)


def test_rows_between_the_places_of_a_table():
    at = np.array([-20.3, 0.0, 5.5, 100.0, 1234.567])
    row = TableRow.between(TABLES, POLYNOMIAL, -60.0, 1300.0)
    expected = TABLES.powers(POLYNOMIAL, at[:, None] + 3.0 * np.arange(-4, 5))
    np.testing.assert_allclose(row.comb(at, 3, 4), expected, rtol=0, atol=1e-11)
    shifted = row.shifted(0.25)
    np.testing.assert_allclose(
        shifted.comb(np.array([7.0]), 3, 4), TABLES.powers(POLYNOMIAL, 7.25 + 3.0 * np.arange(-4, 5))[None], atol=1e-11
    )
