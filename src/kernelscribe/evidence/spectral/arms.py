"""Inner products of windows with waves that last for ever, and of windows with y; and the way back.

A window's line ν and a wave ξ meet in g(τ_k, ν − ξ) and g(τ_k, ν + ξ), with L = ℓ (smooth.py). Where waves stand on places of the
tables, one interpolation serves all of them.
"""

import numpy as np

from kernelscribe.evidence.spectral.features import Block
from kernelscribe.evidence.spectral.pairs import Share, rows
from kernelscribe.evidence.spectral.smooth import Regular, Row
from kernelscribe.evidence.spectral.tables import FINENESS, Complex, Tables
from kernelscribe.evidence.spectral.waves import times
from kernelscribe.evidence.spectral.windows import Window
from kernelscribe.kernels.base import Array

__all__ = ["arms", "pull_arms", "pull_targets", "targets"]

_RAISE = np.array([0.0, 1.0])


def targets(a: Window, tables: Tables) -> Array:
    """Φᵀy [centres, f]."""
    smooth = a.at_centres()
    g = smooth.sums(rows(smooth, a.nu, a.wave.polynomial, tables, targets=True))
    return np.where(a.sine[:, None], g.imag[a.line], g.real[a.line]).T


def pull_targets(a: Window, bar: Array, tables: Tables) -> Share:
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


def _combs(a: Window, n: int, block: Block, smooth: Regular, polynomial: Array, tables: Tables) -> Complex:
    """The tables' values on the combs of ν − ξ, then of ν + ξ."""
    centre, wide = float(a.nu[n] * FINENESS), smooth.margin() + float(np.abs(block.at).max(initial=0))
    row = Row.between(tables, polynomial, centre - wide, centre + wide + 1)
    if np.issubdtype(block.at.dtype, np.integer):
        whole = np.floor(centre)
        row, centre = row.shifted(centre - whole), float(whole)
    return row.comb(centre + np.concatenate([-block.at, block.at]), smooth.step, smooth.teeth)


def arms(a: Window, block: Block, tables: Tables) -> Array:
    """The inner products with all features of a block [centres, f, 2·waves]."""
    smooth, count = a.at_centres(), len(block.at)
    if not count:
        return np.empty((2 * a.half + 1, len(a.line), 0))
    found = np.empty((2 * a.half + 1, len(a.line), 2 * count))
    polynomial = times(a.wave.polynomial, block.wave.polynomial)
    for n in range(len(a.nu)):
        near, far = np.split(smooth.sums(_combs(a, n, block, smooth, polynomial, tables)), 2)
        for f in np.flatnonzero(a.line == n):
            cosines, sines = (
                (far.imag + near.imag, near.real - far.real) if a.sine[f] else (near.real + far.real, far.imag - near.imag)
            )
            found[:, f, :count], found[:, f, count:] = cosines.T, sines.T
    found *= 0.5
    return found


def pull_arms(a: Window, block: Block, bar: Array, tables: Tables) -> tuple[Share, Share]:
    """From the cotangents of these products, for the values of the window's term and of the block's."""
    smooth, count = a.at_centres(), len(block.at)
    polynomial = times(a.wave.polynomial, block.wave.polynomial)
    wide, by_nu, by_xi = 0.0, np.zeros(len(a.nu)), np.zeros(count)
    own, others = np.zeros(len(a.wave.roots)), np.zeros(len(block.wave.roots))
    for n in range(len(a.nu) if count else 0):
        bar_g = np.zeros((2 * count, len(bar)), dtype=np.complex128)
        for f in np.flatnonzero(a.line == n):
            cosines, sines = 0.5 * bar[:, f, :count].T, 0.5 * bar[:, f, count:].T
            if a.sine[f]:
                bar_g += np.concatenate([sines + 1j * cosines, -sines + 1j * cosines])
            else:
                bar_g += np.concatenate([cosines - 1j * sines, cosines + 1j * sines])
        h = smooth.adjoint(bar_g)

        def owed(polynomial: Array, n: int = n, h: Complex = h) -> Complex:
            return np.asarray(np.einsum("xj,xj->x", h, _combs(a, n, block, smooth, polynomial, tables)))

        wide += float(np.einsum("xj,xj,j->", h, _combs(a, n, block, smooth, polynomial, tables), smooth.widening).real)
        h *= smooth.weight
        if a.wave.cycles or block.moves:
            near, far = np.split(-2 * np.pi * owed(times(_RAISE, polynomial)).imag, 2)
            by_nu[n] = near.sum() + far.sum()
            by_xi += far - near
        for i in range(len(own)):
            own[i] += owed(times(a.wave.without(i), block.wave.polynomial)).sum().real
        for i in range(len(others)):
            others[i] += owed(times(a.wave.polynomial, block.wave.without(i))).sum().real
    moved = np.array([float(by_xi @ each) for each in block.moves] or [0.0] * len(block.wave.cycles))
    return Share(wide, -(by_nu @ a.number) * a.rates, own), Share(0.0, moved, others)
