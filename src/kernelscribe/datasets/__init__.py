"""Small data that come with the package, each with its source.

mauna_loa.csv: atmospheric CO2 at Mauna Loa, Hawaii, March 1958 to December 2001, in parts per million: monthly means of the
weekly series (521 months have one), dated at mid-month in decimal years. The weekly series is the data set `co2` of the
package statsmodels, which declares it to be in the public domain; it was measured by C. D. Keeling and T. P. Whorf, Scripps
Institution of Oceanography.
"""

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from kernelscribe.errors import DataError

if TYPE_CHECKING:
    from kernelscribe.data.dataset import Dataset

__all__ = ["NAMES", "about", "load", "source"]

_ABOUT = {
    "mauna_loa": "Atmospheric CO2 at Mauna Loa, Hawaii, in parts per million: 521 monthly means, March 1958 to December 2001, "
    "measured by C. D. Keeling and T. P. Whorf, Scripps Institution of Oceanography (public domain, from statsmodels).",
}
NAMES = tuple(_ABOUT)


def load(name: str) -> "Dataset":
    """One of the embedded data sets."""
    from kernelscribe.data.reader import read  # noqa: PLC0415  (who lists the names needs no numpy)

    _check(name)
    with as_file(files(__package__) / f"{name}.csv") as path:
        return read(Path(path))


def source(name: str) -> bytes:
    """The file of an embedded data set as it is."""
    _check(name)
    return (files(__package__) / f"{name}.csv").read_bytes()


def about(name: str) -> str:
    """One sentence on an embedded data set: what it is, and where it comes from."""
    _check(name)
    return _ABOUT[name]


def _check(name: str) -> None:
    if name not in _ABOUT:
        raise DataError(f"there is no embedded data set {name!r}; there are {', '.join(NAMES)}")
