"""Any reasonable file in, a checked Dataset or one plain sentence out."""

import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kernelscribe.data.dataset import Dataset
from kernelscribe.data.decoding import HEAD
from kernelscribe.data.formats import format_of
from kernelscribe.data.formats.file_format import OpenFile
from kernelscribe.data.formats.refused import check_path
from kernelscribe.data.grid import CellGrid
from kernelscribe.data.prepare import prepare
from kernelscribe.data.reading import Reading, reading_keywords
from kernelscribe.errors import DataError

__all__ = ["MEMORY", "file_data", "file_grid", "read", "readable"]

# Megabytes allowed for reading, where nothing else is said.
MEMORY = 2000.0


@reading_keywords
def read(path: Path | str, *, memory: float = MEMORY, name: str | None = None, **reading: Any) -> Dataset:
    """A file as a Dataset: a table of text, plain or packed by gzip, Parquet, or Excel.

    Args:
        reading: the options of `Reading`: target, time, inputs, date_format, where, encoding.
        memory: megabytes allowed for reading.
        name: what the file is called, where it lies under another name: its ending counts, and messages name it.
    """
    return file_data(Path(path), Reading.of(reading), memory, name)


def file_data(path: Path, reading: Reading, memory: float = MEMORY, name: str | None = None) -> Dataset:
    """The same with all options in one value."""
    check_path(path)
    with readable(name or str(path)):
        # What comes through a pipe cannot be read twice.
        needed = reading.needed if path.is_file() else None
        grid = file_grid(path, needed, reading.encoding, memory, name)
        return prepare(grid, reading, None if needed is None else lambda: _whole(path, reading.encoding, memory, name))


def _whole(path: Path, encoding: str | None, memory: float, name: str | None) -> CellGrid | None:
    """All columns, or None where memory does not hold them: those that the user named suffice."""
    try:
        return file_grid(path, None, encoding, memory, name)
    except DataError:
        return None


@contextmanager
def readable(name: str) -> Iterator[None]:
    """What the system refuses is an error that says so."""
    try:
        yield
    except OSError as error:
        raise DataError(f"cannot read {name}: {error.strerror or error}") from None
    except MemoryError:
        raise DataError(f"cannot read {name}: there is not enough memory") from None


def file_grid(
    path: Path, needed: frozenset[str] | None, encoding: str | None, memory: float, name: str | None = None
) -> CellGrid:
    """A file's columns, not yet understood; only those that are needed where they are named."""
    # Never opened: it has the ending, and stands in messages.
    called = path if name is None else Path(name)
    with path.open("rb", buffering=HEAD) as stream:
        if not isinstance(stream, io.BufferedReader):
            raise AssertionError(stream)
        about = os.fstat(stream.fileno())
        size = about.st_size if stat.S_ISREG(about.st_mode) else None
        file = OpenFile(path, called, stream, size, memory, encoding, needed)
        return format_of(called, stream.peek(HEAD)).read(file)
