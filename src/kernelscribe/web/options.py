"""What may be chosen on a page: the options of `Config` as fields of a form, and what comes back from one, checked."""

from dataclasses import fields as fields_of
from types import NoneType
from typing import Any, get_args, get_type_hints

from kernelscribe.config import Config, Option, configure, options
from kernelscribe.engines.registry import check, engine_choices
from kernelscribe.errors import OptionError
from kernelscribe.report.formats.escape import readable
from kernelscribe.web.refusal import Refusal

__all__ = ["choices", "fields", "forecast", "reading", "title"]

# How a table is read, as far as that is one text each; and all of it.
_TEXTS = ("target", "time", "date_format", "encoding")
_READING = (*_TEXTS, "inputs", "where", "winsorise")
# Characters of a text: longer than any name in a table that can be read.
_LONGEST = 100_000
# More inputs than can be searched.
_MOST_INPUTS = 1000
# Characters of a title, which stands in one line of a list.
_LONGEST_TITLE = 200
# Steps of a forecast: more than a page can show.
_FURTHEST = 100_000


def fields(chosen: dict[str, Any]) -> list[dict[str, Any]]:
    """Every option but the time limit, which the page asks for by itself."""
    return [
        {
            "name": each.name,
            "label": each.name.replace("_", " ").capitalize(),
            "help": f"{option.help[0].upper()}{option.help[1:]}.",
            "kind": _kind(each.name, option),
            "choices": list(engine_choices() if option.named else option.choices),
            "default": each.default,
            "value": _shown(chosen.get(each.name, each.default)),
        }
        for each in fields_of(Config)
        if (option := options()[each.name]) and each.name != "budget"
    ]


def _shown(value: Any) -> Any:
    """Names stand in one field, with commas between them."""
    return ", ".join(value) if isinstance(value, list | tuple) else value


def _kind(name: str, option: Option) -> str:
    if option.choices or option.named:
        return "choice"
    if option.duration or option.names:
        return "duration" if option.duration else "names"
    return "whole" if option.whole else "number"


def choices(given: Any) -> dict[str, Any]:
    """The options that were chosen, as `Config` takes them."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise Refusal(422, "The options must be names with values.")
    chosen = {name: _value(name, value) for name, value in given.items() if value not in (None, "")}
    try:
        check(configure(chosen).engine)
    except OptionError as error:
        raise Refusal(422, f"{str(error)[0].upper()}{str(error)[1:]}.") from None
    return chosen


def _value(name: str, value: Any) -> Any:
    """A number that a form sends as text is a number."""
    option = options().get(name)
    if option is None or not isinstance(value, str) or option.choices or option.named or option.duration or option.names:
        return value
    try:
        return int(value) if option.whole and _whole(name) else float(value)
    except ValueError:
        raise Refusal(422, f"{name} must be a number, got {readable(value)[:40]!r}.") from None


def _whole(name: str) -> bool:
    hint = get_type_hints(Config)[name]
    return int in ([each for each in get_args(hint) if each is not NoneType] or [hint])


def reading(given: Any) -> dict[str, Any]:
    """How the table is to be read, as far as that was said."""
    if given is None:
        return {}
    if not isinstance(given, dict) or not set(given) <= set(_READING):
        raise Refusal(422, f"How the file is read is said by {', '.join(_READING)}.")
    said = {name: value for name, value in given.items() if value not in (None, "", False)}
    for name in _TEXTS:
        if name in said and not _text(said[name]):
            raise Refusal(422, f"{name} must be a text.")
    inputs = said.get("inputs", [])
    if not isinstance(inputs, list) or len(inputs) > _MOST_INPUTS or not all(_text(each) for each in inputs):
        raise Refusal(422, "inputs must be a list of names.")
    where = said.get("where", {})
    if (
        not isinstance(where, dict)
        or len(where) > _MOST_INPUTS
        or not all(_text(each) for pair in where.items() for each in pair)
    ):
        raise Refusal(422, "where must be names of columns with a text each.")
    if said.get("winsorise", True) is not True:
        raise Refusal(422, "winsorise is true or false.")
    return {name: value for name, value in said.items() if value not in ([], {})}


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def forecast(given: Any) -> int | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= _FURTHEST:
        raise Refusal(422, f"The forecast must be a whole number of steps, from 1 to {_FURTHEST:,}.")
    return given


def title(given: Any, usual: str) -> str:
    """What an analysis is called."""
    if given is None:
        return usual
    shown = readable(given).strip()[:_LONGEST_TITLE] if isinstance(given, str) else ""
    if not shown:
        raise Refusal(422, "The name must be a text that is not empty.")
    return shown
