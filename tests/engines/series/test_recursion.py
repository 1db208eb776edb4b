"""The recursion is the Cholesky factor of K + Λ: value, determinant and forecast errors against dense algebra and Durbin's."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.linalg import cholesky, solve_triangular

from battery import written_case
from cases import seeds
from kernelscribe.engines.series.ingredients import known
from kernelscribe.engines.series.recursion import forward
from kernelscribe.kernels import pack, unpack
from kernelscribe.noises import Constant
from kernelscribe.testing import toeplitz_evidence
from oracle import precise
from states import LANGUAGE, TIMES, covariance, dense, kernel, rows, times


def in_full(matrix):
    """The same, with no block taken for another."""
    return replace(matrix, same=lambda p: 1)


def links(found):
    return [link for own in found.links if own is not None for link in own]


def check(expr, x, y, noise, size, entry=3e-13):
    """Value, determinant and z beside those of LAPACK, to what errors of entries, as a share of the largest, may cost."""
    A = dense(expr, x) + np.diag(np.broadcast_to(noise, x.shape))
    L = cholesky(A, lower=True)
    z = solve_triangular(L, y, lower=True)
    determinant = 2 * float(np.log(np.diagonal(L)).sum())
    found = forward(covariance(expr, x, noise, size).matrix, y)
    n, room = len(x), len(x) * entry * float(np.diagonal(A).max() / np.min(noise))
    assert found is not None
    assert found.determinant == pytest.approx(determinant, rel=0, abs=room * math.sqrt(n))
    value = -0.5 * (z @ z + determinant + n * math.log(2 * math.pi))
    assert found.value == pytest.approx(value, rel=0, abs=room * (math.sqrt(n) + z @ z))
    np.testing.assert_allclose(found.z, z, rtol=0, atol=room * (1 + np.abs(z).max()))


@pytest.mark.parametrize("kind", TIMES)
@pytest.mark.parametrize("text", LANGUAGE)
def test_every_term_of_the_language(text, kind):
    x = times(kind, 36)
    for size, s2 in ((1, 0.1), (7, 1e-6), (36, 1.0)):
        check(kernel(text), x, rows(x, s2), s2, size)


@pytest.mark.parametrize("steps", [0.5, 1, 3, 10, 100, 400, 1200])
@pytest.mark.parametrize("kind", ["regular", "irregular"])
@pytest.mark.parametrize("base", ["SE(1, {})", "MATERN(1, {})", "ROUGH(1, {})", "SE(1, {})*PER(1, 0.7, 0.31)"])
def test_lengthscales_from_half_a_step_to_three_spans(base, kind, steps):
    x = times(kind, 400)
    check(kernel(base.format(3.4 / 399 * steps)), x, rows(x, 0.01), 0.01, 50)


@pytest.mark.parametrize("steps", [0.31, 0.5, 0.9999, 1, 1.01, 2, 2.0001, 3.092, 40, 5000])
def test_overtones_of_any_period(steps):
    """Periods below a step, of a step, at twice the step, with all their overtones, and longer than the record."""
    x = times("regular", 150)
    for text in ("PER(1, 0.3, {})", "SE(1, 0.5)*PER(1, 0.5, {})"):
        check(kernel(text.format(3.4 / 149 * steps)), x, rows(x, 0.1), 0.1, 16)


@given(seeds)
@settings(max_examples=40)
def test_any_kernel_that_can_be_written_with_noise_that_varies(seed):
    """Values and noise at random, wild, or on the edges of their boxes."""
    posed = written_case(2 * (seed % 10_000))
    order = np.argsort(posed.X[:, 0], kind="stable")
    x, y, noise = posed.X[order, 0], posed.y[order], posed.noise.diagonal(posed.X[order])
    K = dense(posed.expr, x)
    # Beyond that neither is worth a digit.
    if known(posed.form) is None and np.diagonal(K).max() < 1e9 * noise.min():
        check(posed.expr, x, y, noise, (1, 7, 32, len(x))[seed % 4])


@pytest.mark.parametrize("text", LANGUAGE)
def test_values_beyond_doubt(text):
    """Against balls, whose rounding is enclosed: little noise, blocks of any size."""
    x, expr = times("irregular", 25), kernel(text)
    expr = unpack(expr, pack(expr))
    y = rows(x, 1e-6)
    exact = precise(expr, x[:, None], y, Constant(1e-6))
    for size in (1, 4, 25):
        found = forward(covariance(expr, x, 1e-6, size).matrix, y)
        assert found.value == pytest.approx(exact, rel=1e-8, abs=1e-5)


@pytest.mark.parametrize("s2", [1e-4, 0.1])
def test_agreement_with_durbin(s2):
    n, lag = 5000, np.arange(5000.0)
    x, rng = lag / 100, np.random.default_rng(0)
    expr = kernel("SE(1, 0.024) + SE(0.7, 0.72)*PER(1, 0.9, 0.24) + ROUGH(0.2, 0.05)")
    r = np.exp(-0.5 * (lag / 2.4) ** 2) + 0.7 * np.exp(-0.5 * (lag / 72) ** 2 - 2 * np.sin(np.pi * lag / 24) ** 2 / 0.81)
    r += 0.2 * np.exp(-lag / 5)
    r[0] += s2
    y = np.sin(2 * np.pi * lag / 24) + rng.normal(size=n)
    matrix = covariance(expr, x, s2, 64).matrix
    found = forward(matrix, y)
    assert found.value == pytest.approx(toeplitz_evidence(r, y), rel=0, abs=1e-6)
    assert len(links(found)) < len(matrix.blocks)


REGULAR = (
    "SE(1, 0.02)", "SE(1, 0.03)", "SE(1, 0.05)*PER(1, 0.8, 0.1)", "MATERN(1, 0.1)", "ROUGH(1, 0.05) + SE(0.3, 0.04)",
    "C(1)*ROUGH(1, 0.1)", "WN(0.3)", "WN(0.3) + ROUGH(1, 0.01)",
)  # fmt: skip


@pytest.mark.parametrize("text", REGULAR)
@pytest.mark.parametrize("kind", ["regular", "gapped"])
def test_blocks_that_have_settled_are_what_they_were_in_full(text, kind):
    x = times(kind, 1000)
    y = rows(x, 0.1)
    matrix = covariance(kernel(text), x, 0.1, 10).matrix
    found, full = forward(matrix, y), forward(in_full(matrix), y)
    assert len(links(full)) == len(matrix.blocks)
    assert len(links(found)) < len(matrix.blocks) - 3
    assert found.value == pytest.approx(full.value, rel=0, abs=1e-8)
    np.testing.assert_allclose(found.z, full.z, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.f, full.f, rtol=0, atol=1e-8 * (1 + np.abs(full.f).max()))


@pytest.mark.parametrize("size", [3, 16])
def test_blocks_do_not_settle_before_a_sharp_cycle_comes_back(size):
    """What blocks saw of S stood still for the six that make a period, of 99 steps by its alias: the value was 82 nats off."""
    x = times("regular", 100)
    expr = kernel("PER(1, 0.05, 0.034)")
    check(expr, x, rows(x, 0.01), 0.01, size)
    x = np.arange(400.0)
    check(kernel("PER(1, 0.05, 168)"), x, rows(x / 10, 0.01), 0.01, size)


def test_a_gate_that_is_open_for_long_settles():
    x = times("regular", 1200)
    expr = kernel("CHANGE(ROUGH(1, 0.05), SE(1, 0.05), location=0.1, width=0.0001)")
    matrix = covariance(expr, x, 0.1, 10).matrix
    y = rows(x, 0.1)
    found, full = forward(matrix, y), forward(in_full(matrix), y)
    assert len(links(found)) < 0.8 * len(matrix.blocks)
    assert found.value == pytest.approx(full.value, rel=0, abs=1e-8)


def test_factors_that_were_not_kept_change_nothing():
    x = times("irregular", 200)
    matrix, y = covariance(kernel("SE(1, 0.3)"), x, 0.1, 1).matrix, rows(x, 0.1)
    none = forward(replace(matrix, room=0.0), y)
    assert none.links == [None] * 4
    assert [(first, last) for first, last, _ in none.entries] == [(0, 64), (64, 128), (128, 192), (192, 200)]
    assert none.value == forward(matrix, y).value


@pytest.mark.parametrize("text", LANGUAGE)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_one_row_and_two(text, n):
    for x in (np.linspace(0, 1, n), np.full(n, 0.3)):
        for size in (1, 2, 5):
            check(kernel(text), x, rows(x, 0.1), 0.1, size)


@pytest.mark.parametrize("text", LANGUAGE)
def test_all_rows_at_one_time(text):
    x, noise = np.full(40, 0.3), np.exp(np.random.default_rng(0).normal(size=40))
    check(kernel(text), x, rows(x, 0.5), noise, 7)


@pytest.mark.parametrize("variance", [1e-8, 1e6])
@pytest.mark.parametrize("base", ["SE({}, 0.3)", "MATERN({}, 0.3)", "PER({}, 1, 0.3)", "LIN({}, 0.3)", "SPLINE({}, -1.8)"])
def test_small_and_large_amplitudes(base, variance):
    x = times("irregular", 60)
    check(kernel(base.format(variance)), x, rows(x, 0.5), 0.5, 7)


@pytest.mark.parametrize("base", ["SE(1, {})", "MATERN(1, {})", "ROUGH(1, {})", "SE(1, {})*PER(1, 2, 0.7)", "PER(1, 1, {})"])
@pytest.mark.parametrize("length", [1e-10, 1e-4, 1e4, 1e10])
def test_tiny_and_huge_lengthscales_and_periods(base, length):
    x = times("irregular", 60)
    # Phases of ten thousand turns are known to so many digits less; of more, to none that would be worth a test.
    turns = 1e4 if base.startswith("PER") and length < 1 else 1
    check(kernel(base.format(max(length, 1e-4) if turns > 1 else length)), x, rows(x, 0.1), 0.1, 7, 3e-13 * turns)


@pytest.mark.parametrize("place", [0, 23, 59])
@pytest.mark.parametrize("kind", TIMES)
def test_kernels_that_are_zero_at_a_row(place, kind):
    x = times(kind, 60)
    at = float(x[place])
    for text in (
        f"LIN(1, {at!r})*SE(1, 0.5)",
        f"WALK(1, {at!r}) + SPLINE(1, {at!r})",
        f"LIN(1, {at!r})*WN(0.3)",
        f"STEP(1, {at!r})*SE(1, 0.5) + KINK(1, {at!r})",
        f"SPELL(1, {at!r}, 1e-14)*PER(1, 1, 0.3)",
    ):
        check(kernel(text), x, rows(x, 0.01), 0.01, 7)


def test_nothing_is_told_of_a_matrix_that_is_not_positive_definite():
    x = times("irregular", 60)
    assert forward(covariance(kernel("SE(1000000, 5)"), x, 1e-14, 7).matrix, rows(x, 0.1)) is None
