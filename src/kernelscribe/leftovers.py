"""What a process that is killed cannot clear away: names of semaphores in shared memory, a file that was half written.

Each process notes what it is about to make in a record of its own, which it keeps locked while it lives and removes when it ends.
A record that nobody holds is that of a process that was killed: the next one clears away what is in it, and nothing else. All
names have random parts, so none is anybody else's.
"""

import atexit
import os
import re
import secrets
import stat
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from kernelscribe.locking import take

try:
    from _multiprocessing import sem_unlink  # type: ignore[import-not-found]
except ImportError:  # Windows gives semaphores no names
    sem_unlink = None

__all__ = ["folder", "note", "sweep"]

# Only names of these shapes are ever removed, whatever a record says. A file that was half written.
_FILE = re.compile(r"\.kernelscribe-[0-9a-f]{16}\.tmp")
# A semaphore of the worker processes.
_SEMAPHORE = re.compile(r"/loky-\d+-\w{8}")
# The records, in their folder.
_RECORDS = "*.run"


def note(name: str) -> None:
    """Remember a semaphore or a temporary file that is this process's. Where there is no room for records, none are kept."""
    if "\n" not in name:
        with suppress(OSError):
            _RECORD.add(name)


def folder() -> Path:
    """Where records are: a folder that is this user's alone, as whoever writes there says what is removed.

    Raises:
        PermissionError: it is somebody else's.
    """
    user = os.getuid() if hasattr(os, "getuid") else 0
    path = Path(tempfile.gettempdir()) / f"kernelscribe-{user}"
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "getuid") and (found.st_uid != user or found.st_mode & 0o022)):
        raise PermissionError(f"{path} is not this user's alone")
    return path


def sweep(records: Path) -> None:
    """Clear away what processes that were killed have left."""
    for path in records.glob(_RECORDS):
        with suppress(OSError):  # that of one that lives, or that another sweeps
            _clear(path)


def _clear(path: Path) -> None:
    fd = os.open(path, os.O_RDWR)
    try:
        take(fd)
        for name in path.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            with suppress(OSError):
                _remove(name)
        path.unlink()
    finally:
        os.close(fd)


def _remove(name: str) -> None:
    if _FILE.fullmatch(Path(name).name):
        Path(name).unlink()
    elif _SEMAPHORE.fullmatch(name) and sem_unlink is not None:
        sem_unlink(name)


class _Record:
    """That of this process, begun with its first entry."""

    def __init__(self) -> None:
        self.fd: int | None = None
        self.path: Path | None = None
        self.turn = threading.Lock()

    def add(self, name: str) -> None:
        with self.turn:
            if self.fd is None:
                self._begin()
            assert self.fd is not None  # noqa: S101
            os.write(self.fd, f"{name}\n".encode(errors="surrogateescape"))

    def _begin(self) -> None:
        records = folder()
        sweep(records)
        while self.fd is None:
            self._claim(records / f"{secrets.token_hex(8)}.run")
        atexit.register(self.end)

    def _claim(self, path: Path) -> None:
        """Make a record and hold it; another process that sweeps may be quicker to, and take it away."""
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        try:
            take(fd)
            ours = path.exists()
        except (BlockingIOError, PermissionError):
            ours = False
        if ours:
            self.fd, self.path = fd, path
        else:
            os.close(fd)

    def end(self) -> None:
        """All is cleared away, by who made it."""
        fd, path = self.fd, self.path
        self.forget()
        if fd is not None and path is not None:
            with suppress(OSError):
                path.unlink()
                path.parent.rmdir()  # where it was the last one

    def forget(self) -> None:
        """A process that was forked begins a record of its own, and leaves this one to whoever holds it."""
        if self.fd is not None:
            os.close(self.fd)
        self.fd = self.path = None
        self.turn = threading.Lock()


# One for the process, as what it may leave behind is the process's.
_RECORD = _Record()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_RECORD.forget)
