"""Reading a table of text that was packed by gzip."""

from dataclasses import replace

from kernelscribe.data.decoding import HEAD, unpacked
from kernelscribe.data.formats.file_format import OpenFile
from kernelscribe.data.formats.refused import refuse_head
from kernelscribe.data.formats.text import TextFormat
from kernelscribe.data.grid import CellGrid
from kernelscribe.errors import DataError

__all__ = ["GzipFormat"]


class GzipFormat:
    """Text in a stream that grows while it is read, but not beyond measure."""

    name = "gzip"
    endings = (".gz",)
    marks = (b"\x1f\x8b",)

    def read(self, file: OpenFile) -> CellGrid:
        """The table in the text that was packed."""
        if not file.stream.peek(HEAD).startswith(self.marks):
            raise DataError(f"{file.called} is not a gzip file, whatever its name says: name it by what it is")
        stream = unpacked(file.stream, file.called, file.memory * 1e6)
        refuse_head(file.called, stream.peek(HEAD))
        return TextFormat().read(replace(file, stream=stream, size=None))
