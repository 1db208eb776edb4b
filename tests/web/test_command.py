"""The command `web`: what it needs, what it says, and how little it loads."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from kernelscribe.app.exits import Exit
from kernelscribe.web.settings import local
from webapp import PATIENCE

COMMAND = [sys.executable, "-m", "kernelscribe", "web", "--no-open"]


def refused(*args, **more):
    done = subprocess.run([*COMMAND, *args], capture_output=True, text=True, check=False, timeout=PATIENCE, **more)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


def test_another_host_demands_a_token(tmp_path):
    code, said = refused("--host", "0.0.0.0", "--data-dir", str(tmp_path))  # noqa: S104
    assert code == Exit.BAD_INPUT
    assert "others could reach 0.0.0.0, so a token is needed" in said


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, said = refused("--port", str(taken.getsockname()[1]), "--data-dir", str(tmp_path))
    assert code == Exit.BAD_INPUT
    assert "give another --port (0 takes any that is free)" in said


def test_a_folder_that_cannot_be_used(tmp_path):
    (tmp_path / "file").touch()
    code, said = refused("--port", "0", "--data-dir", str(tmp_path / "file"))
    assert code == Exit.CANNOT_WRITE
    assert "give another folder with --data-dir" in said


def test_without_the_extra_it_says_what_to_install(tmp_path):
    lines = ("import sys", "sys.modules['uvicorn'] = None", "from kernelscribe.__main__ import main")
    code = "\n".join([*lines, "sys.argv = ['kernelscribe', 'web']", "main()"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == Exit.BAD_INPUT
    assert done.stderr == 'Error: the browser application needs the extra web: pip install "kernelscribe[web]"\n'


@pytest.mark.skipif(sys.platform == "win32", reason="ends by signal")
def test_it_serves_until_it_is_told_to_end(tmp_path):
    folder = tmp_path / "data"
    token = {**os.environ, "KERNELSCRIBE_TOKEN": "s3cret/ü"}
    server = subprocess.Popen([*COMMAND, "--port", "0", "--data-dir", str(folder)], stdout=subprocess.PIPE, text=True, env=token)
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+/\S*", server.stdout.readline())[0]
        assert address.endswith("?token=s3cret/%C3%BC")
        with urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(address, timeout=PATIENCE) as answer:
            assert answer.status == 200
            assert "token" not in answer.url
            assert "New analysis" in answer.read().decode()
        code, said = refused("--port", "0", "--data-dir", str(folder))
        assert (code, "another kernelscribe web uses" in said) == (Exit.BAD_INPUT, True)
        assert folder.stat().st_mode & 0o077 == 0
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(PATIENCE)
        server.stdout.close()
    assert server.returncode in (0, 130)


def test_the_server_loads_no_library_of_numbers():
    code = "import sys, kernelscribe.web.serve\nprint(sorted({'numpy', 'scipy', 'pandas', 'numba', 'altair'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_loads_no_library_until_it_is_asked():
    code = (
        "import sys\nimport kernelscribe as ks, kernelscribe.__main__\nprint('numpy' in sys.modules)\n"
        "import kernelscribe.engines.interval\nfrom kernelscribe.engines import engine\n"
        "print(callable(ks.evidence), ks.evidence.__module__)\n"
        "print(set(ks.__all__) <= set(dir(ks)), ks.Config().seed)\n"
        "try:\n    ks.nothing\nexcept AttributeError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "False",
        "True kernelscribe.api.score",
        "True 0",
        "module 'kernelscribe' has no attribute 'nothing'",
    ]


def test_a_kept_alive_connection_does_not_hold_up_the_end(tmp_path):
    from serving import serving

    with socket.socket() as idle:
        with serving(tmp_path) as client:
            idle.connect(("127.0.0.1", client.port))
            idle.sendall(f"GET /static/app.css HTTP/1.1\r\nHost: localhost:{client.port}\r\n\r\n".encode())
            assert idle.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("127.9.9.9", True),
        ("0.0.0.0", False),  # noqa: S104
        ("::", False),
        ("192.168.1.5", False),
        ("example.org", False),
    ],
)
def test_what_only_this_machine_reaches(host, own):
    assert local(host) is own
