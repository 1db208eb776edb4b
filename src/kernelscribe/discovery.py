"""From data to a kernel: the search as one call, and what it returns."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from kernelscribe import events
from kernelscribe.config import Config, chosen, configure, options
from kernelscribe.data.dataset import Dataset, asked_link, varied
from kernelscribe.engines.choose import prepare
from kernelscribe.errors import ClusterError, Status
from kernelscribe.fit.facts import Fit
from kernelscribe.fit.kernel import fit
from kernelscribe.fit.noise_alone import noise_bic
from kernelscribe.outcome import RIVALS, Decision, DecisionKind, Outcome, Presence, Rival
from kernelscribe.search.crew import Crew
from kernelscribe.search.cyclic import cyclic
from kernelscribe.search.journal import Journal, check
from kernelscribe.search.pool import cores, given
from kernelscribe.search.rules import score
from kernelscribe.search.run import explore, sample, settle
from kernelscribe.search.state import State, contenders, leader
from kernelscribe.search.telling import presences
from kernelscribe.search.tree import tree
from kernelscribe.version import __version__

__all__ = ["discover", "header", "outcome_of", "search"]


def discover(
    X: Any,
    y: Any,
    *,
    workers: int | None = None,
    journal: Path | str | None = None,
    resume: bool = False,
    on_event: events.Listener = events.quiet,
    **given_options: Any,
) -> Outcome:
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
    return search(
        data, config, workers=workers, journal=None if journal is None else Path(journal), resume=resume, on_event=on_event
    )


def header(data: Dataset, config: Config) -> dict[str, Any]:
    """What a journal says of its search: for which data, to explain what in them, with which options."""
    fixed = {name: value for name, value in chosen(config).items() if not options()[name].free}
    return {"version": __version__, "data": data.digest, "aim": data.aim, "options": fixed}


def search(
    data: Dataset,
    config: Config,
    *,
    workers: int | None = None,
    journal: Path | None = None,
    resume: bool = False,
    force: bool = False,
    on_event: events.Listener = events.quiet,
    stop: Callable[[], events.Stop | None] = lambda: None,
) -> Outcome:
    """The same for data that are checked and scaled. `stop` is asked often, and says why to end early, or None. The model belongs
    to `data.linked(outcome.link)`."""
    began, head = time.monotonic(), header(data, config)
    varied(data)
    data = asked_link(data, config.transform)
    looked_at = sample(data, config)
    cyclic(data, config)  # names that are no inputs are refused before anything is written
    settled = settle(config)
    _afford(looked_at, settled)
    if looked_at is not data:
        _afford(data, _on_all(config))
    with _journal(journal, head, resume=resume, force=force) as kept, _resumable(journal):
        crew = Crew(looked_at, settled, workers or cores(), given(), warn=lambda message: on_event(events.Warned(message)))
        try:
            state, stopped = explore(looked_at, settled, crew=crew, journal=kept, on_event=on_event, stop=stop)
        finally:
            crew.close()
    best = _chosen(state)
    if best is not None and looked_at is not data:
        best = _whole(
            data, _on_all(config) if stopped is None else replace(_on_all(config), patience=config.effort.rescue_seconds), best
        )
    outcome = outcome_of(state, best, noise_bic=noise_bic(data, config), stopped=stopped)
    return replace(outcome, workers=crew.workers, seconds=round(time.monotonic() - began, 3))


def outcome_of(state: State, best: Fit | None, *, noise_bic: float, stopped: events.Stop | None = None) -> Outcome:
    """What follows from a search whose best kernel was fitted to all rows in the end."""
    names, fits = contenders(state), list(state.fits.values())
    others = [Rival.of(fit, told=True) for name, fit in state.fits.items() if fit.usable and name not in names]
    return Outcome(
        best=best,
        contenders=tuple(Rival.of(state.fits[name], told=False) for name in names[1:]),
        behind=tuple(sorted(others, key=Rival.order)[:RIVALS]),
        noise_bic=noise_bic,
        decision=_decision(state, names, stopped),
        stopped=stopped,
        tree=tree(state),
        strategy=state.config.strategy,
        depth=state.depth,
        tried=len(fits),
        dropped=sum(each.status is Status.DROPPED for each in fits),
        failed=sum(not each.usable and each.status is not Status.DROPPED for each in fits),
        evaluations=_evaluations(state),
        presences=_presences(state, best),
        state=state,
    )


def _presences(state: State, best: Fit | None) -> tuple[Presence, ...]:
    found = () if best is None else presences(state, best)
    return tuple(Presence(statement.parts[0], nats) for statement, nats in found)


def _chosen(state: State) -> Fit | None:
    name = leader(state)
    return None if name is None else state.fits[name]


def _evaluations(state: State) -> int:
    whole = ("polish", "renew", "drop")  # a polished kernel's own count holds that of its screening
    known = (*state.log, *((task, state.found.get(task.key)) for task in state.tasks))
    return sum(result.evaluations for task, result in known if task.stage in whole and result is not None)


def _journal(path: Path | None, head: dict[str, Any], *, resume: bool, force: bool) -> Journal:
    if path is None:
        return Journal.memory(head)
    if not resume:
        return Journal.create(path, head, force=force)
    kept = Journal.resume(path)
    try:
        check(kept.header, head["data"], head["options"], chosen(Config()))
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


def _whole(data: Dataset, config: Config, found: Fit) -> Fit:
    """What was found on a subset of the rows, fitted to all of them from there."""
    return fit(data, found.expr, config, noise=found.noise)


def _on_all(config: Config) -> Config:
    return replace(config, strategy="auto", engine="auto")


def _afford(data: Dataset, config: Config) -> None:
    """Refuse here and now what no worker could hold in memory."""
    prepare(data, replace(config, placement="random", backend="numpy"))


def _decision(state: State, names: list[str], stopped: events.Stop | None) -> Decision:
    if not names:
        return Decision(DecisionKind.NONE)
    if stopped is not None and sum(each.usable for each in state.fits.values()) == 1:
        return Decision(DecisionKind.ONLY)
    best = state.fits[names[0]]
    if best.statement is not None:
        return _between_statements(state, names)
    above = sum(state.fits[name].bic.lower > best.bic.upper for name in names[1:])
    if above:
        return Decision(DecisionKind.SIMPLE, above)
    if len(names) > 1:
        return Decision(DecisionKind.OPEN, len(names) - 1)
    return Decision(DecisionKind.EXACT if best.evidence.settled else DecisionKind.INTERVALS)


def _between_statements(state: State, names: list[str]) -> Decision:
    """By scores: those within what a step must gain are not told from the best, and the next one lies behind."""
    scores = {name: score(fit, state.rules.by) for name, fit in state.fits.items() if fit.usable}
    best = scores[names[0]]
    behind = max((value for name, value in scores.items() if name not in names), default=None)
    nats = None if behind is None else best - behind
    above = sum(scores[name] > best for name in names[1:])
    if above:
        return Decision(DecisionKind.PLAIN, above, nats)
    return Decision(DecisionKind.NEAR if len(names) > 1 else DecisionKind.AHEAD, len(names) - 1, nats)
