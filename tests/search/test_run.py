"""A whole search, without processes: its journal, its events, and how it ends."""

import json
import math
import time
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

import kernelscribe as ks
import searches
from handmade import TWICE, Table
from kernelscribe import events
from kernelscribe.app.cli import Exit, cli
from kernelscribe.config import Config
from kernelscribe.errors import JournalError, OptionError, Status
from kernelscribe.events import Stop
from kernelscribe.fit.facts import Failure, Fault
from kernelscribe.fit.kernel import finish
from kernelscribe.fit.ladder import Ladder
from kernelscribe.kernels import pack, text
from kernelscribe.noises import Constant
from kernelscribe.outcome import Decision, DecisionKind
from kernelscribe.search import crew as crews
from kernelscribe.search import run as runs
from kernelscribe.search import work
from kernelscribe.search.facts import Candidate, Task
from kernelscribe.search.pool import Inline
from kernelscribe.search.run import settle
from searches import FLAGS, LONG, SMALL, Clock, facts, lines, table, write_table

# Shares of the journal that are left of it; after an odd number of lines half of the next one is left too.
CUTS = (0.0, 0.05, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1.0)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A search that nothing disturbed, and its journal."""
    path = tmp_path_factory.mktemp("whole") / "search.jsonl"
    return searches.run(options=LONG, journal=path), path.read_bytes()


def command(*args):
    with ks.parallel(Inline()):
        return CliRunner().invoke(cli, [str(arg) for arg in args])


def test_the_journal_holds_every_result_once_and_nothing_else(whole):
    found, raw = whole
    header, *entries = [json.loads(line) for line in raw.splitlines()]
    assert header["data"] == searches.dataset().digest
    assert header["options"]["strategy"] == "skc"
    assert not {"budget", "patience", "memory", "threads"} & set(header["options"])
    keys = [(entry["depth"], entry["stage"], entry["kernel"], entry["number"]) for entry in entries]
    assert len(set(keys)) == len(keys) == len(found.state.log)
    assert keys == [tuple(task.key) for task, _ in found.state.log]


@pytest.mark.parametrize("share", CUTS)
def test_resuming_a_journal_cut_anywhere_gives_the_same(whole, tmp_path, share):
    found, raw = whole
    path = tmp_path / "search.jsonl"
    head, *rest = raw.splitlines(keepends=True)
    kept = round(share * len(rest))
    torn = rest[kept][: len(rest[kept]) // 2] if kept < len(rest) and kept % 2 else b""
    path.write_bytes(head + b"".join(rest[:kept]) + torn)
    seen = []
    again = searches.run(options=LONG, journal=path, resume=True, on_event=seen.append)
    assert seen[0].known == kept
    assert facts(again) == facts(found)
    path.with_name("whole").write_bytes(raw)
    assert lines(path) == lines(path.with_name("whole"))


# Kernels are searched by the paper's strategies alone, where there is one input.
KERNELS = {**SMALL, "strategy": "skc-lb"}


def _on_first(name):
    """A kernel of handmade.py, or one with its number, on the first of several inputs."""
    return f"{name}1" if isinstance(name, str) else (f"{name[0]}1", name[1])


def test_resuming_where_a_kernel_is_decided_twice_in_one_round(tmp_path, monkeypatch):
    """With results made by hand; whatever is left of the journal, each of the two decisions is taken for itself."""
    options = {**SMALL, "depth": 0, "inducing": 10, "cycles": ("x1",)}
    rng = np.random.default_rng(0)
    data = ks.Dataset.of(rng.normal(size=(60, 2)), rng.normal(size=60))

    def answers():
        made = Table(**{what: {_on_first(name): value for name, value in known.items()} for what, known in TWICE.items()})
        for stage in work._STAGES:
            monkeypatch.setitem(work._STAGES, stage, lambda ladder, task: made(task, ladder.data))
        return made

    path, made = tmp_path / "search.jsonl", answers()
    found = searches.run(options=options, data=data, journal=path)
    raw = path.read_bytes()
    head, *rest = raw.splitlines(keepends=True)
    assert [key.kernel for key in made.keys if key.stage == "decide"] == ["SE1", "PER1", "LIN1", "SE1"]
    assert found.best.bic.upper == -8
    for kept in range(len(rest) + 1):
        path.write_bytes(head + b"".join(rest[:kept]))
        made = answers()
        assert facts(searches.run(options=options, data=data, journal=path, resume=True)) == facts(found)
        assert path.read_bytes() == raw
        assert len(made.keys) == len(rest) - kept


def test_strategies_settle_some_options():
    assert settle(Config(buffer=3)).buffer == 3
    for strategy, engine, tighten, buffer in (
        ("skc", "auto", "paper", 3),
        ("skc-lb", "auto", "paper", 3),
        ("cks", "exact", "moments", 1),
        ("subset", "exact", "moments", 1),
    ):
        found = settle(Config(strategy=strategy, buffer=3))
        assert (found.engine, found.tighten, found.buffer) == (engine, tighten, buffer)


def test_a_renewal_shakes_and_the_last_climb_does_not():
    """Numbered copies start where chance puts them, each elsewhere; number 0 starts where the fit is, and ends no lower."""
    data = searches.dataset()
    ladder = Ladder.of(data, Config(**SMALL))
    first = finish(ladder, ks.parse("SE*PER"), ladder.screen(ks.parse("SE*PER")), hints=True, rough=True)
    where = np.append(pack(first.expr), first.noise.pack())
    points = [np.array(ladder.renewed(first.expr, first.noise, number).points[0]) for number in range(4)]
    np.testing.assert_allclose(points[0], where)
    moves = [np.abs(point - where).max() for point in points[1:]]
    assert min(moves) > 0.05
    assert len(set(moves)) == 3
    candidate = Candidate(first.expr, 1, "SE1", first.noise, first.periods)
    orders = [work.Order(data.digest, Config(**SMALL), Task("renew", candidate, number=n), data) for n in (0, 1)]
    last, copy = (work.perform(order) for order in orders)
    # What is climbed holds the prior too, which the BIC leaves out.
    assert last.bic.lower >= first.bic.lower - 0.05
    assert copy.usable
    assert copy.periods


@pytest.mark.parametrize(("strategy", "memory", "exact"), [("auto", 2000.0, True), ("auto", 1.0, False), ("skc", 2000.0, False)])
def test_a_renewal_that_bounds_leave_open_has_its_exact_value(strategy, memory, exact):
    """Else it could not be seen to be better than a fit that was decided exactly. Where there is no memory for it, it stays."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    data = ks.Dataset.of(X, np.sin(3 * X[:, 0]) + np.cos(2 * X[:, 1]) + 0.3 * rng.normal(size=400))
    config = settle(Config(engine="inducing", inducing=8, strategy=strategy, memory=memory))
    expr = ks.parse("SE1(variance=0.5, lengthscale=0.5) + SE2(variance=0.5, lengthscale=0.5)")
    found = work.perform(work.Order(data.digest, config, Task("renew", Candidate(expr, 1, "SE1", Constant(0.2)), number=0), data))
    assert (found.evidence.exact is not None) == exact
    assert found.evidence.settled == exact


def test_resuming_a_journal_whose_results_came_in_another_order(whole, tmp_path):
    found, raw = whole
    path = tmp_path / "search.jsonl"
    head, *rest = raw.splitlines(keepends=True)
    path.write_bytes(head + b"".join(reversed(rest[: len(rest) * 3 // 4])))
    assert facts(searches.run(options=LONG, journal=path, resume=True)) == facts(found)


def test_a_whole_journal_is_read_and_nothing_is_fitted(whole, tmp_path, monkeypatch):
    found, raw = whole
    path = tmp_path / "search.jsonl"
    path.write_bytes(raw)
    monkeypatch.setattr(work, "_STAGES", {})
    assert facts(searches.run(options=LONG, journal=path, resume=True)) == facts(found)


@pytest.mark.parametrize(
    "line", ['{"depth": 0}', '{"type": "entry", "depth": 0, "stage": "polish", "kernel": "SE1", "number": 0, "parent": null}']
)
def test_a_line_that_is_no_result_is_refused_by_its_number(whole, tmp_path, line):
    path = tmp_path / "search.jsonl"
    head, first, *_ = whole[1].splitlines(keepends=True)
    path.write_bytes(head + first + line.encode() + b"\n")
    with pytest.raises(JournalError, match=r"search\.jsonl, line 3: .*--force"):
        searches.run(options=LONG, journal=path, resume=True)


def test_other_options_are_refused_by_name(whole, tmp_path):
    path = tmp_path / "search.jsonl"
    path.write_bytes(whole[1])
    with pytest.raises(JournalError, match=r"restarts was 1, is now 3.*seed was 0, is now 1") as error:
        searches.run(options={**LONG, "restarts": 3, "seed": 1}, journal=path, resume=True)
    assert "depth" not in str(error.value)
    with pytest.raises(JournalError, match="other data"):
        searches.run(options=LONG, data=searches.dataset(61), journal=path, resume=True)
    assert path.read_bytes() == whole[1]


def test_options_that_change_only_the_time_may_differ(whole, tmp_path):
    path = tmp_path / "search.jsonl"
    path.write_bytes(whole[1])
    options = {**LONG, "patience": 1e3, "memory": 500.0, "budget": 1e3}
    assert facts(searches.run(options=options, journal=path, resume=True)) == facts(whole[0])


def test_resume_on_the_command_line_takes_the_journals_options(tmp_path):
    file, out = write_table(tmp_path / "series.csv"), tmp_path / "out"
    first = command("run", file, "--out", out, *FLAGS, "--seed", "3")
    assert first.exit_code == Exit.DONE, first.stderr
    before = (out / "model.json").read_bytes()
    again = command("run", file, "--out", out, "--resume")
    assert again.exit_code == Exit.DONE, again.stderr
    assert "results known from the journal" in again.stderr
    assert (out / "model.json").read_bytes() == before
    other = command("run", file, "--out", out, "--resume", "--seed", "4")
    assert isinstance(other.exception, JournalError)
    assert "seed was 3, is now 4" in str(other.exception)
    nothing = command("run", file, "--out", tmp_path / "nowhere", "--resume")
    assert isinstance(nothing.exception, JournalError)


def test_budget_ends_the_search_with_what_is_known(whole, tmp_path):
    """Half of a journal and no time left: the best of that half, and no work at all."""
    path = tmp_path / "search.jsonl"
    head, *rest = whole[1].splitlines(keepends=True)
    path.write_bytes(head + b"".join(rest[: len(rest) // 2]))
    before = path.read_bytes()
    found = searches.run(options={**LONG, "budget": 0.0}, journal=path, resume=True)
    assert found.stopped is Stop.TIME
    assert found.best is not None
    assert 0 < len(found.fits) < len(whole[0].fits)
    assert path.read_bytes().startswith(before)
    assert {entry["stage"] for entry in lines(path)[1 + len(rest) // 2 :]} <= {"drop"}


def test_stopping_within_a_stage_keeps_what_has_arrived():
    """One base kernel is fitted, the others are not yet: that one is the answer."""
    seen = []

    def stop():
        return Stop.USER if any(isinstance(each, events.Found) and each.stage == "polish" for each in seen) else None

    found = searches.run(options=LONG, on_event=seen.append, stop=stop)
    fitted = [each.tried for each in seen if isinstance(each, events.Found) and each.stage == "polish"]
    assert found.stopped is Stop.USER
    assert len(fitted) == 1
    assert found.best is found.state.fits[text(fitted[0])]
    assert seen[-1] == replace(seen[-1], stop=Stop.USER)


def test_stopping_at_once_has_a_model_all_the_same():
    seen = []
    found = searches.run(options=KERNELS, stop=lambda: Stop.USER, on_event=seen.append)
    assert found.best is found.fits[0]
    assert found.best.usable
    assert len(found.fits) == 1
    assert found.decision == Decision(DecisionKind.ONLY)
    assert found.stopped is Stop.USER
    # Whoever watches is shown it before the end.
    told = [each for each in seen if isinstance(each, events.Found)]
    assert [(each.stage, each.best, each.best_standing) for each in told] == [("polish", found.best.expr, found.best.bic)]
    assert isinstance(seen[-1], events.Ended)


def test_budget_over_at_once_gives_a_report_of_a_wide_table(tmp_path):
    """A thousand rows and eight inputs: 24 base kernels, none of which there is time for."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 8))
    y = 2 * X[:, 4] + rng.normal(size=1000)
    names = [*"abcdefgh", "target"]
    np.savetxt(tmp_path / "wide.csv", np.column_stack([X, y]), delimiter=",", header=",".join(names), comments="")
    done = command("run", tmp_path / "wide.csv", "--out", tmp_path / "out", "--budget", "0s", "--json", "--backend", "numpy")
    assert done.exit_code == Exit.DONE, done.stderr
    found = json.loads(done.stdout)
    assert found["kernel"]
    assert found["stopped"] == "the time allowed was used up"
    assert found["interval"]["lower"] <= found["interval"]["upper"]
    assert found["decision"] == "as the only one that was fitted by then"
    assert "the time allowed was used up" in (tmp_path / "out" / "index.html").read_text()
    # Nothing of it is in the journal: a search that goes on is as if it had never been.
    assert len(lines(tmp_path / "out" / "search.jsonl")) == 1


def test_without_a_fit_the_best_that_was_screened_is_reported():
    """Not the first one: PER is, and the others were only looked at."""
    seen = []

    def stop():
        return Stop.USER if sum(isinstance(each, events.Found) for each in seen) == 3 else None

    whole = searches.run(options={**KERNELS, "depth": 0})
    screened = {task.candidate.name: result.score for task, result in whole.state.log if task.stage == "screen"}
    found = searches.run(options=KERNELS, on_event=seen.append, stop=stop)
    assert {each.stage for each in seen if isinstance(each, events.Found)} == {"screen", "polish"}
    assert text(found.best.expr) == max(screened, key=screened.get)


def test_what_the_budget_has_cut_short_counts_but_is_not_kept(tmp_path, monkeypatch):
    """The first fit is in the air when the time is used up. It comes back as far as it is, and is the answer; a search that
    goes on does not take it for more than that."""
    path, usual = tmp_path / "search.jsonl", work._STAGES["polish"]

    def late(ladder, task):
        ends.append(ladder.end)
        clock.append(ladder.end + 1)
        return replace(usual(ladder, task), status=Status.TIMEOUT)

    clock, ends = [time.monotonic()], []
    monkeypatch.setattr(runs, "time", Clock(clock))
    monkeypatch.setattr(crews, "time", Clock(clock))
    monkeypatch.setattr(work, "time", Clock(clock))
    monkeypatch.setitem(work._STAGES, "polish", late)
    found = searches.run(options={**KERNELS, "budget": 1e6}, journal=path)
    assert ends[0] == clock[0] + 1e6
    assert found.stopped is Stop.TIME
    assert found.best.status is Status.TIMEOUT
    assert "screen" in {entry["stage"] for entry in lines(path)[1:]} <= {"screen", "drop"}
    monkeypatch.undo()
    assert facts(searches.run(options=KERNELS, journal=path, resume=True)) == facts(searches.run(options=KERNELS))


def test_events_come_in_order():
    seen = []
    found = searches.run(options=LONG, on_event=seen.append)
    assert isinstance(seen[0], events.Began)
    assert (len(seen[0].data.y), seen[0].workers, seen[0].known, seen[0].engine) == (60, 1, 0, "inducing")
    assert isinstance(seen[-1], events.Ended)
    assert seen[-1].stop is None
    assert [each.depth for each in seen if isinstance(each, events.Closed)] == list(range(found.state.depth + 1))
    # Between one stage's announcement and the next there are as many results as it has tasks.
    stage, count = None, 0
    for each in [*seen[1:], events.Stage(99, "end", 0)]:
        match each:
            case events.Stage():
                assert stage is None or count == stage.tasks
                assert stage is None or each.depth >= stage.depth
                stage, count = each, 0
            case events.Found():
                assert (each.depth, each.stage) == (stage.depth, stage.stage)
                count += 1
            case events.Closed():
                assert each.depth == stage.depth
                assert each.candidates >= each.dropped + each.failed
    last = [each for each in seen if isinstance(each, events.Closed)][-1]
    assert last.best == found.best.expr


def raising(stage, name):
    """That stage, but it fails for one kernel."""
    usual = work._STAGES[stage]

    def perform(ladder, task):
        if task.candidate.name == name:
            raise FloatingPointError("the sky fell")
        return usual(ladder, task)

    return perform


@pytest.mark.parametrize("stage", ["screen", "polish"])
def test_a_task_that_raises_is_a_failed_result_with_a_reason(monkeypatch, stage):
    seen = []
    monkeypatch.setitem(work._STAGES, stage, raising(stage, "SE1*LIN1"))
    found = searches.run(options=KERNELS, on_event=seen.append)
    bad = found.state.fits["SE1*LIN1"]
    assert bad.status is Status.FAILED
    assert bad.reason == Failure(Fault.ERROR, "FloatingPointError: the sky fell")
    assert not bad.usable
    assert math.isnan(bad.noise.level)
    assert found.failed == 1
    assert found.best is not None
    assert sum(each.failed for each in seen if isinstance(each, events.Closed)) == 1
    assert any(isinstance(each, events.Found) and each.reason == bad.reason for each in seen)


def test_a_failed_result_is_resumed_like_any_other(monkeypatch, tmp_path):
    path = tmp_path / "search.jsonl"
    with monkeypatch.context() as patch:
        patch.setitem(work._STAGES, "polish", raising("polish", "SE1*LIN1"))
        found = searches.run(options=KERNELS, journal=path)
    again = searches.run(options=KERNELS, journal=path, resume=True)
    assert facts(again) == facts(found)
    assert again.failed == 1


def test_the_subset_strategy_fits_all_rows_in_the_end():
    found = searches.run(options={**SMALL, "strategy": "subset", "subset": 40})
    assert found.state.scales.rows == 40
    assert found.best.scales.rows == 60


def test_discover_takes_plain_arrays(tmp_path):
    seen = []
    with ks.parallel(Inline()):
        found = ks.discover(*table(), journal=tmp_path / "j.jsonl", on_event=seen.append, **SMALL)
    assert facts(found) == facts(searches.run())
    assert (tmp_path / "j.jsonl").exists()
    assert isinstance(seen[-1], events.Ended)
    with pytest.raises(OptionError, match="there is no option 'dept'"):
        ks.discover(*table(), dept=3)
