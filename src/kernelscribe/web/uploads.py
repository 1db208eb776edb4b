"""Files that are brought: streamed to disk under a random name, counted, and forgotten when nobody uses them.

What the owner calls a file is a label. It is shown, and its ending says how to read the file, but no path is ever made of it.
"""

import os
import re
import secrets
import time
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote

from kernelscribe.report.formats.escape import readable
from kernelscribe.web.refusal import Refusal
from kernelscribe.web.settings import Settings
from kernelscribe.web.store import Store, Upload

__all__ = ["ID", "Uploads", "labelled", "used"]

# What our random names look like.
ID = re.compile(r"[0-9a-f]{16}")
# Characters of a name that is shown: one line of a list.
_LONGEST = 120
# How gzip and ZIP begin, the latter also when it is empty.
_PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06")
# Bytes of the longest of these.
_MAGIC = 4
# Names of packed files are refused before their bytes have come.
_ENDINGS = (".gz", ".tgz", ".zip")
# Workbooks are archives by nature; what they hold is measured before it is unpacked.
_BOOKS = (".xlsx", ".xlsm", ".xlsb", ".ods")
_FULL = "The folder of kernelscribe is full: delete analyses that you no longer need."
_WHY = "Packed files are not opened here: unpack it first, and bring the table that is in it."


def labelled(text: str) -> str:
    """What a client calls a file, as it may be shown: the last part alone, on one line.

    >>> labelled("..%2F..%2Fetc/sales%20%C3%BC.csv")
    'sales ü.csv'
    """
    name = re.split(r"[\\/]", readable(unquote(text, errors="replace")))[-1].strip()
    stem, dot, ending = name.rpartition(".")
    if len(name) > _LONGEST:
        name = f"{stem[: _LONGEST - len(ending) - 1]}{dot}{ending}"[:_LONGEST]
    return name if name.strip(". ") else "table"


def used(folder: Path) -> int:
    """Bytes in a folder and those within."""
    count = 0
    try:
        with os.scandir(folder) as found:
            for each in found:
                count += used(Path(each.path)) if each.is_dir(follow_symlinks=False) else _size(each)
    except FileNotFoundError:
        # Removed meanwhile.
        return count
    return count


def _size(entry: "os.DirEntry[str]") -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:
        return 0


class Uploads:
    """The files that were brought."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        settings.uploads.mkdir(parents=True, exist_ok=True)

    def path(self, id: str) -> Path:
        return self.settings.uploads / id

    def room(self) -> int:
        """Bytes that are left of the quota; refused where there are none."""
        left = self.settings.quota - used(self.settings.folder)
        if left <= 0:
            raise Refusal(507, _FULL)
        return left

    async def take(self, name: str, blocks: AsyncIterator[bytes]) -> Upload:
        """Keep a file as it comes in."""
        label = labelled(name)
        wrong = Refusal(415, _WHY) if label.lower().endswith(_ENDINGS) else None
        left, id, size, head = self.room(), secrets.token_hex(8), 0, b""
        partial = self.settings.uploads / f"{id}.part"
        try:
            with partial.open("xb") as file:
                # What is refused is read to its end all the same: a browser that still sends shows no answer.
                async for block in blocks:
                    # The first bytes may come one by one.
                    head = head if len(head) >= _MAGIC else head + block[:_MAGIC]
                    if head.startswith(_PACKED) and not label.lower().endswith(_BOOKS):
                        wrong = wrong or Refusal(415, _WHY)
                    size += len(block)
                    if size > left:
                        wrong = wrong or Refusal(507, _FULL)
                    if wrong is None:
                        file.write(block)
            if wrong is not None:
                raise wrong
            if size == 0:
                raise Refusal(422, "The file is empty: choose one that has a table in it.")
            partial.rename(self.path(id))
        except OSError as error:
            raise Refusal(507, f"The file cannot be kept: {(error.strerror or 'the disk refuses it').lower()}.") from None
        finally:
            partial.unlink(missing_ok=True)
        upload = Upload(id, label, size, time.time())
        self.store.add_upload(upload)
        return upload

    def sweep(self) -> None:
        """Remove files that nobody uses, and what a crash left behind."""
        now = time.time()
        for id in self.store.idle(now - self.settings.keep):
            self.store.remove_upload(id)
        known = self.store.uploads()
        for path in self.settings.uploads.iterdir():
            # One that comes in at this moment has another name, and is written to.
            if path.name not in known and (ID.fullmatch(path.name) or path.stat().st_mtime < now - self.settings.patience):
                path.unlink(missing_ok=True)
