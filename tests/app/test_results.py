"""The folder that a run leaves behind, and the commands that go on from it."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import kernelscribe as ks
from analyses import TREND, analysis, months
from kernelscribe.app.exits import Exit
from kernelscribe.app.results import csv_text, saved_report, write_results
from kernelscribe.errors import OutputError
from searches import FLAGS, table


def command(*args):
    return subprocess.run(
        [sys.executable, "-m", "kernelscribe", *map(str, args)], capture_output=True, text=True, check=False
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of the real command on dates."""
    path = tmp_path_factory.mktemp("run")
    _, y = table(60)
    dates = pd.date_range("2010-01-01", periods=60, freq="MS").strftime("%Y-%m-%d")
    pd.DataFrame({"date": dates, "level": y}).to_csv(path / "level.csv", index=False)
    done = command("run", path / "level.csv", "--out", path / "out", "--workers", 1, "--forecast", 5, *FLAGS)
    assert done.returncode == Exit.DONE, done.stderr
    (path / "stdout").write_text(done.stdout)
    (path / "stderr").write_text(done.stderr)
    return path


def test_the_folder_holds_what_was_promised(folder):
    names = {each.name for each in (folder / "out").iterdir()}
    assert {"index.html", "model.json", "components.csv", "forecast.csv", "search.jsonl", "report.json"} <= names


def test_the_terminal_shows_findings_guesses_and_files(folder):
    said, told = (folder / "stdout").read_text(), (folder / "stderr").read_text()
    assert "% of the variation" in said
    assert str(folder / "out" / "index.html") in said
    assert "level was taken for the target" in told
    assert "date was taken for the time" in told


def test_the_forecast_has_as_many_rows_as_were_asked_for(folder):
    frame = pd.read_csv(folder / "out" / "forecast.csv")
    assert list(frame["ds"]) == ["2015-01-01", "2015-02-01", "2015-03-01", "2015-04-01", "2015-05-01"]
    assert list(frame.columns[:4]) == ["ds", "mean", "lower_95", "upper_95"]


def test_components_add_up_to_the_mean(folder):
    frame = pd.read_csv(folder / "out" / "components.csv")
    found = ks.load(folder / "out" / "model.json")
    parts = frame.drop(columns=["ds", "level", "mean", "lower_95", "upper_95"]).sum(axis=1)
    rest = frame["mean"] - parts
    small = found.decomposition
    # What is left is the level, and what was too small to be listed.
    assert rest.std() <= 0.02 * frame["level"].std() + np.sqrt(small.minor_share) * frame["level"].std()
    assert len(frame) == 60


def test_a_level_on_the_command_line_may_be_a_share(folder):
    shares, percentages = (command("forecast", folder / "out" / "model.json", "--level", level) for level in ("0.8", "80"))
    assert shares.returncode == Exit.DONE, shares.stderr
    assert shares.stdout == percentages.stdout
    assert "lower_80" in shares.stdout.splitlines()[0]


def test_stacked_series_end_in_one_sentence_and_one_of_them_is_analysed(tmp_path):
    rows = [f"2020-01-{i + 1:02d},{store},{i % 7 + j}" for j, store in enumerate("AB") for i in range(28)]
    (tmp_path / "sales.csv").write_text("date,store,sales\n" + "\n".join(rows))
    done = command("run", tmp_path / "sales.csv", "--out", tmp_path / "out")
    assert (done.returncode, done.stdout) == (Exit.BAD_INPUT, "")
    assert done.stderr.startswith("Error: ")
    assert "each date stands 2 times, told apart by store (A and B): choose one with --where store=A" in done.stderr
    assert not (tmp_path / "out").exists()
    one = ("--where", "store=B", "--out", tmp_path / "out", "--depth", 0, "--workers", 1, "--restarts", 1, "--json")
    done = command("run", tmp_path / "sales.csv", *one)
    assert done.returncode == Exit.DONE, done.stderr
    assert json.loads(done.stdout)["n"] == 28


def test_forecast_and_predict_agree_with_the_run(folder, tmp_path):
    done = command("forecast", folder / "out" / "model.json", "--horizon", 5)
    assert done.returncode == Exit.DONE, done.stderr
    assert done.stdout == (folder / "out" / "forecast.csv").read_text()
    (tmp_path / "when.csv").write_text("date,note\n2015-01-01,a\n2015-03-01,b\n")
    out = tmp_path / "predicted.csv"
    done = command("predict", folder / "out" / "model.json", tmp_path / "when.csv", "--level", 80, "--out", out)
    assert done.returncode == Exit.DONE, done.stderr
    frame, whole = pd.read_csv(out), pd.read_csv(folder / "out" / "forecast.csv")
    assert list(frame["ds"]) == ["2015-01-01", "2015-03-01"]
    assert "lower_80" in frame
    np.testing.assert_allclose(frame["mean"], whole["mean"][[0, 2]], rtol=1e-9)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_the_report_once_more_in_another_format(folder, ending):
    done = command("report", folder / "out", "--format", ending)
    assert done.returncode == Exit.DONE, done.stderr
    assert (folder / "out" / f"report.{ending}").exists()
    if ending == "html":
        assert (folder / "out" / "report.html").read_text() == (folder / "out" / "index.html").read_text()


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["predict", "MODEL", "other.csv"], Exit.BAD_INPUT, "no column 'date'"),
        (["predict", "MODEL", "nowhere.csv"], Exit.BAD_INPUT, "cannot read"),
        (["predict", "nowhere.json", "other.csv"], Exit.BAD_INPUT, "cannot read nowhere.json"),
        (["forecast", "other.csv"], Exit.BAD_INPUT, "is not a kernelscribe model"),
        (["forecast", "MODEL", "--out", "no/such/folder/x.csv"], Exit.CANNOT_WRITE, "cannot write"),
        (["forecast", "MODEL", "--level", "101"], Exit.BAD_INPUT, "above 1 and below 100"),
        (["report", "nowhere"], Exit.BAD_INPUT, "cannot read"),
    ],
)
def test_bad_requests_are_one_plain_sentence(folder, tmp_path, monkeypatch, args, code, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.csv").write_text("day,level\n1,2\n2,3\n")
    done = command(*(str(folder / "out" / "model.json") if each == "MODEL" else each for each in args))
    assert done.returncode == code
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_constant_target_is_told_without_a_search(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{i},7\n" for i in range(20)))
    done = command("run", tmp_path / "t.csv", "--out", tmp_path / "o")
    assert done.returncode == Exit.DONE, done.stderr
    assert "y is constant at 7" in done.stdout
    assert "search.jsonl" not in done.stdout
    assert (tmp_path / "o" / "index.html").exists()


def test_datasets_are_listed_with_their_source():
    done = command("datasets")
    assert done.returncode == Exit.DONE
    assert "mauna_loa" in done.stdout
    assert "Keeling" in done.stdout


def test_a_table_of_several_inputs_has_no_forecast(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(50, 2))
    found = analysis("SE1(variance=1, lengthscale=1) + LIN2(variance=1, location=0)", X, X.sum(axis=1))
    files = write_results(found, tmp_path)
    assert set(files) == {"report", "model", "components"}
    assert "forecast.csv" not in {each.name for each in tmp_path.iterdir()}
    assert saved_report(tmp_path) == found.document()


def test_a_target_named_like_a_column_of_ours_keeps_its_values(tmp_path):
    found = analysis(TREND, *months(60), target="mean")
    write_results(found, tmp_path)
    frame = pd.read_csv(tmp_path / "components.csv")
    np.testing.assert_allclose(frame["mean (target)"], found.model.target)


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        write_results(analysis(TREND, *months(60)), tmp_path / "taken")


def test_tables_hold_no_formulas():
    frame = pd.DataFrame({"=1+1": [1.5, -2.0], "note": ["@x", "-3"]})
    assert csv_text(frame) == "'=1+1,note\n1.5,'@x\n-2.0,'-3\n"


@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_tables_are_written_as_pandas_writes_them(monkeypatch, rows):
    """In parts of any size: numbers with all their digits, quotes where they are needed, nothing where there is nothing."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "ds": [f"2020-01-{day:02d} 01:00:00" for day in range(1, 21)],
        'a "name", of sorts': [*rng.normal(size=16) * 10.0 ** rng.integers(-20, 20, 16), 0.1, 1e300, -0.0, 3.0],
        "count": range(20),
        "gaps": [np.nan if i % 3 else i / 7 for i in range(20)],
        "text": ["a,b", 'say "so"', "two\nlines", None] * 5,
    })  # fmt: skip
    monkeypatch.setattr("kernelscribe.app.results._ROWS", rows)
    assert csv_text(frame) == frame.to_csv(index=False, lineterminator="\n")
    assert csv_text(frame.iloc[:0]) == frame.iloc[:0].to_csv(index=False, lineterminator="\n")


def test_json_of_a_run_is_one_object(tmp_path):
    x, y = table(30)
    np.savetxt(tmp_path / "t.csv", np.column_stack([x, y]), delimiter=",", header="x,y", comments="")
    done = command("run", tmp_path / "t.csv", "--out", tmp_path / "o", "--workers", 1, "--depth", 0, "--restarts", 1, "--json")
    assert done.returncode == Exit.DONE, done.stderr
    found = json.loads(done.stdout)
    assert {"kernel", "terms", "interval", "bic", "noise_variance", "components", "n", "inputs", "engine", "strategy", "depth",
            "fits", "failed", "seconds", "files", "headline", "notes"} <= set(found)  # fmt: skip
    assert {"text", "share", "periods", "lengthscales", "summary"} <= set(found["components"][0])
