"""What a search asks for and what it learns: candidates, tasks and results, as frozen values with a plain JSON form.

A task is everything a worker needs beside the data; its key names it in the journal. The result of a task depends on the task,
the data and the options alone, so it does not matter which worker finds it, or when.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from kernelscribe.data.scales import Scales
from kernelscribe.engines.interval import NOWHERE, Evidence, Interval
from kernelscribe.errors import Status
from kernelscribe.fit.kernel import Fit
from kernelscribe.fit.ladder import Screened
from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.form import terms
from kernelscribe.kernels.language import parse
from kernelscribe.kernels.tree import Expression, Leaf, text

__all__ = ["Candidate", "Key", "Result", "Task", "decode", "encode", "failure"]


class Key(NamedTuple):
    """The name of a task in the journal."""

    depth: int
    stage: str
    kernel: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A kernel to be tried: with the values that it inherits, and what its parent knows.

    Attributes:
        noise: the parent's noise variance.
        periods: those that stand out in the parent's residual, by input; None where there is no parent.
    """

    expr: Expression
    depth: int
    parent: str | None = None
    noise: float | None = None
    periods: tuple[tuple[int, tuple[float, ...]], ...] | None = None

    @property
    def name(self) -> str:
        return text(self.expr)


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of work: `screen` a candidate, `polish` what screening left of it, `decide` it by its exact value, or `renew` its
    fit, from shaken values if the number is not 0."""

    stage: str
    candidate: Candidate
    screened: Screened | None = None
    fit: Fit | None = None
    number: int = 0

    @property
    def key(self) -> Key:
        return Key(self.candidate.depth, self.stage, self.candidate.name, self.number)

    @property
    def urgency(self) -> tuple[int, ...]:
        """The least goes first: the costliest, so that none is left alone at the end. Of base kernels it is the cheapest kind on
        every input, then the next, so that little time is enough to have looked at them all."""
        expr = self.candidate.expr
        if isinstance(expr, Leaf):
            return -1, len(expr.base.parameters), list(BASES).index(expr.kind), expr.dim
        return (-terms(expr),)


Result = Screened | Fit


def failure(task: Task, scales: Scales, status: Status, reason: str) -> Result:
    """The result of a task that came to nothing: a fact like any other."""
    if task.stage == "screen":
        return Screened((), -math.inf, -math.inf, 0, 0.0, status, reason)
    if task.fit is not None:
        # Its bounds are known; only the attempt to narrow them failed.
        return replace(task.fit, reason=reason)
    nothing = Evidence(NOWHERE, NOWHERE, status=status)
    return Fit(scales, task.candidate.expr, math.nan, nothing, NOWHERE, (), "none", 0, 0.0, status, reason)


def encode(task: Task, result: Result) -> dict[str, Any]:
    """One line of the journal. Numbers that do not exist are null."""
    head = {
        "depth": task.key.depth,
        "stage": task.stage,
        "kernel": task.key.kernel,
        "number": task.number,
        "parent": task.candidate.parent,
    }
    body = _screened(result) if isinstance(result, Screened) else _fit(result)
    return {**head, **body, "status": result.status.name.lower(), "reason": result.reason, "seconds": round(result.seconds, 4)}


def decode(entry: Mapping[str, Any], scales: Scales) -> tuple[Key, Result]:
    """The inverse of `encode`."""
    key = Key(entry["depth"], entry["stage"], entry["kernel"], entry["number"])
    status = Status[entry["status"].upper()]
    if entry["stage"] == "screen":
        return key, Screened(
            points=tuple(tuple(point) for point in entry["points"]),
            score=_number(entry["score"]),
            hope=_number(entry["hope"]),
            evaluations=entry["evaluations"],
            seconds=entry["seconds"],
            status=status,
            reason=entry["reason"],
        )
    return key, Fit(
        scales=scales,
        expr=parse(entry["values"], inputs=len(scales.names)),
        noise=math.nan if entry["noise"] is None else entry["noise"],
        evidence=Evidence(
            _interval(entry["interval"]), _interval(entry["paper"]), entry["slack"], entry["jitter"], entry["iterations"],
            entry["exact"], Status[entry["certificate"].upper()], entry.get("rounding", 0.0),
        ),
        bic=_interval(entry["bic"]),
        at_bound=tuple(entry["at_bound"]),
        engine=entry["engine"],
        evaluations=entry["evaluations"],
        seconds=entry["seconds"],
        status=status,
        reason=entry["reason"],
        periods=tuple((dim, tuple(periods)) for dim, periods in entry["periods"]),
    )  # fmt: skip


def _screened(found: Screened) -> dict[str, Any]:
    return {
        "points": [list(point) for point in found.points],
        "score": _text(found.score),
        "hope": _text(found.hope),
        "evaluations": found.evaluations,
    }


def _fit(found: Fit) -> dict[str, Any]:
    evidence = found.evidence
    return {
        "values": text(found.expr, values=True),
        "noise": _finite(found.noise),
        "interval": _ends(evidence.interval),
        "paper": _ends(evidence.paper),
        "bic": _ends(found.bic),
        "slack": evidence.slack,
        "jitter": evidence.jitter,
        "iterations": evidence.iterations,
        "exact": evidence.exact,
        "rounding": evidence.rounding,
        "certificate": evidence.status.name.lower(),
        "at_bound": list(found.at_bound),
        "engine": found.engine,
        "evaluations": found.evaluations,
        "periods": [[dim, list(periods)] for dim, periods in found.periods],
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _text(value: float) -> float | str:
    """Infinite numbers have names in JSON; nothing here is ever NaN."""
    return value if math.isfinite(value) else repr(value)


def _number(value: float | str) -> float:
    return float(value)


def _ends(interval: Interval) -> list[float] | None:
    return [interval.lower, interval.upper] if math.isfinite(interval.width) else None


def _interval(ends: list[float] | None) -> Interval:
    return NOWHERE if ends is None else Interval(*ends)
