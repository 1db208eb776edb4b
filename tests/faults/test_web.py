"""Faults of hostile input on the web, one test a fault or more, named by the number it has in the project's list of faults.

What belongs to the door, to uploads, to the queue and to downloads stands with their tests, under the same names.
"""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

import kernelscribe.web
from actor import DONE, FAIL
from kernelscribe.config import configure
from kernelscribe.data import read
from kernelscribe.errors import DataError, KernelError, OptionError
from kernelscribe.kernels.language import LONGEST, parse
from kernelscribe.report.formats.escape import readable
from kernelscribe.web.preview import main
from kernelscribe.web.service import Service
from kernelscribe.web.uploads import ID, labelled
from markup import Structure
from payloads import HARMLESS, PAYLOADS
from serving import acting

TEMPLATES = sorted(Path(kernelscribe.web.__file__).with_name("templates").glob("*.html"))
SCRIPTS = sorted(Path(kernelscribe.web.__file__).with_name("static").glob("*.js"))
TABLE = "x,y\n1,2\n2,3\n3,5\n"


class Site:
    """Two analyses, one done and one failed, in which a word stands wherever foreign text may stand."""

    def __init__(self, client, word):
        self.client, self.word = client, word
        self.upload = client.upload(TABLE, word).json["id"]
        self.jobs = [self._begun(DONE), self._begun(FAIL)]
        for id in self.jobs:
            client.wait(id)

    def _begun(self, part):
        reading = {"target": self.word, "date_format": self.word, "inputs": [self.word]}
        return self.client.begin(self.upload, forecast=part, title=self.word, reading=reading).json["id"]

    @property
    def pages(self):
        done, failed = self.jobs
        return {
            "start": "/", "history": "/history", "done": f"/jobs/{done}", "failed": f"/jobs/{failed}",
            "again": f"/read/{self.upload}?from={done}", "compare": f"/compare?a={done}&b={done}", "nowhere": "/nowhere",
        }  # fmt: skip

    def structure(self, name):
        return Structure(self.client.ask("GET", self.pages[name]).text)


@pytest.fixture(scope="module")
def harmless(tmp_path_factory):
    """A server with harmless words; the page at the start shows the last few analyses."""
    with acting(tmp_path_factory.mktemp("harmless")) as client:
        yield [Site(client, HARMLESS) for _ in range(3)][-1]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    with acting(tmp_path_factory.mktemp("hostile")) as client:
        yield [Site(client, HARMLESS) for _ in range(2)][-1].client


@pytest.fixture(scope="module", params=PAYLOADS, ids=range(len(PAYLOADS)))
def site(request, hostile):
    return Site(hostile, request.param)


@pytest.mark.parametrize("name", ["start", "done", "failed", "again", "compare", "nowhere"])
def test_fault_63_markup_in_names_is_text_on_every_page(site, harmless, name):
    found, usual = site.structure(name), harmless.structure(name)
    assert found.elements == usual.elements
    if name not in ("again", "nowhere"):
        assert any(readable(site.word).strip() in text for text in found.texts)
    assert not [
        value for value in found.values if re.match(r"\s*(javascript|data):", value or "", re.IGNORECASE) and value != site.word
    ]


def test_fault_63_markup_in_names_is_text_in_the_history(site, harmless):
    found, usual = site.structure("history"), harmless.structure("history")
    assert set(found.elements) == set(usual.elements)
    # Besides the analyses themselves the page is the same; two of them, one done and one failed, are of one size.
    item = ("li", ("data-job",))
    pairs = [page.elements.count(item) // 2 for page in (found, usual)]
    first, third = (
        next(i for i, each in enumerate(usual.elements) if each == item and usual.elements[:i].count(item) == n) for n in (0, 2)
    )
    assert len(found.elements) - len(usual.elements) == (pairs[0] - pairs[1]) * (third - first)


def test_fault_63_no_template_lets_anything_through():
    assert TEMPLATES
    for path in TEMPLATES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape|Markup|\bon[a-z]+\s*=|<style|style=|javascript:", text), path.name
        assert not re.search(r"<script(?![^>]*(src=\"/static/|type=\"application/json\"))", text), path.name
        assert not re.search(r"(?:https?:)?//(?!www\.w3\.org)", text.replace("</", "")), path.name


def test_fault_63_no_script_makes_markup_of_text():
    assert SCRIPTS
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc", text), (
            path.name
        )


def test_fault_64_embedded_json_ends_no_script(site):
    page = site.client.ask("GET", site.pages["again"]).text
    (block,) = re.findall(r'<script type="application/json" id="defaults">(.*?)</script>', page, re.DOTALL)
    assert not re.search("[<>&\u2028\u2029]", block)
    assert json.loads(block)["reading"]["target"] == site.word


def test_fault_64_a_stream_of_events_has_no_more_lines(site, harmless):
    told, usual = site.client.events(site.jobs[0]), harmless.client.events(harmless.jobs[0])
    assert [name for _, name, _ in told] == [name for _, name, _ in usual]
    assert told[0][2]["target"] == site.word


def test_fault_64_json_comes_back_as_it_was(site):
    job = site.client.job(site.jobs[0])
    assert job["reading"] == {"target": site.word, "date_format": site.word, "inputs": [site.word]}
    assert job["title"] == readable(site.word).strip()[:200]
    assert job["file_name"] == labelled(quote(site.word, safe="", errors="surrogatepass"))
    assert site.client.ask("GET", f"/api/jobs/{site.jobs[0]}").headers["content-type"] == "application/json"


def test_fault_68_no_name_becomes_a_path(site):
    for name, own in (("uploads", [site.upload]), ("jobs", site.jobs)):
        found = [path.name for path in (site.client.folder / name).iterdir()]
        assert all(ID.fullmatch(each) for each in found)
        assert set(own) <= set(found)
    assert not {path.name for path in site.client.folder.iterdir()} - {
        "uploads", "jobs", "kernelscribe.sqlite", "kernelscribe.sqlite-wal", "kernelscribe.sqlite-shm",
    }  # fmt: skip


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd", "/static/%00", "/static/CON",
        "/static/..\\app.py", "/static/templates", "/static/", "/jobs/../../etc", "/jobs/%2e%2e/report",
        "/jobs/..%2f..%2fx/report",
    ],
)  # fmt: skip
def test_fault_68_addresses_lead_to_no_other_file(harmless, path):
    head = f"GET {path} HTTP/1.1\r\nHost: localhost:{harmless.client.port}\r\nConnection: close\r\n\r\n"
    answer = harmless.client.raw(head.encode())
    assert re.match(rb"HTTP/1.1 404", answer)
    assert b"root:" not in answer


def test_fault_63_names_and_cells_in_a_preview(tmp_path):
    """All of it at once: in heads, in cells and in the name of the file."""
    path = tmp_path / "0123456789abcdef"
    names = [name.replace('"', '""') for name in PAYLOADS if "\x00" not in name]
    heads = ",".join(f'"{name}"' for name in ["x", "y", *names])
    cells = ",".join(f'"{name}"' for name in names)
    path.write_text(heads + "\n" + "".join(f"{i},{i % 5},{cells}\n" for i in range(30)), encoding="utf-8", errors="surrogatepass")
    order = {"file": str(path), "name": PAYLOADS[1], "reading": {"target": "y", "inputs": ["x"]}, "memory": 2000.0}
    found = json.loads(main(json.dumps(order)))
    assert found["rows"] == 30
    kinds = {each["kind"] for each in found["columns"][2:]}
    assert kinds == {"text"}
    assert found["head"]["rows"][0][2] == readable(PAYLOADS[0])[:80].strip()
    assert found["name"] == PAYLOADS[1]


def test_fault_72_the_text_of_a_kernel_is_read_and_never_run():
    for text in ("__import__('os').system('id')", "SE.__class__", "SE(variance=open('x'))", "SE; SE", "lambda: 0"):
        with pytest.raises(KernelError):
            parse(text)
    with pytest.raises(KernelError, match="at most"):
        parse("SE" + "+SE" * LONGEST)
    with pytest.raises(KernelError):
        parse("(" * 1000 + "SE" + ")" * 1000)
    sources = Path(kernelscribe.web.__file__).parents[1].rglob("*.py")
    assert not [
        path
        for path in sources
        if re.search(r"(?<![\w.])(eval|exec)\(|^import pickle|pickle\.load", path.read_text(), re.MULTILINE)
    ]


LONG = {
    "deep list": b"[" * 500_000,
    "deep object": b'{"a":' * 180_000,
    "many names": b"{" + b'"a":1,' * 140_000,
    "long number": b"9" * 900_000,
    "long text": b'{"upload": "' + b"x" * 900_000 + b'"}',
}


@pytest.mark.parametrize("body", LONG.values(), ids=LONG)
def test_fault_73_deep_and_long_requests_are_answered(harmless, body):
    assert harmless.client.ask("POST", "/api/jobs", body=body).status in (400, 404)


def test_fault_73_a_request_that_is_no_upload_is_small(harmless):
    assert harmless.client.ask("POST", "/api/jobs", body=b'"' + b"x" * 1_000_001 + b'"').status == 413


def test_fault_73_a_million_columns_are_refused_before_any_loop(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(",".join(["a"] * 400_000) + "\n" + ",".join(["1"] * 400_000) + "\n")
    with pytest.raises(DataError, match=r"400,000 columns|more than 1,000,000 characters"):
        read(path)


@pytest.mark.parametrize(
    "text", ["1" * 100_000 + "s", "9" * 50_000, " " * 100_000 + "m", "1." + "0" * 100_000 + "x"], ids=range(4)
)
def test_fault_73_patterns_take_no_long_time(text):
    with pytest.raises((OptionError, OverflowError, ValueError)):
        configure({"budget": text, "depth": -1})
    assert labelled(text * 3)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/jobs/nothing", 404),
        ("GET", "/jobs/nothing/report", 404),
        ("POST", "/history", 405),
        ("GET", "/compare", 404),
        ("GET", "/static/nothing.js", 404),
        ("DELETE", "/api/jobs/nothing", 404),
        ("GET", "/api/nowhere", 404),
        ("PUT", "/api/jobs", 405),
        ("TRACE", "/api/jobs", 405),
    ],
)
def test_fault_74_errors_have_one_shape(harmless, method, path, status):
    answer = harmless.client.ask(method, path)
    assert answer.status == status
    clean(answer, harmless.client)
    if path.startswith("/api/"):
        assert answer.wrong.endswith(".")
    else:
        assert f"Error {status}" in answer.text


def test_fault_74_what_nobody_foresaw_has_it_too(tmp_path, monkeypatch):
    with acting(tmp_path) as client:
        id = client.begin(client.upload(TABLE).json["id"], forecast=DONE).json["id"]
        client.wait(id)

        def broken(self, job):
            raise RuntimeError(f"a secret in {client.folder}")

        monkeypatch.setattr(Service, "describe", broken)
        for path in (f"/jobs/{id}", f"/api/jobs/{id}"):
            answer = client.ask("GET", path)
            assert answer.status == 500
            clean(answer, client)
            assert answer.headers["x-content-type-options"] == "nosniff"
        monkeypatch.undo()
        assert client.job(id)["state"] == "done"


def clean(answer, client):
    """No traceback, no path, nothing of the inside."""
    text = unescape(answer.text)
    for part in ("Traceback", 'File "', str(client.folder), "site-packages", "starlette", "secret", ".py"):
        assert part not in text
