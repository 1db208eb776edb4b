"""Who does the work makes no difference: no process, one, two, threads or Dask; in any order; with deaths; overlapping rounds."""

import logging
import math
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import searches
from kernelscribe import events, parse
from kernelscribe.config import Config
from kernelscribe.discovery import search
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.errors import Status
from kernelscribe.fit.facts import Fit, Screened
from kernelscribe.kernels.tree import leaves, pack
from kernelscribe.noises import Constant
from kernelscribe.search import crew as crews
from kernelscribe.search import work
from kernelscribe.search.moves import base_kernels
from kernelscribe.search.run import settle
from kernelscribe.search.state import absorb, begin, beginnable, pending
from searches import LONG, SMALL, Held, dataset, facts, lines

SECONDS = 120


@pytest.fixture(scope="module")
def inline(tmp_path_factory):
    """The search without any process: what it found, and its journal."""
    path = tmp_path_factory.mktemp("inline") / "search.jsonl"
    return searches.run(options=LONG, journal=path), lines(path)


def same(found, path, inline):
    """The same tree, the same parameters, the same journal."""
    expected, journal = inline
    assert found.stopped is None
    assert facts(found) == facts(expected)
    for new, old in zip(found.fits, expected.fits, strict=True):
        if old.usable:
            assert np.allclose(pack(new.expr), pack(old.expr), rtol=1e-6)
            assert [leaf.kind for leaf in leaves(new.expr)] == [leaf.kind for leaf in leaves(old.expr)]
    assert lines(path) == journal


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_of_our_own(inline, tmp_path, monkeypatch, workers):
    """And data travel to each of them about once, not with each task."""
    loads = []

    def order(*args, **more):
        made = work.Order(*args, **more)
        loads.append(made.data is not None)
        return made

    monkeypatch.setattr(crews, "Order", order)
    path = tmp_path / "search.jsonl"
    found = search(dataset(), Config(**LONG), workers=workers, journal=path)
    same(found, path, inline)
    assert found.workers == workers
    assert 1 <= sum(loads) <= 3 * workers
    assert len(loads) > 3 * sum(loads)


def test_threads_of_the_caller(inline, tmp_path):
    path = tmp_path / "search.jsonl"
    with threadpool_limits(1), ThreadPoolExecutor(2) as executor:
        found = searches.run(executor, options=LONG, journal=path)
        assert executor.submit(int).result() == 0
    same(found, path, inline)
    assert found.workers == 2


@pytest.fixture(scope="module")
def client():
    """Two worker processes of Dask on this machine, without a dashboard."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def test_dask(client, inline, tmp_path):
    path = tmp_path / "search.jsonl"
    found = searches.run(client.get_executor(pure=False), options=LONG, journal=path)
    same(found, path, inline)
    assert found.workers == 2


def test_a_dask_worker_that_is_killed(client, inline, tmp_path):
    """Its task goes to another worker, which may have to ask for the data first."""
    path, killed = tmp_path / "search.jsonl", []

    def tell(event):
        if isinstance(event, events.Found) and event.stage == "polish" and not killed:
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)

    found = searches.run(client.get_executor(pure=False), options=LONG, journal=path, on_event=tell)
    assert killed
    same(found, path, inline)


@pytest.mark.parametrize("seed", [0, 1])
def test_results_in_any_order(inline, seed):
    """The fold alone: what arrives when does not matter."""
    data, config, rng = dataset(), settle(Config(**LONG)), np.random.default_rng(seed)
    state = begin(config, data.scales, base_kernels(1), sharp=False)
    known = {task.key: result for task, result in inline[0].state.log}
    while not state.done:
        tasks = list(pending(state))
        task = tasks[rng.integers(len(tasks))]
        state = absorb(state, task, known[task.key])
    assert list(state.fits) == list(inline[0].state.fits)
    assert state.grown == inline[0].state.grown
    assert [task.key for task, _ in state.log] == [task.key for task, _ in inline[0].state.log]


@pytest.mark.parametrize("which", [0, 2])
def test_rounds_overlap_and_nothing_changes(inline, tmp_path, which):
    """One fit of the first round is late. The second round begins without it, and ends as if it had not: whether the kernel that
    grew ahead is the best in the end, or the late one."""
    polished = []

    def held(order):
        if order.task.stage == "polish" and order.task.candidate.depth == 0:
            polished.append(order)
            return len(polished) > which
        return False

    def until(order):
        return order.task.candidate.depth == 1

    path = tmp_path / "search.jsonl"
    executor = Held(held, until)
    found = searches.run(executor, options={**LONG, "budget": SECONDS}, journal=path)
    early = executor.log[: executor.log.index(None)]
    assert any(order.task.candidate.depth == 1 for order in early)
    same(found, path, inline)


KERNELS = {
    "SE1": "SE1(variance=1, lengthscale=1)",
    "PER1": "PER1(variance=1, lengthscale=1, period=1)",
    "LIN1": "LIN1(variance=1, location=0)",
}
GOOD = Screened(points=((0.0,),), score=0.0, hope=0.0, evaluations=1, seconds=0.0, status=Status.OK)


def fitted(state, name, bic):
    """A fit by hand."""
    here = Interval(bic, bic)
    return Fit(
        state.scales, parse(KERNELS[name]), Constant(0.1), Evidence(here, here, exact=bic), here, (), "exact", 1, 0.0, Status.OK
    )


def by_hand(strategy="skc-lb", **options):
    """A search whose base kernels are screened, to be polished."""
    state = begin(Config(**SMALL, strategy=strategy, **options), dataset().scales, base_kernels(1), sharp=True)
    for task in list(pending(state)):
        state = absorb(state, task, GOOD)
    assert state.stage == "polish"
    return state, {task.candidate.name: task for task in state.tasks}


def test_nothing_begins_ahead_while_too_much_is_open():
    state, tasks = by_hand(buffer=2)
    assert beginnable(state) == []
    state = absorb(state, tasks["SE1"], fitted(state, "SE1", -10.0))
    assert beginnable(state) == []
    narrow, tasks = by_hand(buffer=1)
    for name in ("SE1", "PER1"):
        narrow = absorb(narrow, tasks[name], fitted(narrow, name, -10.0))
    assert beginnable(narrow) == []


@pytest.mark.parametrize("last", [-30.0, -15.0, -1.0, -math.inf])
def test_what_begins_ahead_is_wanted_whatever_comes(last):
    """With a buffer of three and one result missing the best two will grow: where it ends first, in between, last, or fails."""
    state, tasks = by_hand(buffer=3)
    state = absorb(state, tasks["SE1"], fitted(state, "SE1", -10.0))
    state = absorb(state, tasks["PER1"], fitted(state, "PER1", -20.0))
    early = beginnable(state)
    assert {task.candidate.parent for task in early} == {"SE1", "PER1"}
    assert {task.stage for task in early} == {"screen"}
    result = fitted(state, "LIN1", last)
    if math.isinf(last):
        result = replace(result, status=Status.FAILED)
    after = absorb(state, tasks["LIN1"], result)
    assert after.depth == 1
    parents = {name for name in after.grown if math.isfinite(last) or name != "LIN1"}
    assert {"SE1", "PER1"} <= parents
    # A neighbour that two parents share may change hands when the missing one comes first; every other task is used.
    assert {task.key for task in early} <= {task.key for task in after.tasks}
    if last < -20:
        assert set(early) <= set(after.tasks)


def test_nothing_begins_ahead_of_the_last_round():
    state, tasks = by_hand(buffer=3)
    state = replace(state, config=replace(state.config, depth=0))
    for name in ("SE1", "PER1"):
        state = absorb(state, tasks[name], fitted(state, name, -10.0))
    assert beginnable(state) == []


def test_a_guess_that_turns_out_wrong_is_not_used():
    """Ahead of a round are tasks with the values of a parent that the last fit of the round displaces."""
    state, tasks = by_hand("skc", buffer=2)
    state = absorb(state, tasks["SE1"], fitted(state, "SE1", -10.0))
    state = absorb(state, tasks["PER1"], fitted(state, "PER1", -20.0))
    early = beginnable(state)
    assert {task.candidate.parent for task in early} == {"SE1"}
    after = absorb(state, tasks["LIN1"], fitted(state, "LIN1", -1.0))
    assert after.grown == ("LIN1",)
    assert not set(early) & set(after.tasks)
