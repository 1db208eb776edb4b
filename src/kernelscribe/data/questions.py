"""What only the user knows about a table, as questions with the answers that fit it."""

import codecs
from collections.abc import Iterator, Sequence

from kernelscribe.data.date_forms import DMY, MDY, MONTHS, written
from kernelscribe.data.phrases import quoted
from kernelscribe.errors import Question

__all__ = ["ORDERS", "encoded", "order_of", "short_years"]

_NAMES = "January February March April May June July August September October November December".split()
# The order of the parts of a date, and how the user would say it.
ORDERS = {"dmy": "day, month, year", "mdy": "month, day, year", "ymd": "year, month, day"}
# What stands between the parts of a date.
_MARKS = "-/. "
# Those that a file may have where it is not UTF-8, and where each is used.
_ENCODINGS = (
    ("cp1252", "Western European, as Windows and Excel write it"),
    ("cp1250", "Central European"),
    ("cp1251", "Cyrillic"),
    ("cp1253", "Greek"),
    ("cp1254", "Turkish"),
    ("shift_jis", "Japanese"),
    ("gb18030", "Chinese"),
    ("euc_kr", "Korean"),
)


def order_of(cell: str) -> Question:
    """Which of day and month comes first, shown on a cell that could be either.

    >>> order_of("01/02/2020").choices[0]
    ('dmy', 'day first: 1 February 2020')
    """
    answers = []
    for value, words, form in (("dmy", "day first", DMY), ("mdy", "month first", MDY)):
        found = form.pattern.fullmatch(cell)
        if found is not None:
            answers.append((value, f"{words}: {int(found['d'])} {_NAMES[int(found['m']) - 1]} {found['Y']}"))
    return Question("date_format", f"Which date is {quoted(cell)}? Both readings fit every row.", tuple(answers))


def short_years(cells: Sequence[str]) -> Question | None:
    """How years of two digits are meant: the formats that fit these cells, each shown on the first; None where none does."""
    answers = tuple(_fitting(cells))
    if not answers:
        return None
    return Question("date_format", f"Which date is {quoted(cells[0])}? Its year has only two digits.", answers)


def _fitting(cells: Sequence[str]) -> Iterator[tuple[str, str]]:
    for order, words in ORDERS.items():
        for mark in _MARKS:
            for month in ("%m", "%b"):
                format_ = mark.join({"d": "%d", "m": month, "y": "%y"}[part] for part in order)
                pattern = written(format_).pattern
                found = [pattern.fullmatch(cell) for cell in cells]
                if all(each is not None and _possible(each.groupdict()) for each in found):
                    yield format_, words


def _possible(parts: dict[str, str | None]) -> bool:
    """Whether day and month have numbers that exist."""
    named = parts.get("b")
    month = int(parts["m"] or 0) if named is None else 1 + MONTHS.index(named[:3].lower())
    return 1 <= month <= len(MONTHS) and 1 <= int(parts["d"] or 0) <= 31  # noqa: PLR2004


def encoded(offset: int, some: bytes) -> Question:
    """In which letters a text is written that is not UTF-8: those in which some of its bytes make sense."""
    text = f"Which letters does the file use? It is not UTF-8, which byte {offset:,} shows."
    return Question("encoding", text, tuple(each for each in _ENCODINGS if _fits(some, each[0])))


def _fits(some: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(some)
    except UnicodeDecodeError:
        return False
    return True
