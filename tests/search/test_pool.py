"""Workers that start before anybody needs them."""

import os
import sys

import pytest

import kernelscribe as ks
from kernelscribe.search.pool import Inline, cores, early, pids, processes

PATIENCE = 60.0


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def ended():
    """Ends pools when the test is over."""
    pools = []
    yield pools.append
    for pool in pools:
        pool.shutdown(wait=True, kill_workers=True)


def loaded():
    return "kernelscribe.search.work" in sys.modules, "kernelscribe.report" in sys.modules


def test_the_first_pool_of_as_many_is_the_one_that_was_started(ended):
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        with early(1):
            pool = processes(1)
            ended(pool)
            (worker,) = pids(pool)
            assert alive(worker)
            # What a task needs is there before the first comes, and nothing else.
            assert pool.submit(loaded).result(timeout=PATIENCE) == (True, False)
            other = processes(1)
            ended(other)
            assert other is not pool
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    # Who has taken the pool ends it.
    assert pool.submit(int).result(timeout=PATIENCE) == 0


def test_a_pool_that_nobody_takes_ends(monkeypatch):
    from kernelscribe.search import pool as pools

    made = []
    usual = pools._made
    monkeypatch.setattr(pools, "_made", lambda workers: made.append(usual(workers)) or made[-1])
    with early(1):
        assert len(made) == 1
        (worker,) = pids(made[0])
        assert alive(worker)
    assert not alive(worker)


def test_a_pool_of_another_size_is_another(ended):
    with early(1):
        pool = processes(2)
        ended(pool)
        assert pids(pool) == ()
        assert pool._max_workers == 2


@pytest.mark.parametrize("workers", [0, 1])
def test_none_start_where_none_are_wanted_or_the_caller_has_some(monkeypatch, workers):
    from kernelscribe.search import pool as pools

    def refuse(count):
        raise AssertionError

    monkeypatch.setattr(pools, "_made", refuse)
    with ks.parallel(Inline()) if workers else early(0), early(workers):
        assert pools._EARLY.get() == ()


def test_there_is_a_core():
    assert cores() >= 1
