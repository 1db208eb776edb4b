"""What the server remembers: files that were brought and jobs that were asked for, in one SQLite file."""

import json
import sqlite3
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

__all__ = ["OVER", "Job", "Store", "Upload"]

# States in which nothing happens any more.
OVER = ("done", "stopped", "failed")

_TABLES = """
CREATE TABLE IF NOT EXISTS uploads (id TEXT PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL, created REAL NOT NULL);
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, upload TEXT NOT NULL, file_name TEXT NOT NULL,
    title TEXT NOT NULL, request TEXT NOT NULL, state TEXT NOT NULL, created REAL NOT NULL, started REAL, ended REAL,
    attempts INTEGER NOT NULL, message TEXT NOT NULL, summary TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state);
"""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was brought; `name` is what its owner calls it, and no path."""

    id: str
    name: str
    size: int
    created: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A search that was asked for.

    Attributes:
        request: reading, forecast and options as they were asked for.
        state: queued, running, done, stopped or failed.
        attempts: how often it was begun; more than once where the server was killed.
        summary: what the lists show of its result.
    """

    id: str
    upload: str
    file_name: str
    title: str
    request: dict[str, Any]
    created: float
    state: str = "queued"
    started: float | None = None
    ended: float | None = None
    attempts: int = 0
    message: str = ""
    summary: dict[str, Any]


_COLUMNS = tuple(each.name for each in fields(Job))
# Columns that hold JSON, for their values have parts.
_JSON = ("request", "summary")


class Store:
    """The SQLite file, used by one thread. Readers and the writer do not wait for each other (WAL)."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(_TABLES)

    def close(self) -> None:
        self._db.close()

    def add_upload(self, upload: Upload) -> None:
        self._db.execute("INSERT INTO uploads VALUES (:id, :name, :size, :created)", asdict(upload))

    def upload(self, id: str) -> Upload | None:
        row = self._db.execute("SELECT * FROM uploads WHERE id = ?", (id,)).fetchone()
        return None if row is None else Upload(**dict(row))

    def uploads(self) -> set[str]:
        return {row["id"] for row in self._db.execute("SELECT id FROM uploads")}

    def idle(self, before: float) -> list[str]:
        """Files brought before then, that no job uses."""
        query = "SELECT id FROM uploads WHERE created < ? AND id NOT IN (SELECT upload FROM jobs)"
        return [row["id"] for row in self._db.execute(query, (before,))]

    def remove_upload(self, id: str) -> None:
        self._db.execute("DELETE FROM uploads WHERE id = ?", (id,))

    def add_job(self, job: Job) -> None:
        values = asdict(job) | {name: json.dumps(getattr(job, name)) for name in _JSON}
        marks = ", ".join(f":{name}" for name in _COLUMNS)
        self._db.execute(f"INSERT INTO jobs ({', '.join(_COLUMNS)}) VALUES ({marks})", values)  # noqa: S608  (our own names)

    def job(self, id: str) -> Job | None:
        return next(iter(self._jobs("WHERE id = ?", id)), None)

    def jobs(self, *states: str) -> list[Job]:
        """In the order in which they came; all, or those in some states."""
        marks = ", ".join("?" * len(states))
        return self._jobs(f"WHERE state IN ({marks}) ORDER BY number" if states else "ORDER BY number", *states)

    def latest(self, most: int) -> list[Job]:
        """The newest first."""
        return self._jobs("ORDER BY number DESC LIMIT ?", most)

    def change(self, id: str, **new: Any) -> None:
        """Give some columns of a job new values."""
        values = {name: json.dumps(value) if name in _JSON else value for name, value in new.items()}
        setting = ", ".join(f"{name} = :{name}" for name in values if name in _COLUMNS)
        self._db.execute(f"UPDATE jobs SET {setting} WHERE id = :id", {**values, "id": id})  # noqa: S608

    def remove_job(self, id: str) -> None:
        self._db.execute("DELETE FROM jobs WHERE id = ?", (id,))

    def _jobs(self, rest: str, *values: Any) -> list[Job]:
        rows = self._db.execute(f"SELECT {', '.join(_COLUMNS)} FROM jobs {rest}", values)  # noqa: S608
        return [Job(**dict(row) | {name: json.loads(row[name]) for name in _JSON}) for row in rows]
