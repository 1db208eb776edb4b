"""What a search asks for and what it learns: candidates, tasks and results, as frozen values.

A task is everything a worker needs beside the data; its key names it in the journal. The result of a task depends on the task,
the data and the options alone, so it does not matter which worker finds it, or when.
"""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from kernelscribe.engines.interval import NOWHERE, Evidence
from kernelscribe.errors import Status
from kernelscribe.fit.facts import Fit, Reason, Screened
from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.form import terms
from kernelscribe.kernels.tree import Expression, Leaf, text
from kernelscribe.noises import Constant, Noise
from kernelscribe.scales import Scales
from kernelscribe.statements.scan import Scan
from kernelscribe.statements.statement import Statement

__all__ = ["Candidate", "Result", "Scanned", "Task", "TaskKey", "failure"]


class TaskKey(NamedTuple):
    """The name of a task in the journal."""

    depth: int
    stage: str
    kernel: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A kernel to be tried: with the values that it inherits, and what its parent knows.

    Attributes:
        noise: the parent's.
        periods: those that stand out in the parent's residual, by input; None where there is no parent.
        starts: a statement with several sets of values to begin with, where that is what is tried.
        floor: a score below which it is not worth more than a few evaluations.
    """

    expr: Expression
    depth: int
    parent: str | None = None
    noise: Noise | None = None
    periods: tuple[tuple[int, tuple[float, ...]], ...] | None = None
    starts: tuple[Statement, ...] = ()
    floor: float = -math.inf

    @classmethod
    def told(
        cls, starts: tuple[Statement, ...], depth: int, parent: str | None = None, noise: Noise | None = None, *,
        floor: float = -math.inf,
    ) -> "Candidate":  # fmt: skip
        return cls(starts[0].expr, depth, parent, noise, starts=starts, floor=floor)

    @property
    def name(self) -> str:
        return self.starts[0].name if self.starts else text(self.expr)


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of work: `screen` a candidate, `polish` what screening left of it, `decide` it by its exact value, `renew` its
    fit, from shaken values if the number is not 0, or `scan` what the fit of a statement leaves."""

    stage: str
    candidate: Candidate
    screened: Screened | None = None
    fit: Fit | None = None
    number: int = 0

    @property
    def key(self) -> TaskKey:
        return TaskKey(self.candidate.depth, self.stage, self.candidate.name, self.number)

    @property
    def urgency(self) -> tuple[int, ...]:
        """The least goes first: the costliest, so that none is left alone at the end. Of base kernels it is the cheapest kind on
        every input, then the next, so that little time is enough to have looked at them all."""
        expr = self.candidate.expr
        if isinstance(expr, Leaf):
            return -1, len(expr.base.parameters), list(BASES).index(expr.kind), expr.dim
        return (-terms(expr),)


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan of a fitted statement has seen."""

    scan: Scan
    seconds: float = 0.0
    evaluations: int = 0
    status: Status = Status.OK
    reason: Reason | None = None


Result = Screened | Fit | Scanned


def failure(task: Task, scales: Scales, status: Status, reason: Reason | None) -> Result:
    """The result of a task that came to nothing: a fact like any other."""
    if task.stage == "screen":
        return Screened((), -math.inf, -math.inf, 0, 0.0, status, reason)
    if task.stage == "scan":
        return Scanned(Scan(), status=status, reason=reason)
    if task.fit is not None:
        # Its bounds are known; only the attempt to narrow them failed.
        return replace(task.fit, reason=reason)
    nothing = Evidence(NOWHERE, NOWHERE, status=status)
    return Fit(scales, task.candidate.expr, Constant(math.nan), nothing, NOWHERE, (), "none", 0, 0.0, status, reason)
