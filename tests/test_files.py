"""Whole files or none, whatever fails on the way."""

import errno
import os
import stat
import sys

import pytest

from kernelscribe.files import cut, put, write

posix = pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_writes_text_and_bytes_as_they_are(tmp_path):
    path = tmp_path / "report.md"
    write(path, "λ = 1\nπ = 3\n")
    assert path.read_bytes() == "λ = 1\nπ = 3\n".encode()
    write(path, b"\x00\r\n\xff")
    assert path.read_bytes() == b"\x00\r\n\xff"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_of_full_length_is_written(tmp_path):
    path = tmp_path / ("n" * 255)
    write(path, "whole")
    assert path.read_text() == "whole"


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_fault_54_a_failure_leaves_the_old_file_and_no_other(tmp_path, monkeypatch, call):
    path = tmp_path / "report.md"
    write(path, "old")
    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(OSError, match="No space left"):
            write(path, "new")
        with pytest.raises(OSError, match="No space left"):
            write(tmp_path / "never.md", "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_fault_54_the_order_is_flush_replace_flush(tmp_path, monkeypatch):
    done = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(
        os, "fsync", lambda fd: (done.append("folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "file"), fsync(fd))
    )
    monkeypatch.setattr(os, "replace", lambda old, new: (done.append("replace"), replace(old, new)))
    write(tmp_path / "report.md", "text")
    assert done == ["file", "replace"] + ["folder"] * (sys.platform != "win32")


@posix
@pytest.mark.parametrize("code", [errno.EINVAL, errno.EIO])
def test_fault_54_a_folder_that_cannot_be_flushed(tmp_path, monkeypatch, code):
    """A file system without flushing of folders is no error; one that is failing is."""
    fsync = os.fsync

    def refuse(fd):
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(code, os.strerror(code))
        fsync(fd)

    monkeypatch.setattr(os, "fsync", refuse)
    if code == errno.EINVAL:
        write(tmp_path / "report.md", "text")
    else:
        with pytest.raises(OSError, match=os.strerror(code)):
            write(tmp_path / "report.md", "text")
    assert (tmp_path / "report.md").read_text() == "text"


def test_an_interrupt_removes_the_temporary_file(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path / "report.md", "text")
    assert not list(tmp_path.iterdir())


@posix
def test_permissions_follow_the_umask_and_never_widen(tmp_path):
    path = tmp_path / "report.md"
    before = os.umask(0o027)
    try:
        write(path, "text")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o600)
        write(path, "again")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)


@posix
def test_a_link_stays_a_link(tmp_path):
    target = tmp_path / "target.md"
    target.write_text("old")
    link = tmp_path / "link.md"
    link.symlink_to(target)
    write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@posix
def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    fd = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write(pipe, "text")
        assert os.read(fd, 10) == b"text"
        assert stat.S_ISFIFO(pipe.stat().st_mode)
    finally:
        os.close(fd)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(OSError):
        write(tmp_path, "text")
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "missing" / "report.md", "text")


def test_put_goes_on_after_a_part(tmp_path, monkeypatch):
    some = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: some(fd, data[:3]))
    fd = os.open(tmp_path / "parts", os.O_WRONLY | os.O_CREAT)
    put(fd, b"0123456789")
    os.close(fd)
    assert (tmp_path / "parts").read_bytes() == b"0123456789"


def test_cut_keeps_the_beginning(tmp_path):
    path = tmp_path / "tail"
    path.write_bytes(b"good\r\nbad")
    cut(path, 6)
    assert path.read_bytes() == b"good\r\n"
