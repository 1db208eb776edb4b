"""The command as the tests of faults start it: in this process, in one of its own, or in a fork; and what it leaves behind."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import kernelscribe as ks
from kernelscribe.app.cli import cli
from kernelscribe.search.pool import Inline
from searches import lines

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
work._STATEMENT_STAGES["screen"] = lambda bench, task: print("stuck", flush=True) or time.sleep(600)
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
