"""The contract of a format of the report."""

from pathlib import Path

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
from kernelscribe.report.formats.render import ReportFormat
from kernelscribe.testing.differences import require

__all__ = ["check_report_format"]

# What a column may be called.
_FOREIGN = "<script>alert(1)</script>\x1b[31m|#{}_*`$\n= \"'\\\u202e\ud800"
_SPEC = {
    "mark": {"type": "point"},
    "data": {"name": "points"},
    "datasets": {"points": [{"x": 1, "y": 2}]},
    "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative", "title": _FOREIGN}},
}


def check_report_format(format: ReportFormat, folder: Path) -> None:
    """It takes a document with every kind of block and with foreign text in all of them, and an empty one; what it gives is the
    same each time; and it writes beside the file that it is asked for, not the file itself."""
    require(format.name in format.endings, f"files of {format.name} must be able to end in {format.name!r}")
    require(all(each == each.lower().lstrip(".") for each in format.endings), f"endings are small letters, got {format.endings}")
    path = folder / f"report.{format.name}"
    for document in (Document("", "", ()), _everything()):
        content = format.render(document, path)
        require(isinstance(content, str | bytes), f"{format.name} gives a {type(content).__name__}")
        require(content == format.render(document, path), f"{format.name} gives another content the second time")
        require(not path.exists(), f"{format.name} writes {path.name} itself")
    require(len(content) > 0, f"{format.name} gives nothing")


def _everything() -> Document:
    marked = Text((_FOREIGN, Strong(_FOREIGN), Emph(_FOREIGN), Mono(_FOREIGN), Link(_FOREIGN, "all")))
    blocks = (
        Paragraph(marked),
        Bullets((marked, "plain")),
        Cards((Card(_FOREIGN, _FOREIGN, marked),)),
        TableBlock((marked, "b"), ((marked, "1"),), marked, ("left", "right")),
        Figure(_SPEC, marked, _FOREIGN, "one"),
        SideBySide((Figure(_SPEC, "", _FOREIGN), Figure(_SPEC, "", ""))),
        Code(_FOREIGN, "python"),
        Callout("note", marked),
        Callout("warning", marked),
        Details(marked, (Paragraph("inside"),)),
        Section(marked, (Paragraph("below"),)),
    )
    return Document(_FOREIGN, marked, (Section(marked, blocks, "all"),), ((_FOREIGN, _FOREIGN),))
