"""Tables of sums, made stretch by stretch as they are asked for, and kept while there is room."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["SumTable", "TableStore"]

# Whether of the targets, and the power of u.
Key = tuple[bool, int]

# Places of the shortest stretch of a table: what most kernels ask for.
_SHORT = 2**13
# How often stretches double in length: the longest has 2^18 places.
_DOUBLINGS = 5
# Bytes that tables may take together.
_ROOM = 600 * 2**20
# Who was asked for within so many questions stays in any case: a climb asks for the same few again and again, and to make them
# anew every time would take far longer than all else.
_RECENT = 200


@dataclass(slots=True)
class SumTable:
    """One sum at every place, in stretches: the first of length `short`, each of the next as long as all before it together,
    up to 2^doublings times the first. What was not asked for is not made, and takes no memory: pages that nobody writes to are
    not there."""

    short: int
    doublings: int
    made: set[int] = field(default_factory=set)
    values: NDArray[np.complex128] = field(default_factory=lambda: np.zeros(0, dtype=np.complex128))

    @property
    def long(self) -> int:
        """The length of the longest stretches."""
        return self.short << self.doublings

    @property
    def bytes(self) -> int:
        return sum(self.edge(each + 1) - self.edge(each) for each in self.made) * self.values.itemsize

    def edge(self, stretch: int) -> int:
        """Where a stretch begins."""
        if stretch <= self.doublings:
            return self.short << stretch >> 1 if stretch else 0
        return self.long * (stretch - self.doublings)

    def stretch(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """In which stretch places lie."""
        doubled = np.frexp(places // self.short)[1].astype(np.int64)
        return np.where(places < self.long, doubled, self.doublings + places // self.long)

    def reach(self, places: NDArray[np.int64], around: int, make: Callable[[int, int], NDArray[np.complex128]]) -> None:
        """Has the stretches made that lie so near these places, each from where it begins to before where the next one does."""
        if places.size == 0:
            return
        low, high = self.stretch(np.array([places.min() - around, places.max() + around])).tolist()
        if self.made.issuperset(range(low, high + 1)):
            return
        self._grow(self.edge(high + 1))
        near = np.concatenate([self.stretch(places - around), self.stretch(places + around)])
        for stretch in np.flatnonzero(np.bincount(near)).tolist():
            if stretch not in self.made:
                start, end = self.edge(stretch), self.edge(stretch + 1)
                self.values[start:end] = make(start, end)
                self.made.add(stretch)

    def _grow(self, end: int) -> None:
        if end <= len(self.values):
            return
        before, self.values = self.values, np.zeros(end, dtype=np.complex128)
        for each in self.made:
            whole = slice(self.edge(each), self.edge(each + 1))
            self.values[whole] = before[whole]


@dataclass(slots=True)
class TableStore:
    """Tables by their keys, those longest not asked for first. What is forgotten is made again when asked for, bit by bit the
    same."""

    room: int = _ROOM
    recent: int = _RECENT
    asked: int = 0
    tables: dict[Key, SumTable] = field(default_factory=dict)
    last: dict[Key, int] = field(default_factory=dict)

    def get(self, key: Key) -> SumTable:
        """The table of this key, an empty one where there is none."""
        self.asked += 1
        self.last[key] = self.asked
        self.tables[key] = found = self.tables.pop(key) if key in self.tables else SumTable(_SHORT, _DOUBLINGS)
        return found

    def tidy(self) -> None:
        """Forgets what there is no room for."""
        held = sum(table.bytes for table in self.tables.values())
        for key in list(self.tables):
            if held <= self.room or self.last[key] > self.asked - self.recent:
                return
            held -= self.tables.pop(key).bytes
            del self.last[key]
