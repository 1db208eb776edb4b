"""What happens in a search, written to the log of its job: the events of `kernelscribe.events` in plain form."""

from typing import Any

from kernelscribe import events
from kernelscribe.engines.interval import Interval
from kernelscribe.kernels.tree import Expression, text
from kernelscribe.report.words import language
from kernelscribe.web.log import Log

__all__ = ["Recorder", "ends"]


def ends(interval: Interval | None) -> dict[str, float] | None:
    return None if interval is None else {"lower": interval.lower, "upper": interval.upper}


class Recorder:
    """Takes events and writes them down."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.names: tuple[str, ...] = ()

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.Began():
                self.names = event.inputs
                self.log.add(
                    "began", rows=event.rows, inputs=list(event.inputs), target=event.target, engine=event.engine,
                    strategy=event.strategy, workers=event.workers, known=event.known,
                )  # fmt: skip
            case events.Stage():
                self.log.add("stage", depth=event.depth, stage=event.stage, tasks=event.tasks)
            case events.Found():
                self.log.add(
                    "found", depth=event.depth, stage=event.stage, kernel=self.name(event.kernel),
                    words=self.words(event.kernel), parent=self.name(event.parent), status=event.status.name.lower(),
                    reason=language.facts.reason(event.reason), bic=ends(event.bic), seconds=event.seconds,
                    **self._best(event.best, event.best_bic),
                )  # fmt: skip
            case events.Closed():
                self.log.add(
                    "closed", depth=event.depth, candidates=event.candidates, dropped=event.dropped, failed=event.failed,
                    contenders=event.contenders, seconds=event.seconds, **self._best(event.best, event.best_bic),
                )  # fmt: skip
            case events.Warned():
                self.log.add("warned", message=event.message)
            case events.Ended():
                self.log.add("reporting")

    def _best(self, kernel: Expression | None, bic: Interval | None) -> dict[str, Any]:
        return {"best": self.name(kernel), "best_words": self.words(kernel), "best_bic": ends(bic)}

    def name(self, kernel: Expression | None) -> str | None:
        """A kernel as the command line shows it: inputs are numbered where there are several."""
        return None if kernel is None else text(kernel, inputs=len(self.names))

    def words(self, kernel: Expression | None) -> str | None:
        return None if kernel is None else language.brief.brief(kernel, self.names)
