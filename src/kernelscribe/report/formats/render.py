"""A document as a file. A format is one class: the name by which it is asked for, the endings of its files, and `render`; and a
line here."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from kernelscribe.errors import OptionError
from kernelscribe.files import write
from kernelscribe.report.document import Document
from kernelscribe.report.formats.html import Html
from kernelscribe.report.formats.markdown import Markdown
from kernelscribe.report.formats.pdf import Pdf
from kernelscribe.report.formats.saved import Saved

__all__ = ["FORMATS", "ReportFormat", "write_report"]


class ReportFormat(Protocol):
    """What a format must give.

    Attributes:
        name: by which it is asked for, and the ending of a file that is not named.
        endings: of files, in small letters, that are of this format when none is asked for.
    """

    @property
    def name(self) -> str: ...
    @property
    def endings(self) -> tuple[str, ...]: ...

    def render(self, document: Document, path: Path) -> str | bytes:
        """The content of the file that will stand at `path`; pictures that it needs are written beside it."""
        ...


_FORMATS: tuple[ReportFormat, ...] = (Html(), Markdown(), Pdf(), Saved())
# By their names, in the order in which they are told.
FORMATS: Mapping[str, ReportFormat] = MappingProxyType({format.name: format for format in _FORMATS})


def write_report(document: Document, path: Path, format: str | None = None) -> Path:
    """Write the report in a format, by the path's ending when it is not given. Markdown puts its figures beside itself."""
    asked = format or path.suffix.lstrip(".").lower()
    chosen = next((each for each in FORMATS.values() if asked == each.name or asked in each.endings), None)
    if chosen is None:
        raise OptionError(f"a report is written as {', '.join(FORMATS)}; {path.name} says {asked or 'nothing'!r}")
    write(path, chosen.render(document, path))
    return path
