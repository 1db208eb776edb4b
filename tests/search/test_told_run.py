"""A whole search over statements, without processes: its journal, and how it ends where something goes wrong."""

from dataclasses import replace

import numpy as np
import pytest

import searches
from kernelscribe import events
from kernelscribe.errors import Status
from kernelscribe.events import Stop
from kernelscribe.fit.facts import Failure, Fault
from kernelscribe.search import crew as crews
from kernelscribe.search import run as runs
from kernelscribe.search import work
from searches import Clock, lines

OPTIONS = {"depth": 1, "backend": "numpy"}
# Shares of the journal that are left of it.
CUTS = (0.0, 0.2, 0.6, 0.95, 1.0)


def known(found):
    """All that was found, without the time it took."""
    return [(name, fit.statement, fit.score, fit.status, fit.reason) for name, fit in found.state.fits.items()], found.state.best


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A search that nothing disturbed, and its journal."""
    path = tmp_path_factory.mktemp("told") / "search.jsonl"
    return searches.run(options=OPTIONS, journal=path), path.read_bytes()


def test_it_ends_with_the_best_or_with_one_that_is_plainer_and_about_as_good(whole):
    found, _ = whole
    best = max(fit.score.middle for fit in found.state.fits.values() if fit.usable)
    assert found.best is found.state.fits[found.state.best]
    assert found.best.score.middle > best - 1
    assert found.best.score.middle > found.state.fits["none: level ~ constant"].score.middle + 20


def test_the_journal_holds_every_result_once_and_nothing_else(whole, tmp_path):
    found, raw = whole
    path = tmp_path / "search.jsonl"
    path.write_bytes(raw)
    keys = [(entry["depth"], entry["stage"], entry["kernel"], entry["number"]) for entry in lines(path)[1:]]
    assert len(set(keys)) == len(keys)
    assert keys == [tuple(task.key) for task, _ in found.state.log]
    assert {stage for _, stage, _, _ in keys} >= {"screen", "polish", "scan", "renew"}


@pytest.mark.parametrize("share", CUTS)
def test_resuming_a_journal_cut_anywhere_gives_the_same(whole, tmp_path, share):
    found, raw = whole
    path, seen = tmp_path / "search.jsonl", []
    head, *rest = raw.splitlines(keepends=True)
    kept = round(share * len(rest))
    path.write_bytes(head + b"".join(rest[:kept]))
    again = searches.run(options=OPTIONS, journal=path, resume=True, on_event=seen.append)
    assert seen[0].known == kept
    assert known(again) == known(found)


def raising(stage, name):
    """That stage, but it fails for one statement."""
    usual = work._STATEMENT_STAGES[stage]

    def perform(bench, task):
        if task.candidate.name == name:
            raise FloatingPointError("the sky fell")
        return usual(bench, task)

    return perform


@pytest.mark.parametrize("stage", ["screen", "polish"])
def test_a_task_that_raises_is_a_failed_result_with_a_reason_and_is_resumed_like_any_other(whole, monkeypatch, tmp_path, stage):
    undisturbed, _ = whole
    first = [name for name, fit in undisturbed.state.fits.items() if fit.usable and name != undisturbed.state.best]
    path, seen = tmp_path / "search.jsonl", []
    with monkeypatch.context() as patch:
        patch.setitem(work._STATEMENT_STAGES, stage, raising(stage, first[0]))
        found = searches.run(options=OPTIONS, journal=path, on_event=seen.append)
    bad = found.state.fits[first[0]]
    assert bad.status is Status.FAILED and not bad.usable
    assert bad.reason == Failure(Fault.ERROR, "FloatingPointError: the sky fell")
    assert any(
        isinstance(each, events.Found) and each.reason == Failure(Fault.ERROR, "FloatingPointError: the sky fell")
        for each in seen
    )
    assert found.best is not None and found.best.usable
    assert known(searches.run(options=OPTIONS, journal=path, resume=True)) == known(found)


def test_stopping_at_once_has_a_statement_and_noise_alone_beside_it():
    found = searches.run(options=OPTIONS, stop=lambda: Stop.USER)
    assert found.stopped is Stop.USER
    assert found.best.usable
    assert "none: level ~ constant" in found.state.fits


def test_what_is_fitted_when_it_is_stopped_is_told():
    """The best of what has arrived, not of what was to come."""
    seen = []

    def stop():
        return Stop.USER if sum(isinstance(each, events.Found) and each.stage == "polish" for each in seen) >= 3 else None

    found = searches.run(options=OPTIONS, on_event=seen.append, stop=stop)
    scores = [fit.score.middle for fit in found.state.fits.values() if fit.usable]
    assert found.stopped is Stop.USER
    assert len(scores) >= 3
    assert found.best.score.middle >= max(scores) - 1


def test_what_the_budget_has_cut_short_counts_but_is_not_kept(tmp_path, monkeypatch):
    """The first fit is in the air when the time is used up. It comes back as far as it is, and counts; a search that goes on does
    not take it for more than that."""
    path, usual = tmp_path / "search.jsonl", work._STATEMENT_STAGES["polish"]
    clock, ends = [0.0], []

    def late(bench, task):
        ends.append(bench.end)
        clock.append(bench.end + 1)
        return replace(usual(replace(bench, end=np.inf), task), status=Status.TIMEOUT)

    for module in (runs, crews, work):
        monkeypatch.setattr(module, "time", Clock(clock))
    monkeypatch.setitem(work._STATEMENT_STAGES, "polish", late)
    found = searches.run(options={**OPTIONS, "budget": 1e6}, journal=path)
    assert ends[0] == 1e6
    assert found.stopped is Stop.TIME
    assert found.best.status is Status.TIMEOUT and found.best.usable
    assert {entry["stage"] for entry in lines(path)[1:]} == {"screen"}


def test_events_come_in_order_and_name_the_statement(whole):
    seen = []
    found = searches.run(options=OPTIONS, on_event=seen.append)
    assert isinstance(seen[0], events.Began) and isinstance(seen[-1], events.Ended)
    assert (len(seen[0].data.y), seen[0].workers, seen[0].known) == (60, 1, 0)
    closed = [each for each in seen if isinstance(each, events.Closed)]
    assert [each.depth for each in closed] == list(range(found.state.depth + 1))
    assert closed[-1].best.name == found.best.statement.name
    assert known(found) == known(whole[0])
