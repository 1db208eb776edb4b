"""Reading Parquet, whose own count of rows and bytes says what it needs before anything is read."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kernelscribe.data import frame_columns
from kernelscribe.data.extras import extra
from kernelscribe.data.grid import CellGrid, named
from kernelscribe.errors import DataError

__all__ = ["grid"]

# What pandas calls an index that has no name: it is the time if it holds dates, and else it only counts rows.
_NAMELESS = re.compile(r"__index_level_[0-9]+__")
_CELL = 40


def grid(path: Path, called: Path, *, memory: float, needed: frozenset[str] | None) -> CellGrid:
    """The table in a Parquet file, which messages call by that name."""
    parquet = extra("pyarrow.parquet", "parquet", "a Parquet file")
    try:
        with parquet.ParquetFile(path) as file:
            names, order = file.schema_arrow.names, _order(file.schema_arrow)
            heads, unnamed = named(["time" if _NAMELESS.fullmatch(names[i]) else names[i] for i in order])
            if needed is not None and needed <= set(heads):
                order, heads = zip(*((i, head) for i, head in zip(order, heads, strict=True) if head in needed), strict=True)
            _check(called, file.metadata, memory, len(order) / max(len(names), 1))
            # Columns are asked for by name, which says nothing where two have the same.
            alike = len(set(names)) < len(names)
            table = file.read(columns=None if alike else [names[i] for i in order])
            table = table.select(order if alike else [names[i] for i in order])
        found = frame_columns.grid(table.rename_columns([str(d) for d in range(table.num_columns)]), str(called))
    except DataError:
        raise
    except Exception as error:
        raise DataError(f"{called} cannot be read as Parquet: {' '.join(str(error).split())}") from None
    return replace(found, names=tuple(heads), unnamed=unnamed)


def _order(schema: Any) -> Sequence[int]:
    """The columns that are read: a nameless index of dates first."""
    nameless = [i for i, name in enumerate(schema.names) if _NAMELESS.fullmatch(name)]
    dates = [i for i in nameless if str(schema.field(i).type).startswith(("timestamp", "date"))]
    return dates + [i for i in range(len(schema.names)) if i not in nameless]


def _check(path: Path, metadata: Any, memory: float, share: float) -> None:
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    need = share * (size + _CELL * metadata.num_rows * metadata.num_columns)
    if need > memory * 1e6:
        remedy = "name the columns to use with --target and --inputs, or raise --memory"
        raise DataError(f"{path} needs about {need / 1e6:,.0f} MB of memory, {memory:,.0f} are allowed: {remedy}")
