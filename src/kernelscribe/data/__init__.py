"""From files, frames and arrays to a checked, standardised `Dataset`.

The names are loaded when they are first asked for: who only wants to know the options of a reading needs no numpy.
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernelscribe.data.axis import Axis
    from kernelscribe.data.dataset import Dataset
    from kernelscribe.data.frame import from_frame
    from kernelscribe.data.notes import Note
    from kernelscribe.data.prediction_points import frame_points, read_points
    from kernelscribe.data.reader import read
    from kernelscribe.data.reading import Reading

__all__ = ["Axis", "Dataset", "Note", "Reading", "frame_points", "from_frame", "read", "read_points"]

_HOMES = MappingProxyType(
    {
        "Axis": "axis",
        "Dataset": "dataset",
        "Note": "notes",
        "Reading": "reading",
        "frame_points": "prediction_points",
        "from_frame": "frame",
        "read": "reader",
        "read_points": "prediction_points",
    }
)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
