"""Reading the first filled sheet of a workbook. Its cells become text, so that one set of rules reads all tables."""

import zipfile
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from kernelscribe.data.extras import extra
from kernelscribe.data.grid import CellGrid, Cells, named
from kernelscribe.data.layout import heads
from kernelscribe.data.notes import Note
from kernelscribe.errors import DataError

__all__ = ["grid"]

_RATIO, _SMALL = 100, 10_000_000
# Whole numbers up to here are written without a point.
_WHOLE = 1e15


def grid(path: Path, called: Path, *, memory: float) -> CellGrid:
    """The table in a workbook, which messages call by that name."""
    calamine = extra("python_calamine", "excel", "an Excel file")
    _check(path, called, memory)
    rows, start, notes = _rows(calamine, path, called)
    texts = [[_text(cell) for cell in row] for row in rows]
    # A title above the table fills one cell of its row.
    table = next((i for i, row in enumerate(texts) if sum(map(bool, row)) > 1), 0)
    if table:
        notes.append(
            Note("guess", f"{table} {'row' if table == 1 else 'rows'} above the table {'was' if table == 1 else 'were'} skipped.")
        )
    header = heads(texts[table : table + 100])
    names, unnamed = named(header or [""] * len(texts[table]))
    kept = [i for i in range(table + (header is not None), len(texts)) if any(texts[i])]
    columns = tuple(Cells.of([texts[i][d] for i in kept]) for d in range(len(names)))
    return CellGrid(str(called), names, columns, np.array(kept, np.int64) + start + 1, "row", None, unnamed, tuple(notes))


def _check(path: Path, called: Path, memory: float) -> None:
    """A workbook is an archive, and must not grow beyond measure."""
    if not zipfile.is_zipfile(path):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            grown = sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise DataError(f"{called} cannot be read as a workbook: {' '.join(str(error).split())}") from None
    packed = path.stat().st_size
    if grown > memory * 1e6 or (grown > _SMALL and grown > _RATIO * packed):
        raise DataError(f"{called} unpacks to {grown / 1e6:,.0f} MB from {packed / 1e6:,.1f}, too much: export it as CSV")


def _rows(calamine: Any, path: Path, called: Path) -> tuple[list[list[Any]], int, list[Note]]:
    """The rows of the first sheet that has any, the number of rows above them, and what to say of other sheets."""
    try:
        book = calamine.CalamineWorkbook.from_path(str(path))
        for number, name in enumerate(book.sheet_names):
            sheet = book.get_sheet_by_index(number)
            rows = sheet.to_python(skip_empty_area=True)
            if rows:
                others = len(book.sheet_names) - 1
                notes = [Note("guess", f"The sheet {name} was read, the first of {others + 1} that has cells.")] if others else []
                return rows, (sheet.start or (0, 0))[0], notes
    except Exception as error:
        raise DataError(f"{called} cannot be read as a workbook: {' '.join(str(error).split())}") from None
    except BaseException as error:
        # A panic of the reader's own language is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        raise DataError(f"{called} cannot be read as a workbook: it is damaged") from None
    raise DataError(f"{called} has no sheet with cells")


def _text(cell: Any) -> str:
    match cell:
        case float() if cell.is_integer() and abs(cell) < _WHOLE:
            return str(int(cell))
        case datetime() | date():
            return cell.isoformat()
        case timedelta():
            return repr(cell / timedelta(days=1))
    return str(cell).strip()
