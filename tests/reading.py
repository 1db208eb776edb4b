"""Reading a report in tests: all its texts, those of one section, and the section of a name."""

from kernelscribe.report.document import (
    Bullets,
    Callout,
    Cards,
    Code,
    Details,
    Figure,
    Paragraph,
    Section,
    TableBlock,
    plain,
    walk,
)


def words(document):
    """Every text of a document, with its marks."""
    yield document.title
    yield document.subtitle
    for pair in document.meta:
        yield from pair
    yield from texts(document.sections)


def texts(blocks):
    """Every text of some blocks, with its marks."""
    for each in walk(tuple(blocks)):
        match each:
            case Paragraph() | Callout():
                yield each.text
            case Bullets():
                yield from each.items
            case Cards():
                for card in each.cards:
                    yield from (card.label, card.value, card.note)
            case TableBlock():
                yield from (each.caption, *each.head, *(cell for row in each.rows for cell in row))
            case Figure():
                yield from (each.caption, each.alt)
            case Code():
                yield each.text
            case Details():
                yield each.summary
            case Section():
                yield each.title


def sentences(section):
    """The texts of a section without their marks."""
    return [plain(each) for each in texts((section,))]


def section(document, name):
    return next(each for each in document.sections if each.id == name)
