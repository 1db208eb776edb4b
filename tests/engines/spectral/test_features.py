"""Frequencies and weights against the kernels that they sum to, and which of them are kept."""

import dataclasses
import math
import tracemalloc

import numpy as np
import pytest

from kernelscribe.engines.lines import Cycle
from kernelscribe.engines.spectral import features as module
from kernelscribe.engines.spectral.features import FINENESS, LONGEST, blocks, heaviest, kept, square
from kernelscribe.engines.spectral.gram import gram, projections
from kernelscribe.engines.spectral.tables import Tables
from kernelscribe.engines.spectral.waves import Wave
from spectra import TEN, Problem, kernel, times

LAGS = np.linspace(-1, 1, 301)
ONE, TWO = (Cycle(0.7, 0.13),), (Cycle(0.7, 0.13), Cycle(1.2, 0.31))
INF = math.inf


@pytest.fixture(scope="module")
def tables():
    return Tables.of(times("irregular", 300), np.random.default_rng(0).normal(size=300))


def stationary(wave):
    exponent = -0.5 * (LAGS / wave.lengthscale) ** 2
    for cycle in wave.cycles:
        exponent = exponent - 2 * np.sin(np.pi * LAGS / cycle.period) ** 2 / cycle.lengthscale**2
    return wave.variance * np.exp(exponent)


def summed(block):
    return np.cos(2 * np.pi * np.multiply.outer(LAGS, block.xi)) @ block.w


@pytest.mark.parametrize("cycles", [(), ONE, TWO], ids=len)
@pytest.mark.parametrize("ell", [0.01, 0.1, 1.0, 1.6, LONGEST, np.nextafter(LONGEST, 9), 2.5, 40.0, 1e6, INF])
def test_waves_sum_to_the_kernel(tables, ell, cycles):
    """On the grid, on combs on either side of the longest lengthscale, and as lines."""
    wave = Wave(2.5, (), float(ell), cycles)
    (block,) = blocks([wave], tables, 1e-18)
    assert (block.at.dtype == np.int64) == (ell <= LONGEST or (not cycles and ell == INF))
    np.testing.assert_allclose(summed(block), stationary(wave), rtol=0, atol=1e-11)
    assert np.abs(block.at).max() <= tables.last
    assert block.rest <= 1e-14


def test_grid_and_combs_meet_at_the_longest_lengthscale(tables):
    """Values and derivatives of the weights, through what they do to the kernel."""
    found = [blocks([Wave(1.0, (), ell, ONE)], tables, 1e-18)[0] for ell in (LONGEST, float(np.nextafter(LONGEST, 9)))]
    for name in ("w", "lengthscale"):
        first, second = (np.cos(2 * np.pi * np.multiply.outer(LAGS, b.xi)) @ getattr(b, name) for b in found)
        np.testing.assert_allclose(first, second, atol=1e-11)


@pytest.mark.parametrize("ell", [0.02, 0.08, 1.1, 3.0, INF])
def test_derivatives_of_the_weights(tables, ell):
    wave, step = Wave(1.5, (), ell, TWO), 1e-5
    (block,) = blocks([wave], tables, 0.0)

    def at(**values):
        return blocks([dataclasses.replace(wave, **values)], tables, 0.0)[0]

    def slope(up, down):
        np.testing.assert_array_equal(up.at.shape, down.at.shape)
        return (up.w - down.w) / (2 * step)

    if ell < INF:
        up, down = at(lengthscale=ell * math.exp(step)), at(lengthscale=ell * math.exp(-step))
        shared = np.intersect1d(np.intersect1d(up.at, down.at), block.at)
        pick = [np.flatnonzero(np.isin(b.at, shared)) for b in (up, down, block)]
        np.testing.assert_allclose(
            block.lengthscale[pick[2]], (up.w[pick[0]] - down.w[pick[1]]) / (2 * step), atol=1e-8 * block.w.max()
        )
    for b in range(len(TWO)):
        moved = [
            at(
                cycles=tuple(
                    dataclasses.replace(c, lengthscale=c.lengthscale * math.exp(s * (i == b))) for i, c in enumerate(TWO)
                )
            )
            for s in (step, -step)
        ]
        np.testing.assert_allclose(block.shape[b], slope(*moved), atol=1e-8)
        up, down = (
            at(cycles=tuple(dataclasses.replace(c, period=c.period * math.exp(s * (i == b))) for i, c in enumerate(TWO)))
            for s in (step, -step)
        )
        if block.moves:
            np.testing.assert_allclose(block.moves[b], (up.xi - down.xi) / (2 * step), rtol=1e-6, atol=1e-6)
            np.testing.assert_array_equal(block.period[b], 0)
        else:
            shared = np.intersect1d(np.intersect1d(up.at, down.at), block.at)
            pick = [np.flatnonzero(np.isin(each.at, shared)) for each in (up, down, block)]
            difference = (up.w[pick[0]] - down.w[pick[1]]) / (2 * step)
            np.testing.assert_allclose(block.period[b][pick[2]], difference, atol=1e-4 * np.abs(difference).max())


@pytest.mark.parametrize("ell", [1e-2, 1e-3, 1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("cycles", [(), ONE], ids=len)
def test_what_the_tables_do_not_reach_is_in_the_rest(tables, ell, cycles):
    """A short lengthscale has waves beyond all tables; they cost no room, and none of the variance is lost or counted twice."""
    tracemalloc.start()
    (block,) = blocks([Wave(3.0, (), ell, cycles)], tables, 1e-18)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 4e8
    assert np.abs(block.at).max() <= tables.last
    assert block.w.sum() + block.rest == pytest.approx(3.0, rel=1e-12)
    assert block.w.sum() + block.rest >= 3.0 * (1 - 1e-15)


@pytest.mark.parametrize("period", [1e-3, 1e-5, 1e-9])
@pytest.mark.parametrize("ell", [0.2, 4.0, INF])
def test_overtones_beyond_the_tables_are_in_the_rest(tables, period, ell):
    (block,) = blocks([Wave(3.0, (), ell, (Cycle(0.5, period),))], tables, 1e-18)
    assert block.w.sum() + block.rest == pytest.approx(3.0, rel=1e-12)
    assert np.abs(block.at).max() <= tables.last
    assert block.rest > 0.1


@pytest.mark.parametrize("ell", [0.1, 4.0, INF])
def test_no_line_heavy_enough_leaves_everything_in_the_rest(tables, ell):
    (block,) = blocks([Wave(3.0, (), ell, ONE)], tables, 1.0)
    assert (len(block.w), block.rest) == (0, pytest.approx(3.0))
    (own,) = kept([block], 1.0, 0.1, 10)
    assert (len(own.w), own.rest) == (0, block.rest)


def test_lines_in_pieces_are_the_lines_at_once(tables, monkeypatch):
    wave = Wave(1.0, (0.3,), 0.05, TWO)
    (whole,) = blocks([wave], tables, 1e-18)
    monkeypatch.setattr(module, "_PAIRS", 1000)
    (pieces,) = blocks([wave], tables, 1e-18)
    np.testing.assert_array_equal(whole.at, pieces.at)
    for name in ("w", "lengthscale", "shape", "period"):
        np.testing.assert_allclose(getattr(whole, name), getattr(pieces, name), rtol=1e-9, atol=1e-15)
    assert whole.rest == pytest.approx(pieces.rest)
    monkeypatch.setattr(module, "_MOST_PAIRS", 5000)
    (fewer,) = blocks([wave], tables, 1e-18)
    assert fewer.w.sum() + fewer.rest == pytest.approx(1.0, rel=1e-12)
    assert fewer.rest > whole.rest


@pytest.mark.parametrize("text", TEN)
@pytest.mark.parametrize("tolerance, most", [(1.0, 10_000), (1e-3, 10_000), (1e-9, 10_000), (0.0, 10_000), (1e-9, 7), (1e9, 50)])
def test_kept_leaves_out_no_more_than_the_tolerance(text, tolerance, most):
    problem = Problem(kernel(text), times("gaps", 100), np.zeros(100), 0.01)
    every = blocks(problem.waves, problem.tables, 1e-18)
    chosen = kept(every, 0.01, tolerance, most)
    count, total = sum(len(b.w) for b in chosen), sum(len(b.w) for b in every)
    lost = sum((whole.w.sum() - own.w.sum()) * whole.size for whole, own in zip(every, chosen, strict=True)) / 0.01
    assert 1 <= count <= most
    assert count == min(most, total) or lost <= tolerance * (1 + 1e-9) + 1e-9
    for whole, own in zip(every, chosen, strict=True):
        assert own.w.sum() + own.rest == pytest.approx(whole.w.sum() + whole.rest, rel=1e-12)
    if 1 < count < most:
        lightest = min((b.w * b.size).min() for b in chosen if len(b.w)) / 0.01
        assert lost + lightest >= tolerance * (1 - 1e-9)


def test_the_same_frequency_twice_is_told_apart(tables):
    """Lines (1, 0) and (0, 2) of a cycle and one of twice its period stand on one frequency; one of them may be kept alone."""
    wave = Wave(1.0, (), INF, (Cycle(0.5, 0.25), Cycle(0.9, 0.5)))
    (block,) = blocks([wave], tables, 1e-18)
    assert len(np.unique(np.round(block.at, 6))) < len(block.at)
    (mask,) = heaviest([block], 1.0, 1e-2, 1000)
    rest = block.only(~mask)
    assert len(np.intersect1d(np.round(rest.at, 6), np.round(block.at[mask], 6)))
    assert block.w[mask].sum() + rest.w.sum() == pytest.approx(block.w.sum())


def test_size_is_the_sum_of_squares(tables):
    wave = Wave(1.0, (0.2, -3.0), 0.3, ())
    assert square(wave.polynomial, tables.moments) == pytest.approx(float(np.sum(((tables.u - 0.2) * (tables.u + 3)) ** 2)))


@pytest.mark.parametrize("text", TEN)
def test_inner_products(text):
    """Gram matrix and projections against features written out."""
    x = times("gaps", 120)
    problem = Problem(kernel(text), x, np.random.default_rng(1).normal(size=120), 0.1)
    tables = problem.tables
    found = kept(blocks(problem.waves, tables, 1e-12), 0.1, 1e-3, 60)
    columns = []
    for block in found:
        shape = np.polynomial.polynomial.polyval(tables.u, block.wave.polynomial)[:, None]
        angle = 2 * np.pi * np.multiply.outer(tables.u, block.at / FINENESS)
        columns += [shape * np.cos(angle), shape * np.sin(angle)]
    features = np.hstack(columns)
    scale = np.linalg.norm(features, axis=0)
    G, lower = gram(found, tables), np.tri(features.shape[1], dtype=bool)
    np.testing.assert_allclose(G[lower], (features.T @ features)[lower], atol=1e-12 * max(scale) ** 2)
    np.testing.assert_allclose(projections(found, tables), features.T @ tables.y, atol=1e-11 * max(scale))
