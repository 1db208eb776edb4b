"""The queue, with jobs that are played: they wait, run, stop, fail, crash and are begun again."""

import json
import time
from types import SimpleNamespace

import pytest

from actor import CRASH, DONE, FAIL, HANG, KILLED
from kernelscribe.web.ending import Ending, write_ending
from kernelscribe.web.folder import OUTCOME
from kernelscribe.web.log import EVENTS, Log, entries, spent
from kernelscribe.web.store import Job, Store, Upload
from serving import acting, eventually

TABLE = "x,y\n1,2\n2,3\n3,5\n"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with acting(tmp_path_factory.mktemp("jobs")) as found:
        yield found


def begun(client, part, **more):
    answer = client.begin(client.upload(TABLE, "t.csv").json["id"], forecast=part, **more)
    assert answer.status == 201, answer.text
    return answer.json["id"]


def names(client, job, **more):
    return [name for _, name, _ in client.events(job, **more)]


def heard(client, id):
    """The job, once its process has begun to speak."""
    return eventually(lambda: job if (job := client.job(id))["rows"] is not None else None)


def test_a_job_that_ends_well(client):
    id = begun(client, DONE, title="First", options={"depth": 1, "budget": "10m"}, reading={"target": "y"})
    job = client.wait(id)
    assert (job["state"], job["title"], job["file_name"], job["message"]) == ("done", "First", "t.csv", "")
    assert (job["headline"], job["best"], job["rows"], job["target"]) == ("y", "y", 3, "y")
    assert (job["options"], job["reading"], job["forecast"]) == ({"depth": 1, "budget": "10m"}, {"target": "y"}, DONE)
    assert job["queue_position"] is None
    assert job["seconds"] >= 0
    assert job["files"] == []
    told = client.events(id)
    assert [name for _, name, _ in told] == ["began", "reporting", "ended"]
    assert [number for number, _, _ in told] == [1, 2, 3]
    assert told[-1][2] | {"at": 0} == {"at": 0, "state": "done", "message": "", "headline": "y"}
    assert told[-1][2]["at"] >= told[0][2]["at"] >= 0


def test_a_reader_who_comes_back_is_told_the_rest(client):
    id = begun(client, DONE)
    client.wait(id)
    assert names(client, id, after=1) == ["reporting", "ended"]
    assert names(client, id, **{"Last-Event-ID": "2"}) == ["ended"]
    assert client.ask("GET", f"/api/jobs/{id}/events?after=3").status == 204
    assert client.ask("GET", f"/api/jobs/{id}/events?after=x").status == 400
    assert client.ask("GET", f"/api/jobs/{id}/events?after={'9' * 5000}").status == 400


def test_two_run_and_others_wait_for_their_turn(client):
    running = [begun(client, HANG), begun(client, HANG)]
    waiting = [begun(client, HANG), begun(client, DONE)]
    for id in running:
        client.wait(id, "running")
    assert [client.job(id)["queue_position"] for id in waiting] == [1, 2]
    assert [client.job(id)["state"] for id in waiting] == ["queued", "queued"]
    assert client.ask("POST", f"/api/jobs/{waiting[0]}/stop", {}).json["state"] == "stopped"
    assert client.job(waiting[1])["queue_position"] == 1
    assert client.ask("POST", f"/api/jobs/{running[0]}/stop", {}).status == 202
    assert client.wait(running[0])["state"] == "stopped"
    assert client.wait(waiting[1])["state"] == "done"
    assert [data.get("position") for _, name, data in client.events(waiting[1]) if name == "queued"] == [2, 1]
    assert names(client, waiting[0])[-1] == "ended"
    assert client.job(running[1])["state"] == "running"
    assert client.ask("DELETE", f"/api/jobs/{running[1]}").status == 204


def test_what_a_job_says_is_seen_at_once(client):
    id = begun(client, HANG)
    assert heard(client, id)["target"] == "y"
    client.ask("POST", f"/api/jobs/{id}/stop", {})
    assert names(client, id) == ["began", "reporting", "ended"]


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (FAIL, "There is no column y."),
        (CRASH, "The search ended by itself (code 1). Your file and your choices are kept"),
        (KILLED, "The search was killed (signal 9), perhaps because memory ran out."),
    ],
)
def test_fault_74_a_job_that_fails_says_so_and_hurts_nobody(client, part, says):
    id = begun(client, part)
    job = client.wait(id)
    assert job["state"] == "failed"
    assert job["message"].startswith(says)
    page = client.ask("GET", f"/jobs/{id}")
    assert page.status == 200
    for text in (page.text, json.dumps(job), json.dumps(client.events(id))):
        assert "Traceback" not in text
        assert "secret" not in text
        assert str(client.folder) not in text
    assert client.wait(begun(client, DONE))["state"] == "done"


def test_fault_69_too_many_that_wait_are_refused(tmp_path):
    with acting(tmp_path, at_once=1, waiting=2) as client:
        ids = [begun(client, HANG) for _ in range(3)]
        answer = client.begin(client.upload(TABLE).json["id"], forecast=DONE)
        assert (answer.status, answer.wrong) == (429, "2 searches wait already: try again when some are done.")
        assert client.ask("DELETE", f"/api/jobs/{ids[1]}").status == 204
        assert client.begin(client.upload(TABLE).json["id"], forecast=DONE).status == 201


def test_renaming(client):
    id = begun(client, DONE)
    assert client.ask("PATCH", f"/api/jobs/{id}", {"title": "  A new\nname\ud800 "}).json["title"] == "A new name"
    assert client.job(id)["title"] == "A new name"
    assert len(client.ask("PATCH", f"/api/jobs/{id}", {"title": "x" * 900}).json["title"]) == 200
    for bad in ("", " \n", 5, [], {}):
        assert client.ask("PATCH", f"/api/jobs/{id}", {"title": bad}).status == 422
    client.wait(id)


def test_deleting_takes_the_files_along(client):
    done, running = begun(client, DONE), begun(client, HANG)
    client.wait(done)
    client.wait(running, "running")
    for id in (done, running):
        assert (client.folder / "jobs" / id).is_dir()
        assert client.ask("DELETE", f"/api/jobs/{id}").status == 204
        assert client.ask("GET", f"/api/jobs/{id}").status == 404
        assert client.ask("GET", f"/jobs/{id}").status == 404
        assert client.ask("GET", f"/jobs/{id}/report").status == 404
        assert client.ask("DELETE", f"/api/jobs/{id}").status == 404
        eventually(lambda id=id: not (client.folder / "jobs" / id).exists())


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"upload": "0123456789abcdef"},
        {"upload": ["x"]},
        {"upload": None},
    ],
)
def test_a_job_needs_a_file(client, asked):
    assert client.ask("POST", "/api/jobs", asked).status == 404


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"options": {"depth": -1}}, "Depth must be at least 0, got -1."),
        ({"options": {"depth": 1.5}}, "Depth must be a whole number, got 1.5."),
        ({"options": {"depht": 1}}, "There is no option 'depht'"),
        ({"options": {"budget": "soon"}}, "'soon' is not a time: write it as 90, 90s, 10m or 2h."),
        ({"options": {"engine": "magic"}}, "Engine must be one of"),
        ({"options": {"engine": ["exact"]}}, "Engine must be one of"),
        ({"options": {"steps": {}}}, "Steps must be a number"),
        ({"options": {"steps": True}}, "Steps must be a number"),
        ({"options": {"restarts": "six"}}, "restarts must be a number, got 'six'."),
        ({"options": {"cycles": 3}}, "Cycles must be a list of names, got 3."),
        ({"options": []}, "The options must be names with values."),
        ({"forecast": 0}, "The forecast must be a whole number of steps, from 1 to 100,000."),
        ({"forecast": "12"}, "The forecast must be"),
        ({"forecast": True}, "The forecast must be"),
        ({"forecast": 10**9}, "The forecast must be"),
        ({"reading": {"file": "/etc/passwd"}}, "How the file is read is said by target, time"),
        ({"reading": {"name": "x"}}, "How the file is read"),
        ({"title": ""}, "The name must be a text"),
    ],
)
def test_choices_that_make_no_sense_are_refused(client, more, says):
    answer = client.begin(client.upload(TABLE).json["id"], **more)
    assert answer.status == 422
    assert answer.wrong.startswith(says)


def test_choices_as_a_form_sends_them(client):
    id = begun(client, DONE, options={"depth": "2", "slack": "0.5", "engine": "", "budget": None, "jitter": 0, "cycles": "1"})
    assert client.job(id)["options"] == {"depth": 2, "slack": 0.5, "jitter": 0, "cycles": "1"}
    client.wait(id)


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b"1", b'{"upload": NaN}', b"[" * 100_000], ids=range(6))
def test_what_is_no_json_is_refused(client, body):
    assert client.ask("POST", "/api/jobs", body=body).status == 400


def test_jobs_outlive_the_server(tmp_path):
    with acting(tmp_path, at_once=1) as client:
        running, waiting = begun(client, HANG), begun(client, DONE)
        heard(client, running)
    with acting(tmp_path, at_once=1) as client:
        assert client.job(running)["state"] == "running"
        assert client.job(waiting)["queue_position"] == 1
        client.ask("POST", f"/api/jobs/{running}/stop", {})
        assert client.wait(running)["state"] == "stopped"
        assert client.wait(waiting)["state"] == "done"
        assert names(client, running).count("began") == 2
        assert [number for number, _, _ in client.events(running)] == list(range(1, 1 + len(names(client, running))))


def test_a_job_that_ends_the_server_is_not_begun_for_ever(tmp_path):
    store = _store(tmp_path)
    store.add_job(_job("a" * 16, state="running", attempts=3))
    store.close()
    with acting(tmp_path) as client:
        job = client.job("a" * 16)
        assert job["state"] == "failed"
        assert job["message"].startswith("It was begun 3 times and the program ended each time.")


def test_an_outcome_that_the_old_server_did_not_see(tmp_path):
    store = _store(tmp_path)
    store.add_job(_job("a" * 16, state="running", attempts=1))
    store.close()
    write_ending(tmp_path / "data" / "jobs" / ("a" * 16), Ending("done", summary={"headline": "All is well."}))
    with acting(tmp_path) as client:
        assert client.job("a" * 16)["headline"] == "All is well."


def test_an_outcome_that_nobody_can_read_is_a_failure(tmp_path):
    store = _store(tmp_path)
    store.add_job(_job("a" * 16, state="running", attempts=1))
    store.close()
    (tmp_path / "data" / "jobs" / ("a" * 16) / OUTCOME).write_text('{"state": "done", "message": "", "summary": {}}')
    with acting(tmp_path) as client:
        job = client.job("a" * 16)
        assert job["state"] == "failed"
        assert job["message"].endswith("could not be read: run it again.")


def _store(tmp_path):
    folder = tmp_path / "data"
    (folder / "jobs" / ("a" * 16)).mkdir(parents=True)
    return Store(folder / "kernelscribe.sqlite")


def _job(id, **more):
    request = {"reading": {}, "forecast": DONE, "options": {}}
    return Job(id=id, upload="b" * 16, file_name="t.csv", title="t", request=request, created=1.0, summary={}, **more)


def test_the_store_keeps_what_it_is_given(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    job = _job("a" * 16, message="'; DROP TABLE jobs; --")
    store.add_job(job)
    store.add_upload(Upload("b" * 16, "ü'\u2028.csv", 3, 1.0))
    assert store.job(job.id) == job
    assert store.upload("b" * 16).name == "ü'\u2028.csv"
    store.change(job.id, title="x'y", summary={"a": [1]})
    assert (store.job(job.id).title, store.job(job.id).summary) == ("x'y", {"a": [1]})
    assert store.idle(2.0) == []
    store.remove_job(job.id)
    assert store.idle(2.0) == ["b" * 16]
    assert store.jobs() == []
    assert store._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    store.close()


def test_the_time_that_was_spent_is_known(tmp_path, monkeypatch):
    monkeypatch.setattr("kernelscribe.web.log.time", SimpleNamespace(time=lambda: 1000.0))
    assert spent(tmp_path) == 0
    for seconds in (3, 5):
        with Log(tmp_path, began=900.0) as log:
            log.add("queued", position=1)
        with Log(tmp_path) as log:
            log.add("began", rows=3)
        with Log(tmp_path, began=1000.0 - seconds) as log:
            log.add("found", kernel="SE")
    assert spent(tmp_path) == 8


def test_a_log_heals_a_torn_line(tmp_path):
    with Log(tmp_path) as log:
        log.add("began", rows=3)
    with (tmp_path / EVENTS).open("ab") as file:
        file.write(b'{"event": "fou')
    assert [entry["event"] for _, entry in entries(tmp_path)] == ["began"]
    with Log(tmp_path, began=time.time() - 5) as log:
        log.add("ended", state="done")
    found = [entry for _, entry in entries(tmp_path)]
    assert [entry["event"] for entry in found] == ["began", "ended"]
    assert found[1]["data"]["at"] >= 5
    assert list(entries(tmp_path / "nowhere")) == []
