"""The journal of a search: one JSON object per line, a header first, then what was found, in the order it was found.

A line is on disk before `append` returns, so a kill or a power cut costs at most the line being written; `resume`
cuts such a torn line off. What the entries mean is the caller's business.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from kernelscribe.errors import JournalError
from kernelscribe.files import BINARY, cut, put, write
from kernelscribe.search.lock import Lock

__all__ = ["FORMAT", "Journal", "check"]

# The number in the header's "journal": raise it when this version could not read older files, or older versions this one's.
FORMAT = 2


@dataclass(slots=True, eq=False)
class Journal:
    """An open journal; `create`, `resume` and `memory` make one."""

    header: dict[str, Any]
    path: Path | None = None
    broken: str | None = None  # why the file is no longer written, as on a full disk
    _entries: list[dict[str, Any]] = field(default_factory=list)
    _fd: int | None = None
    _lock: Lock | None = None
    _closed: bool = False

    @classmethod
    def memory(cls, header: Mapping[str, Any]) -> Self:
        """A journal without a file; `header` holds version, data and options."""
        return cls(json.loads(_line({"journal": FORMAT, **header})))

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any], *, force: bool = False) -> Self:
        """Start a journal, and its folder where missing; `header` is as for `memory`."""
        first = cls.memory(header).header
        with _usable(path), ExitStack() as stack:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(Lock(path))
            if path.exists() and not force:
                raise JournalError(f"{path} exists: use --resume to go on with it, or --force to start anew")
            write(path, _line(first))
            journal = cls(first, path.absolute(), _fd=_open(path), _lock=lock)
            stack.pop_all()
            return journal

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Go on with a journal: reads it and cuts a torn last line off."""
        with _usable(path), ExitStack() as stack:
            if not path.is_file():
                raise JournalError(f"{path}: there is no such journal: check the path, or leave out --resume to start one")
            lock = stack.enter_context(Lock(path))
            header, entries = _heal(path)
            journal = cls(header, path.absolute(), _entries=entries, _fd=_open(path), _lock=lock)
            stack.pop_all()
            return journal

    @property
    def entries(self) -> tuple[dict[str, Any], ...]:
        """All entries, as they are read from the file: a tuple that was appended is a list."""
        return tuple(self._entries)

    def append(self, entry: Mapping[str, Any]) -> bool:
        """Add an entry and answer whether all is well; a file that fails is given up and memory goes on alone.

        A number that is not finite, which JSON cannot hold, is a ValueError, and so is a closed journal.
        """
        self._check_open()
        line = _line(entry)
        self._entries.append(json.loads(line))
        if self._fd is not None:
            try:
                put(self._fd, line)
                os.fsync(self._fd)
            except OSError as error:
                self._give_up(error)
        return self.broken is None

    def settle(self, entries: Sequence[Mapping[str, Any]]) -> bool:
        """Put these entries in place of all others, at once or not at all; answers as `append` does.

        A broken journal is tried again: if there is room by now, the file is whole once more.
        """
        self._check_open()
        lines = [_line(entry) for entry in entries]
        self._entries = [json.loads(line) for line in lines]
        if self.path is not None:
            try:
                self._release()  # first: Windows replaces no open file
                write(self.path, b"".join([_line(self.header), *lines]))
                self._fd = _open(self.path)
                self.broken = None
            except OSError as error:
                self._give_up(error)
        return self.broken is None

    def close(self) -> None:
        """Release the file and its lock; may be called again."""
        self._closed = True
        self._release()
        if self._lock is not None:
            self._lock.close()

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("the journal is closed")

    def _give_up(self, error: OSError) -> None:
        self.broken = str(error)
        self._release()

    def _release(self) -> None:
        fd, self._fd = self._fd, None
        if fd is not None:
            with suppress(OSError):  # every line is flushed already: closing has nothing left to lose
                os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def check(header: Mapping[str, Any], data: str, options: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> None:
    """Refuse a journal of other data or other options; an option that one side lacks has its default there."""
    if header["data"] != data:
        raise JournalError("the journal was written for other data: give the data it began with, or start anew with --force")
    # As JSON gives them back: the header's tuples have become lists.
    usual, given = json.loads(json.dumps([dict(defaults or {}), dict(options)]))
    before, now = usual | header["options"], usual | given
    names = [name for name in before | now if before.get(name) != now.get(name)]
    if names:
        listed = "; ".join(f"{name} was {before.get(name)!r}, is now {now.get(name)!r}" for name in names)
        raise JournalError(f"the journal was written with other options ({listed}): set them back, or start anew with --force")


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(dict(entry), allow_nan=False).encode() + b"\n"


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_APPEND | BINARY)


@contextmanager
def _usable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise JournalError(f"{path}: the journal cannot be used ({error}): choose another place, or make room there") from error


def _heal(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Header and entries of a file; what a crash tore off its end is cut off on disk too."""
    raw = path.read_bytes()
    *lines, torn = raw.split(b"\n")
    header = _header(lines[0] if lines else b"", path)
    entries: list[dict[str, Any]] = []
    for number, line in enumerate(lines[1:], start=2):
        entry = _object(line)
        if entry is not None:
            entries.append(entry)
        elif number == len(lines) and not torn:
            torn = line + b"\n"
        else:
            raise JournalError(f"{path}, line {number}: edited or damaged: end the file before it, or start anew with --force")
    if torn:
        cut(path, len(raw) - len(torn))
    return header, entries


def _header(line: bytes, path: Path) -> dict[str, Any]:
    header = _object(line) or {}
    number = header.get("journal")
    if number == 1 and isinstance(header.get("version"), str):
        raise JournalError(
            f"{path} is of kernelscribe {header.get('version')}, whose journals this version does not read: start anew with "
            '--force, or go on with that version (pip install "kernelscribe==0.1.*")'
        )
    if isinstance(number, int) and number > FORMAT:
        version = header.get("version")
        raise JournalError(f"{path} is of kernelscribe {version}, newer than this one: update, or start anew with --force")
    if number != FORMAT or not isinstance(header.get("data"), str) or not isinstance(header.get("options"), dict):
        raise JournalError(f"{path} has no journal's header in line 1: check the path, or start anew with --force")
    return header


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line.decode(), parse_constant=int)  # int refuses NaN and Infinity
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
