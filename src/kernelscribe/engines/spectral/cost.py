"""What windows and waves would cost, so that the cheaper way is taken: a pure function of a kernel's values.

Waves fill a matrix of m columns, m³ operations a gradient; m grows as the lines times the record over ℓ. Windows fill a band as
wide as the longest of them reaches, m·band². So a kernel's terms go to windows from the shortest lengthscale up, as many as make
the work least; the others stay waves.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from kernelscribe.engines.lines import lines
from kernelscribe.engines.spectral.features import LONGEST, square
from kernelscribe.engines.spectral.tables import FINENESS, Tables
from kernelscribe.engines.spectral.waves import Wave
from kernelscribe.engines.spectral.windows import LONGEST_WINDOW, RHO, TermWindows, reach, signs, windows

__all__ = ["Cost", "cost", "work"]

# What takes as long, in floating-point operations of a large matrix product, as an entry of a Gram matrix;
_ENTRY = 300.0
# an entry of a band, times what it meets, in factor and inverse;
_PANEL = 8.0
# an entry of an arm, times another;
_ARM = 3.0
# a value on a comb;
_VALUE = 3000.0
# a value interpolated in a table, there and back.
_BETWEEN = 2000.0
# Every call takes a while, however little there is to do.
_CALL = 2e8


@dataclass(frozen=True, slots=True)
class Cost:
    """Floating-point operations of value and gradient, about.

    Attributes:
        windows: with windows for the terms at `places` and waves for the others; inf where no term can have windows.
        waves: with waves alone, and `frequencies` how many these are.
    """

    windows: float
    waves: float
    frequencies: float
    places: tuple[int, ...]

    @property
    def pays(self) -> bool:
        """Whether windows are the cheaper way."""
        return self.windows < self.waves


def cost(waves: list[Wave], tables: Tables, s2: float, tolerance: float, rho: float = RHO) -> Cost:
    """The cheapest choice of terms for windows, which go by lengthscale, and what it costs beside waves alone."""
    counts = [_frequencies(wave, tables, s2, tolerance / 2) for wave in waves]
    short = sorted((i for i, wave in enumerate(waves) if wave.lengthscale <= LONGEST_WINDOW), key=lambda i: waves[i].lengthscale)
    best = Cost(math.inf, _dense(2 * sum(counts)), sum(counts), ())
    for size in range(1, len(short) + 1):
        places = tuple(sorted(short[:size]))
        needed = _with(waves, counts, places, tables, s2, tolerance, rho)
        if needed < best.windows:
            best = replace(best, windows=needed, places=places)
    return best


def work(waves: list[Wave], places: tuple[int, ...], tables: Tables, s2: float, tolerance: float, rho: float = RHO) -> float:
    """What windows for these terms cost."""
    counts = [_frequencies(wave, tables, s2, tolerance / 2) for wave in waves]
    return _with(waves, counts, places, tables, s2, tolerance, rho)


def _with(
    waves: list[Wave], counts: list[float], places: tuple[int, ...], tables: Tables, s2: float, tolerance: float, rho: float
) -> float:
    others = sum(count for i, count in enumerate(counts) if i not in places)
    return _banded(windows(waves, list(places), tables, s2, tolerance / 2, rho), len(waves) - len(places), others)


def _dense(m: float) -> float:
    return m**3 + _ENTRY * m**2


def _banded(terms: list[TermWindows], blocks: int, others: float) -> float:
    """The factor and the inverse on its pattern, the entries, and the rows of table values that the arms are made of."""
    live = [a for a in terms if len(a.w)]
    if not live:
        return math.inf
    longest = max(a.ell for a in live)
    m = sum((2 * a.half + 1) * len(a.line) for a in live)
    band = sum(len(a.line) * reach(longest, longest) / a.spacing for a in live)
    g = 2 * others
    read = 0.0
    for a in live:
        # Every line's own row of the tables, as long as the window's spectrum is wide, and combs on it for all that it meets.
        # Where there is no cycle, each wave is met once.
        row = (len(a.w) if a.wave.cycles else 0.5) * 4 * FINENESS / a.ell
        read += row * (_BETWEEN * (blocks + 1) + _VALUE * (others + sum(len(b.w) for b in live)) / a.step)
    panels = _PANEL * m * (band + 32) * (band + g + 32) + _ARM * m * g**2
    return float(_CALL + panels + _dense(g) + _ENTRY * m * (band + g) + read)


def _frequencies(wave: Wave, tables: Tables, s2: float, tolerance: float) -> float:
    """About how many waves a term needs: each line spreads until what lies further out is less than the tolerance."""
    full = square(wave.polynomial, tables.moments) * wave.variance / s2
    if full <= tolerance:
        return 0.0
    spectrum = lines(wave.cycles, 1e-2 * tolerance / full)
    half = signs(spectrum.number) >= 0
    nu, share = np.abs(spectrum.nu[half]), spectrum.weight[half] * full
    kept = share > tolerance / max(len(share), 1)
    if math.isinf(wave.lengthscale):
        return float(kept.sum())
    h = max(int(FINENESS / (1 + 9.1 * wave.lengthscale)), 1) / FINENESS if wave.lengthscale <= LONGEST else 1 / 16
    spread = np.sqrt(2 * np.log(np.maximum(share[kept] / tolerance, 1.0))) / (2 * math.pi * wave.lengthscale)
    apart = float((2 * spread / h + 1).sum())
    together = float((nu[kept] + spread).max(initial=0.0)) / h + 1
    return min(apart, together, tables.last / (FINENESS * h) + 1)
