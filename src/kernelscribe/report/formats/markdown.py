"""The document as Markdown: CommonMark with tables, and charts as pictures in a folder beside it."""

from itertools import count
from pathlib import Path
from typing import assert_never

from kernelscribe.files import write
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
    plain,
)
from kernelscribe.report.formats.escape import code_span, lines, markdown, readable
from kernelscribe.report.formats.picture import svg
from kernelscribe.report.formats.spoken import callout, chart

__all__ = ["Markdown", "render"]

_SIDES = {"left": ":--", "right": "--:", "centre": ":-:"}
# Headings have no more levels.
_DEEPEST = 6


class Markdown:
    """Text, with a folder of pictures beside it."""

    name = "md"
    endings = ("md",)

    def render(self, document: Document, path: Path) -> str:
        return render(document, path.with_name(f"{path.stem}-figures"))


def render(document: Document, folder: Path | None = None) -> str:
    """The text. With a folder, the charts are written into it and shown by their path `<its name>/<figure>.svg`."""
    numbers = count(1)

    def picture(figure: Figure) -> str:
        number = next(numbers)
        alt = markdown(figure.alt)
        if folder is None:
            return f"*{chart()}* {alt}"
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{figure.id or f'figure-{number}'}.svg"
        write(folder / name, svg(figure.spec))
        return f"![{alt}](<{_path(folder.name)}/{name}>)"

    def drawn(figure: Figure) -> list[str]:
        return [picture(figure), *([_words(figure.caption)] if figure.caption else [])]

    def block(each: Block, level: int) -> list[str]:
        match each:
            case Section():
                return [f"{'#' * min(level, _DEEPEST)} {_words(each.title)}", *_all(each.blocks, level + 1)]
            case Details():
                return [_strong(plain(each.summary)).strip(), *_all(each.blocks, level)]
            case Figure():
                return drawn(each)
            case SideBySide():
                return [piece for figure in each.figures for piece in drawn(figure)]
            case _:
                return [_simple(each)]

    def _all(blocks: tuple[Block, ...], level: int) -> list[str]:
        return [piece for each in blocks for piece in block(each, level)]

    head = [f"# {markdown(document.title)}", *([_words(document.subtitle)] if document.subtitle else [])]
    facts = "\n".join(f"- {markdown(name).strip()}: {markdown(value)}" for name, value in document.meta)
    return "\n\n".join(piece for piece in (*head, facts, *_all(document.sections, 2)) if piece) + "\n"


def _simple(block: Paragraph | Bullets | Cards | TableBlock | Code | Callout) -> str:
    match block:
        case Paragraph():
            return _words(block.text)
        case Bullets():
            return "\n".join(f"- {_words(item)}" for item in block.items)
        case Cards():
            notes = (f" ({_words(card.note)})" if card.note else "" for card in block.cards)
            shown = (f"- {markdown(card.label).strip()}: {_strong(card.value)}" for card in block.cards)
            return "\n".join(map("".join, zip(shown, notes, strict=True)))
        case TableBlock():
            return _table(block)
        case Code():
            return _fenced(block)
        case Callout():
            return f"> **{callout(block.kind)}:** {_words(block.text)}"
        case _:
            assert_never(block)


def _table(table: TableBlock) -> str:
    def row(cells: tuple[str, ...]) -> str:
        return f"| {' | '.join(cells)} |"

    head = row(tuple(_words(cell, cell=True) for cell in table.head))
    body = (row(tuple(_words(cell, cell=True) for cell in cells)) for cells in table.rows)
    drawn = "\n".join([head, row(tuple(_SIDES[side] for side in table.sides)), *body])
    return f"{drawn}\n\n{_words(table.caption)}" if table.caption else drawn


def _fenced(code: Code) -> str:
    text = lines(code.text)
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{code.language}\n{text}\n{fence}"


def _words(words: Prose, cell: bool = False) -> str:
    shown = []
    for part in pieces(words):
        match part:
            case Strong():
                shown.append(_strong(part.text))
            case Emph() | Link():
                shown.append(_marked(part.text, "*"))
            case Mono():
                shown.append(code_span(part.text, cell))
            case _:
                # What opens a list or a heading does so only at the start of a line.
                begun = bool("".join(shown).strip())
                shown.append(markdown("." + part)[1:] if begun else markdown(part))
    # Four spaces in front would make a block of code.
    return "".join(shown).strip()


def _strong(text: str) -> str:
    return _marked(text, "**")


def _marked(text: str, mark: str) -> str:
    """Marks must touch their words: spaces go outside."""
    shown = readable(text)
    inner = shown.strip()
    return shown.replace(inner, f"{mark}{markdown(inner)}{mark}") if inner else shown


def _path(name: str) -> str:
    return "".join(f"%{ord(each):02X}" if each in "<>%\\" or each < " " else each for each in name)
