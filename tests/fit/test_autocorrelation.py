"""Lags after which a series repeats itself: few cycles under a trend, uneven times, and nothing where nothing repeats."""

import numpy as np
import pytest

from kernelscribe import Config, Dataset
from kernelscribe.fit.autocorrelation import repeats
from kernelscribe.fit.ladder import Ladder


def wave(x, period, rng, noise=0.3):
    """A cycle under a trend, with noise."""
    x = x / np.ptp(x)
    return 5 * x + np.sin(2 * np.pi * x / period) + noise * rng.normal(size=len(x))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [60, 300, 3000])
def test_four_cycles_under_a_trend(n, seed):
    x = np.arange(float(n))
    y = wave(x, 0.25, np.random.default_rng(seed))
    assert repeats(x, y)[0] == pytest.approx(0.25 * n, rel=0.1)


def test_uneven_times_with_a_gap():
    """Many cells are empty then, so that not every one of a hundred series shows it, but most do."""
    seen = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x = np.sort(rng.uniform(0, 100, 500))
        x = x[(x < 40) | (x > 48)]
        seen += any(lag == pytest.approx(0.25 * np.ptp(x), rel=0.1) for lag in repeats(x, wave(x, 0.25, rng)))
    assert seen >= 85


@pytest.mark.parametrize("n", [500, 1000, 5000])
def test_nothing_in_noise(n):
    """From some hundred rows on: with fewer, chance alone reaches any correlation worth looking at."""
    x = np.arange(float(n))
    assert sum(repeats(x, np.random.default_rng(seed).normal(size=n)) != () for seed in range(100)) <= 8


def test_nothing_in_a_line_nor_in_few_rows():
    x = np.arange(600.0)
    assert repeats(x, 3 - 2 * x + 1e-3 * np.random.default_rng(0).normal(size=600)) == ()
    assert repeats(x[:20], np.sin(x[:20])) == ()


def test_multiples_of_a_lag_are_left_out():
    x = np.arange(600.0)
    found = repeats(x, np.sin(2 * np.pi * x / 60) + 0.1 * np.random.default_rng(0).normal(size=600))
    assert found[0] % 60 == pytest.approx(0, abs=2)
    assert all(abs(other / found[0] - round(other / found[0])) > 0.04 for other in found[1:])


def test_units_and_order_do_not_matter():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 100, 300))
    y = wave(x, 0.25, rng)
    mixed = rng.permutation(300)
    assert repeats(7 * x - 3, 2 * y + 5) == pytest.approx([7 * lag for lag in repeats(x, y)])
    assert repeats(x[mixed], y[mixed]) == pytest.approx(repeats(x, y))


def test_hints_hold_peaks_and_repeats_each_once():
    rng = np.random.default_rng(0)
    x = np.arange(300.0)
    y = wave(x, 0.25, rng) + 2 * np.sin(2 * np.pi * x / 7)
    data = Dataset.of(x, y)
    periods = np.array(Ladder.of(data, Config()).target[1]) * data.inputs[0].scale
    assert any(period == pytest.approx(7, rel=0.03) for period in periods)
    assert any(period == pytest.approx(75, rel=0.1) for period in periods)
    apart = np.abs(periods[:, None] / periods[None] - 1) + np.eye(len(periods))
    assert apart.min() > 0.02
