"""Small pieces of sentences: things in a row, a share, a cell as it stands in the table."""

from collections.abc import Sequence

__all__ = ["SHOWN", "listed", "quoted", "share"]

# Names or rows that one sentence holds; the rest are counted.
SHOWN = 8
# Characters of a cell that one sentence holds.
_LONGEST_QUOTE = 40


def listed(words: Sequence[object], most: int = SHOWN, last: str = "and", every: int | None = None) -> str:
    """Several things in one sentence; `every` counts them all, where only the first are given.

    >>> listed(["a", "b", "c"]), listed(range(12), most=3)
    ('a, b and c', '0, 1, 2 and 9 more')
    """
    shown = [str(word) for word in words[:most]]
    count = len(words) if every is None else every
    if count > len(shown):
        shown.append(f"{count - len(shown):,} more")
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
