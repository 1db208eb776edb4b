"""What is measured on the posterior of a component is what is there."""

import numpy as np
import pytest

import analyses
from kernelscribe.data.axis import Axis
from kernelscribe.kernels.base import Role
from kernelscribe.report.compose import compose
from kernelscribe.report.description.periods import one_period
from kernelscribe.report.description.view import View
from kernelscribe.report.document import figures

DATES, YEARS = Axis("date", "days", "2021-01-01T00:00:00"), Axis("year", "years")
LEVEL = "C(variance=400)"


def view(kernel, x, y, axis=DATES, noise=0.25):
    return View(analyses.analysis(f"{LEVEL} + {kernel}", x, y, noise=noise, axes=(axis,)))


def seen(found, role):
    """Of the component that has a factor in that role."""
    return next(each.seen for each in found.subjects if each.has(role))


def noise(n, seed=0, sd=0.5):
    return sd * np.random.default_rng(seed).normal(size=n)


X = np.arange(400.0)


def test_a_jump_has_its_size_and_the_first_row_that_is_different():
    found = view("STEP(variance=400, location=199.5)", X, 10 + 40 * (X >= 200) + noise(400))
    event = seen(found, Role.STEP).event
    assert event.first == 200
    assert event.rows == 200
    assert abs(event.size.value - 40) < 4 * event.size.error
    assert 0.03 < event.size.error < 0.07, "0.5·√(2/200)"


def test_a_while_has_its_size_and_both_ends():
    y = 10 - 12 * ((X >= 100) & (X < 160)) + noise(400)
    event = seen(view("SPELL(variance=100, location=129.5, width=60)", X, y), Role.SPELL).event
    assert (event.first, event.last, event.rows) == (100, 159, 60)
    assert abs(event.size.value + 12) < 4 * event.size.error


def test_a_single_row_has_one_row():
    event = seen(view("SPELL(variance=900, location=90, width=1)", X, 10 + 35 * (X == 90) + noise(400)), Role.SPELL).event
    assert (event.first, event.last, event.rows) == (90, 90, 1)
    assert abs(event.size.value - 35) < 4 * event.size.error


def test_a_kink_has_the_change_of_the_slope_and_the_slope_before_it():
    y = 0.05 * X - 0.08 * np.maximum(X - 250, 0) + noise(400)
    event = seen(view("LIN(variance=0.01, location=200) + KINK(variance=0.01, location=250)", X, y), Role.KINK).event
    assert abs(event.size.value + 0.08) < 4 * event.size.error
    assert event.before == pytest.approx(0.05, abs=0.003)
    assert event.first == 251


def test_a_cycle_has_its_highest_and_its_lowest_place():
    y = 10 + 3 * np.sin(2 * np.pi * (X - 1) / 7) + noise(400, sd=0.1)
    swing = seen(view("CYCLE(variance=5, lengthscale=1, period=7)", X, y, noise=0.01), Role.CYCLE).swing
    assert (swing.high.place - 1) % 7 in (1, 2) and (swing.low.place - 1) % 7 in (5, 6)
    assert X[-1] - 7 < swing.low.place <= X[-1] and X[-1] - 7 < swing.high.place <= X[-1]
    assert swing.last == pytest.approx(swing.first, abs=1e-6)
    assert swing.last == pytest.approx(3 * np.sin(2 * np.pi * 2 / 7), abs=0.1)
    assert swing.step == 1


def test_a_cycle_that_grows_has_both_sizes():
    x = 1960 + np.arange(480) / 12
    y = (1 + (x - 1960) / 10) * np.sin(2 * np.pi * x) + noise(480, sd=0.1)
    kernel = "LIN(variance=0.01, location=1950)*CYCLE(variance=1, lengthscale=2, period=1)"
    swing = seen(view(kernel, x, y, YEARS, 0.01), Role.CYCLE).swing
    assert swing.first == pytest.approx(1.05, abs=0.15)
    assert swing.last == pytest.approx(4.9, abs=0.15)


@pytest.mark.parametrize("rows", [30, 400])
def test_a_cycle_of_which_the_data_hold_no_whole_period_has_no_highest_place(rows):
    y = np.sin(X[:rows] / 200) + noise(rows)
    assert seen(view("CYCLE(variance=1, lengthscale=1, period=500)", X[:rows], y), Role.CYCLE).swing is None


def test_rows_far_apart_leave_the_places_of_a_cycle_evenly_spaced():
    x = np.sort(np.random.default_rng(2).uniform(0, 3650, 300))
    y = np.cos(2 * np.pi * (x - 120) / 365.2425) + noise(300, sd=0.1)
    swing = seen(view("CYCLE(variance=1, lengthscale=2, period=365.2425)", x, y, noise=0.01), Role.CYCLE).swing
    assert (swing.high.place - 120) % 365.2425 < 15 or (swing.high.place - 120) % 365.2425 > 350
    assert swing.step == pytest.approx(365.2425 / 96)


def test_a_trend_has_its_turns():
    x = 1960 + np.arange(480) / 12
    y = 20 * np.sin((x - 1960) / 12) + noise(480, sd=0.3)
    found = seen(view("SPLINE(variance=0.5, location=1900)", x, y, YEARS, 0.1), Role.BEND)
    assert [np.sign(leg.change) for leg in found.legs] == [1, -1]
    assert found.legs[0].stop == pytest.approx(1960 + 6 * np.pi, abs=0.8)
    assert found.ends[0] == pytest.approx(20 / 12, abs=0.1)
    assert sum(leg.change for leg in found.legs) == pytest.approx(found.slope.value * (x[-1] - x[0]), rel=1e-3)


def test_departures_have_the_size_that_they_have_in_the_data():
    rng, y = np.random.default_rng(3), np.zeros(400)
    for i in range(1, 400):
        y[i] = 0.9 * y[i - 1] + np.sqrt(1 - 0.81) * 2 * rng.normal()
    found = seen(view("ROUGH(variance=4, lengthscale=9.49)", X, y + noise(400, 4), noise=0.25), Role.ROUGH)
    assert found.size == pytest.approx(np.std(y), rel=0.1)


@pytest.mark.parametrize(
    ("period", "days", "first"), [(7.0, 7, 0.0), (365.2425, 365, 0.0), (30.4, None, None), (20.0, None, None)]
)
def test_a_cycle_of_the_calendar_is_drawn_over_one_period(period, days, first):
    x = np.arange(900.0)
    y = np.sin(2 * np.pi * x / period) + noise(900)
    found = view(f"CYCLE(variance=1, lengthscale=1, period={period})", x, y)
    told = one_period(found, 0)
    if days is None:
        assert told is None
        return
    assert told.days == days
    assert told.since[0] == pytest.approx(first, abs=days / 90)
    assert np.all(np.diff(told.since) > 0) and told.since[-1] < days
    assert np.ptp(told.places) < period
    spec = next(each.spec for each in figures(compose(found.findings)) if each.id == "part-1-period")
    assert len(spec["datasets"]["curve"]) == len(told.places)


def test_a_rule_stands_where_something_happens():
    found = view("STEP(variance=400, location=199.5)", X, 10 + 40 * (X >= 200) + noise(400))
    spec = next(each.spec for each in figures(compose(found.findings)) if each.id == "part-1-alone")
    assert len(spec["datasets"]["marks"]) == 1
