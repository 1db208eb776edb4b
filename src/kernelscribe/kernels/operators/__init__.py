"""The registry of operators, one file each: nodes with parameters of their own, which their branches share."""

from collections.abc import Mapping
from types import MappingProxyType

from kernelscribe.kernels.operators.change import Change
from kernelscribe.kernels.operators.operator import Operator
from kernelscribe.kernels.operators.window import Window

__all__ = ["OPERATORS"]

_OPERATORS: tuple[Operator, ...] = (Change(), Window())
OPERATORS: Mapping[str, Operator] = MappingProxyType({operator.name: operator for operator in _OPERATORS})
