"""What a face says in tests: the notes of a table, and why one is refused."""

import re
from contextlib import contextmanager

import pytest

from kernelscribe.errors import DataError
from kernelscribe.faces import Face
from kernelscribe.report.words.english.notes import sentence


def sentences(data, kind=None, face=Face.TERMINAL):
    """The notes of a kind, or all of them, as sentences."""
    return [sentence(note, face) for note in data.notes if kind in (None, note.kind)]


@contextmanager
def refused(match, face=Face.TERMINAL):
    """A DataError that says this on that face."""
    with pytest.raises(DataError) as raised:
        yield raised
    said = raised.value.said(face)
    assert re.search(match, said), said
