"""What may be chosen on a page: the options of `Config` as fields of a form, and what comes back from one, checked."""

from collections.abc import Callable
from dataclasses import fields as fields_of
from types import NoneType
from typing import Any, get_args, get_type_hints

from kernelscribe.config import Config, Option, configure, options
from kernelscribe.data.reading import Reading, reading_options
from kernelscribe.engines.registry import check, engine_choices
from kernelscribe.errors import OptionError
from kernelscribe.report.formats.escape import readable
from kernelscribe.web.refusal import Refusal

__all__ = ["choices", "fields", "forecast", "reading", "reading_fields", "title"]

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
        if (option := options().get(each.name)) and each.name != "budget"
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


def reading_fields() -> list[dict[str, Any]]:
    """The options of `Reading` that have a field of their own on the page; it asks for the others by what is in the table."""
    return [
        {"name": name, "label": option.label, "hint": option.hint, "kind": Reading.kind(name)}
        for name, option in reading_options().items()
        if option.label
    ]


def reading(given: Any) -> dict[str, Any]:
    """How the table is to be read, as far as that was said."""
    if given is None:
        return {}
    if not isinstance(given, dict) or not set(given) <= set(reading_options()):
        raise Refusal(422, f"How the file is read is said by {', '.join(reading_options())}.")
    asked = {name: value for name, value in given.items() if value not in (None, "", False)}
    for name, value in asked.items():
        fits, what = _FITTING[Reading.kind(name)]
        if not fits(value):
            raise Refusal(422, f"{name} {what}.")
    return {name: value for name, value in asked.items() if value not in ([], {})}


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def _names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= _MOST_INPUTS and all(_text(each) for each in value)


def _pairs(value: Any) -> bool:
    return isinstance(value, dict) and _names([*value]) and _names([*value.values()])


# What each kind of option of `Reading` may be.
_FITTING: dict[str, tuple[Callable[[Any], bool], str]] = {
    "text": (_text, "must be a text"),
    "names": (_names, "must be a list of names"),
    "pairs": (_pairs, "must be names of columns with a text each"),
}


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
