"""The main job from Python: any table in, an analysis out that describes, predicts, reports and saves."""

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
        found = ks.analyse(np.arange(9.0), np.arange(9.0) ** 2, restarts=1, backend="numpy")
    assert found.verdict.depth == 0


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


def test_levels_and_steps_that_make_no_sense_are_refused(found):
    for level in (0, 100, -5):
        with pytest.raises(ks.OptionError, match="between 0 and 100"):
            found.forecast(2, level=level)
    with pytest.raises(ks.OptionError, match="at least one step"):
        found.forecast(0)


def test_a_notebook_shows_it(found):
    shown = found._repr_html_()
    assert "yearly cycle" in shown
    assert "<svg" in shown
    assert "<script" not in shown
