"""What an analysis holds: the model, how it was chosen, and what follows from both. Data only; words are made of it elsewhere."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property

from threadpoolctl import threadpool_limits

from kernelscribe.engines.interval import Interval
from kernelscribe.model.backtest import Backtest
from kernelscribe.model.components import Component, Decomposition, decompose, nothing
from kernelscribe.model.criticism import Criticism, criticise
from kernelscribe.model.model import Model
from kernelscribe.outcome import Outcome

__all__ = ["Findings", "calm"]


@dataclass(frozen=True)
class Findings:
    """A table, the structure that was found in it, and how sure that is. Everything is in the user's units.

    What takes time (components, checks) is computed when first asked for.
    """

    model: Model
    outcome: Outcome
    backtest: Backtest | None  # how good past forecasts would have been; None where the rows are too few

    @property
    def kernel(self) -> str | None:
        """The chosen kernel; None where there is none."""
        return self.outcome.kernel

    @property
    def interval(self) -> Interval:
        """The certified interval of the chosen kernel's evidence, in nats, for the target scaled to variance 1."""
        return self.outcome.evidence.interval

    @property
    def bic(self) -> Interval:
        return self.outcome.bic

    @cached_property
    def decomposition(self) -> Decomposition:
        """Without structure there are no components to tell of: what a kernel draws that noise alone beats is no finding."""
        if not self.outcome.structure:
            return nothing(self.model)
        with calm(self.model):
            return decompose(self.model, self.outcome.presences)

    @property
    def components(self) -> tuple[Component, ...]:
        """In the order of their shares, the largest first; none where there is no structure."""
        return self.decomposition.components

    @cached_property
    def criticism(self) -> Criticism | None:
        """Checks of what the model leaves unexplained; None where the rows are too few."""
        with calm(self.model):
            return criticise(self.model)


def calm(model: Model) -> AbstractContextManager[object]:
    """One thread of linear algebra for few rows, and for the waves of a series, whose small matrices are ten times slower on two
    where others use the cores."""
    return threadpool_limits(1) if len(model.data.y) <= model.config.effort.dense_rows or model.series else nullcontext()
