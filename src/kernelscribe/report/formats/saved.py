"""A report as JSON, and back: exactly the same tree, to be rendered later to any format."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kernelscribe.errors import DataError
from kernelscribe.report.document import (
    Bullets,
    Callout,
    Card,
    Cards,
    Code,
    Details,
    Document,
    Emph,
    Figure,
    Link,
    Mono,
    Paragraph,
    Section,
    SideBySide,
    Strong,
    TableBlock,
    Text,
)

__all__ = ["FORMAT", "Saved", "from_json", "to_json"]

# Of saved reports; other numbers are refused.
FORMAT = 1

# The types of the tree by their names in a file, which stay what they are when a class is renamed.
_TYPES: Mapping[str, type] = MappingProxyType(
    {
        "bullets": Bullets,
        "callout": Callout,
        "card": Card,
        "code": Code,
        "details": Details,
        "document": Document,
        "emph": Emph,
        "figure": Figure,
        "link": Link,
        "mono": Mono,
        "numbers": Cards,
        "paragraph": Paragraph,
        "row": SideBySide,
        "section": Section,
        "strong": Strong,
        "table": TableBlock,
        "text": Text,
    }
)
_NAMES: Mapping[type, str] = MappingProxyType({each: name for name, each in _TYPES.items()})
# These are data as they are, not parts of the tree.
_VERBATIM = ("spec",)


class Saved:
    """JSON, from which all other formats can be made later."""

    name = "json"
    endings = ("json",)

    def render(self, document: Document, path: Path) -> str:
        return to_json(document)


def to_json(document: Document) -> str:
    """The document on one line."""
    return json.dumps({"format": FORMAT, **_encode(document)}, allow_nan=False, separators=(",", ":"))


def from_json(text: str) -> Document:
    """The document that was saved."""
    try:
        saved = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise DataError(f"this is not a saved report: {error}") from None
    if not isinstance(saved, dict) or saved.get("type") != "document":
        raise DataError("this is not a saved report")
    if saved.get("format") != FORMAT:
        raise DataError(f"this report was saved in format {saved.get('format')}, and this version reads format {FORMAT}")
    try:
        held = {name: _decode(value) for name, value in saved.items() if name not in ("format", "type")}
        return Document(**held)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"this saved report is damaged: {error}") from None


def _encode(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_encode(each) for each in value]
    if not is_dataclass(value):
        return value
    held = {each.name: getattr(value, each.name) for each in fields(value)}
    return {"type": _NAMES[type(value)]} | {name: each if name in _VERBATIM else _encode(each) for name, each in held.items()}


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_decode(each) for each in value)
    if not isinstance(value, dict):
        return value
    held = {name: each if name in _VERBATIM else _decode(each) for name, each in value.items() if name != "type"}
    return _TYPES[value["type"]](**held)
