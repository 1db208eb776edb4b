"""The registry of adjectives, one file each, in the order in which they are proposed."""

from collections.abc import Mapping
from types import MappingProxyType

from kernelscribe.statements.adjectives.changing import ChangingAdjective
from kernelscribe.statements.adjectives.growing import GrowingAdjective
from kernelscribe.statements.word import Word

__all__ = ["ADJECTIVES"]

_ADJECTIVES: tuple[Word, ...] = (ChangingAdjective(), GrowingAdjective())
ADJECTIVES: Mapping[str, Word] = MappingProxyType({adjective.name: adjective for adjective in _ADJECTIVES})
