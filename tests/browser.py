"""A headless Chromium, driven over its debugging protocol: what a page draws, says and asks for."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",  # without it Chromium does not start as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
    "about:blank",
]


def executable():
    """Where Chromium is; without it the test is left out."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"there is no browser: none of {', '.join(NAMES)} is installed")
    return found


class Page:
    """One tab, and what was heard from it."""

    def __init__(self, socket):
        self.socket, self.number, self.events = socket, 0, []

    def call(self, method, **params):
        """Send a command and wait for its answer; events that come in between are kept."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]
            self.events.append(message)

    def evaluate(self, script):
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, script, seconds=30):
        """Until an expression is true."""
        end = time.monotonic() + seconds
        while not self.evaluate(script):
            assert time.monotonic() < end, f"still not so after {seconds} s: {script}"
            time.sleep(0.05)

    def open(self, path, width=1280, height=900, dark=False):
        """Show a file in a window of this size, until it is loaded."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.events.clear()
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        self.wait("document.readyState === 'complete'")

    def point(self, selector, across=0.5):
        """Bring an element into sight and move the pointer onto it: half-way up, and so far across."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.evaluate(f"{element}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        x, y = self.evaluate(
            f"(({{x, y, width, height}}) => [x + {across} * width, y + height / 2])({element}.getBoundingClientRect())"
        )
        for step in (2, 0):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x - step, y=y)

    def tooltip(self, selector, across=0.5):
        """What a chart says under the pointer there: the heading, and what follows by its labels."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=0, y=0)
        self.wait("!document.querySelector('#vg-tooltip-element.visible')")
        self.point(selector, across)
        self.wait("!!document.querySelector('#vg-tooltip-element.visible')")
        heading, *lines = self.evaluate("document.querySelector('#vg-tooltip-element').innerText").strip().splitlines()
        return heading, dict(line.split("\t") for line in lines)

    def picture(self, path, top=0, height=None):
        """The page, or a part of it, as a PNG file."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": top, "width": size["width"], "height": height or size["height"] - top, "scale": 1}
        taken = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        Path(path).write_bytes(base64.b64decode(taken["data"]))

    @property
    def complaints(self):
        """Errors and warnings: of scripts, of the console and of the browser."""
        found = []
        for event in self.events:
            what, params = event.get("method"), event.get("params", {})
            if what == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif what == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(" ".join(str(each.get("value", each.get("description"))) for each in params["args"]))
            elif what == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
        return found

    @property
    def requests(self):
        """The addresses that were asked for, but for those that hold their own content."""
        asked = [event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [url for url in asked if not url.startswith("data:")]


@contextmanager
def browse():
    """A browser with one page; gone, with all its processes and files, when the block ends."""
    websocket = pytest.importorskip("websocket", reason="the package websocket-client is not installed")
    program = executable()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        with Path(profile, "log").open("wb") as log:
            process = subprocess.Popen([program, f"--user-data-dir={profile}/user", *FLAGS], stderr=log, start_new_session=True)
        try:
            socket = websocket.create_connection(_address(process, Path(profile, "log")), timeout=60, suppress_origin=True)
            try:
                yield Page(socket)
            finally:
                socket.close()
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _address(process, log, seconds=60):
    """Where the first tab listens."""
    import urllib.request

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert process.poll() is None, f"the browser ended: {log.read_text(errors='replace')[-500:]}"
        found = re.search(r"DevTools listening on ws://([\d.:]+)/", log.read_text(errors="replace"))
        if found:
            with urllib.request.urlopen(f"http://{found[1]}/json/list", timeout=10) as answer:
                pages = [each for each in json.load(answer) if each["type"] == "page"]
            if pages:
                return pages[0]["webSocketDebuggerUrl"]
        time.sleep(0.05)
    raise AssertionError(f"the browser did not answer within {seconds} s")
