"""The command line as a newcomer meets it."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from kernelscribe.app.cli import Exit, cli
from kernelscribe.fit.objective import LogPosterior


def run(*args):
    return subprocess.run([sys.executable, "-m", "kernelscribe", *args], capture_output=True, text=True, check=False)


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    x = np.arange(120) / 12 + 1990
    y = 300 + 1.5 * (x - 1990) + 3 * np.sin(2 * np.pi * x) + 0.3 * rng.normal(size=120)
    path = tmp_path / "series.csv"
    np.savetxt(path, np.column_stack([x, y]), delimiter=",", header="year,level", comments="")
    return path


def test_score_as_json(table):
    done = run("score", str(table), "PER + LIN", "--inducing", "40", "--restarts", "6", "--seed", "0", "--json")
    assert done.returncode == Exit.DONE, done.stderr
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found["kernel"] == "PER + LIN"
    assert found["terms"] == ["PER", "LIN"]
    assert found["interval"]["lower"] <= found["exact"] <= found["interval"]["upper"]
    assert found["components"][0]["periods"] == [pytest.approx(1.0, abs=0.01)]
    assert found["engine"] == "inducing"
    assert found["n"] == 120
    assert found["status"] == "ok"
    assert found["inputs"] == ["year"]


def test_score_in_words(table):
    done = run("score", str(table), "LIN", "--restarts", "2")
    assert done.returncode == Exit.DONE, done.stderr
    assert "explaining level by year, 120 rows" in done.stdout
    assert "noise variance" in done.stdout
    assert "nan" not in done.stdout


@pytest.mark.parametrize("kind", ["constant", "growing", "changing"])
def test_score_with_noise_of_a_kind(table, kind):
    done = run("score", str(table), "PER + LIN", "--restarts", "1", "--noise", kind, "--json")
    assert done.returncode == Exit.DONE, done.stderr
    assert json.loads(done.stdout)["noise"]["kind"] == kind


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["score", "TABLE", "SE*POR"], "no base kernel 'POR'"),
        (["score", "TABLE", "SE", "--noise", "loud"], "is not one of"),
        (["score", "TABLE", "SE", "--noise", "growing", "--engine", "spectral"], "takes noise that is the same everywhere"),
        (["score", "TABLE", "SE3"], "the data have 1"),
        (["score", "nowhere.csv", "SE"], "cannot read nowhere.csv"),
        (["score", "TABLE", "SE", "--target", "height"], "no column 'height'"),
        (["score", "TABLE", "SE", "--inducing", "0"], "inducing must be at least 1"),
        (["score", "TABLE", "SE", "--inducing", "some"], "not a valid integer"),
        (["score", "TABLE", "SE", "--engine", "magic"], "is not one of"),
        (["score", "TABLE"], "Missing argument"),
        (["sing"], "No such command"),
    ],
)
def test_bad_input_is_one_plain_sentence(table, args, says):
    done = run(*[str(table) if arg == "TABLE" else arg for arg in args])
    assert done.returncode == Exit.BAD_INPUT
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_no_model_is_exit_code_3(table, monkeypatch):
    monkeypatch.setattr(LogPosterior, "__call__", lambda posterior, u: (math.nan, u))
    done = CliRunner().invoke(cli, ["score", str(table), "SE", "--json"])
    assert done.exit_code == Exit.NO_MODEL
    assert done.stderr.startswith("No model: no start gave a finite score")
    assert json.loads(done.stdout)["interval"] == {"lower": None, "upper": None}


def test_no_time_at_all_gives_a_model_that_says_so(table):
    done = run("score", str(table), "SE", "--patience", "0", "--json")
    assert done.returncode == Exit.DONE
    found = json.loads(done.stdout)
    assert found["status"] == "timeout"
    assert found["interval"]["lower"] <= found["exact"] <= found["interval"]["upper"]


def test_help_is_light():
    """`--help` answers without the heavy libraries, and lists every command."""
    code = (
        "import sys\nsys.argv = ['kernelscribe', '--help']\nfrom kernelscribe.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'pandas', 'sklearn', 'altair', 'numba', 'statsmodels', 'matplotlib'} & set(sys.modules)\n"
        "print('HEAVY', sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "HEAVY []" in done.stdout
    for command in cli.commands:
        assert command in done.stdout


def test_version():
    from kernelscribe import __version__

    assert __version__ in run("--version").stdout
