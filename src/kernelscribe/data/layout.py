"""How a table of text is laid out: what stands between cells, which decimal sign, whether the columns have names.

All of it is told from the first lines, and said where it is not what one would expect.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kernelscribe.data.dates import dated
from kernelscribe.data.grid import MISSING, SAMPLE
from kernelscribe.data.numbers import decimal_sign, numeric
from kernelscribe.errors import DataError

__all__ = ["TextLayout", "heads", "sniff", "split"]

# What may stand between cells, the more usual ones first.
_DELIMITERS = (",", ";", "\t", "|", " ")
# The line by which some programs say what stands between cells.
_TOLD = re.compile(r"sep=(.)\n", re.IGNORECASE)
# A cell of a table that is aligned by spaces.
_WORD = re.compile(r'"[^"]*"|\S+')
# The share of lines with the same number of cells from which a delimiter is believed.
_EVEN = 0.8
# Columns by which it is told.
_WIDEST = 1000
# What a remark above the table begins with.
_COMMENT = "#"
# A number that may have a decimal comma.
_LINE = re.compile(r"\s*[-+\u2212]?[0-9]+(,[0-9]+)?\s*")
# One whose part behind the comma no whole number begins like.
_PART = re.compile(r"[^,]*,0[0-9]+\s*")


@dataclass(frozen=True, slots=True)
class TextLayout:
    """Attributes:
    skip: lines before the table.
    header: the heads of the columns; None where the table begins with values.
    first: whether the heads stand in the table's first row, rather than in a comment above it.
    decimal: the sign that the cells need; None where they need none or do not agree.
    single: whether there is but one column, of numbers with decimal commas.
    doubtful: whether two columns of whole numbers could be that as well.
    """

    delimiter: str
    skip: int
    header: tuple[str, ...] | None
    first: bool
    decimal: str | None
    single: bool = False
    doubtful: bool = False

    @property
    def unusual(self) -> dict[str, Any]:
        """What a note says of it: a delimiter other than commas, decimal commas, no names, lines before the table."""
        usual = self.delimiter == "," or self.single
        return {
            "delimiter": None if usual else self.delimiter,
            "decimal_commas": self.decimal == ",",
            "nameless": self.header is None,
            "skipped": self.skip,
        }


def split(lines: Iterable[str], delimiter: str, path: object, done: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Rows of cells, each with the number of the line it ends in; `done` lines went before."""
    if delimiter == " ":
        for number, line in enumerate(lines, start=done + 1):
            yield number, line.split() if '"' not in line else [word.strip('"') for word in _WORD.findall(line)]
        return
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    ended = done
    try:
        for cells in reader:
            ended = done + reader.line_num
            yield ended, cells
    except csv.Error as error:
        what = str(error)
        if "unexpected end" in what or "field limit" in what:
            what = "a quote that is not closed, or a cell that is too long"
        raise DataError(f"{path}, line {ended + 1}: {what}") from None


def sniff(head: Sequence[str]) -> TextLayout:
    """The layout of the table of which these are the first lines."""
    comments = next((i for i, line in enumerate(head) if not line.startswith(_COMMENT) and line.strip()), len(head))
    told = _TOLD.fullmatch(head[comments]) if comments < len(head) else None
    skip = comments + (told is not None)
    body = [line for line in head[skip:] if line.strip()]
    single = told is None and _single(body)
    # A sign that is in none of the lines leaves each of them whole.
    delimiter = told[1] if told is not None else ";" if single else _delimiter(body)
    rows = [row for row in _rows(body, delimiter) or [] if any(row)]
    header, first = heads(rows), True
    if header is None:
        header, first = _comment(rows, [line for line in head[:comments] if line.startswith(_COMMENT)], delimiter), False
    signs = {decimal_sign(cell.strip()) for row in rows[int(first) :][:SAMPLE] for cell in row[:_WIDEST]} - {None}
    doubtful = (
        told is None and delimiter == "," and header is None and all("," in line and _LINE.fullmatch(line) for line in body)
    )
    return TextLayout(delimiter, skip, header, first, signs.pop() if len(signs) == 1 else None, single, doubtful)


def _single(body: Sequence[str]) -> bool:
    """Whether lines such as 3,14 are one number each: below a single name, or beside lines without a comma or such as 3,05."""
    whole = body[1:] if body and not _LINE.fullmatch(body[0]) else body
    below = [line for line in whole if line.strip().lower() not in MISSING]
    if not any("," in line for line in below) or not all(_LINE.fullmatch(line) for line in below):
        return False
    if whole is not body:
        return not any(delimiter in body[0].strip() for delimiter in _DELIMITERS if delimiter != " ")
    return any("," not in line or _PART.fullmatch(line) for line in below)


def _rows(body: Sequence[str], delimiter: str) -> list[list[str]] | None:
    try:
        return [cells for _, cells in split(body, delimiter, "")]
    except DataError:
        return None


def _delimiter(body: Sequence[str]) -> str:
    """The one that gives every line as many cells, and cells that are values; in doubt the more usual one."""
    best, most = ",", (False, -1.0)
    for delimiter in _DELIMITERS:
        rows = _rows(body, delimiter)
        if not rows:
            continue
        (width, count), *_ = Counter(len(row) for row in rows).most_common(1)
        even = count / len(rows)
        # Spaces stand in dates and names, too: they part cells only where nothing else does.
        if width < 2 or (delimiter == " " and most[0]):  # noqa: PLR2004
            continue
        cells = [cell for row in rows[1 : SAMPLE + 1] for cell in row[:SAMPLE]]
        score = (even >= _EVEN, sum(map(_valued, cells)) / max(len(cells), 1) + even)
        if score > most:
            best, most = delimiter, score
    return best


def _valued(cell: str) -> bool:
    """Whether a cell can be a number, a date, or nothing."""
    cell = cell.strip()
    return cell.lower() in MISSING or numeric(cell) or dated(cell)


def heads(rows: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """The first row, where it holds names: a word above values, or words alone."""
    if not rows:
        return None
    top, rest = rows[0][:_WIDEST], rows[1 : SAMPLE + 1]
    words = [d for d, cell in enumerate(top) if not _valued(cell)]
    below = [any(_valued(row[d]) and row[d].strip() for row in rest if d < len(row)) for d in words]
    alone = not any(_valued(cell) and cell.strip() for cell in top)
    return tuple(rows[0]) if words and (alone or any(below)) else None


def _comment(rows: Sequence[Sequence[str]], comments: Sequence[str], delimiter: str) -> tuple[str, ...] | None:
    """The names in the last comment above the table, where it has as many words as the table has columns."""
    names = _rows([comments[-1].lstrip(_COMMENT + " ")], delimiter) if comments else None
    return tuple(names[0]) if names and rows and len(names[0]) == len(rows[0]) else None
