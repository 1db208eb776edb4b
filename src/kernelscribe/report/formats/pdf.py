"""The document as PDF, by Typst: no browser, no system libraries, no fonts but those that come with it.

All text goes into Typst as strings, never as markup, so nothing in it can be anything but text.
"""

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import assert_never

from kernelscribe.errors import OptionError
from kernelscribe.report.document import (
    Block,
    Bullets,
    Callout,
    Cards,
    Code,
    Details,
    Document,
    Emph,
    Figure,
    Link,
    Mono,
    Paragraph,
    Prose,
    Section,
    SideBySide,
    Strong,
    TableBlock,
    pieces,
)
from kernelscribe.report.formats.escape import readable, typst
from kernelscribe.report.formats.picture import svg
from kernelscribe.report.formats.spoken import callout

__all__ = ["Pdf", "render", "source"]

_FONT = "Libertinus Serif"
_SIDES = {"left": "left", "right": "right", "centre": "center"}
# Of pictures, alone and two in a row, in points: as wide as the page and half as wide.
_WIDE = 620
_NARROW = 330


class Pdf:
    """Pages to print."""

    name = "pdf"
    endings = ("pdf",)

    def render(self, document: Document, path: Path) -> bytes:
        return render(document)


def render(document: Document) -> bytes:
    """The PDF. The same document gives the same bytes."""
    try:
        import typst as compiler  # noqa: PLC0415
    except ModuleNotFoundError:
        raise OptionError('PDF needs the package typst: pip install "kernelscribe[pdf]"') from None
    return bytes(compiler.compile(source(document).encode(), format="pdf", ignore_system_fonts=True, timestamp=0))


def source(document: Document) -> str:
    """The document in Typst."""
    look = (files(__package__) / "templates" / "report.typ").read_text(encoding="utf-8")
    meta = _array(f"({_string(name)}, {_string(value)})" for name, value in document.meta)
    head = [
        f"#set document(title: {_string(document.title)})",
        f"#masthead({_string(document.title)}, {_words(document.subtitle)}, {meta})",
    ]
    return look + "\n".join([*head, *(f"#{_block(part, 1)}" for part in document.sections)]) + "\n"


def _block(block: Block, level: int) -> str:  # noqa: PLR0911
    """One expression."""
    match block:
        case Section():
            inner = _content(block.blocks, level + 1)
            return f"{{heading(level: {min(level, 6)}, {_words(block.title)}); {inner}}}"
        case Paragraph():
            return f"par({_words(block.text)})"
        case Bullets():
            return f"list({', '.join(_words(item) for item in block.items)})"
        case Cards():
            cards = (f"({_string(card.label)}, {_string(card.value)}, {_words(card.note)})" for card in block.cards)
            return f"numbers({', '.join(cards)})"
        case TableBlock():
            return _table(block)
        case Figure():
            return _chart(block, _WIDE)
        case SideBySide():
            return f"row({', '.join(_chart(figure, _NARROW) for figure in block.figures)})"
        case Code():
            return f"code({typst(block.text)})"
        case Callout():
            return f"callout({_string(block.kind)}, {_string(callout(block.kind))}, {_words(block.text)})"
        case Details():
            return f"{{par(strong({_words(block.summary)})); {_content(block.blocks, level)}}}"
        case _:
            assert_never(block)


def _content(blocks: tuple[Block, ...], level: int) -> str:
    return "; ".join(_block(each, level) for each in blocks)


def _chart(figure: Figure, width: int) -> str:
    caption = _words(figure.caption) if figure.caption else "none"
    return f"chart({_quoted(svg(figure.spec, width, _FONT))}, {caption}, {_string(figure.alt)})"


def _table(table: TableBlock) -> str:
    head = _array(map(_words, table.head))
    body = _array(_array(map(_words, row)) for row in table.rows)
    caption = _words(table.caption) if table.caption else "none"
    return f"table-of({_array(_SIDES[side] for side in table.sides)}, {head}, {body}, {caption})"


def _words(words: Prose) -> str:
    """A content of strings, some of them marked."""
    shown = []
    for part in pieces(words):
        match part:
            case Strong():
                shown.append(f"strong({_string(part.text)})")
            case Emph() | Link():
                shown.append(f"emph({_string(part.text)})")
            case Mono():
                shown.append(f"raw({_string(part.text)})")
            case _:
                shown.append(f"text({_string(part)})")
    return f"[{''.join(f'#{each};' for each in shown)}]"


def _array(items: Iterable[str]) -> str:
    return f"({''.join(f'{item}, ' for item in items)})"


def _string(text: str) -> str:
    return typst(readable(text))


def _quoted(text: str) -> str:
    # A picture is our own, and too long to be gone over again.
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
