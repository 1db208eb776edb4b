"""Periods that stand out are found among trends, wandering, gaps and harmonics; and fits start from them."""

import numpy as np
import pytest

from kernelscribe import Dataset, fit_kernel, parse
from kernelscribe.fit.hints import Hints
from kernelscribe.fit.periodogram import peaks, strongest
from kernelscribe.fit.starts import generator, starts
from kernelscribe.kernels import leaves, unpack
from kernelscribe.noises import Constant
from kernelscribe.scales import Extent


def found(x, y, most=4):
    return peaks(x, y, Extent.of(x), most)


@pytest.mark.parametrize("seed", range(5))
def test_a_cycle_under_a_trend_and_a_random_walk(seed):
    rng = np.random.default_rng(seed)
    x = np.arange(600.0)
    y = 0.05 * x + rng.normal(size=600).cumsum() + 3 * np.sin(2 * np.pi * x / 12)
    assert found(x, y)[0] == pytest.approx(12, rel=0.02)


def test_irregular_times_with_gaps_and_two_cycles():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 100, 3000))
    x = x[(x < 30) | (x > 45)]
    y = np.sin(2 * np.pi * x / 7) + 0.5 * np.sin(2 * np.pi * x / 0.5175) + 0.3 * rng.normal(size=len(x))
    best = found(x, y)
    assert any(p == pytest.approx(0.5175, rel=0.01) for p in best)
    assert any(p == pytest.approx(7, rel=0.03) for p in best)


def test_harmonics_are_left_to_their_fundamental():
    rng = np.random.default_rng(0)
    x = np.arange(400.0)
    y = np.where(x % 20 < 10, 1.0, 0.0) + 0.3 * rng.normal(size=400)
    periods = found(x, y)
    assert periods[0] == pytest.approx(20, rel=0.02)
    assert all(abs(20 / p - round(20 / p)) > 0.01 for p in periods[1:])


def test_a_slow_cycle_that_fills_its_neighbourhood_is_found_by_its_power():
    """Nine cycles of half a year beside days: the slow one is the strongest of all, and hidden among its own flanks."""
    rng = np.random.default_rng(0)
    x = np.arange(0, 1640, 1 / 8)
    y = np.sin(2 * np.pi * x / 182.6) + 0.6 * np.sin(2 * np.pi * x) + 0.3 * np.sin(4 * np.pi * x) + 0.5 * rng.normal(size=len(x))
    assert strongest(x, y, Extent.of(x)) == pytest.approx((182.6, 1.0), rel=0.03)


def test_too_few_rows_give_no_periods():
    x, y = np.arange(5.0), np.array([1.0, 2, 1, 2, 1])
    assert found(x, y) == strongest(x, y, Extent.of(x)) == ()


def test_every_other_start_takes_a_peak():
    rng = np.random.default_rng(0)
    x = np.arange(300.0)
    data = Dataset.of(x, np.sin(2 * np.pi * x / 12) + 0.1 * rng.normal(size=300))
    expr = parse("SE*PER")
    periods = {1: found(data.X[:, 0], data.y)}
    hints = Hints(periods, periods)
    points = starts(expr, None, data.extents, generator(0, expr), number=8, hints=hints, shown=Constant(1.0))
    drawn = [unpack(expr, point[:-1]) for point in points]
    values = [next(leaf.values[2] for leaf in leaves(each) if leaf.kind == "PER") for each in drawn]
    assert values[0] == values[4] == pytest.approx(periods[1][0])
    assert values[2] == pytest.approx(periods[1][1])
    assert values[6] == pytest.approx(periods[1][2])
    assert values[1] not in periods[1]


def test_a_short_period_among_thousands():
    """Random starts alone miss it; from the periodogram few are enough."""
    rng = np.random.default_rng(0)
    x = np.arange(1200.0)
    y = np.sin(2 * np.pi * x / 5.3) + 0.3 * rng.normal(size=1200)
    best = fit_kernel("PER", x, y, inducing=40, restarts=2)
    assert best.user.values[2] == pytest.approx(5.3, abs=0.005)
    lost = fit_kernel("PER", x, y, inducing=40, restarts=4, starts="paper")
    assert lost.bic.upper < best.bic.lower - 100
