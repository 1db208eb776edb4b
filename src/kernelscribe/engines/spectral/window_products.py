"""Inner products of windows with waves that last for ever, and of windows with y; and the way back.

A window's line ν and a wave ξ meet in g(τ_k, ν − ξ) and g(τ_k, ν + ξ), with L = ℓ (smooth.py). Where waves stand on places of the
tables, one interpolation serves all of them. Where ν is zero the two are conjugates, so the second alone is made. Waves are taken
some at a time: what they need together fits no cache.
"""

from collections.abc import Iterator

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.spectral.features import Block
from kernelscribe.engines.spectral.pairs import Share, rows
from kernelscribe.engines.spectral.smooth import Regular, TableRow
from kernelscribe.engines.spectral.tables import FINENESS, Complex, Positions, Tables
from kernelscribe.engines.spectral.waves import times
from kernelscribe.engines.spectral.windows import TermWindows

__all__ = ["arms", "pull_arms", "pull_targets", "targets"]

_RAISE = np.array([0.0, 1.0])
# Waves at a time.
_PIECE = 64


def targets(a: TermWindows, tables: Tables) -> Array:
    """Φᵀy [centres, f]."""
    smooth = a.at_centres()
    g = smooth.sums(rows(smooth, a.nu, a.wave.polynomial, tables, targets=True))
    return np.where(a.sine[:, None], g.imag[a.line], g.real[a.line]).T


def pull_targets(a: TermWindows, bar: Array, tables: Tables) -> Share:
    """From the cotangents of Φᵀy."""
    smooth = a.at_centres()
    bar_g = np.zeros((len(a.nu), len(bar)), dtype=np.complex128)
    bar_g.real = bar.T[~a.sine]
    bar_g.imag[a.line[a.sine]] = bar.T[a.sine]
    h = smooth.adjoint(bar_g)

    def values(polynomial: Array) -> Complex:
        return rows(smooth, a.nu, polynomial, tables, targets=True)

    wide = float(np.einsum("xj,xj,j->", h, values(a.wave.polynomial), smooth.widening).real)
    h *= smooth.weight
    by_nu = -2 * np.pi * np.einsum("xj,xj->x", h, values(times(_RAISE, a.wave.polynomial))).imag
    roots = [float(np.einsum("xj,xj->", h, values(a.wave.without(i))).real) for i in range(len(a.wave.roots))]
    return Share(wide, -(by_nu @ a.number) * a.rates, np.array(roots))


def _combs(a: TermWindows, n: int, at: Positions, smooth: Regular, polynomial: Array, tables: Tables) -> Complex:
    """The tables' values on the combs of ν − ξ, then of ν + ξ; of the latter alone where ν is zero."""
    if not a.nu[n]:
        wide = smooth.margin()
        row = TableRow.between(tables, polynomial, float(at.min()) - wide, float(at.max()) + wide + 1)
        return row.comb(at.astype(np.float64), smooth.step, smooth.teeth)
    centre, wide = float(a.nu[n] * FINENESS), smooth.margin() + float(np.abs(at).max(initial=0))
    row = TableRow.between(tables, polynomial, centre - wide, centre + wide + 1)
    if np.issubdtype(at.dtype, np.integer):
        whole = np.floor(centre)
        row, centre = row.shifted(centre - whole), float(whole)
    return row.comb(centre + np.concatenate([-at, at]), smooth.step, smooth.teeth)


def _pieces(count: int) -> Iterator[slice]:
    return (slice(start, min(start + _PIECE, count)) for start in range(0, count, _PIECE))


def arms(a: TermWindows, block: Block, tables: Tables) -> Array:
    """The inner products with all features of a block [centres, f, 2·waves]."""
    smooth, count = a.at_centres(), len(block.at)
    found = np.empty((2 * a.half + 1, len(a.line), 2 * count))
    polynomial = times(a.wave.polynomial, block.wave.polynomial)
    for n in range(len(a.nu)):
        for piece in _pieces(count):
            sums = smooth.sums(_combs(a, n, block.at[piece], smooth, polynomial, tables))
            near, far = np.split(0.5 * sums, 2) if a.nu[n] else (0.5 * sums.conj(), 0.5 * sums)
            cosines, sines = found[..., :count][..., piece], found[..., count:][..., piece]
            for f in np.flatnonzero(a.line == n):
                if a.sine[f]:
                    cosines[:, f], sines[:, f] = (far.imag + near.imag).T, (near.real - far.real).T
                else:
                    cosines[:, f], sines[:, f] = (near.real + far.real).T, (far.imag - near.imag).T
    return found


def pull_arms(a: TermWindows, block: Block, bar: Array, tables: Tables) -> tuple[Share, Share]:
    """From the cotangents of these products, for the values of the window's term and of the block's."""
    smooth, count = a.at_centres(), len(block.at)
    polynomial = times(a.wave.polynomial, block.wave.polynomial)
    wide, by_nu, by_xi = 0.0, np.zeros(len(a.nu)), np.zeros(count)
    own, others = np.zeros(len(a.wave.roots)), np.zeros(len(block.wave.roots))
    for n in range(len(a.nu)):
        for piece in _pieces(count):
            h = smooth.adjoint(_owed(a, n, bar[..., :count][..., piece], bar[..., count:][..., piece]))

            def owed(polynomial: Array, h: Complex = h, n: int = n, piece: slice = piece) -> Complex:
                return np.asarray(np.einsum("xj,xj->x", h, _combs(a, n, block.at[piece], smooth, polynomial, tables)))

            values = _combs(a, n, block.at[piece], smooth, polynomial, tables)
            wide += float((np.einsum("xj,xj->j", h, values) @ smooth.widening).real)
            h *= smooth.weight
            if a.wave.cycles or block.moves:
                by_each = -2 * np.pi * owed(times(_RAISE, polynomial)).imag
                near, far = np.split(by_each, 2) if a.nu[n] else (np.zeros_like(by_each), by_each)
                by_nu[n] += near.sum() + far.sum()
                by_xi[piece] += far - near
            for i in range(len(own)):
                own[i] += owed(times(a.wave.without(i), block.wave.polynomial)).sum().real
            for i in range(len(others)):
                others[i] += owed(times(a.wave.polynomial, block.wave.without(i))).sum().real
    moved = np.array([float(by_xi @ each) for each in block.moves] or [0.0] * len(block.wave.cycles))
    return Share(wide, -(by_nu @ a.number) * a.rates, own), Share(0.0, moved, others)


def _owed(a: TermWindows, n: int, cosines: Array, sines: Array) -> Complex:
    """What is owed to g by the products of one line with the waves' cosines and sines [centres, f, waves]."""
    waves, centres = cosines.shape[2], len(cosines)
    bar_g = np.zeros((2 * waves if a.nu[n] else waves, centres), dtype=np.complex128)
    for f in np.flatnonzero(a.line == n):
        even, odd = cosines[:, f].T, sines[:, f].T
        if not a.nu[n]:
            bar_g.real, bar_g.imag = even, odd
        elif a.sine[f]:
            bar_g += 0.5 * np.concatenate([odd + 1j * even, -odd + 1j * even])
        else:
            bar_g += 0.5 * np.concatenate([even - 1j * odd, even + 1j * odd])
    return bar_g
