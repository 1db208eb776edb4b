"""A document as a file of one of four formats."""

from pathlib import Path

from kernelscribe.errors import OptionError
from kernelscribe.files import write
from kernelscribe.report.document import Document
from kernelscribe.report.formats.saved import to_json

__all__ = ["FORMATS", "write_report"]

FORMATS = ("html", "md", "pdf", "json")


def write_report(document: Document, path: Path, format: str | None = None) -> Path:
    """Write the report in a format, by the path's ending when it is not given. Markdown puts its figures beside itself."""
    chosen = format or path.suffix.lstrip(".").lower()
    content: str | bytes
    match chosen:
        case "html" | "htm":
            from kernelscribe.report.formats import html  # noqa: PLC0415

            content = html.render(document)
        case "md":
            from kernelscribe.report.formats import markdown  # noqa: PLC0415

            content = markdown.render(document, path.with_name(f"{path.stem}-figures"))
        case "pdf":
            from kernelscribe.report.formats import pdf  # noqa: PLC0415

            content = pdf.render(document)
        case "json":
            content = to_json(document)
        case _:
            raise OptionError(f"a report is written as {', '.join(FORMATS)}; {path.name} says {chosen or 'nothing'!r}")
    write(path, content)
    return path
