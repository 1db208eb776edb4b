"""The journal: what was appended is read back, whatever happened to the file meanwhile."""

import errno
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kernelscribe.errors import JournalError
from kernelscribe.search.journal import FORMAT, Journal, check

HEADER = {"version": "0.1.0", "data": "d1", "options": {"depth": 3, "bases": ("SE", "LIN")}}
ENTRIES = ({"kernel": "SE", "lower": 0.1 + 0.2, "upper": 1e-320}, {"kernel": "λ\n", "lower": -math.pi * 1e200, "upper": None})
HOLD = """
import sys, time
from pathlib import Path
from kernelscribe.search.journal import Journal
Journal.resume(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def path(tmp_path):
    """A closed journal of two entries."""
    path = tmp_path / "search.jsonl"
    with Journal.create(path, HEADER) as journal:
        assert all(journal.append(entry) for entry in ENTRIES)
    return path


def test_floats_and_text_come_back_exactly(path):
    with Journal.resume(path) as journal:
        assert journal.entries == ENTRIES
        assert journal.header == {"journal": 2, **HEADER, "options": {"depth": 3, "bases": ["SE", "LIN"]}}
        assert journal.append({"kernel": "PER"})
    with Journal.resume(path) as journal:
        assert journal.entries == (*ENTRIES, {"kernel": "PER"})
    assert len(path.read_bytes().splitlines()) == 4


def test_a_number_that_is_not_finite_is_the_callers_to_convert(path):
    with Journal.resume(path) as journal:
        with pytest.raises(ValueError, match="JSON"):
            journal.append({"lower": math.nan})
        with pytest.raises(ValueError, match="JSON"):
            journal.settle([{"lower": -math.inf}])
        assert journal.entries == ENTRIES
    assert len(path.read_bytes().splitlines()) == 3


def test_create_makes_folders_and_refuses_what_exists(tmp_path):
    path = tmp_path / "a" / "b" / "search.jsonl"
    with Journal.create(path, HEADER) as journal:
        journal.append(ENTRIES[0])
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"search\.jsonl exists: use --resume .* --force"):
        Journal.create(path, HEADER)
    assert path.read_bytes() == before
    with Journal.create(path, HEADER, force=True) as journal:
        assert journal.entries == ()
    assert len(path.read_bytes().splitlines()) == 1


def test_memory_needs_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Journal.memory(HEADER) as journal:
        assert journal.append({"values": (1, 2)})
        assert journal.entries == ({"values": [1, 2]},)
        assert journal.settle(ENTRIES)
        assert journal.entries == ENTRIES
        check(journal.header, "d1", HEADER["options"])
    assert not list(tmp_path.iterdir())


def test_what_is_closed_stays_closed(path):
    journal = Journal.resume(path)
    journal.close()
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        journal.append({})
    with pytest.raises(ValueError, match="closed"):
        journal.settle([])


def test_fault_54_a_full_disk_leaves_memory(path, monkeypatch):
    for call in "write", "fsync":
        with Journal.resume(path) as journal:
            with monkeypatch.context() as patch:
                patch.setattr(os, call, full)
                assert not journal.append({"kernel": "PER"})
            assert "No space left" in journal.broken
            size = path.stat().st_size
            assert not journal.append({"kernel": "SE*PER"})
            assert path.stat().st_size == size
            assert journal.entries[-2:] == ({"kernel": "PER"}, {"kernel": "SE*PER"})


def test_fault_54_a_disk_that_fills_within_a_line(path, monkeypatch):
    some, room = os.write, [7]

    def fill(fd, data):
        taken = some(fd, data[: room[0]]) if room[0] else full()
        room[0] -= taken
        return taken

    with Journal.resume(path) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", fill)
            assert not journal.append({"kernel": "PER"})
        assert not path.read_bytes().endswith(b"\n")
    with Journal.resume(path) as journal:
        assert journal.entries == ENTRIES


def test_fault_54_a_part_that_is_taken_is_followed_by_the_rest(path, monkeypatch):
    some = os.write
    with Journal.resume(path) as journal, monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda fd, data: some(fd, data[:5]))
        assert journal.append({"kernel": "PER"})
    with Journal.resume(path) as journal:
        assert journal.entries == (*ENTRIES, {"kernel": "PER"})


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_fault_54_settling_is_all_or_nothing(path, monkeypatch, call):
    before = path.read_bytes()
    with Journal.resume(path) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, call, full)
            assert not journal.settle(ENTRIES[::-1])
        assert "No space left" in journal.broken
        assert journal.entries == ENTRIES[::-1]
        assert not journal.append({"kernel": "PER"})
        assert path.read_bytes() == before
        assert sorted(file.name for file in path.parent.iterdir()) == ["search.jsonl", "search.jsonl.lock"]
        assert journal.settle(journal.entries)
        assert journal.broken is None
    with Journal.resume(path) as journal:
        assert journal.entries == (*ENTRIES[::-1], {"kernel": "PER"})


def test_settling_and_going_on(path):
    with Journal.resume(path) as journal:
        assert journal.settle(ENTRIES[::-1])
        assert journal.append({"kernel": "PER"})
        assert journal.entries == (*ENTRIES[::-1], {"kernel": "PER"})
    with Journal.resume(path) as journal:
        assert journal.entries == (*ENTRIES[::-1], {"kernel": "PER"})


def test_fault_54_a_place_that_cannot_be_used(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"cannot be used .* choose another place"):
        Journal.create(tmp_path / "file" / "search.jsonl", HEADER)
    with pytest.raises(JournalError, match="cannot be used"):
        Journal.create(tmp_path, HEADER, force=True)


def test_fault_55_a_torn_tail_is_cut_off_wherever_it_tears(path):
    raw = path.read_bytes()
    start = raw.rindex(b"\n", 0, -1) + 1
    for length in range(start, len(raw)):
        path.write_bytes(raw[:length])
        with Journal.resume(path) as journal:
            assert journal.entries == ENTRIES[:1]
            assert path.read_bytes() == raw[:start]
            assert journal.append(ENTRIES[1])
        assert path.read_bytes() == raw


@pytest.mark.parametrize(
    "tail", [b"\0\0\0\0", b"\0\0\0\n", b'{"a": \n', b"\xff\xfe\n", b"\n", b"5\n", b'{"a": NaN}\n', b"[" * 100_000]
)
def test_fault_55_a_last_line_that_is_no_entry_is_cut_off(path, tail):
    raw = path.read_bytes()
    path.write_bytes(raw + tail)
    with Journal.resume(path) as journal:
        assert journal.entries == ENTRIES
    assert path.read_bytes() == raw


@pytest.mark.parametrize("tail", [b"{}\n", b"{"])
def test_fault_55_a_bad_line_in_the_middle_is_refused_by_number(path, tail):
    raw = path.read_bytes() + b'{"kernel": "P\n' + tail
    path.write_bytes(raw)
    with pytest.raises(JournalError, match=r"search\.jsonl, line 4: .*--force"):
        Journal.resume(path)
    assert path.read_bytes() == raw
    with Journal.create(path, HEADER, force=True):  # the refusal has released the lock
        pass


@pytest.mark.parametrize(
    "first", ["", "{", "{}\n", "5\n", '{"journal": 1}\n', '{"kernel": "SE"}\n', '{"journal": "1", "data": "d"}\n']
)
def test_fault_55_a_file_without_header_is_refused(path, first):
    path.write_text(first)
    with pytest.raises(JournalError, match=r"no journal's header .* --force"):
        Journal.resume(path)
    assert path.read_text() == first


def test_fault_55_a_newer_format_is_refused(path):
    path.write_text(json.dumps({"journal": 3, "version": "9.1"}) + "\n")
    with pytest.raises(JournalError, match=r"of kernelscribe 9\.1, newer than this one: update"):
        Journal.resume(path)


def test_fault_55_a_missing_journal_is_said_to_be_missing(tmp_path):
    with pytest.raises(JournalError, match="no such journal"):
        Journal.resume(tmp_path / "none" / "search.jsonl")
    assert not list(tmp_path.iterdir())


def test_fault_55_other_data_and_other_options_are_refused(path):
    with Journal.resume(path) as journal:
        header = journal.header
    check(header, "d1", HEADER["options"])
    with pytest.raises(JournalError, match="was written for other data"):
        check(header, "d2", HEADER["options"])
    with pytest.raises(JournalError, match=r"depth was 3, is now 4; bases was \['SE', 'LIN'\], is now \['SE'\]"):
        check(header, "d1", {"depth": 4, "bases": ("SE",)})


def test_fault_55_an_option_that_one_side_lacks_has_its_default(path):
    with Journal.resume(path) as journal:
        header = journal.header
    given, defaults = {**HEADER["options"], "beam": 1, "grid": (1, 2)}, {"beam": 1, "grid": (1, 2), "depth": 3}
    check(header, "d1", given, defaults)
    check(header, "d1", {"bases": ("SE", "LIN")}, defaults)
    with pytest.raises(JournalError, match=r"\(beam was 1, is now 2\)"):
        check(header, "d1", given | {"beam": 2}, defaults)


def test_fault_55_journals_of_version_1_are_refused_with_what_to_do(tmp_path):
    path = Path(shutil.copy(Path(__file__).with_name("journal_1.jsonl"), tmp_path))
    before = path.read_bytes()
    said = r"journal_1\.jsonl is of kernelscribe 0\.1\.0, whose .*: start anew with --force, or go on with that version .*==0\.1"
    with pytest.raises(JournalError, match=said):
        Journal.resume(path)
    assert path.read_bytes() == before
    with Journal.create(path, HEADER, force=True) as journal:
        assert journal.header["journal"] == FORMAT == 2


@pytest.fixture
def holder(path):
    """Another process that holds the journal."""
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_fault_56_a_second_run_is_refused_until_the_first_is_killed(path, holder):
    before = path.read_bytes()
    refused = rf"search\.jsonl is in use by another run, process {holder.pid} \(lock file .*search\.jsonl\.lock\)"
    with pytest.raises(JournalError, match=refused):
        Journal.resume(path)
    with pytest.raises(JournalError, match=refused):
        Journal.create(path, HEADER, force=True)
    assert path.read_bytes() == before
    holder.kill()
    holder.wait()
    with Journal.resume(path) as journal:
        assert journal.append({"kernel": "PER"})
        assert (path.parent / "search.jsonl.lock").read_text() == f"{os.getpid()}\n"


def test_fault_56_a_new_journal_is_held_until_it_is_closed(tmp_path):
    path = tmp_path / "search.jsonl"
    with Journal.create(path, HEADER), pytest.raises(JournalError, match=f"process {os.getpid()}"):
        Journal.resume(path)
    Journal.resume(path).close()
    assert (tmp_path / "search.jsonl.lock").read_text() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_fault_56_a_link_leads_to_the_same_lock(path, tmp_path):
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    with Journal.resume(path), pytest.raises(JournalError, match=f"process {os.getpid()}"):
        Journal.resume(link)
    with Journal.resume(link) as journal:
        assert journal.entries == ENTRIES


def test_fault_56_a_forked_worker_does_not_keep_the_lock(path):
    """A clean close releases it even where a copy of its descriptor lives on."""
    journal = Journal.resume(path)
    copy = os.dup(journal._lock._fd)
    journal.close()
    with Journal.resume(path):
        pass
    os.close(copy)
