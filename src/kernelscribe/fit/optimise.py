"""Climbing a function from a starting point: L-BFGS-B in a box, the best point kept, a deadline watched."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import minimize

from kernelscribe.errors import Status
from kernelscribe.kernels.base import Array

__all__ = ["Climb", "climb"]

Objective = Callable[[Array], tuple[float, Array]]


@dataclass(frozen=True, slots=True)
class Climb:
    """The best point met on the way, not the last one."""

    u: Array
    value: float
    evaluations: int
    status: Status
    gain: float = 0.0  # what the second half of the evaluations added


class _Deadline(Exception):  # noqa: N818  (a signal, not an error)
    pass


class _Enough(Exception):  # noqa: N818
    pass


# A climb that is to end near the top, not at it, ends when so many evaluations together have added less than so many nats.
_PATIENT = 12
_LITTLE = 0.05


@dataclass(slots=True)
class _Watch:
    """The objective as the optimiser sees it: negated, finite, remembered."""

    objective: Objective
    deadline: float
    rough: bool
    unit: Array
    u: Array
    value: float = -math.inf
    worst: float = math.inf
    bests: list[float] = field(default_factory=list)

    @property
    def evaluations(self) -> int:
        return len(self.bests)

    @property
    def gain(self) -> float:
        middle = self.bests[len(self.bests) // 2]
        return self.value - middle if math.isfinite(middle) else math.inf

    def __call__(self, v: Array) -> tuple[float, Array]:
        u = v * self.unit
        if time.monotonic() > self.deadline:
            raise _Deadline
        if self.rough and len(self.bests) > _PATIENT and self.value - self.bests[-_PATIENT] < _LITTLE:
            raise _Enough
        self.bests.append(self.value)
        value, slope = self.objective(u)
        if not (math.isfinite(value) and np.isfinite(slope).all()):
            # A rejected step: far below anything seen, and flat, so that the line search turns back.
            floor = self.worst if math.isfinite(self.worst) else 0.0
            return 1e3 * (1 + abs(floor)) - floor, np.zeros_like(u)
        self.worst = min(self.worst, value)
        if value > self.value:
            self.u, self.value = u.copy(), value
        return -value, -slope * self.unit


def climb(
    objective: Objective,
    u: Array,
    box: Array,
    *,
    steps: int,
    scale: Array | None = None,
    deadline: float = math.inf,
    rough: bool = False,
) -> Climb:
    """Maximise from u inside the box [n, 2].

    Args:
        scale: how far a step in each coordinate may reach. The optimiser works in parts of it: without, one coordinate that is a
            thousand times as sharp as the others, as a period is, holds all of them up.
        deadline: a time of `time.monotonic`.
        rough: end near the top, not at it.
    """
    unit = np.ones_like(u) if scale is None else scale
    start = np.clip(u, box[:, 0], box[:, 1])
    watch = _Watch(objective, deadline, rough, unit, start)
    status = Status.OK
    try:
        minimize(
            watch, start / unit, jac=True, method="L-BFGS-B", bounds=box / unit[:, None],
            options={"maxiter": steps, "maxfun": 2 * steps, "maxcor": 20, "ftol": 1e-9, "gtol": 1e-4},
        )  # fmt: skip
    except _Enough:
        pass
    except _Deadline:
        status = Status.TIMEOUT
    except (FloatingPointError, np.linalg.LinAlgError):
        status = Status.FAILED
    if not math.isfinite(watch.value):
        return Climb(start, -math.inf, watch.evaluations, Status.TIMEOUT if status is Status.TIMEOUT else Status.NONFINITE)
    return Climb(watch.u, watch.value, watch.evaluations, Status.OK if status is Status.FAILED else status, watch.gain)
