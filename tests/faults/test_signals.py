"""A run that is killed, interrupted or asked to end: faults by their numbers in the project's list of faults."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

import kernelscribe as ks
from commands import PATIENCE, PLAIN, SERVER, STUCK, alive, children, command, entries, linux, same, start, until
from kernelscribe.app.cli import Exit
from kernelscribe.search import work
from searches import FLAGS, LONG_FLAGS, lines


@pytest.fixture(scope="module")
def quiet(file, tmp_path_factory):
    """The folder of a search that nothing disturbed."""
    out = tmp_path_factory.mktemp("quiet") / "out"
    done = command("run", file, "--out", out, *LONG_FLAGS)
    assert done.exit_code == Exit.DONE, done.stderr
    return out


class Fork:
    """A command that the server runs, with the manners of Popen."""

    def __init__(self, server, *args):
        self.server = server
        server.stdin.write(json.dumps([str(arg) for arg in args]) + "\n")
        server.stdin.flush()
        self.pid = int(server.stdout.readline())

    def running(self):
        return Path(f"/proc/{self.pid}").exists()

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)

    def wait(self):
        return int(self.server.stdout.readline())


class Process(Fork):
    """The command as it is, with a worker."""

    def __init__(self, *args):
        self.process = start(PLAIN, *args, "--workers", 1, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid = self.process.pid

    def running(self):
        return self.process.poll() is None

    def wait(self):
        return self.process.wait(PATIENCE)


@pytest.fixture
def server():
    with start(SERVER, stdin=subprocess.PIPE) as process:
        yield process
        process.stdin.close()
        process.wait(PATIENCE)


@linux
def test_fault_51_killed_twenty_times(file, quiet, tmp_path, server):
    """Whenever the process is killed, the search goes on where it was, to the same end; and its workers do not outlive it."""
    rng, kills, folders, workers, going = random.Random(0), 0, 0, [], True  # noqa: S311
    while kills < 20 or going:
        out = tmp_path / str(folders)
        journal = out / "search.jsonl"
        args = ["run", file, "--out", out, *(["--resume"] if journal.exists() else LONG_FLAGS)]
        before = entries(journal)
        run = Process(*args) if kills in (3, 8, 13) else Fork(server, *args)
        if kills < 20:
            # Most kills come while results arrive, some before.
            soon = kills % 5 == 4
            assert soon or until(lambda run=run, journal=journal, before=before: entries(journal) > before or not run.running())
            time.sleep(rng.uniform(0.0, 0.1))
            workers += [pid for pid in children(run.pid) if isinstance(run, Process)]
            if run.running():
                run.kill()
                kills += 1
        going = run.wait() != 0
        if not going:
            same(out, quiet)
            folders += 1
    assert workers
    assert until(lambda: not any(map(alive, workers)), 20)


def stopped(file, quiet, tmp_path, number, code, reason):
    """Stop a run by a signal, look at what it leaves, and let it go on."""
    out = tmp_path / "out"
    process = start(PLAIN, "run", file, "--out", out, "--workers", 2, *LONG_FLAGS)
    # As many as show that a first kernel is fitted.
    assert until(
        lambda: b'"stage": "polish"' in ((out / "search.jsonl").read_bytes() if (out / "search.jsonl").exists() else b"")
    )
    workers = children(process.pid)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # ctrl-C reaches the workers too
    else:
        process.send_signal(number)
    printed, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == code, errors
    assert "Traceback" not in errors
    assert f"stopped: {reason}" in errors
    assert str(out / "model.json") in printed
    model = ks.load(out / "model.json")
    assert model.result["stopped"] == reason
    assert model.kernel is not None
    assert lines(out / "search.jsonl")[0] == lines(quiet / "search.jsonl")[0]
    assert len(workers) >= 2
    assert until(lambda: not any(map(alive, workers)), 20)
    assert command("run", file, "--out", out, "--resume").exit_code == Exit.DONE
    same(out, quiet)


@linux
def test_fault_52_interrupted(file, quiet, tmp_path):
    """ctrl-C: what is known is written, nothing is left running, and the search can go on."""
    stopped(file, quiet, tmp_path, signal.SIGINT, 130, "ctrl-C")


def test_fault_52_interrupted_before_anything_is_known(file, tmp_path, monkeypatch):
    usual = work._STATEMENT_STAGES["screen"]

    def interrupts(bench, task):
        monkeypatch.setitem(work._STATEMENT_STAGES, "screen", usual)
        signal.raise_signal(signal.SIGINT)
        return usual(bench, task)

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setitem(work._STATEMENT_STAGES, "screen", interrupts)
    monkeypatch.setattr(os, "_exit", lambda code: pytest.fail("a second signal was seen"))
    done = command("run", file, "--out", tmp_path / "out", *FLAGS)
    assert done.exit_code == Exit.STOPPED
    assert "noise alone" in done.stdout
    assert ks.load(tmp_path / "out" / "model.json").model.expr is not None
    assert signal.getsignal(signal.SIGINT) is before


@linux
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_fault_52_second_signal_ends_at_once(file, tmp_path, number, code):
    process = start(STUCK, "run", file, "--out", tmp_path / "out", *FLAGS)
    try:
        assert process.stdout.readline() == "stuck\n"
        process.send_signal(number)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(number)
        assert process.wait(PATIENCE) == code
    finally:
        process.kill()
        process.communicate()


@linux
def test_fault_53_terminated(file, quiet, tmp_path):
    """As ctrl-C, with its own exit code."""
    stopped(file, quiet, tmp_path, signal.SIGTERM, 143, "asked to end")
