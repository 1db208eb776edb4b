"""Climbing a function from a starting point: L-BFGS-B in a box, the best point kept, the time watched."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.effort import STANDARD, Effort
from kernelscribe.errors import Status
from kernelscribe.fit.limit import UNLIMITED, Limit

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

__all__ = ["Climb", "climb"]

Objective = Callable[[Array], tuple[float, Array]]


# What is left to gain is guessed as so many times what the second half of the evaluations added.
_GAINS = 3.0
# A climb that is to end near the top, not at it, ends when some evaluations together have added next to nothing, or where no
# slope is steeper than this: some hundredths of a nat below the top.
_LEVEL = 0.08
# A step that gains less than this part of the value ends a climb.
_LITTLE = 1e-9
# Nearer than this to a top, in parts of the scale, a climb will end there too.
_NEAR = 0.3


@dataclass(frozen=True, slots=True)
class Climb:
    """The best point met on the way, not the last one.

    Attributes:
        gain: what the second half of the evaluations added.
        path: the points that were met, with values and slopes, by which the climb can be taken up where it was left.
    """

    u: Array
    value: float
    evaluations: int
    status: Status
    gain: float = 0.0
    path: tuple[tuple[Array, float, Array], ...] = ()

    @property
    def start(self) -> Array:
        return self.path[0][0] if self.path else self.u

    @property
    def hope(self) -> float:
        """What the climb may come to, by a generous guess."""
        return self.value + _GAINS * self.gain


class _Late(Exception):  # noqa: N818  (a signal, not an error)
    pass


class _Enough(Exception):  # noqa: N818
    pass


@dataclass(slots=True)
class _Watch:
    """The objective as the optimiser sees it: negated, finite, remembered."""

    objective: Objective
    limit: Limit
    patient: int | None
    effort: Effort
    most: float
    rivals: Sequence[Climb]
    past: Sequence[tuple[Array, float, Array]]
    unit: Array
    u: Array
    value: float = -math.inf
    worst: float = math.inf
    bests: list[float] = field(default_factory=list)
    path: list[tuple[Array, float, Array]] = field(default_factory=list)

    @property
    def evaluations(self) -> int:
        return max(len(self.bests) - len(self.past), 0)

    @property
    def gain(self) -> float:
        middle = self.bests[len(self.bests) // 2]
        return self.value - middle if math.isfinite(middle) else math.inf

    @property
    def settled(self) -> bool:
        """Whether the last evaluations have added next to nothing."""
        return bool(
            self.patient and len(self.bests) > self.patient and self.value - self.bests[-self.patient] < self.effort.little
        )

    @property
    def beaten(self) -> bool:
        """Whether the climb is bound for a rival's top, or will not reach it."""
        risen = len(self.bests) > 1 and self.value > self.bests[1]
        if not self.rivals or len(self.bests) < (self.effort.fair_evaluations if risen else self.effort.slow_evaluations):
            return False
        if self.value + _GAINS * self.gain < max(rival.value for rival in self.rivals):
            return True
        return any(np.abs((self.u - rival.u) / self.unit).max() < _NEAR for rival in self.rivals)

    def _evaluate(self, u: Array) -> tuple[float, Array]:
        # The first value is had at any price: without one all would be lost.
        if self.bests and self.limit.over:
            raise _Late
        if len(self.bests) >= self.most or self.settled or self.beaten:
            raise _Enough
        return self.objective(u)

    def __call__(self, v: Array) -> tuple[float, Array]:
        u = v * self.unit
        value, slope = self.past[len(self.bests)][1:] if len(self.bests) < len(self.past) else self._evaluate(u)
        self.bests.append(self.value)
        self.path.append((u, value, slope))
        if not (math.isfinite(value) and np.isfinite(slope).all()):
            # A rejected step: far below anything seen, and flat, so that the line search turns back.
            floor = self.worst if math.isfinite(self.worst) else 0.0
            return 1e3 * (1 + abs(floor)) - floor, np.zeros_like(u)
        self.worst = min(self.worst, value)
        if value > self.value:
            self.u, self.value = u.copy(), value
        return -value, -slope * self.unit


def _descend(watch: _Watch, v: Array, box: Array, steps: int, level: float) -> None:
    """Run L-BFGS-B from v, its first step of one part of the scale at most, to where no slope is steeper than `level`.

    By itself that first step is as long as the slope is steep, however far it leads, where every coordinate is bounded on both
    sides: one climb went from -339 to -2e8 and came back on the wrong side of the hill. So what the optimiser sees is divided by
    the norm of the first slope.
    """
    from scipy.optimize import minimize  # noqa: PLC0415  (a fifth of a second, for those who climb)

    value, slope = watch(v)
    blocked = ((v <= box[:, 0]) & (slope > 0)) | ((v >= box[:, 1]) & (slope < 0))
    steep = max(float(np.linalg.norm(slope[~blocked])), 1.0)
    seen = [(value, slope)]

    def gentle(at: Array) -> tuple[float, Array]:
        value, slope = seen.pop() if seen else watch(at)
        return value / steep, slope / steep

    # What is next to nothing goes by the value there, which may be a millionth of that at the start.
    last = value

    def level_off(intermediate_result: "OptimizeResult") -> None:
        nonlocal last
        before, last = last, float(intermediate_result.fun) * steep
        if before - last <= _LITTLE * max(abs(before), abs(last), 1.0):
            raise StopIteration

    minimize(
        gentle, v, jac=True, method="L-BFGS-B", bounds=box, callback=level_off,
        options={"maxiter": steps, "maxfun": 2 * steps, "maxcor": 20, "ftol": 0.0, "gtol": level / steep},
    )  # fmt: skip


def climb(
    objective: Objective,
    u: Array,
    box: Array,
    *,
    steps: int,
    scale: Array | None = None,
    limit: Limit = UNLIMITED,
    patient: int | None = None,
    effort: Effort = STANDARD,
    most: float = math.inf,
    past: Climb | None = None,
    rivals: Sequence[Climb] = (),
) -> Climb:
    """Maximise from u inside the box [n, 2].

    Args:
        scale: how far a step in each coordinate may reach. The optimiser works in parts of it: without, one coordinate that is a
            thousand times as sharp as the others, as a period is, holds all of them up.
        limit: when to end; the first evaluation is made in any case.
        patient: end near the top, not at it: where it is all but level, or so many evaluations have added next to nothing.
        effort: how much that is, and when a climb can be judged beside its rivals.
        most: evaluations at most, those of the past counted in.
        past: an earlier climb from u, whose path is gone again without evaluating anything: so this one goes on where that one
            was left, with all that the optimiser has learnt of the ground.
        rivals: climbs that have ended. This one is given up where it will end at one of their tops, or below all of them.
    """
    unit = np.ones_like(u) if scale is None else scale
    start = np.clip(u, box[:, 0], box[:, 1])
    watch = _Watch(objective, limit, patient, effort, most, rivals, past.path if past else (), unit, start)
    status = Status.OK
    try:
        _descend(watch, start / unit, box / unit[:, None], steps, _LEVEL if patient else 1e-4)
    except _Enough:
        pass
    except _Late:
        status = Status.TIMEOUT
    except (FloatingPointError, np.linalg.LinAlgError):
        status = Status.FAILED
    if not math.isfinite(watch.value):
        return Climb(start, -math.inf, watch.evaluations, Status.TIMEOUT if status is Status.TIMEOUT else Status.NONFINITE)
    status = Status.OK if status is Status.FAILED else status
    return Climb(watch.u, watch.value, watch.evaluations, status, watch.gain, tuple(watch.path))
