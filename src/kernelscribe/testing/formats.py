"""The contract of a file format."""

from io import BufferedReader
from pathlib import Path
from tempfile import TemporaryDirectory

from kernelscribe.data.decoding import HEAD
from kernelscribe.data.formats.file_format import FileFormat, OpenFile
from kernelscribe.data.grid import CellGrid, Cells, length
from kernelscribe.errors import DataError
from kernelscribe.testing.differences import require

__all__ = ["check_format"]

# Megabytes that no file of a test needs.
_PLENTY = 1000.0
# Parts into which a file is cut, and bytes of it that are changed, one at a time.
_CUTS = 8


def check_format(format: FileFormat, path: Path) -> None:
    """What the reader relies on in a format, on a file that it can read: a grid of equal columns under the name that messages
    use, the columns that are asked for, and nothing but `DataError` where memory is short or the file is damaged."""
    _check_names(format, path)
    grid = _read(format, path)
    _check_grid(grid, path.name)
    some = frozenset(grid.names[-1:])
    part = _read(format, path, needed=some)
    require(some <= set(part.names), f"{format.name}: of {sorted(some)}, which was asked for, it read {part.names}")
    column = part.columns[part.names.index(grid.names[-1])]
    require(length(column) == len(part.lines), f"{format.name}: a column that was asked for has {length(column)} cells")
    require(isinstance(_tried(format, path, memory=0.0), DataError), f"{format.name}: read a file for which there is no memory")
    with TemporaryDirectory() as folder:
        for number, content in enumerate(_damaged(path.read_bytes())):
            broken = Path(folder) / f"{number}{path.suffix}"
            broken.write_bytes(content)
            _tried(format, broken)


def _check_names(format: FileFormat, path: Path) -> None:
    require(bool(format.name.strip()), "a format needs a name")
    good = all(each.startswith(".") and each == each.lower() for each in format.endings)
    require(good, f"{format.name}: endings are written in small letters, with their points: {format.endings}")
    require(all(format.marks), f"{format.name}: an empty mark would fit every file")


def _check_grid(grid: CellGrid, called: str) -> None:
    require(grid.origin == called, f"messages would begin with {grid.origin!r}, the file is called {called!r}")
    require(len(set(grid.names)) == len(grid.names), f"two columns have one name: {grid.names}")
    require(all(name.strip() for name in grid.names), f"a column has no name: {grid.names}")
    require(len(grid.columns) == len(grid.names), f"{len(grid.names)} names for {len(grid.columns)} columns")
    require(grid.unnamed <= set(grid.names), f"names that were made up are not there: {sorted(grid.unnamed)}")
    for name, column in zip(grid.names, grid.columns, strict=True):
        require(length(column) == len(grid.lines), f"column {name} has {length(column)} cells in {len(grid.lines)} rows")
        packed = column.chunks if isinstance(column, Cells) else ()
        require(not any("\n" in chunk for chunk in packed), f"column {name} has cells of several lines")
    require(bool((grid.lines[1:] > grid.lines[:-1]).all()), "rows must be numbered in the order of the file")


def _read(format: FileFormat, path: Path, memory: float = _PLENTY, needed: frozenset[str] | None = None) -> CellGrid:
    with path.open("rb", buffering=HEAD) as stream:
        assert isinstance(stream, BufferedReader)  # noqa: S101  (as it is where bytes are buffered)
        return format.read(OpenFile(path, Path(path.name), stream, path.stat().st_size, memory, None, needed))


def _tried(format: FileFormat, path: Path, memory: float = _PLENTY) -> CellGrid | DataError:
    """What it reads, or how it refuses it; nothing else may happen."""
    try:
        return _read(format, path, memory)
    except DataError as error:
        require(path.name in str(error), f"{format.name}: the file is not named in {str(error)!r}")
        return error
    except Exception as error:
        raise AssertionError(f"{format.name}: {path.name} ended in {type(error).__name__}: {error}") from error


def _damaged(content: bytes) -> list[bytes]:
    """Cut off at several places, and changed at several."""
    places = [len(content) * i // _CUTS for i in range(_CUTS)]
    return [
        *(content[:place] for place in places),
        *(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :] for place in places),
    ]
