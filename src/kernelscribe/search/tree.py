"""The search as a tree: every kernel, or statement, under the one it grew from, with the interval that it is compared by. Of many
children some are left out."""

from dataclasses import dataclass
from enum import Enum, auto
from itertools import repeat

from kernelscribe.engines.interval import Interval
from kernelscribe.errors import Status
from kernelscribe.kernels.tree import Expression, with_owners
from kernelscribe.search.rules import score
from kernelscribe.search.shown import shown
from kernelscribe.search.state import State, contenders, leader
from kernelscribe.statements.statement import Statement

__all__ = ["Children", "Mark", "Twig", "tree"]


class Mark(Enum):
    """What a kernel was in the search; the first that is so."""

    CHOSEN = auto()
    OPEN = auto()  # bounds cannot tell it from the chosen one
    GREW = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Children:
    """What grew from one kernel: the best, best first, and how many others there were."""

    shown: tuple["Twig", ...] = ()
    lower: int = 0
    dropped: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Twig:
    """A kernel, without values, or a statement in the user's units, and what grew from it.

    Attributes:
        standing: the interval that ranks it: of the BIC, or of a statement's score.
    """

    tried: Expression | Statement
    standing: Interval
    mark: Mark
    children: Children


def tree(state: State) -> Children:
    """All that was tried: the base kernels, and what grew from them."""
    return _children(state, None)


def _children(state: State, parent: str | None) -> Children:
    names = [name for name, each in state.candidates.items() if each.parent == parent and name in state.fits]
    names.sort(key=lambda name: (-score(state.fits[name], state.rules.by), name))
    shown = state.config.effort.shown
    kept = [name for i, name in enumerate(names) if (i < shown and state.fits[name].usable) or name in state.grown]
    rest = [state.fits[name] for name in names if name not in kept]
    dropped = sum(fit.status is Status.DROPPED for fit in rest)
    failed = sum(not fit.usable and fit.status is not Status.DROPPED for fit in rest)
    return Children(tuple(_twig(state, name) for name in kept), len(rest) - dropped - failed, dropped, failed)


def _twig(state: State, name: str) -> Twig:
    fit = state.fits[name]
    tried = shown(state.candidates[name], fit, state.scales)
    plain = tried if isinstance(tried, Statement) else with_owners(tried, repeat(None))
    return Twig(plain, fit.standing, _mark(state, name), _children(state, name))


def _mark(state: State, name: str) -> Mark:
    if name == leader(state):
        return Mark.CHOSEN
    if name in contenders(state):
        return Mark.OPEN
    return Mark.GREW if name in state.grown else Mark.OTHER
