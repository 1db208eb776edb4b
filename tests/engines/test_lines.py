"""Lines against the cycles that they sum to."""

import numpy as np
import pytest

from kernelscribe.engines import lines as module
from kernelscribe.engines.lines import Cycle, heavier, lines

LAGS = np.linspace(-1, 1, 201)


def cycles(*each):
    return tuple(Cycle(*one) for one in each)


def cosines(found, lags=LAGS):
    return np.cos(2 * np.pi * np.multiply.outer(lags, found.nu)) @ found.weight


def cycle(lengthscale, period, lags=LAGS):
    return np.exp(-2 * np.sin(np.pi * lags / period) ** 2 / lengthscale**2)


@pytest.mark.parametrize("lengthscale", [0.03, 0.1, 0.5, 1.0, 3.0, 100.0])
@pytest.mark.parametrize("floor", [1e-18, 1e-10, 1e-3])
def test_one_cycle(lengthscale, floor):
    found = lines(cycles((lengthscale, 0.37)), floor)
    assert found.weight.min() > floor
    assert found.weight.sum() + found.rest == pytest.approx(1.0, abs=1e-13)
    np.testing.assert_allclose(cosines(found), cycle(lengthscale, 0.37), atol=found.rest + 1e-12)
    np.testing.assert_allclose(found.nu, found.number[:, 0] / 0.37)


@pytest.mark.parametrize("periods", [(0.37, 0.11), (0.5, 0.25), (0.3, 0.3), (0.4, 0.2, 0.1)])
def test_cycles_that_multiply(periods):
    """Also where the period of one is a multiple of another's, so that lines fall together."""
    scales = (0.6, 1.1, 2.0)[: len(periods)]
    found = lines(cycles(*zip(scales, periods, strict=True)), 1e-15)
    assert found.weight.sum() + found.rest == pytest.approx(1.0, abs=1e-12)
    product = np.prod([cycle(scale, period) for scale, period in zip(scales, periods, strict=True)], axis=0)
    np.testing.assert_allclose(cosines(found), product, atol=1e-11)


def test_slopes_are_derivatives_in_the_logarithm_of_the_lengthscale():
    periods, scales, step = (0.37, 0.11), np.array([0.6, 1.1]), 1e-5
    found = lines(cycles(*zip(scales, periods, strict=True)), 0.0)
    for b in range(2):
        move = np.exp(step * np.eye(2)[b])
        up, down = (lines(cycles(*zip(s, periods, strict=True)), 0.0) for s in (scales * move, scales / move))
        np.testing.assert_array_equal(up.number, down.number)
        np.testing.assert_allclose(found.slope[:, b], (up.weight - down.weight) / (2 * step), atol=1e-9)


@pytest.mark.parametrize("lengthscale", [0.1, 1.0, 30.0])
def test_a_centred_cycle_has_no_constant_and_variance_one(lengthscale):
    found = lines(cycles((lengthscale, 0.37, True)), 1e-18)
    assert 0 not in found.number
    assert found.weight.sum() == pytest.approx(1.0)
    plain = cycle(lengthscale, 0.37)
    constant = float(lines(cycles((lengthscale, 0.37)), 1e-18).weight[lines(cycles((lengthscale, 0.37)), 1e-18).nu == 0][0])
    np.testing.assert_allclose(cosines(found), (plain - constant) / (1 - constant), atol=1e-9)


def test_without_cycles_there_is_one_line():
    found = lines(cycles(), 1e-10)
    assert (found.nu.tolist(), found.weight.tolist(), found.rest) == ([0.0], [1.0], 0.0)


def test_too_many_lines_are_cut_at_the_light_end(monkeypatch):
    """What is cut is counted, and a line goes with its negative."""
    monkeypatch.setattr(module, "_MOST_LINES", 50)
    monkeypatch.setattr(module, "_MOST_PAIRS", 400)
    found = lines(cycles((0.3, 0.37), (0.4, 0.11), (0.5, 0.045)), 1e-18)
    assert len(found.nu) <= 50
    assert found.weight.sum() + found.rest == pytest.approx(1.0, abs=1e-12)
    assert sorted(map(tuple, found.number.tolist())) == sorted(map(tuple, (-found.number).tolist()))
    monkeypatch.undo()
    whole = lines(cycles((0.3, 0.37), (0.4, 0.11)), 1e-18)
    few = heavier(whole, 31)
    assert len(few.nu) <= 31
    assert few.weight.min() >= np.sort(whole.weight)[-32]
    assert few.weight.sum() + few.rest == pytest.approx(1.0, abs=1e-12)


def test_three_sharp_cycles_fit_into_memory():
    found = lines(cycles((0.03, 0.37), (0.03, 0.11), (0.03, 0.045)), 1e-18)
    assert len(found.nu) <= 60_000
    assert found.weight.sum() + found.rest == pytest.approx(1.0, abs=1e-9)
