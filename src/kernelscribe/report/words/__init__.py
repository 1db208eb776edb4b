"""What the report says, one folder a language. Which one is spoken is decided here, in one line; all others ask `language`."""

from kernelscribe.data.notes import Note
from kernelscribe.faces import Face
from kernelscribe.report.words import english as language

__all__ = ["language", "sentence"]


def sentence(note: Note, face: Face = Face.PYTHON) -> str:
    """What a reader guessed, repaired or noticed, as the face names its options."""
    return language.notes.sentence(note, face)
