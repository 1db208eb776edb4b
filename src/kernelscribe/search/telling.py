"""The search over statements, as a fold: what is searched is what is told.

It begins with noise alone and with every trend and background by itself. A round proposes what is next to the best statement by
what a scan of it has seen, screens that, and polishes the best few. A step is taken that gains more than chance would give the
best of so many; where none does, every component is left out in turn, which says what each is worth, and one that is worth less
than a step must gain goes. The search goes on until neither gains; the last climb goes to the very top.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kernelscribe.config import Config
from kernelscribe.errors import Status
from kernelscribe.fit.facts import Behind, Fit, Screened
from kernelscribe.kernels.tree import pack
from kernelscribe.noises import AUTO_NOISE
from kernelscribe.scales import Scales
from kernelscribe.search.facts import Candidate, Scanned, Task, failure
from kernelscribe.search.rules import STATEMENTS, Rules, ranked, score
from kernelscribe.search.state import State, gather
from kernelscribe.statements.moves import Neighbourhood, beginnings, without_each
from kernelscribe.statements.scan import Scan
from kernelscribe.statements.setting import Setting
from kernelscribe.statements.statement import Part, Statement

__all__ = ["Telling", "begin_telling", "presences"]

# Families of components that say where the level goes; what is rough is a background beside them.
_LEVELS = ("trend", "drift", "smooth")
# No step has fallen short yet, or what has is forgotten.
_NOTHING: Mapping[str, float] = {}


@dataclass(frozen=True, kw_only=True)
class Telling(State):
    """What is known of a search over statements.

    Attributes:
        links: scales of the target that it may be told on.
        scans: what is seen beside statements: beside the best one, and at first beside the plainest.
        short: how far steps fell short when they were last screened, by what they change; nothing is kept once much was gained.
        removing: whether every component is being left out in turn.
    """

    setting: Setting
    links: tuple[str, ...]
    scans: Mapping[str, Scan] = field(default_factory=dict)
    short: Mapping[str, float] = field(default_factory=dict)
    removing: bool = False

    @property
    def rules(self) -> Rules:
        return STATEMENTS

    @property
    def transitions(self) -> Mapping[str, Callable[["Telling"], State]]:  # type: ignore[override]
        return _NEXT

    def leads(self) -> str | None:
        """Of statements that are about as good as the best, the plainest."""
        order = ranked(self.fits, self.fits, self.rules.by)
        if not order:
            return None
        near = [name for name in order if self._score(name) > self._score(order[0]) - self.config.effort.statement_margin]
        return min(near, key=lambda name: (_size(self.fits[name]), order.index(name)))

    def contends(self) -> list[str]:
        """The best statement, then those that are not told from it: within what a step must gain."""
        best = self.leads()
        if best is None:
            return []
        reach = self._score(best) - self.config.effort.statement_margin
        return [
            best,
            *(name for name in ranked(self.fits, self.fits, self.rules.by) if name != best and self._score(name) > reach),
        ]

    def _score(self, name: str) -> float:
        return score(self.fits[name], self.rules.by)


def _size(fit: Fit) -> tuple[int, int, int]:
    """Components, accounts of where the level goes beyond one, and words."""
    assert fit.statement is not None  # noqa: S101
    parts = fit.statement.parts
    levels = sum(part.family in _LEVELS for part in parts)
    besides = (fit.statement.noise != "constant") + (fit.statement.link != "none")
    return len(parts), max(levels - 1, 0), sum(len(part.words) for part in parts) + besides


def begin_telling(config: Config, scales: Scales, setting: Setting, links: tuple[str, ...]) -> Telling:
    """A search that knows nothing."""
    starts = (_with_noise(each, config) for each in beginnings(setting, links))
    tasks = tuple(Task("screen", Candidate.told(each, 0)) for each in starts)
    return Telling(config, scales, (), True, tasks=tasks, setting=setting, links=links)


def _with_noise(starts: tuple[Statement, ...], config: Config) -> tuple[Statement, ...]:
    return starts if config.noise == AUTO_NOISE else tuple(replace(each, noise=config.noise) for each in starts)


def presences(state: State, best: Fit) -> tuple[tuple[Statement, float], ...]:
    """What every component is worth: the score with it less that without it, of those that were left out."""
    if best.statement is None or best.score is None:
        return ()
    found = []
    for i in range(len(best.statement.parts)):
        without = state.fits.get(best.statement.without(i).name)
        if without is not None and without.usable and without.score is not None:
            found.append((Statement((best.statement.parts[i],)), best.score.middle - without.score.middle))
    return tuple(found)


def _after_screening(state: Telling) -> State:
    """The best few are polished, and what gained by itself all together; of those left out in turn, all are."""
    found = [(task, each) for task in state.tasks if isinstance(each := state.found[task.key], Screened)]
    candidates = {
        **state.candidates,
        **{t.candidate.name: t.candidate for t in state.tasks if not _known(state, t.candidate.name)},
    }
    order = sorted(
        (each for each in found if each[1].points), key=lambda each: (-round(each[1].score, 6), each[0].candidate.name)
    )
    kept = _kept(state, order)
    fits = dict(state.fits)
    for task, each in found:
        if task not in kept:
            fits.setdefault(task.candidate.name, _dropped(state, task, each, order[0][1].score if order else -math.inf))
    tasks = tuple(Task("polish", task.candidate, each) for task, each in order if task in kept)
    both = None if state.removing else _together(state, order)
    if both is not None and not _known(state, both.candidate.name):
        candidates[both.candidate.name] = both.candidate
        tasks = (both, *tasks)
    state = replace(
        state,
        candidates=candidates,
        fits=fits,
        short={**state.short, **_fell_short(state, found)},
        stage="polish",
        tasks=tasks,
        found={},
    )
    return state if tasks else _after_polishing(state)


def _kept(state: Telling, order: list[tuple[Task, Screened]]) -> set[Task]:
    """Those that are worth a climb: all where they are left out in turn; else the best few, and on every scale of the target one
    to begin with, unless they are far behind, and the plainest."""
    if state.removing or not order:
        return {task for task, _ in order}
    effort = state.effort
    # Before anything is known, a few evaluations say little of where a climb will end.
    behind = max(order[0][1].score, state.level) - effort.statement_behind if state.depth > 0 else -math.inf
    best = [task for task, each in order if each.score > behind][: effort.statements_kept]
    if state.depth > 0:
        return set(best)
    first: dict[tuple[str, bool], Task] = {}
    for task, _ in order:
        statement = task.candidate.starts[0]
        first.setdefault((statement.link, False), task)
        if not statement.parts or statement.parts[0].noun == "line":
            first[statement.name, True] = task
    return {*best, *first.values()}


def _together(state: Telling, order: list[tuple[Task, Screened]]) -> Task | None:
    """What was added and gained by itself, in one statement: cycles, and a trend or a background; or all that was better left
    out."""
    if state.best is None:
        return None
    old = state.fits[state.best].statement
    assert old is not None  # noqa: S101
    return _added(state, old, order) or _left_out(state, old, order)


def _added(state: Telling, old: Statement, order: list[tuple[Task, Screened]]) -> Task | None:
    effort, added = state.effort, list[tuple[Task, Part, Screened]]()
    enough = state.level + max(
        effort.statement_together, effort.statement_beside * (order[0][1].score - state.level) if order else 0
    )
    for task, each in order:
        new = task.candidate.starts[0]
        if each.score > enough and old.grows_to(new):
            part = _values(state, new, each).parts[-1]
            if not part.placed and not any(part.alike(other) for _, other, _ in added):
                added.append((task, part, each))
    added = added[: max(effort.statement_parts - len(old.parts), 0)]
    if len(added) < 2:  # noqa: PLR2004
        return None
    (first, _, screened), *others = added
    begun = _values(state, first.candidate.starts[0], screened)
    whole = replace(begun, parts=(*begun.parts, *(part for _, part, _ in others)))
    return _polished(state, whole, screened.points[0][_size_of(state, begun) :], screened)


def _left_out(state: Telling, old: Statement, order: list[tuple[Task, Screened]]) -> Task | None:
    """Components and adjectives, each of which could go by itself."""
    found: dict[int, tuple[Part | None, Screened]] = {}
    for task, each in order:
        simpler = old.simpler(task.candidate.starts[0])
        if simpler is not None and each.score > state.level - state.effort.statement_plain:
            new = _values(state, task.candidate.starts[0], each)
            found.setdefault(simpler[0], (None if simpler[1] is None else new.parts[simpler[0]], each))
    if len(found) < 2:  # noqa: PLR2004
        return None
    parts = (found[i][0] if i in found else part for i, part in enumerate(old.parts))
    noise = state.fits[state.best or ""].noise.pack().tolist()
    return _polished(
        state, replace(old, parts=tuple(part for part in parts if part is not None)), noise, next(iter(found.values()))[1]
    )


def _polished(state: Telling, whole: Statement, noise: Sequence[float], screened: Screened) -> Task:
    """To be polished from its values as they are."""
    point = (*pack(whole.built(state.setting).expr).tolist(), *(float(each) for each in noise))
    assert state.best is not None  # noqa: S101
    candidate = Candidate.told((whole,), state.depth, state.best, state.fits[state.best].noise)
    return Task("polish", candidate, replace(screened, points=(point,), evaluations=0, seconds=0.0))


def _size_of(state: Telling, statement: Statement) -> int:
    return statement.built(state.setting).form.size


def _values(state: Telling, statement: Statement, screened: Screened) -> Statement:
    """The statement with the values that screening has left."""
    built = statement.built(state.setting)
    return built.at(np.array(screened.points[0][: built.form.size]))


def _known(state: State, name: str) -> bool:
    return name in state.fits and state.fits[name].status is not Status.DROPPED


def _dropped(state: Telling, task: Task, screened: Screened, best: float) -> Fit:
    behind = Behind(screened.score, screened.hope, best)
    status, reason = (Status.DROPPED, behind) if screened.points else (screened.status, screened.reason)
    nothing = failure(Task("polish", task.candidate), state.scales, status, reason)
    assert isinstance(nothing, Fit)  # noqa: S101
    return replace(nothing, evaluations=screened.evaluations, seconds=screened.seconds)


def _fell_short(state: Telling, found: Iterable[tuple[Task, Screened]]) -> Mapping[str, float]:
    """By how many nats steps from the best statement stayed behind it, as they were screened."""
    if state.best is None:
        return _NOTHING
    best = state.fits[state.best]
    own = best.statement
    assert own is not None  # noqa: S101
    level = score(best, state.rules.by)
    return {_change(own, task.candidate.starts[0]): level - each.score for task, each in found}


def _change(old: Statement, new: Statement) -> str:
    """What a step changes."""
    before, after = [part.name for part in old.parts], [part.name for part in new.parts]
    gone, come = [each for each in before if each not in after], [each for each in after if each not in before]
    return f"{', '.join(gone)} > {', '.join(come)} ({new.link}, {new.noise})"


def _after_polishing(state: Telling) -> State:
    """Take the step that gains most, if it gains enough; else leave out what is not needed; else end."""
    state = replace(state, fits=gather(state).fits)
    best = state.leads() if state.removing or state.best is None else _gaining(state)
    if best is None:
        return replace(state, stage="done", tasks=(), found={}) if state.best is None else _remove(state)
    if best == state.best or (state.removing and best in state.grown):
        return _finish(state, best)
    level = score(state.fits[best], state.rules.by)
    short = _NOTHING if level - state.level > state.effort.statement_much else state.short
    return _look(replace(state, best=best, level=level, short=short, removing=False))


def _gaining(state: Telling) -> str | None:
    """The best statement, where it is better than the one before by enough."""
    order = ranked(state.fits, state.fits, state.rules.by)
    gained = score(state.fits[order[0]], state.rules.by) - state.level
    return order[0] if order[0] != state.best and gained > state.effort.statement_margin else None


def _look(state: Telling) -> State:
    """Scan what the best statement leaves."""
    assert state.best is not None  # noqa: S101
    fit = state.fits[state.best]
    if state.config.depth is not None and state.depth >= state.config.depth:
        return _remove(replace(state, grown=(*state.grown, state.best)))
    plain = _plainest(state, fit) if not state.grown else []
    grown = (*state.grown, state.best)
    tasks = tuple(
        Task("scan", replace(state.candidates[name], depth=state.depth), fit=state.fits[name], number=len(grown))
        for name in (state.best, *plain)
    )
    return replace(state, grown=grown, stage="scan", tasks=tasks, found={})


def _plainest(state: Telling, best: Fit) -> list[str]:
    """What hides nothing: a level, and a line. Where rows are few, a background that is free to follow anything has swallowed
    what is to be seen."""
    assert best.statement is not None  # noqa: S101
    if best.scales.rows > state.effort.many_rows:
        return []
    names = [Statement(parts, best.statement.link, best.statement.noise).name for parts in ((), (Part("line"),))]
    return [name for name in names if name != state.best and name in state.fits and state.fits[name].usable]


def _after_scanning(state: Telling) -> State:
    seen = {task.candidate.name: each.scan for task in state.tasks if isinstance(each := state.found[task.key], Scanned)}
    state = replace(state, scans=seen)
    tasks = tuple(_proposed(state))
    if not tasks:
        return _remove(state)
    return replace(state, depth=state.depth + 1, stage="screen", tasks=tasks, found={})


def _proposed(state: Telling) -> Iterator[Task]:
    """What is next to the best statement, and what was seen beside the plainest."""
    assert state.best is not None  # noqa: S101
    own = state.fits[state.best].statement
    assert own is not None  # noqa: S101
    seen = {name for name in state.fits if _known(state, name)}
    for name, scan in state.scans.items():
        fit = state.fits[name]
        assert fit.statement is not None  # noqa: S101
        around = Neighbourhood(fit.statement, state.setting, scan, fit.noise.level, state.links)
        for starts in around.moves() if name == state.best else around.seen():
            candidate = Candidate.told(starts, state.depth + 1, name, fit.noise, floor=state.level - state.effort.statement_lost)
            if candidate.name not in seen and _hopeful(state, own, starts[0]):
                seen.add(candidate.name)
                yield Task("screen", candidate)


def _hopeful(state: Telling, best: Statement, new: Statement) -> bool:
    """Whether a step is asked for, short enough to be read, and has not stayed far behind since much was gained."""
    asked = state.config.noise in (AUTO_NOISE, new.noise) and len(new.parts) <= state.effort.statement_parts
    fewer = len(new.parts) < len(best.parts)
    return asked and (fewer or state.short.get(_change(best, new), 0.0) <= state.effort.statement_hopeless)


def _remove(state: Telling) -> State:
    """Leave out every component in turn."""
    own = state.best
    assert own is not None  # noqa: S101
    fit = state.fits[own]
    assert fit.statement is not None  # noqa: S101
    candidates = [Candidate.told(each, state.depth + 1, own, fit.noise) for each in without_each(fit.statement)]
    tasks = tuple(Task("screen", each) for each in candidates if not _known(state, each.name))
    state = replace(state, removing=True)
    if not tasks:
        best = state.leads() or own
        if best in state.grown:
            return _finish(state, best)
        return _look(replace(state, best=best, level=score(state.fits[best], state.rules.by), removing=False))
    return replace(state, depth=state.depth + 1, stage="screen", tasks=tasks, found={})


def _finish(state: Telling, best: str) -> State:
    """Climb with the best statement to the very top, then end."""
    fit = state.fits[best]
    assert fit.statement is not None  # noqa: S101
    candidate = replace(state.candidates[best], depth=state.depth, noise=fit.noise, starts=(fit.statement,), expr=fit.expr)
    task = Task("renew", candidate, fit=fit)
    return replace(state, best=best, stage="renew", tasks=(task,), found={}, last=True)


def _after_renewing(state: Telling) -> State:
    state = replace(state, fits=gather(state).fits)
    return replace(state, stage="done", tasks=(), found={})


_NEXT: Mapping[str, Callable[[Telling], State]] = {
    "screen": _after_screening,
    "polish": _after_polishing,
    "scan": _after_scanning,
    "renew": _after_renewing,
}
