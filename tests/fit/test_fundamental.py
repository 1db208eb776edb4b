"""Cycles of which only overtones stand out are found by what these have in common; where they share nothing, none is found."""

import numpy as np
import pytest

from kernelscribe import Dataset
from kernelscribe.effort import STANDARD
from kernelscribe.fit.fundamental import fundamentals
from kernelscribe.fit.hints import look

SPAN = 1600.0


@pytest.mark.parametrize("lower", [2, 3])
@pytest.mark.parametrize("period", [25.0, 171.0, 400.0])
def test_two_neighbouring_overtones_tell_their_cycle(period, lower):
    found = fundamentals([1.0, period / lower, period / (lower + 1)], SPAN)
    assert found == (pytest.approx(period),)


def test_a_comb_beside_the_days_tells_the_week():
    """Frequencies of 20/7, 27/7 and so on: far up, and none of them a neighbour of another."""
    periods = [7 / n for n in (20, 27, 34, 41, 16, 23)]
    rng = np.random.default_rng(0)
    seen = 1 / (1 / np.array(periods) + rng.uniform(-0.2, 0.2, len(periods)) / SPAN)
    assert fundamentals([0.5, 1.0, *seen], SPAN)[0] == pytest.approx(7, rel=1e-3)


def test_what_stands_out_itself_is_not_found_again():
    assert fundamentals([12.0, 6.0, 4.0], SPAN) == ()


def test_nothing_longer_than_half_the_span():
    assert fundamentals([500.0, 1000 / 3], 1900.0) == ()
    assert fundamentals([500.0, 1000 / 3], 2100.0) == (pytest.approx(1000),)


@pytest.mark.parametrize("periods", [(), (3.0,), (3.0, 3.0)])
def test_too_few_peaks_tell_nothing(periods):
    assert fundamentals(periods, SPAN) == ()


def test_peaks_at_random_make_few_combs():
    """Fast peaks lie on the teeth of some slow comb; that is no news unless there are far more of them than chance puts there."""
    rng = np.random.default_rng(1)
    combs = [found for _ in range(200) for found in fundamentals(1 / rng.uniform(1.0, 8.0, 8), SPAN) if found > 4.0]
    assert len(combs) <= 10


def cycle(x, period):
    """A pattern without its slowest wave."""
    turn = 2 * np.pi * x / period
    return np.cos(2 * turn) + np.cos(3 * turn + 1)


def test_hints_hold_it_where_rows_are_many():
    rng = np.random.default_rng(0)
    x = np.arange(4000.0)
    y = np.sin(2 * np.pi * x / 24) + 0.3 * cycle(x, 740.0) + 0.3 * rng.normal(size=len(x))
    data = Dataset.of(x, y)
    periods = [each * data.inputs[0].scale for each in look(data, data.y, STANDARD)[1]]
    assert any(each == pytest.approx(740, rel=0.03) for each in periods)
