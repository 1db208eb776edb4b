"""A Dask scheduler that is not there, says nothing or goes away: one sentence, soon, and nothing is lost."""

import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import Future
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import kernelscribe as ks
import searches
from kernelscribe import events
from kernelscribe.app.cli import cli
from kernelscribe.config import Config
from kernelscribe.discovery import search
from kernelscribe.errors import ClusterError, Status
from kernelscribe.events import Stop
from kernelscribe.fit.facts import Screened
from kernelscribe.search import cluster as clusters
from kernelscribe.search.cluster import Line, cluster
from kernelscribe.search.crew import Crew
from kernelscribe.search.moves import base_kernels
from kernelscribe.search.state import begin
from searches import LONG, SMALL, Manual, dataset, facts, lines, write_table

DONE = Screened(points=((0.0, 0.0, 0.0),), score=0.0, hope=0.0, evaluations=1, seconds=0.0, status=Status.OK)
# A scheduler with one worker, which end with what reads their output.
CLUSTER = """
import logging, sys
from distributed import LocalCluster
if __name__ == "__main__":
    here = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, **here) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


class Client:
    """As much of Dask's as is looked at, and the questions that the scheduler was asked."""

    def __init__(self):
        self.status, self.questions = "running", []
        self.scheduler = SimpleNamespace(address="tcp://there:1")

    def nthreads(self, callback_timeout):
        return {"worker": 1}


@pytest.fixture
def client():
    return Client()


@pytest.fixture
def clock(monkeypatch):
    """Time as the test makes it pass."""
    shown = SimpleNamespace(now=100.0)
    monkeypatch.setattr(clusters, "time", SimpleNamespace(monotonic=lambda: shown.now))

    def question(client):
        client.questions.append(Future())
        return client.questions[-1]

    monkeypatch.setattr(clusters, "_question", question)
    return shown


def test_it_is_over_within_half_a_minute():
    assert clusters.ANSWER + clusters.CLOSE <= 30
    assert clusters.APART + clusters.AWAY + clusters.CLOSE <= 30


def test_a_scheduler_that_answers_is_asked_now_and_then(client, clock):
    line = Line(client)
    for _ in range(10):
        line.check()
        line.check()
        client.questions[-1].set_result(0)
        clock.now += 1000.0  # however seldom anyone looks
    assert len(client.questions) == 10


@pytest.mark.parametrize("fails", [True, False])
def test_one_that_does_not_is_given_up_after_a_while(client, clock, fails):
    line, began = Line(client), clock.now
    with pytest.raises(ClusterError, match=r"the Dask scheduler at tcp://there:1 is gone"):
        while clock.now < began + 1000.0:
            line.check()
            if fails and not client.questions[-1].done():
                client.questions[-1].set_exception(OSError("refused"))
            clock.now += 1.0
    assert clusters.AWAY <= clock.now - began <= clusters.AWAY + clusters.APART
    assert len(client.questions) == 1 or fails


def test_one_that_comes_back_in_time_is_kept(client, clock):
    line = Line(client)
    for answers in (False, True) * 5:
        line.check()
        if answers:
            client.questions[-1].set_result(0)
        clock.now += 0.6 * clusters.AWAY
    assert client.questions


def test_what_dask_itself_has_given_up_is_gone_at_once(client, clock):
    client.status = "closed"
    with pytest.raises(ClusterError, match="is gone"):
        Line(client).check()


def test_tasks_wait_for_the_line_and_its_loss_is_not_their_fault(client, clock):
    executor = Manual(1)
    executor._client = client
    crew = Crew(dataset(30), Config(**SMALL), 1, executor)
    task = begin(crew.config, crew.data.scales, base_kernels(1), sharp=True).tasks[0]
    crew.submit(task)
    for _ in range(5):
        client.status = "connecting"
        assert executor.flights[-1][1].cancel()
        assert crew.collect(0.0) == []
        assert crew.collect(0.0) == []
        assert executor.names == []
        client.status = "running"
        assert crew.collect(0.0) == []
        assert executor.names == [task.candidate.name]
    executor.answer(task.candidate.name, DONE)
    assert crew.collect(0.0) == [(task, DONE)]


def test_what_is_in_flight_or_on_its_way_when_the_line_is_lost_is_sent_again(client, clock):
    class Closed(Manual):
        def submit(self, fn, /, *args, **kwargs):
            if client.status == "running" and len(self.flights) == 1:
                client.status = "closed"
                raise LookupError("the client is closed")
            return super().submit(fn, *args, **kwargs)

    executor = Closed(1)
    executor._client = client
    crew = Crew(dataset(30), Config(**SMALL), 1, executor)
    task = begin(crew.config, crew.data.scales, base_kernels(1), sharp=True).tasks[0]
    crew.submit(task)
    client.status = "connecting"
    assert crew.collect(0.0) == []
    assert (crew.flights, list(crew.waiting), crew.deaths) == ([], [task], {})
    client.status = "running"
    assert crew.collect(0.0) == []
    assert (client.status, crew.flights, list(crew.waiting), crew.deaths) == ("closed", [], [task], {})


def test_no_question_is_left_open(client, clock):
    crew = Crew(dataset(30), Config(**SMALL), 1, executor := Manual(1))
    executor._client = client
    crew.line = Line.of(executor)
    crew.collect(0.0)
    crew.close()
    assert client.questions[-1].cancelled()
    with pytest.raises(ClusterError):
        for _ in range(100):
            crew.line.check()
            clock.now += 1.0
    assert client.questions[-1].cancelled()


def test_nobody_who_is_gone_is_told_what_is_no_longer_wanted(client, clock):
    """That would wait for an answer."""
    executor = Manual(1)
    executor._client = client
    crew = Crew(dataset(30), Config(**SMALL), 1, executor)
    crew.submit(begin(crew.config, crew.data.scales, base_kernels(1), sharp=True).tasks[0])
    client.status = "closed"
    with pytest.raises(ClusterError):
        crew.collect(0.0)
    crew.close()
    assert not executor.flights[-1][1].cancelled()


@pytest.fixture
def silent():
    """An address where someone takes the call and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"tcp://127.0.0.1:{listening.getsockname()[1]}"


def refused(address, tmp_path):
    """What `run --dask` says of an address at which there is no scheduler."""
    pytest.importorskip("distributed")
    out = tmp_path / "out"
    done = CliRunner().invoke(
        cli, ["run", str(write_table(tmp_path / "table.csv")), "--out", str(out), "--dask", address], standalone_mode=False
    )
    assert isinstance(done.exception, ClusterError)
    assert not out.exists()
    assert "\n" not in str(done.exception)
    return str(done.exception)


@pytest.mark.parametrize(
    ("address", "why"),
    [("nonsense", "missing port number"), ("a scheduler", "missing port number"), ("foo://there:1", "unknown address scheme")],
)
def test_an_address_that_is_none(tmp_path, address, why):
    said = refused(address, tmp_path)
    assert said.startswith(f"no Dask scheduler answers at {address!r} ({why}")
    assert said.endswith("or leave --dask out to work on this machine")


def test_an_address_that_answers_nothing(tmp_path, monkeypatch, silent):
    monkeypatch.setattr(clusters, "ANSWER", 1.0)
    assert f"no Dask scheduler answers at {silent!r} (none within 1 seconds)" in refused(silent, tmp_path)


def test_a_journal_is_as_it_was_where_no_scheduler_answers(tmp_path):
    pytest.importorskip("distributed")
    journal = tmp_path / "out" / "search.jsonl"
    journal.parent.mkdir()
    searches.run(journal=journal, stop=lambda: Stop.USER)
    before = journal.read_bytes()
    table = write_table(tmp_path / "table.csv")
    done = CliRunner().invoke(cli, ["run", str(table), "--out", str(journal.parent), "--resume", "--dask", "nonsense"])
    assert isinstance(done.exception, ClusterError)
    assert journal.read_bytes() == before


@pytest.fixture
def scheduler(tmp_path):
    """A scheduler that can be killed with its worker, and its address."""
    pytest.importorskip("distributed")
    (tmp_path / "local_cluster.py").write_text(CLUSTER)
    command, pipes = [sys.executable, str(tmp_path / "local_cluster.py")], {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, start_new_session=True, cwd=tmp_path, **pipes) as process:
        yield process, process.stdout.readline().strip()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="kills a group of processes")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_scheduler_that_goes_away_in_mid_search(scheduler, tmp_path, monkeypatch, caplog, how):
    """Killed, or merely silent: what is known is kept, and goes on to the same end."""
    (process, address), path = scheduler, tmp_path / "search.jsonl"

    def tell(event):
        if isinstance(event, events.Found) and event.stage == "polish":
            os.killpg(process.pid, how)
            monkeypatch.setattr(clusters, "AWAY", 1.0)
            monkeypatch.setattr(clusters, "APART", 0.1)

    with pytest.raises(ClusterError) as caught, cluster(address) as executor, ks.parallel(executor):
        search(dataset(), Config(**LONG), journal=path, on_event=tell)
    assert str(caught.value).startswith(f"the Dask scheduler at {address} is gone: it no longer answers")
    assert f"all results so far are in {path}: go on with --resume" in str(caught.value)
    assert not caplog.records
    assert any(entry["stage"] == "polish" for entry in lines(path)[1:])
    assert facts(searches.run(options=LONG, journal=path, resume=True)) == facts(searches.run(options=LONG))
