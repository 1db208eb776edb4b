"""Tables that were made are kept while there is room."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Shelf"]

Key = tuple[bool, int, int]
Table = NDArray[np.complex128]

# Bytes that tables may take together.
_ROOM = 600 * 2**20
# Who was asked for within so many questions stays in any case: a climb asks for the same few again and again, and to make them
# anew every time would take far longer than all else.
_RECENT = 200


@dataclass(slots=True)
class Shelf:
    """Tables by their keys, those longest not asked for first. What is forgotten is made again when asked for, bit by bit the
    same."""

    room: int = _ROOM
    recent: int = _RECENT
    asked: int = 0
    tables: dict[Key, Table] = field(default_factory=dict)
    last: dict[Key, int] = field(default_factory=dict)

    def get(self, key: Key, make: Callable[[], dict[Key, Table]]) -> Table:
        """The table of this key; where it is not there, among those that `make` makes."""
        self.asked += 1
        if key not in self.tables:
            self._keep(make())
        self.last[key] = self.asked
        self.tables[key] = found = self.tables.pop(key)
        return found

    def _keep(self, made: dict[Key, Table]) -> None:
        for key, table in made.items():
            self.tables[key], self.last[key] = table, self.asked
        held = sum(table.nbytes for table in self.tables.values())
        for key in list(self.tables):
            if held <= self.room or self.last[key] > self.asked - self.recent:
                return
            held -= self.tables.pop(key).nbytes
            del self.last[key]
