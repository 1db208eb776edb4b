"""Frozen dataclasses as plain JSON values, and back: the one way in which anything here is saved.

A dataclass is an object with its `type`, the name of the class in small letters (or `saved_as`, where a class was renamed), and
its fields. A tuple is a list, a member of an Enum its name in small letters, an array an object with its shape and its doubles,
little-endian, in base64. Numbers that JSON lacks are "inf", "-inf" and "nan"; all others come back to the last bit.

What may stand where is said by the annotations of the fields, and anything else is refused: an unknown type, an unknown field, a
text in the place of a number. In the place of an abstract class stand those that are made of it. Nothing is ever executed or
imported.
"""

import base64
import math
import sys
from collections.abc import Collection, Mapping
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from functools import cache
from inspect import isabstract
from types import MappingProxyType, NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from kernelscribe.arrays import Array

__all__ = ["UNSAVED", "decode", "encode"]

# Metadata of a field that is not saved: it has its default when it comes back.
UNSAVED: Mapping[str, Any] = MappingProxyType({"saved": False})

_UNLIKE_JSON = ("inf", "-inf", "nan")
_NOTHING: Mapping[type, Any] = MappingProxyType({})


def encode(value: Any, known: Collection[type] = ()) -> Any:
    """The value for `json.dumps`. Fields of a type that is `known` to whoever reads it are left out."""
    match value:
        case Enum():
            return value.name.lower()
        case float():
            return float(value) if math.isfinite(value) else repr(float(value))
        case None | bool() | int() | str() | dict():
            return value
        case list() | tuple():
            return [encode(each, known) for each in value]
    return _doubles(value) if _is_array(type(value)) else _fields(value, known)


def _is_array(kind: Any) -> bool:
    """Whether a class is NumPy's array. Where NumPy is not loaded, as in the web server, none is."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and kind is numpy.ndarray


def _doubles(array: "Array") -> dict[str, Any]:
    doubles = array.astype("<f8").tobytes()
    return {"shape": list(array.shape), "doubles": base64.b64encode(doubles).decode("ascii")}


def _fields(value: Any, known: Collection[type]) -> dict[str, Any]:
    kind = type(value)
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} has no form in JSON")
    own = [each.name for each in _saved(kind) if _hints(kind)[each.name] not in known]
    return {"type": _tag(kind)} | {name: encode(getattr(value, name), known) for name in own}


def decode(kind: Any, value: Any, known: Mapping[type, Any] = _NOTHING) -> Any:
    """The inverse of `encode` for a value of that kind: a class, or a union of some. What is `known` is given by its type.

    Raises:
        ValueError: it is no such value; the sentence says where and why.
    """
    try:
        return _read(kind, value, _name(kind), known)
    except RecursionError:
        raise ValueError(f"{_name(kind)}: nested too deeply") from None


def _read(kind: Any, value: Any, where: str, known: Mapping[type, Any]) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _one_of(arguments, value, where, known)
    if origin is tuple:
        return _tuple(arguments, value, where, known)
    if is_dataclass(kind):
        return _object(kind, value, where, known)
    if isinstance(kind, type) and isabstract(kind):
        return _one_of(tuple(kind.__subclasses__()), value, where, known)
    return _plain(kind, value, where) if origin is None else _special(origin, arguments, value, where)


def _special(origin: Any, arguments: tuple[Any, ...], value: Any, where: str) -> Any:
    """An array, one of some values, or an object that is data as it is."""
    if _is_array(origin):
        return _array(value, where)
    if origin is Literal:
        return _agreed(value, value in arguments, where, " or ".join(map(repr, arguments)))
    if origin is dict:
        return _agreed(value, isinstance(value, dict), where, "an object")
    raise TypeError(f"{where}: {origin} has no form in JSON")


def _plain(kind: Any, value: Any, where: str) -> Any:
    """A number, a text, a yes or no, nothing, or a member of an Enum."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        members = {each.name.lower(): each for each in kind}
        return members[_agreed(value, isinstance(value, str) and value in members, where, f"one of {', '.join(members)}")]
    if kind is float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        unlike = isinstance(value, str) and value in _UNLIKE_JSON
        return float(_agreed(value, (number and math.isfinite(value)) or unlike, where, "a number"))
    if kind is int:
        return _agreed(value, isinstance(value, int) and not isinstance(value, bool), where, "a whole number")
    if kind in (bool, str, NoneType):
        return _agreed(value, isinstance(value, kind), where, _PLAIN_WORDS[kind])
    raise TypeError(f"{where}: {kind} has no form in JSON")


_PLAIN_WORDS = {bool: "true or false", str: "a text", NoneType: "null"}


def _one_of(kinds: tuple[Any, ...], value: Any, where: str, known: Mapping[type, Any]) -> Any:
    """An object by its type, anything else by the first kind that takes it."""
    classes = {_tag(kind): kind for kind in kinds if is_dataclass(kind)}
    if isinstance(value, dict) and classes:
        tag = value.get("type")
        return _read(classes[_agreed(tag, tag in [*classes], where, f"the type {' or '.join(classes)}")], value, where, known)
    for kind in kinds:
        if not is_dataclass(kind):
            try:
                return _read(kind, value, where, known)
            except ValueError:
                continue
    raise ValueError(f"{where}: expected {' or '.join(_name(kind) for kind in kinds)}, got {_quoted(value)}")


def _tuple(arguments: tuple[Any, ...], value: Any, where: str, known: Mapping[type, Any]) -> tuple[Any, ...]:
    _agreed(value, isinstance(value, list), where, "a list")
    kinds = [arguments[0]] * len(value) if arguments[1:] == (...,) else list(arguments)
    _agreed(value, len(kinds) == len(value), where, f"{len(kinds)} values")
    return tuple(_read(kind, each, f"{where}[{i}]", known) for i, (kind, each) in enumerate(zip(kinds, value, strict=True)))


def _object(kind: Any, value: Any, where: str, known: Mapping[type, Any]) -> Any:
    """A dataclass from its fields: each of them once, and no others."""
    tag, hints = _tag(kind), _hints(kind)
    _agreed(value, isinstance(value, dict) and value.get("type") == tag, where, f"the type {tag}")
    own = [each for each in _saved(kind) if hints[each.name] not in known]
    names = {"type", *(each.name for each in own)}
    unknown = sorted(str(name) for name in value if name not in names)
    if unknown:
        raise ValueError(f"{where}: a {tag} has no {', '.join(unknown)}")
    missing = [each.name for each in own if each.name not in value]
    if missing:
        raise ValueError(f"{where}: a {tag} needs {', '.join(missing)}")
    found = {name: known[hint] for name, hint in hints.items() if isinstance(hint, type) and hint in known}
    found |= {each.name: _read(hints[each.name], value[each.name], f"{where}.{each.name}", known) for each in own}
    try:
        return kind(**found)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _array(value: Any, where: str) -> "Array":
    import numpy as np  # noqa: PLC0415  (loaded by then, or there is no array to be read)

    _agreed(value, isinstance(value, dict) and value.keys() == {"shape", "doubles"}, where, "an array")
    shape = _tuple((int, ...), value["shape"], f"{where}.shape", _NOTHING)
    packed = _agreed(value["doubles"], isinstance(value["doubles"], str), f"{where}.doubles", "a text")
    try:
        return np.frombuffer(base64.b64decode(packed, validate=True), dtype="<f8").astype(np.float64).reshape(shape)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _agreed(value: Any, agrees: bool, where: str, expected: str) -> Any:
    if not agrees:
        raise ValueError(f"{where}: expected {expected}, got {_quoted(value)}")
    return value


def _quoted(value: Any) -> str:
    """In short, as it may be a whole file."""
    shown = repr(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return shown if len(shown) <= 40 else f"{shown[:40]}…"  # noqa: PLR2004


def _tag(kind: Any) -> str:
    return str(getattr(kind, "saved_as", kind.__name__)).lower()


def _name(kind: Any) -> str:
    if isinstance(kind, type):
        return _tag(kind)
    arguments = get_args(kind)
    return " or ".join(_name(each) for each in arguments) if get_origin(kind) in (Union, UnionType) else str(kind)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _saved(kind: Any) -> tuple[Field[Any], ...]:
    return tuple(each for each in fields(kind) if each.metadata.get("saved", True))
