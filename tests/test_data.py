"""The door: tables in, a standardised Dataset or one plain sentence out."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from faces import sentences
from kernelscribe import DataError, Dataset
from kernelscribe.data import Axis, Note, read
from kernelscribe.datasets import NAMES, about, load
from kernelscribe.engines.inducing.points import place


def test_standardised_and_back():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 2)) * [3, 1e6] + [7, -1e9], rng.normal(size=50) * 4 - 2
    data = Dataset.of(X, y, names=["a", "b"])
    np.testing.assert_allclose(data.X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(data.X.std(axis=0), 1)
    for d, each in enumerate(data.inputs):
        np.testing.assert_allclose(each.centre + each.scale * data.X[:, d], X[:, d], rtol=1e-12)
    np.testing.assert_allclose(data.output.centre + data.output.scale * data.y, y)


@pytest.mark.parametrize(
    ("X", "y", "says"),
    [
        ([1, 2], [1, 2], "at least 3 rows"),
        ([1, 2, 3], [1, 2], "one number for each"),
        ([1, 2, np.nan], [1, 2, 3], "row 3"),
        ([1, 2, 3], [1, np.inf, 3], "row 2"),
        ([1, 1, 1], [1, 2, 3], "x1 is constant at 1"),
        ([1e8, 1e8, 1e8 + 1e-7], [1, 2, 3], "constant"),
        ([0, 0, 0], [1, 2, 3], "constant at 0"),
        (["a", "b", "c"], [1, 2, 3], "column x1 holds text, such as 'a': X must hold numbers or dates only"),
        ([1j, 2, 3], [1, 2, 3], "complex numbers: X must hold numbers or dates only"),
        ([[[1]], [[2]], [[3]]], [1, 2, 3], "dimensions"),
        (np.empty((3, 0)), [1, 2, 3], "at least one input"),
        ([1e300, -1e300, 0], [1, 2, 3], "too large"),
        ([1, 2, 3], [1.7e308, -1.7e308, 0], "too large"),
        ([1e-200, 2e-200, 3e-200], [1, 2, 3], "too small"),
    ],
)
def test_refused(X, y, says):
    with pytest.raises(DataError, match=says):
        Dataset.of(X, y)


def write(tmp_path, content):
    path = tmp_path / "table.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_names_axes_and_notes():
    axes, note = (Axis("when", "days", "2020-01-01T00:00:00"), Axis("b")), Note("few_rows", {"rows": 3})
    data = Dataset.of(np.arange(6).reshape(3, 2), [1, 2, 4], axes=axes, notes=[note])
    assert (data.axes, data.names, data.scales.names, data.notes) == (axes, ("when", "b"), ("when", "b"), (note,))
    assert Dataset.of([1, 2, 3], [1, 2, 4]).axes == (Axis("x1"),)
    assert data.rows(np.array([0, 2])).axes == axes
    with pytest.raises(DataError, match="2 input columns need as many names, got 1"):
        Dataset.of(np.arange(6).reshape(3, 2), [1, 2, 4], names=["a"])


def test_the_digest_knows_names_units_and_dates_but_not_notes():
    def of(axis, *notes):
        return Dataset.of([1, 2, 3], [1, 2, 4], axes=[axis], notes=notes).digest

    digests = {of(Axis("a")), of(Axis("b")), of(Axis("a", "years")), of(Axis("a", "days", "2020-01-01T00:00:00"))}
    assert len(digests | {of(Axis("a", "days", "2021-01-01T00:00:00"))}) == 5
    assert of(Axis("a"), Note("few_rows", {"rows": 3})) == of(Axis("a")) == Dataset.of([1, 2, 3], [1, 2, 4], names=["a"]).digest


def test_the_aim_knows_the_target_and_its_rows_but_not_the_inputs():
    def of(y=(1, 2, 4), target="y", X=(1, 2, 3)):
        return Dataset.of(X, y, target=target).aim

    assert of() == of(X=(3, 1, 2)) == of(X=np.arange(6).reshape(3, 2))
    # Twice as high and shifted, they look the same when standardised.
    assert (
        len({of(), of(target="z"), of((2, 1, 4)), of((1, 2, 5)), of((2, 4, 8)), of((2, 3, 5)), of((1, 2, 4, 4), X=range(4))}) == 7
    )


def test_reads_with_and_without_header(tmp_path):
    data = read(write(tmp_path, "\ufeffwater,a,b\n1,2,3\n2,3,5\n3,5,4\n"))
    assert data.names == ("water", "a")
    assert data.target == "b"
    assert read(write(tmp_path, "water,a,b\n1,2,3\n2,3,5\n3,5,4\n"), target="a").names == ("water", "b")
    plain = read(write(tmp_path, "1,2\n2,3\n\n3,5\n"))
    assert plain.target == "column 2"
    assert len(plain.y) == 3


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "no rows"),
        ("\n \n", "no rows"),
        ("# only a remark\n", "no rows"),
        ("a,b\n", "no rows"),
        ("a,b\n1,2\n3\n", "line 3: expected 2 cells, got 1"),
        ("a,b\n1,2\n3,x\n", "line 3, column b: 'x' is not a number"),
        (b"a,b\n1,\xff\n", "not UTF-8"),
        ("a,b\n1," + "2" * 1_000_001 + "\n", "line of more than"),
    ],
)
def test_bad_files_in_words(tmp_path, content, says):
    with pytest.raises(DataError, match=says):
        read(write(tmp_path, content))


def test_missing_file_and_column(tmp_path):
    with pytest.raises(DataError, match="cannot read"):
        read(tmp_path / "nowhere.csv")
    with pytest.raises(DataError, match="cannot read"):
        read(tmp_path)
    with pytest.raises(DataError, match="no column 'c'; it has a and b"):
        read(write(tmp_path, "a,b\n1,2\n2,3\n3,5\n"), target="c")


def test_chosen_inputs(tmp_path):
    """Named columns in the order they are named; the target is the last column unless it is named too."""
    path = write(tmp_path, "wind,a,b,c\n1,2,3,9\n2,3,5,7\n3,5,4,8\n")
    assert (read(path, inputs=["b", "wind"]).names, read(path, inputs=["b"]).target) == (("b", "wind"), "c")
    np.testing.assert_array_equal(read(path, inputs=["b", "wind"]).X, read(path, inputs=["wind", "b"]).X[:, ::-1])
    named = read(path, target="a", inputs=["wind"])
    assert (named.names, named.target) == (("wind",), "a")
    assert read(path).digest != read(path, inputs=["wind"]).digest


@pytest.mark.parametrize(
    ("target", "inputs", "says"),
    [
        (None, ["time", "d"], "no column 'd'; it has time, a and b"),
        (None, ["b"], "'b' cannot be an input and the target: name another target"),
        ("a", ["time", "a"], "'a' cannot be an input and the target"),
        (None, [], "at least one input"),
        (None, "time", "list of names"),
        (None, ["time", "a", "time"], "'time' is named as an input more than once"),
    ],
)
def test_inputs_that_cannot_be_chosen(tmp_path, target, inputs, says):
    path = write(tmp_path, "time,a,b\n1,2,3\n2,3,5\n3,5,4\n")
    with pytest.raises(DataError, match=says):
        read(path, target=target, inputs=inputs)


@given(st.binary(max_size=80), st.sampled_from([".csv", ".csv.gz", ".xlsx", ".xls", ".parquet", ".txt"]))
@settings(max_examples=300)
def test_any_bytes_end_in_a_dataset_or_a_data_error(tmp_path_factory, content, suffix):
    path = tmp_path_factory.getbasetemp() / f"fuzz{suffix}"
    path.write_bytes(content)
    try:
        read(path)
    except DataError as error:
        assert str(error)


CELLS = (
    "1 2 -3.5 1e400 1e308 -1e308 1e-320 nan NA - x 2020-01-01 2020-13-01 01/02/2020 31/01/2020 0000-00-00 1700000000 20200131 "
    '1,234 1.234,5 12% $3 true Q1-2020 2020-W53 1-Jan-20 "a "a""b" \' # é inf 1_0 ٣ −5 2020.5 2020-01-01T23:59:60Z 10:00 '
    "99999999999999999999"
).split()
COLUMNS = {
    "count": str,
    "waves": lambda k: f"{np.sin(k):.3f}",
    "commas": lambda k: f"{k},5",
    "year": lambda k: str(2000 + k),
    "decimal_year": lambda k: f"{1990 + k / 12:.4f}",
    "ts": lambda k: str(1700000000 + 60 * k),
    "date": lambda k: f"2020-01-{k % 28 + 1:02d}",
    "day": lambda k: f"{k % 28 + 1:02d}/01/2020",
    "region": lambda k: "north" if k % 2 else "south",
    "": lambda k: "7",
    "__proto__": lambda k: f"{k}e{k % 3 * 155}",
}


@st.composite
def tables(draw):
    """A table of sound columns with a few cells, marks and lines that do not belong there."""
    heads = draw(st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=4))
    rows = [heads] * draw(st.integers(0, 1)) + [[COLUMNS[head](k) for head in heads] for k in range(draw(st.integers(0, 20)))]
    for _ in range(draw(st.integers(0, 3))):
        if rows:
            row = draw(st.integers(0, len(rows) - 1))
            place = draw(st.integers(0, len(heads)))
            rows[row] = [
                *rows[row][:place],
                draw(st.sampled_from(CELLS)),
                *rows[row][place + draw(st.integers(0, 20)) // 20 + 1 :],
            ]
    delimiter = draw(st.sampled_from([",", ";", "\t", "|", " "]))
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(delimiter.join(row) for row in rows)
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])))


@given(
    tables(),
    st.fixed_dictionaries(
        {},
        optional={
            "target": st.sampled_from(list(COLUMNS)),
            "time": st.sampled_from(list(COLUMNS)),
            "inputs": st.lists(st.sampled_from(list(COLUMNS)), max_size=2),
            "date_format": st.sampled_from(
                ["%d/%m/%Y", "%Y", "excel", "s", "ns", "number", "dmy", "%Y%m%d", "%q", "zz", "%d %d"]
            ),
            "encoding": st.sampled_from(["latin-1", "utf-16", "hex", "no such", "idna"]),
        },
    ),
)
@settings(max_examples=500)
@example(b"-1e308\n-1e308\n", {})
def test_any_table_ends_in_a_dataset_or_a_data_error(tmp_path_factory, content, given):
    path = tmp_path_factory.getbasetemp() / "table.csv"
    path.write_bytes(content)
    try:
        data = read(path, **given)
    except DataError as error:
        assert str(error)
    else:
        assert np.isfinite(data.X).all()
        assert np.isfinite(data.y).all()
        assert all(each.endswith(".") for each in sentences(data))


def test_embedded_data():
    for name in NAMES:
        data = load(name)
        assert len(data.y) == 521
        assert data.axes == (Axis("year", "years"),)
        assert "Mauna Loa" in about(name)
        assert "statsmodels" in about(name)
    for function in (load, about):
        with pytest.raises(DataError, match="there are mauna_loa"):
            function("nothing")


@pytest.mark.parametrize("placement", ["random", "kmeans", "learned"])
def test_inducing_points(placement):
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(30, 2)), 4, axis=0)
    Z = place(X, 10, placement, np.random.default_rng(1))
    assert len(np.unique(Z, axis=0)) == len(Z) <= 10
    np.testing.assert_array_equal(Z, place(X, 10, placement, np.random.default_rng(1)))
    assert len(place(X, 100, placement, rng)) == 30
    if placement != "kmeans":
        assert {tuple(z) for z in Z} <= {tuple(x) for x in X}


def test_a_single_column_is_a_series_of_evenly_spaced_rows(tmp_path):
    data = read(write(tmp_path, "level\n3.5\n4\n\n5\nNA\n6\n7\n"))
    assert (data.names, data.target) == (("row",), "level")
    np.testing.assert_allclose(data.X[:, 0] * data.inputs[0].scale + data.inputs[0].centre, [1, 2, 3, 5, 6])
    assert any("row apart" in each or "step of row" in each for each in sentences(data, "rhythm"))
    assert data.axes[0].unit == "rows"
    assert any("no column beside level" in each for each in sentences(data, "guess"))
    plain = read(write(tmp_path, "row\n1\n4\n2\n"))
    assert (plain.names, plain.target) == (("place",), "row")
    with pytest.raises(DataError, match="no column of numbers"):
        read(write(tmp_path, "day\n2020-01-01\n2020-01-02\n2020-01-03\n"))
    with pytest.raises(DataError, match="cannot be an input and the target"):
        read(write(tmp_path, "level\n1\n4\n2\n"), target="level", inputs=["level"])
