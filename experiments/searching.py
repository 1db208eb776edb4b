"""Searches as cells of an experiment: told round by round, timed through interruptions, cut off where they have a budget."""

import json
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

import kernelscribe as ks
from harness import Settings
from kernelscribe import events
from kernelscribe.kernels import leaves
from kernelscribe.kernels.laws import charge
from kernelscribe.report.words import language
from kernelscribe.search.pool import Inline
from kernelscribe.statements.statement import Statement

__all__ = ["bounded_bic", "described", "exact_bic", "searched", "some", "waves_bic"]

# Rows beyond which the exact value of a kernel takes more than minutes.
EXACT_ROWS = 12_000
# Megabytes of its matrix there.
EXACT_MEMORY = 3000.0
# Seconds between two notes of the time that a search has taken.
NOTED = 1.0


def searched(options: Settings, key: str, data: ks.Dataset, *, depth: int, budget: float | None = None, **config: Any) -> dict:
    """One search: its rounds, every kernel that was fitted, and the chosen one. Interrupted, it goes on with its journal.

    Args:
        depth: as the paper counts it, base kernels being those of depth 1.
        budget: seconds in all sessions together, after which the search ends with what it knows.
    """
    journal = options.out / f"{options.stem}-{key.replace(' ', '-').replace('=', '')}.search.jsonl"
    journal.parent.mkdir(parents=True, exist_ok=True)
    clock = _Clock(journal.with_suffix(".clock"), f"{options.name}: {key}")
    left = None if budget is None else max(budget - clock.before, 0.0)
    # Processes take longer to start than small searches take.
    with ks.parallel(Inline()) if options.quick else nullcontext():
        # Every way looks for cycles along every input, as the paper does.
        found = ks.discover(
            data.X, data.y, cycles=[f"x{d + 1}" for d in range(data.X.shape[1])], seed=options.seed,
            journal=journal, resume=journal.exists(), on_event=clock,
            depth=depth - 1, budget=left, **config,
        )  # fmt: skip
    best, state, seconds = found.best, found.state, clock.seconds
    if best is None:
        raise SystemExit(f"{key}: no kernel could be fitted")
    kernels = [
        {
            "kernel": name, "depth": state.candidates[name].depth + 1, "parent": state.candidates[name].parent,
            "lower": fit.bic.lower, "upper": fit.bic.upper, "grew": name in state.grown,
        }
        for name, fit in state.fits.items()
        if fit.usable
    ]  # fmt: skip
    rounds = [_told(closed, clock.rounds, state) for closed in clock.closed if closed.best]
    for leftover in (journal, Path(f"{journal}.lock"), clock.path):
        leftover.unlink(missing_ok=True)
    return {
        "rounds": rounds, "kernels": kernels, **described(best), "seconds": seconds,
        "stopped": None if found.stopped is None else language.facts.stop(found.stopped),
        "workers": found.workers, "evaluations": found.evaluations,
    }  # fmt: skip


def described(fit: ks.Fit) -> dict[str, Any]:
    """The kernel that was chosen, with its values in the data's units and its BIC."""
    return {
        "chosen": ks.text(fit.expr), "values": ks.text(fit.user, values=True), "noise": fit.user_noise.level,
        "bic": [fit.bic.lower, fit.bic.upper],
        "parameters": [{"kind": leaf.kind, "input": leaf.dim, "values": list(leaf.values)} for leaf in leaves(fit.user)],
    }  # fmt: skip


def _told(closed: events.Closed, seconds: dict[str, float], state: Any) -> dict[str, Any]:
    fit = state.fits[closed.best.name if isinstance(closed.best, Statement) else ks.text(closed.best)]
    return {
        "depth": closed.depth + 1, "kernel": ks.text(fit.expr), "seconds": seconds[str(closed.depth + 1)],
        "lower": fit.bic.lower, "upper": fit.bic.upper, "values": ks.text(fit.user, values=True), "noise": fit.user_noise.level,
    }  # fmt: skip


class _Clock:
    """The seconds that a search has taken, and those at the end of each round, over all its sessions: a small file keeps them."""

    def __init__(self, path: Path, name: str, now: Callable[[], float] = time.perf_counter) -> None:
        self.path, self.name, self.now = path, name, now
        kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"seconds": 0.0, "rounds": {}}
        self.before, self.rounds = kept["seconds"], kept["rounds"]
        self.began = self.noted = now()
        self.closed: list[events.Closed] = []

    @property
    def seconds(self) -> float:
        return self.before + self.now() - self.began

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.Closed):
            self.closed.append(event)
            # What the journal held is closed at once: its time is the one that was noted then.
            self.rounds.setdefault(str(event.depth + 1), self.seconds)
            print(f"{self.name}, depth {event.depth + 1}: {event.best} ({self.seconds:.0f} seconds so far)", flush=True)
        if isinstance(event, events.Closed) or self.now() - self.noted > NOTED:
            self.noted = self.now()
            partial = self.path.with_suffix(".part")
            partial.write_text(json.dumps({"seconds": self.seconds, "rounds": self.rounds}), encoding="utf-8")
            partial.replace(self.path)


def some(data: ks.Dataset, number: int, rng: np.random.Generator) -> ks.Dataset:
    """So many rows at random, in their order."""
    return data.rows(np.sort(rng.choice(len(data.y), number, replace=False)))


def exact_bic(data: ks.Dataset, values: str, noise: float) -> float | None:
    """At given values, with the paper's count of parameters; None where the rows are too many."""
    if len(data.y) > EXACT_ROWS:
        return None
    whole = ks.evidence(values, data.X, data.y, noise=noise, engine="exact", memory=EXACT_MEMORY)
    return None if whole.exact is None else whole.exact - charge(ks.parse(values), "paper", len(data.y))


def bounded_bic(data: ks.Dataset, values: str, noise: float, m: int) -> list[float]:
    """At given values, with the paper's count, both ends of the paper's interval from m inducing points."""
    whole = ks.evidence(values, data.X, data.y, noise=noise, engine="inducing", inducing=m, exact_limit=0)
    paid = charge(ks.parse(values), "paper", len(data.y))
    return [whole.paper.lower - paid, whole.paper.upper - paid]


def waves_bic(data: ks.Dataset, values: str, noise: float) -> list[float]:
    """At given values of a kernel on one input, with our count of parameters, on any number of rows: both ends."""
    whole = ks.evidence(values, data.X, data.y, noise=noise, engine="series", exact_limit=0)
    paid = charge(ks.parse(values), "identified", len(data.y))
    return [whole.interval.lower - paid, whole.interval.upper - paid]
