"""What was guessed, repaired or noticed on the way from a file to a `Dataset`, in sentences that are ready for a report."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from kernelscribe.errors import DataError

__all__ = ["Note", "in_python", "in_words", "listed", "pythonic", "quoted", "share"]

# Names or rows that one sentence holds; the rest are counted.
_SHOWN = 8
_LONGEST_QUOTE = 40
_OPTIONS = re.compile(r"--(target|time|inputs|date-format|where|winsorise|encoding|memory)\b")
_WHERE = re.compile(r'--where (?:"([^"]*)"|([^\s;,]+))')
_WHERES = re.compile(rf"{_WHERE.pattern}(?: {_WHERE.pattern})*")
_CLAUSE = re.compile(rf"; {_OPTIONS.pattern}[^;:.]*\.$")


@dataclass(frozen=True, slots=True)
class Note:
    """One plain sentence.

    Attributes:
        kind: a "guess" that the user may correct, a "repair" that changed the data, a "notice" that changed nothing, or the
            "rhythm" of a series, which reports tell in words of their own.
    """

    kind: Literal["guess", "repair", "notice", "rhythm"]
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


def in_python(text: str) -> str:
    """A sentence that names options of the command line, for those who call functions.

    >>> in_python("give --date-format, as in %d/%m/%y")
    'give date_format=, as in %d/%m/%y'
    """
    return _OPTIONS.sub(lambda found: f"{found[1].replace('-', '_')}=", _WHERES.sub(_mapping, text))


def _mapping(found: re.Match[str]) -> str:
    """Rows chosen on the command line, as Python chooses them.

    >>> in_python('--where store=A --where "item=3 l"')
    'where={"store": "A", "item": "3 l"}'
    """
    told = [(quoted or plain).partition("=") for quoted, plain in _WHERE.findall(found[0])]
    return f"where={{{', '.join(f'{_double(name)}: {_double(value)}' for name, _, value in told)}}}"


def _double(text: str) -> str:
    return f'"{text}"'


@contextmanager
def pythonic() -> Iterator[None]:
    """What cannot be used is refused in the words of `in_python`."""
    try:
        yield
    except DataError as error:
        raise DataError(in_python(str(error)), error.question) from None


def in_words(text: str) -> str:
    """The same for those who choose on a page, where the choices are in sight: a clause that only names one is left out.

    >>> in_words("give --date-format, as in %d/%m/%y"), in_words("It was taken for the time; --time names another.")
    ('give the option “date format”, as in %d/%m/%y', 'It was taken for the time.')
    """
    return _OPTIONS.sub(lambda found: f"the option “{found[1].replace('-', ' ')}”", _CLAUSE.sub(".", text))
