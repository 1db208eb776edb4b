"""Faults of the values in a table, one test a fault or more, named by the number it has in the project's list of faults."""

from decimal import Decimal

import numpy as np
import pytest

from faces import refused, sentences
from kernelscribe import DataError, Dataset
from kernelscribe.data import from_frame, read

N = 20
X = np.arange(N, dtype=float)
Y = np.round(np.sin(X), 3)


def save(path, **columns):
    lines = [",".join(columns), *(",".join(str(cell) for cell in row) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines))
    return path


def told(data, kind):
    return sentences(data, kind)


def user(data):
    """The columns in the user's units, the target last."""
    X = data.X * [each.scale for each in data.inputs] + [each.centre for each in data.inputs]
    return np.column_stack([X, data.y * data.output.scale + data.output.centre])


@pytest.mark.parametrize("mark", ["", "NA", "N/A", "NaN", "null", "None", "-", "?", ".", "  "])
def test_fault_01_missing_cells_cost_their_row(tmp_path, mark):
    y = [mark if i in (3, 7) else v for i, v in enumerate(Y)]
    x = [mark if i == 7 else v for i, v in enumerate(X)]
    data = read(save(tmp_path / "a.csv", id=["n"] * N, x=x, y=y))
    assert "2 of 20 rows (10.0 %) have no value of x or y and were left out." in told(data, "repair")
    np.testing.assert_allclose(user(data), np.delete(np.column_stack([X, Y]), [3, 7], axis=0), atol=1e-12)


def test_fault_01_more_than_half_missing_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"only 9 of 20 rows \(45.0 %\) have a value in every column .* x lacks 11: fill it in"):
        read(save(tmp_path / "a.csv", x=["" if i < 11 else i for i in range(N)], y=Y))
    assert len(read(save(tmp_path / "a.csv", x=["" if i < 10 else i for i in range(N)], y=Y)).y) == 10


def test_fault_01_gaps_in_columns_that_are_not_used_cost_nothing(tmp_path):
    path = save(tmp_path / "a.csv", x=X, a=[""] * 15 + [1, 2, 3, 4, 6], y=Y)
    assert len(read(path, inputs=["x"]).y) == N


def test_fault_02_infinite_values_are_told_apart(tmp_path):
    y = ["inf" if i == 2 else "-Infinity" if i == 4 else "1e400" if i == 5 else "" if i == 9 else v for i, v in enumerate(Y)]
    data = read(save(tmp_path / "a.csv", x=X, y=y))
    assert told(data, "repair") == [
        "1 of 20 rows (5.0 %) has no value of y and was left out.",
        "3 of 20 rows (15.0 %) have an infinite value of y and were left out.",
    ]
    assert len(data.y) == 16


def test_fault_03_a_target_without_numbers(tmp_path):
    for y in (["NA"] * N, ["inf"] * N):
        with pytest.raises(DataError, match="column y has no numbers"):
            read(save(tmp_path / "a.csv", x=X, y=y), target="y")


@pytest.mark.parametrize(
    ("x", "y", "says"),
    [
        ([], [], "no rows of numbers"),
        ([1], [2], "at least 3 rows are needed, got 1"),
        ([1, 2, 3], [2, 3, ""], "at least 3 rows are needed, got 2"),
        ([1, 1, 2, 2, 2], [1, 2, 3, 4, 5], "fewer than 3 different values of x"),
    ],
)
def test_fault_04_too_few_rows_are_refused(tmp_path, x, y, says):
    with pytest.raises(DataError, match=says):
        read(save(tmp_path / "a.csv", x=x, y=y))


@pytest.mark.parametrize("rows", [3, 9, 10])
def test_fault_04_few_rows_are_told(tmp_path, rows):
    data = read(save(tmp_path / "a.csv", x=X[:rows], y=Y[:rows]))
    assert (f"There are {rows} rows, too few to judge structure by." in told(data, "notice")) == (rows < 10)


def test_fault_04_two_inputs_of_two_values_are_enough(tmp_path):
    assert len(read(save(tmp_path / "a.csv", a=[0, 0, 1, 1], b=[0, 1, 0, 1], y=[1, 2, 3, 5])).y) == 4


@pytest.mark.parametrize("value", [5, 0, -3e-9, 1e12])
def test_fault_05_a_constant_target_passes_and_says_so(tmp_path, value):
    for data in (Dataset.of(X, np.full(N, value)), read(save(tmp_path / "a.csv", x=X, y=[value] * N))):
        assert data.constant
        assert (data.output.centre, data.output.scale) == (value, 1.0)
        assert not data.y.any()
        assert data.scales.correlations == (0.0,)
    assert told(data, "notice") == [f"y is constant at {value:g}: there is nothing to explain."]
    assert Dataset.of(X, value + 1e-13 * np.arange(N) * max(abs(value), 1e-300) / N).constant
    assert not Dataset.of(X, Y).constant


def test_fault_06_a_constant_input_is_left_out(tmp_path):
    data = read(save(tmp_path / "a.csv", a=[7] * N, x=X, y=Y))
    assert data.names == ("x",)
    assert "Column a is constant at 7 and was left out." in told(data, "repair")
    with pytest.raises(DataError, match="all input columns are constant"):
        read(save(tmp_path / "a.csv", a=[7] * N, b=[8] * N, y=Y))
    with pytest.raises(DataError, match="column when is constant"):
        read(save(tmp_path / "a.csv", when=["2020-01-01"] * N, y=Y))


def test_fault_06_a_constant_input_with_gaps_costs_no_row(tmp_path):
    gappy = ["" if i % 3 == 0 else 7 for i in range(N)]
    data = read(save(tmp_path / "a.csv", a=gappy, x=X, z=X**2, y=Y))
    assert (data.names, len(data.y)) == (("x", "z"), N)
    assert told(data, "repair") == ["Column a is constant at 7 and was left out."]
    mostly = read(save(tmp_path / "a.csv", a=["", "inf", *[7] * 5, *[""] * (N - 7)], x=X, y=Y))
    assert (mostly.names, len(mostly.y)) == (("x",), N)
    np.testing.assert_allclose(user(mostly), np.column_stack([X, Y]), atol=1e-12)


def test_fault_06_an_input_that_changes_only_in_rows_without_a_target_costs_no_row(tmp_path):
    a = [8 if i == 4 else "" if i % 3 == 0 else 7 for i in range(N)]
    data = read(save(tmp_path / "a.csv", a=a, x=X, y=["" if i == 4 else v for i, v in enumerate(Y)]))
    assert (data.names, len(data.y)) == (("x",), N - 1)
    assert told(data, "repair") == [
        "1 of 20 rows (5.0 %) has no value of y and was left out.",
        "Column a is constant at 7 and was left out.",
    ]


def test_fault_07_inputs_that_say_the_same(tmp_path):
    data = read(save(tmp_path / "a.csv", a=X, b=-2 * X + 1, c=Y**2, y=Y))
    assert data.names == ("a", "b", "c")
    assert [text for text in told(data, "notice") if text.endswith("stand for the other: a with b.")]


def test_fault_08_repeated_inputs_are_told(tmp_path):
    x = [*X[:-3], 0, 1, 2]
    data = read(save(tmp_path / "a.csv", x=x, y=Y))
    assert "3 rows have the same x as another row, but another y." in told(data, "notice")
    assert len(data.y) == N


def test_fault_09_copies_are_counted_and_kept(tmp_path):
    data = read(save(tmp_path / "a.csv", x=[*X[:-2], 0, 1], y=[*Y[:-1], Y[1]]))
    assert "1 row is an exact copy of another row; all were kept." in told(data, "notice")
    assert "1 row has the same x as another row, but another y." in told(data, "notice")
    assert len(data.y) == N


def test_fault_10_times_out_of_order_stay_where_they_are(tmp_path):
    days = [f"2020-01-{i + 1:02d}" for i in np.random.default_rng(0).permutation(N)]
    data = read(save(tmp_path / "a.csv", day=days, y=Y))
    assert "The rows are not in the order of day; figures show them in order." in told(data, "notice")
    np.testing.assert_allclose(user(data)[:, 0], [int(day[-2:]) - 1 for day in days], atol=1e-12)
    np.testing.assert_allclose(user(data)[:, 1], Y)


def test_fault_11_gaps_and_steps_are_told(tmp_path):
    days = [f"2020-01-{i + 1:02d}" for i in range(N)]
    even = read(save(tmp_path / "a.csv", day=days, y=Y))
    assert "The values of day are 1 day apart, without a gap." in told(even, "rhythm")
    about = read(save(tmp_path / "a.csv", month=[f"2020-{i + 1:02d}" for i in range(12)], y=Y[:12]))
    assert "The values of month are about 31 days apart, without a gap." in told(about, "rhythm")
    gap = read(save(tmp_path / "a.csv", day=[*days[:-1], "2020-03-01 12:00"], y=Y))
    said = "The usual step of day is 1 day; the longest is 42.5 days, from 2020-01-19 to 2020-03-01 12:00:00."
    assert said in told(gap, "rhythm")
    assert gap.extents[0].step * gap.inputs[0].scale == pytest.approx(1.0)
    years = read(save(tmp_path / "a.csv", year=[1990 + i for i in range(N - 1)] + [2050], y=Y))
    assert "The usual step of year is 1 year; the longest is 42 years, from 2008 to 2050." in told(years, "rhythm")


@pytest.mark.parametrize("offset", [1.7e9, 1.7e12, -4e9])
def test_fault_12_offsets_lose_no_digits(tmp_path, offset):
    near = read(save(tmp_path / "a.csv", x=[f"{v:.2f}" for v in X / 4], y=Y))
    far = read(save(tmp_path / "a.csv", x=[f"{v:.2f}" for v in X / 4 + offset], y=Y), date_format="number")
    np.testing.assert_allclose(far.X, near.X, atol=1e-9)
    assert far.inputs[0].centre == pytest.approx(near.inputs[0].centre + offset, rel=1e-15)


def test_fault_13_scales_are_taken_off_and_kept(tmp_path):
    data = read(save(tmp_path / "a.csv", a=X * 1e-12, b=Y * 1e12, y=Y**2 * 1e150))
    np.testing.assert_allclose(data.X.std(axis=0), 1)
    np.testing.assert_allclose(user(data), np.column_stack([X * 1e-12, Y * 1e12, Y**2 * 1e150]), rtol=1e-9, atol=1e-12)


def test_fault_14_outliers_are_told_by_their_lines(tmp_path):
    y = [1e4 if i in (4, 11) else v for i, v in enumerate(Y)]
    data = read(save(tmp_path / "a.csv", x=X, y=y))
    assert "2 values lie far outside the others of y, in lines 6 and 13." in told(data, "notice")
    assert user(data)[4, 1] == pytest.approx(1e4)
    frame = from_frame(pytest.importorskip("pandas").DataFrame({"x": X, "y": y}))
    assert any("in rows 5 and 12" in text for text in told(frame, "notice"))


def test_fault_15_every_kind_of_number_becomes_float64():
    pd = pytest.importorskip("pandas")
    whole = from_frame(pd.DataFrame({"x": np.arange(N, dtype=np.int8), "b": X % 2 == 0, "y": [Decimal(str(v)) for v in Y]}))
    single = from_frame(pd.DataFrame({"x": X.astype(np.float32), "b": (X % 2 == 0).astype(int), "y": Y}))
    assert whole.X.dtype == whole.y.dtype == single.X.dtype == np.float64
    np.testing.assert_array_equal(whole.X, single.X)
    np.testing.assert_array_equal(whole.y, single.y)


@pytest.mark.parametrize(
    ("cells", "example", "first"),
    [
        (lambda v: f'"{v * 1e4:,.1f}"', "'9,000.0', which was read as 9000", 9000),
        (lambda v: f"{v:.1f} %", "'0.9 %', which was read as 0.9", 0.9),
        (lambda v: f"${v:.2f}", "'$0.90', which was read as 0.9", 0.9),
    ],
)
def test_fault_16_numbers_as_text(tmp_path, cells, example, first):
    data = read(save(tmp_path / "a.csv", x=X, y=[cells(0.9 + i / 10) for i in range(N)]))
    assert user(data)[0, 1] == pytest.approx(first)
    assert any(example in text for text in told(data, "repair"))


def test_fault_16_spaces_and_decimal_commas(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x;y\n" + "".join(f"{i};1 234,{i}\n" for i in range(1, 10)))
    np.testing.assert_allclose(user(read(path))[:, 1], [float(f"1234.{i}") for i in range(1, 10)])


@pytest.mark.parametrize(
    ("bad", "says"),
    [("oops", "'oops' is not a number"), ("1,5", "'1,5' is not a number"), ("1;5", "'1;5' is not a number")],
)
def test_fault_16_the_first_bad_cell_is_named(tmp_path, bad, says):
    y = [f'"{bad}"' if i in (6, 8) else v for i, v in enumerate(Y)]
    with pytest.raises(DataError, match=f"a.csv, line 8, column y: {says}: correct it, or name another target"):
        read(save(tmp_path / "a.csv", x=X, y=y))


def test_fault_17_text_is_left_out_and_named(tmp_path):
    path = save(tmp_path / "a.csv", site=["hill"] * N, x=X, colour=["red", "blue"] * 10, y=Y)
    data = read(path)
    assert data.names == ("x",)
    assert "Columns site and colour hold text and were left out." in told(data, "repair")
    with pytest.raises(DataError, match="column colour holds text, such as 'red': the target must be numbers"):
        read(path, target="colour")


def test_fault_18_complex_and_nested_values_are_refused():
    pd = pytest.importorskip("pandas")
    for column, says in ((X * 1j, "complex numbers"), ([[1, 2]] * N, "nested values"), ([{"a": 1}] * N, "nested values")):
        frame = pd.DataFrame({"a": column, "x": X, "y": Y})
        with pytest.raises(DataError, match=f"column a holds {says}"):
            from_frame(frame)
        assert from_frame(frame, inputs=["x"]).names == ("x",)
        with pytest.raises(DataError, match=says):
            from_frame(frame, target="a")
    with pytest.raises(DataError, match="numbers or dates only"):
        Dataset.of(X * 1j, Y)


def test_fault_19_too_many_columns(tmp_path):
    rng = np.random.default_rng(0)
    wide = {f"c{d}": rng.normal(size=60).round(3) for d in range(52)}
    path = save(tmp_path / "a.csv", **wide)
    with refused("51 input columns, more than the 50 that can be searched: choose some with --inputs"):
        read(path)
    assert read(path, inputs=["c3", "c5"]).names == ("c3", "c5")
    with refused(r"more input columns \(6\) than rows \(5\): choose some with --inputs"):
        read(save(tmp_path / "a.csv", **{name: column[:5] for name, column in list(wide.items())[:7]}))


def test_fault_20_a_target_that_is_one_of_its_inputs(tmp_path):
    data = read(save(tmp_path / "a.csv", x=X, copy=Y, y=Y))
    assert "y equals column copy, which therefore explains it without telling anything." in told(data, "notice")
    assert not any(each.startswith("y equals column x") for each in sentences(data))
