"""Memory that is used again: an optimiser evaluates the same shapes hundreds of times, and fresh pages cost time.

At N = 9568, m = 640 the system spends some 30 of 530 ms on handing out the same 50 MB at every evaluation.
"""

import threading
from dataclasses import dataclass, field

import numpy as np

from kernelscribe.arrays import Array

__all__ = ["Workspace"]


@dataclass(slots=True)
class Workspace:
    """Rooms by name, kept from one call to the next; every thread has its own. `limit`, in bytes, is for the caller to keep."""

    limit: float
    rooms: threading.local = field(default_factory=threading.local, repr=False, compare=False)

    def room(self, name: str, *shape: int) -> Array:
        """An array of that shape with whatever was left in it; the last one of this name is given up."""
        size = int(np.prod(shape))
        old: Array | None = getattr(self.rooms, name, None)
        if old is None or old.size < size:
            old = np.empty(size)
            setattr(self.rooms, name, old)
        return old[:size].reshape(shape)

    def __reduce__(self) -> tuple[type["Workspace"], tuple[float]]:
        """Only the limit travels to another process."""
        return Workspace, (self.limit,)
