"""The faces of the program: the terminal, Python and the page. Each writes the name of an option its own way.

Whatever tells a user which option to give names it as a value, and the face that shows the sentence writes it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from string import Formatter

__all__ = ["Advice", "Face", "Remedy"]

# What a shell takes as it stands.
_SIMPLE = re.compile(r"[\w.+-]+=[\w.+-]+")
# What a shell reads even between quotes.
_SHELL = frozenset('"\\$`!')


class Face(Enum):
    """Where a sentence is read."""

    TERMINAL = "terminal"
    PYTHON = "python"
    PAGE = "page"

    def option(self, name: str, value: str = "") -> str:
        """An option by its name, with the value that is proposed for it.

        >>> [face.option("date_format", "excel") for face in Face]
        ['--date-format excel', 'date_format="excel"', 'the option “date format” excel']
        """
        if self is Face.PYTHON:
            return f"{name}={_text(value) if value else ''}"
        called = f"--{name.replace('_', '-')}" if self is Face.TERMINAL else f"the option “{name.replace('_', ' ')}”"
        return f"{called} {value}" if value else called

    def rows(self, name: str, pairs: Sequence[tuple[str, str]]) -> str:
        """An option that is given as columns with a value each.

        >>> [face.rows("where", [("store", "A"), ("item", "3 l")]) for face in Face][:2]
        ['--where store=A --where "item=3 l"', 'where={"store": "A", "item": "3 l"}']
        """
        if self is Face.PYTHON:
            return f"{name}={{{', '.join(f'{_text(column)}: {_text(value)}' for column, value in pairs)}}}"
        return " ".join(self.option(name, _pair(*pair)) for pair in pairs)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=not value.isprintable())


def _pair(column: str, value: str) -> str:
    """What to write on the command line; by example only where a shell would take the name for something else."""
    text = f"{column}={value}"
    if _SIMPLE.fullmatch(text):
        return text
    return f'"{text}"' if text.isprintable() and not set(text) & _SHELL else "COLUMN=VALUE"


@dataclass(frozen=True, slots=True)
class Remedy:
    """An option with a value that would help; columns with a value each where the option takes those."""

    option: str
    value: str | tuple[tuple[str, str], ...] = ""

    def written(self, face: Face) -> str:
        return face.option(self.option, self.value) if isinstance(self.value, str) else face.rows(self.option, self.value)


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do: a clause in which options stand by their names in braces.

    >>> Advice("name it with {date_format}").said(Face.TERMINAL)
    'name it with --date-format'

    Attributes:
        values: what else stands in braces: a text, or an option with its value.
    """

    text: str
    values: Mapping[str, str | Remedy] = field(default_factory=dict, hash=False)

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options that it speaks of."""
        named = {name: self.values.get(name, Remedy(name)) for _, name, _, _ in Formatter().parse(self.text) if name}
        return tuple(each.option for each in named.values() if isinstance(each, Remedy))

    def said(self, face: Face) -> str:
        """As that face says it."""
        given = {name: value if isinstance(value, str) else value.written(face) for name, value in self.values.items()}
        return self.text.format_map({**{name: face.option(name) for name in self.options}, **given})
