"""From cells to moments, all by one form of writing.

Cells of one shape (digits in the same places, all other characters the same) are taken apart together as a matrix of bytes,
so that a million dates take a second or two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernelscribe.data.date_forms import DMY, FORMS, MDY, SHORT, DateForm
from kernelscribe.data.grid import MISSING, BadCell, Cells
from kernelscribe.data.moments import moments
from kernelscribe.data.questions import ORDERS, order_of, short_years
from kernelscribe.data.stamps import Ints, Stamps
from kernelscribe.faces import Advice

__all__ = ["DateColumn", "dated", "form_of", "read_dates"]

# All digits are alike.
_SHAPE = bytes.maketrans(b"123456789", b"000000000")


@dataclass(frozen=True, slots=True)
class DateColumn:
    """A column of dates as it was read; `leaps` counts seconds called 60, `zoned` says that offsets from UTC were given."""

    stamps: Stamps
    form: DateForm
    leaps: int
    zoned: bool


@dataclass(frozen=True, slots=True)
class _Chunk:
    stamps: Stamps
    leaps: int
    zoned: NDArray[np.bool_]


def dated(cell: str) -> bool:
    """Whether a cell alone could be a date."""
    return any(each.isdigit() for each in cell) and any(form.pattern.fullmatch(cell) for form in (*FORMS, DMY, MDY, SHORT))


def form_of(sample: Sequence[str], order: DateForm | None) -> DateForm | None:
    """The form that fits most of some cells, and at least half of them; `order` settles what is day and what is month."""
    forms = (*FORMS, *((DMY, MDY) if order is None else (order,)), SHORT)
    counts = [sum(form.pattern.fullmatch(cell) is not None for cell in sample) for form in forms]
    most = max(counts)
    return forms[counts.index(most)] if most and 2 * most >= len(sample) else None


def read_dates(cells: Cells, form: DateForm, order: DateForm | None) -> DateColumn | BadCell:
    """All cells by a form, or the first that does not fit it. Where day and month could change places, one order must fit."""
    if form is SHORT:
        first = next(i for i, cell in enumerate(c for chunk in cells for c in chunk) if cell.strip().lower() not in MISSING)
        return BadCell(
            first, "has a year of two digits", Advice("give {date_format}, as in %d/%m/%y"), short_years(cells.sample())
        )
    if form not in (DMY, MDY) or order is not None:
        return _by(cells, form)
    one, other = _by(cells, DMY), _by(cells, MDY)
    if isinstance(one, BadCell) and isinstance(other, BadCell):
        late, name = max((one.index, DMY.name), (other.index, MDY.name))
        before = f" in the order {ORDERS[name]} of the cells before it" if one.index != other.index else ""
        return BadCell(late, f"is not a date{before}")
    if isinstance(one, BadCell) or isinstance(other, BadCell):
        return other if isinstance(one, BadCell) else one
    differ = one.stamps.seconds != other.stamps.seconds
    if not differ.any():
        return one
    advice, row = Advice("give {date_format}, as in %d/%m/%Y or %m/%d/%Y"), int(differ.argmax())
    why = "may be day, month, year or month, day, year, for both orders fit every row"
    return BadCell(row, why, advice, order_of(cells.cell(row).strip()))


def _by(cells: Cells, form: DateForm) -> DateColumn | BadCell:
    parts: list[_Chunk] = []
    done, bare, zoned = 0, None, False
    for chunk in cells:
        found = _chunk([cell.strip() for cell in chunk], form)
        if isinstance(found, BadCell):
            return replace(found, index=done + found.index)
        zoned = zoned or bool(found.zoned.any())
        without = found.stamps.known & ~found.zoned
        if bare is None and without.any():
            bare = done + int(without.argmax())
        parts.append(found)
        done += len(chunk)
    if zoned and bare is not None:
        return BadCell(bare, "has no offset from UTC, though other cells have one", Advice("add it, or take all of them away"))
    return DateColumn(Stamps.join([part.stamps for part in parts]), form, sum(part.leaps for part in parts), zoned)


def _chunk(cells: list[str], form: DateForm) -> _Chunk | BadCell:
    seconds, nanos = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64)
    known, zoned, leaps = np.ones(len(cells), dtype=bool), np.zeros(len(cells), dtype=bool), 0
    for rows in _alike(cells):
        some = [cells[row] for row in rows]
        if some[0].lower() in MISSING:
            known[rows] = False
            continue
        match = form.pattern.fullmatch(some[0])
        found = None if match is None else moments(some, match)
        if found is None or not found.good.all():
            return BadCell(_earliest(cells, form), "is not a date")
        seconds[rows], nanos[rows], zoned[rows] = found.seconds, found.nanos, found.zoned
        leaps += found.leaps
    return _Chunk(Stamps(seconds, nanos if nanos.any() else None, known), leaps, zoned)


def _earliest(cells: list[str], form: DateForm) -> int:
    """The first cell that is no date: looked for one by one, once it is known that there is one."""
    for index, cell in enumerate(cells):
        if cell.lower() not in MISSING:
            match = form.pattern.fullmatch(cell)
            if match is None or not moments([cell], match).good[0]:
                return index
    raise AssertionError(form)


def _alike(cells: list[str]) -> list[Ints]:
    """The rows of each shape among the cells."""
    shapes = "\0".join(cells).encode("utf-8", "surrogatepass").translate(_SHAPE).split(b"\0")
    if len(set(shapes)) == 1:
        return [np.arange(len(cells))]
    rows: dict[bytes, list[int]] = {}
    for row, shape in enumerate(shapes):
        rows.setdefault(shape, []).append(row)
    return [np.array(each) for each in rows.values()]
