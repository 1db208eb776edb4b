"""Engines: kernel and data in, value, gradient and a certified interval out, and what the data say of the kernel's terms.

An engine is one class, in a folder of its own, with one line in registry.py. What is said of it before there are data is said by
the class; `of` prepares it for data, once for all kernels. All engines take the same coordinates

u = (the kernel's coordinates, those of the noise, further coordinates of the engine's own, such as inducing points).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.registry import Traits
from kernelscribe.noises import Constant, Noise

if TYPE_CHECKING:
    from kernelscribe.config import Config
    from kernelscribe.data.dataset import Dataset
    from kernelscribe.engines.interval import Evidence
    from kernelscribe.engines.posterior import Posterior
    from kernelscribe.kernels.base import Role
    from kernelscribe.kernels.form import Form
    from kernelscribe.kernels.normal import Term
    from kernelscribe.scales import Extent

__all__ = ["ClimbStage", "Engine", "Samples", "Work"]


@dataclass(frozen=True, slots=True)
class Work:
    """What an engine takes for some data.

    Attributes:
        operations: of a value with its gradient, in floating-point operations, and no fewer than a bound has to be worth.
        memory: bytes; `what` takes them, and `remedy` says what to do where they are too many.
    """

    operations: float
    memory: float = 0.0
    what: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ClimbStage:
    """One step from cheap to dear: short climbs from all starts that are left.

    Attributes:
        engine: what is climbed. Where it is that of the stage before, climbs go on where they were left.
        evaluations: from each start to the end of the stage, with those of stages before that it goes on from.
        kept: climbs that go on from here; all where it is None.
        repeat: evaluations from the start that repeats the parent, which joins the others here; 0 where it does not.
        patience: evaluations that may add next to nothing before a climb ends; None where it goes on.
        behind: nats by which a climb may end behind the best, with what is left to gain, and be gone on with.
        pays: whether there is no hope for a kernel that gains less over its parent than its new parameters cost.
    """

    engine: Engine
    evaluations: int
    kept: int | None
    repeat: int = 0
    patience: int | None = None
    behind: float = math.inf
    pays: bool = False


@dataclass(frozen=True, slots=True)
class Samples:
    """Engines that give values themselves, on more and more of the rows, in place of a bound that may lead away from them.

    Attributes:
        few: for screening starts.
        some: for climbing.
        many: for comparing kernels that were screened, and for a search's last climb.
        whole: all rows, for judging where a climb has ended.
    """

    few: Engine
    some: Engine
    many: Engine
    whole: Engine


class Engine(ABC):
    """What choosing, fitting, searching and telling need of an engine. Whatever has a body here may be left as it is."""

    name: ClassVar[str]
    traits: ClassVar[Traits] = Traits()
    data: Dataset

    @classmethod
    def accepts(cls, data: Dataset, form: Form | None = None) -> str | None:
        """None, or the reason why it is not for these data, or not for this kernel."""
        return None

    @classmethod
    def asked(cls, config: Config) -> bool:
        """Whether the options ask for it."""
        return config.engine == cls.name

    @classmethod
    @abstractmethod
    def cost(cls, data: Dataset, config: Config) -> Work:
        """What it takes for these data."""

    @classmethod
    @abstractmethod
    def of(cls, data: Dataset, config: Config) -> Self:
        """Prepared for these data."""

    @classmethod
    @abstractmethod
    def condition(cls, data: Dataset, terms: tuple[Term, ...], noise: Noise, config: Config) -> Posterior | None:
        """The posterior of the terms; None where another engine's is better, or the only one to be had."""

    @property
    def noise(self) -> type[Noise]:
        """The kind of noise whose values are fitted: what the options ask for, where it takes more than one."""
        return Constant

    def noise_at(self, form: Form, u: Array) -> Noise:
        """The noise of these coordinates."""
        return self.noise.unpack(u[form.size : form.size + self.noise.size()])

    def size(self, form: Form) -> int:
        """The number of coordinates of kernel and noise, behind which the engine's own stand."""
        return form.size + self.noise.size()

    @property
    def extra(self) -> Array:
        """Starting values of the engine's own coordinates."""
        return np.empty(0)

    def limits(self, role: Role, quantity: str, extent: Extent, beside: frozenset[Role] = frozenset()) -> tuple[float, float]:
        """Between which values a quantity of a factor in this role is of use to the engine, where factors in those roles stand in
        the same products; −inf and inf where any will do."""
        return -math.inf, math.inf

    @abstractmethod
    def objective(self, form: Form, u: Array) -> tuple[float, Array]:
        """The value to be climbed and its gradient; −inf where it cannot be computed."""

    def value(self, form: Form, u: Array) -> float:
        """The value alone."""
        return self.objective(form, u)[0]

    @abstractmethod
    def certify(self, form: Form, u: Array) -> Evidence:
        """The interval that holds the log marginal likelihood at u."""

    @abstractmethod
    def residual(self, form: Form, u: Array) -> Array:
        """What the posterior mean at u leaves of y."""

    def whitening(self, form: Form, u: Array) -> Callable[[Array], Array] | None:
        """What turns columns [N, m], rows in the order of the first input, into L⁻¹ of them, A = LLᵀ in that order: what is left
        of each row when it is forecast from those before it, in standard deviations. None where that is not to be had."""
        return None

    def stages(self, config: Config) -> tuple[ClimbStage, ...]:
        """From cheap to dear, how the starts of a kernel are screened. Where the last is not of the engine itself, kernels are
        compared by its value, or by what `samples` say."""
        (first, last), (kept, finalists) = config.effort.stage_evaluations, config.effort.stage_kept
        return ClimbStage(self, first, kept), ClimbStage(self, last, finalists, repeat=first, behind=0.0)

    def samples(self, config: Config) -> Samples | None:
        """What is climbed before the bound is, if it is."""
        return None

    def for_one(self) -> Engine:
        """The same for one kernel, which is worth some seconds a value."""
        return self

    def smooth(self, form: Form, u: Array, around: list[Array]) -> Engine | None:
        """The same for differences of its gradient at places around u; None where these are too much work."""
        return self

    def price(self, form: Form, u: Array) -> float:
        """Floating-point operations of a value with its gradient, where they are more than for most kernels; else 0."""
        return 0.0
