"""A table before its cells are understood: names, and columns of text or of typed numbers, as file and frame bring them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.data.notes import Note
from kernelscribe.data.stamps import Stamps
from kernelscribe.errors import Question
from kernelscribe.faces import Advice

__all__ = ["CHUNK", "MISSING", "SAMPLE", "BadCell", "CellGrid", "Cells", "OtherValues", "Source", "Spans", "length", "named"]

# Cells that are packed together.
CHUNK = 1 << 16
# What stands between them: no cell holds it.
_JOIN = "\0"
# Cells by which it is told what a column holds.
SAMPLE = 50
# How people write that there is nothing, in small letters.
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "?", ".", "#n/a", "<na>", "nat"})


@dataclass(frozen=True, slots=True)
class BadCell:
    """The first cell of a column that cannot be read, by its index, what is wrong with it, and what to do where that is known.

    A question goes with it where an answer would make the column readable.
    """

    index: int
    why: str
    advice: Advice | None = None
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Cells:
    """A column of text, packed in chunks: ten million Python strings would take ten times the room."""

    chunks: tuple[str, ...]

    @classmethod
    def of(cls, cells: Sequence[str]) -> "Cells":
        return cls(tuple(cls.pack(cells[i : i + CHUNK]) for i in range(0, len(cells), CHUNK)))

    @staticmethod
    def pack(cells: Sequence[str]) -> str:
        packed = _JOIN.join(cells)
        if packed.count(_JOIN) != len(cells) - 1:
            packed = _JOIN.join(cell.replace(_JOIN, "\ufffd") for cell in cells)
        return packed

    def __iter__(self) -> Iterator[list[str]]:
        """The cells, a chunk at a time."""
        return (chunk.split(_JOIN) for chunk in self.chunks)

    def cell(self, index: int) -> str:
        return next(islice((cell for chunk in self for cell in chunk), index, None))

    def sample(self, most: int = SAMPLE) -> list[str]:
        """The first cells that are not missing, stripped."""
        stripped = (cell.strip() for chunk in self for cell in chunk)
        return list(islice((cell for cell in stripped if cell.lower() not in MISSING), most))


@dataclass(frozen=True, slots=True)
class OtherValues:
    """A column of things that are neither numbers nor dates nor text; `what` names them."""

    what: str


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """A column of durations, in days, NaN where missing."""

    days: Array


# Numbers come as float64 with NaN where missing, or as int64 where a float would lose digits.
Source = Cells | Array | NDArray[np.int64] | Stamps | Spans | OtherValues


def length(source: Source) -> int:
    """The number of cells."""
    match source:
        case Cells():
            return sum(len(chunk) for chunk in source)
        case Spans(spans):
            return len(spans)
        case Stamps() | np.ndarray():
            return len(source)
    return 0


@dataclass(frozen=True, slots=True, eq=False)
class CellGrid:
    """Attributes:
    origin: the file's name, or "the frame": what errors begin with.
    lines: where each row stands there, for messages; `row_word` says whether that is a "line" or a "row".
    decimal: the decimal sign that the sample's cells agree on, or None.
    unnamed: whether the names are made up.
    """

    origin: str
    names: tuple[str, ...]
    columns: tuple[Source, ...]
    lines: NDArray[np.int64]
    row_word: str = "row"
    decimal: str | None = "."
    unnamed: frozenset[str] = frozenset()
    notes: tuple[Note, ...] = field(default=())


def named(cells: Sequence[object]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Names for columns from their heads, and which of them are made up: no two alike, none empty.

    >>> named(["a", " ", "a"])[0]
    ('a', 'column 2', 'a (2)')
    """
    names: list[str] = []
    made: set[str] = set()
    taken: set[str] = set()
    for number, cell in enumerate(cells, start=1):
        # A name may have been written over several lines.
        head = " ".join(str(cell).replace("\0", " ").split())
        name, copy = head or f"column {number}", 2
        while name in taken:
            name, copy = f"{head or f'column {number}'} ({copy})", copy + 1
        taken.add(name)
        names.append(name)
        if not head:
            made.add(name)
    return tuple(names), frozenset(made)
