"""The registry of nouns, one file each, in the order in which they are proposed."""

from collections.abc import Mapping
from types import MappingProxyType

from kernelscribe.statements.nouns.bend import Bend
from kernelscribe.statements.nouns.cycle import CycleNoun
from kernelscribe.statements.nouns.departures import Departures
from kernelscribe.statements.nouns.drift import Drift
from kernelscribe.statements.nouns.line import Line
from kernelscribe.statements.nouns.placed import Kink, Spell, StepNoun
from kernelscribe.statements.nouns.rough import RoughNoun
from kernelscribe.statements.nouns.smooth import Smooth
from kernelscribe.statements.word import Word

__all__ = ["NOUNS"]

_NOUNS: tuple[Word, ...] = (
    Line(),
    Bend(),
    Drift(),
    Smooth(),
    RoughNoun(),
    Departures(),
    CycleNoun(),
    StepNoun(),
    Kink(),
    Spell(),
)
NOUNS: Mapping[str, Word] = MappingProxyType({noun.name: noun for noun in _NOUNS})
