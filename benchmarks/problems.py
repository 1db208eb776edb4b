"""The problems that we and the peers solve: sizes of the paper's data, made up with fixed seeds."""

from dataclasses import dataclass

import numpy as np

__all__ = ["NOISE", "PROBLEMS", "Problem", "make"]

NOISE = 0.05


@dataclass(frozen=True)
class Problem:
    name: str
    kernel: str
    rows: int
    inputs: int
    inducing: int


_FOUR = (
    "SE1(variance=1.1, lengthscale=0.9) + SE2(variance=0.8, lengthscale=1.2)*LIN3(variance=0.6, location=0)"
    " + PER4(variance=0.7, lengthscale=1.1, period=1.7)"
)
_SERIES = (
    "SE(variance=0.9, lengthscale=0.4)*PER(variance=1.2, lengthscale=0.8, period=0.3)"
    " + SE(variance=0.7, lengthscale=1.5)*(PER(variance=0.5, lengthscale=1.3, period=0.9) + LIN(variance=0.4, location=0))"
)

PROBLEMS = {
    each.name: each
    for each in (
        Problem("power-320", _FOUR, 9568, 4, 320),
        Problem("series-160", _SERIES, 38070, 1, 160),
        Problem("power-640", _FOUR, 9568, 4, 640),
        Problem("fit-100", _FOUR, 2000, 4, 100),
        Problem("exact-500", _FOUR, 500, 4, 500),
    )
}


def make(problem: Problem) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """X [N, D], y [N] and inducing points Z [m, D], standardised."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(problem.rows, problem.inputs))
    y = np.sin(2 * X[:, 0]) + (X[:, 2] * np.cos(X[:, 1]) + np.sin(3.7 * X[:, 3]) if problem.inputs == 4 else np.cos(20 * X[:, 0]))
    y = y + 0.3 * rng.normal(size=len(y))
    Z = X[rng.choice(problem.rows, size=problem.inducing, replace=False)]
    return X, (y - y.mean()) / y.std(), Z
