"""Where the optimiser starts: inherited values, slightly moved, and the paper's random draws for what is new."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kernelscribe.kernels.base import Array, Extent
from kernelscribe.kernels.expression import Expression, Leaf, leaves, pack, text, with_leaves

__all__ = ["generator", "start"]

_MOVE = 0.1


def generator(seed: int, expr: Expression) -> np.random.Generator:
    """Randomness that depends on the seed and the kernel's text alone, never on the order in which kernels are fitted."""
    digest = hashlib.sha256(text(expr).encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])


def start(expr: Expression, noise: float | None, extents: Sequence[Extent], rng: np.random.Generator, *, move: bool) -> Array:
    """Starting coordinates, the logarithm of the noise variance last.

    Leaves that have values keep them (moved a little when `move` is set); the others are drawn.
    """
    filled = [leaf if leaf.values is not None else _drawn(leaf, extents, rng) for leaf in leaves(expr)]
    theta = pack(with_leaves(expr, filled))
    fresh = [leaf.values is None for leaf in leaves(expr) for _ in leaf.base.parameters]
    if move:
        theta = theta + np.where(fresh, 0.0, _MOVE * rng.normal(size=len(theta)))
    s2 = noise if noise is not None else 0.1 * math.exp(rng.normal() / 2)
    return np.append(theta, math.log(s2))


def _drawn(leaf: Leaf, extents: Sequence[Extent], rng: np.random.Generator) -> Leaf:
    return replace(leaf, values=leaf.base.draw(rng, extents[leaf.dim - 1]))
