"""The scikit-learn face: its own checks of estimators, its tools around ours, what is known after a fit, and its page."""

import inspect
import pickle
import re
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelscribe as ks
from kernelscribe.api.estimator import KernelSearchRegressor
from kernelscribe.config import Config, options
from kernelscribe.kernels.tree import text
from kernelscribe.kernels.units import to_user
from regressors import CHEAP, frame, regressor, series

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "sklearn.md").read_text()


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
    # SE has two values, the level none that is chosen, and there is the noise.
    assert fitted.kernel_ == "SE + C"
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
