"""Every command, option, choice, format and exit code is documented, and nothing else."""

import re

import pytest

from kernelscribe.__main__ import cli
from kernelscribe.app.exits import Exit
from kernelscribe.config import Config, options
from kernelscribe.data.reading import reading_options
from kernelscribe.engines.registry import engine_choices
from kernelscribe.report.formats.render import FORMATS
from pages import COMMANDS, DOCS, FILES, flag, option_section, rows, section


@pytest.mark.parametrize("name", options())
def test_every_option_is_documented_with_its_default(name):
    found = rows(option_section(name), flag(name))
    assert len(found) == 1, f"--{name} has {len(found)} rows"
    default = getattr(Config(), name)
    special = {"inducing": "rows/4", "budget": "none", "depth": "by rows", "cycles": "judged"}
    shown = special.get(name, f"{default:g}" if isinstance(default, float) else str(default))
    assert found[0][0] == shown.replace("1e-08", "1e-8")


@pytest.mark.parametrize("name", options())
def test_choices_are_documented(name):
    for choice in engine_choices() if options()[name].named else options()[name].choices:
        assert f"`{choice}`" in str(rows(option_section(name), flag(name))), choice


@pytest.mark.parametrize("name", cli.commands)
def test_every_command_has_a_section_with_its_own_options(name):
    command = cli.commands[name]
    part = section(COMMANDS, f"kernelscribe {name}")
    reading = set() if name == "predict" else set(reading_options())
    for each in command.params:
        if not each.opts[0].startswith("--"):
            assert each.name.upper() in part, each.name
        elif name == "demo" or each.name not in {*options(), *reading}:
            assert len(rows(part, f"`{each.opts[0]}`")) == 1, each.opts
    if name in ("run", "score"):
        assert {each.name for each in command.params} >= reading
        assert "(#options-for-reading-a-table)" in part
        assert "(#options-of-a-fit)" in part
    assert ("(#options-of-the-search)" in part) == (name == "run")


def test_options_in_the_docs_exist():
    """No page speaks of an option that is gone."""
    known = {"--version", "--help"} | {opt for command in cli.commands.values() for each in command.params for opt in each.opts}
    for name, page in DOCS.items():
        assert {f"--{each}" for each in re.findall(r"`--([a-z-]+)", page)} <= known, name


def test_formats_of_the_report_are_documented():
    (row,) = rows(section(COMMANDS, "kernelscribe report"), "`--format`")
    for each in FORMATS:
        assert f"`{each}`" in str(row), each


def test_every_exit_code_has_a_row():
    for code in Exit:
        assert rows(section(FILES, "Exit codes"), str(code.value)), code
