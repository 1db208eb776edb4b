"""The balanced basis of the sums of exponentials is what it says, to the last digits."""

import math
from itertools import pairwise

import balanced as script
import flint
import numpy as np
import pytest
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from kernelscribe.engines.series.balanced import BALANCED_SUMS, fewest
from kernelscribe.engines.series.balanced_table import BALANCED
from kernelscribe.engines.series.exponentials import SUMS

every = pytest.mark.parametrize("basis", BALANCED_SUMS, ids=lambda basis: f"J={basis.size}")
any_size = st.sampled_from([basis.size for basis in BALANCED_SUMS])
distance = st.floats(min_value=0.0, max_value=8.0)


@pytest.fixture
def many_bits():
    before = flint.ctx.prec
    flint.ctx.prec = script.BITS
    yield
    flint.ctx.prec = before


def of(size):
    return next(basis for basis in BALANCED_SUMS if basis.size == size)


def exactly(basis, d):
    """2 Re Σ w e^(−s d), rounded once."""
    before, flint.ctx.prec = flint.ctx.prec, 120
    terms = (acb(w) * (-acb(s) * arb(d)).exp() for s, w in zip(basis.sums.rates, basis.sums.weights, strict=True))
    found = float(2 * sum(term.real for term in terms))
    flint.ctx.prec = before
    return found


@given(any_size, distance, distance, distance)
@settings(max_examples=300)
def test_rows_steps_and_rows_make_the_sum(size, s, delta, r):
    """k(s + δ + r) = u(s) Φ(δ) D u(r)ᵀ, to less than the error of the largest sum itself."""
    basis = of(size)
    carried = basis.rows(np.array([s]))[0] @ basis.steps(np.array([delta]))[0] @ (basis.sign * basis.rows(np.array([r]))[0])
    assert carried == pytest.approx(exactly(basis, s + delta + r), rel=0, abs=3e-14)


@every
def test_a_step_moves_the_functions(basis):
    s, delta = np.linspace(0, 6, 40), np.linspace(0, 3, 40)
    moved = np.einsum("nk,nkl->nl", basis.rows(s), basis.steps(delta))
    np.testing.assert_allclose(moved, basis.rows(s + delta), rtol=0, atol=3e-14)


@given(any_size, distance, distance)
@settings(max_examples=200)
def test_two_steps_are_one(size, one, other):
    basis = of(size)
    both = basis.steps(np.array([one, other, one + other]))
    np.testing.assert_allclose(both[0] @ both[1], both[2], rtol=0, atol=3e-14)


@every
def test_no_step_changes_nothing(basis):
    np.testing.assert_allclose(basis.steps(np.zeros(1))[0], np.eye(basis.size), rtol=0, atol=3e-14)


@every
def test_the_generator_is_minus_the_slope(basis):
    """du/ds = −u N, and Φ(δ) = exp(−N δ)."""
    s = np.linspace(0, 5, 30)
    slope = (np.exp(np.multiply.outer(-s, basis.sums.rates)) @ (-basis.sums.rates[:, None] * basis.tau)).real
    np.testing.assert_allclose(-basis.rows(s) @ basis.generator, slope, rtol=0, atol=1e-12)
    for delta in (0.01, 0.3, 2.0):
        np.testing.assert_allclose(expm(-basis.generator * delta), basis.steps(np.array([delta]))[0], rtol=0, atol=1e-12)


@every
def test_functions_are_orthogonal_and_ever_smaller(basis):
    """∫ u_k u_l over s ≥ 0 is diagonal, and falls by a factor of about nine from each entry to the next."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    s, ds = np.add.outer(2.0 * np.arange(10), nodes + 1).ravel(), np.tile(weights, 10)
    gramian = basis.rows(s).T @ (ds[:, None] * basis.rows(s))
    norms = np.diagonal(gramian)
    np.testing.assert_allclose(gramian, np.diag(norms), rtol=0, atol=1e-14)
    assert all(0.1 < less / more < 0.125 for more, less in pairwise(norms))
    assert set(basis.sign) == {-1.0, 1.0}


@given(any_size, st.floats(min_value=0.0, max_value=40.0))
@settings(max_examples=300)
def test_no_function_is_higher_than_is_said(size, s):
    basis = of(size)
    found = np.abs(basis.rows(np.array([s])))[0]
    assert np.all(found <= basis.height)
    assert np.all(found <= basis.peak * math.exp(-basis.sums.decay * s) * (1 + 1e-12))


@every
def test_heights_are_not_much_more_than_needed(basis):
    taken = np.abs(basis.rows(np.linspace(0, 10, 20_000))).max(axis=0)
    assert np.all(basis.height <= 1.1 * taken)


def test_the_fewest_that_are_allowed():
    for sum_, basis in zip(SUMS, BALANCED_SUMS, strict=True):
        assert basis.sums is sum_
        assert fewest(sum_.largest) is basis
    assert fewest(math.inf) is BALANCED_SUMS[0]
    assert fewest(0.0) is BALANCED_SUMS[-1]


@pytest.mark.parametrize("number", range(len(SUMS)))
def test_the_script_makes_the_table(number, many_bits):
    signs, tau = script.balanced(SUMS[number])
    assert (tuple(signs), tuple(map(tuple, tau))) == BALANCED[number]
