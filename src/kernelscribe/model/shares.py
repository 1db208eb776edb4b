"""How the variance that a model explains is shared out among its components.

Components overlap: a trend and a slow wave may both rise, or one may take back what the other gives. What a component adds then
depends on those that were there before it, and may be less than nothing. So each gets what it adds on average over all orders in
which they can be put together (Lindeman, Merenda & Gold; in games, the Shapley value). What some of them explain of the model's
curve is measured with each drawn as large as suits best, so that one more never explains less: no share is negative, and all of
them together are what the model explains. Components that do not overlap get their own variance, in any order.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array

__all__ = ["divided"]

# All orders of so many components are tried, which are 720.
_ALL_ORDERS = 6
# Of more components, so many orders are drawn at random, half of them the others backwards: as many as of six.
_SOME_ORDERS = 720
# Curves that are the same but for rounding leave nothing to explain by the second: so much is added to the variance of each.
_ROUNDING = 1e-9


def divided(means: Array, explained: float) -> Array:
    """The share [J] of every component, whose means at the rows are given [N, J]; they add up to what is `explained`."""
    centred = means - means.mean(axis=0)
    size = centred.std(axis=0)
    moving = np.flatnonzero(size > 0)
    found = np.zeros(means.shape[1])
    if len(moving):
        added = _added(centred[:, moving], size[moving])
        found[moving] = explained * added / added.sum() if added.sum() > 0 else explained / len(moving)
    return found


def _added(centred: Array, size: Array) -> Array:
    """What every component adds to the curve that all make up, averaged over orders."""
    scaled, curve = centred / size, centred.sum(axis=1)
    near, with_curve = scaled.T @ scaled / len(scaled), scaled.T @ curve / len(scaled)
    near[np.diag_indices_from(near)] += _ROUNDING
    orders = _orders(len(size))
    # Of a Cholesky factor every row belongs to one component, given those before it: so the gains of an order are one solution.
    roots = np.linalg.cholesky(near[orders[:, :, None], orders[:, None, :]])
    gains = np.linalg.solve(roots, with_curve[orders][:, :, None])[:, :, 0] ** 2
    found = np.zeros(len(size))
    np.add.at(found, orders, gains)
    return found


def _orders(count: int) -> NDArray[np.intp]:
    if count <= _ALL_ORDERS:
        return np.array(list(permutations(range(count))))
    rng = np.random.default_rng(count)
    forth = np.array([rng.permutation(count) for _ in range(_SOME_ORDERS // 2)])
    return np.concatenate([forth, forth[:, ::-1]])
