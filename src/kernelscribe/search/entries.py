"""Results as lines of the journal, and back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernelscribe.codec import decode, encode
from kernelscribe.fit.facts import Fit, Screened
from kernelscribe.kernels.tree import owners
from kernelscribe.scales import Scales
from kernelscribe.search.facts import Result, Scanned, Task, TaskKey

__all__ = ["Entry", "from_journal", "to_journal"]

# Digits of seconds.
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: the key of a task, the kernel that its own grew from, and its result."""

    depth: int
    stage: str
    kernel: str
    number: int
    parent: str | None
    result: Result

    @property
    def key(self) -> TaskKey:
        return TaskKey(self.depth, self.stage, self.kernel, self.number)


def to_journal(task: Task, result: Result) -> dict[str, Any]:
    """A result as a line of the journal. Names and units of the data are not in it: they are those of all lines."""
    entry = Entry(*task.key, task.candidate.parent, replace(result, seconds=round(result.seconds, _DIGITS)))
    line: dict[str, Any] = encode(entry, known=(Scales,))
    return line


def from_journal(line: Mapping[str, Any], scales: Scales) -> Entry:
    """The inverse of `to_journal`.

    Raises:
        ValueError: it is no such line, or not of these data.
    """
    entry: Entry = decode(Entry, line, {Scales: scales})
    if isinstance(entry.result, Screened) != (entry.stage == "screen") or isinstance(entry.result, Scanned) != (
        entry.stage == "scan"
    ):
        raise ValueError(f"to {entry.stage} a kernel gives no {type(entry.result).__name__.lower()}")
    if isinstance(entry.result, Fit) and any(owner.dim > len(scales.names) for owner in owners(entry.result.expr)):
        raise ValueError(f"{entry.result.expr} has more inputs than the data, which have {len(scales.names)}")
    return entry
