"""Periods that stand out: a random start is hopeless where the right period is one of thousands.

The periodogram |Σ r exp(−2πi f x)|² of any set of times, by FFT on a grid four times finer than the typical step, to which each
time is moved: good enough to start from, in O(N log N). Trends and rough wandering put most power at low frequencies, so a
frequency is judged by how far it stands above the median of its neighbourhood, not by its power. Among the slowest that a record
resolves a cycle fills its neighbourhood, and hides itself: these are found by their power after all.
"""

import numpy as np
from scipy import fft

from kernelscribe.arrays import Array
from kernelscribe.scales import Extent

__all__ = ["peaks", "strongest"]

_FINER = 4
_MOST_PLACES = 2**21
_PADDED = 4
_NEIGHBOURHOOD = 0.25
# Peaks nearer than this in relative frequency are one.
_APART = 0.1
_NEAR_MULTIPLE = 0.04
# Heights, in log power above the background, that noise reaches too.
_CHANCE = 2.0
# Frequencies that a spectrum must have to have a peak.
_FEWEST = 3


def peaks(x: Array, r: Array, extent: Extent, most: int = 4) -> tuple[float, ...]:
    """The periods of r at the places x that stand out most, best first: from three steps to half the span."""
    frequencies, power = _periodogram(x, _detrended(x, r), extent)
    if len(power) < _FEWEST:
        return ()
    height = np.log(power + 1e-12 * power.max() + np.finfo(float).tiny)
    height = _with_harmonics(frequencies, height - _background(frequencies, height))
    return _periods(frequencies, power, height, most)


def strongest(x: Array, r: Array, extent: Extent, most: int = 2) -> tuple[float, ...]:
    """The periods of the waves with most power, whatever there is beside them."""
    frequencies, power = _periodogram(x, _detrended(x, r), extent)
    return _periods(frequencies, power, power, most) if len(power) >= _FEWEST else ()


def _periods(frequencies: Array, power: Array, rank: Array, most: int) -> tuple[float, ...]:
    """Of the local maxima of the power those first in rank, but for neighbours and harmonics of others."""
    best = np.flatnonzero((power[1:-1] >= power[:-2]) & (power[1:-1] >= power[2:])) + 1
    chosen: list[float] = []
    for i in best[np.argsort(-rank[best])]:
        if len(chosen) == most:
            break
        if not any(_same(float(frequencies[i]), other) for other in chosen):
            chosen.append(float(frequencies[i]))
    return tuple(1 / f for f in chosen)


def _with_harmonics(frequencies: Array, height: Array) -> Array:
    """Each height with a share of those at twice and three times its frequency: a pattern that is no sine stands out there too,
    sometimes more than where it begins."""
    above = np.maximum(height - _CHANCE, 0.0)
    total = height.copy()
    for multiple in (2, 3):
        total += np.interp(multiple * frequencies, frequencies, above, right=0.0) / multiple
    return np.asarray(total)


def _same(f: float, chosen: float) -> bool:
    """Whether f is a neighbour of a chosen frequency, or one of its harmonics, which a periodic kernel has anyway."""
    multiple = f / chosen
    return abs(multiple - 1) < _APART or (round(multiple) > 1 and abs(multiple - round(multiple)) < _NEAR_MULTIPLE)


def _detrended(x: Array, r: Array) -> Array:
    """Without its straight line, and tapered, so that what is left at the ends does not leak over the whole spectrum."""
    slope, level = np.polyfit(x, r, 1)
    place = (x - x.min()) / (x.max() - x.min())
    return np.asarray((r - slope * x - level) * np.sin(np.pi * place) ** 2)


def _periodogram(x: Array, r: Array, extent: Extent) -> tuple[Array, Array]:
    """Frequencies of periods from three steps to half the span, with their power."""
    width = max(extent.step / _FINER, extent.span / _MOST_PLACES)
    places = np.rint((x - extent.low) / width).astype(np.intp)
    size = fft.next_fast_len(_PADDED * (int(places.max()) + 1), real=True)
    grid = np.bincount(places, weights=r, minlength=size)
    spectrum = fft.rfft(grid)
    frequencies = fft.rfftfreq(size, width)
    inside = (frequencies >= 2 / extent.span) & (frequencies <= 1 / (3 * extent.step))
    return frequencies[inside], (spectrum.real**2 + spectrum.imag**2)[inside]


def _background(frequencies: Array, height: Array) -> Array:
    """The running median of the height over a quarter of a unit of log frequency to either side, on an even log grid."""
    from scipy.ndimage import median_filter  # noqa: PLC0415  (a tenth of a second, for those who look)

    scale = np.log(frequencies)
    even = np.linspace(scale[0], scale[-1], 512)
    cells = np.searchsorted(even, scale)
    # The typical height of every cell that holds a frequency; the others are bridged.
    order, first, count = np.unique(cells, return_index=True, return_counts=True)
    ranked = height[np.lexsort((height, cells))]
    typical = 0.5 * (ranked[first + (count - 1) // 2] + ranked[first + count // 2])
    bridged = np.interp(np.arange(len(even)), order, typical)
    reach = max(int(2 * _NEIGHBOURHOOD / (even[1] - even[0])), 3) | 1
    return np.asarray(np.interp(scale, even, median_filter(bridged, size=reach, mode="nearest")))
