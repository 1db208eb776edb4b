"""The terms of a kernel as waves over the data, for a posterior that is asked anywhere on the axis.

A term with an SE of length ℓ is a sum over a grid of frequencies kh, w_k = v h Σ_lines c·s(kh − ν) with s the spectrum of the SE
(see engines/spectral/features.py). Waves on a grid repeat at distances 1/h, so a forecast beyond the data would meet their past
again. Here

    1/h ≥ 1 + 2κℓ,      κ = √(2 log 1/ε):

up to κℓ beyond either end of the data (whose range is 1) the copy nearest to a point lies κℓ or farther behind the data, where
the SE has fallen to ε, and farther out than κℓ the term itself has fallen to ε and counts for nothing. So one set of waves is
right for every point, however far. Terms without SE are their lines, which never repeat wrongly.

Steps h have few binary digits: sums and differences of frequencies are then exact numbers, and many of them the same.

Legend: v variance, ℓ lengthscale, ν (nu) frequency of a line, c its weight, ξ (xi) frequency in waves a range, w prior variance
of its cosine and sine.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.lines import Lines, lines
from kernelscribe.engines.spectral.features import ALIAS, Block, around, kept, square
from kernelscribe.engines.spectral.tables import FINENESS, Frame, synthesise
from kernelscribe.engines.spectral.waves import Wave, of_term
from kernelscribe.kernels.normal import Term

__all__ = ["chosen", "curve", "features", "left_out", "remembered", "summed", "unseen"]

# Frequencies at most: a factorisation of twice as many features takes some seconds, and a report makes some twenty.
_MOST = 2000
# What waves that are left out may be worth together, as a share of the noise summed over the rows.
_TOLERANCE = 1e-7
_KAPPA = math.sqrt(-2 * math.log(ALIAS))
# Lines times places around them that are looked at, at most, with the lightest of them left out;
_LOOKS = 4_000_000
# but none so heavy as this.
_HIGHEST_FLOOR = 0.01
# The step of a grid has so many binary digits.
_DIGITS = 6
# Points up to which waves are summed one by one.
_FEW = 2048
# Points at once: what they need fits the cache.
_BLOCK = 1024
# Range of places times that of frequencies up to which a non-uniform FFT takes less than 1 GB.
_WIDE = 1e7


def remembered(wave: Wave) -> float:
    """How far beyond the data a term is not yet forgotten, in their range; inf where it never is."""
    return _KAPPA * wave.lengthscale


def chosen(
    terms: Sequence[Term], frame: Frame, u: Array, noise: float, highest: float, tolerance: float = _TOLERANCE
) -> list[Block] | None:
    """The waves of every term, as few as leave out no more than the tolerance, and no more than `_MOST`; None where already to
    look for the heaviest is too much.

    Args:
        u: the rows' places in the frame.
        highest: the frequency beyond which no wave is kept.
    """
    waves, found = [of_term(term, frame) for term in terms], []
    moments = [float(np.sum(u**r)) for r in range(2 * max(len(wave.roots) for wave in waves) + 1)]
    for wave in waves:
        size = square(wave.polynomial, np.array(moments))
        own = _spectrum(wave, max(1e-3 * tolerance * noise / max(wave.variance * size, noise), ALIAS))
        if own is None:
            return None
        near = own[0] <= highest
        xi, w = own[0][near], wave.variance * own[1][near]
        none = np.zeros(len(w))
        rest = max(wave.variance - float(w.sum()), 0.0)
        found.append(Block(wave, xi * FINENESS, w, none, (), (), (), rest, size))
    return kept(found, noise, tolerance, _MOST)


def left_out(blocks: Sequence[Block]) -> float:
    """The share of the kernel's variance, over the rows, that lies in waves which are left out."""
    whole = sum(block.wave.variance * block.size for block in blocks)
    return sum(block.rest * block.size for block in blocks) / whole if whole > 0 else 0.0


def unseen(blocks: Sequence[Block], u: Array) -> Array:
    """The variance of what is left out of terms, at places."""
    found = np.zeros(len(u))
    for block in blocks:
        found += block.rest * np.polynomial.polynomial.polyval(u, block.wave.polynomial) ** 2
    return found


def curve(block: Block, u: Array, coefficients: Array) -> Array:
    """A term's waves with these coefficients, first those of all cosines; nothing where the term has forgotten the data."""
    found, near = np.zeros(len(u)), _near(block, u)
    cosines, sines = np.split(coefficients, 2)
    found[near] = _polynomial(block, u[near]) * summed(u[near], block.xi, cosines, sines)
    return found


def features(block: Block, u: Array) -> Array:
    """Its features [m, n], in the same order."""
    angle = 2 * np.pi * ((block.xi[:, None] * u) % 1.0)
    return np.asarray(np.concatenate([np.cos(angle), np.sin(angle)]) * (_polynomial(block, u) * _near(block, u)))


def _near(block: Block, u: Array) -> NDArray[np.bool_]:
    """Where the data still tell something of a term."""
    return np.asarray(np.abs(u) - 0.5 <= remembered(block.wave))


def _polynomial(block: Block, u: Array) -> Array:
    return np.asarray(np.polynomial.polynomial.polyval(u, block.wave.polynomial))


def summed(u: Array, xi: Array, cosines: Array, sines: Array) -> Array:
    """Σ cosines·cos(2πξu) + sines·sin(2πξu): few places one by one, many by a non-uniform FFT, unless they lie so far apart that
    it would take too much memory."""
    if not xi.any():
        return np.full(len(u), cosines.sum())
    if len(u) > _FEW and float(np.ptp(u)) * float(np.ptp(xi)) < _WIDE:
        return synthesise(u, xi, cosines, sines)
    found = np.empty(len(u))
    for first in range(0, len(u), _BLOCK):
        rows = slice(first, first + _BLOCK)
        angle = 2 * np.pi * ((u[rows, None] * xi) % 1.0)
        found[rows] = np.cos(angle) @ cosines + np.sin(angle) @ sines
    return found


def _spectrum(wave: Wave, floor: float) -> tuple[Array, Array] | None:
    """Frequencies with their shares of the variance, down to the floor, or to a higher one where they would be too many."""
    while floor <= _HIGHEST_FLOOR:
        spectrum = lines(wave.cycles, floor)
        if math.isinf(wave.lengthscale):
            return _lines(spectrum)
        if len(spectrum.nu) * _width(wave, floor) <= _LOOKS:
            return _grid(wave, spectrum, floor)
        floor *= 10
    return None


def _lines(spectrum: Lines) -> tuple[Array, Array]:
    """Lines come with their negatives: one of each pair stands for both."""
    half = spectrum.nu >= 0
    return spectrum.nu[half], np.where(spectrum.nu > 0, 2.0, 1.0)[half] * spectrum.weight[half]


def _width(wave: Wave, floor: float) -> int:
    """On how many places of the grid an SE is higher than the floor, times its height."""
    return int(2 * _reach(wave, floor) / _step(wave)) + 1


def _reach(wave: Wave, floor: float) -> float:
    return math.sqrt(-math.log(floor) / 2) / (math.pi * wave.lengthscale)


def _grid(wave: Wave, spectrum: Lines, floor: float) -> tuple[Array, Array]:
    """Each line spreads over the frequencies around it; those that share a frequency add up."""
    h = _step(wave)
    line, k, _, height = around(spectrum.nu, wave.lengthscale, h, math.inf, _reach(wave, floor))
    places, where = np.unique(k, return_inverse=True)
    sums = np.bincount(where, weights=height * spectrum.weight[line], minlength=len(places))
    w = h * math.sqrt(2 * math.pi) * wave.lengthscale * sums
    # Cosine and sine of a frequency stand for its negative too.
    return np.asarray(places * h), np.where(places > 0, 2.0, 1.0) * w


def _step(wave: Wave) -> float:
    """h: the next number below 1/(1 + 2κℓ) that has few binary digits."""
    fraction, power = math.frexp(1 / (1 + 2 * remembered(wave)))
    return math.ldexp(math.floor(math.ldexp(fraction, _DIGITS)), power - _DIGITS)
