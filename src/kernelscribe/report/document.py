"""A report as a tree of values: one tree, from which every format is rendered.

Text is text: it carries no markup of any format, so that each renderer escapes it in its own way. What is to stand out is
marked by values (`Strong`, `Emph`, `Mono`, `Link`) between the plain strings. A document saved as JSON renders later to any
format.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

__all__ = [
    "Align",
    "Block",
    "Bullets",
    "Callout",
    "Card",
    "Cards",
    "Code",
    "Details",
    "Document",
    "Emph",
    "Figure",
    "Glance",
    "Kind",
    "Link",
    "Mono",
    "Paragraph",
    "Piece",
    "Prose",
    "Section",
    "SideBySide",
    "Strong",
    "TableBlock",
    "Text",
    "figures",
    "pieces",
    "plain",
    "walk",
]

Align = Literal["left", "right", "centre"]
Kind = Literal["note", "warning"]

_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that matter most."""

    text: str


@dataclass(frozen=True, slots=True)
class Emph:
    """Words with a stress, or a term at its first use."""

    text: str


@dataclass(frozen=True, slots=True)
class Mono:
    """Names and expressions, as they are typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """Words that point at a section or a figure of the same document, by its id; formats without links show the words."""

    text: str
    to: str

    def __post_init__(self) -> None:
        _check(self.to)


Piece = str | Strong | Emph | Mono | Link


@dataclass(frozen=True, slots=True)
class Text:
    """Strings, some of which stand out."""

    parts: tuple[Piece, ...]


Prose = str | Text


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    text: Prose


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list without numbers."""

    items: tuple[Prose, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One key figure: what it is, its value, and what to make of it."""

    label: str
    value: str
    note: Prose = ""


@dataclass(frozen=True, slots=True)
class Cards:
    """A row of key figures."""

    saved_as: ClassVar[str] = "numbers"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table; columns without an alignment stand on the left."""

    saved_as: ClassVar[str] = "table"
    head: tuple[Prose, ...]
    rows: tuple[tuple[Prose, ...], ...]
    caption: Prose = ""
    align: tuple[Align, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in self.rows):
            raise ValueError(f"every row of a table must have {len(self.head)} cells, as its head has")

    @property
    def sides(self) -> tuple[Align, ...]:
        """An alignment for every column."""
        left: Align = "left"
        return (*self.align, *(left for _ in self.head))[: len(self.head)]


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart.

    Attributes:
        spec: in Vega-Lite, with its data.
        caption: below it.
        alt: what it shows, for those who do not see it.
        id: by which it can be pointed at: small letters, digits and hyphens.
    """

    spec: dict[str, Any]
    caption: Prose
    alt: str
    id: str = ""

    def __post_init__(self) -> None:
        _check(self.id)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Charts side by side, where there is room."""

    saved_as: ClassVar[str] = "row"
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to be typed or copied."""

    text: str
    language: str = ""

    def __post_init__(self) -> None:
        _check(self.language)


@dataclass(frozen=True, slots=True)
class Callout:
    """What must not be overlooked."""

    kind: Kind
    text: Prose


@dataclass(frozen=True, slots=True)
class Details:
    """What most readers skip: folded on a screen, open on paper."""

    summary: Prose
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it; sections may hold sections."""

    title: Prose
    blocks: tuple["Block", ...]
    id: str = ""

    def __post_init__(self) -> None:
        _check(self.id)


Block = Paragraph | Bullets | Cards | TableBlock | Figure | SideBySide | Code | Callout | Details | Section


@dataclass(frozen=True, slots=True)
class Document:
    """A report.

    Attributes:
        title: of the whole.
        subtitle: a sentence below it.
        sections: from the first to the last.
        meta: what the report is about and how it was made, as pairs of a name and a value.
    """

    title: str
    subtitle: Prose
    sections: tuple[Section, ...]
    meta: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        names = [each.id for each in walk(self.sections) if isinstance(each, Section | Figure) and each.id]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"ids used more than once: {', '.join(twice)}")


@dataclass(frozen=True, slots=True)
class Glance:
    """What a notebook shows of a report: the headline, a line for each component, and one chart where there is one."""

    headline: str
    lines: tuple[str, ...] = ()
    chart: Figure | None = None


def pieces(words: Prose) -> tuple[Piece, ...]:
    """The strings of a text, marked or not."""
    return (words,) if isinstance(words, str) else words.parts


def plain(words: Prose) -> str:
    """A text without its marks.

    >>> plain(Text(("a ", Strong("rising"), " line")))
    'a rising line'
    """
    return "".join(part if isinstance(part, str) else part.text for part in pieces(words))


def figures(document: Document) -> tuple[Figure, ...]:
    """All charts, in order of appearance."""
    return tuple(each for each in walk(document.sections) if isinstance(each, Figure))


def walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """All blocks, each before those that it holds."""
    for block in blocks:
        yield block
        match block:
            case Section() | Details():
                yield from walk(block.blocks)
            case SideBySide():
                yield from block.figures


def _check(name: str) -> None:
    # Ids and languages go into attributes and file names, so they never hold a user's text.
    if name and not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} must be made of small letters, digits and hyphens")
