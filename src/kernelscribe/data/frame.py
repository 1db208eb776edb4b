"""Data frames of any library as a Dataset."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kernelscribe.data.column_choice import Wish
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.frame_columns import grid
from kernelscribe.data.notes import in_python, pythonic
from kernelscribe.data.prepare import prepare

__all__ = ["from_frame"]


def from_frame(
    frame: Any,
    *,
    target: str | None = None,
    time: str | None = None,
    inputs: Sequence[str] | None = None,
    date_format: str | None = None,
    where: Mapping[str, Any] | None = None,
    winsorise: bool = False,
) -> Dataset:
    """A frame of pandas, polars or pyarrow as a Dataset; an index of dates is the time.

    Args:
        target: the column to explain; the last one of numbers where not given.
        time: the column of times; guessed where not given.
        inputs: the columns to explain it by; beside the time where that is given.
        date_format: how dates are written, as in %d/%m/%Y; docs/data.md has the words it may be instead.
        where: columns with the value that the rows to use have, as in {"store": "A"}; "*" takes those of all values together.
        winsorise: pull outliers of the target in.
    """
    with pythonic():
        wish = Wish.of(target, time, inputs, date_format, where)
        data = prepare(grid(frame, "the frame"), wish, winsorise=winsorise)
    return replace(data, notes=tuple(replace(note, text=in_python(note.text)) for note in data.notes))
