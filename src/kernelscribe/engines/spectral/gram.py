"""Inner products of features over the data, read from the tables.

A frequency ξ of a term has two features, P cos(2πξu) and P sin(2πξu). With p the coefficients of P P′,
C = Σ_r p_r Re t_r, S = Σ_r p_r Im t_r, δ = ξ − ξ′ and σ = ξ + ξ′:

    cos·cos′ = ½[C(δ) + C(σ)],   sin·sin′ = ½[C(δ) − C(σ)],   sin·cos′ = ½[S(σ) + S(δ)],   cos·sin′ = ½[S(σ) − S(δ)].

All cosines of a block stand before all its sines. The sine of frequency zero stays, as a feature that is nothing.
"""

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.spectral.features import Block
from kernelscribe.engines.spectral.tables import Positions, Tables
from kernelscribe.engines.spectral.waves import times

__all__ = ["gram", "products", "projection", "projections", "sections"]


def sections(blocks: list[Block]) -> list[slice]:
    """Where the features of each block stand."""
    ends = np.cumsum([2 * len(block.w) for block in blocks]).tolist()
    return [slice(start, stop) for start, stop in zip([0, *ends[:-1]], ends, strict=True)]


def gram(blocks: list[Block], tables: Tables) -> Array:
    """G = ΦᵀΦ; the lower triangle of blocks, as LAPACK wants it."""
    where = sections(blocks)
    total = where[-1].stop if where else 0
    G = np.zeros((total, total), order="F")
    for i, (a, rows) in enumerate(zip(blocks, where, strict=True)):
        for b, columns in zip(blocks[: i + 1], where[: i + 1], strict=True):
            both = times(a.wave.polynomial, b.wave.polynomial)
            G[rows, columns] = products(tables, both, a.at, b.at)
    return G


def projections(blocks: list[Block], tables: Tables) -> Array:
    """b = Φᵀy."""
    return np.concatenate([projection(tables, block.wave.polynomial, block.at) for block in blocks])


def projection(tables: Tables, polynomial: Array, at: Positions) -> Array:
    """The features of one block on y."""
    sums = tables.targets(polynomial, at)
    return np.concatenate([sums.real, sums.imag])


def products(tables: Tables, polynomial: Array, a: Positions, b: Positions) -> Array:
    """The inner products of features at positions a and b [2a, 2b], with the polynomial of both together."""
    if a.dtype != b.dtype:
        a, b = a.astype(np.float64), b.astype(np.float64)
    near, far = tables.powers(polynomial, a[:, None] - b), tables.powers(polynomial, a[:, None] + b)
    n, m = len(a), len(b)
    found = np.empty((2 * n, 2 * m), order="F")
    np.add(near.real, far.real, out=found[:n, :m])
    np.subtract(near.real, far.real, out=found[n:, m:])
    np.add(far.imag, near.imag, out=found[n:, :m])
    np.subtract(far.imag, near.imag, out=found[:n, m:])
    found *= 0.5
    return found
