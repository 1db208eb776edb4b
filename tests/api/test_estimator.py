"""The scikit-learn face: its own checks of estimators, its tools around ours, and its Gaussian process as an oracle."""

import inspect
import pickle
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, ExpSineSquared, PairwiseKernel
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelscribe as ks
from kernelscribe import DataError
from kernelscribe.api.estimator import KernelSearchRegressor
from kernelscribe.config import Config, options
from kernelscribe.engines.interval import NOWHERE
from kernelscribe.kernels.tree import Leaf, Product, text
from kernelscribe.kernels.units import to_user
from kernelscribe.search import pool, work
from kernelscribe.search.pool import Inline
from searches import table

CHEAP = {"depth": 0, "restarts": 1, "options": {"steps": 20, "backend": "numpy"}, "random_state": 0}
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "sklearn.md").read_text()


def regressor(**more):
    return KernelSearchRegressor(**{**CHEAP, **more})


def series(rows=60):
    x, y = table(rows)
    return x[:, None], y


def frame(rows=40):
    """Of two inputs the first explains everything."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"heat": np.linspace(10, 30, rows), "wind": rng.normal(size=rows)})
    return X, pd.Series(3 * X["heat"] + 0.1 * rng.normal(size=rows), name="yield")


@pytest.fixture(scope="module")
def fitted():
    return regressor().fit(*series())


# Kernels are ranked by forty rows: these checks are of manners, not of the search, and some bring two hundred rows of ten inputs.
@parametrize_with_checks(
    [KernelSearchRegressor(strategy="subset", depth=0, restarts=1, options={**CHEAP["options"], "subset": 40})]
)
def test_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_attributes(fitted):
    X, y = series()
    assert fitted.kernel_ == fitted.search_["kernel"] == text(fitted.model_.expr, inputs=1)
    assert fitted.interval_.lower <= fitted.interval_.upper
    # SE and LIN have two values each, and there is the noise.
    assert fitted.kernel_ in ("SE", "LIN")
    assert fitted.bic_.upper == pytest.approx(fitted.interval_.upper - 1.5 * np.log(len(y)))
    assert fitted.noise_variance_ == pytest.approx(fitted.search_["noise_variance"])
    assert fitted.mean_ == pytest.approx(y.mean())
    assert fitted.columns_.tolist() == [0]
    # The evidence is that of the fitted values, computed elsewhere.
    user = to_user(fitted.model_.expr, fitted.model_.data.inputs, fitted.model_.data.output)
    again = ks.evidence(user, X, y, noise=fitted.noise_variance_)
    assert again.interval.lower == pytest.approx(fitted.interval_.lower)


def test_the_analysis_is_made_when_it_is_asked_for_and_forgotten_with_a_new_fit():
    estimator = regressor().fit(*series())
    assert "analysis_" not in vars(estimator)
    found = estimator.analysis_
    assert found is estimator.analysis_
    assert (found.kernel, found.interval) == (estimator.kernel_, estimator.interval_)
    assert found.components[0].mean.shape == (60,)
    x = np.arange(20.0)[:, None]
    assert estimator.fit(x, 2 * x[:, 0]).analysis_ is not found
    assert estimator.analysis_.model.data.y.shape == (20,)


def test_the_description_is_in_the_users_words():
    estimator = regressor().fit(*frame())
    said = estimator.describe()
    assert "yield" in said
    assert "heat" in said
    assert "wind" not in said


@pytest.mark.parametrize("ask", [lambda e: e.predict([[1.0]]), lambda e: e.sample_y([[1.0]]), lambda e: e.describe()])
def test_nothing_is_known_before_a_fit(ask):
    estimator = regressor()
    with pytest.raises(NotFittedError):
        ask(estimator)
    assert not hasattr(estimator, "analysis_")


@pytest.mark.parametrize(("depth", "unit", "says"), [(-1, 1.0, "depth must be"), (0, 1e200, "too large to square: rescale it")])
def test_nothing_is_known_after_a_fit_that_failed(depth, unit, says):
    estimator = regressor(depth=depth)
    X, y = series()
    with pytest.raises(ks.KernelscribeError, match=says):
        estimator.fit(X, unit * y)
    with pytest.raises(NotFittedError):
        estimator.predict([[1.0]])


# An oracle: scikit-learn's Gaussian process with the same kernel at the same values.


def oracle(expr):
    """A kernel with values in scikit-learn's terms, for one input."""
    if not isinstance(expr, Leaf):
        parts = [oracle(arg) for arg in expr.args]
        whole = parts[0]
        for part in parts[1:]:
            whole = whole * part if isinstance(expr, Product) else whole + part
        return whole
    variance, *values = expr.values
    match expr.kind:
        case "SE":
            return ConstantKernel(variance) * RBF(values[0])
        case "PER":
            return ConstantKernel(variance) * ExpSineSquared(length_scale=values[0], periodicity=values[1])
        case "LIN":
            return ConstantKernel(variance) * PairwiseKernel(metric=lambda a, b, **_: (a[0] - values[0]) * (b[0] - values[0]))
    raise AssertionError(expr)


def peer(estimator, X, y):
    """What has been fitted, as scikit-learn has it: for the target about its mean, without noise in its predictions."""
    data = estimator.model_.data
    kernel = oracle(to_user(estimator.model_.expr, data.inputs, data.output))
    return GaussianProcessRegressor(kernel, alpha=estimator.noise_variance_, optimizer=None).fit(X, y - y.mean())


def with_kernel(estimator, kernel, X, y):
    """The same estimator with a kernel that it might have found."""
    found = ks.fit_kernel(kernel, X, y, restarts=2, steps=50, backend="numpy")
    changed = clone(estimator).fit(X, y)
    changed.model_ = replace(estimator.model_, expr=found.expr, noise=found.noise)
    changed.noise_variance_ = found.user_noise
    return changed


@pytest.mark.parametrize("kernel", ["SE", "LIN", "PER + LIN", "SE*PER + LIN", "(SE + PER)*LIN"])
def test_mean_and_deviation_are_those_of_scikit_learns_own_process(fitted, kernel):
    X, y = series()
    estimator = with_kernel(fitted, kernel, X, y)
    beyond = np.linspace(-1, 7, 50)[:, None]
    mean, std = estimator.predict(beyond, return_std=True)
    expected, without_noise = peer(estimator, X, y).predict(beyond, return_std=True)
    np.testing.assert_allclose(mean, expected + y.mean(), atol=1e-6)
    np.testing.assert_allclose(std, np.hypot(without_noise, np.sqrt(estimator.noise_variance_)), atol=1e-6)
    np.testing.assert_allclose(estimator.predict(beyond), mean, atol=1e-10)


def test_draws_have_the_mean_and_the_covariance_of_scikit_learns_own_process(fitted):
    X, y = series()
    estimator = with_kernel(fitted, "SE", X, y)
    points = np.array([[0.4], [0.5], [2.0], [6.0], [6.2]])
    mean, covariance = peer(estimator, X, y).predict(points, return_cov=True)
    covariance = covariance + estimator.noise_variance_ * np.eye(5)
    draws = estimator.sample_y(points, n_samples=20_000, random_state=0)
    assert draws.shape == (5, 20_000)
    deviation = np.sqrt(np.diag(covariance))
    assert (np.abs(draws.mean(axis=1) - mean - y.mean()) < 4 * deviation / np.sqrt(20_000)).all()
    np.testing.assert_allclose(
        np.cov(draws) / np.outer(deviation, deviation), covariance / np.outer(deviation, deviation), atol=0.03
    )
    assert abs(covariance[3, 4]) > 0.1 * deviation[3] * deviation[4]


def test_draws_follow_their_random_state(fitted):
    X, _ = series(5)
    assert (fitted.sample_y(X, 2, random_state=3) == fitted.sample_y(X, 2, random_state=np.random.RandomState(3))).all()
    assert (fitted.sample_y(X, 2, random_state=3) != fitted.sample_y(X, 2, random_state=4)).all()
    assert fitted.sample_y(X).shape == (5, 1)


# Rows and columns.


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
    monkeypatch.setitem(work._STAGES, "screen", fails)
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
    assert estimator.predict([[3.0]]) > 3


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


# With the tools of scikit-learn.


def test_in_a_pipeline_and_in_cross_validation():
    X, y = frame()
    model = make_pipeline(StandardScaler(), regressor())
    assert model.fit(X, y).score(X, y) > 0.99
    scores = cross_val_score(model, X, y, cv=KFold(3, shuffle=True, random_state=0), error_score="raise")
    assert scores.min() > 0.99


def test_in_a_grid_search():
    """A grid of NumPy's numbers too."""
    X, y = series(40)
    grid = {"depth": np.arange(2), "strategy": ["cks"]}
    found = GridSearchCV(regressor(), grid, cv=KFold(2, shuffle=True, random_state=0), error_score="raise").fit(X, y)
    assert found.best_params_["depth"] in (0, 1)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    assert found.best_estimator_.search_["strategy"] == "cks"


def test_clone_and_parameters():
    given = {"strategy": "skc", "depth": 2, "buffer": 3, "engine": "inducing", "inducing": 9, "restarts": 2, "priors": "weak",
             "budget": "1m", "options": {"moves": "root"}, "n_jobs": 2, "random_state": 5}  # fmt: skip
    estimator = KernelSearchRegressor(**given)
    assert clone(estimator).get_params() == estimator.get_params() == given
    assert set(given) == set(inspect.signature(KernelSearchRegressor).parameters)
    config = estimator.set_params(depth=1)._config()
    assert (config.depth, config.buffer, config.inducing, config.priors) == (1, 3, 9, "weak")
    assert (config.budget, config.moves, config.seed) == (60.0, "root", 5)


def test_defaults_are_those_of_the_options_but_for_the_depth():
    """A fit may be one of many, in a grid or in folds: it takes three rounds, however few the rows are."""
    given = KernelSearchRegressor().get_params()
    assert given.pop("depth") == 3
    for name, value in given.items():
        if name in options():
            assert value == getattr(Config(), name), name


def test_few_rows_tell_base_kernels_apart_at_best():
    x = np.arange(9.0)[:, None]
    assert regressor(depth=2).fit(x, x[:, 0] + np.sin(3 * x[:, 0])).search_["depth"] == 0


def test_pickle(fitted):
    X, _ = series(7)
    again = pickle.loads(pickle.dumps(fitted))  # noqa: S301
    assert (again.predict(X) == fitted.predict(X)).all()
    assert again.describe() == fitted.describe()
    assert (again.kernel_, again.interval_, again.search_) == (fitted.kernel_, fitted.interval_, fitted.search_)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"strategy": "best"}, "strategy must be one of"),
        ({"restarts": 0}, "restarts must be at least 1"),
        ({"options": {"beam": 3}}, "there is no option 'beam'"),
        ({"options": {"depth": 3}}, "options holds 'depth': give it as the parameter depth"),
        ({"options": {"seed": 3}}, "options holds 'seed': give it as the parameter random_state"),
        ({"random_state": -1}, "seed must be at least 0"),
        ({"random_state": "one"}, "cannot be used to seed"),
        ({"n_jobs": 0}, "n_jobs == 0"),
    ],
)
def test_parameters_that_make_no_sense_are_refused_by_fit(given, says):
    estimator = regressor(**given)
    with pytest.raises(ValueError, match=says):
        estimator.fit(*series())


# Randomness and workers.


def test_the_same_random_state_gives_the_same_answer():
    X, y = series()
    one, other = regressor(random_state=3).fit(X, y), regressor(random_state=3).fit(X, y)
    assert (one.predict(X) == other.predict(X)).all()
    assert one.model_.config.seed == 3


def test_a_generator_of_random_states_goes_on():
    def seeds(state):
        return [regressor(random_state=state)._config().seed for _ in range(2)]

    assert seeds(np.random.RandomState(1)) == seeds(np.random.RandomState(1))
    assert len(set(seeds(np.random.RandomState(1)))) == 2
    np.random.seed(4)
    given = seeds(None)
    np.random.seed(4)
    assert seeds(None) == given


@pytest.mark.parametrize("n_jobs", [None, 1])
def test_one_job_starts_no_process(monkeypatch, fitted, n_jobs):
    def refuse(*args, **kwargs):
        raise AssertionError("a pool was made")

    monkeypatch.setattr(pool, "ProcessPoolExecutor", refuse)
    X, y = series()
    estimator = regressor(n_jobs=n_jobs).fit(X, y)
    assert estimator.search_["workers"] == 1
    with pytest.raises(AssertionError, match="a pool was made"):
        regressor(n_jobs=2).fit(X, y)


def test_the_answer_does_not_depend_on_the_number_of_jobs(fitted):
    X, y = series()
    estimator = regressor(n_jobs=2).fit(X, y)
    assert estimator.search_["workers"] == 2
    assert (estimator.predict(X) == fitted.predict(X)).all()


def test_all_cores(monkeypatch):
    asked = []
    monkeypatch.setattr(pool, "ProcessPoolExecutor", lambda max_workers, **_: asked.append(max_workers) or Closing())
    regressor(n_jobs=-1).fit(*series())
    from joblib import cpu_count

    assert asked == ([] if cpu_count() == 1 else [cpu_count()])


class Closing(Inline):
    """Does the work here, and may be ended as a pool of processes is."""

    def shutdown(self, wait=True, *, cancel_futures=False, kill_workers=False):
        pass


class Counting(Inline):
    tasks = 0

    def submit(self, fn, /, *args, **kwargs):
        self.tasks += 1
        return super().submit(fn, *args, **kwargs)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_the_executor_around_it_is_used(fitted, n_jobs):
    X, y = series()
    counting = Counting()
    with ks.parallel(counting):
        estimator = regressor(n_jobs=n_jobs).fit(X, y)
    assert counting.tasks > estimator.search_["fits"]
    assert (estimator.predict(X) == fitted.predict(X)).all()


def test_threads(fitted):
    X, y = series()
    with ThreadPoolExecutor(2) as executor, ks.parallel(executor):
        estimator = regressor().fit(X, y)
    assert estimator.search_["workers"] == 2
    assert (estimator.predict(X) == fitted.predict(X)).all()


# The package and its page.


def test_without_scikit_learn_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    monkeypatch.delitem(sys.modules, "kernelscribe.api.estimator")
    with pytest.raises(ImportError, match=r"pip install 'kernelscribe\[sklearn\]'"):
        import_module("kernelscribe.api.estimator")


def test_every_parameter_has_a_row_with_its_default():
    for name, parameter in inspect.signature(KernelSearchRegressor).parameters.items():
        rows = re.findall(rf"^\| `{name}` \| (\S+) \|", PAGE, re.MULTILINE)
        assert rows == [str(parameter.default)], name


def test_every_attribute_and_method_is_on_the_page(fitted):
    names = {name for name in (*vars(fitted), *dir(type(fitted))) if name.endswith("_") and not name.startswith("_")}
    assert {"kernel_", "model_", "analysis_", "columns_", "n_features_in_"} <= names
    for name in (*names, "fit", "predict", "sample_y", "describe", "score"):
        assert re.search(rf"^\| `{name}\b", PAGE, re.MULTILINE), name


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
