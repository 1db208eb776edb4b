"""A report as JSON, and back: exactly the same tree, to be rendered later to any format."""

import json
from pathlib import Path

from kernelscribe.codec import decode, encode
from kernelscribe.errors import DataError
from kernelscribe.report.document import Document

__all__ = ["FORMAT", "Saved", "from_json", "to_json"]

# Of saved reports; other numbers are refused.
FORMAT = 1


class Saved:
    """JSON, from which all other formats can be made later."""

    name = "json"
    endings = ("json",)

    def render(self, document: Document, path: Path) -> str:
        return to_json(document)


def to_json(document: Document) -> str:
    """The document on one line."""
    return json.dumps({"format": FORMAT, **encode(document)}, allow_nan=False, separators=(",", ":"))


def from_json(text: str) -> Document:
    """The document that was saved."""
    try:
        saved = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise DataError(f"this is not a saved report: {error}") from None
    if not isinstance(saved, dict) or saved.get("type") != "document":
        raise DataError("this is not a saved report")
    number = saved.pop("format", None)
    if number != FORMAT:
        raise DataError(f"this report was saved in format {number}, and this version reads format {FORMAT}")
    try:
        document: Document = decode(Document, saved)
    except ValueError as error:
        raise DataError(f"this saved report is damaged: {error}") from None
    return document
