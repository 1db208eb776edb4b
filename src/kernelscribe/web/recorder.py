"""What happens in a search, written to the log of its job: the events of `kernelscribe.events` in plain form."""

from typing import Any

from kernelscribe import events
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.interval import Interval
from kernelscribe.kernels.tree import Expression, text
from kernelscribe.report.words import language
from kernelscribe.statements.statement import Statement
from kernelscribe.web.log import Log

__all__ = ["Recorder", "ends"]


def ends(interval: Interval | None) -> dict[str, float] | None:
    return None if interval is None else {"lower": interval.lower, "upper": interval.upper}


class Recorder:
    """Takes events and writes them down."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.data: Dataset | None = None

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.Began():
                self.data = event.data
                self.log.add(
                    "began", rows=len(event.data.y), inputs=list(self.names), target=event.data.target, engine=event.engine,
                    strategy=event.strategy, workers=event.workers, known=event.known,
                )  # fmt: skip
            case events.Stage():
                self.log.add("stage", depth=event.depth, stage=event.stage, tasks=event.tasks)
            case events.Found():
                self.log.add(
                    "found", depth=event.depth, stage=event.stage, name=self.name(event.tried), kernel=self.kernel(event.tried),
                    words=self.words(event.tried), parent=self.name(event.parent), status=event.status.name.lower(),
                    reason=language.facts.reason(event.reason), standing=ends(event.standing), seconds=event.seconds,
                    **self._best(event.best, event.best_standing),
                )  # fmt: skip
            case events.Closed():
                self.log.add(
                    "closed", depth=event.depth, candidates=event.candidates, dropped=event.dropped, failed=event.failed,
                    contenders=event.contenders, seconds=event.seconds, **self._best(event.best, event.best_standing),
                )  # fmt: skip
            case events.Warned():
                self.log.add("warned", message=event.message)
            case events.Ended():
                self.log.add("reporting")

    @property
    def names(self) -> tuple[str, ...]:
        return () if self.data is None else self.data.names

    def _best(self, tried: Expression | Statement | None, standing: Interval | None) -> dict[str, Any]:
        return {
            "best_name": self.name(tried),
            "best": self.kernel(tried),
            "best_words": self.words(tried),
            "best_standing": ends(standing),
        }

    def name(self, tried: Expression | Statement | None) -> str | None:
        """By which it is known: two statements may have one kernel."""
        return tried.name if isinstance(tried, Statement) else self.kernel(tried)

    def kernel(self, tried: Expression | Statement | None) -> str | None:
        """As the command line shows it: inputs are numbered where there are several."""
        expr = tried.expr if isinstance(tried, Statement) else tried
        return None if expr is None else text(expr, inputs=len(self.names))

    def words(self, tried: Expression | Statement | None) -> str | None:
        if isinstance(tried, Statement):
            return None if self.data is None else language.nodes.node(tried, self.data)
        return None if tried is None else language.brief.brief(tried, self.names)
