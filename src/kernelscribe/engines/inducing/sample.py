"""Which rows stand for all of a table: a few at random, the rest in stretches of neighbours.

What changes within a short distance along one input is not seen by rows that are far apart: of the power plant's 9,568 rows 1,000
at random miss what the 15 or so that share each value of its second input have in common, and stretches of 50 do not.
"""

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.engine import Samples
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.streams import stream

__all__ = ["APART", "STRETCH", "choose", "samples"]

# The share of rows at random.
APART = 0.25
# Neighbours along one input or another that make a stretch.
STRETCH = 50


def samples(data: Dataset, config: Config) -> Samples | None:
    """The exact engine on more and more rows: for tables whose exact value is to be had, if the strategy is free to go its own
    way."""
    n, inputs = data.X.shape
    effort = config.effort.of(n, inputs)
    dear = n > effort.affordable_rows or 8e-6 * n * n > config.memory
    if not effort.sample_few or dear or config.strategy != "auto" or config.placement == "learned":
        return None

    def engine(size: int) -> Exact:
        return Exact.of(data.rows(choose(data.X, size, stream(config.seed, "screened rows"))), config)

    return Samples(engine(effort.sample_few), engine(effort.sample_some), engine(effort.sample_many), Exact.of(data, config))


def choose(X: Array, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """So many rows of the inputs X [N, D], or all of them if there are no more, in their order."""
    n, inputs = X.shape
    size = min(size, n)
    chosen = np.zeros(n, dtype=bool)
    chosen[rng.choice(n, size=int(APART * size), replace=False)] = True
    orders = [np.argsort(X[:, d], kind="stable") for d in range(inputs)]
    stretches = [order[start : start + STRETCH] for order in orders for start in range(0, n, STRETCH)]
    for i in rng.permutation(len(stretches)):
        new = stretches[i][~chosen[stretches[i]]]
        chosen[new[: size - int(chosen.sum())]] = True
    return np.flatnonzero(chosen)
