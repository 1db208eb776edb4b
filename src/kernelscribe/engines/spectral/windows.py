"""Features that live for a while: a term of short lengthscale as windows in time, each with the term's cosines and sines.

    exp(−d²/2ℓ²) = A Σ_k ψ(u − τ_k) ψ(u′ − τ_k) · (1 + η),   ψ(u) = exp(−u²/ℓ²),   τ_k = kΔ,   A = √(2/π) Δ/ℓ,   |η| ≤ q,

q = 2 exp(−π²/2ρ²) and a little more for centres beyond the ends, with ρ = Δ/ℓ. So the features P(u) ψ(u − τ_k) {cos, sin}(2πνu)
of every line ν, with prior variance v·c·A (twice that where a line stands for its negative too), make the term up to that share
of itself. Lines that weigh too little are left out; what they weigh is the rest. Windows far apart do not meet, and the data see
each other only through windows near them: the Gram matrix is a band. Centres go by eighths of an octave of ℓ, so that they
stay while the lengthscale moves a little, and stand so that FFTs reach them (see smooth.py).
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.lines import Lines, lines
from kernelscribe.engines.spectral.features import square
from kernelscribe.engines.spectral.smooth import FAR, Regular
from kernelscribe.engines.spectral.tables import FINENESS, Tables
from kernelscribe.engines.spectral.waves import Wave

__all__ = ["CUT", "LONGEST_WINDOW", "RHO", "TermWindows", "error", "reach", "signs", "windows"]

RHO = 0.45
# Gram entries of two windows smaller than this, as a share of a window's own, are nothing.
CUT = 1e-14
# Beyond the ends of the unit range centres go on so far, in ℓ: what those further out would add is e^{−32} of the kernel.
_BEYOND = 4.0
# A longer term has so few waves that windows cannot pay.
LONGEST_WINDOW = 0.25
# Lines so much lighter than what may be left out are not listed.
_LIGHT = 1e-4


@dataclass(frozen=True)
class TermWindows:
    """The windows of one term.

    Attributes:
        place: the number of the term among the waves.
        number: n_b of every line and cycle [n, B]; one of each line and its negative. B is 1 where there is no cycle, and one
            more than the cycles where lines stand at their aliases: so many samplings higher.
        rates: 1/p_b, and the sampling; `nu` the lines' frequencies.
        w: prior variance of a line's features; `shape` its derivatives in log λ of every cycle.
        kept: Σ over the lines of dw/d log λ without the factor A, of every cycle.
        rest: the variance that lies outside, at most.
        size: Σ_n P(u_n)².
        step: spacing of frequencies in places of the tables; `cells` windows in the length at which they repeat.
    """

    place: int
    wave: Wave
    number: NDArray[np.int64]
    rates: Array
    w: Array
    shape: tuple[Array, ...]
    kept: tuple[float, ...]
    rest: float
    size: float
    step: int
    cells: int

    @cached_property
    def nu(self) -> Array:
        return np.asarray(self.number @ self.rates)

    @property
    def ell(self) -> float:
        return self.wave.lengthscale

    @property
    def spacing(self) -> float:
        return FINENESS / (self.step * self.cells)

    @cached_property
    def half(self) -> int:
        """Centres on either side of the middle."""
        return math.ceil((0.5 + _BEYOND * self.ell) / self.spacing)

    @cached_property
    def centres(self) -> Array:
        return np.asarray(self.spacing * np.arange(-self.half, self.half + 1), dtype=np.float64)

    @cached_property
    def line(self) -> NDArray[np.int64]:
        """The line of each of a centre's features: first all cosines, then all sines but that of frequency zero."""
        every = np.arange(len(self.number))
        return np.concatenate([every, every[self.number.any(axis=1)]])

    @cached_property
    def sine(self) -> NDArray[np.bool_]:
        return np.arange(len(self.line)) >= len(self.number)

    @cached_property
    def root(self) -> Array:
        """W^½ of a centre's features."""
        return np.sqrt(self.w[self.line])

    def at_centres(self) -> Regular:
        """Sums under single windows."""
        return Regular(self.ell, self.step, float(-self.half * self.spacing), 2 * self.half + 1, self.cells)

    def between_centres(self) -> Regular:
        """Sums under products of two windows, which stand at the centres and half-way between them."""
        return Regular(self.ell / math.sqrt(2), self.step, float(-self.half * self.spacing), 4 * self.half + 1, 2 * self.cells)


def error(rho: float) -> float:
    """q."""
    return 2.1 * math.exp(-(math.pi**2) / (2 * rho**2)) + 3 * math.exp(-2 * _BEYOND**2)


def reach(first: float, second: float) -> float:
    """How far apart windows of these lengthscales still meet."""
    return math.sqrt(-math.log(CUT) * (first**2 + second**2))


def signs(number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of every row the sign of its first number other than zero; 0 where there is none."""
    sign = np.zeros(len(number), dtype=np.int64)
    for column in number.T:
        sign = np.where(sign == 0, np.sign(column), sign)
    return sign


def windows(
    waves: list[Wave], places: list[int], tables: Tables, s2: float, tolerance: float, rho: float = RHO
) -> list[TermWindows]:
    """The windows of these terms, with as few lines as leave out at most the tolerance of Σ w n/s2; one at least."""
    sizes = [square(waves[i].polynomial, tables.moments) for i in places]
    found = []
    for i, size in zip(places, sizes, strict=True):
        full = size * waves[i].variance / s2
        found.append(_reached(lines(waves[i].cycles, _LIGHT * tolerance / full if full > 0 else 1.0), tables))
    share = np.concatenate(
        [once.weight * (size * waves[i].variance / s2) for i, size, once in zip(places, sizes, found, strict=True)]
    )
    order = np.argsort(share, kind="stable")
    chosen = np.zeros(len(share), dtype=bool)
    chosen[order[min(int(np.searchsorted(np.cumsum(share[order]), tolerance)), len(share) - 1) :]] = True
    ends = np.cumsum([len(once.weight) for once in found])[:-1]
    return [
        _window(i, waves[i], once, own, size, rho, tables.sampling)
        for i, once, own, size in zip(places, found, np.split(chosen, ends), sizes, strict=True)
    ]


def _reached(spectrum: Lines, tables: Tables) -> Lines:
    """One of each line and its negative, with the weight of both; those that the tables do not reach stand at their aliases where
    there are any (a last number says how many samplings lower), else they are part of the rest."""
    sign = signs(spectrum.number)
    near = np.abs(spectrum.nu) * FINENESS <= tables.last
    number, nu = spectrum.number, spectrum.nu
    if tables.sampling and number.shape[1]:
        turns = np.where(near, 0, np.rint(nu / tables.sampling)).astype(np.int64)
        number, nu, near = np.column_stack([number, -turns]), nu - turns * tables.sampling, np.ones(len(nu), dtype=bool)
    chosen, twice = (sign >= 0) & near, np.where(sign == 0, 1.0, 2.0)
    return Lines(
        number[chosen],
        nu[chosen],
        (twice * spectrum.weight)[chosen],
        (twice[:, None] * spectrum.slope)[chosen],
        spectrum.rest + float(spectrum.weight[~near].sum()),
    )


def _window(
    i: int, wave: Wave, once: Lines, chosen: NDArray[np.bool_], size: float, rho: float, sampling: float | None
) -> TermWindows:
    ell = wave.lengthscale
    step = int(FINENESS / (1 + (_BEYOND + 1 + FAR) * ell))
    # By eighths of an octave.
    needed = 2.0 ** (math.ceil(8 * math.log2(FINENESS / (step * rho * ell))) / 8)
    cells = scipy.fft.next_fast_len(math.ceil(needed))
    A = math.sqrt(2 / math.pi) * FINENESS / (step * cells) / ell
    cycles = range(len(wave.cycles))
    number, slope = once.number[chosen], wave.variance * once.slope[chosen]
    if not wave.cycles:
        number = np.zeros((len(number), 1), dtype=np.int64)
    rates = np.array([1 / cycle.period for cycle in wave.cycles] or [0.0])
    if number.shape[1] > len(rates):
        rates = np.append(rates, sampling or 0.0)
    return TermWindows(
        i, wave, number, rates, wave.variance * A * once.weight[chosen],
        tuple(A * slope[:, b] for b in cycles), tuple(float(slope[:, b].sum()) for b in cycles),
        wave.variance * (once.rest + float(once.weight[~chosen].sum())), size, step, cells,
    )  # fmt: skip
