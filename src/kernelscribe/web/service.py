"""What every route needs, in one place; and a job as the pages and the JSON show it."""

import asyncio
import json
import time
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any

from kernelscribe.web import process
from kernelscribe.web.folder import OUT, RESULT, offered
from kernelscribe.web.jobs import Jobs
from kernelscribe.web.log import entries
from kernelscribe.web.refusal import Refusal
from kernelscribe.web.settings import Settings
from kernelscribe.web.store import OVER, Job, Store, Upload
from kernelscribe.web.uploads import Uploads

__all__ = ["Service"]

# Tables that are looked at in the same moment: one more, and they would wait for a core.
_LOOKS = 2
# Megabytes that reading a table may take: both together fit into a common machine.
_MEMORY = 2000.0


class Service:
    """Settings, files and jobs of one server."""

    def __init__(self, settings: Settings) -> None:
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.settings = settings
        self.store = Store(settings.folder / "kernelscribe.sqlite")
        self.uploads = Uploads(settings, self.store)
        self.jobs = Jobs(settings, self.store)
        self._looks = asyncio.Semaphore(_LOOKS)

    def upload(self, id: str) -> Upload:
        found = self.store.upload(id)
        if found is None or not self.uploads.path(id).is_file():
            raise Refusal(404, "That file is no longer here: files are kept for an hour, or as long as an analysis uses them.")
        return found

    def job(self, id: str) -> Job:
        found = self.store.job(id)
        if found is None:
            raise Refusal(404, "There is no such analysis: it may have been deleted.")
        return found

    async def look(self, upload: Upload, reading: dict[str, Any]) -> dict[str, Any]:
        """How a file is read, found out by a process of its own."""
        order = {"file": str(self.uploads.path(upload.id).absolute()), "name": upload.name, "reading": reading, "memory": _MEMORY}
        try:
            async with self._looks:
                answer = await process.ask(
                    "kernelscribe.web.preview", order=json.dumps(order), seconds=self.settings.preview_time
                )
        except TimeoutError:
            raise Refusal(422, "Reading the file takes too long: bring a smaller one, or one with fewer columns.") from None
        if answer is None:
            raise Refusal(422, "The file cannot be read: it needs too much memory, or it is damaged.")
        found: dict[str, Any] = json.loads(answer)
        if "wrong" in found:
            raise Refusal(422, found["wrong"])
        return found

    def describe(self, job: Job) -> dict[str, Any]:
        """A job as it is shown."""
        known = job.summary or (self._so_far(job) if job.state == "running" else {})
        names = ("rows", "target", "inputs", "kernel_words", "headline", "best", "best_bic")
        end = time.time() if job.state == "running" else job.ended
        return {
            "id": job.id,
            "title": job.title,
            "file_name": job.file_name,
            "upload": job.upload if self.store.upload(job.upload) else None,
            "state": job.state,
            "queue_position": self.jobs.position(job),
            "created": datetime.fromtimestamp(job.created, UTC).isoformat(timespec="seconds"),
            "seconds": None if job.started is None or end is None else round(max(end - job.started, 0.0), 1),
            **{name: known.get(name) for name in names},
            "message": job.message,
            "files": self._files(job),
            "options": job.request["options"],
            "reading": job.request["reading"],
            "forecast": job.request["forecast"],
        }

    def _so_far(self, job: Job) -> dict[str, Any]:
        """What the log says of a search that goes on."""
        known: dict[str, Any] = {}
        for _, entry in entries(self.jobs.folder(job.id)):
            data = entry["data"]
            if entry["event"] == "began":
                known |= {name: data[name] for name in ("rows", "target", "inputs")}
            if data.get("best"):
                known |= {"best": data["best"], "kernel_words": data["best_words"]}
        return known

    def _files(self, job: Job) -> list[dict[str, Any]]:
        if job.state not in OVER:
            return []
        folder = self.jobs.folder(job.id)
        return [
            {
                "name": each.name,
                "label": each.label,
                "bytes": path.stat().st_size if (path := folder / OUT / each.name).is_file() else None,
                "href": f"/jobs/{job.id}/files/{each.name}",
            }
            for each in offered(folder)
            if each.made != "pdf" or find_spec("typst") is not None
        ]

    def result(self, job: Job) -> dict[str, Any] | None:
        """What `kernelscribe run --json` would have printed; None where there is no result."""
        path = self.jobs.folder(job.id) / RESULT
        if job.state not in OVER or not path.is_file():
            return None
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
