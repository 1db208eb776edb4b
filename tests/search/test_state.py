"""The fold of a search on fits made by hand: what is asked, what failures and drops leave; no order of arrival matters."""

import math

import pytest

from handmade import BASE, Table, play, screened, short, shuffled, start
from kernelscribe import Status, text
from kernelscribe.fit.facts import Failure, Fault
from kernelscribe.search.facts import failure
from kernelscribe.search.rules import STRATEGIES, score
from kernelscribe.search.state import absorb, contenders, leader, pending


def test_a_search_begins_with_every_base_kernel_on_every_input():
    state = start("auto", inputs=2)
    assert [task.key.kernel for task in pending(state)] == ["SE1", "PER1", "LIN1", "SE2", "PER2", "LIN2"]
    assert leader(state) is None
    assert contenders(state) == []


def test_equal_candidates_are_fitted_once():
    """SE + PER is a child of SE and of PER; SE*PER has it as a neighbour too."""
    table = Table({"SE": -10, "PER": -11, "LIN": -12, "SE + PER": -1, "SE*PER": 0})
    play(start("cks", depth=3, buffer=3, exact=True), table)
    asked = [name for _, stage, name in table.asked if stage == "screen"]
    assert len(set(asked)) == len(asked)
    assert "SE + PER" in asked


def test_a_dropped_kernel_may_try_again_from_another_parent():
    table = Table({**BASE, "SE*PER": 0, "SE + LIN": 30}, dropped={(0, "PER"), (0, "LIN"), (1, "SE + LIN")})
    state = play(start("auto", depth=1, buffer=1, exact=True), table, until=lambda state: state.depth == 1)
    assert state.fits["PER1"].status is Status.DROPPED
    assert "PER" in short([task.key.kernel for task in pending(state)])
    state = play(state, table)
    assert state.fits["PER1"].usable
    assert state.candidates["PER1"].parent == "SE1"
    assert state.fits["SE1 + LIN1"].status is Status.DROPPED


def test_drops_are_logged():
    state = play(start("cks", depth=0, exact=True), Table(BASE, dropped={(0, "LIN")}))
    assert [(task.stage, task.key.kernel) for task, _ in state.log] == [
        ("screen", "SE1"), ("screen", "PER1"), ("screen", "LIN1"), ("drop", "LIN1"), ("polish", "SE1"), ("polish", "PER1"),
        ("renew", "SE1"),
    ]  # fmt: skip


def test_failures_are_results_that_rank_last():
    table = Table({**BASE, "SE": None})
    state = play(start("skc", depth=1), table)
    assert state.fits["SE1"].status is Status.FAILED
    assert short(state.grown) == ["PER"]
    assert score(state.fits["SE1"], "upper") == -math.inf
    assert "SE1" not in contenders(state)


def test_a_failed_screening_is_a_result_too():
    state = start("auto", depth=0)
    for task in list(pending(state)):
        bad = failure(task, state.scales, Status.CRASHED, Failure(Fault.ERROR, "its worker died"))
        state = absorb(state, task, bad if task.key.kernel == "SE1" else screened(0.0))
    assert (state.fits["SE1"].status, state.fits["SE1"].reason) == (Status.CRASHED, Failure(Fault.ERROR, "its worker died"))
    assert short([task.key.kernel for task in pending(state)]) == ["PER", "LIN"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nothing_but_failures_ends_without_a_leader(strategy):
    state = play(start(strategy), Table(dict.fromkeys(BASE)))
    assert state.done
    assert leader(state) is None
    assert len(state.fits) == 3


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_order_of_arrival_does_not_matter(strategy):
    def table():
        known = {**BASE, "SE + PER": (-5, 3), "SE*PER": (-4, 2), "SE*PER + LIN": (5, 9), "SE + PER + LIN": (6, 8)}
        return Table(known, exact={"SE*PER + LIN": 7, "SE + PER + LIN": 7.5}, dropped={(1, "SE*LIN"), (0, "LIN")})

    first = play(start(strategy, depth=3), table())
    assert first.done
    for seed in range(5):
        other = play(start(strategy, depth=3), table(), shuffled(seed))
        assert other == first
        assert list(other.fits) == list(first.fits)


def test_absorbing_changes_nothing_that_was_there():
    state = start("auto")
    task = next(pending(state))
    after = absorb(state, task, screened(0.0))
    assert len(list(pending(state))) == 3
    assert len(list(pending(after))) == 2


def test_texts_are_the_names():
    state = play(start("skc", depth=1, inputs=2), Table({}))
    assert all(name == text(fit.expr) for name, fit in state.fits.items())
