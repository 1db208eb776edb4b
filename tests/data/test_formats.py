"""Files that are not plain commas: other delimiters, other encodings, gzip, Parquet, Excel."""

import gzip
import sys
from datetime import datetime, timedelta

import numpy as np
import pytest

from faces import sentences
from kernelscribe import DataError
from kernelscribe.data import Axis, read

ROWS = [(1.5, 2.25), (2.5, 3.0), (3.0, 1.0), (4.0, 7.5)]


def told(data, kind="guess"):
    return " ".join(sentences(data, kind))


def values(data):
    """The table in the user's units: inputs and target."""
    X = data.X * [each.scale for each in data.inputs] + [each.centre for each in data.inputs]
    return np.column_stack([X, data.y * data.output.scale + data.output.centre])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n1.5,2.25\n2.5,3\n3,1\n4,7.5\n", ""),
        ('"a","b"\n"1.5","2.25"\n"2.5","3"\n3,1\n4,7.5', ""),
        ("a;b\n1,5;2,25\n2,5;3,0\n3,0;1,0\n4;7,5\n", "semicolons and decimal commas"),
        ("a;b\r\n1.5;2.25\r\n2.5;3\r\n3;1\r\n4;7.5\r\n", "semicolons"),
        ("a\tb\r1.5\t2.25\r2.5\t3\r3\t1\r4\t7.5", "tabs"),
        ("a|b\n1.5|2.25\n2.5|3\n3|1\n4|7.5\n", "vertical bars"),
        ("   a      b\n 1.5   2.25\n 2.5      3\n   3      1\n   4    7.5\n", "spaces"),
        ("sep=;\na;b\n1.5;2.25\n2.5;3\n3;1\n4;7.5\n", "a line before the table"),
        ("# of the lab\n#\n# a,b\n1.5,2.25\n2.5,3\n3,1\n4,7.5\n", "3 lines before the table"),
        ("a,b\n\n1.5,2.25\n2.5,3\n,\n3,1\n4,7.5\n\n", ""),
        ('a,b\n"1.5",2.25\n2.5,3\n,\n3,1\n4,7.5\n', ""),
    ],
)
def test_layouts(write, text, says):
    data = read(write(text))
    np.testing.assert_allclose(values(data), ROWS)
    assert (data.names, data.target) == (("a",), "b")
    assert says in told(data)
    assert ("The file" in told(data)) == bool(says)


@pytest.mark.parametrize(
    "text",
    [
        "level\n3,14\n2,71\n1,5\n-4,25\n",
        "# of the lab\nlevel (m)\n3,14\n2,71\n\n1,5\n-4,25",
        "3,14\n2,71\n1,50\n-4,25\n0,05\n",
        "3,14\n2,71\n1,5\n-4,25\n12\n",
        "level\n3,14\n2,71\n1,5\n-4,25\nNA\n12\n",
    ],
)
def test_a_single_column_of_decimal_commas(write, text):
    data = read(write(text))
    np.testing.assert_allclose(values(data)[:4, -1], [3.14, 2.71, 1.5, -4.25])
    assert len(data.names) == 1
    assert "decimal commas" in told(data, "guess")
    assert "separated" not in told(data)


def test_two_columns_that_may_be_decimal_commas_are_told(write):
    doubt = "Each line was taken for two numbers with a comma between them; if it is one number with a decimal comma"
    data = read(write("3,14\n2,71\n1,55\n4,25\n"))
    np.testing.assert_allclose(values(data), [[3, 14], [2, 71], [1, 55], [4, 25]])
    assert doubt in told(data, "guess")
    for clear in ("a,b\n3,14\n2,71\n1,55\n", "3,1.4\n2,7.1\n1,5.5\n", "3\n2\n1\n5\n", "3,-14\n2,71\n1,55\n"):
        assert doubt not in told(read(write(clear)))


def test_quoted_cells_hold_anything(write):
    text = 'a,"b, with\nmore ""words""",c\n1,"x;y",2\n2,"\n",3\n3,z,5\n'
    data = read(write(text), inputs=["a"])
    assert (data.names, data.target) == (("a",), "c")
    # The line in which a row ends is the one that is named.
    with pytest.raises(DataError, match=r"line 7, column c: 'q' is not a number"):
        read(write(text + "4,z,q\n"), inputs=["a"])


def test_commas_in_dates_and_text_do_not_part_cells(write):
    data = read(write("date;note;v\nJan 1, 2020;a,b;1\nJan 2, 2020;c,d;2\nJan 4, 2020;e,f;4\n"))
    assert data.axes == (Axis("date", "days", "2020-01-01T00:00:00"),)
    np.testing.assert_allclose(values(data), [[0, 1], [1, 2], [3, 4]])


def test_a_table_without_names(write):
    data = read(write("2020-01-01,north,5\n2020-01-02,south,6\n2020-01-03,north,8\n"))
    assert (data.names, data.target) == (("column 1",), "column 3")
    assert "no names for its columns" in told(data)
    assert "Column column 2 holds text and was left out." in told(data, "repair")


def test_rows_at_once_and_one_by_one_are_the_same(write):
    """A quote in the last line makes the reader go row by row from there; a blank line does so for its block."""
    numbers = np.random.default_rng(0).normal(size=(60_000, 2))
    rows = [f"{a:.6f};{b:.6f}" for a, b in numbers]
    plain = read(write("a;b\n" + "\n".join(rows)))
    rows[5] += "\n\n"
    rows[-1] = ";".join(f'"{cell}"' for cell in rows[-1].split(";"))
    assert read(write("a;b\n" + "\n".join(rows))).digest == plain.digest
    np.testing.assert_allclose(values(plain), numbers, atol=1e-6)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_encodings(write, encoding):
    path = write("x,größe\n1,2\n2,3\n3,5\n".encode(encoding))
    data = read(path, encoding="utf-16-le" if encoding == "utf-16-le" else None)
    assert data.target == "größe"
    assert (f"text in {encoding.upper()}" in told(data)) == (encoding in ("utf-16", "utf-32"))


def test_an_encoding_that_is_none(write):
    for name in ("no such", "hex", "idna", "\0"):
        with pytest.raises(DataError, match="is not known: try utf-8"):
            read(write("a,b\n1,2\n2,3\n3,5\n"), encoding=name)


def test_gzip(write):
    text = "year,v\n" + "".join(f"{1990 + i / 12:.4f},{i % 12}\n" for i in range(1000))
    assert read(write(gzip.compress(text.encode()), "a.csv.gz")).digest == read(write(text)).digest
    assert len(read(write(gzip.compress(text.encode()), "a.tsv")).y) == 1000


def test_parquet(write, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    when = pandas.date_range("2020-01-01", periods=5, freq="h", tz="Europe/Berlin")
    frame = pandas.DataFrame({"load": [1.0, 2, None, 4, 8], "site": list("abcde")}, index=when)
    frame.to_parquet(tmp_path / "a.parquet")
    data = read(tmp_path / "a.parquet")
    assert data.axes == (Axis("time", "days", "2019-12-31T23:00:00"),)
    np.testing.assert_allclose(values(data)[:, 1], [1, 2, 4, 8])
    assert "converted from Europe/Berlin to UTC" in told(data, "repair")
    some = read(tmp_path / "a.parquet", target="load", inputs=["time"])
    assert some.digest == data.digest
    with pytest.raises(DataError, match=r"no column 'speed'; it has time, load and site"):
        read(tmp_path / "a.parquet", target="speed", inputs=["load"])
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = [np.arange(4), np.arange(4) ** 2, np.arange(4) % 3]
    parquet.write_table(
        arrow.Table.from_arrays([arrow.array(each) for each in columns], names=["a", "a", "b"]), tmp_path / "c.pq"
    )
    assert read(tmp_path / "c.pq").names == ("a", "a (2)")
    np.testing.assert_allclose(values(read(tmp_path / "c.pq", target="b", inputs=["a (2)"])), np.column_stack(columns[1:]))
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        read(write(b"PAR1" + bytes(50) + b"PAR1", "b.parquet"))


def test_excel(workbook):
    start = datetime(2020, 1, 1)
    rows = [[start + timedelta(days=i), "north" if i % 2 else "south", i**2 / 4, i > 3] for i in range(6)]
    rows[4][2] = None
    book = workbook(Data=[["Sales of the year"], [], ["date", "region", "sales", "open"], *rows], Notes=[["nothing", "here"]])
    data = read(book, target="sales")
    assert data.axes == (Axis("date", "days", "2020-01-01T00:00:00"),)
    np.testing.assert_allclose(values(data), [[0, 0], [1, 0.25], [2, 1], [3, 2.25], [5, 6.25]])
    assert "The sheet Data was read, the first of 2 that has cells." in told(data)
    assert "2 rows above the table were skipped." in told(data)
    assert "1 of 6 rows (16.7 %) has no value of sales" in told(data, "repair")
    opened = read(book, target="open", inputs=["sales"])
    assert "The column open holds true and false, which were read as 1 and 0." in told(opened, "repair")


def test_a_bad_cell_of_a_sheet_by_its_row(workbook):
    book = workbook(Data=[["x", "y"], [1, 2.5], [2, "much"], [3, 4]])
    with pytest.raises(DataError, match=r"book.xlsx, row 3, column y: 'much' is not a number"):
        read(book)
    with pytest.raises(DataError, match="no sheet with cells"):
        read(workbook(Data=[]))


@pytest.mark.parametrize(
    ("name", "module", "says"),
    [("a.parquet", "pyarrow.parquet", r"kernelscribe\[parquet\]"), ("a.xlsx", "python_calamine", r"kernelscribe\[excel\]")],
)
def test_an_extra_that_is_missing_is_named(write, monkeypatch, name, module, says):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DataError, match=says):
        read(write(b"anything", name))


def test_columns_that_are_not_needed_are_not_kept(write):
    """With the columns named, a table may be wider than the memory that is allowed for it."""
    rows = "".join(f"{i},{'x' * 2000},{i % 7}\n" for i in range(300))
    path = write("a,long,b\n" + rows)
    with pytest.raises(DataError, match="MB of memory"):
        read(path, memory=0.3)
    assert len(read(path, target="b", inputs=["a"], memory=0.3).y) == 300
