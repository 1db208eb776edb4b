"""The search as a fold over facts: what is known, what to find out next, and how one becomes the other. No fit is computed here.

A round screens its candidates, drops those far behind, polishes the rest, may decide between contenders by exact values, and
looks at the best one again from shaken values. Its end chooses the kernels that grow. All of it depends on results alone, never
on their order of arrival.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from kernelscribe.config import Config
from kernelscribe.effort import Effort
from kernelscribe.errors import Status
from kernelscribe.fit.facts import Behind, Failure, Fault, Fit, Screened
from kernelscribe.kernels.laws import count
from kernelscribe.kernels.tree import Leaf
from kernelscribe.scales import Scales
from kernelscribe.search.facts import Candidate, Result, Task, TaskKey, failure
from kernelscribe.search.moves import neighbours
from kernelscribe.search.rules import (
    STRATEGIES,
    Rules,
    drops,
    grows,
    overtaken,
    ranked,
    rounds,
    score,
    undecided,
)

__all__ = ["State", "absorb", "begin", "beginnable", "contenders", "gather", "leader", "pending"]

_NOTHING: Mapping[Task, Result] = MappingProxyType({})


@dataclass(frozen=True)
class State:
    """What is known of a search.

    Attributes:
        fits: every kernel that was tried, by its text, in the order of proposal; dropped and failed ones too.
        candidates: where each came from.
        grown: kernels that have grown, in order.
        bases: the base kernels that kernels grow by.
        sharp: whether scores are exact values or bounds close to them, which compare as they are.
        best: the best kernel at the end of the last round, and `level` its score then.
        tasks: those of the present stage; `found` holds the results that have arrived.
        waiting: kernels of this round still to be polished, best first; `polished` those that were, as screened and as fitted.
        log: all tasks and results of the stages before, in order.
        renewed: kernels that were fitted again from shaken values.
    """

    config: Config
    scales: Scales
    bases: tuple[Leaf, ...]
    sharp: bool
    fits: Mapping[str, Fit] = field(default_factory=dict)
    candidates: Mapping[str, Candidate] = field(default_factory=dict)
    grown: tuple[str, ...] = ()
    best: str | None = None
    level: float = -math.inf
    depth: int = 0
    stage: str = "screen"
    tasks: tuple[Task, ...] = ()
    found: Mapping[TaskKey, Result] = field(default_factory=dict)
    waiting: tuple[Task, ...] = ()
    polished: tuple[tuple[Screened, Fit], ...] = ()
    log: tuple[tuple[Task, Result], ...] = ()
    renewed: frozenset[str] = frozenset()
    last: bool = False

    @property
    def rules(self) -> Rules:
        return STRATEGIES[self.config.strategy]

    @property
    def effort(self) -> Effort:
        return self.config.effort.of(self.scales.rows, len(self.scales.inputs))

    @property
    def transitions(self) -> Mapping[str, Callable[["State"], "State"]]:
        """What follows a stage whose results are all there."""
        return _NEXT

    def leads(self) -> str | None:
        return _leader(self)

    def contends(self) -> list[str]:
        return _contenders(self)

    @property
    def done(self) -> bool:
        return self.stage == "done"


def begin(config: Config, scales: Scales, bases: tuple[Leaf, ...], *, sharp: bool) -> State:
    """A search that knows nothing: every base kernel is to be screened."""
    return State(config, scales, bases, sharp, tasks=tuple(Task("screen", Candidate(leaf, 0)) for leaf in bases))


def pending(state: State) -> Iterator[Task]:
    """The tasks of this stage whose results are still missing, in order."""
    return (task for task in state.tasks if task.key not in state.found)


def absorb(state: State, task: Task, result: Result) -> State:
    """The state with one more result; when it is the last one of its stage, the next stage begins."""
    state = replace(state, found={**state.found, task.key: result})
    while not state.done and len(state.found) == len(state.tasks):
        logged = tuple((each, state.found[each.key]) for each in state.tasks)
        state = state.transitions[state.stage](replace(state, log=state.log + logged))
    return state


def leader(state: State) -> str | None:
    """The best kernel of all that have been fitted by now."""
    return state.leads()


def _leader(state: State) -> str | None:
    """Where the strategy says so, a step that gained less than a nat is set aside for what it grew from."""
    order = ranked(state.fits, state.fits, state.rules.by)
    if not order or not state.rules.plain:
        return order[0] if order else None
    best = order[0]
    while (parent := state.candidates[best].parent) is not None and parent in order:
        near = score(state.fits[parent], state.rules.by) > score(state.fits[order[0]], state.rules.by) - state.config.effort.worth
        if not near or _size(state, parent) >= _size(state, best):
            break
        best = parent
    return best


def _size(state: State, name: str) -> int:
    return count(state.fits[name].expr, state.config.count, state.fits[name].noise.size())


def contenders(state: State) -> list[str]:
    """The best kernel, then those that it is not told from."""
    return state.contends()


def _contenders(state: State) -> list[str]:
    """Their intervals overlap with its own, or they lie above it by less than a step is worth."""
    best = leader(state)
    if best is None:
        return []
    own, others = state.fits[best].bic, [name for name in ranked(state.fits, state.fits, state.rules.by) if name != best]
    return [best, *(name for name in others if state.fits[name].bic.upper >= own.lower)]


def beginnable(state: State) -> list[Task]:
    """Tasks that may begin already: those of the next wave, if none of them is overtaken; and of the next round, where with a
    buffer of S and r results outstanding the S − r best kernels so far will grow whatever the outstanding ones are. Should things
    turn out otherwise, these results are not used."""
    if state.waiting:
        return list(state.waiting[: state.config.effort.wave])
    missing = list(pending(state))
    certain = state.config.buffer - len(missing)
    if state.stage != "polish" or certain < 1 or not missing:
        return []
    guess = state
    for task in missing:
        guess = absorb(guess, task, failure(task, state.scales, Status.FAILED, Failure(Fault.OUTSTANDING)))
    if guess.stage != "screen" or guess.depth != state.depth + 1:
        return []
    parents = [name for name in guess.grown if name not in state.grown][:certain]
    return [task for task in guess.tasks if task.candidate.parent in parents]


def _after_screening(state: State) -> State:
    """Drop those far behind; the others are polished, in waves, best first."""
    found = {task.candidate.name: state.found[task.key] for task in state.tasks}
    scored = {name: each for name, each in found.items() if isinstance(each, Screened) and each.points}
    gone = {} if state.rules.letter else drops(scored, state.scales.rows, state.config.effort, sharp=state.sharp)
    candidates = dict(state.candidates)
    for task in state.tasks:
        if not _known(state, task.candidate.name):
            candidates[task.candidate.name] = task.candidate
    state = replace(state, candidates=candidates)
    failed = [task for task in state.tasks if task.candidate.name not in scored]
    fits = {task.candidate.name: _nothing(state, task, found[task.candidate.name]) for task in failed}
    state = replace(state, fits={**state.fits, **{name: fit for name, fit in fits.items() if not _known(state, name)}})
    # Ties stay in the order of proposal, also where machines differ in the last digits.
    left = sorted((t for t in state.tasks if t.candidate.name in scored), key=lambda t: -round(scored[t.candidate.name].score, 6))
    waiting = tuple(Task("polish", task.candidate, scored[task.candidate.name]) for task in left)
    return _wave(_without(replace(state, waiting=waiting), gone))


def _known(state: State, name: str) -> bool:
    return name in state.fits and state.fits[name].status is not Status.DROPPED


def _nothing(state: State, task: Task, screened: Result, behind: Behind | None = None) -> Fit:
    """The fit of a kernel that screening has ended: it failed, or was dropped for being behind."""
    status, reason = (screened.status, screened.reason) if behind is None else (Status.DROPPED, behind)
    nothing = failure(Task("polish", task.candidate), state.scales, status, reason)
    assert isinstance(nothing, Fit)  # noqa: S101  (a polish task fails as a Fit)
    return replace(nothing, evaluations=screened.evaluations, seconds=screened.seconds)


def _without(state: State, gone: Mapping[str, Behind]) -> State:
    """Those that wait, less those that are dropped, which is a fact of its own unless they were known before."""
    fits, log = dict(state.fits), list(state.log)
    for task in state.waiting:
        name = task.candidate.name
        if name in gone and not _known(state, name):
            assert task.screened is not None  # noqa: S101
            fits[name] = _nothing(state, task, task.screened, gone[name])
            log.append((Task("drop", task.candidate), fits[name]))
    waiting = tuple(task for task in state.waiting if task.candidate.name not in gone)
    return replace(state, fits=fits, log=tuple(log), waiting=waiting)


def _wave(state: State) -> State:
    """The next of those that wait are polished: all of them where none may be dropped."""
    size = len(state.waiting) if state.rules.letter else state.config.effort.wave
    return replace(state, stage="polish", tasks=state.waiting[:size], waiting=state.waiting[size:], found={})


def gather(state: State, beside: Mapping[Task, Result] = _NOTHING) -> State:
    """The state with the fits of its present stage that have arrived: exact values as they are, others where they gain. So with
    those of other tasks of the round `beside` it."""
    fits = dict(state.fits)
    for task in (*state.tasks, *state.waiting):
        name, new = task.candidate.name, state.found.get(task.key) or beside.get(task)
        if isinstance(new, Fit):
            old = fits.get(name)
            if task.stage == "decide" or old is None or not old.usable or score(new, state.rules.by) > score(old, state.rules.by):
                fits[name] = new
    return replace(state, fits=fits)


def _after_polishing(state: State) -> State:
    """The next wave, without those that have been overtaken; after the last one, decide."""
    new = gather(state)
    polished = [(task.screened, fit) for task in state.tasks if task.screened and isinstance(fit := state.found[task.key], Fit)]
    new = replace(new, polished=(*state.polished, *polished))
    if new.waiting:
        best = max((score(fit, state.rules.by) for fit in new.fits.values()), default=-math.inf)
        waiting = {task.candidate.name: task.screened for task in new.waiting if task.screened}
        new = _without(new, overtaken(waiting, new.polished, best, state.config.effort))
    return _wave(new) if new.waiting else _decide(replace(new, polished=()))


def _decide(state: State) -> State:
    """Ask for exact values of the contenders, a few at a time, while bounds leave it open which one is best."""
    state = replace(state, stage="decide", tasks=(), found={})
    order = contenders(state)
    open_ = [name for name in order if undecided(state.rules, state.fits[name], state.config.effort)] if len(order) > 1 else []
    if open_:
        # Numbered: after a renewal a kernel may have to be decided once more in the same round.
        number = sum(task.stage == "decide" and task.key.depth == state.depth for task, _ in state.log)
        tasks = tuple(
            Task("decide", replace(state.candidates[name], depth=state.depth), fit=state.fits[name], number=number)
            for name in open_[: state.config.effort.decided]
        )
        state = replace(state, tasks=tasks)
    return state


def _after_deciding(state: State) -> State:
    return _decide(gather(state)) if state.tasks else _renew(state)


def _renew(state: State) -> State:
    """Ask for the best kernel again, from shaken copies of its values, before others grow from it."""
    best = leader(state)
    if best is None or not state.rules.renews or best in state.renewed or state.last:
        return _close(state)
    # The more rows, the less the values can move, and the dearer it is to see that they do not.
    rows, inputs, effort = state.scales.rows, len(state.scales.inputs), state.config.effort
    copies = -(-state.config.restarts // effort.of(rows, inputs).starts_a_copy)
    return replace(state, stage="renew", tasks=tuple(_again(state, best, range(1, copies + 1))), found={})


def _after_renewing(state: State) -> State:
    """With the best of the fits, look once more at what it is to be told from."""
    return _decide(replace(gather(state), renewed=state.renewed | {task.candidate.name for task in state.tasks}))


def _again(state: State, name: str, numbers: Iterable[int]) -> Iterator[Task]:
    fit = state.fits[name]
    candidate = Candidate(fit.expr, state.depth, state.candidates[name].parent, fit.noise, fit.periods)
    return (Task("renew", candidate, number=number) for number in numbers)


def _close(state: State) -> State:
    """End the round: the best kernel, and those that grow next."""
    best = leader(state)
    if best is None or state.last:
        return replace(state, best=best, stage="done", tasks=(), found={})
    level = score(state.fits[best], state.rules.by)
    worth = level >= state.level + state.config.effort.worth
    state = replace(state, best=best, level=max(level, state.level))
    config, rows = state.config, state.scales.rows
    deepest = rounds(rows, state.fits[best], config.effort) if config.depth is None else config.depth
    if state.depth >= deepest or (state.rules.stops and not worth):
        return _finish(state, best)
    children = [name for name, fit in state.fits.items() if fit.usable and state.candidates[name].depth > 0]
    chosen = grows(state.rules, state.fits, best, children, config.buffer, rows, config.effort)
    # Algorithm 1 begins with the best base kernel in its buffer, whether or not it is among the candidates.
    new = [name for name in dict.fromkeys([*chosen, *([best] if not state.grown else [])]) if name not in state.grown]
    tasks = tuple(_growth(state, new))
    state = replace(state, grown=(*state.grown, *new))
    if not tasks:
        return _finish(state, best)
    return replace(state, depth=state.depth + 1, stage="screen", tasks=tasks, found={})


def _finish(state: State, best: str) -> State:
    """Climb with the best kernel to the very top, then end. On a long series climbs before end some nats below it, so there the
    next best kernel has it too: how far it lies behind is to be told fairly."""
    order = ranked(state.fits, state.fits, state.rules.by)
    long = state.fits[best].traits.series and state.scales.rows > state.config.effort.many_rows
    names = [best, *[name for name in order if name != best][:1]] if long else [best]
    tasks = tuple(task for name in names for task in _again(state, name, [0]))
    return replace(state, stage="renew", tasks=tasks, found={}, last=True)


def _growth(state: State, parents: list[str]) -> Iterator[Task]:
    """The neighbours of the parents, each once, those known already left out. One that was dropped may try again from another
    parent, whose values may suit it better."""
    known = {name for name in state.fits if _known(state, name)}
    for parent in parents:
        fit = state.fits[parent]
        for expr in neighbours(fit.expr, state.bases, state.rules.moves, state.config.moves):
            candidate = Candidate(expr, state.depth + 1, parent, fit.noise, fit.periods)
            if candidate.name not in known:
                known.add(candidate.name)
                yield Task("screen", candidate)


_NEXT = {"screen": _after_screening, "polish": _after_polishing, "decide": _after_deciding, "renew": _after_renewing}
