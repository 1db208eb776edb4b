"""The slow cycle behind several fast ones: a pattern with sharp edges stands out at multiples of its frequency, and may be too
weak to be seen where it begins. Two neighbouring overtones tell of a half-yearly cycle; many that are further up, of a week of
which only a comb is left beside the days.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from kernelscribe.arrays import Array

__all__ = ["fundamentals"]

# A peak lies on a multiple when it is so near, in what a record of this length resolves.
_NEAR = 0.5
# Two peaks alone tell of a cycle if they are its second and third overtone, or third and fourth.
_LOWEST = (2, 3)
# The teeth that two peaks of a comb may be apart.
_TEETH = range(1, 7)
# How unlikely it must be that chance puts so many peaks on the teeth of any comb that is tried: a logarithm, one in twenty.
_UNLIKELY = -3.0
_PASSES = 5
_MOST = 3


def fundamentals(periods: Sequence[float], span: float) -> tuple[float, ...]:
    """Periods of which several of those given, the strongest first, are whole parts; none that are among them, nor longer than
    half the span."""
    peaks, near = 1 / np.asarray(periods, dtype=float), _NEAR / span
    chosen: list[float] = []
    for base in (*_comb(peaks, near), *_pairs(peaks, near)):
        if base >= 2 / span and all(abs(base - other) > near for other in (*peaks, *chosen)):
            chosen.append(base)
    return tuple(1 / base for base in chosen[:_MOST])


def _pairs(peaks: Array, near: float) -> Iterator[float]:
    """Frequencies of which two peaks are neighbouring overtones, those of the strongest peaks first."""
    for j in range(len(peaks)):
        for i in range(j):
            slow, fast = sorted((peaks[i], peaks[j]))
            for n in _LOWEST:
                base = (n * slow + (n + 1) * fast) / (n**2 + (n + 1) ** 2)
                if max(abs(slow - n * base), abs(fast - (n + 1) * base)) < near:
                    yield float(base)


def _comb(peaks: Array, near: float) -> list[float]:
    """The frequency on whose multiples more peaks lie than chance would put there, if there is one: the least likely.

    A peak lies on a tooth of the comb g by chance with probability 2δ/g, if peaks are known to ±δ; one of them fixed g, so that m
    of n count as m − 1 of n − 1. Of g and g/2, which has all its multiples too, g is the less likely.
    """
    ordered = np.sort(peaks)
    guesses = [(fast - slow) / k for j, fast in enumerate(ordered) for slow in ordered[:j] for k in _TEETH if fast > slow]
    found = []
    for guess in guesses:
        base, count = _settled(ordered, guess, near)
        chance = min(2 * near / base, 1.0)
        luck = math.log(math.comb(len(peaks) - 1, max(count - 1, 0))) + (count - 1) * math.log(chance) + math.log(len(guesses))
        if luck < _UNLIKELY:
            found.append((luck, base))
    return [base for _, base in sorted(found)[:1]]


def _settled(peaks: Array, base: float, near: float) -> tuple[float, int]:
    """The frequency by least squares from the peaks on its multiples, and how many these are. Slow peaks come first: they correct
    it before it is multiplied often."""
    count = 0
    for _ in range(_PASSES):
        multiples, matched = [], []
        for peak in peaks:
            multiple = round(peak / base)
            if multiple >= 1 and abs(peak - multiple * base) < near:
                multiples.append(multiple)
                matched.append(peak)
                base = float(np.dot(multiples, matched) / np.dot(multiples, multiples))
        if len(matched) == count:
            break
        count = len(matched)
    return base, count
