"""What a file format must give, and the file that it is asked to read."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kernelscribe.data.grid import CellGrid
from kernelscribe.errors import DataError
from kernelscribe.faces import Advice

__all__ = ["CELL_BYTES", "FileFormat", "OpenFile", "too_large"]

# Bytes that a cell takes on its way to a Dataset, beside its text.
CELL_BYTES = 40


@dataclass(frozen=True, slots=True, eq=False)
class OpenFile:
    """A file of which only the first bytes were looked at.

    Attributes:
        path: where it lies.
        called: what messages call it, which may be another name.
        stream: its bytes, from the first on.
        size: in bytes; None where it is not known before all is read, as of a pipe.
        memory: megabytes allowed.
        encoding: of its text, as far as the user says it.
        needed: the names of columns that suffice; None for all. A format may read more.
    """

    path: Path
    called: Path
    stream: io.BufferedReader
    size: int | None
    memory: float
    encoding: str | None = None
    needed: frozenset[str] | None = None


class FileFormat(Protocol):
    """A kind of file that holds a table.

    It is found by its ending or by its first bytes, in this order. Whatever is wrong with a file, `read` raises nothing but
    `DataError` and what the system refuses, in a sentence that begins with what the file is called.

    Attributes:
        name: as the user calls it.
        endings: of names, in small letters, with their points.
        marks: first bytes that no file of another kind has.
    """

    @property
    def name(self) -> str: ...

    @property
    def endings(self) -> tuple[str, ...]: ...

    @property
    def marks(self) -> tuple[bytes, ...]: ...

    def read(self, file: OpenFile) -> CellGrid:
        """Its columns, not yet understood."""
        ...


def too_large(file: OpenFile, need: float, how: str = "about") -> DataError:
    """That a table needs more bytes than are allowed."""
    advice = Advice("name the columns to use with {target} and {inputs}, or raise {memory}")
    return DataError(f"{file.called} needs {how} {need / 1e6:,.0f} MB of memory, {file.memory:,.0f} are allowed", advice)
