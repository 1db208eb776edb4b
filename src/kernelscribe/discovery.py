"""From data to a kernel: the search as one call, and what it returns."""

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from kernelscribe import events
from kernelscribe.config import Config, configure, options
from kernelscribe.data.dataset import Dataset, varied
from kernelscribe.engines.choose import prepare
from kernelscribe.errors import ClusterError, Status
from kernelscribe.fit.kernel import Fit, fit
from kernelscribe.search.crew import Crew
from kernelscribe.search.cyclic import cyclic
from kernelscribe.search.journal import Journal, check
from kernelscribe.search.pool import given
from kernelscribe.search.rescue import BRIEF
from kernelscribe.search.run import explore, sample, settle
from kernelscribe.search.state import State, contenders
from kernelscribe.version import __version__

__all__ = ["Discovery", "discover", "header", "search"]


@dataclass(frozen=True)
class Discovery:
    """What a search has found.

    Attributes:
        best: the chosen kernel, fitted and certified; None where no fit came to anything.
        contenders: kernels that the best is not told from, best first: their BIC intervals reach into its own, or above it.
        noise: the BIC of noise alone, without any structure: a kernel below it explains nothing.
        decision: how the best kernel was told from the others, in words.
        stopped: why the search ended early; None where it did not.
        state: every kernel that was tried, and the rounds in which that happened.
    """

    best: Fit | None
    contenders: tuple[Fit, ...]
    noise: float
    decision: str
    stopped: str | None
    state: State
    config: Config
    workers: int
    seconds: float

    @property
    def fits(self) -> tuple[Fit, ...]:
        """Every kernel that was tried, in the order of proposal: dropped and failed ones too."""
        return tuple(self.state.fits.values())

    @property
    def failed(self) -> int:
        """How many kernels could not be fitted; those that screening dropped are not among them."""
        return sum(not each.usable and each.status is not Status.DROPPED for each in self.fits)

    @property
    def dropped(self) -> int:
        return sum(each.status is Status.DROPPED for each in self.fits)

    @property
    def evaluations(self) -> int:
        """How often the evidence of some kernel was computed with its gradient, in all."""
        whole = ("polish", "renew", "drop")  # a polished kernel's own count holds that of its screening
        known = (*self.state.log, *((task, self.state.found.get(task.key)) for task in self.state.tasks))
        return sum(result.evaluations for task, result in known if task.stage in whole and result is not None)

    @property
    def structure(self) -> bool:
        """Whether the best kernel explains more than noise alone does."""
        return self.best is not None and self.best.bic.upper > self.noise


def discover(
    X: Any,
    y: Any,
    *,
    workers: int | None = None,
    journal: Path | str | None = None,
    resume: bool = False,
    on_event: events.Tell = events.quiet,
    **given_options: Any,
) -> Discovery:
    """Search for the kernel that explains y by X best.

    Args:
        X: inputs [N] or [N, D]; y: the target [N].
        workers: processes to use; all cores when not given. Inside `with ks.parallel(executor)` that executor is used instead.
        journal: a file that keeps every result, so that a search that was stopped or killed can go on.
        resume: go on with that journal.
        on_event: called with what happens, as values of `kernelscribe.events`.
        given_options: any of `kernelscribe.Config`.
    """
    data, config = Dataset.of(X, y), configure(given_options)
    return search(data, config, workers=workers, journal=None if journal is None else Path(journal), resume=resume, tell=on_event)


def header(data: Dataset, config: Config) -> dict[str, Any]:
    """What a journal says of its search: for which data, to explain what in them, with which options."""
    fixed = {name: value for name, value in asdict(config).items() if not options()[name].free}
    return {"version": __version__, "data": data.digest, "aim": data.aim, "options": fixed}


def search(
    data: Dataset,
    config: Config,
    *,
    workers: int | None = None,
    journal: Path | None = None,
    resume: bool = False,
    force: bool = False,
    tell: events.Tell = events.quiet,
    stop: Callable[[], str | None] = lambda: None,
) -> Discovery:
    """The same for data that are checked and scaled. `stop` is asked often, and gives a reason to end early or None."""
    began = time.monotonic()
    varied(data)
    looked_at = sample(data, config)
    cyclic(data, config)  # names that are no inputs are refused before anything is written
    settled = settle(config)
    _afford(looked_at, settled)
    if looked_at is not data:
        _afford(data, _on_all(config))
    with _journal(journal, data, config, resume=resume, force=force) as kept, _resumable(journal):
        crew = Crew(
            looked_at, settled, workers or os.cpu_count() or 1, given(), warn=lambda message: tell(events.Warned(message))
        )
        try:
            state, reason = explore(looked_at, settled, crew=crew, journal=kept, tell=tell, stop=stop)
        finally:
            crew.close()
    names = contenders(state)
    best = state.fits[names[0]] if names else None
    if best is not None and looked_at is not data:
        best = _whole(data, _on_all(config) if reason is None else replace(_on_all(config), patience=BRIEF), best)
    return Discovery(
        best=best,
        contenders=tuple(state.fits[name] for name in names[1:]),
        noise=_noise(data),
        decision=_decision(state, names, reason),
        stopped=reason,
        state=state,
        config=config,
        workers=crew.workers,
        seconds=time.monotonic() - began,
    )


def _journal(path: Path | None, data: Dataset, config: Config, *, resume: bool, force: bool) -> Journal:
    head = header(data, config)
    if path is None:
        return Journal.memory(head)
    if not resume:
        return Journal.create(path, head, force=force)
    kept = Journal.resume(path)
    try:
        check(kept.header, head["data"], head["options"], asdict(Config()))
    except BaseException:
        kept.close()
        raise
    return kept


@contextmanager
def _resumable(journal: Path | None) -> Iterator[None]:
    """Say what is lost where the workers are: without a journal, all."""
    try:
        yield
    except ClusterError as error:
        rest = (
            "there is no journal, so the search has to begin anew" if journal is None
            else f"all results so far are in {journal}: go on with --resume, once it answers again or without --dask"
        )  # fmt: skip
        raise ClusterError(f"{error}; {rest}") from None


def _noise(data: Dataset) -> float:
    """BIC of independent noise with the target's variance: one parameter."""
    n = len(data.y)
    return -0.5 * n * (1 + math.log(2 * math.pi)) - 0.5 * math.log(n)


def _whole(data: Dataset, config: Config, found: Fit) -> Fit:
    """What was found on a subset of the rows, fitted to all of them from there."""
    return fit(data, found.expr, config, noise=found.noise)


def _on_all(config: Config) -> Config:
    return replace(config, strategy="auto", engine="auto")


def _afford(data: Dataset, config: Config) -> None:
    """Refuse here and now what no worker could hold in memory."""
    prepare(data, replace(config, placement="random", backend="numpy"))


def _decision(state: State, names: list[str], stopped: str | None = None) -> str:
    if not names:
        return "no kernel could be fitted"
    if stopped and sum(each.usable for each in state.fits.values()) == 1:
        return "as the only one that was fitted by then"
    best = state.fits[names[0]].bic
    settled = state.fits[names[0]].evidence.settled
    above = sum(state.fits[name].bic.lower > best.upper for name in names[1:])
    if above:
        return f"for its simplicity: {above} that grew from it gained less than a nat"
    if len(names) > 1:
        return f"left open: the intervals of {len(names) - 1} more reach into that of the best"
    return "by exact values" if settled else "by intervals: no other one reaches into that of the best"
