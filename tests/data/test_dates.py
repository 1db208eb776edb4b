"""Dates as people write them, against Python's own calendar."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelscribe import DataError
from kernelscribe.data.date_forms import DMY, MDY, written
from kernelscribe.data.dates import form_of, read_dates
from kernelscribe.data.grid import BadCell, Cells
from kernelscribe.data.stamps import Stamps, civil, month_length

EPOCH = datetime(1970, 1, 1)


def found(cells, order=None):
    column = Cells.of(cells)
    form = form_of(column.sample(50), order)
    return None if form is None else read_dates(column, form, order)


def moments(cells, order=None):
    """What was read, as Python's own moments."""
    stamps = found(cells, order).stamps
    nanos = np.zeros(len(stamps), int) if stamps.nanos is None else stamps.nanos
    return [EPOCH + timedelta(seconds=int(s), microseconds=int(n) // 1000) for s, n in zip(stamps.seconds, nanos, strict=True)]


@pytest.mark.parametrize(
    ("cell", "moment"),
    [
        ("2020-01-31", datetime(2020, 1, 31)),
        ("2020-1-5", datetime(2020, 1, 5)),
        ("2020/01/31", datetime(2020, 1, 31)),
        ("2020-01-31T10:11", datetime(2020, 1, 31, 10, 11)),
        ("2020-01-31 10:11:12.5", datetime(2020, 1, 31, 10, 11, 12, 500000)),
        ("2020-01-31T24:00", datetime(2020, 2, 1)),
        ("2020-01-31T10:11:12Z", datetime(2020, 1, 31, 10, 11, 12)),
        ("2020-01-31 10:11:12 +01:30", datetime(2020, 1, 31, 8, 41, 12)),
        ("2020-01-31T10:11-0500", datetime(2020, 1, 31, 15, 11)),
        ("2020-01", datetime(2020, 1, 1)),
        ("2020M03", datetime(2020, 3, 1)),
        ("20200131T101112", datetime(2020, 1, 31, 10, 11, 12)),
        ("31.01.2020 10:11", datetime(2020, 1, 31, 10, 11)),
        ("31/1/2020", datetime(2020, 1, 31)),
        ("1/31/2020 5:06 PM", datetime(2020, 1, 31, 17, 6)),
        ("12/31/2020 12:00 am", datetime(2020, 12, 31)),
        ("1 Jan 2020", datetime(2020, 1, 1)),
        ("01-JAN-2020", datetime(2020, 1, 1)),
        ("1st January, 2020", datetime(2020, 1, 1)),
        ("September 9, 2020", datetime(2020, 9, 9)),
        ("Mon, 06 Jan 2020 10:11:12 +0100", datetime(2020, 1, 6, 9, 11, 12)),
        ("Jan-2020", datetime(2020, 1, 1)),
        ("2020 May 7", datetime(2020, 5, 7)),
        ("2020Q1", datetime(2020, 1, 1)),
        ("2020-Q4", datetime(2020, 10, 1)),
        ("Q3 2020", datetime(2020, 7, 1)),
        ("2020-W53-5", datetime(2021, 1, 1)),
        ("0001-01-01", datetime(1, 1, 1)),
        ("9999-12-31 23:59:59", datetime(9999, 12, 31, 23, 59, 59)),
    ],
)
def test_forms(cell, moment):
    assert moments([cell]) == [moment]


@pytest.mark.parametrize(
    "cell",
    ["2019-02-29", "1900-02-29", "2020-00-01", "2020-13-01", "2020-01-00", "2020-01-32", "0000-01-01", "2020-01-01 25:00",
     "2020-01-01 24:01", "2020-01-01 10:60", "2020-01-01 10:10:61", "2020Q5", "2019-W53", "2020-W00", "2020-01-01T00:00+25:00",
     "0001-01-01T00:00+01:00", "1/31/2020 13:00 PM"],
)  # fmt: skip
def test_no_such_moment(cell):
    assert isinstance(found([cell]), BadCell)


@pytest.mark.parametrize("cell", ["x", "12", "10:11", "2020", "1.5", "2020-01-31 ten", "Janu 2020", "192.168.0.1"])
def test_not_a_date_at_all(cell):
    assert found([cell]) is None


@pytest.mark.parametrize("cell", ["01/02/20", "1.2.20", "Jan-20", "1-Jan-20"])
def test_two_digits_are_no_year(cell):
    assert found(["", cell]).why == "has a year of two digits"
    assert found(["", cell]).index == 1


def test_the_order_of_day_and_month():
    assert moments(["01/02/2020", "13/02/2020"]) == [datetime(2020, 2, 1), datetime(2020, 2, 13)]
    assert moments(["01/02/2020", "02/13/2020"]) == [datetime(2020, 1, 2), datetime(2020, 2, 13)]
    assert moments(["01.02.2020", "02.02.2020"]) == [datetime(2020, 2, 1), datetime(2020, 2, 2)]
    assert moments(["05/05/2020", "06/06/2020"]) == [datetime(2020, 5, 5), datetime(2020, 6, 6)]
    assert moments(["01/02/2020"], DMY) == [datetime(2020, 2, 1)]
    assert moments(["01/02/2020"], MDY) == [datetime(2020, 1, 2)]
    both = found(["05/05/2020", "01/02/2020", "02/02/2020"])
    assert both.index == 1
    assert "both orders fit" in both.why
    neither = found(["01/02/2020", "13/02/2020", "02/13/2020"])
    assert neither == BadCell(2, "is not a date in the order day, month, year of the cells before it")


def test_offsets_for_all_or_none():
    assert found(["2020-01-01T00:00Z", "2020-06-01T00:00+02:00"]).zoned
    assert found(["2020-01-01T00:00Z", "2020-06-01T00:00"]).index == 1


def test_missing_cells_and_many_shapes():
    cells = ["2020-01-31", "", "2020-2-1 10:00", " NA ", "2020-02-01T10:00:00.25"]
    stamps = found(cells).stamps
    assert stamps.known.tolist() == [True, False, True, False, True]
    assert stamps.nanos.tolist()[-1] == 250_000_000


def test_stamps_join_across_chunks(monkeypatch):
    monkeypatch.setattr("kernelscribe.data.grid.CHUNK", 3)
    days = [date(1999, 12, 20) + timedelta(days=i) for i in range(20)]
    assert [each.date() for each in moments([day.isoformat() for day in days])] == days
    broken = [day.isoformat() for day in days]
    broken[13] = "2000-01-99"
    assert found(broken) == BadCell(13, "is not a date")
    broken[13] = "2000-01-02 10:00:00.125"
    assert moments(broken)[13] == datetime(2000, 1, 2, 10, 0, 0, 125000)


@pytest.mark.parametrize(
    ("form", "cell", "moment"),
    [
        ("%d/%m/%Y", "01/02/2020", datetime(2020, 2, 1)),
        ("%m/%d/%y", "01/02/69", datetime(1969, 1, 2)),
        ("%d.%m.%y %H:%M", "1.2.68 7:08", datetime(2068, 2, 1, 7, 8)),
        ("%Y年%m月%d日", "2020年1月05日", datetime(2020, 1, 5)),
        ("%Y %j", "2020 366", datetime(2020, 12, 31)),
        ("%b-%y", "Jan-20", datetime(2020, 1, 1)),
        ("%I%p %F", "12pm 2020-01-05", datetime(2020, 1, 5, 12)),
        ("%Y%m%d%H%M%S", "20200131101112", datetime(2020, 1, 31, 10, 11, 12)),
        ("%Y-%m-%dT%T.%f%z", "2020-01-31T10:11:12.25+0100", datetime(2020, 1, 31, 9, 11, 12, 250000)),
        ("100%% %Y", "100% 1492", datetime(1492, 1, 1)),
    ],
)
def test_written_formats(form, cell, moment):
    stamps = read_dates(Cells.of([cell]), written(form), None).stamps
    micros = 0 if stamps.nanos is None else int(stamps.nanos[0]) // 1000
    assert EPOCH + timedelta(seconds=int(stamps.seconds[0]), microseconds=micros) == moment


@pytest.mark.parametrize(
    ("form", "says"),
    [("%d/%m", "no year"), ("%Q %Y", "%Q, which is not known"), ("%Y %Y", "twice"), ("%Y %", "not known"), ("%Y %H %p", "%I")],
)
def test_formats_that_cannot_be(form, says):
    with pytest.raises(DataError, match=says):
        written(form)


@given(st.datetimes(), st.integers(-14 * 60 + 1, 14 * 60 - 1))
@settings(max_examples=200)
def test_every_moment_comes_back(moment, offset):
    """ISO text with and without an offset, from the year 1 to 9999."""
    assert moments([moment.isoformat()]) == [moment]
    sign, minutes = "-" if offset < 0 else "+", abs(offset)
    text = f"{moment.isoformat()}{sign}{minutes // 60:02d}:{minutes % 60:02d}"
    try:
        expected = moment - timedelta(minutes=offset)
    except OverflowError:
        assert isinstance(found([text]), BadCell)
    else:
        assert moments([text]) == [expected]


@given(st.lists(st.dates(), min_size=1, max_size=20))
@settings(max_examples=100)
def test_days_from_the_first(days):
    numbers, origin = found([day.isoformat() for day in days]).stamps.days()
    assert datetime.fromisoformat(origin).date() == min(days)
    assert numbers.tolist() == [(day - min(days)).days for day in days]


def test_the_calendar_against_python():
    days = np.arange(-719162, 2932897, 9973)
    dates = [date(1970, 1, 1) + timedelta(days=int(day)) for day in days]
    year, month, day = (np.array([getattr(each, part) for each in dates]) for part in ("year", "month", "day"))
    np.testing.assert_array_equal(civil(year, month, day), days)
    ends = [(date(y + m // 12, m % 12 + 1, 1) - date(y, m, 1)).days for y in (1900, 2000, 2023, 2024) for m in range(1, 13)]
    years = np.repeat([1900, 2000, 2023, 2024], 12)
    np.testing.assert_array_equal(month_length(years, np.tile(np.arange(1, 13), 4)), ends)


def test_counts_of_ticks_keep_every_digit():
    ticks = np.array([1_700_000_000_000_000_001, 1_700_000_000_000_000_502])
    numbers, origin = Stamps.count(ticks, np.ones(2, dtype=bool), 10**9).days()
    assert origin == "2023-11-14T22:13:20"
    np.testing.assert_allclose(np.diff(numbers) * 86400e9, 501, rtol=1e-9)
    assert datetime.fromisoformat(origin) == datetime.fromtimestamp(1_700_000_000, UTC).replace(tzinfo=None)
