"""The queue: jobs wait, run in processes of their own, and end one way or another.

The store says what each job's state is, so a server that was killed finds out where everything was. A job that was running
then is begun again, and goes on with its journal.
"""

import asyncio
import json
import os
import secrets
import shutil
import time
from asyncio.subprocess import Process
from pathlib import Path
from typing import Any

from kernelscribe.files import write
from kernelscribe.report.formats.escape import readable
from kernelscribe.web import process
from kernelscribe.web.ending import Ending, read_ending
from kernelscribe.web.folder import ASKED, NOISE, OUTCOME, STOP
from kernelscribe.web.log import Log
from kernelscribe.web.refusal import Refusal
from kernelscribe.web.settings import Settings
from kernelscribe.web.store import OVER, Job, Store, Upload

__all__ = ["Jobs"]

# A job that was begun so often and never ended may be what kills the server.
_ATTEMPTS = 3

# What is said of a job whose end nobody can tell.
_UNREADABLE = "The search could not be begun, or its outcome could not be read: run it again."


class Jobs:
    """All jobs of a server; its methods are called in the server's loop."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self._running: dict[str, Process | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._positions: dict[str, int] = {}
        self._closing = False
        settings.jobs.mkdir(parents=True, exist_ok=True)

    def folder(self, id: str) -> Path:
        return self.settings.jobs / id

    def recover(self) -> None:
        """Take up what an earlier server has left behind."""
        for job in self.store.jobs("running"):
            if (self.folder(job.id) / OUTCOME).exists():
                self._conclude(job.id, 0)
            elif job.attempts >= _ATTEMPTS:
                message = f"It was begun {job.attempts} times and the program ended each time. It may need too much memory."
                self._over(job.id, "failed", message, {})
            else:
                self.store.change(job.id, state="queued")
        known = {job.id for job in self.store.jobs()}
        for path in self.settings.jobs.iterdir():
            if path.name not in known:
                shutil.rmtree(path, ignore_errors=True)
        self._fill()

    def submit(self, upload: Upload, source: Path, title: str, request: dict[str, Any]) -> Job:
        """One more job at the end of the queue."""
        if len(self.store.jobs("queued")) >= self.settings.waiting:
            raise Refusal(429, f"{self.settings.waiting} searches wait already: try again when some are done.")
        job = Job(
            id=secrets.token_hex(8), upload=upload.id, file_name=upload.name, title=title, request=request, created=time.time(),
            summary={},
        )  # fmt: skip
        folder = self.folder(job.id)
        folder.mkdir()
        write(folder / ASKED, json.dumps({"file": str(source.absolute()), "name": upload.name, **request}))
        self.store.add_job(job)
        self._fill()
        return job

    def position(self, job: Job) -> int | None:
        """How many are before it, plus one; None where it does not wait."""
        waiting = [each.id for each in self.store.jobs("queued")]
        return waiting.index(job.id) + 1 if job.id in waiting else None

    def stop(self, job: Job) -> None:
        """Ask a search to end with what it knows; one that waits is over at once."""
        if job.state == "queued":
            self._over(job.id, "stopped", "It was stopped before it began.", {})
            self._line()
        elif job.state == "running":
            (self.folder(job.id) / STOP).touch()

    def remove(self, job: Job) -> None:
        """Delete a job with all its files; one that runs is killed first."""
        self.store.remove_job(job.id)
        running = self._running.get(job.id)
        if running is not None:
            process.end(running)
        elif job.id not in self._running:
            shutil.rmtree(self.folder(job.id), ignore_errors=True)
        self._line()

    async def close(self) -> None:
        """End all processes; the next server goes on with them."""
        self._closing = True
        for running in self._running.values():
            if running is not None:
                process.end(running)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _fill(self) -> None:
        """Begin jobs while there is room, and tell the others where they stand."""
        for job in self.store.jobs("queued"):
            if self._closing or len(self._running) >= self.settings.at_once:
                break
            self._running[job.id] = None
            self.store.change(job.id, state="running", started=time.time(), attempts=job.attempts + 1)
            task = asyncio.get_running_loop().create_task(self._work(job))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._line()

    def _line(self) -> None:
        """Tell those who wait where they stand, where that has changed."""
        positions = {job.id: position for position, job in enumerate(self.store.jobs("queued"), start=1)}
        for id, position in positions.items():
            if self._positions.get(id) != position:
                with Log(self.folder(id)) as log:
                    log.add("queued", position=position)
        self._positions = positions

    async def _work(self, job: Job) -> None:
        """One job from its beginning to its end."""
        folder = self.folder(job.id)
        try:
            self._share(folder)
            with (folder / NOISE).open("ab") as noise:
                running = await process.start(self.settings.worker, str(folder.absolute()), stdout=noise, stderr=noise)
            self._running[job.id] = running
            if self._closing or self.store.job(job.id) is None:
                process.end(running)
            code = await running.wait()
            self._conclude(job.id, code)
        except Exception:
            # Whatever it was, the others go on; the terminal has the details.
            self._over(job.id, "failed", _UNREADABLE, {})
            raise
        finally:
            del self._running[job.id]
            self._fill()

    def _share(self, folder: Path) -> None:
        """A job that is alone has all cores, others their part; the answer does not depend on it."""
        asked = json.loads((folder / ASKED).read_text(encoding="utf-8"))
        workers = max(1, (os.cpu_count() or 1) // len(self._running))
        write(folder / ASKED, json.dumps({**asked, "workers": workers, "began": time.time()}))

    def _conclude(self, id: str, code: int) -> None:
        if self.store.job(id) is None:
            shutil.rmtree(self.folder(id), ignore_errors=True)
            return
        try:
            ending = read_ending(self.folder(id))
        except ValueError:
            ending = Ending("failed", _UNREADABLE)
        if ending is not None:
            self._over(id, ending.state, ending.message, ending.summary)
        elif not self._closing:
            self._over(id, "failed", _crash(code), {})

    def _over(self, id: str, state: str, message: str, summary: dict[str, Any]) -> None:
        """The end of a job: known to the store before those who watch are told."""
        if state not in OVER:
            raise ValueError(state)
        job, message = self.store.job(id), readable(message)
        began = None if job is None else job.started
        self.store.change(id, state=state, message=message, summary=summary, ended=time.time())
        with Log(self.folder(id), began) as log:
            log.add("ended", state=state, message=message, headline=summary.get("headline"))


def _crash(code: int) -> str:
    """What to say of a process that ended without a word."""
    how = f"was killed (signal {-code}), perhaps because memory ran out" if code < 0 else f"ended by itself (code {code})"
    return f"The search {how}. Your file and your choices are kept: run it again, with fewer rows or columns if it was memory."
