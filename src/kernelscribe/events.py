"""What happens during a search, as values. Whoever wants to show it takes them as they come: a terminal, a log, a browser.

What is tried is a kernel, or a statement, with its values in the user's units.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Interval
from kernelscribe.errors import Status
from kernelscribe.fit.facts import Reason
from kernelscribe.kernels.tree import Expression
from kernelscribe.statements.statement import Statement

__all__ = ["Began", "Closed", "Ended", "Event", "Found", "Listener", "Stage", "Stop", "Warned", "quiet"]


class Stop(Enum):
    """Why a search ends before there is nothing left to try."""

    TIME = auto()  # the time allowed was used up
    INTERRUPT = auto()  # ctrl-C
    TERMINATE = auto()  # a signal asked the process to end
    USER = auto()  # whoever watches has asked for it


@dataclass(frozen=True, slots=True)
class Began:
    """The search begins, or goes on with `known` results from its journal."""

    data: Dataset
    engine: str
    strategy: str
    workers: int
    known: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a round has that many tasks: to `screen`, to `polish`, to `decide`, to `renew` or to `scan`."""

    depth: int
    stage: str
    tasks: int


@dataclass(frozen=True, slots=True)
class Found:
    """One task is done. `standing` is the interval that ranks what was tried, of its BIC or its score: None where there is none
    yet, or none at all. `best` is the best by now."""

    depth: int
    stage: str
    tried: Expression | Statement
    parent: Expression | Statement | None
    status: Status
    reason: Reason | None
    standing: Interval | None
    best: Expression | Statement | None
    best_standing: Interval | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Closed:
    """A round is over: how many candidates it had, and what became of them."""

    depth: int
    candidates: int
    dropped: int
    failed: int
    best: Expression | Statement | None
    best_standing: Interval | None
    contenders: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Warned:
    """Something went wrong that does not stop the search."""

    message: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The search is over; `stop` says why it ended early, and is None where it did not."""

    stop: Stop | None
    seconds: float


Event = Began | Stage | Found | Closed | Warned | Ended
Listener = Callable[[Event], None]


def quiet(event: Event) -> None:
    """Show nothing."""
