"""From cells to numbers, all by one reading: plain, with marks between thousands, with a decimal comma, with % or $.

A column is read in a way that is not plain only where one such way fits every cell, or where all that fit give the same numbers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.grid import MISSING, BadCell, Cells
from kernelscribe.faces import Advice

__all__ = ["TRUTH", "NumberColumn", "decimal_sign", "numeric", "read_numbers"]

# Cells by which a reading is chosen.
_SAMPLE = 1000
# What may stand before a number: hyphen, plus, or the sign that books use.
_SIGN = "[-+\u2212]?"
# Plain, no-break, narrow no-break and thin spaces.
_SPACES = " \u00a0\u202f\u2009"
# Straight and curved ones.
_APOSTROPHES = "'\u2019"
# Signs that people write before a number.
_BEFORE = "$€£¥"
# Signs that they write after one.
_AFTER = "%$€£¥"
# Words that are read as numbers where a column has no others.
TRUTH = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A column of numbers, NaN where missing; `example` is a cell that was not read as it stands, or None."""

    values: Array
    example: str | None = None


@dataclass(frozen=True, slots=True)
class _Style:
    """Numbers with this decimal sign and one of these marks between thousands."""

    decimal: str
    pattern: re.Pattern[str]
    clean: dict[int, str | None]

    @classmethod
    def of(cls, decimal: str, marks: str) -> "_Style":
        point = re.escape(decimal)
        whole = f"(?:[1-9][0-9]{{0,2}}(?:[{marks}][0-9]{{3}})+|[0-9]+)"
        pattern = rf"{_SIGN}(?:{whole}(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][-+]?[0-9]+)?"
        return cls(decimal, re.compile(pattern), {ord("\u2212"): "-", **{ord(each): None for each in marks}, ord(decimal): "."})

    def number(self, text: str) -> float | None:
        return float(text.translate(self.clean)) if self.pattern.fullmatch(text) else None


# The more usual ones first.
_STYLES = (
    _Style.of(".", ","), _Style.of(",", "."), _Style.of(",", _SPACES), _Style.of(".", _SPACES), _Style.of(".", _APOSTROPHES)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Notation:
    """A style, and the signs that every cell has before or after its number."""

    style: _Style
    before: str
    after: str

    @classmethod
    def like(cls, cell: str, style: _Style) -> "_Notation":
        bare = cell.lstrip("-+\u2212 ")
        before = bare[0] if bare and bare[0] in _BEFORE else ""
        return cls(style, before, cell[-1] if cell and cell[-1] in _AFTER else "")

    def number(self, cell: str) -> float | None:
        """What a stripped cell says; NaN where it says that there is nothing, None where it cannot be read."""
        if cell.lower() in MISSING:
            return np.nan
        if self.before:
            sign, mark, rest = cell.partition(self.before)
            if not mark or sign not in ("", "-", "+", "\u2212"):
                return None
            cell = sign + rest.strip()
        if self.after:
            if not cell.endswith(self.after):
                return None
            cell = cell[: -len(self.after)].rstrip()
        return self.style.number(cell)


def read_numbers(cells: Cells, decimal: str | None) -> NumberColumn | BadCell | None:
    """The numbers; the first bad cell of a column that holds mostly numbers; or None, where it does not.

    Args:
        decimal: the sign that the whole table uses, where that is known.
    """
    plain = None if decimal == "," else _plain(cells)
    if plain is not None:
        return NumberColumn(plain)
    sample = cells.sample(_SAMPLE)
    readings = [_Notation.like(sample[0], style) for style in _STYLES if decimal in (None, style.decimal)]
    counts = [sum(reading.number(cell) is not None for cell in sample) for reading in readings]
    fits: list[Array] = []
    bad: list[BadCell] = []
    for reading, count in zip(readings, counts, strict=True):
        found = _by(cells, reading) if 2 * count >= max(*counts, len(sample)) and count == max(counts) else None
        if isinstance(found, BadCell):
            bad.append(found)
        elif found is not None:
            fits.append(found)
    if not fits and decimal == ",":
        return read_numbers(cells, ".")
    if fits:
        return _agreed(fits, sample, decimal)
    return _boolean(cells, sample) or max(bad, key=lambda each: each.index, default=None)


def _agreed(fits: Sequence[Array], sample: Sequence[str], decimal: str | None) -> NumberColumn | BadCell:
    for one, other in pairwise(fits):
        differ = ~((one == other) | (np.isnan(one) & np.isnan(other)))
        if differ.any():
            row = int(differ.argmax())
            advice = Advice("write numbers without marks between thousands")
            return BadCell(row, f"may be {one[row]:.10g} or {other[row]:.10g}", advice)
    usual = re.compile(f"{_SIGN}[0-9]*{re.escape(decimal or '.')}?[0-9]*(?:[eE][-+]?[0-9]+)?")
    return NumberColumn(fits[0], next((cell for cell in sample if not usual.fullmatch(cell)), None))


def _plain(cells: Cells) -> Array | None:
    parts = []
    for packed, chunk in zip(cells.chunks, cells, strict=True):
        # Python reads 1_000; nobody writes it in a table.
        part = None if "_" in packed else _floats(chunk)
        if part is None:
            return None
        parts.append(part)
    return np.concatenate(parts)


def _floats(chunk: list[str]) -> Array | None:
    try:
        return np.fromiter(map(float, chunk), np.float64, len(chunk))
    except ValueError:
        pass
    try:
        return np.array([np.nan if cell.strip().lower() in MISSING else float(cell) for cell in chunk])
    except ValueError:
        return None


def _by(cells: Cells, reading: _Notation) -> Array | BadCell:
    parts: list[Array] = []
    done = 0
    for chunk in cells:
        found = [reading.number(cell.strip()) for cell in chunk]
        if None in found:
            return BadCell(done + found.index(None), "is not a number")
        parts.append(np.array(found, dtype=np.float64))
        done += len(chunk)
    return np.concatenate(parts)


def _boolean(cells: Cells, sample: Sequence[str]) -> NumberColumn | None:
    """True and false as 1 and 0."""
    if any(cell.lower() not in TRUTH for cell in sample):
        return None
    lows = (cell.strip().lower() for chunk in cells for cell in chunk)
    found = [np.nan if low in MISSING else TRUTH.get(low) for low in lows]
    return None if None in found else NumberColumn(np.array(found, dtype=np.float64), sample[0])


def numeric(cell: str) -> bool:
    """Whether a cell can be a number in some style."""
    cell = cell.strip()
    if not cell or "_" in cell:
        return False
    try:
        float(cell)
    except ValueError:
        return any(_Notation.like(cell, style).number(cell) is not None for style in _STYLES) and cell.lower() not in MISSING
    return True


def decimal_sign(cell: str) -> str | None:
    """The decimal sign that a cell must have, or None where it may have either."""
    signs = {style.decimal for style in _STYLES if _Notation.like(cell, style).number(cell) is not None}
    return signs.pop() if len(signs) == 1 and cell.lower() not in MISSING else None
