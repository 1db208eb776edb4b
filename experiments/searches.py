"""Searches that an experiment needs: kept in a journal while they run, so that hours are not lost, and told round by round."""

import time
from pathlib import Path
from typing import Any

import kernelscribe as ks
from harness import Settings
from kernelscribe import events
from kernelscribe.kernels import leaves
from kernelscribe.kernels.algebra import charge

__all__ = ["exact_bic", "searched"]

# Rows beyond which the exact value of a kernel takes more than minutes, and its matrix in megabytes there.
EXACT_ROWS, EXACT_MEMORY = 12_000, 3000.0


def searched(options: Settings, key: str, data: ks.Dataset, **config: Any) -> dict[str, Any]:
    """One search: its rounds, every kernel that was fitted, and the chosen one. Interrupted, it goes on with its journal."""
    journal = options.out / f"{options.stem}-{key.replace(' ', '-').replace('=', '')}.search.jsonl"
    journal.parent.mkdir(parents=True, exist_ok=True)
    clock = _Clock()
    found = ks.discover(data.X, data.y, seed=options.seed, journal=journal, resume=journal.exists(), on_event=clock, **config)
    best, state = found.best, found.state
    if best is None:
        raise SystemExit(f"{key}: no kernel could be fitted")
    rounds = []
    for closed, seconds in clock.rounds:
        fit = state.fits[closed.best] if closed.best else None
        if fit is not None:
            rounds.append(
                {
                    "depth": closed.depth, "kernel": closed.best, "seconds": seconds,
                    "lower": closed.best_bic.lower, "upper": closed.best_bic.upper,
                    "values": ks.text(fit.expr, values=True), "noise": fit.noise,
                }
            )  # fmt: skip
    kernels = [
        {
            "kernel": name, "depth": state.candidates[name].depth, "parent": state.candidates[name].parent,
            "lower": fit.bic.lower, "upper": fit.bic.upper, "grew": name in state.grown,
        }
        for name, fit in state.fits.items()
        if fit.usable
    ]  # fmt: skip
    journal.unlink()
    Path(f"{journal}.lock").unlink(missing_ok=True)
    return {
        "rounds": rounds, "kernels": kernels, "chosen": ks.text(best.expr), "values": ks.text(best.expr, values=True),
        "noise": best.noise, "bic": [best.bic.lower, best.bic.upper], "seconds": found.seconds, "evaluations": found.evaluations,
        "parameters": [{"kind": leaf.kind, "input": leaf.dim, "values": list(leaf.values)} for leaf in leaves(best.user)],
    }  # fmt: skip


class _Clock:
    """When rounds were closed. Rounds that a journal held are closed at once, so their seconds are those of this session."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.rounds: list[tuple[events.Closed, float]] = []

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.Closed):
            self.rounds.append((event, time.perf_counter() - self.began))


def exact_bic(data: ks.Dataset, values: str, noise: float) -> float | None:
    """At given values (of the standardised data), with the paper's count of parameters; None where the rows are too many."""
    if len(data.y) > EXACT_ROWS:
        return None
    whole = ks.evidence(values, data.X, data.y, noise=noise, engine="exact", memory=EXACT_MEMORY)
    assert whole.exact is not None  # noqa: S101
    return whole.exact - charge(ks.parse(values), "paper", len(data.y))
