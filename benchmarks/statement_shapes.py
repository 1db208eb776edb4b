"""What statements are made of, drawn from their textbook formulas at given times: no kernel of the package is asked.

Every function gives a curve [N] of a size of its own; who adds them up scales them. Times increase strictly.
"""

import math

import numpy as np

Curve = np.ndarray
# An SE is drawn at points this share of its length-scale apart, between which a cubic spline is exact to five digits.
GRID = 1 / 8
# Added to the diagonal of an SE's matrix there, whose least eigenvalues are rounding.
JITTER = 1e-9
# Sizes of a cycle's overtones beside its fundamental wave, on average: a shape that is no sine, and dies away.
OVERTONES = (1.0, 0.4, 0.2)
# A growing cycle has this size at its first row and 2 less this at its last: four times as large.
SMALLEST = 0.4


def straightened(x: Curve, values: Curve) -> Curve:
    """The curve less its straight line, which belongs to the line where there is one."""
    u = (x - x.mean()) / np.ptp(x)
    return values - values.mean() - u * (u @ (values - values.mean())) / (u @ u)


def line(x: Curve, rng: np.random.Generator) -> Curve:
    return rng.choice((-1.0, 1.0)) * (x - x.mean()) / np.ptp(x)


def drift(x: Curve, rng: np.random.Generator) -> Curve:
    """The Wiener process, from 0 at the first time on."""
    return np.concatenate([[0.0], np.cumsum(np.sqrt(np.diff(x)) * rng.normal(size=len(x) - 1))])


def bend(x: Curve, rng: np.random.Generator) -> Curve:
    """The integrated Wiener process: over a step d its value moves by d·slope and N(0, d³/3), with covariance d²/2."""
    d, first, second = np.diff(x), *rng.normal(size=(2, len(x) - 1))
    slope = np.concatenate([[0.0], np.cumsum(np.sqrt(d) * first)])
    own = d**1.5 * (first / 2 + second / math.sqrt(12))
    return np.concatenate([[0.0], np.cumsum(d * slope[:-1] + own)])


def smooth(x: Curve, rng: np.random.Generator, length: float) -> Curve:
    """An SE of variance 1."""
    from scipy.interpolate import CubicSpline  # noqa: PLC0415  (half a second, where only few draws need it)

    grid = np.arange(x[0], x[-1] + 2 * GRID * length, GRID * length)
    K = np.exp(-0.5 * ((grid[:, None] - grid) / length) ** 2) + JITTER * np.eye(len(grid))
    return np.asarray(CubicSpline(grid, np.linalg.cholesky(K) @ rng.normal(size=len(grid)))(x))


def rough(x: Curve, rng: np.random.Generator, length: float) -> Curve:
    """An Ornstein-Uhlenbeck process of variance 1."""
    keep, shock = np.exp(-np.diff(x) / length), rng.normal(size=len(x))
    shock[1:] *= np.sqrt(1 - keep**2)
    values = np.empty(len(x))
    values[0] = shock[0]
    for i, (share, more) in enumerate(zip(keep, shock[1:], strict=True), start=1):
        values[i] = share * values[i - 1] + more
    return values


def matern(x: Curve, rng: np.random.Generator, length: float) -> Curve:
    """A Matérn process of order 3/2 and variance 1, by its state: the value and its slope."""
    rate, still = math.sqrt(3) / length, np.diag([1.0, 3 / length**2])
    state = np.sqrt(np.diag(still)) * rng.normal(size=2)
    values = [state[0]]
    for d in np.diff(x):
        move = math.exp(-rate * d) * np.array([[1 + rate * d, d], [-(rate**2) * d, 1 - rate * d]])
        state = move @ state + _root(still - move @ still @ move.T) @ rng.normal(size=2)
        values.append(state[0])
    return np.array(values)


def _root(S: np.ndarray) -> np.ndarray:
    """The Cholesky factor of two by two, whatever rounding has done to the last entry."""
    a = math.sqrt(max(S[0, 0], 0.0))
    b = S[1, 0] / a if a > 0 else 0.0
    return np.array([[a, 0.0], [b, math.sqrt(max(S[1, 1] - b * b, 0.0))]])


def cycle(x: Curve, rng: np.random.Generator, period: float) -> Curve:
    """One shape over and over: a wave of size 1 and overtones of random size."""
    values = np.zeros(len(x))
    for k, size in enumerate(OVERTONES, start=1):
        much = size if k == 1 else size * abs(rng.normal())
        values += much * np.cos(2 * math.pi * (k * (x / period) + rng.uniform()))
    return values


def changing_cycle(x: Curve, rng: np.random.Generator, period: float, length: float) -> Curve:
    """The weights of sine and cosine, and so size and shape, are smooth curves: SE times PER."""
    values = np.zeros(len(x))
    for k, size in enumerate(OVERTONES, start=1):
        turn = 2 * math.pi * k * x / period
        values += size * (smooth(x, rng, length) * np.cos(turn) + smooth(x, rng, length) * np.sin(turn))
    return values


def growing_cycle(x: Curve, rng: np.random.Generator, period: float) -> Curve:
    share = (x - x[0]) / np.ptp(x)
    return (SMALLEST + 2 * (1 - SMALLEST) * share) * cycle(x, rng, period)


def late_cycle(x: Curve, rng: np.random.Generator, period: float, row: int) -> Curve:
    """A cycle that is there from a row on."""
    return np.where(np.arange(len(x)) >= row, cycle(x, rng, period), 0.0)


def window(x: Curve, first: int, last: int) -> Curve:
    """1 from one row up to, and without, another; a step where that is the end."""
    rows = np.arange(len(x))
    return ((rows >= first) & (rows < last)).astype(float)


def kink(x: Curve, row: int) -> Curve:
    """0 up to a row, from there on a line."""
    return np.maximum(x - x[row], 0.0) / np.ptp(x)
