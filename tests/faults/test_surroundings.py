"""Terminals, pipes, locales, clocks and folders that a run may meet: fault 62 of the project's list of faults."""

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import kernelscribe as ks
import searches
from commands import INLINE, PATIENCE, linux, start
from kernelscribe import events
from kernelscribe.app.cli import Exit
from kernelscribe.app.display import LineDisplay, Screen, display
from kernelscribe.search.pool import Inline
from searches import FIRST, FLAGS, SMALL, facts, lines, table


def test_fault_62_no_terminal(file, tmp_path):
    """Plain lines without colours on one side, the result alone on the other."""
    out = tmp_path / "out"
    done = subprocess.run([*INLINE, "run", file, "--out", out, *FLAGS, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == Exit.DONE, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr.startswith("60 rows, level by year; engine exact")
    assert f"depth 0: {FIRST} tried" in done.stderr
    assert {name: Path(path).name for name, path in json.loads(done.stdout)["files"].items()} == {
        "report": "index.html", "model": "model.json", "components": "components.csv", "forecast": "forecast.csv",
        "journal": "search.jsonl",
    }  # fmt: skip


def test_fault_62_a_terminal_is_redrawn_and_left_clean():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    stream = Terminal()
    shown = display(stream)
    assert isinstance(shown, Screen)
    assert isinstance(display(io.StringIO()), LineDisplay)
    try:
        searches.run(on_event=shown)
    finally:
        shown.close()
    assert f"depth 0: {FIRST} tried" in stream.getvalue()
    assert stream.getvalue().count("\x1b[?25l") == stream.getvalue().count("\x1b[?25h") > 0


@linux
@pytest.mark.parametrize("streams", [("stdout",), ("stdout", "stderr")])
def test_fault_62_pipe_closed(file, tmp_path, streams):
    """`| head -1`, and `2>&1 | head -1`: no complaint, and the model is written all the same."""
    out = tmp_path / "out"
    process = start(INLINE, "run", file, "--out", out, *FLAGS)
    for name in streams:
        getattr(process, name).close()
    errors = "" if "stderr" in streams else process.stderr.read()
    assert process.wait(PATIENCE) == Exit.DONE
    assert "Traceback" not in errors
    assert "Broken" not in errors
    assert ks.load(out / "model.json").kernel is not None
    for stream in (process.stdout, process.stderr):
        stream.close()


@linux
def test_fault_62_streams_closed_from_the_start(file, tmp_path):
    """`>&- 2>&-`, as some services start their programs: workers of our own too."""
    out = tmp_path / "out"
    line = (
        f"exec {sys.executable} -m kernelscribe run {file} --out {out} --workers 1 --depth 0 {' '.join(FLAGS[2:])} >&- 2>&- <&-"
    )
    assert subprocess.run(["sh", "-c", line], check=False, timeout=PATIENCE).returncode == Exit.DONE
    assert ks.load(out / "model.json").outcome.failed == 0


@pytest.mark.parametrize(
    "more", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "cp1252", "TZ": "nowhere"}]
)
def test_fault_62_surroundings(file, tmp_path, more):
    """Without HOME, in the C locale or where the letters of the tree do not exist, from another folder."""
    bare = {name: value for name, value in os.environ.items() if name not in ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "PYTHONUTF8")}
    name = os.path.relpath(file, tmp_path)
    done = subprocess.run([*INLINE, "run", name, *FLAGS], capture_output=True, check=False, cwd=tmp_path, env=bare | more)
    assert done.returncode == Exit.DONE, done.stderr
    out = tmp_path / "series-kernelscribe"
    assert str(out / "model.json").encode() in done.stdout
    assert b"BIC" in done.stdout
    assert ks.load(out / "model.json").kernel is not None


def test_fault_62_clock_jumps(monkeypatch):
    """Back by a year at each look: times are measured by a clock that cannot be set."""
    expected = searches.run()
    years = iter(range(10**9, 0, -31_557_600))
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: float(next(years, 0)))
        found = searches.run(options={**SMALL, "budget": 3600.0, "patience": 3600.0})
    assert facts(found) == facts(expected)
    assert found.seconds >= 0
    assert all(fit.seconds >= 0 for fit in found.fits)


def test_fault_62_working_directory_changes(tmp_path, monkeypatch):
    """A relative journal stays where it began."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()

    def tell(event):
        if isinstance(event, events.Found):
            os.chdir(tmp_path / "elsewhere")

    with ks.parallel(Inline()):
        found = ks.discover(*table(), journal="search.jsonl", on_event=tell, **SMALL)
    assert len(lines(tmp_path / "search.jsonl")) == 1 + len(found.state.log)
    assert os.listdir(tmp_path / "elsewhere") == []
