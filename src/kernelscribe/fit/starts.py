"""Where the optimiser starts: inherited values, moved a little; what is new at the paper's draws and at what the data show."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from kernelscribe.data.dataset import Dataset
from kernelscribe.fit.periodogram import peaks
from kernelscribe.kernels.base import Array, Extent
from kernelscribe.kernels.expression import Expression, leaves, pack, text, with_leaves

__all__ = ["generator", "hints", "start"]

_MOVE = 0.1
Hints = Mapping[int, tuple[float, ...]]


def generator(seed: int, expr: Expression) -> np.random.Generator:
    """Randomness that depends on the seed and the kernel's text alone, never on the order in which kernels are fitted."""
    digest = hashlib.sha256(text(expr).encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])


def hints(expr: Expression, data: Dataset) -> Hints:
    """Periods that stand out in the target, for every input on which the kernel has a new PER."""
    dims = {leaf.dim for leaf in leaves(expr) if leaf.kind == "PER" and leaf.values is None}
    return {dim: peaks(data.X[:, dim - 1], data.y, data.extents[dim - 1]) for dim in sorted(dims)}


def start(
    expr: Expression,
    noise: float | None,
    extents: Sequence[Extent],
    rng: np.random.Generator,
    *,
    number: int,
    periods: Hints | None,
) -> Array:
    """Coordinates of the start of that number, the logarithm of the noise variance last.

    Leaves that have values keep them, moved a little after the first start. The others are drawn as in the paper; where `periods`
    are given, every other start scatters them over all scales instead and takes new periods from those that stand out: the best
    one in every other of these starts, the others in turn between, and the next one for each further PER.
    """
    filled, scattered = [], number // 2
    turn = 0 if scattered % 2 == 0 else (scattered + 1) // 2
    for leaf in leaves(expr):
        if leaf.values is not None:
            filled.append(leaf)
            continue
        extent, known = extents[leaf.dim - 1], (periods or {}).get(leaf.dim, ())
        if periods is None or number % 2:
            values = leaf.base.draw(rng, extent)
        else:
            values = leaf.base.scatter(rng, extent)
            if leaf.kind == "PER" and known:
                values = (*values[:2], known[turn % len(known)])
                turn += 1
        filled.append(replace(leaf, values=values))
    theta = pack(with_leaves(expr, filled))
    fresh = [leaf.values is None for leaf in leaves(expr) for _ in leaf.base.parameters]
    if number > 0:
        theta = theta + np.where(fresh, 0.0, _MOVE * rng.normal(size=len(theta)))
    s2 = noise if noise is not None else 0.1 * math.exp(rng.normal() / 2)
    return np.append(theta, math.log(s2))
