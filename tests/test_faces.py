"""Errors carry the options that would help as values, and every face writes them its own way."""

import pickle

import pytest

from kernelscribe import DataError, KernelscribeError, OptionError, OutputError
from kernelscribe.errors import Question
from kernelscribe.faces import Advice, Face, Remedy

ADVICE = Advice("name the columns with {target} and {inputs}, or give {format}", {"format": Remedy("date_format", "excel")})


def test_an_error_is_said_by_each_face_in_its_own_words():
    error = DataError("sales {2020}.csv is odd", ADVICE)
    assert str(error) == 'sales {2020}.csv is odd: name the columns with target= and inputs=, or give date_format="excel"'
    assert error.said(Face.TERMINAL) == (
        "sales {2020}.csv is odd: name the columns with --target and --inputs, or give --date-format excel"
    )
    assert error.said(Face.PAGE) == (
        "sales {2020}.csv is odd: name the columns with the option “target” and the option “inputs”, or give the option "
        "“date format” excel"
    )
    assert error.advice.options == ("target", "inputs", "date_format")


@pytest.mark.parametrize("kind", [KernelscribeError, DataError, OptionError, OutputError])
def test_an_error_without_advice_is_its_message(kind):
    assert str(kind("it is so")) == kind("it is so").said(Face.TERMINAL) == "it is so"


def test_advice_and_question_survive_the_way_between_processes():
    error = DataError("odd", ADVICE, Question("date_format", "Which?", (("dmy", "day first"),)))
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (str(again), again.advice, again.question) == (str(error), ADVICE, error.question)


@pytest.mark.parametrize(
    ("pair", "terminal", "python"),
    [
        (("store", "A"), "--where store=A", 'where={"store": "A"}'),
        (("my town", "New York"), '--where "my town=New York"', 'where={"my town": "New York"}'),
        (("a", "*"), '--where "a=*"', 'where={"a": "*"}'),
        (("$(rm)", "`x`"), "--where COLUMN=VALUE", 'where={"$(rm)": "`x`"}'),
        (('say "hi"', "\x1b[2J"), "--where COLUMN=VALUE", 'where={"say \\"hi\\"": "\\u001b[2J"}'),
    ],
)
def test_rows_that_are_chosen_are_written_so_that_shell_and_python_read_them(pair, terminal, python):
    chosen = Remedy("where", (pair,))
    assert chosen.written(Face.TERMINAL) == terminal
    assert chosen.written(Face.PYTHON) == python
