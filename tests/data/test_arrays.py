"""What Python brings as inputs and as a target: dates are dates, whatever holds them, and never counts of nanoseconds."""

from datetime import date, timedelta, timezone

import numpy as np
import pytest

import kernelscribe as ks
from kernelscribe import DataError, Dataset
from kernelscribe.data import Axis
from kernelscribe.data.arrays import dates, points, within
from kernelscribe.report.words.english.notes import sentence

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

N = 12
DAYS = pd.date_range("2023-01-30", periods=N, freq="D")
Y = np.sin(np.arange(N))
AXIS = Axis("when", "days", "2023-01-30T00:00:00")
PYTHON = DAYS.to_pydatetime().tolist()
WRITTEN = [f"{day:%Y-%m-%d}" for day in PYTHON]
HOLDERS = {
    **{f"datetime64[{unit}]": DAYS.to_numpy().astype(f"datetime64[{unit}]") for unit in ("D", "h", "24h", "s", "ms", "us", "ns")},
    "a column": DAYS.to_numpy()[:, None],
    "an index": DAYS,
    "an index in UTC": DAYS.tz_localize("UTC"),
    "an index with a zone": (DAYS + pd.Timedelta(hours=1)).tz_localize("Europe/Berlin"),
    "periods": pd.period_range("2023-01-30", periods=N, freq="D"),
    "a series": pd.Series(DAYS),
    "a series of text": pd.Series(WRITTEN),
    "a category": pd.Series(WRITTEN, dtype="category"),
    "datetimes": PYTHON,
    "dates": [day.date() for day in PYTHON],
    "datetimes with an offset": [day.replace(tzinfo=timezone(timedelta(hours=2))) + timedelta(hours=2) for day in PYTHON],
    "stamps": list(DAYS),
    "scalars": list(DAYS.to_numpy()),
    "an array of objects": np.array(PYTHON, dtype=object),
    "text": WRITTEN,
    "an array of text": np.array(WRITTEN),
    "polars dates": pl.Series([day.date() for day in PYTHON]),
    "polars datetimes": pl.Series(PYTHON),
    "arrow": pa.chunked_array([PYTHON]),
    "a frame": pd.DataFrame({"when": DAYS}),
    "a polars frame": pl.DataFrame({"when": PYTHON}),
}


def raw(data):
    return data.X * [each.scale for each in data.inputs] + [each.centre for each in data.inputs]


@pytest.mark.parametrize("holder", HOLDERS)
def test_dates_of_every_kind_are_days_from_the_first(holder):
    data = Dataset.of(HOLDERS[holder], Y, names=["when"])
    assert data.axes == (AXIS,)
    np.testing.assert_allclose(raw(data)[:, 0], np.arange(N), atol=1e-9)


@pytest.mark.parametrize("holder", HOLDERS)
def test_dates_of_every_kind_are_places_on_the_axis_of_a_model(holder):
    apart = Axis("when", "days", "2023-01-28T12:00:00")
    np.testing.assert_allclose(points(HOLDERS[holder], [apart])[:, 0], 1.5 + np.arange(N), atol=1e-9)


def test_names_are_those_of_the_columns():
    assert Dataset.of(pd.Series(DAYS, name="day"), Y).names == ("day",)
    frame = pd.DataFrame({"day": DAYS, "heat": np.cos(np.arange(N))}, index=range(5, 5 + N))
    for each in (frame, pl.DataFrame({"day": PYTHON, "heat": frame["heat"].to_numpy()})):
        assert Dataset.of(each, Y).axes == (Axis("day", "days", "2023-01-30T00:00:00"), Axis("heat"))
    rows = [[day, value] for day, value in zip(PYTHON, frame["heat"], strict=True)]
    assert Dataset.of(rows, Y).axes == (Axis("x1", "days", "2023-01-30T00:00:00"), Axis("x2"))
    np.testing.assert_allclose(raw(Dataset.of(rows, Y))[:, 1], frame["heat"])


def test_zones_are_told():
    (note,) = Dataset.of(DAYS.tz_localize("Europe/Berlin"), Y).notes
    assert sentence(note) == "The times of x1 were converted from Europe/Berlin to UTC."


def test_numbers_of_an_array_stay_numbers():
    """Nobody has called them a time: years, counts of seconds and dates without marks are what they are."""
    for values in (range(2001, 2001 + N), 1_700_000_000 + np.arange(N), 20230101 + np.arange(N)):
        assert Dataset.of(list(values), Y).axes == (Axis("x1"),)


@pytest.mark.parametrize(
    ("X", "says"),
    [
        (
            [f"{i + 1:02}/02/2020" for i in range(N)],
            "both orders fit every row: turn them into dates first, as pandas.to_datetime",
        ),
        ([*WRITTEN[:-1], "soon"], "X, row 12, column x1: 'soon' is not a date"),
        (np.array([*WRITTEN[:-1], "NaT"], dtype="datetime64[D]"), "X has 1 missing or infinite values, the first in row 12"),
        (np.full(N, "NaT", dtype="datetime64[D]"), "X has no values in column x1"),
        (np.array(["20000-01-01"] * N, dtype="datetime64[D]"), "dates outside the years 1 to 9999"),
        ([[1], [1, 2]], "every row must have the same number of values"),
        ({"when": DAYS}, "one or two dimensions"),
    ],
)
def test_what_cannot_be_an_input_is_refused(X, says):
    with pytest.raises(DataError, match=says):
        Dataset.of(X, Y)


@pytest.mark.parametrize("y", [DAYS, pd.Series(DAYS), DAYS.to_numpy(), PYTHON, WRITTEN], ids=lambda y: type(y).__name__)
def test_a_target_of_dates_is_refused(y):
    with pytest.raises(DataError, match="y holds dates: the target must be numbers"):
        Dataset.of(np.arange(N), y)


def test_kernels_and_searches_take_dates():
    exact = {"engine": "exact", "restarts": 1, "steps": 5, "backend": "numpy", "seed": 0}
    assert ks.fit_kernel("SE", DAYS, Y, **exact).user == ks.fit_kernel("SE", np.arange(N), Y, **exact).user
    given = "SE(variance=1, lengthscale=2)"
    of_dates, of_days = (ks.evidence(given, X, Y, noise=0.1, **exact).interval for X in (HOLDERS["datetime64[D]"], np.arange(N)))
    assert of_dates == of_days
    with ks.parallel(ks.search.pool.Inline()):
        found = ks.discover(DAYS, Y, depth=0, **exact)
    assert found.best is not None
    assert found.best.scales.inputs[0].centre == (N - 1) / 2


def test_places_must_be_where_the_model_has_some():
    two = [AXIS, Axis("heat")]
    with pytest.raises(DataError, match="the model has 2 inputs, got 1 columns"):
        points(DAYS, two)
    with pytest.raises(DataError, match="column heat holds dates, the model needs numbers"):
        points([[day, day] for day in PYTHON], two)
    with pytest.raises(DataError, match="turn them into dates first"):
        points(["01/02/2020", "03/02/2020"], [AXIS])
    with pytest.raises(DataError, match="column year holds dates, the model needs numbers"):
        points(DAYS, [Axis("year", "years")])
    np.testing.assert_array_equal(points("2023-01-31", [AXIS]), [[1.0]])
    np.testing.assert_array_equal(points(date(2023, 1, 31), [AXIS]), [[1.0]])
    np.testing.assert_array_equal(points([0.5, 2], [AXIS]), [[0.5], [2.0]])


def test_numbers_that_are_no_days_do_not_lead_out_of_the_calendar():
    within(points([-700_000.0, 2_900_000.0], [AXIS]), [AXIS])
    for far in (1_700_000_000, 20240131, -800_000):
        with pytest.raises(DataError, match=r"days from 2023-01-30 lead out of the calendar: give dates, as in '2024-01-31'"):
            within(points([far], [AXIS]), [AXIS])
    within(points([1e9], [Axis("x")]), [Axis("x")])


def test_columns_of_dates_are_found_for_those_who_take_none():
    assert dates(pd.DataFrame({"a": Y, "when": DAYS, "said": WRITTEN, "so": ["x"] * N})) == ["when", "said"]
    assert dates(DAYS - DAYS[0]) == ["x1"]
    for other in (Y, [[1, 2], [3]], object(), {"a": 1}, np.zeros((2, 2, 2))):
        assert dates(other) == []
