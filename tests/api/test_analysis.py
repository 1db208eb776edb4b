"""The main job from Python: any table in, an analysis out that describes, predicts, reports and saves."""

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest

import kernelscribe as ks
from kernelscribe.search.pool import Inline
from kernelscribe.summary import analysis_dict
from searches import table

CHEAP = {"depth": 1, "restarts": 2, "steps": 30, "backend": "numpy", "seed": 0}


def analyse(*args, **more):
    """Without any process at all."""
    with ks.parallel(Inline()):
        return ks.analyse(*args, **{**CHEAP, **more})


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(0)
    months = pd.date_range("2010-01-01", periods=72, freq="MS")
    level = 5 + 3 * np.sin(2 * np.pi * np.arange(72) / 12) + 0.2 * rng.normal(size=72)
    return analyse(pd.DataFrame({"month": months, "level": level}))


def test_what_it_says(found):
    assert found.kernel
    assert found.interval.lower <= found.interval.upper
    assert found.bic.upper < found.interval.upper
    assert "yearly cycle" in str(found)
    assert found.headline.startswith("level ")
    assert len(found.words) == len(found.components) == len(found.subjects) >= 1
    assert found.backtest.origins == 5
    assert found.criticism.rows == 72


def test_a_forecast_is_a_frame_with_a_column_for_every_component(found):
    frame = found.forecast(24, level=[80, 95])
    assert list(frame.columns[:6]) == ["ds", "mean", "lower_80", "upper_80", "lower_95", "upper_95"]
    assert len(frame.columns) == 6 + len(found.components)
    assert list(frame["ds"][:3]) == ["2016-01-01", "2016-02-01", "2016-03-01"]
    assert (frame["lower_95"] < frame["lower_80"]).all()
    assert (frame["upper_80"] < frame["upper_95"]).all()
    assert len(found.forecast()) == 7


def test_predictions_at_the_data_are_near_them(found):
    frame = found.predict(found.model.inputs[:, 0])
    assert np.corrcoef(frame["mean"], found.model.target)[0, 1] > 0.95


def test_predictions_at_the_dates_of_a_frame(found):
    frame = found.predict(pd.DataFrame({"month": pd.to_datetime(["2016-01-01", "2016-03-01"])}))
    assert list(frame["ds"]) == ["2016-01-01", "2016-03-01"]
    np.testing.assert_allclose(frame["mean"], found.forecast(3)["mean"][[0, 2]], rtol=1e-12)


def test_a_line_has_the_papers_slope():
    """What the line would be if everything else were noise, by the dense formula."""
    rng = np.random.default_rng(0)
    x = np.arange(50.0)
    found = analyse(x, 3 + 1.5 * x + rng.normal(size=50), depth=0)
    (line,) = analysis_dict(found)["components"]
    assert line["text"] == "LIN1"
    (factor,), variance = found.components[0].term.factors, found.components[0].term.variance
    a = x - factor.values[0]
    y = found.model.target - found.model.target.mean()
    expected = variance * a @ np.linalg.solve(variance * np.outer(a, a) + found.model.noise_sd**2 * np.eye(50), y)
    assert line["slope"] == pytest.approx(expected, rel=1e-8)
    assert line["rise"] == pytest.approx(1.5, rel=0.05)


@pytest.mark.parametrize(
    "dates",
    [
        np.array(["2016-01-01", "2016-03-01"], dtype="datetime64[D]"),
        np.array(["2016-01-01", "2016-03-01"], dtype="datetime64[ms]"),
        pd.DatetimeIndex(["2016-01-01", "2016-03-01"]),
        pd.Series(pd.to_datetime(["2016-01-01", "2016-03-01"])),
        pl.Series([date(2016, 1, 1), date(2016, 3, 1)]),
        [date(2016, 1, 1), date(2016, 3, 1)],
        ["2016-01-01", "2016-03-01"],
    ],
    ids=lambda dates: f"{type(dates).__name__} {getattr(dates, 'dtype', '')}",
)
def test_predictions_at_dates_of_any_kind(found, dates):
    frame = found.predict(dates)
    assert list(frame["ds"]) == ["2016-01-01", "2016-03-01"]
    np.testing.assert_allclose(frame["mean"], found.forecast(3)["mean"][[0, 2]], rtol=1e-12)
    mean = found.model.predict(dates).median
    np.testing.assert_array_equal(mean, frame["mean"])


def test_counts_of_seconds_are_no_days(found):
    with pytest.raises(ks.DataError, match="lead out of the calendar"):
        found.predict([1_700_000_000])


@pytest.mark.parametrize("data", [pd.date_range("2010-01-01", periods=24, freq="MS", name="month"), None])
def test_an_index_of_dates_is_a_time_and_no_count_of_nanoseconds(data):
    index = pd.date_range("2010-01-01", periods=24, freq="MS", name="month")
    level = pd.Series(np.sin(np.arange(24)), name="level", index=index)
    made = analyse(level, depth=0) if data is None else analyse(data, level, depth=0)
    assert (made.model.axes[0].origin, made.model.data.names, made.model.data.target) == (
        "2010-01-01T00:00:00",
        ("month",),
        "level",
    )
    assert made.forecast(1)["ds"][0] == "2012-01-01"


@pytest.mark.parametrize("level", [0.95, 95, np.float32(95), np.int64(95), [0.95], (95.0,), np.array([0.95])])
def test_a_level_below_one_is_a_share(found, level):
    frame = found.forecast(2, level=level)
    assert list(frame.columns[:4]) == ["ds", "mean", "lower_95", "upper_95"]
    np.testing.assert_allclose(frame["lower_95"], found.forecast(2)["lower_95"], rtol=1e-6)
    assert list(found.predict([0.0], level=level).columns[:4]) == list(frame.columns[:4])


@pytest.mark.parametrize("level", [0, -5, 100, 101, 1, np.nan, "95", None, True, [95, 0]])
def test_levels_that_no_band_has_are_refused(found, level):
    with pytest.raises(
        ks.OptionError, match=r"a level is a percentage above 1 and below 100, as in 95, or a share below 1, as in 0.95; got"
    ):
        found.forecast(2, level=level)


@pytest.mark.parametrize("h", [0, -1, 2.5, "2016-01-01", True])
def test_steps_of_a_forecast_are_counted(found, h):
    with pytest.raises(ks.OptionError, match=r"a whole number of steps, at least one, got .*; predict takes dates"):
        found.forecast(h)


def test_saved_and_loaded_it_says_and_predicts_the_same(found, tmp_path):
    again = ks.load(found.save(tmp_path / "model.json"))
    assert str(again) == str(found)
    assert (again.kernel, again.bic, again.backtest) == (found.kernel, found.bic, found.backtest)
    pd.testing.assert_frame_equal(again.forecast(12), found.forecast(12), check_exact=True)


@pytest.mark.parametrize("ending", ["html", "md", "json"])
def test_a_report_is_written_in_the_format_of_its_name(found, tmp_path, ending):
    path = found.report(tmp_path / f"level.{ending}")
    content = path.read_text(encoding="utf-8")
    assert "yearly cycle" in content
    assert content.lower().startswith({"html": "<!doctype html>", "md": "# ", "json": '{"format"'}[ending])


def test_a_report_of_no_known_format_is_refused(found, tmp_path):
    with pytest.raises(ks.OptionError, match="html, md, pdf, json"):
        found.report(tmp_path / "level.doc")


def test_arrays_frames_and_files_give_the_same(tmp_path):
    x, y = table(40)
    frame = pd.DataFrame({"x": x, "level": y})
    frame.to_csv(tmp_path / "level.csv", index=False)
    kernels = {
        analyse(given, *rest, depth=0, **named).bic
        for given, rest, named in (
            (x, (y,), {}),
            (frame, (), {"target": "level"}),
            (pl.from_pandas(frame), (), {"time": "x"}),
            (tmp_path / "level.csv", (), {}),
            (str(tmp_path / "level.csv"), (), {"inputs": ["x"]}),
            (ks.Dataset.of(x, y), (), {}),
        )
    }
    assert len(kernels) == 1


def test_what_is_no_table_is_refused():
    with pytest.raises(ks.DataError, match="a pandas or polars frame"):
        ks.analyse([1, 2, 3])


def test_a_constant_target_needs_no_search():
    found = analyse(np.arange(20.0), np.full(20, 7.0))
    assert found.kernel is None
    assert found.headline == "y is constant at 7: there is nothing to explain."
    assert found.predict([3.0])["mean"].tolist() == [7.0]


def test_few_rows_are_given_base_kernels_alone():
    with ks.parallel(Inline()):
        found = ks.analyse(np.arange(9.0), np.arange(9.0) ** 2, strategy="skc-lb", restarts=1, backend="numpy")
    assert found.outcome.depth == 0


def test_noise_is_called_noise():
    rng = np.random.default_rng(0)
    found = analyse(np.arange(80.0), rng.normal(size=80), depth=0)
    assert "no structure" in found.headline


def test_tables_have_predictions_but_no_forecast():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(60, 2))
    found = analyse(X, X[:, 0] + 0.1 * rng.normal(size=60), depth=0)
    with pytest.raises(ks.OptionError, match="use predict"):
        found.forecast()
    assert list(found.predict(X[:3]).columns[:4]) == ["x1", "x2", "mean", "lower_95"]
    with pytest.raises(ks.DataError, match="2 inputs"):
        found.predict(X[:3, :1])
    with pytest.raises(ks.DataError, match="finite"):
        found.predict([[1.0, np.nan]])


def test_a_notebook_shows_it(found):
    shown = found._repr_html_()
    assert "yearly cycle" in shown
    assert "<svg" in shown
    assert "<script" not in shown
