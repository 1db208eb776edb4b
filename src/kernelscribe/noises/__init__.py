"""The registry of noises, one file each: what is new at every row, as a value. Their names are what the option `noise` may be."""

from collections.abc import Mapping
from types import MappingProxyType

from kernelscribe.noises.changing import Changing
from kernelscribe.noises.constant import Constant
from kernelscribe.noises.growing import Growing
from kernelscribe.noises.noise import Noise

__all__ = ["AUTO_NOISE", "NOISES", "Changing", "Constant", "Growing", "Noise", "noise_kind"]

# Leaves it to the search; the same everywhere, where there is none.
AUTO_NOISE = "auto"

_NOISES: tuple[type[Noise], ...] = (Constant, Growing, Changing)
NOISES: Mapping[str, type[Noise]] = MappingProxyType({noise.name: noise for noise in _NOISES})


def noise_kind(name: str) -> type[Noise]:
    """The noise that the option asks for."""
    return Constant if name == AUTO_NOISE else NOISES[name]
