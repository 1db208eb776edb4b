"""Running a search: the fold in the middle, and around it the crew, the journal, the clock and whoever watches."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kernelscribe import events
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import choose
from kernelscribe.engines.registry import EXACT
from kernelscribe.errors import JournalError, Status
from kernelscribe.fit.facts import Fit
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.tree import Expression
from kernelscribe.links import suitable
from kernelscribe.search.crew import Crew
from kernelscribe.search.cyclic import cyclic
from kernelscribe.search.entries import from_journal, to_journal
from kernelscribe.search.facts import Result, Task, TaskKey
from kernelscribe.search.journal import Journal
from kernelscribe.search.moves import base_kernels
from kernelscribe.search.rescue import beside_nothing, rescue
from kernelscribe.search.rules import STRATEGIES
from kernelscribe.search.shown import shown
from kernelscribe.search.state import State, absorb, begin, beginnable, contenders, gather, leader, pending
from kernelscribe.search.telling import begin_telling
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.statement import Statement
from kernelscribe.streams import stream

__all__ = ["explore", "sample", "settle"]

# How long to wait for a result before looking at the clock and at who wants to stop.
_TICK = 0.1


def settle(config: Config) -> Config:
    """The options as the strategy has them: the paper's takes its own bounds, the greedy ones exact values."""
    config = replace(config, exact_limit=0)
    match config.strategy:
        case "skc" | "skc-lb":
            return replace(config, tighten="paper")
        case "cks" | "subset":
            return replace(config, engine=EXACT, buffer=1)
    return config


def sample(data: Dataset, config: Config) -> Dataset:
    """The rows that the search looks at: all, or a random subset where the strategy asks for one."""
    if config.strategy != "subset" or config.subset >= len(data.y):
        return data
    return data.rows(np.sort(stream(config.seed, "subset").choice(len(data.y), size=config.subset, replace=False)))


def explore(
    data: Dataset,
    config: Config,
    *,
    crew: Crew,
    journal: Journal,
    on_event: events.Listener,
    stop: Callable[[], events.Stop | None] = lambda: None,
) -> tuple[State, events.Stop | None]:
    """Search until there is nothing left to try, the time is used up, or `stop` says so; why it ended early is returned too."""
    began = time.monotonic()
    crew.end = began + (math.inf if config.budget is None else config.budget)
    run = _Run(data, config, crew, journal, on_event)
    engine = choose(data, config, told_form(data, config))
    state = begun(data, config, sharp=engine.traits.sharp)
    on_event(events.Began(data, engine.name, config.strategy, crew.workers, len(run.known)))
    state = run.replay(state)
    stopped = None
    while not state.done:
        stopped = stop() or (events.Stop.TIME if run.late else None)
        if stopped is not None:
            break
        run.dispatch(state)
        for task, result in crew.collect(_TICK):
            state = run.take(state, task, result)
        state = run.replay(state)
    if state.done:
        journal.settle([run.entries[task.key] for task, _ in state.log])
    else:
        state = run.conclude(state)
    on_event(events.Ended(stopped, time.monotonic() - began))
    return state, stopped


def tells(data: Dataset, config: Config) -> bool:
    """Whether the search is one over statements."""
    return STRATEGIES[config.strategy].tells and data.X.shape[1] == 1


def told_form(data: Dataset, config: Config) -> Form | None:
    """The kernel of the plainest statement, which every engine has to know; None where statements are not what is searched."""
    return Form.of(Statement().expr) if tells(data, config) else None


def begun(data: Dataset, config: Config, *, sharp: bool) -> State:
    """The search before its first result."""
    if tells(data, config):
        links = tuple(link.name for link in suitable(data.values)) if config.transform == "auto" else (data.link,)
        return begin_telling(config, data.scales, Setting.of(data), links)
    return begin(config, data.scales, base_kernels(len(data.axes), cyclic(data, config)), sharp=sharp)


class _Run:
    """The moving parts of one search."""

    def __init__(self, data: Dataset, config: Config, crew: Crew, journal: Journal, on_event: events.Listener) -> None:
        self.data, self.crew, self.journal, self.on_event, self.config = data, crew, journal, on_event, config
        self.known: dict[TaskKey, Result] = {}
        self.entries: dict[TaskKey, Mapping[str, Any]] = {}
        for line, entry in enumerate(journal.entries, start=2):
            try:
                found = from_journal(entry, data.scales)
            except ValueError as error:
                raise JournalError(
                    f"{journal.path}, line {line}: not a result of a search ({error}): "
                    "end the file before it, or start anew with --force"
                ) from error
            self.known[found.key], self.entries[found.key] = found.result, entry
        # Results of tasks that began before their round, and of those that the end of all time has cut short.
        self.early: dict[Task, Result] = {}
        self.cut: dict[Task, Result] = {}
        self.flying: set[Task] = set()
        self.announced: tuple[int, str, int] | None = None
        self.since = time.monotonic()

    def replay(self, state: State) -> State:
        """Absorb every result that is known already, from the journal or from before its round."""
        while True:
            self._announce(state)
            ready = [
                (task, self.known.get(task.key) or self.early[task])
                for task in pending(state)
                if task.key in self.known or task in self.early
            ]
            if not ready or state.done:
                return state
            for task, result in ready:
                self._record(task, result)
                state = self._absorb(state, task, result)

    def dispatch(self, state: State) -> None:
        """Hand out tasks while workers are free: those of this stage, then those of the next one that may begin."""
        for tasks in (pending(state), beginnable(state)):
            for task in sorted(tasks, key=lambda task: task.urgency):
                if self.crew.free == 0:
                    return
                if task not in self.flying and task not in self.early:
                    self.flying.add(task)
                    self.crew.submit(task)

    def take(self, state: State, task: Task, result: Result) -> State:
        """A result has arrived: into the journal and into the state, or aside until its round begins. What was cut short stays
        aside: a search that goes on with the journal finds it out in full."""
        self.flying.discard(task)
        if self.late and result.status is Status.TIMEOUT:
            self.cut[task] = result
            return state
        if task not in set(pending(state)):
            self.early[task] = result
            return state
        self._record(task, result)
        return self._absorb(state, task, result)

    @property
    def late(self) -> bool:
        """Whether the time for the search is used up."""
        return time.monotonic() >= self.crew.end

    def conclude(self, state: State) -> State:
        """A search that ends early: every fit that has arrived counts, and one there is in any case."""
        found = self._gathered(state)
        if leader(found) is None:
            self._wait()
            found = self._gathered(state)
        if leader(found) is None:
            self.crew.close()
            found = rescue(state, self.data, self.config, self.early | self.cut)
            self._present(found)
        return beside_nothing(found, state, self.data, self.config)

    def _gathered(self, state: State) -> State:
        return gather(state, self.early | self.cut)

    def _wait(self) -> None:
        """Workers know when the time is used up, and come back soon with what they have."""
        while self.late and self.crew.flights and time.monotonic() < self.crew.end + self.config.effort.rescue_seconds:
            self.cut |= dict(self.crew.collect(_TICK))

    def _present(self, state: State) -> None:
        """Show what was fitted when all was over."""
        if leader(state) is not None:
            self._announce(state)
            for task in state.tasks:
                self._show(state, task, state.found[task.key])

    def _record(self, task: Task, result: Result) -> None:
        if task.key in self.entries:
            return
        self.entries[task.key] = entry = to_journal(task, result)
        whole = self.journal.broken is None
        if not self.journal.append(entry) and whole:
            self.on_event(events.Warned(f"the journal cannot be written ({self.journal.broken}); the search goes on without it"))

    def _absorb(self, state: State, task: Task, result: Result) -> State:
        new = absorb(state, task, result)
        self._show(gather(new), task, result)
        for each, fact in new.log[len(state.log) :]:
            if each.stage == "drop":
                self._record(each, fact)
        if new.done or new.depth > state.depth:
            self._close(state, new, leader(new))
        return new

    def _show(self, state: State, task: Task, result: Result) -> None:
        """Show a result, and the best of all that have arrived by now."""
        best = leader(state)
        fitted = result if isinstance(result, Fit) and result.usable else None
        self.on_event(
            events.Found(
                depth=task.key.depth,
                stage=task.stage,
                tried=shown(task.candidate, fitted, state.scales),
                parent=_shown(state, task.candidate.parent),
                status=result.status,
                reason=result.reason,
                standing=None if fitted is None else fitted.standing,
                best=_shown(state, best),
                best_standing=state.fits[best].standing if best else None,
                seconds=result.seconds,
            )
        )

    def _close(self, old: State, new: State, best: str | None) -> None:
        fits = [new.fits[name] for name, each in new.candidates.items() if each.depth == old.depth]
        now = time.monotonic()
        self.on_event(
            events.Closed(
                depth=old.depth,
                candidates=len(fits),
                dropped=sum(fit.status is Status.DROPPED for fit in fits),
                failed=sum(not fit.usable and fit.status is not Status.DROPPED for fit in fits),
                best=_shown(new, best),
                best_standing=new.fits[best].standing if best else None,
                contenders=len(contenders(new)),
                seconds=now - self.since,
            )
        )
        self.since = now

    def _announce(self, state: State) -> None:
        # The log grows with every stage, and with every wave of one.
        if (state.depth, state.stage, len(state.log)) != self.announced and not state.done:
            self.announced = (state.depth, state.stage, len(state.log))
            self.on_event(events.Stage(state.depth, state.stage, len(state.tasks)))


def _shown(state: State, name: str | None) -> Expression | Statement | None:
    return None if name is None else shown(state.candidates[name], state.fits[name], state.scales)
