"""Time as the workers have had it: by it a task is late, and a busy machine alone makes none so.

Who works on which task is not known, but all workers of a machine wait for the same processors. So while any of them works the
clock goes as fast as the busiest one does; while none does, as when one is left and hangs, as fast as any clock. Where the system
does not tell what a process has worked (Linux does), as for workers elsewhere, it is always the latter.
"""

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Clock"]

# Seconds between two looks: processor time is given in hundredths of a second.
_BETWEEN = 5.0
# Who looks much later than that was kept waiting itself, as by ctrl-Z, and the workers with it.
_LONGEST = 2 * _BETWEEN
# A worker that has had less of the time than this sleeps. One that waits for a processor gets more even among a hundred others.
_ASLEEP = 0.005


def worked(pid: int) -> float | None:
    """Seconds of processor time that a process has had; None where nobody says."""
    try:
        numbers = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


@dataclass(slots=True)
class Clock:
    """A clock for the processes that `pids` names when it is asked."""

    pids: Callable[[], Iterable[int]]
    shown: float = 0.0
    looked: float = field(init=False)
    had: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.looked = time.monotonic()

    def now(self) -> float:
        passed = time.monotonic() - self.looked
        if passed >= _BETWEEN:
            self.shown += self._share(min(passed, _LONGEST))
            self.looked += passed
        return self.shown

    def _share(self, passed: float) -> float:
        """How much of the time that has passed a worker could have had."""
        had = {pid: spent for pid in self.pids() if (spent := worked(pid)) is not None}
        most = max((spent - self.had.get(pid, 0.0) for pid, spent in had.items()), default=0.0)
        self.had = had
        return passed if most < _ASLEEP * passed else min(most, passed)
