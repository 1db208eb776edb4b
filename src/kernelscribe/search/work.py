"""What a worker does: one task on data that it holds. Runs in any process or thread that can import kernelscribe.

Data travel once to each worker: a task names them by their digest, a worker that does not hold them says so, and is sent the task
again with the data attached.
"""

import math
import os
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
from threadpoolctl import threadpool_limits

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import exact
from kernelscribe.engines.interval import Evidence
from kernelscribe.errors import OptionError, Status
from kernelscribe.fit.bench import Bench
from kernelscribe.fit.facts import Failure, Fault, Fit, Screened
from kernelscribe.fit.kernel import finish
from kernelscribe.fit.ladder import Ladder
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.laws import charge
from kernelscribe.kernels.tree import pack
from kernelscribe.search.facts import Result, Scanned, Task, failure
from kernelscribe.search.rules import STRATEGIES, undecided

__all__ = ["Missing", "Order", "perform", "probe"]

# Data sets that a worker keeps, and preparations of them: those of the search, and of another one beside it.
_MOST_KEPT = 2


@dataclass(frozen=True, slots=True)
class Order:
    """A task as it travels: with the name of its data, or with the data. The number tells one attempt from the next, which an
    executor that remembers results, as Dask does, would otherwise take for the same.

    Attributes:
        left: seconds until the time for the whole search is used up: climbs end then, with the best values so far.
    """

    digest: str
    config: Config
    task: Task
    data: Dataset | None = None
    attempt: int = 0
    left: float = math.inf


@dataclass(frozen=True, slots=True)
class Missing:
    """The answer of a worker that does not hold the data."""

    digest: str


class _Cache:
    """What this process holds. It saves travel and preparation; no result depends on it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.data: OrderedDict[str, Dataset] = OrderedDict()
        self.ladders: OrderedDict[tuple[str, Config], Ladder | Bench] = OrderedDict()

    def find(self, order: Order) -> Ladder | Bench | None:
        """The rungs for this data, or the bench for statements about them, prepared when first asked for."""
        with self.lock:
            if order.data is not None:
                self.data[order.digest] = order.data
            if order.digest not in self.data:
                return None
            key = (order.digest, order.config)
            if key not in self.ladders:
                kind = Bench if order.task.candidate.starts else Ladder
                self.ladders[key] = kind.of(self.data[order.digest], order.config)
            while len(self.ladders) > _MOST_KEPT:
                self.ladders.popitem(last=False)
            while len(self.data) > _MOST_KEPT:
                old, _ = self.data.popitem(last=False)
                for each in [each for each in self.ladders if each[0] == old]:
                    del self.ladders[each]
            return self.ladders[key]


_CACHE = _Cache()


def probe() -> int:
    """Whether a worker is there, and knows kernelscribe: its process id."""
    return os.getpid()


def perform(order: Order) -> Result | Missing:
    """Do the task. What goes wrong inside it is its result, with a reason."""
    end = time.monotonic() + order.left
    with threadpool_limits(order.config.threads):
        ladder = _CACHE.find(order)
        if ladder is None:
            return Missing(order.digest)
        ladder = replace(ladder, end=end)
        try:
            if isinstance(ladder, Bench):
                return _STATEMENT_STAGES[order.task.stage](ladder, order.task)
            return _STAGES[order.task.stage](ladder, order.task)
        except MemoryError:
            return failure(order.task, ladder.data.scales, Status.FAILED, Failure(Fault.MEMORY))
        except (ArithmeticError, ValueError, RuntimeError) as error:
            return failure(order.task, ladder.data.scales, Status.FAILED, Failure.of(error))


def _screen(ladder: Ladder, task: Task) -> Result:
    candidate = task.candidate
    return ladder.screen(candidate.expr, candidate.noise, None if candidate.periods is None else dict(candidate.periods))


def _polish(ladder: Ladder, task: Task) -> Result:
    assert task.screened is not None  # noqa: S101
    return finish(ladder, task.candidate.expr, task.screened, hints=True, rough=ladder.config.ladder == "on")


def _renew(ladder: Ladder, task: Task) -> Result:
    expr, noise = task.candidate.expr, task.candidate.noise
    assert noise is not None  # noqa: S101
    if task.number == 0:
        ladder = ladder.thorough()
    fit = finish(ladder, expr, ladder.renewed(expr, noise, task.number), hints=True, rough=task.number > 0)
    # Beside a value that was decided exactly an interval would not be seen to be better.
    open_ = undecided(STRATEGIES[ladder.config.strategy], fit, ladder.config.effort) and _needed(ladder) <= ladder.config.memory
    return _exactly(ladder, fit) if open_ else fit


def _decide(ladder: Ladder, task: Task) -> Result:
    """The exact value, where the bounds left open which kernel is better."""
    assert task.fit is not None  # noqa: S101
    return _exactly(ladder, task.fit)


def _exactly(ladder: Ladder, fit: Fit) -> Fit:
    began, data, config = time.monotonic(), ladder.data, ladder.config
    if _needed(ladder) > config.memory:
        raise OptionError(f"the exact value needs {_needed(ladder):,.0f} MB, {config.memory:,.0f} are allowed")
    u = np.append(pack(fit.expr), fit.noise.pack())
    value = exact(data, config).certify(Form.of(fit.expr), u)
    if value.status is not Status.OK:
        raise FloatingPointError("rounding blurs the exact value")
    value = value.moved(data.jacobian, data.jacobian_rounding)
    return _with_exact(fit, value, config, time.monotonic() - began)


def _needed(ladder: Ladder) -> float:
    """Megabytes that an exact value takes."""
    return 8e-6 * len(ladder.data.y) ** 2


def _with_exact(fit: Fit, value: Evidence, config: Config, seconds: float) -> Fit:
    evidence = fit.evidence.known(value)
    return replace(
        fit,
        evidence=evidence,
        bic=evidence.interval.shift(-charge(fit.expr, config.count, fit.scales.rows, fit.noise.size())),
        seconds=fit.seconds + seconds,
    )


_STAGES = {"screen": _screen, "polish": _polish, "decide": _decide, "renew": _renew}


def _screen_statement(bench: Bench, task: Task) -> Result:
    return bench.screen(task.candidate.starts, task.candidate.noise, task.candidate.floor)


def _polish_statement(bench: Bench, task: Task) -> Result:
    assert task.screened is not None  # noqa: S101
    return bench.polish(task.candidate.starts[0], task.screened)


def _renew_statement(bench: Bench, task: Task) -> Result:
    """The last climb."""
    (statement,), noise = task.candidate.starts, task.candidate.noise
    assert noise is not None  # noqa: S101
    point = tuple(np.append(pack(statement.built(bench.setting).expr), noise.pack()).tolist())
    return bench.polish(statement, Screened((point,), math.inf, math.inf, 0, 0.0, Status.OK), last=True)


def _scan_statement(bench: Bench, task: Task) -> Result:
    assert task.fit is not None  # noqa: S101
    began = time.monotonic()
    return Scanned(bench.scan(task.fit), time.monotonic() - began)


_STATEMENT_STAGES = {
    "screen": _screen_statement,
    "polish": _polish_statement,
    "renew": _renew_statement,
    "scan": _scan_statement,
}
