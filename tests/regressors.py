"""The regressor with searches that go no further than base kernels, and tables for it."""

import numpy as np
import pandas as pd

from kernelscribe.api.estimator import KernelSearchRegressor
from searches import table

CHEAP = {"depth": 0, "restarts": 1, "options": {"steps": 20, "backend": "numpy"}, "random_state": 0}


def regressor(**more):
    return KernelSearchRegressor(**{**CHEAP, **more})


def series(rows=60):
    x, y = table(rows)
    return x[:, None], y


def frame(rows=40):
    """Of two inputs the first explains everything."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"heat": np.linspace(10, 30, rows), "wind": rng.normal(size=rows)})
    return X, pd.Series(3 * X["heat"] + 0.1 * rng.normal(size=rows), name="yield")
