"""Folders of the user: data, and what can be made anew."""

from pathlib import Path

import pytest

from kernelscribe import folders


@pytest.fixture
def at_home(monkeypatch, tmp_path):
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("system", "data", "cache"),
    [
        ("linux", ".local/share/kernelscribe", ".cache/kernelscribe"),
        ("darwin", "Library/Application Support/kernelscribe", "Library/Caches/kernelscribe"),
        ("win32", "AppData/Local/kernelscribe", "AppData/Local/kernelscribe/cache"),
    ],
)
def test_every_system_has_its_own(monkeypatch, at_home, system, data, cache):
    monkeypatch.setattr("sys.platform", system)
    assert (folders.home(), folders.cache()) == (at_home / data, at_home / cache)


def test_the_environment_may_name_others(monkeypatch, at_home):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(at_home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(at_home / "kept"))
    assert (folders.home(), folders.cache()) == (at_home / "data" / "kernelscribe", at_home / "kept" / "kernelscribe")
