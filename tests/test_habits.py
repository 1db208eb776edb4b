"""What stands around the code is true: versions agree, the workflow and the hooks run what there is, tools are pinned."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import kernelscribe as ks

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAKEFILE = (ROOT / "Makefile").read_text()
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
TOOLS = ("ruff", "mypy", "codespell")


def lowest(name):
    """The lowest version of a library that the package asks for."""
    return next(re.fullmatch(rf"{name}>=([\d.]+)", each)[1] for each in PROJECT["dependencies"] if each.startswith(f"{name}>"))


def commands():
    return [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]


def test_the_citation_names_this_version_its_licence_and_the_paper():
    assert (CITATION["version"], CITATION["license"]) == (ks.__version__, PROJECT["license"])
    (paper,) = CITATION["references"]
    assert [author["family-names"] for author in paper["authors"]] == ["Kim", "Teh"]
    assert paper["year"] == 2018
    assert {"cff-version", "message", "title", "authors", "type"} <= CITATION.keys()


def test_the_version_is_one_that_an_index_takes():
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc|\.dev)\d+)?", ks.__version__)


def test_the_matrix_has_the_lowest_and_a_higher_python_and_numpy_on_three_systems():
    matrix = WORKFLOW["jobs"]["matrix"]["strategy"]["matrix"]
    assert {system.split("-")[0] for system in matrix["system"]} == {"ubuntu", "macos", "windows"}
    assert f">={matrix['python'][0]}" == PROJECT["requires-python"]
    assert matrix["numpy"][0] == f"{lowest('numpy')}.*"
    assert len(set(matrix["python"])) == len(set(matrix["numpy"])) == 2


def test_the_workflow_runs_what_there_is():
    wanted = [target for command in commands() for target in re.findall(r"^make (\S+)$", command, re.MULTILINE)]
    assert wanted
    assert not [target for target in wanted if not re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)]
    scripts = [command for command in commands() if command.startswith(".")]
    assert scripts == [".ci/run"]
    assert (ROOT / ".ci/run").stat().st_mode & 0o100


def test_the_matrix_runs_the_tests_that_make_does():
    (chosen,) = re.findall(r"^test: .*\n\t\$\(TEST\) (.+)$", MAKEFILE, re.MULTILINE)
    assert any(command.endswith(chosen.replace("'", '"')) and "pytest -n 2" in command for command in commands())


@pytest.mark.parametrize("tool", TOOLS)
def test_tools_that_judge_are_pinned_and_run_by_make_and_before_a_commit(tool):
    assert [each for each in PROJECT["optional-dependencies"]["dev"] if re.fullmatch(rf"{tool}==[\d.]+", each)]
    assert f"\t$(BIN)/{tool}" in MAKEFILE
    assert any(hook["entry"].split()[0] == f".venv/bin/{tool}" for hook in HOOKS)


def test_no_other_tool_is_run_before_a_commit():
    assert {hook["entry"].split()[0].rpartition("/")[2] for hook in HOOKS} == set(TOOLS)
    assert {hook["language"] for hook in HOOKS} == {"system"}


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_templates_can_be_read(path):
    held = yaml.safe_load(path.read_text())
    if path.parent.name == "ISSUE_TEMPLATE" and path.stem != "config":
        assert {"name", "description", "body"} <= held.keys()
        assert all(each["type"] in ("textarea", "input") and each["attributes"]["label"] for each in held["body"])
