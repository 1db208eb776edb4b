"""Small searches for the tests: data, options, executors that can be steered, and tasks that misbehave in real workers."""

import json
import os
import signal
import time
from concurrent.futures import Executor, Future
from pathlib import Path

import numpy as np

import kernelscribe as ks
from kernelscribe.config import Config
from kernelscribe.discovery import search
from kernelscribe.report.words import language
from kernelscribe.search import work
from kernelscribe.search.pool import Inline

SMALL = {"depth": 1, "restarts": 2, "steps": 20, "backend": "numpy"}
FLAGS = tuple(f for name, value in SMALL.items() for f in (f"--{name}", str(value)))
# Statements that such a search begins with: the name of one, and how many there are.
ONE_LINE = "none: line ~ constant"
FIRST = 7
# A search of a few dozen results, in several rounds.
LONG = {**SMALL, "restarts": 1, "depth": 2, "strategy": "skc", "inducing": 10, "buffer": 3, "moves": "root"}
LONG_FLAGS = tuple(f for name, value in LONG.items() for f in (f"--{name}", str(value)))


def table(rows=60):
    """A trend, a cycle and noise."""
    rng = np.random.default_rng(0)
    x = np.arange(rows) / 12
    return x, 0.5 * x + np.sin(2 * np.pi * x) + 0.2 * rng.normal(size=rows)


def dataset(rows=60):
    return ks.Dataset.of(*table(rows))


def write_table(path, rows=60):
    np.savetxt(path, np.column_stack(table(rows)), delimiter=",", header="year,level", comments="")
    return path


def run(executor=None, options=SMALL, data=None, **more):
    """A search with the caller's executor, or without any process at all."""
    with ks.parallel(executor or Inline()):
        return search(data or dataset(), Config(**options), **more)


def facts(found):
    """All that a search has found, without the time it took: what must not depend on who did the work."""
    return {
        "tree": language.facts.tree(found.tree, dataset()),
        "order": list(found.state.fits),
        "fits": [
            (fit.expr, None if np.isnan(fit.noise.level) else fit.noise, fit.bic, fit.status, fit.reason, fit.periods)
            for fit in found.fits
        ],
        "grown": found.state.grown,
        "depth": found.state.depth,
        "decision": found.decision,
    }


def lines(path):
    """Header and entries of a journal, times aside."""
    entries = [json.loads(line) for line in Path(path).read_text().splitlines()]
    for entry in entries:
        entry.get("result", {}).pop("seconds", None)
    return entries


class Clock:
    """Time that stands still until it is told to go on; the last of its times is now."""

    def __init__(self, times):
        self.times = times

    def monotonic(self):
        return self.times[-1]


class Manual(Executor):
    """Takes orders and leaves it to the test to answer them."""

    def __init__(self, workers=2):
        self._max_workers = workers
        self.flights, self.ended = [], False

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        if fn is work.probe:
            future.set_result(fn())
        else:
            self.flights.append((args[0], future))
        return future

    def shutdown(self, wait=True, *, cancel_futures=False, kill_workers=False):
        self.ended = True

    @property
    def names(self):
        """The kernels that are in the air."""
        return [order.task.candidate.name for order, future in self.flights if not future.done()]

    def answer(self, name, result=None, error=None):
        """End the flight of that kernel."""
        future = next(f for order, f in self.flights if order.task.candidate.name == name and not f.done())
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)


class Held(Inline):
    """Works at once, but keeps one answer back, that to the first order for which `held` is true, until `until` is true of a
    later one. `log` has the orders as they came, and None where the answer was let go."""

    def __init__(self, held, until, workers=2):
        self._max_workers = workers
        self.held, self.until = held, until
        self.kept, self.log = None, []

    def submit(self, fn, /, *args, **kwargs):
        done = super().submit(fn, *args, **kwargs)
        if fn is work.probe:
            return done
        order = args[0]
        self.log.append(order)
        if self.kept is None and self.held(order) and not isinstance(done.result(), work.Missing):
            self.kept = (Future(), done.result())
            return self.kept[0]
        if self.kept is not None and not self.kept[0].done() and self.until(order):
            self.log.append(None)
            self.kept[0].set_result(self.kept[1])
        return done


def mark(order):
    return f"{order.task.stage} {order.task.candidate.name}"


def lethal(order):
    """Kills the worker that screens a line, each time."""
    if mark(order) == f"screen {ONE_LINE}":
        os.kill(os.getpid(), signal.SIGKILL)
    return work.perform(order)


def mortal(order):
    """Kills its worker in the middle of the search, once: a file remembers."""
    if mark(order) == os.environ["MORTAL"].split("|")[0]:
        try:
            Path(os.environ["MORTAL"].split("|")[1]).touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return work.perform(order)


def sleepy(order):
    """Never ends with a line."""
    if mark(order) == f"screen {ONE_LINE}":
        time.sleep(600)
    return work.perform(order)
