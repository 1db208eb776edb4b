"""The search as a scikit-learn regressor, for pipelines, cross-validation and grid search.

scikit-learn hands over bare arrays, many times, and some of them cannot be explained at all: a fold with a constant target, or
with too few rows. Where there is nothing to search for, the regressor predicts the mean and does not fail.
"""

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelscribe.api.analysis import Analysis, conclude
from kernelscribe.arrays import Array
from kernelscribe.config import Config, configure
from kernelscribe.data.arrays import dates
from kernelscribe.data.dataset import FEWEST_ROWS, Dataset, flat
from kernelscribe.data.frame_columns import label_of
from kernelscribe.data.notes import Note
from kernelscribe.data.phrases import listed
from kernelscribe.discovery import search
from kernelscribe.errors import DataError, OptionError
from kernelscribe.model.model import Model
from kernelscribe.outcome import Outcome
from kernelscribe.report.words import language
from kernelscribe.search.pool import Inline, given, parallel
from kernelscribe.summary import outcome_dict

try:
    from joblib import effective_n_jobs
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.utils import check_random_state, validation
except ImportError as error:
    raise ImportError("KernelSearchRegressor needs scikit-learn: pip install 'kernelscribe[sklearn]'", name=error.name) from error

__all__ = ["KernelSearchRegressor"]

# What must not be in `options`, and where it belongs.
_OWN = ("strategy", "depth", "buffer", "engine", "inducing", "restarts", "priors", "budget")
_ELSEWHERE = {**{name: name for name in _OWN}, "seed": "random_state"}
_SEEDS = 2**31 - 1


class KernelSearchRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Gaussian-process regression with a kernel that is found by search.

    Args:
        strategy, depth, buffer, engine, inducing, restarts, priors, budget: as in `kernelscribe.Config`.
        options: a dictionary of any further option of `kernelscribe.Config`.
        n_jobs: processes to use: None or 1 this one alone, -1 one for each core. Inside `with kernelscribe.parallel(executor)`
            that executor is used instead.
        random_state: an integer gives the same answer each time.

    Attributes:
        kernel_: the kernel that was found, as text; None where there is none. The numbers of inputs count those in `columns_`.
        interval_, bic_: certified intervals of its evidence and of its BIC, in nats, for the target scaled to variance 1.
        noise_variance_: variance of the noise, in units of y squared; with a `transform`, on its scale.
        model_: the fitted `Model`; None where there is no kernel.
        analysis_: the `Analysis` with components, forecasts and the report; None where there is no kernel.
        search_: the outcome of the search as plain values, those that `kernelscribe run --json` prints.
        columns_: the columns of X that are inputs: all but the constant ones.
        mean_: the mean of y, which is predicted where there is no kernel.
        n_features_in_, feature_names_in_: as in every estimator of scikit-learn.
    """

    def __init__(
        self,
        *,
        strategy: str = "auto",
        depth: int | None = 3,
        buffer: int = 2,
        engine: str = "auto",
        inducing: int | None = None,
        restarts: int = 6,
        priors: str = "practical",
        budget: float | str | None = None,
        options: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.strategy = strategy
        self.depth = depth
        self.buffer = buffer
        self.engine = engine
        self.inducing = inducing
        self.restarts = restarts
        self.priors = priors
        self.budget = budget
        self.options = options
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "KernelSearchRegressor":
        """Search for the kernel that explains y [N] by X [N, D] best. The order of the rows does not matter."""
        target = label_of(y)
        _no_dates(X, y)
        X, y = _validate(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        y = y.astype(np.float64)
        config, workers = self._config(), effective_n_jobs(self.n_jobs)
        order = np.lexsort((y, *X.T[::-1]))
        X, y = X[order], y[order]
        columns = np.flatnonzero([not flat(column) for column in X.T])
        X, found, model = X[:, columns], None, None
        reason = _hopeless(X, y, target)
        if reason is None:
            kept, notes = self._names(columns)
            data = Dataset.of(X, y, names=kept, target=target, notes=notes)
            found = _search(data, config, workers)
            model = None if found.best is None else Model.chosen(data, found.best, config)
            if model is None:
                _warn(found, target)
        outcome = Outcome.empty(config.strategy) if found is None else found
        self.columns_, self.model_, self._found = columns, model, found
        self.kernel_, self.interval_, self.bic_ = outcome.kernel, outcome.evidence.interval, outcome.bic
        nothing = {"kernel": None, "n": len(y), "target": target, "decision": reason}
        self.search_ = nothing if found is None else outcome_dict(found, data)
        # From the first value, so that a constant has the mean that it should have, and no variance.
        self.mean_ = float(y[0] + (y - y[0]).mean())
        self.noise_variance_ = float((y - y[0]).var()) if model is None else model.noise_sd**2
        self.__dict__.pop("analysis_", None)  # that of an earlier fit
        return self

    @cached_property
    def analysis_(self) -> Analysis | None:
        """Computed when first asked for: with a series the forecasts are tested on its past, which takes some seconds."""
        validation.check_is_fitted(self, "model_")
        if self.model_ is None or self._found is None:
            return None
        return conclude(self.model_, self._found)

    def predict(self, X: Any, return_std: bool = False) -> Array | tuple[Array, Array]:
        """The median of y at every row of X, which is the mean but for a `transform`, and the standard deviation of a new
        observation there, noise included."""
        points = self._points(X)
        if self.model_ is None:
            mean, std = np.full(len(points), self.mean_), np.full(len(points), np.sqrt(self.noise_variance_))
        elif return_std:
            found = self.model_.predict(points)
            mean, std = found.median, found.std
        else:
            return self.model_.user(self.model_.posterior.means(self.model_.standard(points)).sum(axis=1))
        return (mean, std) if return_std else mean

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> Array:
        """Draws [N, n_samples] of new observations at all rows of X together, noise included; O(N³), as joint draws are."""
        points, rng = self._points(X), check_random_state(random_state)
        draws = rng.standard_normal((len(points), n_samples))
        if self.model_ is None:
            return np.asarray(self.mean_ + np.sqrt(self.noise_variance_) * draws)
        Z = self.model_.standard(points)
        mean, covariance = self.model_.posterior.joint(Z)
        covariance.flat[:: len(covariance) + 1] += self.model_.noise.diagonal(Z)
        size, direction = np.linalg.eigh(covariance)
        root = direction * np.sqrt(np.maximum(size, 0.0))
        return self.model_.user(mean[:, None] + root @ draws)

    def describe(self) -> str:
        """What was found, in plain English."""
        validation.check_is_fitted(self, "model_")
        return f"{self.search_['decision']}." if self.analysis_ is None else str(self.analysis_)

    def _config(self) -> Config:
        further = dict(self.options or {})
        for name in further:
            if name in _ELSEWHERE:
                raise OptionError(f"options holds {name!r}: give it as the parameter {_ELSEWHERE[name]}")
        chosen = {name: getattr(self, name) for name in _OWN} | further | {"seed": _seed(self.random_state)}
        # A grid of values comes in NumPy's types.
        return configure({name: value.item() if isinstance(value, np.generic) else value for name, value in chosen.items()})

    def _names(self, columns: NDArray[np.intp]) -> tuple[list[str], list[Note]]:
        """Of the columns that are inputs; and what became of the others."""
        names = list(getattr(self, "feature_names_in_", [f"x{d + 1}" for d in range(self.n_features_in_)]))
        kept = [str(names[d]) for d in columns]
        gone = [str(name) for d, name in enumerate(names) if d not in columns]
        return kept, [Note("constants_left_out", {"columns": gone})] if gone else []

    def _points(self, X: Any) -> Array:
        validation.check_is_fitted(self, "model_")
        _no_dates(X)
        return np.asarray(_validate(self, X, dtype=np.float64, reset=False)[:, self.columns_])


def _validator() -> Callable[..., Any]:
    """A function since scikit-learn 1.6, before that a method."""
    if hasattr(validation, "validate_data"):
        return validation.validate_data  # type: ignore[no-any-return]
    return lambda estimator, *args, **more: estimator._validate_data(*args, **more)


_validate = _validator()


def _no_dates(X: Any, y: Any = None) -> None:
    """Refuse dates, which scikit-learn would turn into counts of nanoseconds without a word."""
    held = dates(X)
    if held:
        days = "days from a first date, as in (dates - dates.min()) / np.timedelta64(1, 'D')"
        which = f"column {listed(held)} of X holds" if len(held) == 1 else f"columns {listed(held)} of X hold"
        raise DataError(f"{which} dates, which this regressor does not take: give {days}, or the whole table to ks.analyse")
    if y is not None and dates(y):
        raise DataError("y holds dates: the target must be numbers")


def _search(data: Dataset, config: Config, workers: int) -> Outcome:
    """One worker is this process itself, unless the caller has an executor."""
    inline = workers == 1 and given() is None
    if len(data.y) < config.effort.few_rows:  # few rows tell base kernels apart at best, however deep the search may go
        config = replace(config, depth=0)
    with parallel(Inline()) if inline else nullcontext():
        return search(data, config, workers=workers)


def _warn(found: Outcome, target: str) -> None:
    """That nothing was found may be the search's fault: say so, and say why."""
    reasons = [language.facts.reason(each.reason) or each.status.value for each in found.fits]
    stopped = [] if found.stopped is None else [language.facts.stop(found.stopped)]
    why = next(iter([*stopped, *reasons]), language.facts.decision(found.decision))
    warnings.warn(f"no kernel could be fitted ({why}): the mean of {target} is predicted", ConvergenceWarning, stacklevel=3)


def _seed(random_state: Any) -> int:
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(_SEEDS))


def _hopeless(inputs: Array, y: Array, target: str) -> str | None:
    """Why there is nothing to search for, if there is nothing, in rows that are sorted."""
    if flat(y):
        return f"{target} is constant at {y[0]:g}: there is nothing to explain"
    if inputs.shape[1] == 0:
        return f"every column of X is constant: there is nothing to explain {target} by"
    distinct = 1 + int((np.diff(inputs, axis=0) != 0).any(axis=1).sum())
    if distinct < FEWEST_ROWS:
        return f"X has {distinct} distinct rows, fewer than {FEWEST_ROWS}: too few to explain {target} by"
    return None
