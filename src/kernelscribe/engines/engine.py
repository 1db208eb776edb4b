"""Engines: kernel and data in, value, gradient and a certified interval out. All take the same coordinates

u = (the kernel's coordinates, log noise variance, further coordinates of the engine's own, such as inducing points).
"""

from typing import Protocol

from kernelscribe.arrays import Array
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Evidence
from kernelscribe.kernels.base import Extent, Role
from kernelscribe.kernels.form import Form

__all__ = ["Engine"]


class Engine(Protocol):
    """What a fit and a search need of an engine."""

    @property
    def name(self) -> str: ...

    @property
    def data(self) -> Dataset:
        """The rows that the engine looks at."""
        ...

    @property
    def extra(self) -> Array:
        """Starting values of the engine's own coordinates."""
        ...

    def limits(self, role: Role, quantity: str, extent: Extent, beside: frozenset[Role] = frozenset()) -> tuple[float, float]:
        """Between which values a quantity of a factor in this role is of use to the engine, where factors in those roles stand in
        the same products; −inf and inf where any will do."""
        ...

    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        """The value to be climbed and its gradient; −inf where it cannot be computed."""
        ...

    def certify(self, form: Form, u: Array) -> Evidence:
        """The interval that holds the log marginal likelihood at u."""
        ...

    def residual(self, form: Form, u: Array) -> Array:
        """What the posterior mean at u leaves of y."""
        ...
