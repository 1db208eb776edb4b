"""Every experiment runs in small, draws its figures, and goes on where it was interrupted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "experiments"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in ("harness", "searches"))


def run(name, out):
    command = [sys.executable, str(FOLDER / f"{name}.py"), "--quick", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONWARNINGS": "error"}, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_in_small(name, tmp_path):
    said = run(name, tmp_path)
    path = tmp_path / f"{name}-quick.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["experiment"] == name
    assert found["summary"]
    assert found["versions"]["kernelscribe"]
    assert said.count(" s)") == len(found["cells"]) > 1
    figures = list(tmp_path.glob("*.svg"))
    assert figures
    assert all(figure.with_suffix(".png").stat().st_size > 1000 for figure in figures)
    assert not list(tmp_path.glob("*.part"))
    assert not list(tmp_path.glob("*.search.jsonl*"))
    # Interrupted before the last cell: that one alone is measured again.
    *kept, last = found["cells"]
    found["cells"].pop(last)
    path.write_text(json.dumps(found), encoding="utf-8")
    again = run(name, tmp_path)
    assert again.count(" s)") == 1
    assert last in again
    assert list(json.loads(path.read_text(encoding="utf-8"))["cells"]) == [*kept, last]


def test_without_data_only_quick_runs():
    done = subprocess.run([sys.executable, str(FOLDER / "slopes.py")], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--data DIR is needed" in done.stderr
