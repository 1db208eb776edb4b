"""Reading the first filled sheet of a workbook. Its cells become text, so that one set of rules reads all tables."""

import zipfile
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from kernelscribe.data.decoding import swollen
from kernelscribe.data.extras import extra
from kernelscribe.data.formats.file_format import OpenFile
from kernelscribe.data.grid import CellGrid, Cells, named
from kernelscribe.data.layout import heads
from kernelscribe.data.notes import Note
from kernelscribe.errors import DataError

__all__ = ["ExcelFormat"]

# Whole numbers up to here are written without a point.
_WHOLE = 1e15


class ExcelFormat:
    """The first sheet that has cells, without a title above its table."""

    name = "Excel"
    endings = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")
    # Workbooks begin like zip archives and other documents do.
    marks = ()

    def read(self, file: OpenFile) -> CellGrid:
        """The table in a workbook."""
        calamine = extra("python_calamine", "excel", "an Excel file")
        _check(file)
        rows, start, notes = _rows(calamine, file)
        texts = [[_text(cell) for cell in row] for row in rows]
        # A title above the table fills one cell of its row.
        table = next((i for i, row in enumerate(texts) if sum(map(bool, row)) > 1), 0)
        if table:
            notes.append(Note("rows_above_table", {"rows": table}))
        header = heads(texts[table : table + 100])
        names, unnamed = named(header or [""] * len(texts[table]))
        kept = [i for i in range(table + (header is not None), len(texts)) if any(texts[i])]
        columns = tuple(Cells.of([texts[i][d] for i in kept]) for d in range(len(names)))
        return CellGrid(
            str(file.called), names, columns, np.array(kept, np.int64) + start + 1, "row", None, unnamed, tuple(notes)
        )


def _check(file: OpenFile) -> None:
    """A workbook is an archive, and must not grow beyond measure."""
    if not zipfile.is_zipfile(file.path):
        return
    try:
        with zipfile.ZipFile(file.path) as archive:
            grown = sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise DataError(f"{file.called} cannot be read as a workbook: {' '.join(str(error).split())}") from None
    packed = file.path.stat().st_size
    if grown > file.memory * 1e6 or swollen(grown, packed):
        raise DataError(f"{file.called} unpacks to {grown / 1e6:,.0f} MB from {packed / 1e6:,.1f}, too much: export it as CSV")


def _rows(calamine: Any, file: OpenFile) -> tuple[list[list[Any]], int, list[Note]]:
    """The rows of the first sheet that has any, the number of rows above them, and what to say of other sheets."""
    try:
        book = calamine.CalamineWorkbook.from_path(str(file.path))
        for number, name in enumerate(book.sheet_names):
            sheet = book.get_sheet_by_index(number)
            rows = sheet.to_python(skip_empty_area=True)
            if rows:
                others = len(book.sheet_names) - 1
                notes = [Note("sheet_chosen", {"sheet": name, "sheets": others + 1})] if others else []
                return rows, (sheet.start or (0, 0))[0], notes
    except Exception as error:
        raise DataError(f"{file.called} cannot be read as a workbook: {' '.join(str(error).split())}") from None
    except BaseException as error:
        # A panic of the reader's own language is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        raise DataError(f"{file.called} cannot be read as a workbook: it is damaged") from None
    raise DataError(f"{file.called} has no sheet with cells")


def _text(cell: Any) -> str:
    match cell:
        case float() if cell.is_integer() and abs(cell) < _WHOLE:
            return str(int(cell))
        case datetime() | date():
            return cell.isoformat()
        case timedelta():
            return repr(cell / timedelta(days=1))
    return str(cell).strip()
