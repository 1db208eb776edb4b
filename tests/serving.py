"""The web application in this process, on a free port, for tests that set its limits; and a client that sends what it is told."""

import http.client
import json
import os
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from kernelscribe.web.serve import server
from kernelscribe.web.settings import Settings
from webapp import PATIENCE

OVER = ("done", "stopped", "failed")
HERE = str(Path(__file__).resolve().parent)


class Answer:
    """Status, headers and body."""

    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def wrong(self):
        """The sentence of an error, which has one shape."""
        assert set(self.json) == {"error"}
        assert set(self.json["error"]) == {"status", "message"}
        assert self.json["error"]["status"] == self.status
        return self.json["error"]["message"]


class Client:
    """Asks a server; each request on a connection of its own."""

    def __init__(self, port, folder):
        self.port, self.folder = port, folder

    def ask(self, method, path, value=None, body=None, headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, json.dumps(value) if value is not None else body, dict(headers))
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def raw(self, data, seconds=PATIENCE):
        """Bytes as they are; what comes back until the server hangs up."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            connection.sendall(data)
            found = b""
            while block := connection.recv(65536):
                found += block
            return found

    def upload(self, table, name="table.csv", **headers):
        body = table.encode() if isinstance(table, str) else table
        label = quote(name, safe="", errors="surrogatepass")
        return self.ask("POST", "/api/uploads", body=body, headers={"X-Filename": label, **headers})

    def preview(self, upload, **reading):
        return self.ask("POST", f"/api/uploads/{upload}/preview", {"reading": reading})

    def begin(self, upload, **more):
        return self.ask("POST", "/api/jobs", {"upload": upload, **more})

    def job(self, id):
        return self.ask("GET", f"/api/jobs/{id}").json

    def wait(self, id, *states):
        """The job as soon as it has one of these states, or is over."""
        return eventually(lambda: job if (job := self.job(id))["state"] in (states or OVER) else None)

    def events(self, id, after=None, **headers):
        """All events of a job, from a number on, until it has ended: (number, name, data)."""
        path = f"/api/jobs/{id}/events" + ("" if after is None else f"?after={after}")
        return parsed(self.ask("GET", path, headers=headers).text)


def eventually(so, seconds=PATIENCE):
    """What a function gives, as soon as that is anything."""
    end = time.monotonic() + seconds
    while not (found := so()):
        assert time.monotonic() < end, f"nothing after {seconds} s"
        time.sleep(0.02)
    return found


def parsed(text):
    """Server-sent events as (number, name, data)."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in lines:
            found.append((int(lines["id"]), lines["event"], json.loads(lines["data"])))
    return found


@contextmanager
def serving(folder, **settings):
    """A server with these settings; gone when the block ends."""
    told = Settings(**{"folder": Path(folder, "data"), "port": 0, **settings})
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    running = server(told)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        eventually(lambda: running.started or not thread.is_alive())
        assert running.started
        yield Client(listening.getsockname()[1], told.folder)
    finally:
        running.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive(), "the server does not end"


@contextmanager
def acting(folder, **settings):
    """A server whose jobs are played by `actor.py`, which takes no time."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = HERE if before is None else os.pathsep.join([HERE, before])
    try:
        with serving(folder, **{"worker": "actor", **settings}) as client:
            yield client
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
