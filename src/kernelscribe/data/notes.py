"""What was guessed, repaired or noticed on the way from a file to a `Dataset`, in sentences that are ready for a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["Note", "listed", "quoted", "share"]

# Names or rows that one sentence holds; the rest are counted.
_SHOWN = 8
_LONGEST_QUOTE = 40


@dataclass(frozen=True, slots=True)
class Note:
    """One plain sentence.

    Attributes:
        kind: a "guess" that the user may correct, a "repair" that changed the data, or a "notice" that changed nothing.
    """

    kind: Literal["guess", "repair", "notice"]
    text: str


def listed(words: Sequence[object], most: int = _SHOWN, last: str = "and") -> str:
    """Several things in one sentence.

    >>> listed(["a", "b", "c"]), listed(range(12), most=3)
    ('a, b and c', '0, 1, 2 and 9 more')
    """
    shown = [str(word) for word in words[:most]]
    if len(words) > most:
        shown.append(f"{len(words) - most:,} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def share(some: int, every: int) -> str:
    """A count beside the whole, and its share.

    >>> share(7, 696)
    '7 of 696 rows (1.0 %)'
    """
    return f"{some:,} of {every:,} rows ({100 * some / every:.1f} %)"


def quoted(cell: str) -> str:
    """A cell as an error shows it: short, and with nothing in it that a terminal would obey."""
    return repr(cell if len(cell) <= _LONGEST_QUOTE else cell[:_LONGEST_QUOTE] + "…")
