"""One run per journal: an exclusive lock on `<journal>.lock`, which holds the pid of its holder.

The kernel holds the lock for the process, not the file by its existence: whatever kills the process releases it,
and a lock file that is left over stops nobody.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Self

from kernelscribe.errors import JournalError
from kernelscribe.files import put
from kernelscribe.locking import drop, take

__all__ = ["Lock"]


class Lock:
    """Held from construction to `close`.

    Raises:
        JournalError: another run holds it.
        OSError: the lock file cannot be made.
    """

    __slots__ = ("_fd", "path")

    def __init__(self, journal: Path) -> None:
        # The real path: a journal reached by two links is still one journal.
        self.path = Path(f"{os.path.realpath(journal)}.lock")
        self._fd: int | None = None
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            self._hold(fd, journal)
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd

    def _hold(self, fd: int, journal: Path) -> None:
        try:
            take(fd)
        except (BlockingIOError, PermissionError) as error:
            holder = self.path.read_text(encoding="ascii", errors="replace").strip() or "unknown"
            raise JournalError(
                f"{journal} is in use by another run, process {holder} (lock file {self.path}): "
                "wait until it ends, stop it, or choose another journal"
            ) from error
        os.ftruncate(fd, 0)
        put(fd, f"{os.getpid()}\n".encode())

    def close(self) -> None:
        """Release the lock; may be called again."""
        if self._fd is None:
            return
        fd, self._fd = self._fd, None
        try:
            # Emptied and left: if it were removed, one process could hold the removed file and another a new one.
            with suppress(OSError):
                os.ftruncate(fd, 0)
            drop(fd)
        finally:
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
