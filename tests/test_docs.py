"""Docs that cannot rot: every option and command appears, every link leads somewhere, the repository speaks of itself alone."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from kernelscribe import Dataset, Discovery, discover, events, parallel
from kernelscribe.cli import Exit, cli
from kernelscribe.config import Config, options
from kernelscribe.model.file import save
from kernelscribe.search.facts import encode
from kernelscribe.search.pool import Inline
from kernelscribe.summary import as_dict, discovery_dict

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
TEXT = "\n".join(page.read_text() for page in PAGES)
SCORE, SEARCH = ((ROOT / "docs" / name).read_text() for name in ("score.md", "search.md"))


def page(name):
    """Where an option has its row: what concerns the search alone stands in the page on the search."""
    return (ROOT / "docs" / ("search.md" if options()[name].search else "score.md")).read_text()


@pytest.mark.parametrize("name", options())
def test_every_option_is_documented_with_its_default(name):
    rows = re.findall(rf"^\| `--{name.replace('_', '-')}` \| (\S+) \|", page(name), re.MULTILINE)
    assert len(rows) == 1, f"--{name} has {len(rows)} rows"
    default = getattr(Config(), name)
    shown = {"inducing": "rows/4", "budget": "none"}.get(name, f"{default:g}" if isinstance(default, float) else str(default))
    assert rows[0] == shown.replace("1e-08", "1e-8")


@pytest.mark.parametrize("name", options())
def test_choices_are_documented(name):
    row = next(line for line in page(name).splitlines() if line.startswith(f"| `--{name.replace('_', '-')}` |"))
    for choice in options()[name].choices:
        assert choice in row


def test_rules_that_the_docs_put_in_numbers():
    from kernelscribe.evidence.engine import EXACT_ROWS
    from kernelscribe.search import rules, state
    from kernelscribe.search.tree import _SHOWN

    assert f"exact up to {EXACT_ROWS} rows" in TEXT
    assert f"there are {state.EXACT_ROWS:,} rows or fewer" in TEXT
    assert f"more than {rules._MARGIN:g} nats behind" in TEXT
    assert f"{rules._LOOSENESS:g} nats more for each row" in TEXT
    assert f"within {rules._REACH:g} nats of the best" in TEXT
    assert (rules.WORTH, _SHOWN) == (1, 5)
    assert "gains less than one nat" in SEARCH


def test_every_command_and_its_options_are_documented():
    for name, command in cli.commands.items():
        assert f"kernelscribe {name}" in TEXT
        for parameter in command.params:
            for flag in parameter.opts:
                assert not flag.startswith("--") or f"`{flag}" in TEXT or f"{name} {flag}" in TEXT, f"{flag} of {name}"


def test_every_strategy_and_move_has_a_row():
    from kernelscribe.search.moves import MOVES
    from kernelscribe.search.rules import STRATEGIES

    for name, rules in STRATEGIES.items():
        row = re.search(rf"^\| `{name}` \| ([^|]+) \|", SEARCH, re.MULTILINE)
        assert row, name
        assert row[1] == ", ".join(rules.moves)
    for name in MOVES:
        assert re.search(rf"^\| {name} \|", SEARCH, re.MULTILINE), name


def test_every_exit_code_has_a_row():
    for code in Exit:
        assert re.search(rf"^\| {code.value} \|", SEARCH, re.MULTILINE), code


def test_every_event_has_a_row_with_its_fields():
    for event in get_args(events.Event):
        row = next(line for line in SEARCH.splitlines() if line.startswith(f"| `{event.__name__}` |"))
        for each in fields(event):
            assert f"`{each.name}`" in row, each.name


@pytest.fixture(scope="module")
def found():
    with parallel(Inline()):
        return discover(np.arange(9), np.arange(9) ** 2, restarts=1, depth=0)


def test_every_json_key_is_documented(found):
    one = as_dict(found.best)
    for key in (*one, *one["components"][0]):
        assert f"`{key}`" in SCORE, key
    for key in (*discovery_dict(found), "files", "journal", "model"):
        assert f"`{key}`" in SCORE + SEARCH, key


def test_every_field_of_a_discovery_is_documented(found):
    part = SEARCH[SEARCH.index("A `Discovery` has") :]
    names = [each.name for each in fields(Discovery)] + [
        name for name, each in vars(Discovery).items() if isinstance(each, property)
    ]
    for name in names:
        assert f"`{name}`" in part, name


def test_every_key_of_the_files_is_documented(found, tmp_path):
    for task, result in found.state.log:
        for key in encode(task, result):
            assert f"`{key}`" in SEARCH, key
    save(found, Dataset.of(np.arange(9), np.arange(9) ** 2), tmp_path / "model.json")
    model = json.loads((tmp_path / "model.json").read_text())
    for key in (*model, *model["fitted"], *model["scales"], *model["scales"]["output"]):
        assert f"`{key}`" in SEARCH, key


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_files_named_in_the_docs_exist():
    for name in re.findall(r"`((?:inducing/)?\w+\.py)`", (ROOT / "docs" / "evidence.md").read_text()):
        assert (ROOT / "src" / "kernelscribe" / "evidence" / name).exists(), name


def test_no_code_is_evaluated_or_unpickled():
    for path in (ROOT / "src").rglob("*.py"):
        source = path.read_text()
        assert not re.search(r"\b(eval|exec)\(|import pickle|pickle\.load|np\.load\(", source), path
