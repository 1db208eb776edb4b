"""What is known of a kernel that was tried: as frozen values, without anything that computes them.

Sentences for all of them are made by whoever shows them (`report/words/english/facts.py`); nothing here is English
that anybody reads.
"""

import math
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.engines.registry import Traits, traits
from kernelscribe.errors import Status
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.tree import Expression, Owner, text
from kernelscribe.kernels.units import to_user
from kernelscribe.noises import Noise
from kernelscribe.scales import Scales
from kernelscribe.statements.statement import Statement

__all__ = ["AtBound", "Behind", "End", "Failure", "Fault", "Fit", "Reason", "Screened"]


class End(Enum):
    """An end of a range."""

    LOWER = auto()
    UPPER = auto()


@dataclass(frozen=True, slots=True)
class AtBound:
    """A parameter that ended on the edge of its range.

    Attributes:
        kind, dim: the base kernel or operator whose it is, and its input; "" and 0 for the noise.
        role: what that does.
    """

    kind: str
    dim: int
    role: Role
    parameter: str
    end: End

    @classmethod
    def of(cls, owner: Owner | None, parameter: str, end: End) -> "AtBound":
        """That of a node of the kernel, or of the noise (None)."""
        return (
            cls("", 0, Role.NOISE, parameter, end)
            if owner is None
            else cls(owner.kind, owner.dim, owner.base.role, parameter, end)
        )


class Fault(Enum):
    """What went wrong with a task."""

    CANCELLED = auto()  # by the executor, which gives no reason
    ERROR = auto()  # something was raised: the detail is its type and its message
    HUNG = auto()  # its worker did not come back
    MEMORY = auto()  # there was not enough of it
    OUTSTANDING = auto()  # it has not come back yet: what follows from it is a guess


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a task came to nothing. A kernel that has bounds keeps them: its exact value is not to be had."""

    fault: Fault
    detail: str = ""

    @classmethod
    def of(cls, error: BaseException) -> "Failure":
        return cls(Fault.ERROR, f"{type(error).__name__}: {error}")


@dataclass(frozen=True, slots=True)
class Behind:
    """Why a kernel was dropped: by its BIC after screening, and what that could be hoped to come to.

    Attributes:
        best: the BIC that it was held against.
        rise: the most that polishing has given any other; None where none was polished yet.
    """

    score: float
    hope: float
    best: float
    rise: float | None = None


Reason = Failure | Behind


@dataclass(frozen=True, slots=True)
class Screened:
    """What screening leaves of a kernel's starts.

    Attributes:
        points: coordinates to go on from at full size, best first.
        score: the BIC at the best point, by the bound.
        hope: what the score may come to, by a generous guess; −inf where that is less than what is new has to pay for itself.
        top: where the kernel has been before, if there is no need to go there again.
    """

    points: tuple[tuple[float, ...], ...]
    score: float
    hope: float
    evaluations: int
    seconds: float
    status: Status
    reason: Reason | None = None
    top: tuple[float, ...] = ()


@dataclass(frozen=True)
class Fit:
    """A kernel with its fitted values and how well it explains the data.

    Attributes:
        expr: the kernel, with its values for the standardised data; `user` has them in the data's units.
        noise: that of the standardised data; `user_noise` is the same in the data's units.
        evidence: log p(y) of the standardised data, in nats; of the target without its link, so that it compares with others.
        bic: the evidence less half a log N for each parameter.
        at_bound: parameters that ended on the edge of their range.
        reason: what went wrong, beside the status, where something did.
        periods: those that stand out in what the kernel leaves unexplained, by input; empty where they were not looked for.
        statement: what the kernel says, with its values, where the search was one over statements.
        score: by which statements are ranked: Laplace's evidence, less what the choice of the statement costs.
    """

    scales: Scales
    expr: Expression
    noise: Noise
    evidence: Evidence
    bic: Interval
    at_bound: tuple[AtBound, ...]
    engine: str
    evaluations: int
    seconds: float
    status: Status
    reason: Reason | None = None
    periods: tuple[tuple[int, tuple[float, ...]], ...] = ()
    statement: Statement | None = None
    score: Interval | None = None

    @property
    def usable(self) -> bool:
        """Whether there is a model: an interval was found and may be ranked."""
        return self.status.usable and math.isfinite(self.bic.lower)

    @property
    def name(self) -> str:
        """By which it is known in a search."""
        return text(self.expr) if self.statement is None else self.statement.name

    @property
    def standing(self) -> Interval:
        """What it is compared with others by."""
        return self.bic if self.score is None else self.score

    @property
    def traits(self) -> Traits:
        """Those of the engine."""
        return traits(self.engine)

    @cached_property
    def user(self) -> Expression:
        return to_user(self.expr, self.scales.inputs, self.scales.output)

    @property
    def user_noise(self) -> Noise:
        return self.noise.user(self.scales.inputs, self.scales.output)
