"""How a table is read, every option once: the command line, the page, Python's keywords and the docs are made from here.

Nothing here needs numpy, so that `kernelscribe --help` answers at once.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from numbers import Real
from typing import Any, Literal, TypeVar, get_type_hints

from kernelscribe.errors import DataError, OptionError

__all__ = ["EVERY", "Reading", "ReadingOption", "RowFilter", "reading_keywords", "reading_options"]

# The value that stands for all of them: the rows are taken together, and the user knows it.
EVERY = "*"

# Names of columns with the text that their cells are to have.
RowFilter = tuple[tuple[str, str], ...]

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ReadingOption:
    """What the faces say of one option.

    Attributes:
        help: what it means; what is to be typed stands between backticks.
        usual: what holds where it is not given.
        label: of its field on the page; none where the page asks for it in another way.
        hint: what the page says below the field.
    """

    help: str
    usual: str
    label: str = ""
    hint: str = ""


def _option(default: Any, help: str, usual: str, label: str = "", hint: str = "") -> Any:
    return field(default=default, metadata={"option": ReadingOption(help, usual, label, hint)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a table is read: which column is what, which rows are meant, how its text and its dates are written."""

    target: str | None = _option(None, "the column to explain", "the last column of numbers")
    time: str | None = _option(
        None,
        "the column of times",
        "the first column of dates, or one whose name says time, date, year, month and the like, and whose numbers run strictly "
        "up or down",
    )
    inputs: tuple[str, ...] | None = _option(
        None,
        "the columns to explain it by, separated by commas; together with a time, beside it",
        "the time alone, or else all other columns of numbers",
    )
    date_format: str | None = _option(
        None,
        "how dates are written: a pattern as in `%d/%m/%Y`, or `dmy`, `mdy`, `s`, `ms`, `us`, `ns`, `excel` or `number`",
        "found out",
        "Date format",
        "Found out when empty. Else a pattern as in %d/%m/%Y, or dmy, mdy, excel, s, ms.",
    )
    where: tuple[tuple[str, str], ...] = _option(
        (), "only the rows in which a column has a value, as in `store=A`; may be given several times, for several columns",
        "every row",
    )  # fmt: skip
    encoding: str | None = _option(
        None,
        "the encoding of the text, as in `latin-1`",
        "UTF-8, or what the byte-order mark says",
        "Encoding of the text",
        "UTF-8 when empty. Older files may need latin-1.",
    )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Reading":
        """From named options; an unknown name is an OptionError that lists the known ones."""
        unknown = sorted(set(given) - set(reading_options()))
        if unknown:
            raise OptionError(f"there is no option {unknown[0]!r}; there are {', '.join(reading_options())}")
        inputs = given.get("inputs")
        if isinstance(inputs, str):
            raise DataError(f"inputs must be a list of names, got the text {inputs!r}: write [{inputs!r}]")
        names = None if inputs is None else tuple(inputs)
        return cls(**{**given, "inputs": names, "where": _pairs(given.get("where"))})

    @property
    def used(self) -> tuple[str, ...]:
        """The columns that are named to be used."""
        return tuple(name for name in (self.target, self.time, *(self.inputs or ())) if name is not None)

    @property
    def together(self) -> bool:
        """Whether rows of several series are to be taken for one."""
        return any(value == EVERY for _, value in self.where)

    @property
    def needed(self) -> frozenset[str] | None:
        """The columns that suffice, where it is known."""
        if self.target is None or (self.time is None and self.inputs is None):
            return None
        return frozenset({*self.used, *(name for name, _ in self.where)})

    @staticmethod
    def kind(name: str) -> Literal["text", "names", "pairs"]:
        """What an option takes: a text, several names, or columns with a value each."""
        hint = get_type_hints(Reading)[name]
        return "text" if hint == str | None else "pairs" if hint == RowFilter else "names"


def reading_options() -> dict[str, ReadingOption]:
    """Every option by its name."""
    return {each.name: each.metadata["option"] for each in fields(Reading)}


def reading_keywords(function: _Function) -> _Function:
    """Show the options in the signature of a function that takes them among its further keywords, called `reading` where they
    are all of these."""
    own = inspect.signature(function)
    hints, keyword = get_type_hints(Reading), inspect.Parameter.KEYWORD_ONLY
    shown = [inspect.Parameter(each.name, keyword, default=each.default, annotation=hints[each.name]) for each in fields(Reading)]
    before = [each for each in own.parameters.values() if each.kind < keyword]
    after = [each for each in own.parameters.values() if each.kind >= keyword and each.name != "reading"]
    function.__signature__ = own.replace(parameters=[*before, *shown, *after])  # type: ignore[attr-defined]
    return function


def _pairs(where: Mapping[str, Any] | None) -> RowFilter:
    """
    >>> _pairs({"store": "A", "item": 3.0})
    (('store', 'A'), ('item', '3'))
    """
    if where is None:
        return ()
    if not isinstance(where, Mapping):
        raise DataError(f"where must name columns with a value each, as in {{'store': 'A'}}, got {where!r}")
    return tuple((str(name), _written(value)) for name, value in where.items())


def _written(value: Any) -> str:
    whole = isinstance(value, Real) and not isinstance(value, bool) and float(value).is_integer()
    return str(int(value)) if whole else str(value).strip()
