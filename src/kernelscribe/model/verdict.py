"""What is kept of a search when it is over: the choice, what it was chosen from, and how sure that is."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.fit.kernel import Fit
from kernelscribe.kernels.tree import text
from kernelscribe.search.tree import tree

if TYPE_CHECKING:
    from kernelscribe.discovery import Discovery

__all__ = ["Rival", "Verdict"]

_RIVALS = 8


@dataclass(frozen=True, slots=True)
class Rival:
    """A kernel that was not chosen: its text with values (of the standardised data), its noise, and its BIC.

    Attributes:
        told: whether intervals or exact values tell it from the chosen one.
    """

    kernel: str
    noise: float
    bic: Interval
    told: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a search.

    Attributes:
        kernel: the chosen one's text; None where there is none.
        evidence: log p(y) of the standardised target, in nats; `bic` less what its parameters cost.
        noise_bic: BIC of noise alone; `structure` says whether the chosen kernel beats it.
        rivals: the best of the others, best first.
        tree: the search as text.
    """

    kernel: str | None
    evidence: Evidence
    bic: Interval
    decision: str
    noise_bic: float
    structure: bool
    stopped: str | None
    rivals: tuple[Rival, ...]
    tree: str
    engine: str
    at_bound: tuple[str, ...]
    depth: int
    fits: int
    dropped: int
    failed: int
    evaluations: int
    seconds: float | None  # these two are not saved: a search that was killed and went on ends in the same file
    workers: int | None

    @classmethod
    def of(cls, found: "Discovery") -> "Verdict":
        best, inputs = found.best, len(found.state.scales.names)
        return cls(
            kernel=None if best is None else text(best.expr, inputs=inputs),
            evidence=Evidence(NOWHERE, NOWHERE) if best is None else best.evidence,
            bic=NOWHERE if best is None else best.bic,
            decision=found.decision,
            noise_bic=found.noise,
            structure=found.structure,
            stopped=found.stopped,
            rivals=_rivals(found),
            tree=tree(found.state),
            engine="" if best is None else best.engine,
            at_bound=() if best is None else best.at_bound,
            depth=found.state.depth,
            fits=len(found.fits),
            dropped=found.dropped,
            failed=found.failed,
            evaluations=found.evaluations,
            seconds=round(found.seconds, 3),
            workers=found.workers,
        )

    @classmethod
    def empty(cls, reason: str) -> "Verdict":
        """Without a search: there was nothing to look for."""
        nothing = Evidence(NOWHERE, NOWHERE)
        return cls(None, nothing, NOWHERE, reason, -math.inf, False, None, (), "", "", (), 0, 0, 0, 0, 0, None, None)


def _rivals(found: "Discovery") -> tuple[Rival, ...]:
    if found.best is None:
        return ()
    open_ = {text(fit.expr) for fit in found.contenders}
    others: list[Fit] = [fit for fit in found.fits if fit.usable and text(fit.expr) != text(found.best.expr)]
    others.sort(key=lambda fit: (text(fit.expr) not in open_, -fit.bic.lower - fit.bic.upper, text(fit.expr)))
    return tuple(Rival(text(f.expr, values=True), f.noise, f.bic, text(f.expr) not in open_) for f in others[:_RIVALS])
