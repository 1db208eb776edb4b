"""Docs that cannot rot: every command, option, file, key and field appears, code runs, and every link leads somewhere."""

import inspect
import json
import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import analyses
import kernelscribe as ks
from kernelscribe import Dataset, Fit, Outcome, events, parallel
from kernelscribe.__main__ import cli
from kernelscribe.api.analysis import Analysis, analyse
from kernelscribe.app import results
from kernelscribe.app.exits import Exit
from kernelscribe.config import Config, options
from kernelscribe.data import frame_points, read_points
from kernelscribe.data.reading import reading_options
from kernelscribe.effort import STANDARD
from kernelscribe.engines.interval import Evidence
from kernelscribe.engines.registry import engine_choices
from kernelscribe.model.backtest import Backtest
from kernelscribe.model.components import Component, Decomposition
from kernelscribe.model.criticism import Check, Criticism
from kernelscribe.model.model import Model
from kernelscribe.outcome import Decision, Rival
from kernelscribe.report.compose import compose
from kernelscribe.report.formats.render import FORMATS
from kernelscribe.report.words.english.component import Words
from kernelscribe.search.entries import to_journal
from kernelscribe.search.pool import Inline
from kernelscribe.summary import analysis_dict, as_dict

ROOT = Path(__file__).resolve().parents[1]
DOCS = {page.stem: page.read_text() for page in sorted(ROOT.glob("docs/*.md"))}
PAGES = [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
TEXT = "\n".join(page.read_text() for page in PAGES)
COMMANDS, API, FILES, SEARCH = DOCS["commands"], DOCS["api"], DOCS["files"], DOCS["search"]


def section(page, title):
    """What stands under a heading, up to the next one of its level or above."""
    found = re.search(rf"^(#+) {re.escape(title)}$", page, re.MULTILINE)
    assert found, f"there is no heading {title!r}"
    rest = page[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def rows(page, first):
    """The rows of tables that begin with this cell, each as its other cells."""
    return [line.strip("|").split(" | ")[1:] for line in page.splitlines() if line.startswith(f"| {first} |")]


def flag(name):
    return f"`--{name.replace('_', '-')}`"


def place(name):
    """Where an option has its row."""
    return section(COMMANDS, "Options of the search" if options()[name].search else "Options of a fit")


@pytest.mark.parametrize("name", options())
def test_every_option_is_documented_with_its_default(name):
    found = rows(place(name), flag(name))
    assert len(found) == 1, f"--{name} has {len(found)} rows"
    default = getattr(Config(), name)
    special = {"inducing": "rows/4", "budget": "none", "depth": "by rows", "cycles": "judged"}
    shown = special.get(name, f"{default:g}" if isinstance(default, float) else str(default))
    assert found[0][0] == shown.replace("1e-08", "1e-8")


@pytest.mark.parametrize("name", options())
def test_choices_are_documented(name):
    for choice in engine_choices() if options()[name].named else options()[name].choices:
        assert f"`{choice}`" in str(rows(place(name), flag(name))), choice


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


def test_rules_that_the_docs_put_in_numbers():
    from kernelscribe.engines.inducing import sample

    assert f"exact up to {STANDARD.exact_rows} rows" in TEXT
    assert f"there are {STANDARD.affordable_rows:,} rows or fewer" in SEARCH
    assert f"more than {STANDARD.margin:g} nats behind" in SEARCH
    assert f"{STANDARD.looseness:g} nats more for each row" in SEARCH
    assert f"within {STANDARD.reach:g} nats of the best" in SEARCH
    assert f"in waves of {STANDARD.wave}, best first" in SEARCH
    assert f"From {STANDARD.part_rows:,} rows on" in SEARCH
    assert f"exactly on {STANDARD.sample_few:,} rows" in SEARCH
    assert f"compared on {STANDARD.sample_many:,}" in SEARCH
    assert f"climb on {STANDARD.sample_some:,}" in SEARCH
    assert f"{STANDARD.unforetold:g} nats more for each row that is not in it" in SEARCH
    assert f"with up to {STANDARD.affordable_rows:,} rows" in SEARCH
    assert f"the bound is tight ({STANDARD.loose:g} nats a row)" in SEARCH
    assert f"stretches of {sample.STRETCH} rows" in SEARCH
    assert sample.APART == 0.25, "A quarter of the sample"
    assert (STANDARD.worth, STANDARD.shown) == (1, 5)
    assert "gains less than one nat" in SEARCH


def test_the_rounds_that_go_by_rows():
    words = {3: "three", 4: "four", 5: "five", 6: "six"}
    (row,) = rows(place("depth"), flag("depth"))
    for most, depth in STANDARD.rounds_by_rows:
        assert f"{words[depth]} up to {most}" in row[1]
    assert (
        f"{words[STANDARD.rounds_on_waves]} up to {STANDARD.rounds_by_rows[-1][0]} and for series of "
        f"{STANDARD.many_rows:,} to {STANDARD.vast_rows:,}, "
        f"{words[STANDARD.rounds]} for others, none below {STANDARD.few_rows}"
    ) in row[1]


def test_rules_of_the_model_that_the_docs_put_in_numbers():
    from kernelscribe.model import backtest, components, criticism
    from kernelscribe.noise import Constant

    method = DOCS["method"]
    assert f"up to {STANDARD.dense_rows:,} rows" in method
    assert f"up to {STANDARD.posterior_points:,} inducing points" in method
    assert f"beyond {STANDARD.spread_rows:,} rows" in method
    assert "after 50, 60, 70, 80 and 90 % of its rows" in method
    assert STANDARD.backtest_origins == (0.5, 0.6, 0.7, 0.8, 0.9)
    assert (backtest._AHEAD, STANDARD.backtest_rows, STANDARD.checked_rows) == (0.1, 2000, 2000)
    assert f"Below {STANDARD.backtest_fewest} rows" in method
    assert f"a grid that ends at {backtest._WIDENINGS[-1]:.0f}" in method
    assert f"There must be {STANDARD.checked_fewest} rows" in method
    assert f"up to {criticism.SIGNIFICANT:g} they are findings, up to {criticism.STRONG:g} strong ones" in method
    assert f"less than {components._MOVES:.0%} of".replace("%", " %") in method
    assert f"by less than {components._HELPS:.1%}".replace("%", " %") in method
    assert "s² from 1e-6 to 100" in method
    assert Constant.box() == ((1e-6, 100),)


def test_every_check_has_a_row():
    found = analyses.series().criticism
    assert {check.name for check in found.checks} == {"alike", "cycle", "spread", "tails", "skew", "drift"}
    for check in found.checks:
        assert rows(section(DOCS["method"], "Checks"), f"`{check.name}`"), check.name


def test_every_strategy_and_move_has_a_row():
    from kernelscribe.search.moves import MOVES
    from kernelscribe.search.rules import STRATEGIES

    for name, rules in STRATEGIES.items():
        (row,) = rows(SEARCH, f"`{name}`")
        assert row[0] == ", ".join(rules.moves)
    for name in MOVES:
        assert rows(section(SEARCH, "Moves"), name), name


@pytest.fixture(scope="module")
def found():
    """A small search for real."""
    x = np.arange(36)
    with parallel(Inline()):
        return analyse(x, x + 5 * np.sin(x / 2) + np.cos(9.7 * x), restarts=1, depth=0, seed=0)


def test_every_json_key_is_documented(found):
    one = as_dict(found.outcome.best)
    score, run = section(FILES, "The JSON of score"), section(FILES, "The JSON of run")
    for key in (*one, *one["components"][0], *(key for each in one["parameters"] for key in each if key in ("kind", "input"))):
        assert f"`{key}`" in score, key
    whole = analysis_dict(found)
    assert found.components
    for key in (*whole, *whole["components"][0], "files"):
        assert f"`{key}`" in run or (key in one and f"`{key}`" in score), key
    for key in {*whole} - {*one}:
        assert re.search(rf"^\| [^|]*`{key}`[^|]* \|", run, re.MULTILINE), key


def test_every_key_for_a_constant_target_is_documented():
    nothing = analyse(np.arange(5), np.ones(5))
    last = section(FILES, "The JSON of run").split("Where the target is constant")[1]
    assert set(re.findall(r"`(\w+)`", last)) == {*analysis_dict(nothing), "files"}


def test_every_file_of_a_run_is_documented(found, tmp_path):
    files = results.write_results(found, tmp_path)
    (row,) = rows(section(FILES, "The JSON of run"), "`files`")
    assert set(re.findall(r"`(\w+)`", row[0])) == {*files, "journal"}
    for name in (*(each.name for each in tmp_path.iterdir()), results.JOURNAL):
        assert rows(section(FILES, "The folder of a run"), f"`{name}`"), name
        assert f"`{name}`" in (ROOT / "README.md").read_text(), name


def test_every_column_of_the_tables_is_documented(found, tmp_path):
    results.write_results(found, tmp_path)
    part = section(FILES, "components.csv and forecast.csv")
    for name in ("components.csv", "forecast.csv"):
        head = (tmp_path / name).read_text().splitlines()[0].split(",")
        known = [column for column in head if not re.match(r"[A-Z]+1", column) and column != "y"]
        assert known[:2] == ["ds", "mean"]
        for column in known:
            assert f"`{column}`" in part, column


def test_every_key_of_the_model_is_documented(found, tmp_path):
    model = json.loads(found.save(tmp_path / "model.json").read_text())
    part = section(FILES, "model.json")
    for key in model:
        assert rows(part, f"`{key}`"), key
    data = model["data"]
    for key in (*data, *data["axes"][0], *data["inputs"][0], *data["output"], *data["X"]):
        assert f"`{key}`" in part, key
    for name in ("outcome", "backtest"):
        for key in model[name]:
            assert key == "type" or f"`{key}`" in section(API, name.capitalize()), key


def test_every_key_of_the_saved_report_is_documented(found, tmp_path):
    saved = json.loads(found.report(tmp_path / "report.json").read_text())
    for key in saved:
        assert f"`{key}`" in section(FILES, "report.json"), key


def test_every_key_of_the_journal_is_documented(found):
    part = section(FILES, "search.jsonl")
    for task, result in found.outcome.state.log:
        line = to_journal(task, result)
        for key in (*line, *line["result"]):
            assert f"`{key}`" in part, key


def public(kind):
    """Fields, properties and methods of a class that a user meets."""
    inner = {name for each in kind.__mro__[:-1] for name in vars(each)} | set(getattr(kind, "__dataclass_fields__", ()))
    return sorted(name for name in inner if not name.startswith("_"))


@pytest.mark.parametrize(
    ("kind", "title", "own"),
    [
        (Analysis, "Analysis", ()),
        (Decomposition, "Decomposition", ()),
        (Component, "Component", ()),
        (Rival, "Outcome", ("of", "order")),
        (Decision, "Outcome", ()),
        (Criticism, "Criticism", ()),
        (Check, "Check", ()),
        (Backtest, "Backtest", ()),
        (Words, "Analysis", ()),
        (Model, "Model", ("standard",)),
        (Fit, "Fit", ()),
        (Evidence, "Interval and Evidence", ()),
        (Outcome, "Outcome", ("empty",)),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else "",
)
def test_every_field_is_named_in_the_python_page(kind, title, own):
    part = section(API, title)
    for name in public(kind):
        assert name in own or re.search(rf"`{name}[`(]", part), f"{kind.__name__}.{name}"


@pytest.mark.parametrize("name", ["forecast", "predict", "report", "document", "save"])
def test_methods_of_an_analysis_are_documented_with_their_parameters(name):
    (row,) = re.findall(rf"^\| `{name}\(([^`]*)\)`", section(API, "Analysis"), re.MULTILINE)
    given = [each.split("=")[0].strip() for each in row.split(",")]
    assert [each for each in given if each != "*"] == list(inspect.signature(getattr(Analysis, name)).parameters)[1:]


def test_every_public_name_is_documented():
    for name in (*ks.__all__, "KernelSearchRegressor"):
        assert re.search(rf"`ks\.{name}\b", API), name
        assert hasattr(ks, name)


@pytest.mark.parametrize("name", ["fit_kernel", "evidence", "parse", "text", "simplify", "discover"])
def test_functions_are_documented_with_their_parameters(name):
    found = re.search(rf"`ks\.{name}\(([^`]*)\)`", API)
    assert found, name
    given = [each.split("=")[0].strip().lstrip("*") for each in found[1].split(",")]
    parameters = inspect.signature(getattr(ks, name)).parameters.values()
    wanted = ["options" if each.kind is each.VAR_KEYWORD else each.name for each in parameters]
    assert [each for each in given if each] == wanted


@pytest.mark.parametrize(
    ("function", "name"), [(read_points, "read_points"), (frame_points, "frame_points"), (Dataset.of, "ks.Dataset.of")]
)
def test_functions_for_data_are_documented_with_their_parameters(function, name):
    (found,) = re.findall(rf"`{re.escape(name)}\(([^`]*)\)`", API)
    given = [each.split("=")[0].strip() for each in re.sub(r"\(\)", "", found).split(",")]
    assert [each for each in given if each != "*"] == list(inspect.signature(function).parameters)


def test_every_argument_of_analyse_has_a_row():
    told = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| ([^|]+) \|", section(API, "`ks.analyse`"), re.MULTILINE))))
    assert told == set(inspect.signature(analyse).parameters)


def test_every_event_has_a_row_with_its_fields():
    for event in get_args(events.Event):
        (row,) = rows(section(API, "Events"), f"`{event.__name__}`")
        for each in fields(event):
            assert f"`{each.name}`" in row[1], each.name


@pytest.mark.parametrize("make", [analyses.contested, analyses.table, analyses.plain], ids=lambda make: make.__name__)
def test_every_section_of_the_report_is_explained(make):
    for part in compose(make()).sections:
        assert part.title in DOCS["report"], part.title


def test_the_report_says_what_its_page_says():
    from kernelscribe.report.words.english.readings import odds

    for lead, word in ((0.99, "slight"), (1.0, "moderate"), (5.0, "decisive")):
        assert odds(lead) == word
        assert f"| {word}" in DOCS["report"]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_compiles(page):
    for number, block in enumerate(blocks(page), start=1):
        compile(block, f"{page.name}, block {number}", "exec")


@pytest.mark.parametrize("name", ["tutorial", "python", "forecast"])
def test_code_runs(name, tmp_path, monkeypatch):
    """The code of a page from top to bottom, on a small table, with searches that go no further than base kernels."""
    monkeypatch.chdir(tmp_path)
    shallow = {"depth": 0, "restarts": 1, "budget": None}

    def quick(*args, **more):
        with parallel(Inline()):
            return analyse(*args, **{**more, **shallow})

    monkeypatch.setattr(ks, "analyse", quick)
    monkeypatch.setattr(ks, "discover", lambda *args, **more: quick(*args, **more).outcome)
    names = {}
    exec(blocks(ROOT / "docs" / "tutorial.md")[0], names)  # noqa: S102  (our own page; it makes the table)
    small = names["table"] = names["table"].head(48)
    small.to_csv("sales.csv", index=False)
    names.update(x=np.arange(48.0), y=small["sales"].to_numpy())
    quick("sales.csv").save(_folder(tmp_path) / "model.json")
    for block in blocks(ROOT / "docs" / f"{name}.md")[name == "tutorial" :]:
        exec(block, names)  # noqa: S102
    assert names["found"].kernel is not None
    assert name == "forecast" or (tmp_path / "sales.html").read_text().startswith("<!DOCTYPE html>")


def _folder(tmp_path):
    folder = tmp_path / "sales-kernelscribe"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]+))?\)", page.read_text()):
        path = page if not target else page.parent / target
        assert path.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
            assert anchor in {_anchor(title) for title in titles}, f"{target}#{anchor}"


def _anchor(title):
    """As the site and the forges make it of a heading."""
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())


def test_every_page_is_in_the_navigation():
    listed = re.findall(r": (\w+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(f"{name}.md" for name in DOCS)


@pytest.mark.parametrize("page", [*sorted(DOCS), "CONTRIBUTING"])
def test_files_named_in_the_docs_exist(page):
    """By their path from the top, from the package or from the engines; a name alone is that of some file."""
    written = DOCS[page] if page in DOCS else (ROOT / f"{page}.md").read_text()
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if ".venv" not in path.parts}
    for name in re.findall(r"`([\w/]+\.py)`", written):
        above = ("", "src/kernelscribe/", "src/kernelscribe/engines/")
        assert {f"{each}{name}" for each in above} & files or ("/" not in name and any(f.endswith(f"/{name}") for f in files)), (
            name
        )


def test_rooms_named_in_the_method_exist():
    for name in re.findall(r"`(\w+/)`", DOCS["method"]):
        assert (ROOT / "src" / "kernelscribe" / name).exists(), name


def test_no_code_is_evaluated_or_unpickled():
    for path in (ROOT / "src").rglob("*.py"):
        source = path.read_text()
        assert not re.search(r"\b(eval|exec)\(|import pickle|pickle\.load|np\.load\(", source), path
