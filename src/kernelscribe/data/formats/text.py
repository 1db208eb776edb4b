"""Reading a table of text: rows are split once, each column is kept as packed text, and memory is watched all the time."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np

from kernelscribe.data.decoding import HEAD, decoded, encoding_of
from kernelscribe.data.formats.file_format import CELL_BYTES, OpenFile, too_large
from kernelscribe.data.grid import SAMPLE, CellGrid, Cells, named
from kernelscribe.data.layout import TextLayout, sniff, split
from kernelscribe.data.notes import Note
from kernelscribe.data.rows import chunks, lined
from kernelscribe.errors import DataError

__all__ = ["MOST_COLUMNS", "TextFormat"]

# More would be no table that anybody wrote.
MOST_COLUMNS = 10_000
# Bytes that a row takes on its way to a Dataset, beside its cells.
_ROW = 40
# Bytes to a character, at least.
_WIDE = {"utf-16": 2, "utf-32": 4}


class TextFormat:
    """Commas, semicolons, tabs, vertical bars or spaces between cells, whatever its ending."""

    name = "text"
    endings = ()
    marks = ()

    def read(self, file: OpenFile) -> CellGrid:
        """The table in a stream of text."""
        path, needed = file.called, file.needed
        name = encoding_of(file.stream.peek(HEAD), file.encoding)
        blocks = decoded(file.stream, path, name)
        first = lined(next(blocks, ""))
        sample = _sample(first)
        if not any(line.strip() for line in sample):
            raise DataError(f"{path} is empty: it has no rows of numbers")
        layout = sniff(sample)
        done, head = _head(first, layout, path)
        if not head:
            raise DataError(f"{path} has no rows of numbers")
        if len(head) > MOST_COLUMNS:
            raise DataError(f"{path} has {len(head):,} columns, more than the {MOST_COLUMNS:,} that can be read: split it")
        names, unnamed = named(head)
        kept = [d for d, each in enumerate(names) if needed is None or each in needed]
        budget = _Budget(file, len(kept))
        if file.size is not None:
            top = [
                cells
                for _, cells in islice(split(first[done:], layout.delimiter, path, done), SAMPLE)
                if len(cells) == len(names)
            ]
            budget.estimate(file.size, sum(map(len, sample)) / len(sample) * _WIDE.get(name, 1), _share(top, kept))
        packed: list[list[str]] = [[] for _ in names]
        lines, blank = [np.zeros(0, np.int64)], 0
        for chunk in chunks(chain(["".join(first[done:])], blocks), layout.delimiter, len(names), path, done):
            blank += chunk.blank
            if not len(chunk.lines):
                continue
            texts = [Cells.pack(chunk.columns[d]) for d in kept]
            budget.hold(texts, len(chunk.lines))
            for d, text in zip(kept, texts, strict=True):
                packed[d].append(text)
            lines.append(chunk.lines)
        columns = tuple(Cells(tuple(each)) for each in packed)
        notes = (*_told(layout, None if file.encoding else name), *_skipped(blank))
        return CellGrid(str(path), names, columns, np.concatenate(lines), "line", layout.decimal, unnamed, notes)


def _sample(lines: Sequence[str]) -> list[str]:
    """The first lines, up to the size from which a layout is told."""
    sample: list[str] = []
    length = 0
    for line in lines:
        if length >= HEAD:
            break
        sample.append(line)
        length += len(line)
    return sample


def _share(rows: Sequence[Sequence[str]], kept: Sequence[int]) -> float:
    """The part of the text that stands in the columns that are kept."""
    every = sum(len(cell) for row in rows for cell in row)
    return sum(len(row[d]) for row in rows for d in kept) / every if every else 1.0


def _head(lines: Sequence[str], layout: TextLayout, path: Path) -> tuple[int, Sequence[str]]:
    """How many lines come before the first row of values, and the heads of the columns, empty where there are none."""
    rows = split(lines[layout.skip :], layout.delimiter, path, layout.skip)
    number, top = next(((number, cells) for number, cells in rows if any(cells)), (len(lines), []))
    if layout.first:
        return number, top
    return layout.skip, layout.header or [""] * len(top)


class _Budget:
    """Refuses what memory cannot hold: before it is read, where its size is known, and while it is read."""

    def __init__(self, file: OpenFile, columns: int) -> None:
        self.file, self.row = file, _ROW + CELL_BYTES * columns
        self.taken = 0.0

    def estimate(self, size: int, line: float, share: float) -> None:
        self._check(size * share + size / line * self.row, "about")

    def hold(self, columns: Sequence[str], rows: int) -> None:
        self.taken += sum(map(len, columns)) + rows * self.row
        self._check(self.taken, "more than")

    def _check(self, need: float, how: str) -> None:
        if need > self.file.memory * 1e6:
            raise too_large(self.file, need, how)


def _told(layout: TextLayout, encoding: str | None) -> Iterator[Note]:
    found = {**layout.unusual, "encoding": None if encoding == "utf-8" else encoding}
    if any(found.values()):
        yield Note("layout_found", found)
    if layout.doubtful:
        yield Note("two_numbers_a_line")


def _skipped(blank: int) -> Iterator[Note]:
    if blank:
        yield Note("blank_rows", {"rows": blank})
