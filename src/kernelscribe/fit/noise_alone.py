"""Noise alone, without any structure: what a kernel has to beat.

log N(y | 0, Λ) = −½ Σ (y²/Λ + log Λ + log 2π),    d/dΛ = ½ (y²/Λ − 1)/Λ.
"""

import math
from functools import partial

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.fit.objective import noise_box
from kernelscribe.fit.optimise import climb
from kernelscribe.noises import Noise, noise_kind
from kernelscribe.streams import stream

__all__ = ["noise_bic"]


def noise_bic(data: Dataset, config: Config) -> float:
    """The BIC of independent noise of the target's variance, one parameter, or of the kind that the options ask for; on the scale
    of the target's link."""
    n, kind = len(data.y), noise_kind(config.noise)
    constant = -0.5 * n * (1 + math.log(2 * math.pi)) - 0.5 * math.log(n) + data.jacobian
    if kind.uniform:
        return constant
    extent, rng = data.extents[0], stream(config.seed, "noise alone")
    shown = kind.seen(data.X[:, 0], data.y, extent)
    starts = [shown, *(kind.draw(rng, extent) for _ in range(config.restarts))]
    edges, scale = noise_box(kind, extent), np.array(kind.reach(extent))
    density = partial(_density, kind, data)
    climbs = [
        climb(density, each.amplified(1 / each.average(data.X)).pack(), edges, steps=config.steps, scale=scale) for each in starts
    ]
    return max(constant, max(each.value for each in climbs) - 0.5 * kind.size() * math.log(n) + data.jacobian)


def _density(kind: type[Noise], data: Dataset, u: Array) -> tuple[float, Array]:
    noise = kind.unpack(u)
    variances = noise.diagonal(data.X)
    share = data.y**2 / variances
    value = -0.5 * float((share + np.log(variances)).sum() + len(share) * math.log(2 * math.pi))
    return value, noise.pull(data.X, 0.5 * (share - 1) / variances)
