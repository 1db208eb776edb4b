"""Data frames of any library as a Dataset."""

from typing import Any

from kernelscribe.data.dataset import Dataset
from kernelscribe.data.frame_columns import frame_grid
from kernelscribe.data.prepare import prepare
from kernelscribe.data.reading import Reading, reading_keywords

__all__ = ["frame_data", "from_frame"]


@reading_keywords
def from_frame(frame: Any, **reading: Any) -> Dataset:
    """A frame of pandas, polars or pyarrow as a Dataset; an index of dates is the time.

    Args:
        reading: the options of `Reading`, by which a frame is read like a file; it has no encoding.
    """
    return frame_data(frame, Reading.of(reading))


def frame_data(frame: Any, reading: Reading) -> Dataset:
    """The same with all options in one value."""
    return prepare(frame_grid(frame, "the frame"), reading)
