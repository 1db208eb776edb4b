"""The crew: hands tasks to an executor and brings back results, whatever becomes of the workers.

A worker that dies breaks its pool; the pool is built anew and what was in flight is tried again. A task that was in flight at two
deaths is tried alone, and if that kills its worker too, its result is `crashed`. A task that outlives its time by far is ended
with its worker. Nothing of this reaches the search, which sees one result for each task.
"""

import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import ClusterError, OptionError, Status
from kernelscribe.fit.facts import Failure, Fault
from kernelscribe.search.clock import Clock
from kernelscribe.search.cluster import Line
from kernelscribe.search.facts import Result, Task, failure
from kernelscribe.search.pool import pids, processes, slots
from kernelscribe.search.work import Missing, Order, perform, probe

__all__ = ["Crew"]

# Deaths of its worker after which a task is taken for their cause.
_DEATHS = 3
# What a task may take beyond its own time before it is taken for hung: a certificate cannot be interrupted.
_GRACE = 60.0
# What a first task may take: workers have to import everything.
_PROBE_SECONDS = 120.0
# How long to wait for it before looking at the line to its worker.
_TICK = 0.1


@dataclass(slots=True)
class _Flight:
    task: Task
    future: Future[Any]
    since: float  # of the crew's clock


@dataclass(slots=True)
class Crew:
    """Workers for one search. With an executor of the caller's they are not ours to end."""

    data: Dataset
    config: Config
    workers: int
    executor: Executor | None = None
    warn: Callable[[str], None] = lambda message: None
    end: float = math.inf  # when the time for the search is used up, of `time.monotonic`
    make: Callable[[int], Executor] = processes
    own: bool = field(init=False)
    clock: Clock = field(init=False)
    line: Line = field(init=False)
    flights: list[_Flight] = field(default_factory=list)
    waiting: deque[Task] = field(default_factory=deque)
    ready: list[tuple[Task, Result]] = field(default_factory=list)
    deaths: dict[Task, int] = field(default_factory=dict)
    attempts: int = 0

    def __post_init__(self) -> None:
        self.own = self.executor is None
        self.clock = Clock(lambda: pids(self.executor))
        self.line = Line.of(self.executor)
        if self.executor is None:
            self.executor = self.make(self.workers)
        else:
            self.workers = slots(self.executor)
            self._probe(self.executor)

    def _probe(self, executor: Executor) -> None:
        """A first task that says whether the executor works at all, in words."""
        try:
            self._answer(executor.submit(probe))
        except ClusterError:
            raise
        except Exception as error:
            raise OptionError(
                f"the executor cannot run kernelscribe's tasks ({type(error).__name__}: {error}): "
                "it must be open, and its workers must have kernelscribe installed"
            ) from error

    def _answer(self, future: Future[Any]) -> None:
        end = time.monotonic() + _PROBE_SECONDS
        while not wait([future], timeout=_TICK).done and time.monotonic() < end:
            self.line.check()
        future.result(timeout=0.0)

    @property
    def free(self) -> int:
        """How many more tasks would find a worker at once."""
        return max(self.workers - len(self.flights) - len(self.waiting), 0)

    def submit(self, task: Task) -> None:
        self.waiting.append(task)
        self._launch()

    def collect(self, seconds: float) -> list[tuple[Task, Result]]:
        """The results that arrive within that time, at least one if there is one."""
        self._hold()
        self._launch()
        if not self.ready and self.flights:
            wait([flight.future for flight in self.flights], timeout=seconds, return_when=FIRST_COMPLETED)
            self._land()
            self._overdue()
            self._launch()
        elif not self.ready and self.waiting:
            time.sleep(seconds)  # until there is a line to the workers again
        ready, self.ready = self.ready, []
        return ready

    def _hold(self) -> None:
        """Hold the line to workers elsewhere. While it is lost what was in flight is lost too; nobody is told, as that would wait
        for an answer."""
        if not self.line.open:
            self.waiting.extend(flight.task for flight in self.flights if not flight.future.done())
            self.flights = [flight for flight in self.flights if flight.future.done()]
        try:
            self.line.check()
        except ClusterError:
            self.flights = []
            raise

    def close(self) -> None:
        """Give up what is in flight and end our own workers."""
        self.line.close()
        for flight in self.flights:
            self._abandon(flight)
        self.flights, self.waiting = [], deque()
        if self.own:
            self._end()
            self.executor = None

    def _abandon(self, flight: _Flight) -> None:
        """Tell a foreign executor that a result is no longer wanted. Our own is ended instead, which settles its futures itself
        and fails where one of them is cancelled already."""
        if not self.own:
            flight.future.cancel()

    def _end(self) -> None:
        if self.executor is not None:
            self.executor.shutdown(wait=True, kill_workers=True)  # type: ignore[call-arg]

    def _launch(self) -> None:
        """Submit what waits while workers are free; a suspect flies alone."""
        while self.waiting and self.line.open and len(self.flights) < self.workers:
            suspects = [flight for flight in self.flights if self._suspect(flight.task)]
            if suspects or (self._suspect(self.waiting[0]) and self.flights):
                return
            self._fly(self.waiting.popleft())

    def _suspect(self, task: Task) -> bool:
        return self.deaths.get(task, 0) >= _DEATHS - 1

    def _fly(self, task: Task, *, data: Dataset | None = None) -> None:
        assert self.executor is not None  # noqa: S101
        self.attempts += 1
        since = self.clock.now()
        order = Order(self.data.digest, self.config, task, data, self.attempts, max(self.end - time.monotonic(), 0.0))
        try:
            future = self.executor.submit(perform, order)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        except Exception as error:
            if not self.line.open:
                self.waiting.appendleft(task)
                return
            if not isinstance(error, RuntimeError):
                raise
            raise OptionError(f"the executor takes no more tasks ({error}): it must stay open while the search runs") from error
        self.flights.append(_Flight(task, future, since))

    def _land(self) -> None:
        """Take the results of flights that are over."""
        over = [flight for flight in self.flights if flight.future.done()]
        broken = False
        for flight in over:
            error = flight.future.exception() if not flight.future.cancelled() else None
            if isinstance(error, BrokenExecutor):
                broken = True
                continue
            self.flights.remove(flight)
            if flight.future.cancelled() or error is not None:
                self._lost(flight.task, error)
                continue
            answer = flight.future.result()
            if isinstance(answer, Missing):
                self._fly(flight.task, data=self.data)
            else:
                self.ready.append((flight.task, answer))
        if broken:
            self._rebuild()

    def _lost(self, task: Task, error: BaseException | None) -> None:
        """A task came back without a result: try it again, up to a point. That the line was lost is not its fault."""
        if not self.line.open:
            self.waiting.append(task)
            return
        self.deaths[task] = self.deaths.get(task, 0) + 1
        # Dask has tried such a task on several workers before it says so.
        hopeless = type(error).__name__ == "KilledWorker"
        if hopeless or self.deaths[task] >= _DEATHS:
            reason = Failure(Fault.CANCELLED) if error is None else Failure.of(error)
            self.ready.append((task, failure(task, self.data.scales, Status.CRASHED, reason)))
        else:
            self.waiting.append(task)

    def _rebuild(self) -> None:
        """The pool broke: a worker was killed, ran out of memory or crashed. Everything in flight is suspect."""
        lost, self.flights = [flight.task for flight in self.flights], []
        if not self.own:
            raise OptionError("the executor broke: a worker of it died, and it is not ours to mend")
        self.warn(f"a worker died while {len(lost)} kernels were in its pool; they are tried again")
        self._end()
        self.executor = self.make(self.workers)
        for task in lost:
            self._lost(task, BrokenExecutor("its worker died"))

    def _overdue(self) -> None:
        """End tasks that have outlived their time, and with them their workers where these are ours."""
        if self.config.patience is None:
            return
        limit = self.clock.now() - (self.config.patience + _GRACE + 0.5 * self.config.patience)
        late = [flight for flight in self.flights if flight.since < limit]
        if not late:
            return
        for flight in late:
            self.flights.remove(flight)
            self._abandon(flight)
            self.ready.append((flight.task, failure(flight.task, self.data.scales, Status.TIMEOUT, Failure(Fault.HUNG))))
            self.warn(f"{flight.task.candidate.name} did not end in time and was given up")
        if self.own:
            others, self.flights = [flight.task for flight in self.flights], []
            self._end()
            self.executor = self.make(self.workers)
            self.waiting.extendleft(reversed(others))
