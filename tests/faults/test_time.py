"""Faults of times, one test a fault or more, named by the number it has in the project's list of faults."""

import numpy as np
import pandas as pd
import pytest

from faces import refused, sentences
from kernelscribe import DataError
from kernelscribe.data import Axis, from_frame, read

N = 12


def save(path, times, name="time"):
    path.write_text("\n".join([f"{name},y", *(f"{time},{i * i % 7}" for i, time in enumerate(times))]))
    return path


def days(data):
    return data.X[:, 0] * data.inputs[0].scale + data.inputs[0].centre


def told(data, kind):
    return sentences(data, kind)


@pytest.mark.parametrize(
    ("times", "origin", "numbers"),
    [
        ([f"2020-01-{i + 1:02d}" for i in range(N)], "2020-01-01T00:00:00", np.arange(N)),
        ([f"2020-01-01T{i:02d}:30" for i in range(N)], "2020-01-01T00:30:00", np.arange(N) / 24),
        ([f"2020-01-01 00:00:{i:02d}.5" for i in range(N)], "2020-01-01T00:00:00.500000", np.arange(N) / 86400),
        ([f"2021-{i + 1:02d}" for i in range(4)], "2021-01-01T00:00:00", [0, 31, 59, 90]),
        (["2020Q1", "2020Q2", "2020-Q3", "2020-Q4"], "2020-01-01T00:00:00", [0, 91, 182, 274]),
        (["1 Jan 2020", "2 Jan 2020", "1 Feb 2020"], "2020-01-01T00:00:00", [0, 1, 31]),
        (["20200131", "20200229", "20200331"], "2020-01-31T00:00:00", [0, 29, 60]),
    ],
)
def test_fault_21_dates_become_days_from_the_first(tmp_path, times, origin, numbers):
    data = read(save(tmp_path / "a.csv", times))
    assert data.axes == (Axis("time", "days", origin),)
    np.testing.assert_allclose(days(data), numbers, atol=1e-11)
    assert data.axes[0].date(float(numbers[1])).isoformat() == data.axes[0].date(float(days(data)[1])).isoformat()


@pytest.mark.parametrize("name", ["when", "Datum", "x"])
def test_fault_21_whole_numbers_that_are_all_dates_are_dates_wherever_they_stand(tmp_path, name):
    """Out of order, more than once, in a column whose name says nothing, behind another one."""
    written = [20240115, 20231231, 20240115, 20240229, 20240301]
    lines = [f"k,{name},y", *(f"{i % 2},{each},{i * i}" for i, each in enumerate(written))]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    frame = pd.DataFrame({"k": [0, 1, 0, 1, 0], name: written, "y": [0, 1, 4, 9, 16]})
    for data in (read(tmp_path / "a.csv"), from_frame(frame)):
        assert data.axes == (Axis(name, "days", "2023-12-31T00:00:00"),)
        np.testing.assert_allclose(days(data), [15, 0, 15, 60, 61], atol=1e-11)
        assert any(
            f"The numbers of {name} were taken for dates written as year, month and day" in each for each in told(data, "guess")
        )
    assert read(tmp_path / "a.csv", date_format="number").axes == (Axis("k"), Axis(name))


@pytest.mark.parametrize("other", [20240230, 20241301, 20240100, 18991231, 21010101, 20240115.5])
def test_fault_21_whole_numbers_of_which_one_is_no_date_are_numbers(tmp_path, other):
    lines = ["k,x,y", *(f"{i % 2},{each},{i * i}" for i, each in enumerate([20240115, 20231231, other, 20240229]))]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    assert read(tmp_path / "a.csv").axes == (Axis("k"), Axis("x"))


def test_fault_21_a_number_among_dates_that_is_none_is_named(tmp_path):
    path = save(tmp_path / "a.csv", [20240201 + i for i in range(30)])
    says = "line 31, column time: 20240230 is not a date, as the others are: correct it, or give --date-format number"
    with refused(says):
        read(path)
    assert read(path, date_format="number").axes == (Axis("time"),)


def test_fault_21_years_stay_years(tmp_path):
    data = read(save(tmp_path / "a.csv", range(1990, 1990 + N), "year"))
    assert data.axes == (Axis("year", "years"),)
    np.testing.assert_allclose(days(data), np.arange(1990, 1990 + N))


def test_fault_21_the_first_date_is_that_of_the_rows_that_are_kept(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("date,y\n2020-01-01,\n2020-01-05,1\n2020-01-03,2\n2020-01-04,4\n")
    assert read(path).axes[0].origin == "2020-01-03T00:00:00"


def test_fault_22_offsets_become_utc_and_are_told(tmp_path):
    mixed = read(save(tmp_path / "a.csv", ["2020-03-29T01:00+01:00", "2020-03-29T03:00+02:00", "2020-03-29T02:00Z"]))
    np.testing.assert_allclose(days(mixed), np.array([0, 1, 2]) / 24, atol=1e-12)
    assert mixed.axes[0].origin == "2020-03-29T00:00:00"
    assert "The times of time have offsets from UTC and were all converted to UTC." in told(mixed, "repair")
    with pytest.raises(
        DataError, match=r"line 3, column time: '2020-03-29T03:00' has no offset from UTC, though other cells have"
    ):
        read(save(tmp_path / "a.csv", ["2020-03-29T01:00+01:00", "2020-03-29T03:00", "2020-03-29T02:00Z"]))


def test_fault_23_ambiguous_days_and_months(tmp_path):
    path = save(tmp_path / "a.csv", [f"0{i + 1}/02/2020" for i in range(9)])
    with refused(r"line 2, column time: '01/02/2020' may be .*: give --date-format, as in %d/%m/%Y"):
        read(path)
    np.testing.assert_allclose(days(read(path, date_format="%d/%m/%Y")), np.arange(9), atol=1e-12)
    assert days(read(path, date_format="%m/%d/%Y")).max() == 244
    sure = read(save(tmp_path / "a.csv", [f"{i + 10}/02/2020" for i in range(9)]))
    np.testing.assert_allclose(days(sure), np.arange(9), atol=1e-12)
    assert any("read as day, month, year, which fits every row" in text for text in told(sure, "guess"))


@pytest.mark.parametrize(
    ("ticks", "words"), [(1, "seconds"), (10**3, "milliseconds"), (10**6, "microseconds"), (10**9, "nanoseconds")]
)
def test_fault_24_counts_from_1970_with_a_unit_that_is_told(tmp_path, ticks, words):
    data = read(save(tmp_path / "a.csv", [(1_700_000_000 + 7 * i) * ticks for i in range(N)], "ts"))
    assert data.axes == (Axis("ts", "days", "2023-11-14T22:13:20"),)
    np.testing.assert_allclose(days(data) * 86400, 7 * np.arange(N), atol=1e-6)
    assert f"The numbers of ts were taken for {words} from 1970 on; --date-format number leaves them as they are." in told(
        data, "guess"
    )


def test_fault_24_nanoseconds_keep_their_digits(tmp_path):
    data = read(save(tmp_path / "a.csv", [1_700_000_000_000_000_000 + 100 * i for i in range(N)], "ts"))
    np.testing.assert_allclose(days(data) * 86400e9, 100 * np.arange(N), atol=1e-3)


@pytest.mark.parametrize("year", [1, 1066, 1492, 1676, 2263, 9990])
def test_fault_25_years_that_nanoseconds_cannot_hold(tmp_path, year):
    data = read(save(tmp_path / "a.csv", [f"{year + i:04d}-07-14" for i in range(9)]))
    assert data.axes == (Axis("time", "days", f"{year:04d}-07-14T00:00:00"),)
    assert data.axes[0].date(float(days(data)[-1])).year == year + 8


def test_fault_26_leap_days_leap_seconds_and_serial_days(tmp_path):
    leap = read(save(tmp_path / "a.csv", ["2020-02-28", "2020-02-29", "2020-03-01"]))
    np.testing.assert_allclose(days(leap), [0, 1, 2], atol=1e-12)
    with pytest.raises(DataError, match="line 3, column time: '2019-02-29' is not a date"):
        read(save(tmp_path / "a.csv", ["2019-02-28", "2019-02-29", "2019-03-01"]))
    second = read(save(tmp_path / "a.csv", ["2016-12-31 23:59:58", "2016-12-31 23:59:60", "2017-01-01 00:00:01"]))
    np.testing.assert_allclose(days(second) * 86400, [0, 1, 3], atol=1e-6)
    assert "1 cell of time had a second called 60, which was read as 59." in told(second, "repair")
    path = save(tmp_path / "a.csv", [43831, 43832.5, 43834])
    assert read(path).axes == (Axis("time"),)
    serial = read(path, date_format="excel")
    assert serial.axes == (Axis("time", "days", "2020-01-01T00:00:00"),)
    np.testing.assert_allclose(days(serial), [0, 1.5, 3], atol=1e-12)
    old = read(save(tmp_path / "a.csv", [1, 59, 61]), date_format="excel")
    assert old.axes[0].origin == "1900-01-01T00:00:00"
    np.testing.assert_allclose(days(old), [0, 58, 59], atol=1e-12)
