"""Numbers as people write them: one reading for a whole column, or none."""

import numpy as np
import pytest

from kernelscribe.data.grid import BadCell, Cells
from kernelscribe.data.numbers import decimal_sign, numeric, read_numbers

NAN = np.nan


@pytest.mark.parametrize(
    ("cells", "decimal", "values"),
    [
        (["1", " 2 ", "-3e2", "+.5"], None, [1, 2, -300, 0.5]),
        (["1", "NA", "n/a", "NaN", "null", "None", "-", "?", ".", " ", ""], None, [1] + [NAN] * 10),
        (["inf", "-Infinity", "1e400"], None, [np.inf, -np.inf, np.inf]),
        (["1,234.5", "2", "-1,000,000"], None, [1234.5, 2, -1e6]),
        (["1.234,5", "2"], None, [1234.5, 2]),
        (["1 234,5", "2\u202f000", "3\u00a0000,25"], None, [1234.5, 2000, 3000.25]),
        (["1 234.5", "2"], None, [1234.5, 2]),
        (["1'234.5", "2"], None, [1234.5, 2]),
        (["0,123", "0,5"], None, [0.123, 0.5]),
        (["12 %", "13%", "-4.5 %"], None, [12, 13, -4.5]),
        (["$3", "-$4", "$ -5", "$1,200.50"], None, [3, -4, -5, 1200.5]),
        (["3 €", "4,5 €"], ",", [3, 4.5]),
        (["\u22125", "3"], None, [-5, 3]),
        (["1,234", "2,345"], ".", [1234, 2345]),
        (["1,234", "2,345"], ",", [1.234, 2.345]),
        (["1.234", "2.345"], ",", [1234, 2345]),
        (["1.5", "2"], ",", [1.5, 2]),
        (["TRUE", "false", ""], None, [1, 0, NAN]),
        (["1,234", "1,5"], None, [1.234, 1.5]),
    ],
)
def test_one_reading(cells, decimal, values):
    np.testing.assert_array_equal(read_numbers(Cells.of(cells), decimal).values, values)


@pytest.mark.parametrize(
    ("cells", "index", "why"),
    [
        (["1", "2", "x", "3"], 2, "is not a number"),
        (["1,234", "2,345"], 0, "may be 1234 or 1.234"),
        (["1,234.5", "1.234,5"], 1, "is not a number"),
        (["12 %", "13"], 1, "is not a number"),
        (["$3", "€4"], 1, "is not a number"),
        (["1_000", "2", "3"], 0, "is not a number"),
        (["12,34,567", "1,234.5", "2.5"], 0, "is not a number"),
    ],
)
def test_the_first_cell_that_breaks_it(cells, index, why):
    found = read_numbers(Cells.of(cells), None)
    assert isinstance(found, BadCell)
    assert (found.index, found.why) == (index, why)


def test_text_is_no_number():
    assert read_numbers(Cells.of(["north", "south", "1"]), None) is None


def test_an_example_of_what_is_not_plain():
    assert read_numbers(Cells.of(["NA", "3", "$4"]), None) is not None
    assert read_numbers(Cells.of(["3", "1,234.5"]), None).example == "1,234.5"
    assert read_numbers(Cells.of(["1,5", "2,5"]), ",").example is None


def test_a_bad_cell_beyond_the_first_chunk(monkeypatch):
    monkeypatch.setattr("kernelscribe.data.grid.CHUNK", 4)
    cells = Cells.of([str(i) for i in range(10)] + ["x"])
    assert len(cells.chunks) == 3
    assert read_numbers(cells, None).index == 10
    assert cells.cell(10) == "x"
    np.testing.assert_array_equal(read_numbers(Cells.of([str(i) for i in range(10)]), None).values, np.arange(10))


def test_cells_alone():
    assert [numeric(cell) for cell in ("1", "1,5", "$3", "", "-", "x", "1_0", "nan")] == [True] * 3 + [False] * 4 + [True]
    assert [decimal_sign(cell) for cell in ("1,5", "1.5", "1,234", "12", "0,123", "x", "1.234,5")] == [
        ",",
        ".",
        None,
        None,
        ",",
        None,
        ",",
    ]
