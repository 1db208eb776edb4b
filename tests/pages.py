"""The pages of the documentation, and how tests find a section, a table or an option in them."""

import re
from pathlib import Path

from kernelscribe.config import options

ROOT = Path(__file__).resolve().parents[1]
DOCS = {page.stem: page.read_text() for page in sorted(ROOT.glob("docs/*.md"))}
PAGES = [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
TEXT = "\n".join(page.read_text() for page in PAGES)
COMMANDS = DOCS["commands"]
API = DOCS["api"]
FILES = DOCS["files"]
SEARCH = DOCS["search"]


def section(page, title):
    """What stands under a heading, up to the next one of its level or above."""
    found = re.search(rf"^(#+) {re.escape(title)}$", page, re.MULTILINE)
    assert found, f"there is no heading {title!r}"
    rest = page[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def rows(page, first):
    """The rows of tables that begin with this cell, each as its other cells."""
    return [line.strip("|").split(" | ")[1:] for line in page.splitlines() if line.startswith(f"| {first} |")]


def flag(name):
    return f"`--{name.replace('_', '-')}`"


def option_section(name):
    """Where an option has its row."""
    return section(COMMANDS, "Options of the search" if options()[name].search else "Options of a fit")
