"""The base kernels, once. Their order is the order in which factors and summands are printed."""

from collections.abc import Mapping
from types import MappingProxyType

from kernelscribe.kernels.base import Base
from kernelscribe.kernels.bases.lin import Linear
from kernelscribe.kernels.bases.per import Periodic
from kernelscribe.kernels.bases.se import SquaredExponential

__all__ = ["BASES"]

_BASES: tuple[Base, ...] = (SquaredExponential(), Periodic(), Linear())
BASES: Mapping[str, Base] = MappingProxyType({base.name: base for base in _BASES})
