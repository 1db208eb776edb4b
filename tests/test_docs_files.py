"""Every file of a run is documented, with its keys and columns."""

import json
import re

import numpy as np
import pytest

from kernelscribe import parallel
from kernelscribe.api.analysis import analyse
from kernelscribe.app import results
from kernelscribe.search.entries import to_journal
from kernelscribe.search.pool import Inline
from kernelscribe.summary import analysis_dict, as_dict
from pages import API, FILES, ROOT, rows, section


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
