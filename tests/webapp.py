"""The web application as its users have it: the server in a process of its own, asked over the network of this machine."""

import json
import math
import os
import random
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

OVER = ("done", "stopped", "failed")
# Seconds until something counts as broken: a machine that others use may take its time.
PATIENCE = 600
# The command line, ended by the end of its input: also when the tests are killed, no server is left behind.
_PROGRAM = """
import os, signal, sys, threading
from kernelscribe.__main__ import main
watch = lambda: (sys.stdin.read(), os.kill(os.getpid(), signal.SIGTERM))
threading.Thread(target=watch, daemon=True).start()
main()
"""


def chromium_flags():
    """How Chromium is started: headless, as root too, and asking nobody anything by itself."""
    off = ("gpu", "dev-shm-usage", "quic", "background-networking", "component-update", "sync")
    return ["--no-sandbox", "--no-first-run", *(f"--disable-{each}" for each in off)]


def series(rows, seed=0, time="month", target="sales"):
    """A monthly series with a trend, a yearly cycle and noise, as CSV."""
    rng = random.Random(seed)  # noqa: S311
    lines = [f"{time},visitors,{target}"]
    for i in range(rows):
        value = 20 + 0.1 * i + 3 * math.sin(2 * math.pi * i / 12) + rng.gauss(0, 0.4)
        lines.append(f"{1990 + i // 12}-{i % 12 + 1:02d}-01,{rng.gauss(100, 9):.1f},{value:.3f}")
    return "\n".join(lines) + "\n"


def endless():
    """Options with which a search goes on for longer than anyone waits, in small steps: it can be looked at and stopped on any
    machine. Of all strategies only this one goes on to the depth it was told, whether or not anything gains."""
    return {"strategy": "skc-lb", "depth": 1000, "buffer": 12, "restarts": 2}


class App:
    """A running server, and its JSON."""

    def __init__(self, base):
        self.base = base

    def call(self, method, path, value=None, body=None, headers=(), expect=range(200, 300)):
        """What the server answers; a status that is not expected is an error, unless anything is."""
        data = json.dumps(value).encode() if value is not None else body
        kind = "application/json" if value is not None else "application/octet-stream"
        sent = {"Content-Type": kind, "Origin": self.base, **dict(headers)}
        request = urllib.request.Request(self.base + path, data, sent, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                status, text = error.code, error.read()
        assert expect is None or status in expect, f"{method} {path}: {status} {text[:300]!r}"
        return json.loads(text) if text else None

    def upload(self, text, name):
        body = text if isinstance(text, bytes) else text.encode()
        return self.call("POST", "/api/uploads", body=body, headers={"X-Filename": quote(name, safe="")})["id"]

    def begin(self, text, name, forecast=None, **options):
        """A search of this table; its number."""
        # Compiling would take longer than these searches.
        asked = {"upload": self.upload(text, name), "reading": {}, "options": {"backend": "numpy", **options}}
        return self.call("POST", "/api/jobs", asked if forecast is None else {**asked, "forecast": forecast})["id"]

    def job(self, id):
        return self.call("GET", f"/api/jobs/{id}")

    def settle(self, id, seconds=PATIENCE):
        """Wait until a search is over; what it then is."""
        end = time.monotonic() + seconds
        while (job := self.job(id))["state"] not in OVER:
            assert time.monotonic() < end, f"not over after {seconds} s: {job}"
            time.sleep(0.1)
        return job


def until(page, script, seconds=PATIENCE):
    """Wait until an expression is true in a page. (Playwright's own way needs an `eval`, which the pages' policy forbids.)"""
    end = time.monotonic() + seconds
    while not page.evaluate(script):
        assert time.monotonic() < end, f"still not so after {seconds} s: {script}"
        page.wait_for_timeout(50)


def soon(page, so, seconds):
    """Whether something comes true within some seconds, while the page goes on."""
    end = time.monotonic() + seconds
    while not (found := so()) and time.monotonic() < end:
        page.wait_for_timeout(50)
    return found


@contextmanager
def serve(folder):
    """A server on a free port of this machine; gone when the block ends."""
    log = Path(folder, "server.log")
    command = [sys.executable, "-c", _PROGRAM, "web", "--port", "0", "--no-open", "--data-dir", str(Path(folder, "data"))]
    one = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=out, env=os.environ | one)
    try:
        yield App(_address(process, log))
    finally:
        process.stdin.close()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process, log, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text(errors="replace"))
        if found:
            return found[0]
        assert process.poll() is None, f"the server ended: {log.read_text(errors='replace')[-2000:]}"
        time.sleep(0.05)
    raise AssertionError(f"the server did not answer within {seconds} s")
