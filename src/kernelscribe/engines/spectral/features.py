"""The features of a kernel: cosines and sines with their prior variances, and which of them are kept.

A term with an SE is a sum over a grid of frequencies (the trapezoid rule for its spectrum), which stay where they are while the
values change; only the weights move:

    w_k = v h Σ_lines c · s(kh − ν),     s(ξ) = √(2π) ℓ exp(−2π²ℓ²ξ²),     1/h ≥ 1 + κℓ.

A term without SE, or with one too long for the grid, stands on combs around its lines, which move with the periods: ν + jh with
weights v c h s(jh), or the line alone. By Poisson's formula the grid's kernel is the SE repeated at distances 1/h, so on the unit
range it is wrong by less than 2.1 v max P² ε, with κ = √(2 log 1/ε): `ALIAS` is ε.

Legend: w prior variance of a frequency's cosine and sine, Δ distance from a line, n Σ P(u)² over the data.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfc

from kernelscribe.arrays import Array
from kernelscribe.engines.lines import Lines, heavier, lines
from kernelscribe.engines.spectral.tables import FINENESS, Positions, Tables
from kernelscribe.engines.spectral.waves import Wave, times

__all__ = ["ALIAS", "LONGEST", "Block", "around", "blocks", "heaviest", "kept", "square", "unreached"]

ALIAS = 1e-18
_KAPPA = math.sqrt(-2 * math.log(ALIAS))
# The longest lengthscale on the grid, in spans.
LONGEST = (FINENESS - 1) / _KAPPA
# Beyond this distance, in 1/ℓ, a spectrum has fallen to ALIAS, and all that lies there weighs less than _TAIL.
_REACH = math.sqrt(-math.log(ALIAS) / (2 * math.pi**2))
_TAIL = 1e-18
# Lines times places around them, at once.
_PAIRS = 2**19
# The same at all, with the lightest lines left out.
_MOST_PAIRS = 2**24
# What sums of weights may be wrong by, as a share of the variance.
_ROUNDING = 1e-13


@dataclass(frozen=True, slots=True)
class Block:
    """The frequencies of one term.

    Attributes:
        at: their positions in the tables.
        w: their prior variances.
        lengthscale: derivatives of w in log ℓ; `shape` in log λ and `period` in log p of every cycle.
        moves: dξ/d log p of every cycle, where frequencies move with the periods; else none.
        rest: the variance that lies outside them, at most.
        size: n.
    """

    wave: Wave
    at: Positions
    w: Array
    lengthscale: Array
    shape: tuple[Array, ...]
    period: tuple[Array, ...]
    moves: tuple[Array, ...]
    rest: float
    size: float

    @property
    def xi(self) -> Array:
        return np.asarray(self.at / FINENESS)

    def only(self, chosen: NDArray[np.bool_]) -> "Block":
        """Some of the frequencies; what the others weigh is part of the rest."""
        return Block(
            self.wave, self.at[chosen], self.w[chosen], self.lengthscale[chosen], tuple(each[chosen] for each in self.shape),
            tuple(each[chosen] for each in self.period), tuple(each[chosen] for each in self.moves),
            self.rest + float(self.w[~chosen].sum()), self.size,
        )  # fmt: skip


def square(polynomial: Array, moments: Array) -> float:
    """Σ_n P(u_n)²."""
    both = times(polynomial, polynomial)
    return float(both @ moments[: len(both)])


def blocks(waves: list[Wave], tables: Tables, floor: float) -> list[Block]:
    """All frequencies of every term that the tables reach and whose lines weigh more than the floor."""
    return [_block(wave, lines(wave.cycles, floor), tables, _step(wave)) for wave in waves]


def _step(wave: Wave) -> int:
    """The coarsest grid that carries a term's lengthscale, in places of the tables; one for all that stand on none."""
    return int(FINENESS / (1 + _KAPPA * wave.lengthscale)) if wave.lengthscale <= LONGEST else 1


def kept(found: list[Block], s2: float, tolerance: float, most: int) -> list[Block]:
    """The heaviest frequencies of all terms: as few as leave out at most the tolerance of Σ w n/s2, and no more than so
    many; one at least."""
    return [block.only(own) for block, own in zip(found, heaviest(found, s2, tolerance, most), strict=True)]


def heaviest(found: list[Block], s2: float, tolerance: float, most: int) -> list[NDArray[np.bool_]]:
    """Which of every block's frequencies `kept` keeps. Their places do not tell: lines of several cycles may fall together."""
    share = np.concatenate([block.w * (block.size / s2) for block in found])
    order = np.argsort(share, kind="stable")
    least = int(np.searchsorted(np.cumsum(share[order]), tolerance))
    chosen = np.zeros(len(share), dtype=bool)
    chosen[order[max(min(max(least, len(share) - most), len(share) - 1), 0) :]] = True
    return np.split(chosen, np.cumsum([len(block.w) for block in found])[:-1])


def unreached(wave: Wave, tables: Tables, floor: float, furthest: float) -> tuple[Array, Array]:
    """Frequencies of a term beyond the tables, as far as this many waves over the data, with their prior variances."""
    spectrum = lines(wave.cycles, floor)
    if wave.lengthscale > LONGEST:
        teeth = _teeth(wave, spectrum)
        chosen = (np.abs(teeth.xi) * FINENESS > tables.last) & (np.abs(teeth.xi) <= furthest)
        return teeth.xi[chosen], teeth.weight[chosen]
    h, width = _spacing(wave, int(furthest * FINENESS), own := _step(wave))
    last, reach = tables.last // own, _REACH / wave.lengthscale
    near = np.flatnonzero((spectrum.nu + reach > (last + 1) * h) & (spectrum.nu - reach <= furthest))
    spectrum = heavier(_some(spectrum, near), max(_MOST_PAIRS // width, 1))
    places, sums = _added([_spread(wave, part, h, int(furthest / h)) for part in _pieces(spectrum, max(_PAIRS // width, 1))])
    chosen = places > last
    return np.asarray(h * places[chosen]), 2 * wave.variance * h * math.sqrt(2 * math.pi) * wave.lengthscale * sums[0, chosen]


def _block(wave: Wave, spectrum: Lines, tables: Tables, own: int) -> Block:
    return _grid(wave, spectrum, tables, own) if wave.lengthscale <= LONGEST else _combs(wave, spectrum, tables)


def _grid(wave: Wave, spectrum: Lines, tables: Tables, own: int) -> Block:
    """Each line spreads over the frequencies around it; those that share a frequency add up."""
    ell, cycles = wave.lengthscale, len(wave.cycles)
    h, width = _spacing(wave, tables.last, own)
    last = tables.last // own
    spectrum = heavier(spectrum, max(_MOST_PAIRS // width, 1))
    found = [_spread(wave, part, h, last) for part in _pieces(spectrum, max(_PAIRS // width, 1))]
    places, sums = _added(found) if len(found) > 1 else found[0]
    # Cosine and sine share a frequency, which stands for its negative too.
    sums = sums * (wave.variance * h * math.sqrt(2 * math.pi) * ell * np.where(places > 0, 2.0, 1.0))
    return Block(
        wave,
        np.asarray(own * places, dtype=np.int64),
        sums[0],
        sums[1],
        tuple(sums[2 : 2 + cycles]),
        tuple(sums[2 + cycles :]),
        (),
        _beyond(wave, spectrum, sums[0], h, (last + 1) * h) + wave.variance * (spectrum.rest + _TAIL),
        square(wave.polynomial, tables.moments),
    )


def _spacing(wave: Wave, last: int, own: int) -> tuple[float, int]:
    """The grid of a term with such steps: its spacing in waves a span, and how many frequencies a line spreads over."""
    h = own / FINENESS
    return h, int(min(2 * _REACH / (wave.lengthscale * h), last // own)) + 1


def _some(spectrum: Lines, part: slice | NDArray[np.int64]) -> Lines:
    return Lines(spectrum.number[part], spectrum.nu[part], spectrum.weight[part], spectrum.slope[part], 0.0)


def _pieces(spectrum: Lines, rows: int) -> Iterator[Lines]:
    """The lines, so many at a time."""
    for start in range(0, max(len(spectrum.nu), 1), rows):
        yield _some(spectrum, slice(start, start + rows))


def around(nu: Array, ell: float, h: float, last: float, reach: float) -> tuple[NDArray[np.int64], Array, Array, Array]:
    """The spectrum of an SE on its grid: of every frequency so near to a line the line's number, its own number k from 0 to the
    last, its distance Δ from the line, and exp(−2π²ℓ²Δ²)."""
    low = np.maximum(np.ceil((nu - reach) / h), 0)
    high = np.minimum(np.floor((nu + reach) / h), last)
    every = low[:, None] + np.arange(int((high - low).max(initial=-1)) + 1)
    inside = every <= high[:, None]
    line, k = np.asarray(np.nonzero(inside)[0], dtype=np.int64), np.asarray(every[inside], dtype=np.float64)
    distance = k * h - nu[line]
    return line, k, distance, np.exp(-0.5 * (2 * np.pi * ell) ** 2 * distance * distance)


def _spread(wave: Wave, spectrum: Lines, h: float, last: int) -> tuple[NDArray[np.int64], Array]:
    """The numbers k of the frequencies around these lines, from 0 to the last; and there the sums over lines of
    c·exp(−2π²ℓ²Δ²) and of its derivatives in log ℓ, in every log λ and in every log p."""
    line, k, distance, height = around(spectrum.nu, wave.lengthscale, h, last, _REACH / wave.lengthscale)
    slope = (2 * np.pi * wave.lengthscale) ** 2 * distance
    own = spectrum.weight[line] * height
    sums = [
        own,
        own * (1 - slope * distance),
        *(spectrum.slope[line, b] * height for b in range(len(wave.cycles))),
        *(own * slope * (-spectrum.number[line, b] / cycle.period) for b, cycle in enumerate(wave.cycles)),
    ]
    return _added([(k.astype(np.int64), np.stack(sums))])


def _added(parts: list[tuple[NDArray[np.int64], Array]]) -> tuple[NDArray[np.int64], Array]:
    """Sums at places, those at the same place added up."""
    places, where = np.unique(np.concatenate([place for place, _ in parts]), return_inverse=True)
    rows = np.concatenate([sums for _, sums in parts], axis=1)
    return places, np.stack([np.bincount(where, weights=row, minlength=len(places)) for row in rows])


def _beyond(wave: Wave, spectrum: Lines, w: Array, h: float, end: float) -> float:
    """The variance of frequencies from `end` on, which the tables do not reach, at most: what all lines weigh without what was
    found inside, up to rounding; or what the tails of their spectra weigh, each less than its first height and its integral."""
    gap = np.maximum(end - spectrum.nu, 0)
    first = h * math.sqrt(2 * math.pi) * wave.lengthscale * np.exp(-2 * (np.pi * wave.lengthscale * gap) ** 2)
    tails = np.minimum(first + 0.5 * erfc(math.sqrt(2) * math.pi * wave.lengthscale * gap), 1.0)
    tails[gap == 0] = 1.0
    outside = 2 * wave.variance * float(spectrum.weight @ tails)
    whole = wave.variance * float(spectrum.weight.sum())
    return min(outside, max(whole - float(w.sum()), 0.0) + _ROUNDING * wave.variance)


@dataclass(frozen=True, slots=True)
class _Teeth:
    """The teeth of all combs: half of the lines, as the others are their negatives, each with its comb; and of the comb around
    zero one half, for the same reason.

    Attributes:
        number: of every cycle, the overtone that the tooth's line is.
        tooth: the distance from that line; `height` is the weight without the line's, whose slopes in every log λ are `slope`.
    """

    number: NDArray[np.int64]
    tooth: Array
    xi: Array
    height: Array
    weight: Array
    slope: Array
    steepness: float


def _teeth(wave: Wave, spectrum: Lines) -> _Teeth:
    positive = _half(spectrum)
    distances, heights, steepness = _comb(wave.lengthscale)
    line, tooth = np.repeat(positive, len(distances)), np.tile(distances, len(positive))
    zero = ~spectrum.number[line].any(axis=1)
    once = ~zero | (tooth >= 0)
    twice = np.where(zero & (tooth == 0), 1.0, 2.0)
    height = (wave.variance * twice * np.tile(heights, len(positive)))[once]
    line, tooth = line[once], tooth[once]
    return _Teeth(
        spectrum.number[line],
        tooth,
        spectrum.nu[line] + tooth,
        height,
        height * spectrum.weight[line],
        spectrum.slope[line],
        steepness,
    )


def _combs(wave: Wave, spectrum: Lines, tables: Tables) -> Block:
    """The teeth that the tables reach."""
    teeth = _teeth(wave, spectrum)
    chosen = np.abs(teeth.xi) * FINENESS <= tables.last
    spread = teeth.weight * (1 - teeth.steepness * teeth.tooth**2) if teeth.steepness else np.zeros(len(teeth.xi))
    return Block(
        wave,
        _positions(teeth.xi[chosen]),
        teeth.weight[chosen],
        spread[chosen],
        tuple((teeth.height * teeth.slope[:, b])[chosen] for b in range(len(wave.cycles))),
        tuple(np.zeros(int(chosen.sum())) for _ in wave.cycles),
        tuple((-teeth.number[:, b] / cycle.period)[chosen] for b, cycle in enumerate(wave.cycles)),
        float(teeth.weight[~chosen].sum()) + wave.variance * (spectrum.rest + _TAIL),
        square(wave.polynomial, tables.moments),
    )


def _positions(xi: Array) -> Positions:
    """Whole numbers where there is one wave, of frequency zero: it needs no interpolation."""
    return xi * FINENESS if xi.any() else np.zeros(len(xi), dtype=np.int64)


def _half(spectrum: Lines) -> NDArray[np.int64]:
    """One of every line and its negative: those whose first number other than zero is positive, and zero itself."""
    sign = np.zeros(len(spectrum.nu), dtype=np.int64)
    for column in spectrum.number.T:
        sign = np.where(sign == 0, np.sign(column), sign)
    return np.flatnonzero(sign >= 0)


def _comb(ell: float) -> tuple[Array, Array, float]:
    """Distances of a comb's teeth from its line, h·s there, and (2πℓ)². The spacing goes by fourths of an octave, so that it
    stays the same while the lengthscale moves a little."""
    if math.isinf(ell):
        return np.zeros(1), np.ones(1), 0.0
    h = 2.0 ** (math.floor(-4 * math.log2(1 + _KAPPA * ell)) / 4)
    reach = int(_REACH / (ell * h)) + 1
    teeth = h * np.arange(-reach, reach + 1)
    return teeth, h * math.sqrt(2 * math.pi) * ell * np.exp(-2 * (np.pi * ell * teeth) ** 2), (2 * math.pi * ell) ** 2
