"""How long climbs may take: so much work, and until a time of day.

Work is counted in processor time of the thread that does it. That stands still while other programs have the processor, so a busy
machine makes fits late, but no worse.
"""

import math
import time
from dataclasses import dataclass

__all__ = ["UNLIMITED", "Limit"]


@dataclass(frozen=True, slots=True)
class Limit:
    """When climbs end, wherever they are by then; never when not given.

    Attributes:
        work: a time of `time.thread_time`, of the thread that climbs.
        end: a time of `time.monotonic`.
    """

    work: float = math.inf
    end: float = math.inf

    @classmethod
    def of(cls, patience: float | None, end: float = math.inf) -> "Limit":
        """So many seconds of work from now on, and none after that time."""
        return cls(math.inf if patience is None else time.thread_time() + patience, end)

    @property
    def over(self) -> bool:
        return time.thread_time() >= self.work or time.monotonic() >= self.end


UNLIMITED = Limit()
