"""The variational bound with waves for inducing features, and its gradient. After the tables nothing here depends on N.

    A = ΦWΦᵀ + s2·I,   B = I + W^½GW^½/s2 = LLᵀ,   a = L⁻¹W^½b,   z = L⁻ᵀa/s2 = W^½Φᵀα,   β = W^½z,   α = A⁻¹y

    log N(y | 0, A) = −½[(yᵀy − aᵀa/s2)/s2 + N log s2 + 2Σ log L_jj + N log 2π]
    log p(y)  ≥  log N(y | 0, A) − tr(R)/2s2,        R = K − ΦWΦᵀ ⪰ 0,        tr R = Σ_terms n·(v − Σ w)    (Jensen)

for any frequencies that are kept. B ⪰ I, so no jitter is needed. Weights move the value by ∂/∂log w = ½[z² − 1 + (B⁻¹)_jj]
for each of the two features, moving features (roots of P, periods of combs) by

    s2⁻¹[ βᵀ(∂Φᵀy) − Σ_jk Q_jk (∂ΦᵀΦ)_jk ],        Q = W^½B⁻¹W^½ + ββᵀ.

Legend: Φ features [N, m], W their prior variances, G = ΦᵀΦ, b = Φᵀy, β posterior mean of their coefficients.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import cholesky, inverse
from kernelscribe.engines.spectral.features import Block
from kernelscribe.engines.spectral.gram import gram, products, projection, projections, sections
from kernelscribe.engines.spectral.tables import Tables, synthesise
from kernelscribe.engines.spectral.waves import times

__all__ = ["Pull", "Solution", "solve"]


@dataclass(frozen=True, slots=True)
class Solution:
    """What the kept features make of the data.

    Attributes:
        value: log N(y | 0, ΦWΦᵀ + s2·I).
        trace: tr R.
        root: W^½ of every feature, two for each frequency.
        coefficients: β.
    """

    blocks: list[Block]
    s2: float
    rows: int
    value: float
    trace: float
    quadratic: float
    root: Array
    L: Array
    z: Array

    @property
    def coefficients(self) -> Array:
        return np.asarray(self.root * self.z)

    @property
    def lower(self) -> float:
        """The bound."""
        return self.value - 0.5 * self.trace / self.s2

    @property
    def alpha(self) -> float:
        """‖α‖²."""
        return max(self.quadratic - float(self.z @ self.z), 0.0) / self.s2

    def means(self, u: Array) -> list[Array]:
        """The posterior mean of every term at places of the unit range."""
        parts = []
        for block, where in zip(self.blocks, sections(self.blocks), strict=True):
            cosines, sines = np.split(self.coefficients[where], 2)
            shape = np.polynomial.polynomial.polyval(u, block.wave.polynomial)
            parts.append(np.asarray(shape * synthesise(u, block.xi, cosines, sines)))
        return parts

    def pull(self, tables: Tables) -> tuple[list["Pull"], float]:
        """The gradient: for every term, and in log s2."""
        moving = any(block.moves or block.wave.roots for block in self.blocks)
        whole = inverse(self.L) if moving else None
        diagonal = np.diagonal(whole).copy() if whole is not None else _diagonal(self.L)
        by_log = 0.5 * (self.z**2 - 1 + diagonal)
        Q, beta = None, self.coefficients
        if whole is not None:
            Q = whole
            Q *= self.root
            Q *= self.root[:, None]
            Q += np.outer(beta, beta)
        pulls = [
            _pull_block(self.blocks, beta, self.s2, i, by_log[where], Q, tables) for i, where in enumerate(sections(self.blocks))
        ]
        noise = 0.5 * (self.quadratic - float(self.z @ self.z) - (self.rows - len(self.z) + float(diagonal.sum())))
        return pulls, noise + 0.5 * self.trace / self.s2


def solve(blocks: list[Block], tables: Tables, s2: float) -> Solution | None:
    """None where rounding leaves B short of positive definite: the noise is too small for the tables."""
    n = len(tables.u)
    root = np.sqrt(np.concatenate([np.concatenate([block.w, block.w]) for block in blocks]))
    B = gram(blocks, tables)
    B *= root / s2
    B *= root[:, None]
    np.einsum("ii->i", B)[:] += 1.0
    L = cholesky(B, overwrite=True)
    if L is None:
        return None
    a = lapack.dtrtrs(L, root * projections(blocks, tables), lower=1)[0] if len(root) else root
    quadratic = (tables.energy - float(a @ a) / s2) / s2
    # Less than nothing through rounding, where next to no noise is left.
    if quadratic <= 0 < tables.energy:
        return None
    determinant = n * math.log(s2) + 2 * float(np.log(np.diagonal(L)).sum())
    value = -0.5 * (quadratic + determinant + n * math.log(2 * math.pi))
    trace = sum(block.size * block.rest for block in blocks)
    z = lapack.dtrtrs(L, a, lower=1, trans=1)[0] / s2 if len(root) else root
    return Solution(blocks, s2, n, value, trace, quadratic, root, L, z)


@dataclass(frozen=True, slots=True)
class Pull:
    """The gradient of the bound for one term: in log v, log ℓ, and for every cycle and root."""

    variance: float
    lengthscale: float
    shape: list[float]
    period: list[float]
    roots: list[float]


def _pull_block(
    blocks: list[Block], beta: Array, s2: float, i: int, by_log: Array, Q: Array | None, tables: Tables
) -> Pull:  # fmt: skip
    """The gradient for one of the blocks, from what log w of its features are worth. Without Q frequencies and roots stay."""
    block = blocks[i]
    count = len(block.w)
    # Where a weight grows, so does what the features hold of the trace.
    by_weight = (by_log[:count] + by_log[count:]) / block.w + 0.5 * block.size / s2
    whole = 0.5 * block.size * block.wave.variance / s2
    roots, moved = [], [0.0] * len(block.wave.cycles)
    if Q is not None:
        roots = [_root(blocks, beta, s2, i, a, Q, tables) for a in range(len(block.wave.roots))]
        moved = _moved(blocks, beta, s2, i, Q, tables) if block.moves else moved
    return Pull(
        float(by_weight @ block.w) - whole,
        float(by_weight @ block.lengthscale),
        [float(by_weight @ each) for each in block.shape],
        [float(by_weight @ each) + more for each, more in zip(block.period, moved, strict=True)],
        roots,
    )


def _root(blocks: list[Block], beta: Array, s2: float, i: int, a: int, Q: Array, tables: Tables) -> float:
    """The derivative in a root of P, which is a factor of every feature of the term."""
    block, where = blocks[i], sections(blocks)
    changed = block.wave.without(a)
    slope = float(beta[where[i]] @ projection(tables, changed, block.at))
    for other, columns in zip(blocks, where, strict=True):
        both = times(changed, other.wave.polynomial)
        slope -= float(np.einsum("jk,jk->", Q[where[i], columns], products(tables, both, block.at, other.at)))
    both = times(changed, block.wave.polynomial)
    size = 2 * float(both @ tables.moments[: len(both)])
    return (slope - 0.5 * size * block.rest) / s2


def _moved(blocks: list[Block], beta: Array, s2: float, i: int, Q: Array, tables: Tables) -> list[float]:
    """The derivatives in the periods of a comb: cosines turn into sines, times u."""
    block, where = blocks[i], sections(blocks)
    count = len(block.w)
    raised = np.concatenate([[0.0], block.wave.polynomial])
    cosines, sines = np.split(projection(tables, raised, block.at), 2)
    # Per frequency: what the value gains when it rises by one.
    gain = 2 * np.pi * (beta[where[i]][count:] * cosines - beta[where[i]][:count] * sines)
    for other, columns in zip(blocks, where, strict=True):
        both = times(raised, other.wave.polynomial)
        turned, own = products(tables, both, block.at, other.at), Q[where[i], columns]
        gain -= (
            2 * np.pi * (np.einsum("jk,jk->j", own[count:], turned[:count]) - np.einsum("jk,jk->j", own[:count], turned[count:]))
        )
    return [float(gain @ each) / s2 for each in block.moves]


def _diagonal(L: Array) -> Array:
    """Of B⁻¹: the squared columns of L⁻¹."""
    inverse = lapack.dtrtri(L, lower=1)[0] if len(L) else L
    return np.asarray(np.einsum("ij,ij->j", inverse, inverse))
