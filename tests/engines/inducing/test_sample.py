"""The rows that stand for all of a table."""

import numpy as np
import pytest

from kernelscribe.engines.inducing.sample import STRETCH, choose


def test_samples_hold_neighbours_along_every_input():
    X = np.random.default_rng(0).uniform(size=(6000, 3))
    chosen = choose(X, 2000, np.random.default_rng(1))
    assert len(chosen) == 2000
    assert (np.diff(chosen) > 0).all()
    for d in range(3):
        places = np.sort(np.argsort(np.argsort(X[:, d]))[chosen])
        runs = np.diff(np.flatnonzero(np.diff(places) > 1))
        # Of 2,000 rows at random out of 6,000 next to none would stand in a run of forty.
        assert runs[runs >= 40].sum() > 300
        assert np.ptp(X[chosen, d]) > 0.99


@pytest.mark.parametrize(("rows", "size"), [(10, 10), (10, 200), (STRETCH + 1, STRETCH), (2001, 2000), (300, 1)])
def test_as_many_as_are_asked_for_or_as_there_are(rows, size):
    X = np.random.default_rng(0).normal(size=(rows, 2))
    assert len(choose(X, size, np.random.default_rng(0))) == min(rows, size)


def test_the_same_seed_the_same_rows():
    X = np.random.default_rng(0).normal(size=(500, 2))
    first, second, other = (choose(X, 100, np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert (first == second).all()
    assert (first != other).any()
