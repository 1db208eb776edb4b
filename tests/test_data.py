"""The door: tables in, a standardised Dataset or one plain sentence out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelscribe import DataError, Dataset
from kernelscribe.data import read
from kernelscribe.datasets import NAMES, load
from kernelscribe.evidence.inducing.points import place


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
        ([1, 2, 3], [5, 5, 5], "y is constant at 5"),
        ([1, 2, 3], [1e8, 1e8, 1e8 + 1e-7], "constant"),
        ([0, 0, 0], [1, 2, 3], "constant at 0"),
        (["a", "b", "c"], [1, 2, 3], "numbers only"),
        ([1j, 2, 3], [1, 2, 3], "numbers only"),
        ([[[1]], [[2]], [[3]]], [1, 2, 3], "dimensions"),
        (np.empty((3, 0)), [1, 2, 3], "at least one input"),
        ([1e300, -1e300, 0], [1, 2, 3], "too large"),
    ],
)
def test_refused(X, y, says):
    with pytest.raises(DataError, match=says):
        Dataset.of(X, y)


def write(tmp_path, content):
    path = tmp_path / "table.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_reads_with_and_without_header(tmp_path):
    data = read(write(tmp_path, "\ufefftime,a,b\n1,2,3\n2,3,5\n3,5,4\n"))
    assert data.names == ("time", "a")
    assert data.target == "b"
    assert read(write(tmp_path, "time,a,b\n1,2,3\n2,3,5\n3,5,4\n"), "a").names == ("time", "b")
    plain = read(write(tmp_path, "1,2\n2,3\n\n3,5\n"))
    assert plain.target == "column 2"
    assert len(plain.y) == 3


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "no rows"),
        ("a,b\n", "no rows"),
        ("a\n1\n2\n", "one column"),
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
    with pytest.raises(DataError, match="no column 'c'; it has a, b"):
        read(write(tmp_path, "a,b\n1,2\n2,3\n3,5\n"), "c")


def test_chosen_inputs(tmp_path):
    """Named columns in the order they are named; the target is the last column unless it is named too."""
    path = write(tmp_path, "time,a,b,c\n1,2,3,9\n2,3,5,7\n3,5,4,8\n")
    assert (read(path, inputs=["b", "time"]).names, read(path, inputs=["b"]).target) == (("b", "time"), "c")
    np.testing.assert_array_equal(read(path, inputs=["b", "time"]).X, read(path, inputs=["time", "b"]).X[:, ::-1])
    named = read(path, "a", ["time"])
    assert (named.names, named.target) == (("time",), "a")
    assert read(path).digest != read(path, inputs=["time"]).digest


@pytest.mark.parametrize(
    ("target", "inputs", "says"),
    [
        (None, ["time", "d"], "no column 'd'; it has time, a, b"),
        (None, ["b"], "'b' cannot be an input and the target: name another target"),
        ("a", ["time", "a"], "'a' cannot be an input and the target"),
        (None, [], "at least one input"),
        (None, ["time", "a", "time"], "'time' is named as an input more than once"),
    ],
)
def test_inputs_that_cannot_be_chosen(tmp_path, target, inputs, says):
    path = write(tmp_path, "time,a,b\n1,2,3\n2,3,5\n3,5,4\n")
    with pytest.raises(DataError, match=says):
        read(path, target, inputs)


@given(st.binary(max_size=80))
@settings(max_examples=300)
def test_any_bytes_end_in_a_dataset_or_a_data_error(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "fuzz.csv"
    path.write_bytes(content)
    try:
        read(path)
    except DataError as error:
        assert str(error)


def test_embedded_data():
    for name in NAMES:
        data = load(name)
        assert len(data.y) == 521
    with pytest.raises(DataError, match="there are mauna_loa"):
        load("nothing")


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
