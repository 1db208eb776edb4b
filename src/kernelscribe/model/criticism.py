"""Does the model fit? Checks of what should be pure chance.

If the model holds, the one-step-ahead errors z = U⁻ᵀy (UᵀU = C = K + s2·I, rows in order), each over its own standard deviation,
are independent standard normal numbers. So are those of any other factor of C⁻¹: beyond a few thousand rows of a series they are
what its posterior makes of all rows, one step ahead or by waves. It also holds for any subset of rows with its own covariance: of
a large table, or where the posterior rests on points, some rows are checked, and that is said. Six questions, whose p-values are
corrected together by Holm's method.

Legend: z whitened errors [n], in order of the only input, or as the rows of a table stand.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.special import ndtri

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import root
from kernelscribe.engines.posterior import Rows, cross
from kernelscribe.model import chances
from kernelscribe.model.model import Model
from kernelscribe.streams import stream

__all__ = ["Check", "Criticism", "criticise"]

# Adjusted p-values up to which something is a finding,
SIGNIFICANT = 0.05
# and a strong one.
STRONG = 0.01


@dataclass(frozen=True, slots=True)
class Check:
    """One question put to the errors.

    Attributes:
        name: alike, cycle, spread, tails, skew or drift.
        p: how often chance alone looks at least as odd; `adjusted` for the number of questions.
        statistic: what was measured; `place` where on the axis (a lag or a period, in the user's units), if anywhere.
    """

    name: str
    p: float
    statistic: float
    place: float | None = None
    adjusted: float = 1.0

    @property
    def verdict(self) -> str:
        return "strong" if self.adjusted <= STRONG else "significant" if self.adjusted <= SIGNIFICANT else "none"


@dataclass(frozen=True)
class Criticism:
    """The checks, and what they looked at.

    Attributes:
        errors: the whitened errors, `at` their places on the only input (or row numbers), in the user's units.
        rows: how many of the rows were looked at.
        ahead: whether errors are those of predictions from the rows before; else of another factor of the covariance.
        odd: rows whose error is too large for chance in so many, with the error in standard deviations; largest first.
    """

    checks: tuple[Check, ...]
    errors: Array
    at: Array
    rows: int
    autocorrelation: Array
    frequencies: Array
    power: Array
    odd: tuple[tuple[int, float], ...]
    ahead: bool = True

    @property
    def findings(self) -> tuple[Check, ...]:
        """What chance does not explain, least likely first."""
        return tuple(sorted((each for each in self.checks if each.verdict != "none"), key=lambda each: each.adjusted))


def criticise(model: Model) -> Criticism | None:
    """The checks; None where there are too few rows for any, or a constant target leaves no errors."""
    if len(model.data.y) < model.config.effort.checked_fewest or model.data.constant:
        return None
    whole = model.posterior.whitened(model.means.sum(axis=1))
    chosen, z, odd = _by_rows(model) if whole is None else _in_order(model, *whole)
    step = _step(model, chosen) if model.series else math.nan
    rho = _autocorrelation(z)
    frequencies, power = _periodogram(z)
    checks = [_tails(z), _skew(z), _spread(z)]
    if model.series:
        checks += [_alike(rho, len(z), step), _cycle(frequencies, power, step), _drift(z)]
    at = model.inputs[chosen, 0] if model.series else chosen.astype(np.float64) + 1
    ahead = whole is None or model.posterior.ahead
    return Criticism(_holm(checks), z, at, len(chosen), rho, frequencies, power, _unlikely(chosen, odd), ahead)


def _step(model: Model, chosen: Rows) -> float:
    """The usual distance of neighbours, in the user's units."""
    return float(np.median(np.diff(np.unique(model.data.X[chosen, 0])))) * model.data.inputs[0].scale


def _in_order(model: Model, errors: Array, left: Array) -> tuple[Rows, Array, Array]:
    """All rows in order, their errors, and those of leaving one out."""
    order = np.argsort(model.data.X[:, 0], kind="stable")
    return order, errors[order], left[order]


def _by_rows(model: Model) -> tuple[Rows, Array, Array]:
    """Some rows, or all, in order, their errors one step ahead, and how odd all rows are, in the same order where they are the
    same: errors of leaving one out, α_i/√C⁻¹_ii. Where not all rows are looked at, the residuals of all over the noise alone,
    which flag fewer, as a row draws the mean towards itself."""
    chosen, n = _window(model), len(model.data.y)
    X, y = model.data.X[chosen], model.data.y[chosen]
    C = cross(model.terms, X, X)
    C.flat[:: len(C) + 1] += model.noise.diagonal(model.data.X[chosen])
    U = root(C)
    z = np.asarray(solve_triangular(U, y, trans="T", check_finite=False))
    if len(chosen) < n:
        return chosen, z, (model.data.y - model.means.sum(axis=1)) / np.sqrt(model.noise.diagonal(model.data.X))
    inverse = cho_solve((U, False), np.eye(n), check_finite=False)
    return chosen, z, np.asarray(inverse @ y / np.sqrt(np.diagonal(inverse)))


def _window(model: Model) -> Rows:
    """Rows in order: all, or the last few thousand of a series, or a random few thousand of a table."""
    n, most = len(model.data.y), model.config.effort.checked_rows
    if model.series:
        return np.argsort(model.data.X[:, 0], kind="stable")[-most:]
    if n <= most:
        return np.arange(n)
    return np.sort(stream(model.config.seed, "criticism").choice(n, size=most, replace=False))


def _autocorrelation(z: Array) -> Array:
    """At lags 1, 2, … up to a quarter of the length."""
    n = len(z)
    centred = z - z.mean()
    size = 1 << (2 * n - 1).bit_length()
    spectrum = np.abs(np.fft.rfft(centred, size)) ** 2
    full = np.fft.irfft(spectrum, size)[: n // 4 + 1]
    return np.asarray(full[1:] / full[0])


def _periodogram(z: Array) -> tuple[Array, Array]:
    """Frequencies, in cycles a row, and their shares of the power; without the ends, which have half the freedom."""
    power = np.abs(np.fft.rfft(z - z.mean())) ** 2
    inner = slice(1, (len(z) - 1) // 2 + 1)
    return np.asarray(np.fft.rfftfreq(len(z))[inner], dtype=np.float64), np.asarray(power[inner] / power[inner].sum())


def _alike(rho: Array, n: int, step: float) -> Check:
    """The largest autocorrelation, each about normal with variance 1/n, over all lags."""
    at = int(np.argmax(np.abs(rho)))
    one = chances.beyond(abs(float(rho[at])) * math.sqrt(n))
    return Check("alike", _any(one, len(rho)), float(rho[at]), (at + 1) * step)


def _cycle(frequencies: Array, power: Array, step: float) -> Check:
    """The largest share of the power, by Fisher: one of m shares exceeds x with probability (1 − x)^(m−1)."""
    m, at = len(power), int(np.argmax(power))
    one = max(1 - float(power[at]), 0.0) ** (m - 1)
    return Check("cycle", _any(one, m), float(power[at]), step / float(frequencies[at]))


def _any(one: float, tries: int) -> float:
    """The chance that one of so many independent tries is as odd as that."""
    return float(-math.expm1(tries * math.log1p(-min(one, 1 - 1e-16))))


def _spread(z: Array) -> Check:
    """Whether the errors are as large as the model says: n·mean(z²) is chi-squared."""
    total = float(z @ z)
    return Check("spread", chances.size(total, len(z)), math.sqrt(total / len(z)))


def _tails(z: Array) -> Check:
    """Whether large errors are as rare as among normal numbers."""
    kurtosis, p = chances.heavy(z)
    return Check("tails", p, kurtosis)


def _skew(z: Array) -> Check:
    """Whether errors above and below are of the same kind."""
    skew, p = chances.leaning(z)
    return Check("skew", p, skew)


def _drift(z: Array) -> Check:
    """Whether the size of the errors changes along the series: rank correlation of |z| with the order."""
    rank, p = chances.correlated(np.abs(z))
    return Check("drift", p, rank)


def _holm(checks: list[Check]) -> tuple[Check, ...]:
    """p-values that hold together: the k-th smallest of m times m − k + 1, never below the one before."""
    order, least = sorted(range(len(checks)), key=lambda i: checks[i].p), 0.0
    adjusted = [0.0] * len(checks)
    for k, i in enumerate(order):
        least = max(least, min(1.0, checks[i].p * (len(checks) - k)))
        adjusted[i] = least
    return tuple(replace(check, adjusted=value) for check, value in zip(checks, adjusted, strict=True))


def _unlikely(chosen: Rows, errors: Array) -> tuple[tuple[int, float], ...]:
    """Of all rows, in the order in which they were looked at or as they stand, those that the others let nobody expect."""
    rows = chosen if len(chosen) == len(errors) else np.arange(len(errors))
    far = np.flatnonzero(np.abs(errors) > -float(ndtri(STRONG / (2 * len(errors)))))
    found = [(int(rows[i]), float(errors[i])) for i in far]
    return tuple(sorted(found, key=lambda each: (-abs(each[1]), each[0])))
