"""The last resort: a search that ends before any kernel was fitted still has a model to report.

What screening has left is certified where it is, or after the few seconds that are spent on it here; where nothing was
screened, base kernels are, one after another, as many as those seconds allow, and one at least. All of it happens in this
process: the workers may be busy, or gone. Beside statements there is always the one that says nothing: noise alone.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.fit.facts import Fit, Screened
from kernelscribe.search.facts import Result, Task
from kernelscribe.search.state import State, gather, pending
from kernelscribe.search.work import Order, perform

__all__ = ["beside_nothing", "rescue"]


def rescue(state: State, data: Dataset, config: Config, beside: Mapping[Task, Result]) -> State:
    """The state with one kernel fitted, if any can be; `beside` has results that are not in the state."""
    tasks = _screened(state, beside) or _screened(state, dict(_looked(state, data, config)))
    for task in tasks:
        fit = _brief(task, data, config, config.effort.rescue_seconds)
        if isinstance(fit, Fit) and fit.usable:
            return _with(state, task, fit)
    return state


def beside_nothing(state: State, before: State, data: Dataset, config: Config) -> State:
    """The state with noise alone among its fits, where what was searched `before` are statements: without it nobody could say
    whether there is anything."""
    known = (*before.candidates.values(), *(task.candidate for task in before.tasks))
    alone = next((each for each in known if each.starts and not each.starts[0].parts), None)
    if alone is None or (alone.name in state.fits and state.fits[alone.name].usable):
        return state
    screened = _brief(Task("screen", alone), data, config, config.effort.rescue_seconds)
    if not isinstance(screened, Screened) or not screened.points:
        return state
    task = Task("polish", alone, screened)
    fit = _brief(task, data, config, config.effort.rescue_seconds)
    return _with(state, task, fit) if isinstance(fit, Fit) and fit.usable else state


def _screened(state: State, beside: Mapping[Task, Result]) -> list[Task]:
    """What there is to polish, the best first."""
    found = [(task, beside.get(task) or state.found.get(task.key)) for task in state.tasks if task.stage == "screen"]
    tasks = [Task("polish", task.candidate, each) for task, each in found if isinstance(each, Screened)]
    tasks += [task for task in (*state.tasks, *state.waiting) if task.stage == "polish"]
    return sorted((each for each in tasks if each.screened and each.screened.points), key=_behind)


def _behind(task: Task) -> float:
    assert task.screened is not None  # noqa: S101
    return -round(task.screened.score, 6)


def _looked(state: State, data: Dataset, config: Config) -> Iterator[tuple[Task, Result]]:
    """Screen what is to be screened, while there is time."""
    seconds = config.effort.rescue_seconds
    tasks, end = [task for task in pending(state) if task.stage == "screen"], time.monotonic() + seconds
    for task in sorted(tasks, key=lambda task: task.urgency):
        yield task, _brief(task, data, config, seconds / len(tasks))
        if time.monotonic() > end:
            return


def _brief(task: Task, data: Dataset, config: Config, seconds: float) -> Result:
    found = perform(Order(data.digest, config, task, data, left=seconds))
    assert isinstance(found, Result)  # noqa: S101  (the data came with the order)
    return found


def _with(state: State, task: Task, fit: Fit) -> State:
    """Nothing else is to be done, so that what was is kept in the fits."""
    known = {**state.candidates, task.candidate.name: task.candidate}
    return gather(replace(state, stage="polish", candidates=known, tasks=(task,), waiting=(), found={task.key: fit}))
