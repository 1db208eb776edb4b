"""Faults of a run's folder, by their numbers in the project's list of faults: full, of other data, in use, or taken."""

import errno
import os
import subprocess

import pytest

import kernelscribe as ks
import searches
from commands import INLINE, command, linux
from kernelscribe import events
from kernelscribe.app.cli import Exit
from kernelscribe.errors import OptionError
from kernelscribe.search import journal as journals
from searches import FLAGS, facts, lines, write_table


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("after", [0, 7])
def test_fault_54_journal_cannot_be_written(tmp_path, monkeypatch, after):
    """One warning; the search goes on in memory, to the same end; the file holds whole lines only."""
    usual, calls = journals.put, []

    def put(fd, line):
        calls.append(line)
        if len(calls) > after:
            full()
        usual(fd, line)

    def refuses(path, text):
        if calls:
            full()
        usual_write(path, text)

    usual_write, seen, path = journals.write, [], tmp_path / "search.jsonl"
    monkeypatch.setattr(journals, "put", put)
    monkeypatch.setattr(journals, "write", refuses)
    found = searches.run(journal=path, on_event=seen.append)
    monkeypatch.undo()
    warnings = [each.message for each in seen if isinstance(each, events.Warned)]
    assert len(warnings) == 1
    assert "No space left on device" in warnings[0]
    expected = searches.run()
    assert facts(found) == facts(expected)
    assert len(lines(path)) == 1 + after
    assert facts(searches.run(journal=path, resume=True)) == facts(expected)


@linux
def test_fault_54_disk_full_for_good(file, tmp_path):
    """No file may grow beyond some kilobytes: a line of the journal is cut short and there is no report, yet the search ends,
    what could be written is whole, and later it goes on to the end."""
    out = tmp_path / "out"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (18000, resource.RLIM_INFINITY))"
    done = subprocess.run(
        [*INLINE[:2], limit + INLINE[2], "run", file, "--out", out, *FLAGS], capture_output=True, text=True, check=False
    )
    assert done.stderr.count("warning:") == 1
    assert "the journal cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == Exit.CANNOT_WRITE, done.stderr
    assert f"cannot write {out / 'report.json'}: File too large" in done.stderr
    assert ks.load(out / "model.json").kernel is not None
    assert sorted(os.listdir(out)) == ["components.csv", "forecast.csv", "model.json", "search.jsonl", "search.jsonl.lock"]
    before = (out / "model.json").read_bytes()
    assert command("run", file, "--out", out, "--resume").exit_code == Exit.DONE
    assert (out / "model.json").read_bytes() == before


def test_fault_54_model_cannot_be_written(file, tmp_path, monkeypatch):
    """Exit code 4 and the path; the answer is printed, and no half file is left."""
    out = tmp_path / "out"
    monkeypatch.setattr("kernelscribe.model.file.write", full)
    done = command("run", file, "--out", out, *FLAGS)
    assert done.exit_code == Exit.CANNOT_WRITE
    assert f"cannot write {out / 'model.json'}: No space left on device" in done.stderr
    assert "explaining level by year" in done.stdout
    assert str(out / "model.json") not in done.stdout
    assert sorted(os.listdir(out)) == ["search.jsonl", "search.jsonl.lock"]


def test_fault_54_something_else_has_the_models_name(file, tmp_path):
    (tmp_path / "out" / "model.json").mkdir(parents=True)
    done = command("run", file, "--out", tmp_path / "out", *FLAGS, "--force")
    assert done.exit_code == Exit.CANNOT_WRITE
    assert str(tmp_path / "out" / "model.json") in done.stderr
    assert not list(tmp_path.rglob("*.tmp"))


def test_fault_55_journal_of_other_data(file, tmp_path):
    """The command says what differs, with exit code 2, and leaves the journal as it is."""
    out = tmp_path / "out"
    assert command("run", file, "--out", out, *FLAGS).exit_code == Exit.DONE
    before = (out / "search.jsonl").read_bytes()
    other = write_table(tmp_path / "other.csv", 61)
    done = subprocess.run([*INLINE, "run", other, "--out", out, "--resume"], capture_output=True, text=True, check=False)
    assert done.returncode == Exit.BAD_INPUT
    assert done.stderr.splitlines()[-1].startswith("Error: the journal was written for other data")
    assert (out / "search.jsonl").read_bytes() == before


def test_fault_56_two_runs_in_one_folder(file, tmp_path):
    """The second one refuses, and says who has it; the first one is not disturbed."""
    out = tmp_path / "out"
    second = []

    def tell(event):
        if isinstance(event, events.Began):
            second.append(command("run", file, "--out", out, "--force", *FLAGS))

    found = searches.run(journal=out / "search.jsonl", on_event=tell)
    assert isinstance(second[0].exception, ks.JournalError)
    assert f"process {os.getpid()}" in str(second[0].exception)
    assert facts(found) == facts(searches.run())


def test_fault_57_output_exists(file, tmp_path):
    """Refused without --force, by the command itself with exit code 2."""
    out = tmp_path / "out"
    assert command("run", file, "--out", out, *FLAGS).exit_code == Exit.DONE
    before = (out / "model.json").read_bytes()
    again = command("run", file, "--out", out, *FLAGS, "--seed", 1)
    assert isinstance(again.exception, OptionError)
    assert "--resume" in str(again.exception)
    assert "--force" in str(again.exception)
    assert (out / "model.json").read_bytes() == before
    # Without a model a journal alone is guarded too.
    (out / "model.json").rename(out / "old.json")
    done = subprocess.run([*INLINE, "run", file, "--out", out, *FLAGS], capture_output=True, text=True, check=False)
    assert done.returncode == Exit.BAD_INPUT
    assert "search.jsonl exists: use --resume" in done.stderr
    assert not (out / "model.json").exists()
    assert command("run", file, "--out", out, *FLAGS, "--force").exit_code == Exit.DONE
    assert (out / "model.json").read_bytes() == before
