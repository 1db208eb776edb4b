"""The log of a job: one event a line, numbered by its line, only ever appended to. One process writes it at a time."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kernelscribe.files import BINARY, cut, put

__all__ = ["EVENTS", "Log", "entries", "spent"]

# The log, in the folder of its job.
EVENTS = "events.jsonl"


class Log:
    """Appends to the log in a folder; every event says how many seconds after `began`, a moment by the clock, it happened."""

    def __init__(self, folder: Path, began: float | None = None) -> None:
        path = folder / EVENTS
        if path.exists():
            # What a kill tore off.
            written = path.read_bytes()
            if not written.endswith(b"\n"):
                cut(path, written.rfind(b"\n") + 1)
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | BINARY, 0o600)
        self._began = time.time() if began is None else began

    def add(self, event: str, **data: Any) -> None:
        """One more event."""
        at = {"at": round(max(time.time() - self._began, 0.0), 2)}
        put(self._fd, json.dumps({"event": event, "data": at | data}, allow_nan=False).encode() + b"\n")

    def close(self) -> None:
        os.close(self._fd)

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def spent(folder: Path) -> float:
    """Seconds that the search has taken by now, in all the times that it was begun."""
    before, last = 0.0, 0.0
    for _, entry in entries(folder):
        if entry["event"] == "began":
            before, last = before + last, 0.0
        elif entry["event"] != "queued":
            last = entry["data"]["at"]
    return before + last


def entries(folder: Path, offset: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """The events from an offset in the log on, each with the offset behind it; a line that is being written is not there yet."""
    try:
        with (folder / EVENTS).open("rb") as file:
            file.seek(offset)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                offset += len(line)
                yield offset, json.loads(line)
    except FileNotFoundError:
        return
