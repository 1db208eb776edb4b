"""Series of which we and the peers take the evidence, and the clock of both sides. NumPy alone: the peers' environment loads it.

A series is a draw from exp(−d/ℓ) with noise, whatever kernel it is then measured with: what a value takes does not depend on y.
"""

import json
import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["KERNELS", "LENGTHSCALE", "NOISE", "TIMES", "VARIANCE", "coordinates", "least", "made", "tell"]

# What both sides have; the names are ours.
KERNELS = ("ROUGH", "MATERN")
TIMES = ("regular", "irregular")
VARIANCE = 1.3
# Steps.
LENGTHSCALE = 20.0
NOISE = 0.1
# Batches of calls, fewer where they take longer than these seconds, and two at least.
REPEATS = 12
SECONDS = 3.0
# Seconds of a batch, or one call.
BATCH = 0.1


def coordinates() -> np.ndarray:
    """The logarithms of variance, length-scale and noise: what gradients are taken in."""
    return np.log([VARIANCE, LENGTHSCALE, NOISE])


def made(kind: str, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Times, one apart or one on average, and values."""
    rng = np.random.default_rng([rows, TIMES.index(kind)])
    steps = np.ones(rows) if kind == "regular" else rng.exponential(size=rows)
    kept, new = np.exp(-steps / LENGTHSCALE), rng.normal(size=rows)
    f = np.empty(rows)
    last = new[0]
    for i in range(rows):
        last = f[i] = kept[i] * last + np.sqrt(1 - kept[i] ** 2) * new[i]
    return np.cumsum(steps), np.sqrt(VARIANCE) * f + np.sqrt(NOISE) * rng.normal(size=rows)


def least(call: Callable[[], Any]) -> tuple[float, Any]:
    """The fewest processor seconds of a call among several batches, and the answer. What one call for nothing loads and compiles
    does not count. Batches are so long that the time of threads, which is told late, does not matter."""
    call()
    began = time.perf_counter()
    answer = call()
    calls, spans = max(1, math.ceil(BATCH / (time.perf_counter() - began))), []
    while len(spans) < 2 or (len(spans) < REPEATS and calls * sum(spans) < SECONDS):
        began = time.process_time()
        for _ in range(calls):
            answer = call()
        spans.append((time.process_time() - began) / calls)
    return min(spans), answer


def tell(version: str, value: Callable[[], float], slope: Callable[[], tuple[float, Any]]) -> None:
    """Measure a value, and a value with its gradient; print what came out as one line of JSON."""
    alone, found = least(value)
    both, (again, gradient) = least(slope)
    if not abs(found - again) <= 1e-6 * abs(found):
        raise SystemExit(f"the value alone is {found}, with the gradient {again}")
    told = {"version": version, "value": alone, "gradient": both, "found": float(found), "slope": [float(g) for g in gradient]}
    sys.stdout.write(json.dumps(told) + "\n")
