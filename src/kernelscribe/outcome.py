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
from kernelscribe.statements.statement import Part, Statement

__all__ = ["RIVALS", "Decision", "DecisionKind", "Outcome", "Presence", "Rival"]

# Rivals that reports tell of.
RIVALS = 8


class DecisionKind(Enum):
    """How the best kernel, or the best statement, was told from the others."""

    CONSTANT = auto()  # there was nothing to search for
    NONE = auto()  # no kernel could be fitted
    ONLY = auto()  # no other one was fitted by the time that the search was stopped
    SIMPLE = auto()  # so many that grew from it gained less than a step is worth
    OPEN = auto()  # it was not: the intervals of so many others reach into its own
    EXACT = auto()  # by exact values
    INTERVALS = auto()  # no other interval reaches into its own
    PLAIN = auto()  # of statements it is the plainest: so many that say more score higher, by less than a step must gain
    NEAR = auto()  # it was not: so many other statements are within what a step must gain
    AHEAD = auto()  # no other statement is as near as that


@dataclass(frozen=True, slots=True)
class Decision:
    """How the choice was made, and of how many others that speaks.

    Attributes:
        nats: by how much the best of the other statements, but for those, stays behind; None where there is none, and of kernels.
    """

    kind: DecisionKind
    number: int = 0
    nats: float | None = None


@dataclass(frozen=True, slots=True)
class Presence:
    """What a component of the chosen statement is worth: the score of the statement less that without the component."""

    part: Part
    nats: float


@dataclass(frozen=True, slots=True)
class Rival:
    """A kernel that was not chosen: with its values (of the standardised data), its noise, and its BIC.

    Attributes:
        told: whether intervals, exact values or scores tell it from the chosen one.
        statement: what it says, with its values, on a scale of the target that may be another than the chosen one's; None for the
            paper's strategies.
        score: Laplace's evidence less the cost of choice, where it is a statement.
    """

    kernel: Expression
    noise: Noise
    bic: Interval
    told: bool
    statement: Statement | None = None
    score: Interval | None = None

    @classmethod
    def of(cls, fit: Fit, *, told: bool) -> "Rival":
        return cls(fit.expr, fit.noise, fit.bic, told, fit.statement, fit.score)

    @property
    def standing(self) -> Interval:
        """What it is compared with others by."""
        return self.bic if self.score is None else self.score

    def order(self) -> tuple[float, str]:
        """The least is the best: by the middle of the interval, ties by the kernel's text."""
        return -self.standing.lower - self.standing.upper, text(self.kernel)


@dataclass(frozen=True)
class Outcome:
    """What a search has found.

    Attributes:
        best: the chosen kernel, fitted and certified; None where no fit came to anything.
        contenders: what the best is not told from, as the strategy ranks it: kernels whose BIC intervals reach into its own, or
            above it; statements whose scores are within what a step must gain.
        behind: the best of the others.
        presences: what every component of the chosen statement is worth, of those that were left out by themselves; none for the
            paper's strategies.
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
    presences: tuple[Presence, ...] = ()
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
        """Whether the best kernel explains more than noise alone does. A statement with a component does: noise alone is one too,
        and was not chosen."""
        if self.best is None:
            return False
        if self.best.statement is not None:
            return bool(self.best.statement.parts)
        return self.best.bic.upper > self.noise_bic

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
