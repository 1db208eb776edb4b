"""The docs as a site, opened from the disk: the search finds, the colours follow the system, and no page has an error."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from browser import browse

ROOT = Path(__file__).resolve().parents[1]
NAMES = sorted(page.stem for page in ROOT.glob("docs/*.md"))
RESULTS = "#mkdocs-search-results"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def tab():
    with browse() as found:
        yield found


def search(tab, text):
    """Open the box as a reader does, type into it, and tell what is found: titles, addresses and the text of it all."""
    if not tab.evaluate("document.querySelector('#mkdocs_search_modal').classList.contains('show')"):
        tab.evaluate("document.querySelector('[data-bs-target=\"#mkdocs_search_modal\"]').click()")
        tab.wait("document.activeElement.id === 'mkdocs-search-query'")
    tab.evaluate(f"document.querySelector('{RESULTS}').replaceChildren()")
    tab.evaluate("document.querySelector('#mkdocs-search-query').select()")
    tab.call("Input.insertText", text=text)
    for kind in ("keyDown", "keyUp"):  # the key that ends a search; it must not leave the page
        tab.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13)
    tab.wait(f"document.querySelectorAll('{RESULTS} > *').length > 0")
    links = tab.evaluate(f"[...document.querySelectorAll('{RESULTS} a')].map((link) => [link.textContent, link.href])")
    return links, tab.evaluate(f"document.querySelector('{RESULTS}').innerText")


def test_the_site_is_what_its_pages_need_and_no_more(site):
    assert {page.stem for page in site.glob("*.html")} == set(NAMES)
    assert {file.name for file in site.glob("search/*")} == {"index.js", "lunr.js", "main.js"}


def test_the_site_loads_nothing_from_elsewhere(site):
    for page in site.glob("*.html"):
        assert not re.search(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=[\"'](?:https?:)?//", page.read_text()), page.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//", sheet.read_text()), sheet.name


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_from_the_disk_has_no_error_and_the_colours_of_the_system(site, tab, name, dark):
    tab.open(site / f"{name}.html", dark=dark)
    assert tab.complaints == []
    assert tab.evaluate("document.documentElement.dataset.bsTheme") == ("dark" if dark else "light")
    assert {urlsplit(url).scheme for url in tab.requests} == {"file"}


@pytest.mark.parametrize(
    ("words", "page"),
    [("widened band", "forecast.html"), ("--patience", "commands.html"), ("exit cod", "files.html"), ("resume:", "cluster.html")],
    ids=["words", "option", "half a word", "punctuation"],
)
def test_the_search_finds_from_the_disk(site, tab, words, page):
    tab.open(site / "index.html")
    links, text = search(tab, words)
    assert page in [Path(urlsplit(url).path).name for _, url in links]
    assert words.strip("-:").split()[0] in text.lower()
    assert tab.complaints == []


def test_what_was_found_leads_to_its_section(site, tab):
    tab.open(site / "web.html")
    links, _ = search(tab, "come back later")
    assert links[0][0] == "In the browser: Come back later"
    tab.evaluate(f"document.querySelector('{RESULTS} a').click()")
    tab.wait("location.hash === '#come-back-later'")
    assert tab.evaluate("!!document.querySelector(location.hash)")
    tab.wait("!document.querySelector('#mkdocs_search_modal').classList.contains('show')")
    assert tab.complaints == []


def test_the_search_says_what_it_does_not_find(site, tab):
    tab.open(site / "index.html")
    assert search(tab, "<b>zebra</b>") == ([], "Nothing was found for “<b>zebra</b>”.")
    assert tab.complaints == []


def test_a_search_without_its_files_says_so(site, tab, tmp_path):
    copied = shutil.copytree(site, tmp_path / "site", ignore=shutil.ignore_patterns("images", "index.js"))
    tab.open(copied / "index.html")
    links, text = search(tab, "kernel")
    assert links == []
    assert text.startswith("The search does not work")
