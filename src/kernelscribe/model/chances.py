"""How often chance alone gives something as odd: the tests behind the checks of a model.

The formulas are short, and scipy.stats, which has them too, takes as long to load as a short search.

Legend: z the sample [n]; m_k = mean((z − mean z)^k) its central moments.
"""

import math

import numpy as np
from scipy.special import chdtr, chdtrc, ndtr, stdtr

from kernelscribe.arrays import Array

__all__ = ["beyond", "correlated", "heavy", "leaning", "size"]


def beyond(x: float) -> float:
    """P(|Z| > x) of a standard normal number, x ≥ 0."""
    return 2 * float(ndtr(-x))


def size(total: float, n: int) -> float:
    """Of a sum of n squared standard normal numbers, which is chi-squared: twice the smaller tail."""
    return min(2 * float(min(chdtr(n, total), chdtrc(n, total))), 1.0)


def leaning(z: Array) -> tuple[float, float]:
    """The skewness m₃/m₂^(3/2), and its chance among normal numbers (D'Agostino 1970)."""
    n, skew = len(z), _moment(z, 3) / _moment(z, 2) ** 1.5
    y = skew * math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    beta = 3 * (n**2 + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    w2 = math.sqrt(2 * (beta - 1)) - 1
    return skew, beyond(abs(math.asinh(y / math.sqrt(2 / (w2 - 1))) / math.sqrt(0.5 * math.log(w2))))


def heavy(z: Array) -> tuple[float, float]:
    """The excess kurtosis m₄/m₂² − 3, and its chance among normal numbers (Anscombe & Glynn 1983)."""
    n, kurtosis = len(z), _moment(z, 4) / _moment(z, 2) ** 2
    mean = 3 * (n - 1) / (n + 1)
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (kurtosis - mean) / math.sqrt(variance)
    skew = 6 * (n**2 - 5 * n + 2) / ((n + 7) * (n + 9)) * math.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    a = 6 + 8 / skew * (2 / skew + math.sqrt(1 + 4 / skew**2))
    left = 1 + x * math.sqrt(2 / (a - 4))
    y = (1 - 2 / (9 * a) - float(np.cbrt((1 - 2 / a) / left))) / math.sqrt(2 / (9 * a))
    return kurtosis - 3, beyond(abs(y))


def correlated(z: Array) -> tuple[float, float]:
    """The rank correlation of z with its order (Spearman), and its chance: r √((n−2)/(1−r²)) is about Student's t."""
    n, ranks = len(z), _ranks(z)
    r = float(np.corrcoef(np.arange(n), ranks)[0, 1])
    t = math.inf if abs(r) >= 1 else abs(r) * math.sqrt((n - 2) / (1 - r * r))
    return r, 2 * float(stdtr(n - 2, -t))


def _moment(z: Array, k: int) -> float:
    return float(((z - z.mean()) ** k).mean())


def _ranks(z: Array) -> Array:
    """From 0; equal numbers share the mean of theirs."""
    _, which, count = np.unique(z, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - 0.5 * (count + 1))[which])
