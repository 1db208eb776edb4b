"""The file formats, once: each is one file of this folder. A further one is a class with a row in `FORMATS`."""

from pathlib import Path

from kernelscribe.data.formats.excel import ExcelFormat
from kernelscribe.data.formats.file_format import FileFormat
from kernelscribe.data.formats.gzip import GzipFormat
from kernelscribe.data.formats.parquet import ParquetFormat
from kernelscribe.data.formats.refused import refuse_ending, refuse_head
from kernelscribe.data.formats.text import TextFormat

__all__ = ["FORMATS", "format_of"]

_FORMATS: tuple[FileFormat, ...] = (ExcelFormat(), ParquetFormat(), GzipFormat(), TextFormat())
# By name. What has none of their endings and marks is text, unless it is refused.
FORMATS: dict[str, FileFormat] = {each.name: each for each in _FORMATS}


def format_of(path: Path, head: bytes) -> FileFormat:
    """The format of a file, by its ending or else by its first bytes."""
    formats = list(FORMATS.values())
    named = next((each for each in formats if path.suffix.lower() in each.endings), None)
    if named is not None:
        return named
    refuse_ending(path)
    marked = next((each for each in formats if each.marks and head.startswith(each.marks)), None)
    if marked is not None:
        return marked
    refuse_head(path, head)
    return FORMATS["text"]
