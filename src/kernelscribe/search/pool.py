"""Executors: processes of our own, the caller's, or none at all.

Processes are loky's: spawned, never forked, so that no thread's lock is copied half-held; each with one thread of linear algebra,
which is set in its environment before NumPy loads. They ignore ctrl-C, which is the main process's to answer, and end with it.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from loky.backend.context import LokyContext
from loky.process_executor import ProcessPoolExecutor

from kernelscribe.errors import ClusterError
from kernelscribe.leftovers import note
from kernelscribe.search.cluster import ANSWER

__all__ = ["Inline", "cores", "early", "given", "parallel", "pids", "processes", "slots"]

P = ParamSpec("P")
T = TypeVar("T")

_GIVEN: ContextVar[Executor | None] = ContextVar("executor", default=None)
# Pools that were started early and that nobody has taken yet.
_EARLY: ContextVar[tuple[list[ProcessPoolExecutor], ...]] = ContextVar("early", default=())
_ONE_THREAD = {
    name: "1"
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS")
}
# loky takes a worker that holds tables of the data for one that leaks, and would begin it anew, tables and all.
_NO_LEAK = {"LOKY_MAX_MEMORY_LEAK_SIZE": "1e18"}
# How soon a worker notices that its parent is gone.
_WATCH = 1.0


@contextmanager
def parallel(executor: Executor) -> Iterator[None]:
    """Searches inside the `with` block use this executor, such as `client.get_executor()` of a Dask client.

    The executor stays the caller's: it is not closed.
    """
    token = _GIVEN.set(executor)
    try:
        yield
    finally:
        _GIVEN.reset(token)


def given() -> Executor | None:
    """The executor of the `with parallel(...)` block around, if there is one."""
    return _GIVEN.get()


def cores() -> int:
    """How many workers there are when nobody says."""
    return os.cpu_count() or 1


@contextmanager
def early(workers: int) -> Iterator[None]:
    """Start so many workers now, if any are wanted: the first pool of as many inside the `with` block is theirs, and by then they
    have loaded what they need. With the caller's executor around none are started."""
    if workers < 1 or given() is not None:
        yield
        return
    pool = _made(workers)
    pool.submit(os.getpid)  # with a first task all of them begin
    kept = [pool]
    token = _EARLY.set((*_EARLY.get(), kept))
    try:
        yield
    finally:
        _EARLY.reset(token)
        for each in kept:
            each.shutdown(wait=True, kill_workers=True)


def processes(workers: int) -> ProcessPoolExecutor:
    """A pool of worker processes: one that was started early, if it has as many."""
    fitting = (kept for kept in _EARLY.get() if kept and kept[0]._max_workers == workers)
    kept = next(fitting, None)
    return _made(workers) if kept is None else kept.pop()


def _made(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        max_workers=workers,
        context=_NotedContext(),
        timeout=None,
        initializer=_settle,
        initargs=(os.getpid(),),
        env=_ONE_THREAD | _NO_LEAK,
    )


class _NotedContext(LokyContext):  # type: ignore[misc]
    """How the pool makes what its processes share. loky removes the names of it, unless it is killed too."""

    def Lock(self) -> Any:  # noqa: N802
        return _noted(super().Lock())

    def BoundedSemaphore(self, value: int = 1) -> Any:  # noqa: N802
        return _noted(super().BoundedSemaphore(value))


def _noted(made: Any) -> Any:
    note(made._semlock.name)
    return made


def slots(executor: Executor) -> int:
    """How many tasks an executor of the caller's works on at a time, as far as it tells."""
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "nthreads"):
        try:
            return max(int(sum(client.nthreads(callback_timeout=ANSWER).values())), 1)
        except OSError:
            raise ClusterError("the Dask scheduler of the executor does not answer") from None
    return int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)


def pids(executor: Executor | None) -> tuple[int, ...]:
    """The processes of a pool on this machine, as far as it tells."""
    return tuple(getattr(executor, "_processes", None) or ())


class Inline(Executor):
    """No processes at all: a task is done when it is submitted."""

    _max_workers = 1

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _settle(parent: int) -> None:
    """Make a worker ignore ctrl-C and end when its parent has; and load what its tasks need, before the first comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    import scipy.optimize  # noqa: F401, PLC0415

    import kernelscribe.search.work  # noqa: F401, PLC0415


def _watch(parent: int) -> Any:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(0)
