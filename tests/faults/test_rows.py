"""Every fault of the project's list has a test that bears its number."""

import re
from pathlib import Path

ROWS = range(1, 75)


def test_every_fault_has_a_test():
    """Most tests stand here, those of the files and of the journal beside what they test."""
    sources = [path.read_text() for path in Path(__file__).resolve().parents[1].rglob("test_*.py")]
    tested = {int(number) for source in sources for number in re.findall(r"^def test_fault_(\d\d)_", source, re.MULTILINE)}
    assert [row for row in ROWS if row not in tested] == []
