"""How well a kernel explains the data, as a certified interval. One file a bound, its inequality in the docstring."""

from kernelscribe.evidence.engine import Engine, Exact, Inducing, prepare
from kernelscribe.evidence.interval import Evidence, Interval

__all__ = ["Engine", "Evidence", "Exact", "Inducing", "Interval", "prepare"]
