"""What a run has found, once: what was chosen, what it was chosen from, and how sure that is.

It is what a search returns and what is saved of it; reports, summaries and pages are made from it.
"""

import math
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from kernelscribe.codec import UNSAVED
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.events import Stop
from kernelscribe.fit.facts import AtBound, Fit
from kernelscribe.kernels.tree import Expression, text
from kernelscribe.noises import Noise
from kernelscribe.search.state import State
from kernelscribe.search.tree import Children

__all__ = ["RIVALS", "Decision", "DecisionKind", "Outcome", "Rival"]

# Rivals that reports tell of.
RIVALS = 8


class DecisionKind(Enum):
    """How the best kernel was told from the others."""

    CONSTANT = auto()  # there was nothing to search for
    NONE = auto()  # no kernel could be fitted
    ONLY = auto()  # no other one was fitted by the time that the search was stopped
    SIMPLE = auto()  # so many that grew from it gained less than a step is worth
    OPEN = auto()  # it was not: the intervals of so many others reach into its own
    EXACT = auto()  # by exact values
    INTERVALS = auto()  # no other interval reaches into its own


@dataclass(frozen=True, slots=True)
class Decision:
    """How the choice was made, and of how many others that speaks."""

    kind: DecisionKind
    number: int = 0


@dataclass(frozen=True, slots=True)
class Rival:
    """A kernel that was not chosen: with its values (of the standardised data), its noise, and its BIC.

    Attributes:
        told: whether intervals or exact values tell it from the chosen one.
    """

    kernel: Expression
    noise: Noise
    bic: Interval
    told: bool

    @classmethod
    def of(cls, fit: Fit, *, told: bool) -> "Rival":
        return cls(fit.expr, fit.noise, fit.bic, told)

    def order(self) -> tuple[float, str]:
        """The least is the best: by the middle of the interval, ties by the kernel's text."""
        return -self.bic.lower - self.bic.upper, text(self.kernel)


@dataclass(frozen=True)
class Outcome:
    """What a search has found.

    Attributes:
        best: the chosen kernel, fitted and certified; None where no fit came to anything.
        contenders: kernels that the best is not told from, as the strategy ranks them: their BIC intervals reach into its own,
            or above it.
        behind: the best of the others.
        noise_bic: the BIC of noise alone, without any structure: a kernel below it explains nothing.
        decision: how the best kernel was told from the others.
        stopped: why the search ended early; None where it did not.
        tree: all that was tried, each kernel under the one it grew from.
        depth: the last round; `tried`, `dropped` and `failed` count kernels.
        evaluations: how often the evidence of some kernel was computed with its gradient, in all.
        seconds, workers: what it took; None where it was loaded from a file, as a search that was killed and went on ends in
            the same file.
        state: every fit, and the rounds in which they were found; None where it was loaded from a file.
    """

    best: Fit | None
    contenders: tuple[Rival, ...]
    behind: tuple[Rival, ...]
    noise_bic: float
    decision: Decision
    stopped: Stop | None
    tree: Children
    strategy: str
    depth: int
    tried: int
    dropped: int
    failed: int
    evaluations: int
    seconds: float | None = field(default=None, metadata=UNSAVED)
    workers: int | None = field(default=None, metadata=UNSAVED)
    state: State | None = field(default=None, repr=False, compare=False, metadata=UNSAVED)

    @classmethod
    def empty(cls, strategy: str) -> "Outcome":
        """Without a search: the target is constant."""
        return cls(None, (), (), -math.inf, Decision(DecisionKind.CONSTANT), None, Children(), strategy, 0, 0, 0, 0, 0)

    @property
    def lasting(self) -> "Outcome":
        """What is the same whenever, and by however many workers, the same search is run."""
        best = None if self.best is None else replace(self.best, seconds=0.0)
        return replace(self, best=best, seconds=None, workers=None, state=None)

    @property
    def structure(self) -> bool:
        """Whether the best kernel explains more than noise alone does."""
        return self.best is not None and self.best.bic.upper > self.noise_bic

    @property
    def rivals(self) -> tuple[Rival, ...]:
        """The best of the others, best first; those that are not told from the chosen one before all that are."""
        return (*sorted(self.contenders, key=Rival.order), *self.behind)[:RIVALS]

    @property
    def fits(self) -> tuple[Fit, ...]:
        """Every kernel that was tried, in the order of proposal, dropped and failed ones too; none where it was loaded."""
        return () if self.state is None else tuple(self.state.fits.values())

    @property
    def kernel(self) -> str | None:
        """The text of the chosen kernel."""
        return None if self.best is None else text(self.best.expr, inputs=len(self.best.scales.names))

    @property
    def link(self) -> str:
        """The scale on which the chosen kernel describes the target, by the names of links.py."""
        return "none" if self.best is None else self.best.scales.link

    @property
    def evidence(self) -> Evidence:
        """Log p(y) of the standardised target, in nats, as it is without a link."""
        return Evidence(NOWHERE, NOWHERE) if self.best is None else self.best.evidence

    @property
    def bic(self) -> Interval:
        """The evidence less what the parameters of the chosen kernel cost."""
        return NOWHERE if self.best is None else self.best.bic

    @property
    def engine(self) -> str:
        return "" if self.best is None else self.best.engine

    @property
    def at_bound(self) -> tuple[AtBound, ...]:
        return () if self.best is None else self.best.at_bound
