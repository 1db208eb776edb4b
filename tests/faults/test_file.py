"""Faults of the file, one test a fault or more, named by the number it has in the project's list of faults."""

import gzip
import socket
import zipfile
from pathlib import Path

import numpy as np
import pytest

from faces import refused, sentences
from kernelscribe import DataError
from kernelscribe.config import Config
from kernelscribe.data import read
from kernelscribe.discovery import header
from kernelscribe.errors import JournalError
from kernelscribe.search.journal import Journal, check

TABLE = "a,b\n1,2\n2,3\n3,5\n4,1\n"


def save(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def told(data, kind="guess"):
    return " ".join(sentences(data, kind))


def test_fault_27_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(DataError, match=r"^cannot read .*nowhere.csv: No such file or directory$"):
        read(tmp_path / "nowhere.csv")
    with pytest.raises(DataError, match=r"cannot read .*directory"):
        read(tmp_path)
    for content in ("", "\n\n", "\ufeff"):
        with pytest.raises(DataError, match="is empty"):
            read(save(tmp_path / "a.csv", content))
    with pytest.raises(DataError, match="NUL"):
        read(tmp_path / "a\0.csv")


def test_fault_27_no_permission(tmp_path, monkeypatch):
    """Played, because nothing is forbidden to root."""
    path = save(tmp_path / "a.csv", TABLE)

    def refuse(*args, **more):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(DataError, match=r"^cannot read .*a.csv: Permission denied$"):
        read(path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_fault_28_byte_order_marks(tmp_path, encoding):
    data = read(save(tmp_path / "a.csv", TABLE.replace("a", "année").encode(encoding)))
    assert data.names == ("année",)
    assert ("text in UTF-16" in told(data)) == (encoding == "utf-16")


def test_fault_28_other_encodings_by_name(tmp_path):
    path = save(tmp_path / "a.csv", TABLE.replace("a", "année").encode("latin-1"))
    with refused(r"is not UTF-8 text \(byte 3\): save it as UTF-8, or .* --encoding latin-1"):
        read(path)
    assert read(path, encoding="latin-1").names == ("année",)
    far = TABLE * 60_000 + "é"
    offset = len(far.encode("latin-1")) - 1
    with pytest.raises(DataError, match=f"byte {offset:,}"):
        read(save(tmp_path / "a.csv", far.encode("latin-1")))


def test_fault_29_delimiters_and_decimal_commas(tmp_path):
    for mark, words in ((";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")):
        data = read(save(tmp_path / "a.csv", TABLE.replace(",", mark)))
        assert data.digest == read(save(tmp_path / "a.csv", TABLE)).digest
        assert f"The file was found to have cells separated by {words}." in told(data)
    data = read(save(tmp_path / "a.csv", "a;b\n1,5;2\n2,5;3\n3,75;5\n"))
    assert "cells separated by semicolons and decimal commas" in told(data)
    np.testing.assert_allclose(data.X[:, 0] * data.inputs[0].scale + data.inputs[0].centre, [1.5, 2.5, 3.75])


def test_fault_30_names_that_are_missing_alike_or_strange(tmp_path):
    assert read(save(tmp_path / "a.csv", "1,2\n2,3\n3,5\n")).names == ("column 1",)
    data = read(save(tmp_path / "a.csv", "a,,a,__proto__,../../x\n1,2,9,3,1\n2,5,1,4,0\n3,3,2,0,7\n1,1,1,1,1\n9,9,9,9,9\n"))
    assert (data.names, data.target) == (("a", "column 2", "a (2)", "__proto__"), "../../x")
    over = read(save(tmp_path / "a.csv", '"two\nlines","column 1",\n1,2,4\n2,3,4.5\n3,5,1\n'))
    assert (over.names, over.target) == (("two lines", "column 1"), "column 3")
    assert list(tmp_path.iterdir()) == [tmp_path / "a.csv"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("a,b\n1,2\n\n3\n", "line 4: expected 2 cells, got 1"),
        ("a,b\n1,2\n3,4,5\n", "line 3: expected 2 cells, got 3"),
        ("a b\n1 2\n3 4 5\n4 5\n5 6\n6 7\n7 8\n", "line 3: expected 2 cells, got 3"),
        ('a,b\n1,2\n"3,4\n5,6\n', "line 3: a quote that is not closed"),
        ('a,b\n1,2\n"3"x,4\n5,6\n', "line 3: "),
        ("a,b\n1,2\n3,\0\n", "line 3: a NUL byte: this is not a text file"),
        (TABLE + "1,2\n" * 200_000 + "1\n", "line 200006: expected 2 cells, got 1"),
    ],
)
def test_fault_31_ragged_rows_open_quotes_and_nul_bytes(tmp_path, content, says):
    with pytest.raises(DataError, match=says):
        read(save(tmp_path / "a.csv", content))


def test_fault_31_nobody_is_asked_for_the_letters_of_a_picture(tmp_path):
    with pytest.raises(DataError, match="is not a text file: it holds NUL bytes") as caught:
        read(save(tmp_path / "a.csv", b"\x89PNG\r\n\x1a\n" + bytes(200)))
    assert caught.value.question is None


def test_fault_32_fields_and_lines_have_limits(tmp_path):
    for content in ("a,b\n1," + "2" * 1_000_001 + "\n", "x" * 3_000_000):
        with pytest.raises(DataError, match="a line of more than 1,000,000 characters"):
            read(save(tmp_path / "a.csv", content))
    with pytest.raises(DataError, match="line 2: a quote that is not closed, or a cell that is too long"):
        read(save(tmp_path / "a.csv", 'a,b\n1,"' + "word\n" * 100_000))
    with pytest.raises(DataError, match="20,000 columns, more than the 10,000"):
        read(save(tmp_path / "a.csv", ",".join(f"c{d}" for d in range(20_000)) + "\n" + "1," * 19_999 + "1\n"))


def test_fault_33_memory_is_estimated_before_the_rest_is_read(tmp_path):
    """A sparse file of a terabyte: its beginning suffices, and the zeros behind it are never met."""
    path = save(tmp_path / "a.csv", TABLE + "123.456,789.012\n" * 50_000)
    assert len(read(path, memory=100).y) == 50_004
    with path.open("r+b") as file:
        file.truncate(10**12)
    with pytest.raises(DataError, match=r"needs about [\d,]{8,} MB of memory, 2,000 are allowed: name the columns"):
        read(path)


def test_fault_33_a_packed_table_is_watched_while_it_grows(tmp_path):
    rng = np.random.default_rng(0)
    text = "a,b\n" + "".join(f"{a},{b}\n" for a, b in rng.integers(0, 10**9, (100_000, 2)))
    path = save(tmp_path / "a.csv.gz", gzip.compress(text.encode(), 1))
    with pytest.raises(DataError, match=r"needs more than \d+ MB of memory, 5 are allowed"):
        read(path, memory=5)
    assert len(read(path).y) == 100_000


def test_fault_34_gzip_has_limits(tmp_path):
    bomb = gzip.compress(b"1,2\n" * 30_000_000)
    with pytest.raises(DataError, match="unpacks to more than 100 times its size"):
        read(save(tmp_path / "a.csv.gz", bomb))
    with pytest.raises(DataError, match="unpacks to more than 1 MB"):
        read(save(tmp_path / "a.csv.gz", gzip.compress(("x" * 999 + "\n").encode() * 2000)), memory=1)
    with pytest.raises(DataError, match="damaged or cut short"):
        read(save(tmp_path / "a.csv.gz", gzip.compress(TABLE.encode())[:-6]))
    with pytest.raises(DataError, match="not a gzip file"):
        read(save(tmp_path / "a.csv.gz", TABLE))


def test_fault_34_other_archives_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("../a.csv", TABLE)
    for name in ("a.zip", "b.csv"):
        path = tmp_path / name
        path.write_bytes((tmp_path / "a.zip").read_bytes())
        with pytest.raises(DataError, match="archive: unpack it first"):
            read(path)
    nested = gzip.compress((tmp_path / "a.zip").read_bytes())
    for content, says in ((nested, "zip archive"), (b"\xfd7zXZ\x00rest", "xz archive"), (b"BZh91AY&SYrest", "bzip2 archive")):
        with pytest.raises(DataError, match=says):
            read(save(tmp_path / "c.csv", content))
    assert not (tmp_path.parent / "a.csv").exists()


def test_fault_34_a_workbook_is_an_archive_too(tmp_path):
    pytest.importorskip("python_calamine")
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 50_000_000)
    with pytest.raises(DataError, match="unpacks to 50 MB"):
        read(tmp_path / "a.xlsx")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.pkl", b"\x80\x04.", "pickle"),
        ("a.pickle", b"", "pickle"),
        ("a.csv", b"\x80\x04\x95", "pickle"),
        ("a.npy", b"\x93NUMPY", "NumPy"),
        ("a.npz", b"", "NumPy"),
        ("a.csv", b"\x93NUMPY\x01", "NumPy"),
        ("a.h5", b"", "HDF5"),
        ("a.dat", b"\x89HDF\r\n", "HDF5"),
        ("a.mat", b"", "another statistics program"),
    ],
)
def test_fault_35_files_that_may_run_programs_are_refused(tmp_path, name, content, says):
    with pytest.raises(DataError, match=f"is .*{says}.*: export it as CSV or Parquet"):
        read(save(tmp_path / name, content))


@pytest.mark.parametrize(
    "address", ["https://example.org/a.csv", "http://example.org/a.csv", "s3://bucket/a.csv", "file:///a.csv"]
)
def test_fault_36_addresses_are_never_opened(address, monkeypatch):
    def connect(*args):
        raise AssertionError(args)

    monkeypatch.setattr(socket, "socket", connect)
    with pytest.raises(DataError, match="is an address on the network, which is never opened: download the file"):
        read(Path(address))


def test_fault_37_a_file_that_changed_is_not_resumed(tmp_path):
    """One digit, one name, one unit: the journal's header knows."""
    path = save(tmp_path / "a.csv", TABLE)
    before = header(read(path), Config())
    with Journal.create(tmp_path / "search.jsonl", before) as journal:
        kept = journal.header
    check(kept, read(path).digest, before["options"])
    changes = (TABLE.replace("5", "6"), TABLE.replace("b", "c"), TABLE + "5,5\n", "year,b\n" + TABLE[4:])
    for changed in changes:
        other = header(read(save(path, changed)), Config())
        with pytest.raises(JournalError, match="written for other data"):
            check(kept, other["data"], before["options"])
    years = "year,b\n1990,2\n1991,3\n1992,5\n"
    assert read(save(path, years)).digest != read(path, date_format="number").digest
