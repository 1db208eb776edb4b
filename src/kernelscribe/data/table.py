"""Reading a plain table of numbers: comma-separated, one header row or none, the target in the last column unless told."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np

from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import DataError
from kernelscribe.kernels.base import Array

__all__ = ["read"]

_LONGEST_LINE = 1_000_000


def read(path: Path, target: str | None = None, inputs: Sequence[str] | None = None) -> Dataset:
    """The file as a Dataset.

    Args:
        target: the name of the target column; the last one where not given.
        inputs: the names of the input columns; all others where not given.
    """
    names, table = _table(path)
    if len(names) < 2:  # noqa: PLR2004
        raise DataError(f"{path} has one column; at least one input and a target are needed")
    chosen = names[-1] if target is None else target
    if chosen not in names:
        raise DataError(f"{path} has no column {chosen!r}; it has {', '.join(names)}")
    wanted = [name for name in names if name != chosen] if inputs is None else list(inputs)
    for name in wanted:
        if wanted.count(name) > 1:
            raise DataError(f"{name!r} is named as an input more than once")
        if name not in names:
            raise DataError(f"{path} has no column {name!r}; it has {', '.join(names)}")
        if name == chosen:
            raise DataError(f"{name!r} cannot be an input and the target: name another target")
    columns = [names.index(name) for name in wanted]
    return Dataset.of(table[:, columns], table[:, names.index(chosen)], names=wanted, target=chosen)


def _table(path: Path) -> tuple[list[str], Array]:
    rows: list[list[float]] = []
    names: list[str] = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for number, cells in enumerate(csv.reader(_lines(file, path)), start=1):
                if not cells:
                    continue
                if not names:
                    names = [cell.strip() or f"column {d + 1}" for d, cell in enumerate(cells)]
                    if not _numeric(cells):
                        continue
                    names = [f"column {d + 1}" for d in range(len(cells))]
                if len(cells) != len(names):
                    raise DataError(f"{path}, line {number}: expected {len(names)} cells, got {len(cells)}")
                rows.append([_number(cell, path, number, name) for cell, name in zip(cells, names, strict=True)])
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text (byte {error.start}): save it as UTF-8") from None
    except csv.Error as error:
        raise DataError(f"{path} is not a table: {error}") from None
    if not rows:
        raise DataError(f"{path} has no rows of numbers")
    return names, np.array(rows)


def _lines(file: TextIO, path: Path) -> Iterator[str]:
    while line := file.readline(_LONGEST_LINE + 1):
        if len(line) > _LONGEST_LINE:
            raise DataError(f"{path} has a line of more than {_LONGEST_LINE} characters")
        yield line


def _numeric(cells: list[str]) -> bool:
    try:
        [float(cell) for cell in cells]
    except ValueError:
        return False
    return True


def _number(cell: str, path: Path, line: int, name: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise DataError(f"{path}, line {line}, column {name}: {cell[:40]!r} is not a number") from None
