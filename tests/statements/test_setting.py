"""What is known of an input before anything is fitted: how fine it is, how long it is, and which periods of the calendar show."""

import numpy as np
import pytest

from kernelscribe.data.axis import DAYS_A_YEAR, Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.statements.setting import Setting
from told_data import DATA, DAYS, PLAIN, SETTINGS, at

YEARS = (Axis("year", "years"),)


def periods(x, axes=DAYS):
    """Those of the calendar, in the units of x."""
    data = at(x, axes=axes)
    return [each * data.inputs[0].scale for each in Setting.of(data).calendar]


def test_days_over_two_years_show_the_week_the_month_and_the_year():
    assert periods(np.arange(732.0)) == pytest.approx([7, DAYS_A_YEAR / 12, DAYS_A_YEAR])


def test_hours_show_the_day_too():
    assert periods(np.arange(24 * 70) / 24) == pytest.approx([1, 7, DAYS_A_YEAR / 12])


def test_months_show_the_year_alone():
    assert periods(np.arange(60.0) / 12, YEARS) == pytest.approx([1])


def test_quarters_show_the_year_and_years_show_nothing():
    assert periods(np.arange(20.0) / 4, YEARS) == pytest.approx([1])
    assert periods(np.arange(20.0), YEARS) == []


def test_a_period_must_be_seen_twice():
    assert periods(np.arange(0.0, 14.0)) == []
    assert periods(np.arange(0.0, 15.0)) == pytest.approx([7])


def test_what_is_no_time_has_no_calendar():
    assert periods(np.arange(800.0), PLAIN) == []


def test_the_week_is_within_reach_of_days_of_which_a_fifth_is_left():
    """The median step is four days or more, half of which is beyond half a week; the closest rows are a day apart."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.choice(5113, size=893, replace=False)).astype(float)
    assert np.median(np.diff(x)) >= 4
    data = at(x)
    setting, day = Setting.of(data), 1 / data.inputs[0].scale
    assert setting.shortest == pytest.approx(2.5 * day)
    assert 7 * day in [pytest.approx(each) for each in setting.calendar]


def test_times_that_were_measured_twice_do_not_count_as_close():
    once, twice = SETTINGS["plain"], Setting.of(at(np.repeat(0.1 * np.arange(50), 2), axes=PLAIN))
    scales = DATA["plain"].inputs[0].scale, at(np.repeat(0.1 * np.arange(50), 2), axes=PLAIN).inputs[0].scale
    assert twice.shortest * scales[1] == pytest.approx(once.shortest * scales[0])
    jittered = 0.1 * np.arange(50)
    jittered = np.sort(np.concatenate([jittered, jittered + 1e-9]))
    data = at(jittered, axes=PLAIN)
    assert Setting.of(data).shortest * data.inputs[0].scale == pytest.approx(0.25, rel=1e-6)


def test_the_longest_period_is_half_of_the_span_and_steps_are_told_in_typical_ones():
    setting = SETTINGS["monthly"]
    assert setting.longest == pytest.approx(setting.extent.span / 2)
    assert setting.steps == pytest.approx(119)
    assert setting.rows == 120


@pytest.mark.parametrize("rows", [3, 4])
def test_the_fewest_rows_have_a_setting(rows):
    setting = Setting.of(at(np.arange(float(rows))))
    assert setting.shortest > 0 and setting.longest > 0 and setting.calendar == ()


def test_the_unit_of_time_makes_no_difference():
    days = Setting.of(Dataset.of(np.arange(900.0), np.arange(900.0) % 7, axes=DAYS))
    years = Setting.of(Dataset.of(np.arange(900.0) / DAYS_A_YEAR, np.arange(900.0) % 7, axes=YEARS))
    assert years.calendar == pytest.approx(days.calendar)
    assert years.shortest == pytest.approx(days.shortest)
