"""Bringing files: counted, timed, labelled, and forgotten when nobody uses them."""

import gzip
import io
import socket
import time
import zipfile

import pytest

from actor import DONE
from kernelscribe.web.uploads import labelled, used
from serving import acting, eventually, serving
from webapp import PATIENCE

TABLE = "x,y\n" + "".join(f"{i},{i * i % 7}\n" for i in range(30))


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("uploads"), max_upload=50_000) as found:
        yield found


@pytest.fixture(scope="module")
def hasty(tmp_path_factory):
    """A server that soon gives up whoever is slow, as any of these tests may be."""
    with serving(tmp_path_factory.mktemp("hasty"), pause=0.4) as found:
        yield found


def kept(client):
    return sorted(path.name for path in (client.folder / "uploads").iterdir())


def test_fault_68_a_file_is_kept_under_a_random_name(client):
    answer = client.upload(TABLE, "Sales, 2020 – ü.csv")
    assert answer.status == 201
    assert answer.json["name"] == "Sales, 2020 – ü.csv"
    assert answer.json["size"] == len(TABLE)
    assert (client.folder / "uploads" / answer.json["id"]).read_text() == TABLE


def test_an_example_is_a_file_like_any_other(client):
    answer = client.ask("POST", "/api/examples/mauna_loa", {})
    assert (answer.status, answer.json["name"]) == (201, "mauna_loa.csv")
    assert client.ask("POST", "/api/examples/..%2F..%2Fx", {}).status == 404
    assert client.ask("POST", "/api/examples/nothing", {}).wrong == "There is no such example; there are mauna_loa."


def test_an_empty_file_is_refused(client):
    before = kept(client)
    answer = client.upload("")
    assert (answer.status, answer.wrong) == (422, "The file is empty: choose one that has a table in it.")
    assert set(kept(client)) <= set(before)


def test_fault_69_too_large_is_refused_by_what_is_declared(client):
    before = kept(client)
    answer = client.upload("x" * 50_001)
    assert answer.status == 413
    assert answer.wrong == "That is too large: at most 0.05 MB are taken here."
    assert set(kept(client)) <= set(before)


def test_fault_69_too_large_is_refused_while_it_comes(client):
    """Without a declared length there is only counting."""
    head = (
        f"POST /api/uploads HTTP/1.1\r\nHost: localhost:{client.port}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    chunk = b"2710\r\n" + b"1" * 10_000 + b"\r\n"
    before = kept(client)
    answer = client.raw(head.encode() + 6 * chunk + b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413")
    assert set(kept(client)) <= set(before)


def test_fault_69_a_slow_upload_is_given_up(hasty):
    with socket.create_connection(("127.0.0.1", hasty.port), timeout=PATIENCE) as slow:
        slow.sendall(f"POST /api/uploads HTTP/1.1\r\nHost: localhost:{hasty.port}\r\nContent-Length: 1000\r\n\r\nx,y\n".encode())
        assert slow.recv(65536).startswith(b"HTTP/1.1 408")
    assert kept(hasty) == []


def test_a_slow_upload_holds_up_nobody(client):
    with socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE) as slow:
        slow.sendall(f"POST /api/uploads HTTP/1.1\r\nHost: localhost:{client.port}\r\nContent-Length: 1000\r\n\r\n".encode())
        assert client.upload(TABLE).status == 201


def test_an_upload_that_breaks_off_leaves_nothing(client):
    before = kept(client)
    with socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE) as broken:
        broken.sendall(
            f"POST /api/uploads HTTP/1.1\r\nHost: localhost:{client.port}\r\nContent-Length: 1000\r\n\r\nx,y\n".encode()
        )
    eventually(lambda: set(kept(client)) <= set(before))


def zipped():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a.csv", TABLE)
    return held.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv.gz", TABLE.encode()),
        ("a.ZIP", TABLE.encode()),
        ("a.csv", gzip.compress(TABLE.encode())),
        ("a.csv", zipped()),
        ("a.tgz", b"x"),
    ],
    ids=["gz by name", "zip by name", "gz by bytes", "zip by bytes", "tgz by name"],
)
def test_fault_70_packed_files_are_refused(client, name, data):
    before = kept(client)
    answer = client.upload(data, name)
    assert (answer.status, "unpack it first" in answer.wrong) == (415, True)
    # What an earlier test sent slowly may still come in, or be on its way out.
    eventually(lambda: set(kept(client)) <= set(before))


def test_fault_70_packed_files_are_known_by_bytes_that_come_one_by_one(client):
    head = f"POST /api/uploads HTTP/1.1\r\nHost: localhost:{client.port}\r\nContent-Length: 40\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE) as slow:
        slow.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        slow.sendall(head.encode())
        for byte in gzip.compress(TABLE.encode())[:4]:
            slow.sendall(bytes([byte]))
            time.sleep(0.02)
        slow.sendall(b"x" * 36)
        assert slow.recv(65536).startswith(b"HTTP/1.1 415")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("sales.csv", "sales.csv"),
        ("..%2F..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("C:\\temp\\sales.csv", "sales.csv"),
        ("a%00b%0d%0aSet-Cookie: x.csv", "ab Set-Cookie: x.csv"),
        ("", "table"),
        ("..", "table"),
        ("%FF%FE.csv", "\ufffd\ufffd.csv"),
        ("x" * 300 + ".parquet", "x" * 112 + ".parquet"),
        ("." + "y" * 300, "." + "y" * 119),
        ("CON", "CON"),
    ],
)
def test_fault_68_labels(text, label):
    assert labelled(text) == label


def test_fault_69_the_folder_has_a_quota(tmp_path):
    with serving(tmp_path, quota=200_000) as client:
        assert client.upload("x" * 50_000).status == 201
        full = client.upload("x" * 190_000)
        assert (full.status, full.wrong.startswith("The folder of kernelscribe is full")) == (507, True)
        assert used(client.folder) < 200_000


def test_fault_69_files_without_a_job_are_removed_after_a_while(tmp_path):
    with acting(tmp_path, keep=3600.0) as client:
        lonely, needed = client.upload(TABLE).json["id"], client.upload(TABLE).json["id"]
        assert client.wait(client.begin(needed, forecast=DONE).json["id"])["state"] == "done"
        (client.folder / "uploads" / "0123456789abcdef").write_text("what a crash has left behind")
    with acting(tmp_path, keep=0.0) as client:
        assert kept(client) == [needed]
        assert client.preview(lonely).status == 404
        assert client.ask("GET", f"/read/{lonely}").status == 404
        assert client.ask("GET", f"/read/{needed}").status == 200


@pytest.mark.parametrize("id", ["x", "..%2Fkernelscribe.sqlite", "%00", "0123456789abcdef"])
def test_fault_68_ids_that_nobody_gave_are_unknown(client, id):
    assert client.ask("GET", f"/read/{id}").status == 404
    assert client.ask("POST", f"/api/uploads/{id}/preview", {}).status == 404
