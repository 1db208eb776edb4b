"""Frames of pandas, polars and pyarrow: the same table, whoever holds it."""

from datetime import date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest

from faces import sentences
from kernelscribe import DataError
from kernelscribe.data import Axis, from_frame, read
from kernelscribe.faces import Face

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

N = 12
Y = np.sin(np.arange(N))
HOURS = [datetime(2020, 1, 1) + timedelta(hours=i) for i in range(N)]
HOURLY = (Axis("time", "days", "2020-01-01T00:00:00"),)


def told(data, kind):
    return " ".join(sentences(data, kind, Face.PYTHON))


def test_all_libraries_and_the_file_agree(tmp_path):
    columns = {"time": HOURS, "region": ["north"] * N, "y": Y}
    frame = pd.DataFrame(columns)
    frame.to_csv(tmp_path / "a.csv", index=False)
    digests = {from_frame(each).digest for each in (frame, pl.DataFrame(columns), pa.table(columns))}
    assert digests == {read(tmp_path / "a.csv").digest}
    assert from_frame(frame).axes == HOURLY
    assert "Column region holds text and was left out." in told(from_frame(frame), "repair")


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_every_resolution_of_pandas(unit):
    data = from_frame(pd.DataFrame({"time": pd.DatetimeIndex(HOURS).as_unit(unit), "y": Y}))
    assert data.axes == HOURLY
    np.testing.assert_allclose(data.X[:, 0] * data.inputs[0].scale + data.inputs[0].centre, np.arange(N) / 24, atol=1e-12)


def test_an_index_of_dates_is_the_time():
    index = pd.DatetimeIndex(HOURS)
    for frame in (pd.DataFrame({"y": Y}, index=index), pd.Series(Y, index=index, name="y")):
        data = from_frame(frame)
        assert (data.axes, data.target) == (HOURLY, "y")
    assert from_frame(pd.DataFrame({"y": Y}, index=index.rename("when"))).names == ("when",)
    assert from_frame(pd.DataFrame({"y": Y}, index=pd.Index(range(1990, 1990 + N), name="year"))).axes == (Axis("year", "years"),)
    months = from_frame(pd.DataFrame({"y": Y}, index=pd.period_range("2020-01", periods=N, freq="M")))
    assert months.axes == HOURLY
    assert from_frame(pd.DataFrame({"a": Y**2, "y": Y})).names == ("a",)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_zones_are_converted_and_told(make):
    stamps = pd.DatetimeIndex(HOURS).tz_localize("Europe/Berlin")
    column = stamps if make is pd.DataFrame else pl.Series(HOURS).dt.replace_time_zone("Europe/Berlin")
    data = from_frame(make({"time": column, "y": Y}))
    assert data.axes == (Axis("time", "days", "2019-12-31T23:00:00"),)
    assert "converted from Europe/Berlin to UTC" in told(data, "repair")
    utc = stamps.tz_convert("UTC") if make is pd.DataFrame else pl.Series(HOURS).dt.replace_time_zone("UTC")
    assert "UTC" not in told(from_frame(make({"time": utc, "y": Y})), "repair")


@pytest.mark.parametrize(
    "column",
    [
        pd.array([1, None, *range(3, N + 1)], dtype="Int64"),
        pd.array([1.0, None, *range(3, N + 1)], dtype="Float64"),
        pd.array([1, None, *range(3, N + 1)], dtype=pd.ArrowDtype(pa.int32())),
        [Decimal(1), None, *map(Decimal, range(3, N + 1))],
        [1, np.nan, *range(3, N + 1)],
        ["1", None, *map(str, range(3, N + 1))],
        [1, "NA", *range(3, N + 1)],
    ],
)
def test_numbers_of_every_type(column):
    data = from_frame(pd.DataFrame({"x": column, "y": Y}))
    np.testing.assert_allclose(data.X[:, 0] * data.inputs[0].scale + data.inputs[0].centre, [1, *range(3, N + 1)])
    assert data.X.dtype == np.float64
    assert "1 of 12 rows (8.3 %) has no value of x and was left out." in told(data, "repair")


def test_numbers_of_polars():
    frame = pl.DataFrame(
        {
            "a": pl.Series([1, None, *range(3, N + 1)], dtype=pl.Int16),
            "b": pl.Series([Decimal(i) / 4 for i in range(N)]),
            "c": pl.Series([i % 2 == 0 for i in range(N)]),
            "d": pl.Series(np.arange(N), dtype=pl.UInt64),
            "y": pl.Series(Y, dtype=pl.Float32),
        }
    )
    data = from_frame(frame)
    assert data.names == ("a", "b", "c", "d")
    user = data.X * [each.scale for each in data.inputs] + [each.centre for each in data.inputs]
    kept = np.delete(np.arange(N), 1)
    np.testing.assert_allclose(user, np.column_stack([kept + 1, kept / 4, kept % 2 == 0, kept]), atol=1e-12)


def test_dates_and_durations():
    days = [date(1500, 2, 27) + timedelta(days=i) for i in range(N)]
    for column in (days, pd.array(days, dtype=pd.ArrowDtype(pa.date32()))):
        assert from_frame(pd.DataFrame({"d": column, "y": Y})).axes == (Axis("d", "days", "1500-02-27T00:00:00"),)
    assert from_frame(pl.DataFrame({"d": days, "y": Y})).axes == (Axis("d", "days", "1500-02-27T00:00:00"),)
    spans = [timedelta(hours=6 * i) for i in range(N)]
    for frame in (pd.DataFrame({"d": spans, "y": Y}), pl.DataFrame({"d": spans, "y": Y})):
        data = from_frame(frame)
        assert data.axes == (Axis("d", "days"),)
        np.testing.assert_allclose(data.X[:, 0] * data.inputs[0].scale + data.inputs[0].centre, np.arange(N) / 4, atol=1e-12)
    missing = from_frame(pd.DataFrame({"time": [pd.NaT, *HOURS[1:]], "y": Y}))
    assert missing.axes == (Axis("time", "days", "2020-01-01T01:00:00"),)
    with pytest.raises(DataError, match="outside the years 1 to 9999"):
        from_frame(pd.DataFrame({"time": np.array([2**38, 2**38 + 1, 2**38 + 2], "datetime64[s]"), "y": [1, 2, 4]}))


def test_names_that_are_alike_or_no_text():
    data = from_frame(pd.DataFrame(np.column_stack([np.arange(N), Y, Y**2]), columns=["a", "a", 7]))
    assert (data.names, data.target) == (("a", "a (2)"), "7")


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (pd.DataFrame(), "no rows"),
        (pd.DataFrame({"a": [], "b": []}), "no rows"),
        (pl.DataFrame({"a": [1, 2, 3], "b": [1, 2, 4]}).lazy(), "got LazyFrame"),
        ([1, 2, 3], "got list"),
        (None, "got NoneType"),
        (pd.DataFrame({"x": [1, 2, 3], "y": [1, "x", 3]}), "the frame, row 2, column y: 'x' is not a number"),
    ],
)
def test_frames_that_cannot_be_used(frame, says):
    with pytest.raises(DataError, match=says):
        from_frame(frame)


def test_a_million_rows_keep_their_order():
    rng = np.random.default_rng(0)
    x, y = rng.permutation(1_000_000), rng.normal(size=1_000_000)
    data = from_frame(pl.DataFrame({"x": x, "y": y}))
    np.testing.assert_allclose(data.X[:, 0] * data.inputs[0].scale + data.inputs[0].centre, x, atol=1e-6)


def test_what_is_told_of_a_frame_names_arguments_not_options():
    days = pd.date_range("2020-01-01", periods=12).strftime("%Y-%m-%d")
    data = from_frame(pd.DataFrame({"day": days, "a": range(12), "b": [1.0, 4.0] * 6}))
    said = " ".join(sentences(data, face=Face.PYTHON))
    assert "target= names another" in said
    assert "time= names another" in said
    assert "--" not in said
    with pytest.raises(DataError, match="give date_format=, as in"):
        from_frame(pd.DataFrame({"day": [f"0{i % 9 + 1}/0{i // 9 + 1}/2020" for i in range(12)], "b": range(12)}))
