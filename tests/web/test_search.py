"""Searches for real: the same answer as the command line gives, live, stopped, and after a kill."""

import io
import json
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import kernelscribe as ks
from kernelscribe.config import configure
from kernelscribe.data import read
from kernelscribe.files import JOURNAL
from kernelscribe.web.folder import DOWNLOADS, OUT, RESULT, aim
from searches import FLAGS, SMALL, lines, write_table
from serving import Client, eventually, serving
from webapp import PATIENCE, endless


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return write_table(tmp_path_factory.mktemp("table") / "table.csv")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("search")) as found:
        yield found


@pytest.fixture(scope="module")
def expected(table, tmp_path_factory):
    """What `kernelscribe run` makes of it."""
    out = tmp_path_factory.mktemp("run") / "out"
    command = [
        sys.executable,
        "-m",
        "kernelscribe",
        "run",
        str(table),
        *FLAGS,
        "--out",
        str(out),
        "--json",
        "--forecast",
        "7",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return out, json.loads(done.stdout)


@pytest.fixture(scope="module")
def finished(client, table):
    upload = client.upload(table.read_bytes(), "levels.csv").json["id"]
    assert client.preview(upload).json["target"] == "level"
    id = client.begin(upload, options=SMALL, forecast=7, title="Levels").json["id"]
    return client.wait(id)


def timeless(result):
    """A result without what differs from run to run."""
    return {name: value for name, value in result.items() if name not in ("seconds", "workers", "files", "evaluations")}


def test_cycles_along_what_is_no_input_end_with_a_sentence_that_names_the_inputs(client, table):
    upload = client.upload(table.read_bytes(), "levels.csv").json["id"]
    job = client.wait(client.begin(upload, options={**SMALL, "cycles": "steam, year"}).json["id"])
    assert job["state"] == "failed"
    assert "cycles names 'steam', which is no input: the inputs are year" in job["message"]


def test_the_answer_is_that_of_the_command_line(client, finished, expected):
    assert finished["state"] == "done", finished["message"]
    folder, (out, result) = client.folder / "jobs" / finished["id"], expected
    assert timeless(json.loads((folder / RESULT).read_text())) == timeless(result)
    assert finished["headline"] == result["headline"]
    assert (finished["best"], finished["best_bic"]) == (result["kernel"], result["bic"])
    assert (finished["rows"], finished["target"], finished["inputs"]) == (60, "level", ["year"])
    assert lines(folder / OUT / JOURNAL) == lines(out / JOURNAL)
    for name in ("forecast.csv", "components.csv"):
        assert (folder / OUT / name).read_text() == (out / name).read_text()
    assert (folder / OUT / "forecast.csv").read_text().count("\n") == 8


def test_everything_was_told(client, finished):
    told = client.events(finished["id"])
    kinds = [name for _, name, _ in told]
    assert (kinds[0], kinds[-2:]) == ("began", ["reporting", "ended"])
    assert set(kinds) == {"began", "stage", "found", "closed", "reporting", "ended"}
    began = told[0][2]
    assert (began["rows"], began["target"], began["inputs"], began["known"]) == (60, "level", ["year"], 0)
    found = [data for _, name, data in told if name == "found"]
    assert {"C", "LIN + C", "WALK + C"} <= {data["kernel"] for data in found}
    assert {data["words"] for data in found if data["name"] == "none: line ~ constant"} == {"line"}
    assert all(data["parent"] is None or data["parent"] in {other["name"] for other in found} for data in found)
    assert all(data["standing"] is None or data["standing"]["lower"] <= data["standing"]["upper"] for data in found)
    assert (found[-1]["best"], found[-1]["best_words"]) == (finished["best"], finished["kernel_words"])
    ends = [data["at"] for _, _, data in told]
    assert ends == sorted(ends)


def test_every_file_can_be_downloaded(client, finished):
    assert [file["name"] for file in finished["files"]] == [each.name for each in DOWNLOADS]
    kinds = {each.name: each.kind for each in DOWNLOADS}
    for file in finished["files"]:
        answer = client.ask("GET", file["href"])
        assert answer.status == 200, file["name"]
        assert answer.headers["content-disposition"] == f'attachment; filename="{file["name"]}"'
        assert answer.headers["content-type"].split(";")[0] == kinds[file["name"]]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
        assert file["bytes"] in (None, len(answer.body))
    pdf = client.ask("GET", finished["files"][1]["href"]).body
    assert pdf.startswith(b"%PDF-")
    assert client.ask("POST", f"/api{finished['files'][1]['href']}", {}).json == {"name": "report.pdf", "bytes": len(pdf)}
    with zipfile.ZipFile(io.BytesIO(client.ask("GET", finished["files"][2]["href"]).body)) as archive:
        names = archive.namelist()
        text = archive.read("report.md").decode()
    assert text.startswith("# ")
    figures = set(re.findall(r"\(<(report-figures/[^>]+)>\)", text))
    assert figures
    assert figures <= set(names)


def test_fault_68_only_files_of_the_list_can_be_downloaded(client, finished):
    for name in (
        "report.json",
        "asked.json",
        "..%2Fasked.json",
        "%2e%2e/asked.json",
        "index.html%00",
        "search.jsonl.lock",
        "..\\asked.json",
    ):
        assert client.ask("GET", f"/jobs/{finished['id']}/files/{name}").status == 404, name


def test_the_report_stands_in_a_sandbox(client, finished):
    answer = client.ask("GET", f"/jobs/{finished['id']}/report")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "sandbox allow-scripts" in answer.headers["content-security-policy"]
    assert "allow-same-origin" not in answer.headers["content-security-policy"]
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert answer.body == client.ask("GET", f"/jobs/{finished['id']}/files/index.html").body


def test_the_program_makes_the_same_again(client, finished, table, tmp_path, monkeypatch):
    """Its one call names the same table, read in the same way, and the same options; and it writes the same report."""
    program = client.ask("GET", f"/jobs/{finished['id']}/files/reproduce.py").text
    called = {}

    class Found:
        def document(self, steps):
            return f"{steps} steps"

        def report(self, path, *, document):
            called["report"] = (path, document)

    def analyse(file, **given):
        named = {name: given.pop(name) for name in ("target", "time", "inputs") if name in given}
        called.update(data=read(Path(file), **named), options=configure(given))
        return Found()

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ks, "analyse", analyse)
    Path("levels.csv").write_bytes(table.read_bytes())
    exec(program, {})  # noqa: S102  (what was just downloaded from ourselves)
    model = ks.load(client.folder / "jobs" / finished["id"] / OUT / "model.json").model
    assert called["data"].digest == model.data.digest
    assert called["options"] == model.config
    assert called["report"] == ("report.html", "7 steps")


def test_what_was_explained_is_known_by_its_fingerprint(client, finished):
    folder = client.folder / "jobs" / finished["id"]
    assert aim(folder) == ks.load(folder / OUT / "model.json").model.data.aim


def test_pages_show_it(client, finished):
    for path in ("/", "/history", f"/jobs/{finished['id']}", f"/compare?a={finished['id']}&b={finished['id']}"):
        page = client.ask("GET", path)
        assert page.status == 200
        assert "Levels" in page.text
    again = client.ask("GET", f"/read/{finished['upload']}?from={finished['id']}").text
    assert '"forecast": 7' in again
    assert client.ask("GET", f"/compare?a={finished['id']}").status == 404
    assert client.ask("GET", f"/read/{finished['upload']}?from=nothing").status == 404


def test_a_search_that_is_stopped_has_a_report(client, table):
    upload = client.upload(table.read_bytes(), "levels.csv").json["id"]
    id = client.begin(upload, options={**SMALL, **endless()}).json["id"]
    eventually(lambda: client.job(id)["best"])
    assert client.ask("GET", f"/jobs/{id}/files/index.html").status == 409
    client.ask("POST", f"/api/jobs/{id}/stop", {})
    job = client.wait(id)
    assert (job["state"], job["message"]) == ("stopped", "You stopped it: what was known by then is reported.")
    assert job["headline"]
    assert "you stopped it" in client.ask("GET", f"/jobs/{id}/report").text


def test_a_search_that_is_stopped_before_any_kernel_is_fitted_has_a_model(client, table):
    """The wish to stop is there before the process of the search has begun to look."""
    upload = client.upload(table.read_bytes(), "levels.csv").json["id"]
    id = client.begin(upload, options={**SMALL, **endless()}).json["id"]
    eventually(lambda: client.job(id)["state"] == "running")
    assert client.ask("POST", f"/api/jobs/{id}/stop", {}).status == 202
    job = client.wait(id)
    assert (job["state"], job["message"]) == ("stopped", "You stopped it: what was known by then is reported.")
    assert job["best"]
    assert job["kernel_words"]
    found = json.loads((client.folder / "jobs" / id / RESULT).read_text())
    assert found["decision"] == "as the only one that was fitted by then"
    assert "you stopped it" in client.ask("GET", f"/jobs/{id}/report").text


def test_a_search_that_cannot_work_says_why(client):
    upload = client.upload("x,y\n1,2\n2,3\n3,five\n4,2\n5,9\n6,1\n", "bad.csv").json["id"]
    job = client.wait(client.begin(upload, options=SMALL).json["id"])
    assert job["state"] == "failed"
    assert (
        job["message"]
        == "bad.csv, line 4, column y: 'five' is not a number: correct it, or name another target with the option “target”"
    )


class Server:
    """The command, in a process of its own."""

    def __init__(self, folder):
        command = [sys.executable, "-m", "kernelscribe", "web", "--port", "0", "--no-open", "--data-dir", str(folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        port = re.search(r"http://127\.0\.0\.1:(\d+)/", self.process.stdout.readline())[1]
        self.client = Client(int(port), folder)

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        self.process.stdout.close()


def workers_of(folder):
    """Processes that work in this folder."""
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in found.splitlines() if "kernelscribe.web.job" in line and str(folder) in line]


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_killed_server_goes_on_where_it_was(table, tmp_path, expected):
    out, result = expected
    first = Server(tmp_path / "data")
    try:
        client = first.client
        upload = client.upload(table.read_bytes(), "levels.csv").json["id"]
        id = client.begin(upload, options=SMALL, forecast=7).json["id"]
        journal = client.folder / "jobs" / id / OUT / JOURNAL
        eventually(lambda: journal.exists() and len(journal.read_bytes().splitlines()) >= 6)
    finally:
        first.end(signal.SIGKILL)
    known = len(journal.read_bytes().splitlines())
    second = Server(tmp_path / "data")
    try:
        job = second.client.wait(id)
        assert job["state"] == "done", job
        assert (job["headline"], job["best"], job["best_bic"]) == (result["headline"], result["kernel"], result["bic"])
        assert lines(journal) == lines(out / JOURNAL)
        began = [data for _, name, data in second.client.events(id) if name == "began"]
        assert began[0]["known"] == 0
        assert began[-1]["known"] >= min(known, 6) - 2
        assert (journal.parent / "forecast.csv").read_text() == (out / "forecast.csv").read_text()
    finally:
        second.end(signal.SIGINT)
    assert second.process.returncode in (0, 130)
    eventually(lambda: not workers_of(tmp_path))
