"""Every option of how a table is read stands once: all faces have it from there."""

import inspect
import subprocess
import sys

import pytest

import kernelscribe as ks
from kernelscribe.app.cli import cli
from kernelscribe.data import Reading, from_frame, read
from kernelscribe.data.reading import reading_options
from kernelscribe.web.options import reading, reading_fields
from kernelscribe.web.refusal import Refusal

NAMES = list(reading_options())


@pytest.mark.parametrize("command", ["run", "score"])
def test_the_command_line_has_every_option_with_its_help(command):
    found = {each.name: each for each in cli.commands[command].params}
    for name, option in reading_options().items():
        assert found[name].opts == [f"--{name.replace('_', '-')}"]
        assert option.help.replace("`", "")[1:] in found[name].help
        assert Reading.kind(name) == "flag" or f"; {option.usual} when not given." in found[name].help


@pytest.mark.parametrize("function", [read, from_frame, ks.analyse])
def test_functions_show_every_option_in_their_signatures(function):
    parameters = inspect.signature(function).parameters
    assert [name for name in parameters if name in NAMES] == NAMES
    assert all(parameters[name].default == getattr(Reading(), name) for name in NAMES)
    assert "reading" not in parameters


def test_options_are_of_three_kinds():
    kinds = {name: Reading.kind(name) for name in NAMES}
    assert {kinds[name] for name in ("target", "time", "date_format", "encoding")} == {"text"}
    assert (kinds["inputs"], kinds["where"]) == ("names", "pairs")


def test_the_page_has_fields_for_what_it_does_not_ask_otherwise_and_takes_every_option():
    assert [(each["name"], each["kind"]) for each in reading_fields()] == [
        ("date_format", "text"), ("encoding", "text"),
    ]  # fmt: skip
    given = {
        "target": "y",
        "time": "t",
        "inputs": ["a"],
        "date_format": "dmy",
        "where": {"s": "A"},
        "encoding": "x",
    }
    assert set(given) == set(NAMES)
    assert reading(given) == given
    assert Reading.of(reading(given)).where == (("s", "A"),)
    for name in NAMES:
        with pytest.raises(Refusal, match=name):
            reading({name: 7})


def test_an_option_that_is_not_there_is_answered_with_those_that_are(tmp_path):
    (tmp_path / "a.csv").write_text("t,y\n1,2\n2,3\n3,5\n4,4\n")
    with pytest.raises(ks.OptionError, match="there is no option 'sheet'; there are target, time, inputs, date_format, where"):
        read(tmp_path / "a.csv", sheet=2)
    with pytest.raises(ks.OptionError, match="there is no option 'sheet'"):
        ks.analyse(tmp_path / "a.csv", sheet=2)


def test_who_asks_for_the_options_needs_no_numpy():
    code = "import sys, kernelscribe.app.cli, kernelscribe.web.options; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
