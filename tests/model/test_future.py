"""Where a series goes on: numbers by their step, dates by the calendar."""

from calendar import monthrange
from datetime import datetime, timedelta

import numpy as np
import pytest

from kernelscribe.data.axis import Axis
from kernelscribe.model.future import future, rhythm, stamps

ORIGIN = datetime(2000, 1, 1)
DATED = Axis("date", "days", ORIGIN.isoformat())
NUMBERS = Axis("x")
YEARS = Axis("year", "years")


def days(*dates):
    """Dates, as "2020-02-29" or with an hour, as days from the origin."""
    return np.array([(datetime.fromisoformat(date) - ORIGIN).total_seconds() / 86400 for date in dates])


def monthly(first, count, day, step=1):
    """The dates of a day in every so many months, or of the month's last where it has no such day."""
    year, month = (int(part) for part in first.split("-"))
    found = []
    for k in range(0, count * step, step):
        y, m = divmod(year * 12 + month - 1 + k, 12)
        found.append(f"{y:04d}-{m + 1:02d}-{min(day, monthrange(y, m + 1)[1]):02d}")
    return found


@pytest.mark.parametrize("day", [1, 15, 28, 29, 30, 31])
@pytest.mark.parametrize("step", [1, 3, 6, 12])
@pytest.mark.parametrize("count", range(14, 27))
def test_a_day_of_the_month_is_kept(day, step, count):
    """Wherever the series ends, also in February or a month of thirty days, and through leap years."""
    dates = monthly("2018-03", count + 20, day, step)
    x = days(*dates[:count])
    assert rhythm(np.unique(x), DATED) == step
    assert stamps(future(x, DATED, 20), DATED) == dates[count:]


def test_ends_of_months_stay_ends_of_months():
    """From a February of a common year to one of a leap year."""
    x = days("2023-02-28", "2023-03-31", "2023-04-30")
    assert stamps(future(x, DATED, 11), DATED)[-3:] == ["2024-01-31", "2024-02-29", "2024-03-31"]
    yearly = days("2021-02-28", "2022-02-28", "2023-02-28")
    assert stamps(future(yearly, DATED, 2), DATED) == ["2024-02-29", "2025-02-28"]


def test_the_28th_is_no_end_of_a_month_where_months_have_more():
    x = days("2022-12-28", "2023-01-28", "2023-02-28")
    assert stamps(future(x, DATED, 2), DATED) == ["2023-03-28", "2023-04-28"]


def test_missing_months_do_not_break_the_rhythm():
    dates = monthly("2015-01", 60, 1)
    x = days(*(date for i, date in enumerate(dates) if i not in (3, 4, 17, 18, 19, 40)))
    assert rhythm(x, DATED) == 1
    assert stamps(future(x, DATED, 3), DATED) == ["2020-01-01", "2020-02-01", "2020-03-01"]


def test_an_hour_of_the_day_is_kept():
    x = days("2020-01-31 06:30:00", "2020-02-29 06:30:00", "2020-03-31 06:30:00")
    assert stamps(future(x, DATED, 2), DATED) == ["2020-04-30 06:30:00", "2020-05-31 06:30:00"]


@pytest.mark.parametrize(("dates", "after"), [
    (["2024-02-27", "2024-02-28"], ["2024-02-29", "2024-03-01"]),
    (["2024-12-16", "2024-12-23", "2024-12-30"], ["2025-01-06", "2025-01-13"]),
    (["2024-12-31 21:00:00", "2024-12-31 22:00:00"], ["2024-12-31 23:00:00", "2025-01-01 00:00:00"]),
    (["2024-12-31 23:59:58", "2024-12-31 23:59:59"], ["2025-01-01 00:00:00", "2025-01-01 00:00:01"]),
])  # fmt: skip
def test_days_weeks_hours_and_seconds_go_on(dates, after):
    assert rhythm(days(*dates), DATED) is None
    assert stamps(future(days(*dates), DATED, 2), DATED) == after


def test_hours_stay_on_the_hour_for_long():
    x = np.arange(24 * 400) / 24
    assert stamps(future(x, DATED, 2000), DATED)[-1] == (ORIGIN + timedelta(hours=24 * 400 + 1999)).isoformat(sep=" ")


@pytest.mark.parametrize("dates", [
    ["2020-01-01", "2020-02-01", "2020-03-02", "2020-04-01"],
    ["2020-01-15", "2020-02-29", "2020-03-15", "2020-04-30"],
    ["2020-01-01", "2020-03-01", "2020-05-01", "2020-06-01"],
    ["2020-01-01 00:00:00", "2020-02-01 00:00:00", "2020-03-01 12:00:00"],
    ["2020-01-01", "2020-01-29", "2020-02-26", "2020-03-25"],
])  # fmt: skip
def test_what_keeps_to_no_day_goes_on_by_its_typical_step(dates):
    x = days(*dates)
    assert rhythm(x, DATED) is None
    np.testing.assert_allclose(future(x, DATED, 3), x[-1] + np.median(np.diff(x)) * np.arange(1, 4))


def test_the_calendar_has_an_end():
    """Months stop there; days stay on its last."""
    x = days(*monthly("9998-07", 14, 1))
    assert stamps(future(x, DATED, 12), DATED) == ["9999-09-01", "9999-10-01", "9999-11-01", "9999-12-01"]
    assert future(days(*monthly("9998-01", 24, 31)), DATED, 5).shape == (0,)
    beyond = future(days("9999-12-29", "9999-12-30"), DATED, 3)
    assert [stamp[:10] for stamp in stamps(beyond, DATED)] == ["9999-12-31"] * 3


def test_numbers_go_on_by_their_step_in_any_order_and_with_gaps():
    rng = np.random.default_rng(0)
    x = rng.permutation(np.repeat(np.delete(np.arange(5.0, 25.0), [3, 4, 11]), 2))
    assert future(x, NUMBERS, 3).tolist() == [25.0, 26.0, 27.0]


def test_irregular_numbers_go_on_by_their_median_step():
    x = np.array([0.0, 1.0, 1.5, 4.0, 4.5, 5.0])
    np.testing.assert_allclose(future(x, NUMBERS, 2), [5.5, 6.0])


def test_decimal_years_go_on_in_months():
    x = 1990 + np.arange(120) / 12
    found = stamps(future(x, YEARS, 12), YEARS)
    np.testing.assert_allclose(found, 2000 + np.arange(12) / 12, atol=1e-8)
    assert found[0] == 2000.0
    assert found[3] == 2000.25


@pytest.mark.parametrize(("x", "axis", "steps"), [
    (np.arange(101.0), NUMBERS, 10),
    (np.arange(4.0), NUMBERS, 1),
    (np.array([0.0, 1.0]), NUMBERS, 1),
    (days(*monthly("2010-01", 121, 1)), DATED, 12),
])  # fmt: skip
def test_a_tenth_of_the_range_by_default(x, axis, steps):
    assert len(future(x, axis)) == steps


@pytest.mark.parametrize(("x", "shown"), [
    ([0.1 + 0.2, 1.1 * 3], [0.3, 3.3]),
    ([-0.2, -0.1, -0.1 + 0.1 * (1 + 1e-15)], [-0.2, -0.1, 0.0]),
    ([1e-12, 2e-12], [1e-12, 2e-12]),
    ([1_700_000_000.25, 1_700_000_000.5], [1_700_000_000.25, 1_700_000_000.5]),
    ([1e300], [1e300]),
    ([0.0], [0.0]),
    ([], []),
])  # fmt: skip
def test_numbers_are_shown_without_the_digits_of_rounding(x, shown):
    assert stamps(np.array(x, dtype=float), NUMBERS) == shown


def test_dates_are_shown_with_an_hour_only_where_one_has_it():
    assert stamps(days("2020-01-01", "2020-01-02"), DATED) == ["2020-01-01", "2020-01-02"]
    assert stamps(days("2020-01-01", "2020-01-02 12:00:00"), DATED) == ["2020-01-01 00:00:00", "2020-01-02 12:00:00"]


@pytest.mark.parametrize("origin", ["2004-01-01T00:00:00", "1850-06-30T12:34:56", "0001-01-01T00:00:00"])
def test_many_stamps_are_those_of_one_by_one(origin):
    """To the second, halves to even, and the calendar's ends where numbers lead beyond them."""
    axis = Axis("t", "days", origin)
    x = np.concatenate([np.random.default_rng(0).uniform(-3e5, 3e6, 200), [0.5 / 86400, 1.5 / 86400, 4e6, -4e6, 1e300]])
    assert stamps(x, axis) == [axis.date(float(each)).isoformat(sep=" ") for each in x]
