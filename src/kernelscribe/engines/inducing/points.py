"""Where the inducing points lie: on distinct rows of the data, or on the centres of clusters of them."""

import warnings

import numpy as np
from scipy.cluster.vq import kmeans2

from kernelscribe.arrays import Array
from kernelscribe.errors import OptionError

__all__ = ["PLACEMENTS", "place"]

PLACEMENTS = ("random", "kmeans", "learned")


def place(X: Array, m: int, placement: str, rng: np.random.Generator) -> Array:
    """m inducing points [m, D], or fewer where there are fewer distinct rows.

    `learned` starts from the random subset; the fit moves them.
    """
    if placement not in PLACEMENTS:
        raise OptionError(f"placement must be one of {', '.join(PLACEMENTS)}, got {placement!r}")
    if m < 1:
        raise OptionError(f"at least one inducing point is needed, got {m}")
    distinct = np.unique(X, axis=0)
    if m >= len(distinct):
        return distinct
    subset = distinct[np.sort(rng.choice(len(distinct), size=m, replace=False))]
    if placement != "kmeans":
        return subset
    with warnings.catch_warnings():
        # An emptied cluster keeps its last centre, which is as good an inducing point as any.
        warnings.simplefilter("ignore", UserWarning)
        centres, _ = kmeans2(X, subset, minit="matrix", iter=20, missing="warn")
    return np.unique(np.asarray(centres, dtype=np.float64), axis=0)
