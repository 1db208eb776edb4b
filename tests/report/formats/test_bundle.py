"""The script that draws charts is put together once, and then kept."""

from importlib.metadata import version

import pytest
import vl_convert

from kernelscribe import folders
from kernelscribe.report.formats import bundle


@pytest.fixture
def made(monkeypatch, tmp_path):
    """What was bundled, in a folder of its own, by a converter that is quick."""
    calls = []

    def quick(snippet):
        calls.append(snippet)
        return f"script {len(calls)} \r\n"

    monkeypatch.setattr(folders, "cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(vl_convert, "javascript_bundle", quick)
    bundle._bundled.cache_clear()
    yield calls
    bundle._bundled.cache_clear()


def test_the_next_process_finds_it(made):
    first = bundle.bundle()
    bundle._bundled.cache_clear()
    assert bundle.bundle() == first == "script 1 \r\n"
    assert len(made) == 1


def test_another_version_of_the_converter_makes_another(made, monkeypatch):
    bundle.bundle()
    bundle._bundled.cache_clear()
    monkeypatch.setattr(bundle, "version", lambda name: "0.0")
    assert bundle.bundle() == "script 2 \r\n"


@pytest.mark.parametrize("error", [OSError, RuntimeError])
def test_without_a_folder_it_is_made_each_time(made, monkeypatch, error):
    def nowhere():
        raise error

    monkeypatch.setattr(folders, "cache", nowhere)
    assert bundle.bundle() == "script 1 \r\n"
    bundle._bundled.cache_clear()
    assert bundle.bundle() == "script 2 \r\n"


def test_what_is_no_text_is_made_anew(made):
    folders.cache().mkdir()
    (folders.cache() / f"vega-{version('vl-convert-python')}.js").write_bytes(b"\xff\xfe")
    assert bundle.bundle() == "script 1 \r\n"
