"""A file format is one class: what it needs to be read, noted and predicted from is its row in the registry."""

import gzip
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from faces import refused, sentences
from kernelscribe import DataError
from kernelscribe.data import Axis, Note, read, read_points
from kernelscribe.data.formats import FORMATS, format_of
from kernelscribe.data.formats.file_format import OpenFile, too_large
from kernelscribe.data.grid import CellGrid, Cells, named
from kernelscribe.testing import check_format

TABLE = "t,y\n" + "".join(f"{i},{i * i}\n" for i in range(1, 21))


@dataclass(frozen=True)
class ToyFormat:
    """One line a column: its name, and its cells with spaces between them."""

    name: str = "toy"
    endings: tuple[str, ...] = (".toy",)
    marks: tuple[bytes, ...] = (b"!toy\n",)

    def read(self, file: OpenFile) -> CellGrid:
        content = file.stream.read()
        if len(content) > file.memory * 1e6:
            raise too_large(file, len(content))
        lines = content.decode("ascii", "replace").removeprefix("!toy\n").splitlines()
        rows = [line.split() for line in lines if line.strip()]
        if not rows or len({len(row) for row in rows}) > 1:
            raise DataError(f"{file.called} is no table of columns")
        names, unnamed = named([row[0] for row in rows])
        columns = tuple(Cells.of(row[1:]) for row in rows)
        notes = (Note.plain("notice", "It is a toy."),)
        return CellGrid(str(file.called), names, columns, np.arange(1, len(rows[0])), "row", ".", unnamed, notes)


@pytest.fixture
def toy(monkeypatch, tmp_path):
    monkeypatch.setitem(FORMATS, "toy", ToyFormat())
    path = tmp_path / "a.toy"
    path.write_text("!toy\nt 1 2 3 4 5\ny 1 4 9 16 25\n")
    return path


def test_a_format_is_added_by_one_class(toy, tmp_path):
    data = read(toy)
    assert (data.target, data.names, len(data.y)) == ("y", ("t",), 5)
    assert "It is a toy." in sentences(data, "notice")
    np.testing.assert_array_equal(read_points(toy, [Axis("t")])[:, 0], [1, 2, 3, 4, 5])
    by_mark = tmp_path / "a.csv"
    by_mark.write_bytes(toy.read_bytes())
    assert read(by_mark).digest == data.digest
    with refused(
        "needs about 0 MB of memory, 0 are allowed: name the columns to use with --target and --inputs, or raise --memory"
    ):
        read(toy, memory=1e-6)


def test_an_ending_that_is_refused_may_be_taken_by_a_format(monkeypatch, toy, tmp_path):
    path = tmp_path / "a.json"
    path.write_text("t 1 2 3 4\ny 1 4 9 16\n")
    with pytest.raises(DataError, match=r"is not a table of text, Parquet or Excel: export it"):
        read(path)
    monkeypatch.setitem(FORMATS, "toy", ToyFormat(endings=(".toy", ".json")))
    assert read(path).target == "y"


@pytest.mark.parametrize(
    ("name", "head", "format"),
    [
        ("a.csv", b"a,b\n", "text"),
        ("a.anything", b"a,b\n", "text"),
        ("a.csv", b"\x1f\x8b\x08", "gzip"),
        ("a.CSV.GZ", b"\x1f\x8b\x08", "gzip"),
        ("a.bin", b"PAR1", "Parquet"),
        ("a.PQ", b"", "Parquet"),
        ("a.xlsx", b"PK\x03\x04", "Excel"),
        ("a.ods", b"", "Excel"),
    ],
)
def test_the_ending_counts_first_and_then_the_first_bytes(tmp_path, name, head, format):
    assert format_of(tmp_path / name, head).name == format


def test_every_format_keeps_the_contract(tmp_path, toy, workbook):
    (tmp_path / "a.csv").write_text(TABLE)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(TABLE.encode(), mtime=0))
    frame = pd.read_csv(tmp_path / "a.csv")
    frame.to_parquet(tmp_path / "a.parquet")
    book = workbook(Data=[list(frame.columns), *frame.to_numpy().tolist()])
    files = {"text": "a.csv", "gzip": "a.csv.gz", "Parquet": "a.parquet", "Excel": book.name, "toy": "a.toy"}
    assert set(files) == set(FORMATS)
    for name, file in files.items():
        check_format(FORMATS[name], tmp_path / file)


@dataclass(frozen=True)
class Hasty(ToyFormat):
    """Forgets that files may be damaged, and that memory ends."""

    def read(self, file):
        rows = [line.split() for line in file.stream.read().decode().removeprefix("!toy\n").splitlines()]
        columns = tuple(Cells.of(row[1:]) for row in rows)
        return CellGrid(str(file.called), tuple(row[0] for row in rows), columns, np.arange(1, len(rows[0])))


def test_the_contract_finds_what_is_wrong(toy):
    with pytest.raises(AssertionError, match="no memory"):
        check_format(Hasty(), toy)
    with pytest.raises(AssertionError, match="small letters"):
        check_format(ToyFormat(endings=("TOY",)), toy)
    with pytest.raises(AssertionError, match="every file"):
        check_format(ToyFormat(marks=(b"",)), toy)
    toy.write_text("t 1 2 3\ny 1 2 3\n")
    with pytest.raises(AssertionError, match="ended in"):
        check_format(Careless(), toy)


@dataclass(frozen=True)
class Careless(Hasty):
    """Forgets only that files may be damaged."""

    def read(self, file):
        if not file.memory:
            raise too_large(file, 1.0)
        return super().read(file)
