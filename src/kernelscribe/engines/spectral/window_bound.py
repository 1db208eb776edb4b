"""The same bound as bound.py, on features of two kinds: windows in time for terms of short lengthscale, waves for the others.

Windows meet only their neighbours, so B = I + W^½GW^½/s2 is a band with an arrow (arrow.py), and the work grows as the record is
long, where with waves it grows as the cube of that. Everything is read from the tables, so nothing depends on N. Lines and waves
that were left out are a remainder R ⪰ 0, as in bound.py; what windows miss of their own kernel is a small share of it, of any
sign, which the certificate accounts for (window_certificate.py). The gradient stands in window_slope.py.

Legend: as in bound.py. Features of windows come first, in the order of time, those of waves behind them.
"""

import math
from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.effort import STANDARD
from kernelscribe.engines.spectral.arrow import Arrow, ArrowFactor, factor
from kernelscribe.engines.spectral.band_order import BandOrder
from kernelscribe.engines.spectral.bound import Pull
from kernelscribe.engines.spectral.cost import cost, work
from kernelscribe.engines.spectral.features import Block, blocks, kept
from kernelscribe.engines.spectral.gram import gram, projections, sections
from kernelscribe.engines.spectral.pairs import Pair, pair
from kernelscribe.engines.spectral.tables import Tables, synthesise
from kernelscribe.engines.spectral.waves import Wave
from kernelscribe.engines.spectral.window_products import arms, targets
from kernelscribe.engines.spectral.window_slope import local_pull
from kernelscribe.engines.spectral.windows import RHO, TermWindows, windows

__all__ = ["Local", "assembled", "local_solve"]

# Lines of waves lighter than this do not matter.
_LIGHT = 1e-14


@dataclass(frozen=True, slots=True)
class Local:
    """What windows and waves make of the data.

    Attributes:
        waves: all terms; `terms` those with windows, `blocks` those with waves, `others` the numbers of the latter.
        live: terms that have windows: of a light one all lines may have been left out.
        value: log N(y | 0, ΦWΦᵀ + s2·I).
        trace: tr R.
        cost: floating-point operations of value and gradient, about.
        pairs: inner products of the live terms i and j.
        root: W^½ of windows; `stem` of waves.
        z: W^½Φᵀα of windows; `end` of waves.
    """

    waves: list[Wave]
    terms: list[TermWindows]
    live: list[TermWindows]
    blocks: list[Block]
    others: list[int]
    s2: float
    rows: int
    value: float
    trace: float
    quadratic: float
    cost: float
    order: BandOrder
    pairs: list[tuple[int, int, Pair]]
    factor: ArrowFactor
    root: Array
    stem: Array
    z: Array
    end: Array

    @property
    def lower(self) -> float:
        """The bound."""
        return self.value - 0.5 * self.trace / self.s2

    @property
    def explained(self) -> float:
        """zᵀz of all features."""
        return float(self.z @ self.z) + float(self.end @ self.end)

    @property
    def alpha(self) -> float:
        """‖α‖²."""
        return max(self.quadratic - self.explained, 0.0) / self.s2

    @property
    def sections(self) -> list[slice]:
        """Where the features of each block of waves stand."""
        return sections(self.blocks) if self.blocks else []

    def pull(self, tables: Tables) -> tuple[list[Pull], float]:
        """The gradient: for every term, in the order of the waves, and in log s2."""
        return local_pull(self, tables)

    def means(self, u: Array) -> list[Array]:
        """The posterior mean of every term at places of the unit range: windows are waves too, so one transform sums them."""
        means = [np.zeros(len(u)) for _ in self.waves]
        beta, tip = self.root * self.z, self.stem * self.end
        for a, own in zip(self.live, self.order.features, strict=True):
            smooth, coefficients = a.at_centres(), beta[own].T
            packed = np.zeros((len(a.nu), len(own)), dtype=np.complex128)
            packed.real = coefficients[~a.sine]
            packed.imag[a.line[a.sine]] = coefficients[a.sine]
            spectrum = smooth.adjoint(packed) * smooth.weight
            xi = a.nu[:, None] + smooth.x
            means[a.place] = synthesise(u, xi.ravel(), spectrum.real.ravel(), -spectrum.imag.ravel())
        for i, block, where in zip(self.others, self.blocks, self.sections, strict=True):
            cosines, sines = np.split(tip[where], 2)
            means[i] = synthesise(u, block.xi, cosines, sines)
        return [np.polynomial.polynomial.polyval(u, wave.polynomial) * mean for wave, mean in zip(self.waves, means, strict=True)]


def local_solve(
    waves: list[Wave],
    tables: Tables,
    s2: float,
    tolerance: float,
    most: int,
    *,
    places: tuple[int, ...] = (),
    rho: float = RHO,
    limit: float = STANDARD.windows_work,
) -> Local | None:
    """The bound with windows for the terms at these places, by default where they pay most, and waves for the others, of which no
    more than so many frequencies are kept.

    None where no term can have windows, where the work would be too much, and where rounding leaves B short of positive definite.
    """
    if places:
        needed = work(waves, places, tables, s2, tolerance, rho)
    else:
        choice = cost(waves, tables, s2, tolerance, rho)
        needed, places = choice.windows, choice.places
    if needed > limit or math.isinf(needed):
        return None
    terms = windows(waves, list(places), tables, s2, tolerance / 2, rho)
    others = [wave for i, wave in enumerate(waves) if i not in places]
    chosen = kept(blocks(others, tables, _LIGHT), s2, tolerance / 2, most) if others else []
    return assembled(waves, terms, chosen, tables, s2, needed)


def assembled(
    waves: list[Wave], terms: list[TermWindows], chosen: list[Block], tables: Tables, s2: float, needed: float = math.nan
) -> Local | None:
    """The same with these windows, and these waves for the other terms, which cost so many operations; None as before."""
    places = {a.place for a in terms}
    others = [i for i in range(len(waves)) if i not in places]
    live = [a for a in terms if len(a.w)]
    order = BandOrder.of(live)
    pairs = [(i, j, pair(a, b, tables)) for i, a in enumerate(live) for j, b in enumerate(live[: i + 1])]
    root = np.zeros(order.layout.length)
    for a, own in zip(live, order.features, strict=True):
        root[own] = a.root
    stem = np.sqrt(np.concatenate([np.concatenate([block.w, block.w]) for block in chosen] or [np.empty(0)]))
    B = Arrow.identity(order.layout, len(stem))
    _fill_band(B, order, pairs, s2)
    right, end = _fill_arrow(B, order, live, chosen, root, stem, tables, s2)
    found = factor(B, right, end)
    if found is None:
        return None
    n = len(tables.u)
    quadratic = (tables.energy - (float(found.half @ found.half) + float(found.end @ found.end)) / s2) / s2
    # Less than nothing through rounding, where next to no noise is left.
    if quadratic <= 0:
        return None
    value = -0.5 * (quadratic + n * math.log(s2) + found.determinant + n * math.log(2 * math.pi))
    trace = sum(block.size * block.rest for block in chosen) + sum(a.size * a.rest for a in terms)
    z, tail = found.solution()
    return Local(
        waves, terms, live, chosen, others, s2, n, value, trace, quadratic, needed, order, pairs, found, root, stem,
        z / s2, tail / s2,
    )  # fmt: skip


def _fill_band(B: Arrow, order: BandOrder, pairs: list[tuple[int, int, Pair]], s2: float) -> None:
    flat = B.band.reshape(-1)
    for i, j, both in pairs:
        scale = np.outer(both.a.root, both.b.root) / s2
        for meeting, products in both.entries():
            entries = products * scale
            if not both.twice(meeting):
                np.einsum("naa->na", entries)[:] += 1.0
            flat[order.places(i, j, meeting)] = entries


def _fill_arrow(
    B: Arrow, order: BandOrder, live: list[TermWindows], chosen: list[Block], root: Array, stem: Array, tables: Tables, s2: float
) -> tuple[Array, Array]:
    """Arms and corner; the right-hand side W^½Φᵀy of windows and of waves comes back."""
    right = np.zeros(order.layout.length)
    for a, own in zip(live, order.features, strict=True):
        right[own] = a.root * targets(a, tables)
    if not chosen:
        return right, np.empty(0)
    for block, columns in zip(chosen, sections(chosen), strict=True):
        for a, own in zip(live, order.features, strict=True):
            B.arms[own, columns] = arms(a, block, tables)
    B.arms[:] *= root[:, None]
    B.arms[:] *= stem / s2
    B.corner[:] += gram(chosen, tables) * (stem[:, None] * stem / s2)
    return right, stem * projections(chosen, tables)
