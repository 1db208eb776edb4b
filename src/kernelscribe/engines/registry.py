"""The engines by name. An engine is one class in a folder of its own, and one line here.

Classes are loaded when they are first asked for: who only wants the names loads no library of numbers.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from kernelscribe.engines.traits import Traits
from kernelscribe.errors import OptionError

if TYPE_CHECKING:
    from kernelscribe.engines.engine import Engine

__all__ = ["AUTO", "ENGINES", "EXACT", "check", "engine_choices", "engine_kind", "engine_kinds", "traits"]

# The name that leaves the choice to choose.py.
AUTO = "auto"
# The name of the engine that gives the value itself, for strategies that ask for it.
EXACT = "exact"

# Where the class is, or the class itself. Of two that cost the same the first is chosen.
ENGINES: "dict[str, str | type[Engine]]" = {
    EXACT: "kernelscribe.engines.exact.engine:Exact",
    "spectral": "kernelscribe.engines.spectral.engine:Spectral",
    "inducing": "kernelscribe.engines.inducing.engine:Inducing",
}


def engine_kind(name: str) -> "type[Engine]":
    """The class of this name."""
    found = ENGINES[name]
    if not isinstance(found, str):
        return found
    module, _, own = found.partition(":")
    kind: type[Engine] = getattr(import_module(module), own)
    return kind


def engine_kinds() -> "list[type[Engine]]":
    """All of them, in order."""
    return [engine_kind(name) for name in ENGINES]


def engine_choices() -> tuple[str, ...]:
    """What the option may be."""
    return AUTO, *sorted(ENGINES)


def check(name: str) -> None:
    """Refuse a name that is none."""
    if name not in engine_choices():
        raise OptionError(f"engine must be one of {', '.join(engine_choices())}, got {name!r}")


def traits(name: str) -> Traits:
    """Those of the engine of this name; plain ones where there is no such engine, as for a kernel that came to nothing."""
    return engine_kind(name).traits if name in ENGINES else Traits()
