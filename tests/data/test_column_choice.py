"""Which columns are meant, and what the guesses say."""

import numpy as np
import pytest

from faces import refused, sentences
from kernelscribe import DataError
from kernelscribe.data import Axis, read

ROWS = range(12)


def table(**columns):
    names = list(columns)
    return "\n".join([",".join(names), *(",".join(str(columns[name](i)) for name in names) for i in ROWS)])


def wave(i):
    return round(float(np.sin(i)), 4)


def day(i):
    return f"2020-01-{i + 1:02d}"


def told(data, kind="guess"):
    return " ".join(sentences(data, kind))


def test_a_date_makes_a_time_series(write):
    path = write(table(date=day, rain=wave, region=lambda i: "n", flow=lambda i: i * i))
    data = read(path)
    assert (data.names, data.target) == (("date",), "flow")
    said = told(data)
    assert "The column flow was taken for the target" in said
    assert "The column date was taken for the time" in said
    assert "rain was left out; --inputs names columns to use beside it" in said
    assert "Column region holds text and was left out." in told(data, "repair")
    both = read(path, time="date", inputs=["rain"])
    assert both.axes == (Axis("date", "days", "2020-01-01T00:00:00"), Axis("rain"))
    assert "time" not in told(both)
    assert read(path, inputs=["rain", "date"]).names == ("rain", "date")
    assert read(path, time="date", inputs=["date", "rain"]).names == ("date", "rain")
    assert read(path, target="rain").names == ("date",)


@pytest.mark.parametrize(
    ("name", "values", "time"),
    [
        ("time", lambda i: i, True),
        ("t", lambda i: 12 - i, True),
        ("Month", lambda i: i, True),
        ("Year", lambda i: 1990 + i, True),
        ("obs_date", lambda i: i * 2.5, True),
        ("time", lambda i: i % 5, False),
        ("month", lambda i: i % 6, False),
        ("water", lambda i: i, False),
        ("overtime", lambda i: i, False),
    ],
)
def test_a_name_and_an_order_make_a_time(write, name, values, time):
    path = write(table(**{"a": wave, name: values, "y": lambda i: i * i % 7}))
    assert read(path).names == ((name,) if time else ("a", name))


@pytest.mark.parametrize(
    ("name", "values", "axis"),
    [
        ("year", lambda i: 1990 + i, Axis("year", "years")),
        ("decimal_year", lambda i: 1990 + i / 4, Axis("decimal_year", "years")),
        ("date", lambda i: 1990 + i / 4, Axis("date", "years")),
        ("SaleYear", lambda i: 1990 + i, Axis("SaleYear", "years")),
        ("time", lambda i: 1990 + i, Axis("time")),
        ("x", lambda i: 1990 + i, Axis("x")),
        ("x", lambda i: 1990 + i / 4, Axis("x")),
        ("year", lambda i: i, Axis("year")),
        ("year", lambda i: 1990 + 100 * i, Axis("year")),
        ("time", lambda i: 1_700_000_000 + 60 * i, Axis("time", "days", "2023-11-14T22:13:20")),
        ("x", lambda i: 1_700_000_000_000 + 60_000 * i, Axis("x", "days", "2023-11-14T22:13:20")),
        ("x", lambda i: 1_700_000_000 + 60 * (i % 5), Axis("x")),
        ("date", lambda i: 20200101 + i, Axis("date", "days", "2020-01-01T00:00:00")),
        ("x", lambda i: 20200101 + i, Axis("x", "days", "2020-01-01T00:00:00")),
        ("x", lambda i: 20200125 + i, Axis("x")),
        ("month_date", lambda i: 202001 + i, Axis("month_date", "days", "2020-01-01T00:00:00")),
    ],
)
def test_numbers_that_stand_for_times(write, name, values, axis):
    data = read(write(table(**{name: values, "y": wave})))
    assert data.axes == (axis,)
    assert ("were taken for" in told(data)) == bool(axis.unit)
    assert read(write(table(**{name: values, "y": wave})), date_format="number").axes == (Axis(name),)


def test_a_time_that_is_not_first_needs_its_name(write):
    seconds = table(y=wave, x=lambda i: 1_700_000_000 + 60 * i)
    assert read(write(seconds), target="y").axes == (Axis("x"),)
    assert read(write(seconds), target="y", time="x").axes[0].dated
    assert read(write(seconds.replace("x", "timestamp")), target="y").axes[0].dated


def test_the_target_is_never_a_time(write):
    path = write(table(x=wave, year=lambda i: 1990 + i))
    assert (read(path).target, read(path).names) == ("x", ("year",))
    data = read(path, target="year")
    assert (data.names, data.target) == (("x",), "year")


def test_a_count_of_rows_without_a_name_is_left_out(write):
    path = write(table(**{"": lambda i: i, "a": wave, "y": lambda i: i * i % 7}))
    assert read(path).names == ("a",)
    assert "column 1 only counts the rows" in told(read(path))
    assert read(path, inputs=["column 1"]).names == ("column 1",)
    alone = write(table(**{"": lambda i: i, "y": wave}))
    assert read(alone).names == ("column 1",)


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"target": "region"}, r"column region holds text, such as 'n': the target must be numbers"),
        ({"target": "date"}, "column date holds dates: the target must be numbers"),
        ({"target": "empty"}, "column empty has no numbers"),
        ({"time": "region"}, "column region holds text"),
        ({"inputs": ["region"]}, "column region holds text"),
        ({"inputs": ["empty"]}, "column empty has no numbers"),
        ({"time": "flow", "target": "flow"}, "cannot be an input and the target"),
        ({"time": "when"}, "no column 'when'"),
        ({"date_format": "%d/%m/%Y"}, "no column of dates by the date format '%d/%m/%Y'"),
        ({"time": "date", "date_format": "%d/%m/%Y"}, "line 2, column date: '2020-01-01' is not a date"),
        ({"date_format": "soon"}, "is not known: give a pattern such as"),
        ({"time": "flow", "target": "rain", "date_format": "ns"}, None),
        ({"time": "big", "target": "rain", "date_format": "excel"}, "column big leads out of the calendar"),
    ],
)
def test_wishes_that_cannot_be(write, wish, says):
    columns = {"date": day, "rain": wave, "region": lambda i: "n", "empty": lambda i: "NA", "big": lambda i: 1e9 * i}
    path = write(table(**columns, flow=lambda i: i * i))
    if says is None:
        assert read(path, **wish).axes[0].origin == "1970-01-01T00:00:00"
        return
    with pytest.raises(DataError, match=says):
        read(path, **wish)


def test_a_date_that_cannot_be_read_does_not_pass_in_silence(write):
    dates = table(date=lambda i: f"0{i % 9 + 1}/02/2020", year=lambda i: 1990 + i, y=wave)
    with refused("both orders fit every row: give --date-format"):
        read(write(dates))
    assert read(write(dates), time="year").names == ("year",)
    assert read(write(dates), date_format="dmy").axes[0].origin == "2020-02-01T00:00:00"
    # Elsewhere it may be anything: versions, say.
    versions = read(write(table(x=wave, version=lambda i: f"1.{i}.10", y=lambda i: i * i % 7)))
    assert versions.names == ("x",)
    assert "Column version holds cells that cannot be read and was left out." in told(versions, "repair")
