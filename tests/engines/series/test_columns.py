"""The kernel between any two blocks is U Ψ … Ψ Vᵀ, for every term of the language and any times."""

import numpy as np
import pytest
from hypothesis import given, settings

from battery import written_case
from cases import seeds
from kernelscribe.engines.series.blocks import cut, regular_step
from kernelscribe.engines.series.ingredients import known
from states import LANGUAGE, TIMES, covariance, dense, kernel, times


def carried(of):
    """The kernel off the diagonal blocks, by states; exactly within. There must be no noise."""
    matrix, n = of.matrix, len(of.t)
    found = np.zeros((n, n))
    for p in range(len(matrix.blocks)):
        rows, pieces = matrix.blocks.rows(p), matrix.pieces(p)
        found[rows, rows] = pieces.K
        state = pieces.V.T
        for q in range(p + 1, len(matrix.blocks)):
            later, to = matrix.pieces(q), matrix.blocks.rows(q)
            found[to, rows] = later.U @ state
            found[rows, to] = found[to, rows].T
            state = later.step.times(np.ascontiguousarray(state))
    return found


@pytest.mark.parametrize("kind", TIMES)
@pytest.mark.parametrize("text", LANGUAGE)
def test_states_are_the_kernel(text, kind):
    x, expr = times(kind, 30), kernel(text)
    expected = dense(expr, x)
    for size in (1, 7):
        found = carried(covariance(expr, x, 0.0, size))
        # Where the kernel is exactly zero columns are tiny instead.
        atol = max(2e-12 * np.abs(expected).max(), 1e-99)
        np.testing.assert_allclose(found, expected, rtol=0, atol=atol, err_msg=f"blocks of {size}")


@pytest.mark.parametrize("text", LANGUAGE)
@pytest.mark.parametrize("allowed", [1e-2, 1e-5, 1e-9])
def test_an_allowed_error_is_not_exceeded(text, allowed):
    """A term is off by twice that, at most: by lines that are left out, and by sums of exponentials."""
    x, expr = times("irregular", 40), kernel(text)
    of = covariance(expr, x, 0.0, 7, allowed)
    # A walk multiplies what stands beside it.
    largest = sum(float(of.form.term_diagonal(of.side, t).max()) for t in range(len(of.form.terms)))
    amplitudes = float((of.side.a**2).max(axis=1).sum())
    assert np.abs(carried(of) - dense(expr, x)).max() <= 2.1 * allowed * max(largest, amplitudes) + 1e-12


@given(seeds)
@settings(max_examples=100)
def test_states_are_any_kernel_that_can_be_written(seed):
    posed = written_case(2 * (seed % 10_000))
    if known(posed.form) is not None:
        return
    x = np.sort(posed.X[:, 0])[:40]
    expected = dense(posed.expr, x)
    of = covariance(posed.expr, x, 0.0, 1 + seed % 9)
    largest = sum(float(of.form.term_diagonal(of.side, t).max()) for t in range(len(of.form.terms)))
    # Among a million turns between two rows the last are off by as many units; what is nowhere is a tiny number in its columns.
    np.testing.assert_allclose(carried(of), expected, rtol=0, atol=1e-9 * largest + 1e-150)


@pytest.mark.parametrize("kind", TIMES)
@pytest.mark.parametrize("size", [1, 7, 50])
def test_no_distance_is_negative(kind, size):
    x = times(kind, 200)
    of = covariance(kernel("SE(1, 0.3)"), x, 0.1, size)
    for p in range(len(of.blocks)):
        ahead, back, delta = of.rows.distances(p)
        assert ahead.min() >= 0
        assert back.min() >= 0
        assert delta >= 0
        assert ahead[0] == 0


@pytest.mark.parametrize("text", LANGUAGE)
def test_a_transition_and_its_transpose(text):
    """Ψ X, ΨᵀX, Ψ S Ψᵀ and Ψᵀ S Ψ are products with one matrix."""
    of = covariance(kernel(text), times("irregular", 40), 0.1, 7, 1e-6)
    step, R, rng = of.matrix.pieces(1).step, of.columns.count, np.random.default_rng(0)
    psi, X, S = step.times(np.eye(R)), rng.normal(size=(R, 3)), rng.normal(size=(R, R))
    S = S @ S.T
    for got, expected in (
        (step.times(X), psi @ X), (step.transposed(X), psi.T @ X),
        (step.both(S), psi @ S @ psi.T), (step.both_transposed(S), psi.T @ S @ psi),
    ):  # fmt: skip
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * (1 + np.abs(expected).max()))


def test_a_column_stands_where_its_term_does():
    of = covariance(kernel("SE(1, 0.3) + PER(1, 1, 0.3) + LIN(1, 0)"), times("regular", 30), 0.1, 7)
    where = [of.columns.of_term(t) for t in range(3)]
    assert (where[0].start, where[0].stop, where[1].stop, where[2].stop) == (0, *np.cumsum([14, where[1].stop - 14, 1]))
    assert where[2].stop == of.columns.count


def test_times_on_a_grid_have_its_step():
    for kind, step in (("regular", 3.4 / 199), ("gapped", 3.4 / 399)):
        found, off = regular_step(times(kind, 200))
        assert found == pytest.approx(step, rel=1e-12)
        assert off < 1e-14
    for kind in ("irregular", "clustered", "nearly repeated", "repeated"):
        assert regular_step(times(kind, 200)) == (0.0, 0.0)
    assert regular_step(np.zeros(1)) == (0.0, 0.0)
    assert regular_step(np.zeros(3)) == (0.0, 0.0)


def test_a_time_that_is_off_the_grid_is_seen():
    x = np.linspace(-1.7, 1.7, 200)
    x[70] += 1e-8
    assert regular_step(x) == (0.0, 0.0)
    x[70] += 3e-13 - 1e-8
    step, off = regular_step(x)
    assert step > 0
    assert 3e-13 <= off < 4e-13


def test_blocks_are_alike_where_nothing_is_missing():
    found = cut(times("gapped", 200), 10)
    # The gap lies between blocks 9 and 10; the last leads nowhere.
    assert list(np.flatnonzero(~found.alike)) == [9, 19]
    assert not cut(times("irregular", 200), 10).alike.any()
    assert list(cut(times("regular", 25), 10).edges) == [0, 10, 20, 25]
