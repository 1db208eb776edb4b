"""Randomness and workers of the regressor."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import kernelscribe as ks
from kernelscribe.search import pool
from kernelscribe.search.pool import Inline
from regressors import regressor, series


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
