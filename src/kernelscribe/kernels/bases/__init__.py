"""The registry of base kernels, one file each. Their order is the order in which factors and summands are printed."""

from collections.abc import Mapping
from types import MappingProxyType

from kernelscribe.kernels.base import Base
from kernelscribe.kernels.bases.constant import Level
from kernelscribe.kernels.bases.cycle import CentredPeriodic
from kernelscribe.kernels.bases.kink import Corner
from kernelscribe.kernels.bases.lin import Linear
from kernelscribe.kernels.bases.matern import Matern
from kernelscribe.kernels.bases.per import Periodic
from kernelscribe.kernels.bases.rough import Rough
from kernelscribe.kernels.bases.se import SquaredExponential
from kernelscribe.kernels.bases.spell import Stretch
from kernelscribe.kernels.bases.spline import Spline
from kernelscribe.kernels.bases.step import Jump
from kernelscribe.kernels.bases.walk import Wiener
from kernelscribe.kernels.bases.white import White

__all__ = ["BASES", "PAPER"]

_BASES: tuple[Base, ...] = (
    White(),
    SquaredExponential(),
    Matern(),
    Rough(),
    Periodic(),
    CentredPeriodic(),
    Wiener(),
    Spline(),
    Linear(),
    Jump(),
    Corner(),
    Stretch(),
    Level(),
)
BASES: Mapping[str, Base] = MappingProxyType({base.name: base for base in _BASES})
# What the paper's search is made of; the others are fitted, scored and read where a user writes them.
PAPER: tuple[str, ...] = tuple(base.name for base in (SquaredExponential(), Periodic(), Linear()))
