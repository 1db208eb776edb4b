"""Locks on files, which the system holds for a process: whatever kills it releases them."""

import os
import sys

__all__ = ["drop", "take"]

if sys.platform == "win32":
    import msvcrt

    # Windows forbids others to read what is locked, so a byte far behind the text is.
    _FAR = 1 << 30

    def take(fd: int) -> None:
        """Lock it, or raise BlockingIOError or PermissionError where another process has."""
        os.lseek(fd, _FAR, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        os.lseek(fd, 0, os.SEEK_SET)

    def drop(fd: int) -> None:
        os.lseek(fd, _FAR, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def take(fd: int) -> None:
        """Lock it, or raise BlockingIOError or PermissionError where another process has."""
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def drop(fd: int) -> None:
        # Closing alone would leave the lock to workers forked meanwhile, which share it.
        fcntl.flock(fd, fcntl.LOCK_UN)
