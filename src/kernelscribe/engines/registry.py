"""The engines by name. An engine is one class in a folder of its own, and one line here.

Classes are loaded when they are first asked for: who only wants the names loads no library of numbers.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from kernelscribe.errors import OptionError

if TYPE_CHECKING:
    from kernelscribe.engines.engine import Engine

__all__ = ["AUTO", "ENGINES", "EXACT", "Traits", "check", "engine_choices", "engine_kind", "engine_kinds", "traits"]

# The name that leaves the choice to choose.py.
AUTO = "auto"
# The name of the engine that gives the value itself, for strategies that ask for it.
EXACT = "exact"

# Where the class is, or the class itself. Of two that cost the same the first is chosen.
ENGINES: "dict[str, str | type[Engine]]" = {
    EXACT: "kernelscribe.engines.exact.engine:Exact",
    "spectral": "kernelscribe.engines.spectral.engine:Spectral",
    "series": "kernelscribe.engines.series.engine:Series",
    "inducing": "kernelscribe.engines.inducing.engine:Inducing",
}


@dataclass(frozen=True, slots=True)
class Traits:
    """What those who compare kernels, and tell of them, need to know of an engine: properties that do not depend on data.

    Attributes:
        sharp: its scores are exact values or bounds close to them, which compare as they are.
        low: its bounds are tight or have lost their digits: a wide interval tells of no evidence that may be found, so its lower
            end is what is known.
        series: it is made for one input and any number of rows: a row costs next to nothing, a child begins with its parent's
            values, and on a long series only the last climbs go to the very top.
        uniform: it takes noise that is the same everywhere, and no other.
    """

    sharp: bool = True
    low: bool = False
    series: bool = False
    uniform: bool = False


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
