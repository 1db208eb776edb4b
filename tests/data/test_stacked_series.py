"""Several series in one table, one above the other: which of them is meant is asked, and never passed over."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import kernelscribe as ks
from faces import refused, sentences
from kernelscribe import DataError
from kernelscribe.app.cli import cli
from kernelscribe.data import from_frame, read
from kernelscribe.faces import Face

N = 40
DAYS = pd.date_range("2024-01-01", periods=N)
RANDOM = np.random.default_rng(0)


def stacked(keys=("A", "B", "C"), name="store", days=DAYS):
    """One series for every key, each about its own height."""
    parts = [
        pd.DataFrame({"date": days, name: key, "sales": 100.0 * i + 10 * np.sin(np.arange(len(days)) / 3)})
        for i, key in enumerate(keys)
    ]
    return pd.concat(parts, ignore_index=True)


def rows(data):
    return data.y * data.output.scale + data.output.centre


SAYS = r"each date stands 3 times, told apart by store \(A, B and C\): choose one with "


def test_stacked_series_are_refused_with_the_way_out(write):
    path = write(stacked().to_csv(index=False))
    with refused(SAYS + r'--where store=A, or join the rows of each date to one; --where "store=\*" takes'):
        read(path)
    # Naming the columns does not say which series is meant, though then only these are read.
    with pytest.raises(DataError, match=SAYS):
        read(path, target="sales", time="date")


def test_the_command_line_stops_with_one_sentence_and_goes_on_with_where(write):
    path = write(stacked().to_csv(index=False))
    done = CliRunner().invoke(cli, ["score", str(path), "SE"])
    assert isinstance(done.exception, DataError)
    assert "--where store=A" in done.exception.said(Face.TERMINAL)
    flags = ["--engine", "exact", "--restarts", "1", "--steps", "3", "--backend", "numpy"]
    done = CliRunner().invoke(cli, ["score", str(path), "SE", "--where", "store=B", *flags], catch_exceptions=False)
    assert (done.exit_code, f"{N} rows" in done.output or str(N) in done.output) == (0, True)


@pytest.mark.parametrize("given", ["store", "=A", " =A"])
def test_a_choice_of_rows_names_a_column_and_a_value(write, given):
    done = CliRunner().invoke(cli, ["score", str(write("a,b\n1,2\n")), "SE", "--where", given])
    assert done.exit_code == 2
    assert "write it as in store=A" in done.output
    twice = CliRunner().invoke(cli, ["score", "x.csv", "SE", "--where", "a=1", "--where", "a=2"])
    assert "is given twice" in twice.output


@pytest.mark.parametrize("frame", [stacked(), pl.from_pandas(stacked()), stacked().set_index(["date", "store"])["sales"]])
def test_python_says_the_same_in_its_own_words(frame):
    with pytest.raises(DataError, match=SAYS + r'where=\{"store": "A"\}, or join .*; where=\{"store": "\*"\} takes') as caught:
        ks.analyse(frame)
    assert caught.value.question.option == "where"
    assert caught.value.question.column == "store"
    assert [value for value, _ in caught.value.question.choices] == ["A", "B", "C", "*"]
    one = from_frame(frame, where={"store": "B"})
    np.testing.assert_allclose(rows(one), 100 + 10 * np.sin(np.arange(N) / 3))
    assert one.names == ("date",)


def test_a_file_given_to_python_is_refused_in_pythons_words(write):
    path = write(stacked().to_csv(index=False))
    with pytest.raises(DataError, match=r'where=\{"store": "A"\}'):
        ks.analyse(path)
    with pytest.raises(ks.OptionError, match="where chooses rows of a file or a frame"):
        ks.analyse(np.arange(9), np.arange(9.0), where={"store": "A"})


def test_the_rows_chosen_are_told_and_are_those_of_the_value(write):
    path = write(stacked().to_csv(index=False))
    data = read(path, where={"store": "C"})
    np.testing.assert_allclose(rows(data), 200 + 10 * np.sin(np.arange(N) / 3))
    assert "Only the rows in which store is C were used: 40 of 120 rows (33.3 %)." in sentences(data)
    assert not any("holds text" in each for each in sentences(data))
    assert read(path, where={"store": "C"}, target="sales", time="date").digest == data.digest


def test_all_rows_may_be_meant_together(write):
    data = read(write(stacked().to_csv(index=False)), where={"store": "*"})
    assert len(data.y) == 3 * N
    assert "The rows of every store were taken together, as one series." in sentences(data)


def test_choices_that_fit_no_row_are_refused(write):
    path = write(stacked().to_csv(index=False))
    with pytest.raises(DataError, match="has no row in which store is 'D'; it has A, B and C"):
        read(path, where={"store": "D"})
    with pytest.raises(DataError, match="has no column 'shop'; it has date, store and sales"):
        read(path, where={"shop": "A"})
    with pytest.raises(DataError, match="'sales' cannot choose the rows and be used"):
        read(path, where={"sales": "0"}, target="sales")
    with pytest.raises(DataError, match="must name columns with a value each"):
        read(path, where="store=A")


def test_numbers_tell_series_apart_too():
    """As the number of a store does, or the hour of a day; they may be inputs instead."""
    frame = stacked((1, 2, 3))
    with pytest.raises(
        DataError, match=r"told apart by store \(1, 2 and 3\): .* use store as an input beside date with time= and"
    ):
        from_frame(frame)
    for value in (2, 2.0, np.int64(2), "2"):
        assert rows(from_frame(frame, where={"store": value})).mean() == pytest.approx(100, abs=2)
    assert from_frame(frame, time="date", inputs=["store"]).names == ("date", "store")


def test_two_columns_may_tell_series_apart_only_together():
    frame = pd.concat([stacked().assign(item=item) for item in ("x", "y")])
    with pytest.raises(
        DataError, match=r'each date stands 6 times, .*choose one with where=\{"store": "A", "item": "x"\}'
    ) as caught:
        from_frame(frame)
    assert caught.value.question.column == "store"
    with pytest.raises(DataError, match=r"each date stands 2 times, told apart by item \(x and y\)") as caught:
        from_frame(frame, where={"store": "A"})
    assert caught.value.question.column == "item"
    assert len(from_frame(frame, where={"store": "A", "item": "y"}).y) == N


def test_series_of_different_lengths_and_counted_times():
    parts = [
        pd.DataFrame({"series": f"W{i}", "t": np.arange(1, 30 + 5 * i), "value": RANDOM.normal(size=29 + 5 * i)})
        for i in range(4)
    ]
    with pytest.raises(DataError, match=r"each t stands up to 4 times, told apart by series \(W0, W1, W2 and W3\)"):
        from_frame(pd.concat(parts))


def test_names_that_a_shell_would_read_are_quoted(write):
    frame = stacked(("New York", "Rome"), name="my town")
    with refused(r'choose one with --where "my town=New York",'):
        read(write(frame.to_csv(index=False)))
    with pytest.raises(DataError, match=r'choose one with where=\{"my town": "New York"\},'):
        from_frame(frame)
    with refused("choose one with --where COLUMN=VALUE,"):
        read(write(stacked(("$(ls)", "b")).to_csv(index=False)))


def copies(words):
    """Three rows a day, with these words beside them."""
    return pd.DataFrame({"date": np.repeat(DAYS, 3), "word": words, "y": RANDOM.normal(size=3 * N)})


MOMENTS = (pd.Timestamp("2024-01-01").value + np.arange(3 * N)).astype("datetime64[ns]")

NO_STACKS = {
    "moments a nanosecond apart": pd.DataFrame({"date": MOMENTS[::-1], "word": list("abc") * N, "y": RANDOM.normal(size=3 * N)}),
    "words at random": copies(RANDOM.choice(list("abcdef"), 3 * N)),
    "words that are all different": copies([f"order {i}" for i in range(3 * N)]),
    "one word": copies(["x"] * 3 * N),
    "a word for each day": copies(np.repeat([f"day {i}" for i in range(N)], 3)),
    "few days twice": pd.concat([stacked(("A",)), stacked(("B",), days=DAYS[:4])]),
    "a measurement of whole numbers": copies(RANDOM.integers(0, 500, 3 * N)),
    "a rating": copies(RANDOM.integers(0, 10, 3 * N)),
    "no words at all": copies(RANDOM.normal(size=3 * N)),
    "one row a day": stacked(("A",)).assign(store=list("AB") * (N // 2)),
    "no time": stacked().assign(date=np.tile(np.arange(N), 3)).rename(columns={"date": "dose"}),
    "several inputs": stacked().assign(date=np.tile(np.arange(N), 3), price=RANDOM.normal(size=3 * N))[
        ["date", "price", "store", "sales"]
    ],
}


@pytest.mark.parametrize("case", NO_STACKS)
def test_what_are_no_stacked_series_is_not_refused(case):
    assert len(from_frame(NO_STACKS[case]).y) == len(NO_STACKS[case])
