"""Climbing a function from a starting point: L-BFGS-B in a box, the best point kept, a deadline watched."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

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


class _Deadline(Exception):  # noqa: N818  (a signal, not an error)
    pass


@dataclass(slots=True)
class _Watch:
    """The objective as the optimiser sees it: negated, finite, remembered."""

    objective: Objective
    deadline: float
    u: Array
    value: float = -math.inf
    worst: float = math.inf
    evaluations: int = 0

    def __call__(self, u: Array) -> tuple[float, Array]:
        if time.monotonic() > self.deadline:
            raise _Deadline
        self.evaluations += 1
        value, slope = self.objective(u)
        if not (math.isfinite(value) and np.isfinite(slope).all()):
            # A rejected step: far below anything seen, and flat, so that the line search turns back.
            floor = self.worst if math.isfinite(self.worst) else 0.0
            return 1e3 * (1 + abs(floor)) - floor, np.zeros_like(u)
        self.worst = min(self.worst, value)
        if value > self.value:
            self.u, self.value = u.copy(), value
        return -value, -slope


def climb(objective: Objective, u: Array, box: Array, *, steps: int, deadline: float = math.inf) -> Climb:
    """Maximise from u inside the box [n, 2]. A deadline is a time of `time.monotonic`."""
    start = np.clip(u, box[:, 0], box[:, 1])
    watch = _Watch(objective, deadline, start)
    status = Status.OK
    try:
        minimize(
            watch, start, jac=True, method="L-BFGS-B", bounds=box,
            options={"maxiter": steps, "maxfun": 2 * steps, "maxcor": 20, "ftol": 1e-9, "gtol": 1e-4},
        )  # fmt: skip
    except _Deadline:
        status = Status.TIMEOUT
    except (FloatingPointError, np.linalg.LinAlgError):
        status = Status.FAILED
    if not math.isfinite(watch.value):
        return Climb(start, -math.inf, watch.evaluations, Status.TIMEOUT if status is Status.TIMEOUT else Status.NONFINITE)
    return Climb(watch.u, watch.value, watch.evaluations, Status.OK if status is Status.FAILED else status)
