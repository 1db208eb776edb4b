"""Dask's workers: a scheduler that is asked before it is used, and again and again while it is.

Left alone, Dask waits for one that never answers, and for one that is gone, without end and without a word.
"""

import asyncio
import logging
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from kernelscribe.errors import ClusterError, OptionError

__all__ = ["ANSWER", "AWAY", "BETWEEN", "CLOSE", "Connection", "cluster"]

# Seconds for a first answer: a scheduler that is there answers in hundredths of one. From when one is gone to the end of the run
# these four add up to less than half a minute.
ANSWER = 10.0
# Seconds between two questions: seldom enough to be no load, often enough that an answer is missed soon.
BETWEEN = 3.0
# Seconds without an answer before the scheduler is given up: some questions long, as one that is busy answers late.
AWAY = 15.0
# Seconds for saying goodbye.
CLOSE = 5.0


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of the scheduler at that address."""
    try:
        from distributed import Client  # noqa: PLC0415
    except ImportError:
        raise OptionError('--dask needs the extra: pip install "kernelscribe[dask]"') from None
    with _silent():
        client = _reach(Client, address)
        try:
            yield client.get_executor(pure=False)
        finally:
            with suppress(Exception):  # of one that is gone
                client.close(timeout=CLOSE)


def _reach(make: Any, address: str) -> Any:
    try:
        asyncio.run(asyncio.wait_for(_first(address), ANSWER))
        # It is given up before Dask gives it up.
        return make(address, timeout=2 * AWAY, set_as_default=False)
    except (OSError, ValueError) as error:
        why = f"none within {ANSWER:.0f} seconds" if isinstance(error, TimeoutError) else str(error)
        raise ClusterError(
            f"no Dask scheduler answers at {address!r} ({why}): check the address, which is like tcp://host:8786 and printed by "
            "`dask scheduler` when it starts, or leave --dask out to work on this machine"
        ) from None


async def _first(address: str) -> Any:
    """Dask's own first step has no end where something takes the call and says nothing."""
    from distributed import rpc  # noqa: PLC0415
    from distributed.security import Security  # noqa: PLC0415

    async with rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
        return await scheduler.echo(data=0)


@contextmanager
def _silent() -> Iterator[None]:
    """What Dask logs of a scheduler that is gone is said in one sentence."""
    logs = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)


@dataclass(slots=True)
class Connection:
    """The connection to the scheduler of an executor. One that has none, as it is not Dask's, is always there."""

    client: Any
    asked: Future[Any] | None = None
    unheard: float | None = None  # since when there has been no answer
    again: float = 0.0

    @classmethod
    def of(cls, executor: Executor | None) -> "Connection":
        return cls(getattr(executor, "_client", None))

    @property
    def open(self) -> bool:
        """Whether tasks may be sent."""
        return self.client is None or self.client.status == "running"

    def close(self) -> None:
        """Wait for no answer any more: Dask would complain of a question that is left open when it ends."""
        if self.asked is not None:
            self.asked.cancel()
        self.asked = None

    def check(self) -> None:
        """Ask for a sign of life now and then; never wait for it.

        Raises:
            ClusterError: there has been none for too long.
        """
        if self.client is None:
            return
        now, gone = time.monotonic(), self.client.status in ("closing", "closed")
        if not gone:
            self._hear()
            self._ask(now)
        if gone or (self.unheard is not None and now - self.unheard > AWAY):
            self.close()
            raise ClusterError(f"the Dask scheduler at {_address(self.client)} is gone: it no longer answers")

    def _hear(self) -> None:
        if self.asked is not None and self.asked.done():
            if not self.asked.cancelled() and self.asked.exception() is None:
                self.unheard = None
            self.asked = None

    def _ask(self, now: float) -> None:
        if self.asked is None and now >= self.again:
            self.asked = _question(self.client)
            self.again = now + BETWEEN
            self.unheard = now if self.unheard is None else self.unheard


def _question(client: Any) -> Future[Any]:
    return asyncio.run_coroutine_threadsafe(client.scheduler.echo(data=0), client.loop.asyncio_loop)


def _address(client: Any) -> str:
    return str(getattr(client.scheduler, "address", None) or client._start_arg)
