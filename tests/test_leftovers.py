"""What a killed run leaves behind is cleared away by the next one, and nothing else is."""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kernelscribe import leftovers

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /dev/shm")
posix = pytest.mark.skipif(sys.platform == "win32", reason="there all folders of temporary files are the user's own")
SHARED = Path("/dev/shm")  # noqa: S108
# A run with a worker, in the middle of writing a file.
BUSY = """
import os, sys, time
from pathlib import Path
from kernelscribe.files import write
from kernelscribe.search.pool import processes
def hang(*names):
    print("busy", flush=True)
    time.sleep(600)
if __name__ == "__main__":
    executor = processes(1)
    assert executor.submit(int).result() == 0
    os.replace = hang
    write(Path(sys.argv[1]), "half")
"""
NEXT = """
import sys
from pathlib import Path
from kernelscribe.files import write
write(Path(sys.argv[1]), "whole")
"""
FORK = """
import os, sys
from pathlib import Path
from kernelscribe.files import write
from kernelscribe.leftovers import folder
write(Path(sys.argv[1]) / "parent.txt", "parent")
before = set(folder().iterdir())
print(len(before), flush=True)
pid = os.fork()
write(Path(sys.argv[1]) / "file.txt", "of both")
if not pid:
    print(len(set(folder().iterdir())), flush=True)
    os._exit(0)
os.waitpid(pid, 0)
print("kept" if before <= set(folder().iterdir()) else "gone")
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Temporary files of the processes that are started here, and of this one."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def semaphores(pid):
    return sorted(each.name for each in SHARED.glob(f"sem.loky-{pid}-*"))


def temporaries(place):
    return sorted(each.name for each in place.glob(".kernelscribe-*.tmp"))


def follow(place):
    """The next process that writes anything."""
    subprocess.run([sys.executable, "-c", NEXT, str(place / "next.txt")], check=True, cwd=place)


@pytest.fixture
def busy(place):
    """A run with a worker, which is killed with all its processes if the test does not do so."""
    (place / "busy.py").write_text(BUSY)
    command = [sys.executable, str(place / "busy.py"), str(place / "result.txt")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, cwd=place) as process:
        assert process.stdout.readline() == "busy\n"
        yield process
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    follow(place)


@pytest.fixture
def foreign():
    """A semaphore that another program, which has ended, has left there with the same library."""
    path = SHARED / f"sem.loky-{2**30}-{secrets.token_hex(4)}"
    path.touch()
    yield path
    path.unlink()


@linux
def test_a_killed_group_of_processes_is_cleared_up_after_by_the_next_run(busy, place, foreign):
    """Semaphores and a file that was half written; not those of others, dead or alive."""
    strange = place / f".kernelscribe-{'0' * 16}.tmp"
    strange.touch()
    os.killpg(busy.pid, signal.SIGKILL)
    busy.wait()
    assert semaphores(busy.pid)
    assert len(temporaries(place)) == 2
    follow(place)
    assert semaphores(busy.pid) == []
    assert temporaries(place) == [strange.name]
    assert foreign.exists()
    assert (place / "next.txt").read_text() == "whole"
    assert not list(place.glob("kernelscribe-*"))


@linux
def test_what_a_run_that_lives_has_made_stays(busy, place):
    before = semaphores(busy.pid), temporaries(place)
    assert all(before)
    follow(place)
    assert (semaphores(busy.pid), temporaries(place)) == before


@posix
def test_a_record_names_nothing_but_leftovers(place):
    """Whatever else is written in it stays where it is."""
    kept = place / "important.csv"
    kept.touch()
    (leftovers.folder() / "0.run").write_text(f"{kept}\n/other-1-abcdefgh\n{place}\n")
    follow(place)
    assert kept.exists()
    assert not list(place.glob("kernelscribe-*"))


@posix
def test_a_folder_that_others_can_write_to_is_not_believed(place):
    half = place / f".kernelscribe-{'1' * 16}.tmp"
    half.touch()
    folder = leftovers.folder()
    (folder / "0.run").write_text(f"{half}\n")
    folder.chmod(0o777)
    with pytest.raises(PermissionError):
        leftovers.folder()
    follow(place)
    assert half.exists()
    assert (place / "next.txt").read_text() == "whole"
    folder.chmod(0o700)
    follow(place)
    assert not half.exists()


@posix
def test_a_process_that_was_forked_has_a_record_of_its_own(place):
    """And takes that of its parent neither over nor away."""
    done = subprocess.run([sys.executable, "-c", FORK, str(place)], capture_output=True, text=True, check=True, cwd=place)
    assert done.stdout.split() == ["1", "2", "kept"]
    follow(place)
    assert not list(place.glob("kernelscribe-*"))
