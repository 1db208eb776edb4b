"""Faults of a run, one test a fault or more, named by the number it has in the project's list of faults."""

import errno
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

import kernelscribe as ks
import searches
from kernelscribe import events
from kernelscribe.app.cli import Exit, cli
from kernelscribe.app.display import LineDisplay, Screen, display
from kernelscribe.config import Config
from kernelscribe.discovery import search
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.errors import OptionError, Status
from kernelscribe.events import Stop
from kernelscribe.fit.facts import Failure, Fault, Fit
from kernelscribe.search import crew as crews
from kernelscribe.search import journal as journals
from kernelscribe.search import work
from kernelscribe.search.pool import Inline, processes
from kernelscribe.search.rules import ranked
from searches import FLAGS, LONG_FLAGS, SMALL, Manual, dataset, facts, lines, table, write_table

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

# The command as it is, and the same without processes of its own, which starts faster.
PLAIN = [sys.executable, "-m", "kernelscribe"]
INLINE = [
    sys.executable,
    "-c",
    """
import kernelscribe as ks
from kernelscribe.__main__ import main
from kernelscribe.search.pool import Inline
with ks.parallel(Inline()):
    main()
""",
]
# The same, but the first task never ends.
STUCK = [
    sys.executable,
    "-c",
    """
import time
import kernelscribe as ks
from kernelscribe.__main__ import main
from kernelscribe.search import work
from kernelscribe.search.pool import Inline
work._STAGES["screen"] = lambda ladder, task: print("stuck", flush=True) or time.sleep(600)
with ks.parallel(Inline()):
    main()
""",
]
# Starts many such commands without processes of their own, one a line of arguments, each in a fork: Python starts but once.
SERVER = [
    sys.executable,
    "-c",
    """
import json, os, sys
import kernelscribe as ks
import kernelscribe.app.run
from kernelscribe.__main__ import main
from kernelscribe.search.pool import Inline
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        sys.argv[1:] = json.loads(line)
        sys.stdout = sys.stderr = open(os.devnull, "w")
        with ks.parallel(Inline()):
            main()
    print(pid, flush=True)
    print(os.waitpid(pid, 0)[1], flush=True)
""",
]
PATIENCE = 60.0


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return write_table(tmp_path_factory.mktemp("data") / "series.csv")


@pytest.fixture(scope="module")
def quiet(file, tmp_path_factory):
    """The folder of a search that nothing disturbed."""
    out = tmp_path_factory.mktemp("quiet") / "out"
    done = command("run", file, "--out", out, *LONG_FLAGS)
    assert done.exit_code == Exit.DONE, done.stderr
    return out


def command(*args):
    """The command in this process, without workers."""
    with ks.parallel(Inline()):
        return CliRunner().invoke(cli, [str(arg) for arg in args])


def start(head, *args, **more):
    """The command in a process of its own, and in a group of its own, as a terminal would start it."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    return subprocess.Popen([*head, *map(str, args)], **(pipes | more))


def until(holds, seconds=PATIENCE):
    """Wait until that is true; the answer is whether it has become so."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def children(pid):
    """The processes that one has started."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(each) for each in path.read_text().split()]
        except OSError:
            continue
    return found


def alive(pid):
    """Whether a process of ours still runs; one that has ended and waits for its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        ours = b"loky" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return ours and state != "Z"


def entries(journal):
    """How many results a journal holds; none where there is no journal yet."""
    return journal.read_bytes().count(b"\n") - 1 if journal.exists() else 0


def same(out, quiet):
    """The same model to the last digit, and the same journal but for the times."""
    assert (out / "model.json").read_bytes() == (quiet / "model.json").read_bytes()
    assert lines(out / "search.jsonl") == lines(quiet / "search.jsonl")


def test_fault_46_all_candidates_fail(file, tmp_path, monkeypatch):
    """Exit code 3, noise alone, and nothing invented."""

    def fails(ladder, task):
        raise FloatingPointError("nothing works today")

    monkeypatch.setitem(work._STAGES, "screen", fails)
    found = searches.run()
    assert found.best is None
    assert found.failed == len(found.fits) == 3
    assert not found.structure
    done = command("run", file, "--out", tmp_path / "out", *FLAGS)
    assert done.exit_code == Exit.NO_MODEL
    assert "No model: none of 3 kernels could be fitted" in done.stdout
    assert f"{found.noise_bic:.2f}" in done.stdout
    model = ks.load(tmp_path / "out" / "model.json")
    assert model.kernel is None
    assert model.model.expr is None
    assert model.outcome.failed == 3
    done = command("run", file, "--out", tmp_path / "json", *FLAGS, "--json")
    assert done.exit_code == Exit.NO_MODEL
    assert json.loads(done.stdout)["kernel"] is None


def test_fault_47_ties_and_last_digits():
    """Scores that differ by less than a millionth of a nat are ranked by the kernels' text, on every machine alike."""
    scales = dataset().scales

    def fit(bic):
        here = Interval(bic, bic)
        return Fit(scales, ks.parse("SE1"), 0.1, Evidence(here, here), here, (), "exact", 1, 0.0, Status.OK)

    for noise in (0.0, 1e-9, -1e-9):
        fits = {"SE1": fit(-10.0 + noise), "PER1": fit(-10.0), "LIN1": fit(-10.0 - noise), "SE1 + SE1": fit(-9.99)}
        assert ranked(fits, fits, "middle") == ["SE1 + SE1", "LIN1", "PER1", "SE1"]
        assert ranked(fits, reversed(list(fits)), "upper") == ["SE1 + SE1", "LIN1", "PER1", "SE1"]


def test_fault_47_same_seed_same_tree():
    """Said twice, the same; with other workers see test_parallel."""
    assert facts(searches.run()) == facts(searches.run())


def test_fault_49_worker_killed(tmp_path, monkeypatch):
    """A worker is killed in the middle: its pool is built anew and the answer is the same."""
    usual = searches.run()
    monkeypatch.setenv("MORTAL", f"polish SE1 + LIN1:{tmp_path / 'killed'}")
    monkeypatch.setattr(crews, "perform", searches.mortal)
    seen = []
    found = search(dataset(), Config(**SMALL), workers=2, on_event=seen.append)
    assert (tmp_path / "killed").exists()
    assert facts(found) == facts(usual)
    warnings = [each.message for each in seen if isinstance(each, events.Warned)]
    assert len(warnings) == 1
    assert "a worker died" in warnings[0]


def test_fault_49_task_that_always_kills(monkeypatch):
    """It is found out, and the others are as they would have been."""
    usual = searches.run(options={**SMALL, "depth": 0})
    monkeypatch.setattr(crews, "perform", searches.lethal)
    found = search(dataset(), Config(**{**SMALL, "depth": 0}), workers=1)
    crashed = found.state.fits["LIN1"]
    assert crashed.status is Status.CRASHED
    assert crashed.reason
    assert found.failed == 1
    assert found.best.bic == usual.best.bic
    assert found.state.fits["SE1"].bic == usual.state.fits["SE1"].bic


class Jump:
    """A clock of the crew that stands still, until the time of everything in flight is over."""

    def __init__(self):
        self.shown = 0.0

    def now(self):
        return self.shown


def test_fault_50_worker_hangs(monkeypatch):
    """It is ended with its pool after its time, and the others are unharmed, however long they take."""
    usual = searches.run(options={**SMALL, "depth": 0})
    clock, seen = Jump(), []

    def tell(event):
        seen.append(event)
        if sum(isinstance(each, events.Found) for each in seen) == 2:
            clock.shown = 1e9  # all but the one that hangs have arrived

    monkeypatch.setattr(crews, "Clock", lambda pids: clock)
    monkeypatch.setattr(crews, "perform", searches.sleepy)
    found = search(dataset(), Config(**{**SMALL, "depth": 0}, patience=1e6), workers=2, on_event=tell)
    hung = found.state.fits["LIN1"]
    assert hung.status is Status.TIMEOUT
    assert not hung.usable
    assert hung.reason == Failure(Fault.HUNG)
    assert found.best.bic == usual.best.bic
    assert any(isinstance(each, events.Warned) and "LIN1 did not end in time" in each.message for each in seen)


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
    usual = work._STAGES["screen"]

    def interrupts(ladder, task):
        signal.raise_signal(signal.SIGINT)
        return usual(ladder, task)

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setitem(work._STAGES, "screen", interrupts)
    monkeypatch.setattr(os, "_exit", lambda code: pytest.fail("a second signal was seen"))
    done = command("run", file, "--out", tmp_path / "out", *FLAGS)
    assert done.exit_code == Exit.STOPPED
    assert "as the only one that was fitted by then" in done.stdout
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
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9500, resource.RLIM_INFINITY))"
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


def surroundings():
    """What a worker sees of itself; travels by value."""
    import multiprocessing
    import threading

    return (
        dict(os.environ),
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
        multiprocessing.current_process().name,
        threading.active_count(),
    )


@pytest.fixture(scope="module")
def worker():
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    pool = processes(1)
    yield pool, pool.submit(surroundings).result(timeout=PATIENCE)
    pool.shutdown(wait=True, kill_workers=True)
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def test_fault_58_one_thread_a_worker(worker):
    """Set before NumPy loads, whatever this process has; and said."""
    environment = worker[1][0]
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        assert environment[name] == "1"
    seen = io.StringIO()
    searches.run(stop=lambda: Stop.USER, on_event=LineDisplay(seen))
    assert "one thread of linear algebra each" in seen.getvalue()


def test_fault_59_spawned_never_forked(worker):
    pool, (_, ignores, name, _) = worker
    assert pool._context.get_start_method() == "loky"
    assert name.startswith("Loky")
    assert ignores
    if sys.platform == "linux":
        (process,) = pool._processes
        # A forked child would have the command line of this process.
        assert b"loky" in Path(f"/proc/{process}/cmdline").read_bytes()


def test_fault_60_stale_executor():
    """Closed, broken, of no use at all: one sentence, before anything is done."""
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(OptionError, match=r"cannot run kernelscribe's tasks .*it must be open"):
        searches.run(executor)
    with pytest.raises(OptionError, match="cannot run kernelscribe's tasks"):
        searches.run("four")


def test_fault_60_executor_that_cannot_pickle(tmp_path):
    class Unpicklable(Manual):
        def submit(self, fn, /, *args, **kwargs):
            future = Future()
            future.set_exception(TypeError("cannot pickle '_thread.lock' object"))
            return future

    path = tmp_path / "search.jsonl"
    with pytest.raises(OptionError, match="TypeError: cannot pickle"):
        searches.run(Unpicklable(), journal=path)
    # The journal is free again.
    assert searches.run(journal=path, resume=True).best is not None


def test_fault_60_executor_stays_the_callers():
    with ThreadPoolExecutor(1) as executor:
        searches.run(executor, options={**SMALL, "depth": 0})
        assert executor.submit(int).result() == 0
        with pytest.raises(ZeroDivisionError):
            searches.run(executor, on_event=lambda event: 1 / 0)
        assert executor.submit(int).result() == 0


def test_fault_60_executor_closed_meanwhile():
    """A sentence, not a traceback from the depth of someone else's code."""
    executor = ThreadPoolExecutor(1)

    def tell(event):
        if isinstance(event, events.Found):
            executor.shutdown()

    with pytest.raises(OptionError, match=r"takes no more tasks .*it must stay open"):
        searches.run(executor, on_event=tell)


def test_fault_61_not_enough_memory(tmp_path):
    """Refused before a file is made, and in words."""
    path, data = tmp_path / "search.jsonl", dataset(400)

    with pytest.raises(OptionError, match=r"400 rows need about 2 MB, 1 are allowed: .*memory"):
        searches.run(data=data, options={**SMALL, "engine": "exact", "memory": 1.0}, journal=path)
    with pytest.raises(OptionError, match="300 inducing points"):
        searches.run(data=data, options={**SMALL, "inducing": 300, "memory": 1.0}, journal=path)
    with pytest.raises(OptionError, match="400 rows"):
        searches.run(data=data, options={**SMALL, "strategy": "subset", "subset": 50, "memory": 1.0}, journal=path)
    assert not path.exists()


def test_fault_62_no_terminal(file, tmp_path):
    """Plain lines without colours on one side, the result alone on the other."""
    out = tmp_path / "out"
    done = subprocess.run([*INLINE, "run", file, "--out", out, *FLAGS, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == Exit.DONE, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr.startswith("60 rows, level by year; engine exact")
    assert "depth 0: 3 kernels" in done.stderr
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
    assert "depth 0: 3 kernels" in stream.getvalue()
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
