"""From bytes to text, with limits before anything is parsed: no line, no archive and no byte can do harm."""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from kernelscribe.data.questions import encoded
from kernelscribe.errors import DataError
from kernelscribe.faces import Advice, Remedy

__all__ = ["HEAD", "LONGEST_LINE", "decoded", "encoding_of", "swollen", "unpacked"]

# Characters of a line: more would be no table that anybody wrote.
LONGEST_LINE = 1_000_000
# Bytes from which the kind of a file is told.
HEAD = 1 << 16
# Bytes that are read at once, fewer than a line may have.
_BLOCK = 1 << 19
# What a packed file may grow to, beside the packed one, before it is taken for an attack.
_RATIO = 100
# Bytes up to which it may grow by more.
_SMALL = 10_000_000
# The marks that a text may begin with, and the encodings that they tell. That of UTF-16 begins like that of UTF-32.
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

# What to do about text that is not UTF-8, and about text that is not what the user says.
_SAVE = Advice("save it as UTF-8, or give its encoding, as in {latin}", {"latin": Remedy("encoding", "latin-1")})
_ANOTHER = Advice("give another {encoding}")
_RAISE = Advice("raise {memory}, or split the file")

# Python calls these encodings, too; they write programs and addresses, not files.
_NO_TEXT = ("idna", "punycode", "raw-unicode-escape", "unicode-escape")


def swollen(grown: int, packed: int) -> bool:
    """Whether so many bytes from so few that were packed are beyond measure."""
    return grown > _SMALL and grown > _RATIO * packed


class _Unpacked(io.RawIOBase):
    """A gzip stream that ends in an error when it grows beyond measure."""

    def __init__(self, packed: BinaryIO, name: str, most: float) -> None:
        super().__init__()
        self.packed, self.name, self.most = packed, name, most
        self.stream = gzip.GzipFile(fileobj=packed)
        self.grown = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            block = self.stream.read(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise DataError(f"{self.name} is damaged or cut short: {error}") from None
        self.grown += len(block)
        if self.grown > self.most:
            raise DataError(f"{self.name} unpacks to more than {self.most / 1e6:,.0f} MB", _RAISE)
        if swollen(self.grown, self.packed.tell()):
            raise DataError(f"{self.name} unpacks to more than {_RATIO} times its size: unpack it first, if you trust it")
        buffer[: len(block)] = block
        return len(block)


def unpacked(stream: io.BufferedReader, path: Path, most: float) -> io.BufferedReader:
    """What a stream was packed from by gzip, at most so many bytes."""
    return io.BufferedReader(_Unpacked(stream, str(path), most), HEAD)


def encoding_of(head: bytes, told: str | None) -> str:
    """By its byte-order mark; else what the user says; else UTF-8."""
    marked = next((name for mark, name in _BOMS if head.startswith(mark)), None)
    name = marked or told or "utf-8"
    try:
        "a".encode(name)
        usual = codecs.lookup(name).incrementaldecoder is not None and codecs.lookup(name).name not in _NO_TEXT
    except (LookupError, ValueError):
        usual = False
    if not usual:
        raise DataError(f"the encoding {name!r} is not known: try utf-8, latin-1 or utf-16")
    return name


def decoded(stream: io.BufferedReader, path: Path, encoding: str) -> Iterator[str]:
    """The text, in blocks of whole lines that all end in \\n, whatever they ended in before."""
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)(), translate=True)
    tail, position, done, block = "", 0, 0, b"begin"
    while block:
        block = stream.read(_BLOCK)
        try:
            text = tail + decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            offset = position + len(block) - len(error.object) + error.start
            # No text of any letters holds NULs: a picture, say, about whose letters there is nothing to ask.
            if encoding == "utf-8" and b"\0" in block:
                remedy = "bring a table, as CSV, Excel or Parquet"
                raise DataError(f"{path} is not a text file: it holds NUL bytes: {remedy}") from None
            fault = f"{path} is not {'UTF-8' if encoding == 'utf-8' else encoding} text (byte {offset:,})"
            raise DataError(fault, _SAVE if encoding == "utf-8" else _ANOTHER, encoded(offset, block)) from None
        except UnicodeError as error:
            raise DataError(f"{path} is not {encoding} text: {error}") from None
        if position == 0:
            text = text.removeprefix("\ufeff")
        position += len(block)
        _check(text, path, done)
        cut = text.rfind("\n") + 1
        whole, tail = text[:cut], text[cut:]
        if whole:
            yield whole
            done += whole.count("\n")
    if tail:
        yield tail + "\n"


def _check(text: str, path: Path, done: int) -> None:
    """Limits of a block of lines after so many others. Only a line that began before the block can be too long."""
    end = text.find("\n")
    if end > LONGEST_LINE or (end < 0 and len(text) > LONGEST_LINE):
        raise DataError(f"{path}, line {done + 1}: a line of more than {LONGEST_LINE:,} characters")
    place = text.find("\0")
    if place >= 0:
        raise DataError(f"{path}, line {done + 1 + text.count(chr(10), 0, place)}: a NUL byte: this is not a text file")
