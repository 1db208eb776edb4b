"""Names of files, and writing so that no crash, power cut or full disk leaves half a file under a whole one's name."""

import errno
import os
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path

from kernelscribe.leftovers import note

__all__ = ["BINARY", "COMPONENTS", "FORECAST", "JOURNAL", "MODEL", "PAGE", "REPORT", "cut", "put", "write"]

# The files of a run. The report, under the name that a browser opens in a folder.
PAGE = "index.html"
# The report as data, from which other formats are made.
REPORT = "report.json"
# The model, with which predictions are made.
MODEL = "model.json"
# What the search has found, a line for every result.
JOURNAL = "search.jsonl"
# Every part of the model at every row.
COMPONENTS = "components.csv"
# What comes after the last row, where that makes sense.
FORECAST = "forecast.csv"

# Windows translates line ends unless told not to; elsewhere there is no such flag.
BINARY: int = getattr(os, "O_BINARY", 0)
# What file systems answer that cannot flush a directory; the file itself is safe by then.
_UNABLE = (errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EBADF)


def write(path: Path, text: str | bytes) -> None:
    """Write a whole file or none: a temporary one beside it is flushed to disk, then takes its name.

    A symbolic link stays a link. A file that exists passes its permissions on, less what the umask takes;
    a device or pipe such as /dev/stdout is written to, not replaced.
    """
    data = text.encode() if isinstance(text, str) else text
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = Path(os.path.realpath(path))
    # A short name of its own: the final name may already be as long as the file system allows.
    temporary = path.parent / f".kernelscribe-{secrets.token_hex(8)}.tmp"
    note(str(temporary))
    try:
        _fill(temporary, data, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _flush(path.parent)


def put(fd: int, data: bytes) -> None:
    """Write all of `data`: os.write may take only a part of it."""
    while data:
        data = data[os.write(fd, data) :]


def cut(path: Path, length: int) -> None:
    """Keep the first `length` bytes of a file, on disk."""
    fd = os.open(path, os.O_RDWR)
    try:
        os.ftruncate(fd, length)
        os.fsync(fd)
    finally:
        os.close(fd)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666


def _fill(path: Path, data: bytes, mode: int) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode)
    try:
        put(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)


def _flush(folder: Path) -> None:
    """Make the new name itself survive a power cut; Windows does so unasked and cannot open a folder."""
    if sys.platform == "win32":
        return
    try:
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        if error.errno not in _UNABLE:
            raise
