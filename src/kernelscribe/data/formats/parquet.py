"""Reading Parquet, whose own count of rows and bytes says what it needs before anything is read."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kernelscribe.data.extras import extra
from kernelscribe.data.formats.file_format import CELL_BYTES, OpenFile, too_large
from kernelscribe.data.frame_columns import frame_grid
from kernelscribe.data.grid import CellGrid, named
from kernelscribe.errors import DataError

__all__ = ["ParquetFormat"]

# What pandas calls an index that has no name: it is the time if it holds dates, and else it only counts rows.
_NAMELESS = re.compile(r"__index_level_[0-9]+__")


class ParquetFormat:
    """Typed columns, of which only those that are needed are read."""

    name = "Parquet"
    endings = (".parquet", ".pq")
    marks = (b"PAR1",)

    def read(self, file: OpenFile) -> CellGrid:
        """The table in a Parquet file."""
        parquet = extra("pyarrow.parquet", "parquet", "a Parquet file")
        try:
            with parquet.ParquetFile(file.path) as opened:
                table, heads, unnamed = _table(opened, file)
            found = frame_grid(table.rename_columns([str(d) for d in range(table.num_columns)]), str(file.called))
        except DataError:
            raise
        except Exception as error:
            raise DataError(f"{file.called} cannot be read as Parquet: {' '.join(str(error).split())}") from None
        return replace(found, names=heads, unnamed=unnamed)


def _table(opened: Any, file: OpenFile) -> tuple[Any, tuple[str, ...], frozenset[str]]:
    """The columns that are needed, their names, and which of these are made up."""
    names, order = opened.schema_arrow.names, _order(opened.schema_arrow)
    heads, unnamed = named(["time" if _NAMELESS.fullmatch(names[i]) else names[i] for i in order])
    if file.needed is not None and file.needed <= set(heads):
        order, heads = zip(*((i, head) for i, head in zip(order, heads, strict=True) if head in file.needed), strict=True)
    _check(file, opened.metadata, len(order) / max(len(names), 1))
    # Columns are asked for by name, which says nothing where two have the same.
    alike = len(set(names)) < len(names)
    table = opened.read(columns=None if alike else [names[i] for i in order])
    return table.select(order if alike else [names[i] for i in order]), tuple(heads), unnamed


def _order(schema: Any) -> Sequence[int]:
    """The columns that are read: a nameless index of dates first."""
    nameless = [i for i, name in enumerate(schema.names) if _NAMELESS.fullmatch(name)]
    dates = [i for i in nameless if str(schema.field(i).type).startswith(("timestamp", "date"))]
    return dates + [i for i in range(len(schema.names)) if i not in nameless]


def _check(file: OpenFile, metadata: Any, share: float) -> None:
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    need = share * (size + CELL_BYTES * metadata.num_rows * metadata.num_columns)
    if need > file.memory * 1e6:
        raise too_large(file, need)
