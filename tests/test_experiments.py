"""Every experiment runs in small, draws its figures, and goes on where it was interrupted; the page is made of their results."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import page
from run import EXPERIMENTS, GUESSES, estimates
from tables import TABLES

FOLDER = Path(__file__).resolve().parents[1] / "experiments"
LARGEST = 200_000


def run(name, out):
    command = [sys.executable, str(FOLDER / f"{name}.py"), "--quick", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONWARNINGS": "error"}, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_in_small(name, tmp_path):
    said = run(name, tmp_path)
    path = tmp_path / f"{name}-quick.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["experiment"] == name
    assert found["complete"]
    assert found["versions"]["kernelscribe"]
    assert said.count(" s)") == len(found["cells"]) > 1
    assert f"({len(found['cells'])} of {len(found['cells'])}, " in said
    assert TABLES[name](found["summary"]).count("\n| ---") >= 1
    figures = list(tmp_path.glob("*.svg"))
    assert figures
    assert all(figure.with_suffix(".png").stat().st_size > 1000 for figure in figures)
    assert not list(tmp_path.glob("*.part"))
    assert not list(tmp_path.glob("*.search.*"))
    # Interrupted before the last cell: that one alone is measured again.
    *kept, last = found["cells"]
    found["cells"].pop(last)
    path.write_text(json.dumps(found), encoding="utf-8")
    again = run(name, tmp_path)
    assert again.count(" s)") == 1
    assert last in again
    assert list(json.loads(path.read_text(encoding="utf-8"))["cells"]) == [*kept, last]


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_experiment_that_is_ended_says_how_to_go_on(sign, tmp_path):
    command = [sys.executable, str(FOLDER / "small.py"), "--quick", "--out", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as begun:
        assert "(1 of " in begun.stderr.readline()
        begun.send_signal(sign)
        rest = begun.stderr.read()
    assert begun.returncode == -signal.SIGINT
    assert rest.endswith("Stopped. The same command goes on where it was.\n")
    assert "Traceback" not in rest
    (kept,) = [json.loads(path.read_text(encoding="utf-8")) for path in tmp_path.glob("small-quick.json")]
    assert kept["cells"] and not kept["complete"]


@pytest.mark.parametrize(
    ("end", "code"), [("sys.exit(3)", 3), ("os.kill(os.getpid(), 2)", 130), ("os.kill(os.getppid(), 15); time.sleep(60)", 143)]
)
def test_all_experiments_end_with_the_one_that_is_ended(end, code):
    script = f"import os, signal, sys, time; signal.signal(2, signal.SIG_DFL); {end}"
    whole = (
        f"import sys; sys.path.insert(0, {str(FOLDER)!r}); from run import run; sys.exit(run([sys.executable, '-c', {script!r}]))"
    )
    assert subprocess.run([sys.executable, "-c", whole], check=False, timeout=50).returncode == code


def test_every_experiment_is_in_the_order():
    scripts = {path.stem for path in FOLDER.glob("*.py") if "options = settings(" in path.read_text(encoding="utf-8")}
    assert scripts == set(EXPERIMENTS) == set(TABLES)


def test_without_data_only_quick_runs():
    done = subprocess.run([sys.executable, str(FOLDER / "slopes.py")], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--data DIR is needed" in done.stderr


def test_the_page_in_the_docs_is_that_of_the_results():
    made = page.page(page.read(page.RESULTS), {name: page.drawn(page.IMAGES, name) for name in EXPERIMENTS})
    assert made == (page.DOCS / "paper.md").read_text(encoding="utf-8"), "run make paper"


def test_kernels_in_sentences_keep_their_products():
    page_text = (page.DOCS / "paper.md").read_text(encoding="utf-8")
    sentences = [line for line in page_text.splitlines() if line.startswith("- ")]
    assert any("SE1 × PER1" in line for line in sentences)
    assert not any("*" in line for line in sentences)


def test_results_are_full_runs_and_small_files():
    for path in page.RESULTS.iterdir():
        whole = json.loads(path.read_text(encoding="utf-8"))
        assert whole["settings"]["quick"] is False
        assert whole["summary"]
        assert path.stat().st_size < LARGEST, path.name


def test_a_page_of_nothing_says_so():
    made = page.page({}, {})
    assert f"Of {len(page.CLAIMS)} claims {len(page.CLAIMS)} are not measured yet." in made
    assert made.count("Not run yet.") == len(EXPERIMENTS)


def test_results_are_taken_over(tmp_path):
    source, results, images = (tmp_path / name for name in ("runs", "results", "images"))
    source.mkdir()
    summary = {"mean distance of log values": {"10": 0.5, "320": 0.01}}
    whole = {
        "experiment": "hyperparameters",
        "settings": {"seed": 0, "quick": False},
        "versions": {"numpy": "2"},
        "machine": "two cores",
        "seconds": 7500.0,
        "complete": False,
        "summary": summary,
        "cells": {"exact": {"value": 1.5, "seconds": 7500.0, "when": "2026-01-02"}},
    }
    (source / "hyperparameters.json").write_text(json.dumps(whole))
    (source / "prior.json").write_text(json.dumps({**whole, "experiment": "prior", "summary": None}))
    for name in ("hyperparameters.svg", "prior.svg", "hyperparameters-quick.svg"):
        (source / name).write_text("<svg/>")
    page.keep(source, results, images)
    assert [path.name for path in results.iterdir()] == ["hyperparameters.json"]
    assert [path.name for path in images.iterdir()] == ["hyperparameters.svg"]
    assert page.read(results) == {"hyperparameters": whole}
    made = page.page(page.read(results), {"hyperparameters": page.drawn(images, "hyperparameters")})
    assert "![hyperparameters](images/paper/hyperparameters.svg)" in made
    assert "| `hyperparameters` | not finished | 1 | 2.1 h | 2026-01-02 |" in made
    assert "| `power` | not run yet |" in made
    assert "as inducing points are added. | holds so far |" in made
    assert "| 0.5 | 0.01 |" in made
    about = estimates(results)
    assert about["hyperparameters"] == 125.0
    assert about["power"] == GUESSES["power"]
