"""What the regressor makes of rows and columns: frames, constants, few rows, dates."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.linear_model import LinearRegression

from kernelscribe import DataError
from kernelscribe.engines.interval import NOWHERE
from kernelscribe.search import work
from regressors import frame, regressor, series


def test_the_order_of_rows_does_not_matter():
    X, y = frame()
    order = np.random.default_rng(0).permutation(len(y))
    one, other = regressor().fit(X, y), regressor().fit(X.iloc[order], y.iloc[order])
    assert one.kernel_ == other.kernel_
    assert (one.predict(X) == other.predict(X)).all()
    assert (one.predict(X.iloc[order]) == one.predict(X)[order]).all()


def test_names_of_pandas_columns():
    X, y = frame()
    estimator = regressor().fit(X, y)
    assert estimator.feature_names_in_.tolist() == ["heat", "wind"]
    assert estimator.search_["inputs"] == ["heat", "wind"]
    assert estimator.search_["target"] == "yield"
    assert estimator.kernel_ in ("LIN1", "SE1")
    with pytest.raises(ValueError, match="feature names"):
        estimator.predict(X[["wind", "heat"]])


def test_a_polars_frame():
    polars = pytest.importorskip("polars")
    X, y = frame()
    same = polars.DataFrame({name: X[name].to_numpy() for name in X})
    estimator = regressor().fit(same, polars.Series("yield", y.to_numpy()))
    # Old versions of scikit-learn do not read the names of new versions of polars.
    assert hasattr(estimator, "feature_names_in_") == hasattr(LinearRegression().fit(same, y), "feature_names_in_")
    assert list(getattr(estimator, "feature_names_in_", ["heat", "wind"])) == ["heat", "wind"]
    assert estimator.search_["target"] == "yield"
    assert (estimator.predict(same) == regressor().fit(X, y).predict(X)).all()


def test_a_constant_column_is_left_out():
    X, y = frame()
    wider = X.assign(place=7.0)[["place", "heat", "wind"]]
    estimator = regressor().fit(wider, y)
    assert estimator.columns_.tolist() == [1, 2]
    assert estimator.n_features_in_ == 3
    assert estimator.search_["inputs"] == ["heat", "wind"]
    assert "place" in estimator.analysis_.model.data.notes[0].values["columns"]
    expected = regressor().fit(X, y).predict(X, return_std=True)
    # Whatever the column holds later.
    for found, same in zip(estimator.predict(wider.assign(place=8.0), return_std=True), expected, strict=True):
        assert (found == same).all()


def test_inputs_of_an_array_keep_their_numbers_as_names():
    X, y = frame()
    estimator = regressor().fit(np.column_stack([np.ones(40), X.to_numpy()]), y)
    assert estimator.search_["inputs"] == ["x2", "x3"]


def falls_back(estimator, X, mean, deviation, says):
    found = estimator.predict(X, return_std=True)
    np.testing.assert_allclose(found[0], np.full(len(X), mean), rtol=1e-15)
    np.testing.assert_allclose(found[1], np.full(len(X), deviation), rtol=1e-15)
    assert (estimator.predict(X) == found[0]).all()
    assert (estimator.kernel_, estimator.model_, estimator.analysis_) == (None, None, None)
    assert estimator.interval_ == estimator.bic_ == NOWHERE
    assert estimator.search_["kernel"] is None
    assert estimator.describe() == f"{says}."
    draws = estimator.sample_y(X, 4000)
    assert draws.mean() == pytest.approx(mean, abs=0.1 * deviation, rel=1e-12)
    assert draws.std() == pytest.approx(deviation, rel=0.1)


def test_a_constant_target():
    X, _ = series()
    assert regressor().fit(X, np.ones(60)).search_["n"] == 60
    falls_back(regressor().fit(X, np.full(60, 0.1)), X, 0.1, 0.0, "y is constant at 0.1: there is nothing to explain")


def test_nothing_but_constant_columns():
    _, y = series()
    X = np.ones((60, 2))
    says = "every column of X is constant: there is nothing to explain y by"
    falls_back(regressor().fit(X, y), X[:3], y.mean(), y.std(), says)


@pytest.mark.parametrize(("X", "y"), [([[1.0], [2.0]], [1, 3]), (np.repeat([[1.0], [2.0]], 6, axis=0), [1, 3] * 6)])
def test_too_few_distinct_rows(X, y):
    falls_back(regressor().fit(X, y), np.array([[1.5]]), 2.0, 1.0, "X has 2 distinct rows, fewer than 3: too few to explain y by")


def test_a_search_that_finds_nothing_warns(monkeypatch):
    """Other than with data that have nothing to find."""

    def fails(ladder, task):
        raise FloatingPointError("nothing works today")

    X, y = series()
    monkeypatch.setitem(work._STATEMENT_STAGES, "screen", fails)
    with pytest.warns(ConvergenceWarning, match="nothing works today.*the mean of y is predicted"):
        estimator = regressor().fit(X, y)
    falls_back(estimator, X[:3], y.mean(), y.std(), "no kernel could be fitted")


def test_without_time_there_is_a_model():
    X, y = series()
    estimator = regressor(budget=0).fit(X, y)
    assert estimator.kernel_ is not None
    assert estimator.search_["stopped"] == "the time allowed was used up"


def test_one_row_is_refused():
    with pytest.raises(ValueError, match="1 sample"):
        regressor().fit([[1.0]], [2.0])


def test_three_rows_are_enough():
    estimator = regressor().fit([[0.0], [1.0], [2.0]], [1, 2, 4])
    assert estimator.kernel_ is not None
    assert estimator.predict([[3.0]]) > 2  # a line is no more certain than a level


def test_rows_that_repeat_are_averaged():
    """Equal inputs with different targets are noise to a Gaussian process."""
    X = np.repeat(np.arange(12.0), 4)[:, None]
    y = np.repeat(np.sin(np.arange(12.0)), 4) + np.tile([-0.2, -0.1, 0.1, 0.2], 12)
    estimator = regressor().fit(X, y)
    mean, std = estimator.predict(X, return_std=True)
    assert np.abs(mean - np.repeat(np.sin(np.arange(12.0)), 4)).max() < 0.1
    assert estimator.noise_variance_ == pytest.approx(0.025, rel=0.4)
    assert (std > np.sqrt(estimator.noise_variance_)).all()


def test_a_target_in_a_column_is_taken_with_a_warning():
    X, y = series()
    with pytest.warns(DataConversionWarning):
        estimator = regressor().fit(X, y[:, None])
    assert estimator.predict(X).shape == (60,)


def test_sparse_input_is_refused():
    from scipy.sparse import csr_matrix

    X, y = series()
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        regressor().fit(csr_matrix(X), y)


DATES = pd.date_range("2020-01-01", periods=20, freq="D")


@pytest.mark.parametrize(
    "X",
    [
        DATES.to_numpy()[:, None],
        DATES.to_numpy().astype("datetime64[D]")[:, None],
        pd.DataFrame({"x1": DATES}),
        pd.DataFrame({"x1": DATES.tz_localize("UTC")}),
        pl.DataFrame({"x1": DATES.to_pydatetime().tolist()}),
        pd.DataFrame({"x1": [f"{day:%Y-%m-%d}" for day in DATES]}),
        [[day.date()] for day in DATES],
        pd.DataFrame({"x1": DATES - DATES[0]}),
        DATES,
    ],
    ids=lambda X: type(X).__name__,
)
def test_dates_are_refused_in_words_and_never_counted_in_nanoseconds(X):
    y = np.sin(np.arange(20.0))
    with pytest.raises(DataError, match="column x1 of X holds dates, which this regressor does not take: give days from a first"):
        regressor().fit(X, y)
    fitted = regressor().fit(np.arange(20.0)[:, None], y)
    for ask in (fitted.predict, fitted.sample_y, lambda points: fitted.score(points, y)):
        with pytest.raises(DataError, match="column x1 of X holds dates"):
            ask(X)


def test_a_target_of_dates_is_refused():
    with pytest.raises(DataError, match="y holds dates: the target must be numbers"):
        regressor().fit(np.arange(20.0)[:, None], DATES)
