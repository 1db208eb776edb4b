"""Faults of workers, by their numbers in the project's list of faults: killed, hung, forked, or of a stale executor."""

import io
import os
import signal
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

import searches
from commands import PATIENCE
from kernelscribe import events
from kernelscribe.app.display import LineDisplay
from kernelscribe.config import Config
from kernelscribe.discovery import search
from kernelscribe.errors import OptionError, Status
from kernelscribe.events import Stop
from kernelscribe.fit.facts import Failure, Fault
from kernelscribe.search import crew as crews
from kernelscribe.search.pool import processes
from searches import SMALL, Manual, dataset, facts


def test_fault_49_worker_killed(tmp_path, monkeypatch):
    """A worker is killed in the middle: its pool is built anew and the answer is the same."""
    usual = searches.run()
    monkeypatch.setenv("MORTAL", f"polish none: smooth ~ constant|{tmp_path / 'killed'}")
    monkeypatch.setattr(crews, "perform", searches.mortal)
    seen = []
    found = search(dataset(), Config(**SMALL), workers=2, on_event=seen.append)
    assert (tmp_path / "killed").exists()
    assert facts(found) == facts(usual)
    warnings = [each.message for each in seen if isinstance(each, events.Warned)]
    assert len(warnings) == 1
    assert "a worker died" in warnings[0]


def test_fault_49_task_that_always_kills(monkeypatch):
    """It is found out, and the others are as they would have been."""
    usual = searches.run(options={**SMALL, "depth": 0})
    monkeypatch.setattr(crews, "perform", searches.lethal)
    found = search(dataset(), Config(**{**SMALL, "depth": 0}), workers=1)
    crashed = found.state.fits[searches.ONE_LINE]
    assert crashed.status is Status.CRASHED
    assert crashed.reason
    assert found.failed == 1
    assert known(found) == known(usual)


def known(found):
    """Scores of all but the line."""
    return {name: fit.score for name, fit in found.state.fits.items() if name != searches.ONE_LINE}


class Jump:
    """A clock of the crew that stands still, until the time of everything in flight is over."""

    def __init__(self):
        self.shown = 0.0

    def now(self):
        return self.shown


def test_fault_50_worker_hangs(monkeypatch):
    """It is ended with its pool after its time, and the others are unharmed, however long they take."""
    usual = searches.run(options={**SMALL, "depth": 0})
    clock, seen = Jump(), []

    def tell(event):
        seen.append(event)
        if sum(isinstance(each, events.Found) for each in seen) == searches.FIRST - 1:
            clock.shown = 1e9  # all but the one that hangs have arrived

    monkeypatch.setattr(crews, "Clock", lambda pids: clock)
    monkeypatch.setattr(crews, "perform", searches.sleepy)
    found = search(dataset(), Config(**{**SMALL, "depth": 0}, patience=1e6), workers=2, on_event=tell)
    hung = found.state.fits[searches.ONE_LINE]
    assert hung.status is Status.TIMEOUT
    assert not hung.usable
    assert hung.reason == Failure(Fault.HUNG)
    assert known(found) == known(usual)
    assert any(isinstance(each, events.Warned) and f"{searches.ONE_LINE} did not end in time" in each.message for each in seen)


def surroundings():
    """What a worker sees of itself; travels by value."""
    import multiprocessing
    import threading

    return (
        dict(os.environ),
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
        multiprocessing.current_process().name,
        threading.active_count(),
    )


@pytest.fixture(scope="module")
def worker():
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    pool = processes(1)
    yield pool, pool.submit(surroundings).result(timeout=PATIENCE)
    pool.shutdown(wait=True, kill_workers=True)
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def test_fault_58_one_thread_a_worker(worker):
    """Set before NumPy loads, whatever this process has; and said."""
    environment = worker[1][0]
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        assert environment[name] == "1"
    seen = io.StringIO()
    searches.run(stop=lambda: Stop.USER, on_event=LineDisplay(seen))
    assert "one thread of linear algebra each" in seen.getvalue()


def test_fault_59_spawned_never_forked(worker):
    pool, (_, ignores, name, _) = worker
    assert pool._context.get_start_method() == "loky"
    assert name.startswith("Loky")
    assert ignores
    if sys.platform == "linux":
        (process,) = pool._processes
        # A forked child would have the command line of this process.
        assert b"loky" in Path(f"/proc/{process}/cmdline").read_bytes()


def test_fault_60_stale_executor():
    """Closed, broken, of no use at all: one sentence, before anything is done."""
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(OptionError, match=r"cannot run kernelscribe's tasks .*it must be open"):
        searches.run(executor)
    with pytest.raises(OptionError, match="cannot run kernelscribe's tasks"):
        searches.run("four")


def test_fault_60_executor_that_cannot_pickle(tmp_path):
    class Unpicklable(Manual):
        def submit(self, fn, /, *args, **kwargs):
            future = Future()
            future.set_exception(TypeError("cannot pickle '_thread.lock' object"))
            return future

    path = tmp_path / "search.jsonl"
    with pytest.raises(OptionError, match="TypeError: cannot pickle"):
        searches.run(Unpicklable(), journal=path)
    # The journal is free again.
    assert searches.run(journal=path, resume=True).best is not None


def test_fault_60_executor_stays_the_callers():
    with ThreadPoolExecutor(1) as executor:
        searches.run(executor, options={**SMALL, "depth": 0})
        assert executor.submit(int).result() == 0
        with pytest.raises(ZeroDivisionError):
            searches.run(executor, on_event=lambda event: 1 / 0)
        assert executor.submit(int).result() == 0


def test_fault_60_executor_closed_meanwhile():
    """A sentence, not a traceback from the depth of someone else's code."""
    executor = ThreadPoolExecutor(1)

    def tell(event):
        if isinstance(event, events.Found):
            executor.shutdown()

    with pytest.raises(OptionError, match=r"takes no more tasks .*it must stay open"):
        searches.run(executor, on_event=tell)
