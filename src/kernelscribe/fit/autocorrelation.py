"""Lags after which a series repeats itself: for cycles of which the data hold few, and which no spectrum tells from a trend.

The correlation of r with itself a lag later, among the places where both are known, on a grid of some hundred cells:

    c(lag) = Σ r(x) r(x + lag) / √( Σ r(x)² · Σ r(x + lag)² ).
"""

import numpy as np
from scipy import fft

from kernelscribe.arrays import Array

__all__ = ["repeats"]

_CELLS = 512
# Shorter lags than this many cells are for the periodogram; below this correlation nothing repeats.
_SHORTEST = 6
_LEAST = 0.2
_NEAR_MULTIPLE = 0.05


def repeats(x: Array, r: Array, most: int = 2) -> tuple[float, ...]:
    """The lags at which r, at the places x, is most like itself, best first, multiples of better ones left out."""
    cells = min(_CELLS, len(np.unique(x)))
    if cells < 4 * _SHORTEST:
        return ()
    width = (x.max() - x.min()) / cells
    place = np.minimum(((x - x.min()) / width).astype(np.intp), cells - 1)
    known = np.bincount(place, minlength=cells)
    # Without its straight line, which is like itself at every lag.
    slope, level = np.polyfit(x, r, 1)
    mean = np.bincount(place, weights=r - slope * x - level, minlength=cells) / np.maximum(known, 1)
    c = _correlation(mean, (known > 0).astype(float))
    inside = np.arange(_SHORTEST, cells // 2)
    tops = inside[(c[inside] >= c[inside - 1]) & (c[inside] >= c[inside + 1]) & (c[inside] > _LEAST)]
    chosen: list[float] = []
    for lag in tops[np.argsort(-c[tops], kind="stable")]:
        if len(chosen) == most:
            break
        if not any(_multiple(lag * width, other) for other in chosen):
            chosen.append(float(lag * width))
    return tuple(chosen)


def _multiple(lag: float, other: float) -> bool:
    ratio = lag / other
    return round(ratio) >= 1 and abs(ratio - round(ratio)) < _NEAR_MULTIPLE * max(ratio, 1.0)


def _correlation(r: Array, known: Array) -> Array:
    size = fft.next_fast_len(2 * len(r), real=True)
    R, K, S = (fft.rfft(each, size) for each in (r, known, r * r * known))
    product = fft.irfft(np.abs(R) ** 2, size)[: len(r)]
    before, after = (fft.irfft(each, size)[: len(r)] for each in (np.conj(S) * K, np.conj(K) * S))
    scale = np.sqrt(np.maximum(before * after, 0.0))
    return np.asarray(np.divide(product, scale, out=np.zeros_like(product), where=scale > 1e-12 * scale.max()))
