"""Rows of a table of text as columns of cells, a chunk at a time.

A block of lines that has no quotes, and the right number of cells in each, is split as a whole; every other one row by row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kernelscribe.data.grid import CHUNK
from kernelscribe.data.layout import split
from kernelscribe.errors import DataError

__all__ = ["RowChunk", "chunks", "lined"]


@dataclass(frozen=True, slots=True, eq=False)
class RowChunk:
    """Some rows; `lines` says where each of them ends, `blank` how many without any value were passed over."""

    columns: Sequence[Sequence[str]]
    lines: NDArray[np.int64]
    blank: int = 0


def lined(block: str) -> list[str]:
    """The lines of a block, each with its end."""
    return [line + "\n" for line in block.split("\n")[:-1]]


def chunks(blocks: Iterable[str], delimiter: str, width: int, path: Path, done: int) -> Iterator[RowChunk]:
    """All rows of blocks of lines, before which `done` lines came."""
    rest = iter(blocks)
    for block in filter(None, rest):
        if '"' in block:
            # A cell in quotes may go on in the next block.
            lines = (line for each in chain([block], rest) for line in lined(each))
            yield from _by_row(lines, delimiter, width, path, done)
            return
        columns = _at_once(block, delimiter, width)
        count = block.count("\n")
        if columns is not None:
            yield RowChunk(columns, np.arange(done + 1, done + count + 1))
        else:
            yield from _by_row(lined(block), delimiter, width, path, done)
        done += count


def _at_once(block: str, delimiter: str, width: int) -> Sequence[Sequence[str]] | None:
    """The columns of a block whose lines all have that many cells and some value; else None."""
    empty = delimiter * (width - 1) + "\n"
    if delimiter == " " or not delimiter.isascii() or width < 2 or block.startswith(empty) or "\n" + empty in block:  # noqa: PLR2004
        return None
    codes = np.frombuffer(block.encode("utf-8", "surrogatepass"), np.uint8)
    ends = codes[(codes == ord(delimiter)) | (codes == ord("\n"))] == ord("\n")
    if len(ends) % width or not ends[width - 1 :: width].all() or int(ends.sum()) * width != len(ends):
        return None
    cells = block.replace("\n", delimiter).split(delimiter)
    return [cells[d : len(cells) - 1 : width] for d in range(width)]


def _by_row(lines: Iterable[str], delimiter: str, width: int, path: Path, done: int) -> Iterator[RowChunk]:
    rows: list[list[str]] = []
    numbers: list[int] = []
    blank = 0
    for number, cells in split(lines, delimiter, path, done):
        if not any(cells):
            blank += bool(cells)
            continue
        if len(cells) != width:
            raise DataError(f"{path}, line {number}: expected {width} cells, got {len(cells)}")
        rows.append(cells)
        numbers.append(number)
        if len(rows) == CHUNK:
            yield RowChunk(list(zip(*rows, strict=True)), np.array(numbers), blank)
            rows, numbers, blank = [], [], 0
    if rows or blank:
        yield RowChunk(list(zip(*rows, strict=True)) or [()] * width, np.array(numbers, dtype=np.int64), blank)
