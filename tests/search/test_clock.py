"""The clock by which tasks are late: a busy machine slows it down, a worker that hangs does not stop it."""

import os
import sys
import time

import pytest

from kernelscribe.config import Config
from kernelscribe.errors import Status
from kernelscribe.search import clock as clocks
from kernelscribe.search.clock import Clock
from kernelscribe.search.crew import Crew
from kernelscribe.search.moves import base_kernels
from kernelscribe.search.state import begin
from searches import SMALL, Manual, dataset


class Machine:
    """Time as the test makes it pass, and what each process has had of it."""

    def __init__(self, *pids):
        self.wall, self.had = 0.0, dict.fromkeys(pids, 0.0)

    def monotonic(self):
        return self.wall

    def pass_by(self, seconds, **shares):
        self.wall += seconds
        for pid, share in shares.items():
            self.had[pid] += share * seconds


@pytest.fixture
def machine(monkeypatch):
    made = Machine("one", "other")
    monkeypatch.setattr(clocks, "time", made)
    monkeypatch.setattr(clocks, "worked", made.had.get)
    return made


@pytest.mark.parametrize(
    ("shares", "shown"),
    [
        ({"one": 1.0, "other": 0.0}, 500.0),  # one works, the other is idle or hangs
        ({"one": 0.1, "other": 0.08}, 50.0),  # nine other programs for each processor
        ({"one": 0.0, "other": 0.0}, 500.0),  # nobody works: who is left hangs
        ({"one": 2.0, "other": 0.0}, 500.0),  # on two processors
    ],
)
def test_it_goes_as_fast_as_the_busiest_worker_does(machine, shares, shown):
    clock = Clock(lambda: machine.had)
    for _ in range(100):
        machine.pass_by(5.0, **shares)
        clock.now()
    assert clock.now() == pytest.approx(shown)


def test_looks_that_follow_one_another_closely_add_up(machine):
    clock = Clock(lambda: machine.had)
    for _ in range(1000):
        machine.pass_by(0.1, one=0.5)
        clock.now()
    assert clock.now() == pytest.approx(50.0, abs=3.0)


def test_where_nobody_says_what_a_worker_has_worked_all_time_counts(machine):
    clock = Clock(lambda: ("unheard of",))
    for _ in range(10):
        machine.pass_by(5.0)
        clock.now()
    assert clock.now() == 50.0


def test_a_night_in_which_the_whole_program_was_held_up_does_not_count(machine):
    clock = Clock(lambda: machine.had)
    machine.pass_by(30000.0)
    assert clock.now() <= 10.0


def test_a_busy_machine_is_not_a_hung_worker(machine):
    """An hour has passed, of which the worker has had a minute: the two that it may take are not over. Then it hangs."""
    pool = Manual(1)
    pool._processes = {"one": None}
    crew = Crew(dataset(), Config(**SMALL, patience=120.0), 1, make=lambda workers: pool)
    task = begin(crew.config, crew.data.scales, base_kernels(1), sharp=True).tasks[0]
    crew.submit(task)
    for _ in range(720):
        machine.pass_by(5.0, one=1 / 60)
        assert crew.collect(0.0) == []
    for _ in range(720):
        machine.pass_by(5.0)
        crew._overdue()
    assert [(each, found.status) for each, found in crew.collect(0.0)] == [(task, Status.TIMEOUT)]
    crew.close()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_the_system_says_what_a_process_has_worked():
    before = clocks.worked(os.getpid())
    while time.process_time() < before + 0.1:
        sum(range(1000))
    assert clocks.worked(os.getpid()) > before
    assert clocks.worked(2**30) is None
