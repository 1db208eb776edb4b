"""Any reasonable file in, a checked Dataset or one plain sentence out."""

import io
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from kernelscribe.data.column_choice import Wish
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.decoding import HEAD, unpacked
from kernelscribe.data.formats import excel, parquet, text
from kernelscribe.data.formats.refused import check_path, check_text, kind_of
from kernelscribe.data.grid import CellGrid
from kernelscribe.data.prepare import prepare
from kernelscribe.errors import DataError

__all__ = ["grid", "read", "readable"]


def read(
    path: Path | str,
    *,
    target: str | None = None,
    time: str | None = None,
    inputs: Sequence[str] | None = None,
    date_format: str | None = None,
    where: Mapping[str, Any] | None = None,
    encoding: str | None = None,
    winsorise: bool = False,
    memory: float = 2000.0,
    name: str | None = None,
) -> Dataset:
    """A file as a Dataset: a table of text, plain or packed by gzip, Parquet, or Excel.

    Args:
        target: the column to explain; the last one of numbers where not given.
        time: the column of times; guessed where not given.
        inputs: the columns to explain it by; beside the time where that is given.
        date_format: how dates are written, as in %d/%m/%Y; docs/data.md has the words it may be instead.
        where: columns with the value that the rows to use have, as in {"store": "A"}; "*" takes those of all values together.
        encoding: of a text that is not in UTF-8 and has no byte-order mark.
        winsorise: pull outliers of the target in.
        memory: megabytes allowed for reading.
        name: what the file is called, where it lies under another name: its ending counts, and messages name it.
    """
    path, wish = Path(path), Wish.of(target, time, inputs, date_format, where)
    check_path(path)
    with readable(name or str(path)):
        # What comes through a pipe cannot be read twice.
        needed = wish.needed if path.is_file() else None
        whole = None if needed is None else partial(_whole, path, encoding, memory, name)
        return prepare(grid(path, needed, encoding, memory, name), wish, winsorise=winsorise, whole=whole)


def _whole(path: Path, encoding: str | None, memory: float, name: str | None) -> CellGrid | None:
    """All columns, or None where memory does not hold them: those that the user named suffice."""
    try:
        return grid(path, None, encoding, memory, name)
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


def grid(path: Path, needed: frozenset[str] | None, encoding: str | None, memory: float, name: str | None = None) -> CellGrid:
    """A file's columns, not yet understood; only those that are needed where they are named."""
    # Never opened: it has the ending, and stands in messages.
    called = path if name is None else Path(name)
    with path.open("rb", buffering=HEAD) as file:
        if not isinstance(file, io.BufferedReader):
            raise AssertionError(file)
        kind = kind_of(called, file.peek(HEAD))
        match kind:
            case "excel":
                return excel.grid(path, called, memory=memory)
            case "parquet":
                return parquet.grid(path, called, memory=memory, needed=needed)
            case "gzip":
                stream = unpacked(file, called, memory * 1e6)
                check_text(called, stream.peek(HEAD))
                return text.grid(called, stream, None, encoding=encoding, memory=memory, needed=needed)
        about = os.fstat(file.fileno())
        size = about.st_size if stat.S_ISREG(about.st_mode) else None
        return text.grid(called, file, size, encoding=encoding, memory=memory, needed=needed)
