"""Files that are refused, by their names or their first bytes, each with a way out."""

import re
from pathlib import Path

from kernelscribe.errors import DataError

__all__ = ["check_path", "refuse_ending", "refuse_head"]

_EXPORT = "export it as CSV or Parquet"
_UNPACK = "unpack it first"
# A pickle can run any program, so none is ever opened; the others would need a library of their own.
_ENDINGS = {
    (".pkl", ".pickle", ".joblib"): ("a pickle, which can run any program when it is opened", _EXPORT),
    (".npy", ".npz"): ("a NumPy file, which may hold objects", _EXPORT),
    (".h5", ".hdf5", ".hdf", ".nc"): ("an HDF5 file", _EXPORT),
    (".mat", ".rds", ".rdata", ".sav", ".dta", ".sas7bdat"): ("a file of another statistics program", _EXPORT),
    (".feather", ".arrow", ".orc", ".avro", ".db", ".sqlite"): ("not a table of text, Parquet or Excel", _EXPORT),
    (".json", ".jsonl", ".xml", ".html", ".pdf", ".doc", ".docx"): ("not a table of text, Parquet or Excel", _EXPORT),
    (".zip", ".xz", ".bz2", ".zst", ".7z", ".rar", ".tar", ".tgz"): ("an archive", _UNPACK),
}
_MAGIC = {
    b"PK\x03\x04": ("a zip archive", "unpack it first, or give it its ending .xlsx if it is a workbook"),
    b"\xfd7zXZ\x00": ("an xz archive", _UNPACK),
    b"\x28\xb5\x2f\xfd": ("a zstd archive", _UNPACK),
    b"7z\xbc\xaf": ("a 7z archive", _UNPACK),
    b"\x89HDF": ("an HDF5 file", _EXPORT),
    b"\x93NUMPY": ("a NumPy file, which may hold objects", _EXPORT),
    b"\xd0\xcf\x11\xe0": ("an old Office document", "give it its ending .xls if it is a workbook"),
    b"%PDF-": ("a PDF document", _EXPORT),
}
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_BZIP = re.compile(rb"BZh[1-9]1AY&SY")


def check_path(path: Path) -> None:
    """Refuse what is no path: above all an address on the network, for nothing here ever fetches anything."""
    if "\0" in str(path):
        raise DataError("the path has a NUL in it: give another")
    if _ADDRESS.match(str(path)):
        raise DataError(f"{path} is an address on the network, which is never opened: download the file and give its path")


def refuse_ending(path: Path) -> None:
    """Refuse what nothing here reads, by its name."""
    suffix = path.suffix.lower()
    for endings, (what, remedy) in _ENDINGS.items():
        if suffix in endings:
            raise DataError(f"{path} is {what}: {remedy}")


def refuse_head(path: Path, head: bytes) -> None:
    """Refuse what is no text by its first bytes."""
    for magic, (what, remedy) in _MAGIC.items():
        if head.startswith(magic):
            raise DataError(f"{path} is {what}: {remedy}")
    if _PICKLE.match(head):
        raise DataError(f"{path} is a pickle, which can run any program when it is opened: {_EXPORT}")
    if _BZIP.match(head):
        raise DataError(f"{path} is a bzip2 archive: {_UNPACK}")
