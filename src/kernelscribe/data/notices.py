"""What is odd about the data but not wrong: it changes nothing, and the reader of a report should know it."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.notes import Note
from kernelscribe.data.repairs import ENOUGH, UsedRows, counted, outliers

__all__ = ["notices"]

# The correlation from which two inputs say the same.
_ALIKE = 0.999
# A gap is longer than the usual step by this factor.
_GAP = 1.5
# Steps are even where they differ by less than this share.
_EVEN = 1e-6


def notices(raw: UsedRows, data: Dataset) -> Iterator[Note]:
    """Everything that is worth a sentence."""
    yield from _size(raw, data)
    yield from _order(raw)
    yield from _rhythm(raw)
    yield from _repeats(raw)
    yield from _alike(raw, data)
    yield from _far(raw, data)


def _size(raw: UsedRows, data: Dataset) -> Iterator[Note]:
    if len(raw.y) < ENOUGH:
        yield Note("few_rows", {"rows": len(raw.y)})
    if data.constant:
        yield Note("constant_target", {"target": raw.target, "value": data.output.centre})


def _order(raw: UsedRows) -> Iterator[Note]:
    if raw.series and (np.diff(raw.columns[0]) < 0).any():
        yield Note("out_of_order", {"time": raw.axes[0].name})


def _rhythm(raw: UsedRows) -> Iterator[Note]:
    """The steps of a time series: how long, how even."""
    if not raw.series:
        return
    axis, places = raw.axes[0], np.unique(raw.columns[0])
    steps = np.diff(places)
    usual, longest = float(np.median(steps)), int(np.argmax(steps))
    values = {"time": axis.name, "unit": "date" if axis.dated else axis.unit, "step": usual}
    if float(steps[longest]) < _GAP * usual:
        yield Note("even_steps", {**values, "exactly": float(np.ptp(steps)) <= _EVEN * usual})
        return
    start, end = (_place(axis, float(places[longest + i])) for i in (0, 1))
    yield Note("uneven_steps", {**values, "longest": float(steps[longest]), "start": start, "end": end})


def _place(axis: Axis, x: float) -> str | float:
    return axis.date(x).isoformat() if axis.dated else x


def _repeats(raw: UsedRows) -> Iterator[Note]:
    repeated, copies = _again(raw.columns), 0
    if repeated:
        copies = _again((*raw.columns, raw.y))
    if repeated - copies:
        names = [axis.name for axis in raw.axes]
        yield Note("same_inputs", {"rows": repeated - copies, "inputs": names, "target": raw.target})
    if copies:
        yield Note("copied_rows", {"rows": copies})


def _again(columns: tuple[Array, ...]) -> int:
    """How many rows repeat an earlier one."""
    if len(columns) == 1 and (np.diff(columns[0]) > 0).all():
        return 0
    order = np.lexsort(columns)
    same = np.ones(len(order) - 1, dtype=bool)
    for column in columns:
        ranked = column[order]
        same &= ranked[1:] == ranked[:-1]
    return int(same.sum())


def _alike(raw: UsedRows, data: Dataset) -> Iterator[Note]:
    """Inputs that say the same, and inputs that are the target itself."""
    together = data.X.T @ data.X / len(data.y)
    pairs = np.argwhere(np.triu(np.abs(together) > _ALIKE, k=1))
    if len(pairs):
        yield Note("inputs_alike", {"pairs": [[raw.axes[i].name, raw.axes[j].name] for i, j in pairs]})
    for axis, column in zip(raw.axes, raw.columns, strict=True):
        if np.array_equal(column, raw.y):
            yield Note("target_among_inputs", {"target": raw.target, "column": axis.name})


def _far(raw: UsedRows, data: Dataset) -> Iterator[Note]:
    far = outliers(raw.y)
    if far.any() and not data.constant:
        yield Note("outliers", {"target": raw.target, **counted(raw, far)})
