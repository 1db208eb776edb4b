"""What is odd about the data but not wrong: it changes nothing, and the reader of a report should know it."""

from collections.abc import Iterator

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.data.axis import Axis
from kernelscribe.data.dataset import Dataset
from kernelscribe.data.notes import Note, listed
from kernelscribe.data.repairs import ENOUGH, UsedRows, outliers, where

__all__ = ["notices"]

_ALIKE = 0.999
# A gap is longer than the usual step by this factor; steps are even where they differ by less than this share.
_GAP, _EVEN = 1.5, 1e-6
_UNITS = (("day", 86400.0), ("hour", 3600.0), ("minute", 60.0), ("second", 1.0))


def notices(raw: UsedRows, data: Dataset) -> Iterator[Note]:
    """Everything that is worth a sentence."""
    for text in (*_size(raw, data), *_order(raw)):
        yield Note("notice", text)
    for text in _rhythm(raw):
        yield Note("rhythm", text)
    for text in (*_repeats(raw), *_alike(raw, data), *_far(raw, data)):
        yield Note("notice", text)


def _size(raw: UsedRows, data: Dataset) -> Iterator[str]:
    if len(raw.y) < ENOUGH:
        yield f"There are {len(raw.y)} rows, too few to judge structure by."
    if data.constant:
        yield f"{raw.target} is constant at {data.output.centre:g}: there is nothing to explain."


def _order(raw: UsedRows) -> Iterator[str]:
    if raw.series and (np.diff(raw.columns[0]) < 0).any():
        yield f"The rows are not in the order of {raw.axes[0].name}; figures show them in order."


def _rhythm(raw: UsedRows) -> Iterator[str]:
    """The steps of a time series: how long, how even."""
    if not raw.series:
        return
    axis, places = raw.axes[0], np.unique(raw.columns[0])
    steps = np.diff(places)
    usual, longest = float(np.median(steps)), int(np.argmax(steps))
    if float(steps[longest]) < _GAP * usual:
        about = "" if float(np.ptp(steps)) <= _EVEN * usual else "about "
        yield f"The values of {axis.name} are {about}{_length(axis, usual)} apart, without a gap."
        return
    gap = _length(axis, float(steps[longest]))
    ends = f"from {_place(axis, float(places[longest]))} to {_place(axis, float(places[longest + 1]))}"
    yield f"The usual step of {axis.name} is {_length(axis, usual)}; the longest is {gap}, {ends}."


def _length(axis: Axis, length: float) -> str:
    unit, size = axis.unit.removesuffix("s"), 1.0
    if axis.dated:
        length *= 86400
        unit, size = next((each for each in _UNITS if length >= each[1] * (1 - 1e-9)), _UNITS[-1])
    number = f"{length / size:.4g}"
    return f"{number} {unit}{'' if number == '1' or not unit else 's'}".rstrip()


def _place(axis: Axis, x: float) -> str:
    if not axis.dated:
        return f"{x:.10g}"
    moment = axis.date(x)
    return moment.date().isoformat() if moment.time().isoformat() == "00:00:00" else moment.isoformat(sep=" ")


def _repeats(raw: UsedRows) -> Iterator[str]:
    repeated, copies = _again(raw.columns), 0
    if repeated:
        copies = _again((*raw.columns, raw.y))
    if repeated - copies:
        what = "1 row has" if repeated - copies == 1 else f"{repeated - copies:,} rows have"
        yield f"{what} the same {listed([axis.name for axis in raw.axes])} as another row, but another {raw.target}."
    if copies:
        yield f"{copies:,} {'row is an exact copy' if copies == 1 else 'rows are exact copies'} of another row; all were kept."


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


def _alike(raw: UsedRows, data: Dataset) -> Iterator[str]:
    """Inputs that say the same, and inputs that are the target itself."""
    together = data.X.T @ data.X / len(data.y)
    pairs = np.argwhere(np.triu(np.abs(together) > _ALIKE, k=1))
    if len(pairs):
        names = listed([f"{raw.axes[i].name} with {raw.axes[j].name}" for i, j in pairs])
        yield f"Some inputs are nearly the same up to scale, so that either may stand for the other: {names}."
    for axis, column in zip(raw.axes, raw.columns, strict=True):
        if np.array_equal(column, raw.y):
            yield f"{raw.target} equals column {axis.name}, which therefore explains it without telling anything."


def _far(raw: UsedRows, data: Dataset) -> Iterator[str]:
    far = outliers(raw.y)
    if far.any() and not data.constant:
        count = int(far.sum())
        what = "1 value lies" if count == 1 else f"{count:,} values lie"
        yield f"{what} far outside the others of {raw.target}, in {where(raw, far)}; --winsorise pulls such values in."
