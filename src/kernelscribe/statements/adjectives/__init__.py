"""The registry of adjectives, one file each, in the order in which they are proposed."""

from collections.abc import Mapping
from types import MappingProxyType

from kernelscribe.statements.adjectives.changing import Changing
from kernelscribe.statements.adjectives.growing import Growing
from kernelscribe.statements.word import Word

__all__ = ["ADJECTIVES"]

_ADJECTIVES: tuple[Word, ...] = (Changing(), Growing())
ADJECTIVES: Mapping[str, Word] = MappingProxyType({adjective.name: adjective for adjective in _ADJECTIVES})
