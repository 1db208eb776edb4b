"""The pages' sources: colours of the report, nothing from elsewhere, nothing that the policy forbids, and small."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from kernelscribe.report.formats.theme import DARK, LIGHT

WEB = Path(str(files("kernelscribe.web")))
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
STATIC = sorted((WEB / "static").iterdir())


def colours(block):
    return dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", block))


def test_colours_are_those_of_the_report():
    light, dark = (WEB / "static" / "app.css").read_text().split("@media (prefers-color-scheme: dark)")
    assert LIGHT.items() <= colours(light).items()
    assert DARK.items() <= colours(dark.partition("*, *::before")[0]).items()


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_no_script_no_style_and_nothing_unescaped(path):
    text = path.read_text()
    for tag in re.findall(r"<script[^>]*>", text):
        assert 'src="/static/' in tag or 'type="application/json"' in tag, tag
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|\|\s*safe\b|autoescape false", text)


@pytest.mark.parametrize("path", [*TEMPLATES, *STATIC], ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere(path):
    addresses = set(re.findall(r"https?://[^\s\"'`]+", path.read_text()))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", path.read_text())


def test_pages_are_small():
    """All that any page loads, before packing: what a slow telephone takes in at once."""
    assert sum(path.stat().st_size for path in STATIC) < 80_000
    for path in [*TEMPLATES, *STATIC]:
        assert len(path.read_text().splitlines()) < 200, path.name
