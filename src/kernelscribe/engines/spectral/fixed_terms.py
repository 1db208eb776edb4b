"""What some terms add to a kernel while the others stay as they are.

    A = A₀ + ΦWΦᵀ,     M = ΦᵀA₀⁻¹Φ,     c = ΦᵀA₀⁻¹y,     B = I + W^½MW^½ = LLᵀ,     z = B⁻¹W^½c

    log N(y | 0, A) = log N(y | 0, A₀) − ½ log|B| + ½ cᵀW^½ z,        ∂/∂log w = ½[z² − 1 + (B⁻¹)_jj],

with A₀ the covariance of the terms that stay, on windows and waves, and of the noise. M and c are found once, for frequencies
that stay; then a value takes no more than the new waves alone, however dear the others are. Where weights reach beyond these
frequencies, what lies outside counts as left out: still a bound.

Legend: as in bound.py, of the new features.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import cholesky
from kernelscribe.engines.spectral.bound import Pull, pull_block
from kernelscribe.engines.spectral.features import Block, blocks, kept, step
from kernelscribe.engines.spectral.gram import gram, products, projections, sections
from kernelscribe.engines.spectral.tables import Positions, Tables
from kernelscribe.engines.spectral.waves import Wave, times
from kernelscribe.engines.spectral.window_bound import Local
from kernelscribe.engines.spectral.window_products import arms

__all__ = ["Fixed"]

# A lengthscale may grow by this factor before the grid that carries it is too coarse.
_ROOM = 2.0


@dataclass(frozen=True, slots=True)
class Fixed:
    """Some terms that stay, and the frequencies of the others.

    Attributes:
        floor: lines of new terms lighter than this are not listed.
        steps: of the grids of the new terms.
        at: their positions in the tables, of each new term.
    """

    found: Local
    tables: Tables
    floor: float
    steps: list[int]
    at: list[Positions]
    M: Array
    c: Array

    @classmethod
    def of(cls, found: Local, waves: list[Wave], tables: Tables, tolerance: float, most: int, floor: float) -> "Fixed":
        """With the frequencies that new terms need at their present values, up to the tolerance, or so many."""
        steps = [step(Wave(1.0, (), min(_ROOM * wave.lengthscale, _longest(wave)), ())) for wave in waves]
        chosen = kept(blocks(waves, tables, floor, steps), found.s2, tolerance, most)
        cross, end = _meets(found, chosen, tables)
        half, tip = found.factor.forward(cross, end)
        G = gram(chosen, tables)
        M = (np.tril(G) + np.tril(G, -1).T) / found.s2 - half.T @ half - tip.T @ tip
        c = projections(chosen, tables) / found.s2 - cross.T @ found.z - end.T @ found.end
        return cls(found, tables, floor, steps, [block.at for block in chosen], M, c)

    def value(self, waves: list[Wave]) -> tuple[float, list[Pull]]:
        """The bound at other values of the new terms, and its gradient but for what moves frequencies; −inf where the grid is too
        coarse for them."""
        if any(own > step(wave) for own, wave in zip(self.steps, waves, strict=True)):
            return -math.inf, []
        chosen, index, first = [], [], 0
        for block, at in zip(blocks(waves, self.tables, self.floor, self.steps), self.at, strict=True):
            order = np.argsort(at, kind="stable")
            known = np.isin(block.at, at)
            chosen.append(block.only(known))
            where = order[np.searchsorted(at[order], chosen[-1].at)] if len(at) else np.empty(0, dtype=np.int64)
            index.append(np.concatenate([first + where, first + len(at) + where]))
            first += 2 * len(at)
        own = np.concatenate(index)
        root = np.sqrt(np.concatenate([np.concatenate([block.w, block.w]) for block in chosen]))
        B = self.M[np.ix_(own, own)] * np.outer(root, root)
        np.einsum("ii->i", B)[:] += 1.0
        L = cholesky(B)
        if L is None:
            return -math.inf, []
        right = root * self.c[own]
        z = lapack.dpotrs(L, right, lower=1)[0] if len(own) else right
        inverse = lapack.dtrtri(L, lower=1)[0] if len(own) else L
        by_log = 0.5 * (z**2 - 1 + np.einsum("ij,ij->j", inverse, inverse))
        s2 = self.found.s2
        trace = sum(block.size * block.rest for block in chosen)
        value = self.found.lower - float(np.log(np.diagonal(L)).sum()) + 0.5 * float(right @ z) - 0.5 * trace / s2
        pulls = [pull_block(chosen, root * z, s2, i, by_log[own], None, self.tables) for i, own in enumerate(sections(chosen))]
        return value, pulls


def _longest(wave: Wave) -> float:
    """No grid carries more than it can, and no comb needs to."""
    return math.inf if math.isinf(wave.lengthscale) else 1.0 if wave.lengthscale <= 1 else wave.lengthscale


def _meets(found: Local, chosen: list[Block], tables: Tables) -> tuple[Array, Array]:
    """W^½Φ₀ᵀΦ/s2, of the windows and of the waves that stay."""
    where = sections(chosen)
    cross = np.zeros((found.order.layout.length, where[-1].stop))
    end = np.zeros((len(found.stem), where[-1].stop))
    for block, columns in zip(chosen, where, strict=True):
        for a, own in zip(found.live, found.order.features, strict=True):
            cross[own, columns] = arms(a, block, tables)
        for other, rows in zip(found.blocks, found.sections, strict=True):
            both = times(other.wave.polynomial, block.wave.polynomial)
            end[rows, columns] = products(tables, both, other.at, block.at)
    return cross * (found.root / found.s2)[:, None], end * (found.stem / found.s2)[:, None]
