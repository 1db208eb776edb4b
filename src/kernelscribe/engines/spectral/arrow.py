"""Positive definite matrices that are a band with an arrow: features that meet their neighbours in time, and a few that meet all.

        ⎡ band   arms ⎤
    B = ⎣ armsᵀ corner⎦ ,      kept in panels: columns pb, …, pb+b−1 with the rows from pb on, as far down as the band goes.

The factor B = LLᵀ has the same pattern. So has what `inverse` finds: the entries of B⁻¹ at the places of the pattern, which is
all that a gradient needs. Of the band D alone they come from the last panel to the first (Takahashi), with S the rows below a
panel's own and Y = L_S L_pp⁻¹,

    (D⁻¹)_Sp = −(D⁻¹)_SS Y,        (D⁻¹)_pp = L_pp⁻ᵀL_pp⁻¹ + Yᵀ(D⁻¹)_SS Y;

and with the arrow, U = D⁻¹·arms and C = corner − armsᵀU, they are D⁻¹ + UC⁻¹Uᵀ, −UC⁻¹ and C⁻¹. Arms are far wider than panels,
so what they take is done in few large products, once for all panels: panel by panel it took three times as long.

Legend: b columns of a panel, H rows below its own, g columns of the arms.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import cholesky, inverse

__all__ = ["Arrow", "ArrowFactor", "BandLayout", "Numbers", "factor"]

Numbers = NDArray[np.int64]

# Panels that a column of the band crosses, at most, as long as panels are no wider than they may be.
_PANELS = 4
# Columns of a panel, at least: fewer cost as much.
_NARROWEST = 32
# Columns from which it pays to have one panel more.
_NARROW = 56
# Columns of a panel, at most: more take work where the band is empty.
_WIDEST = 256


@dataclass(frozen=True, slots=True)
class BandLayout:
    """Where the entries of a band stand.

    Attributes:
        m: columns of the matrix; those that fill the last panel come on top.
        b: columns of a panel; `H` rows below its own; `panels` their number.
    """

    m: int
    b: int
    H: int
    panels: int

    @classmethod
    def of(cls, m: int, band: int) -> "BandLayout":
        """For m columns with entries up to so many rows below the diagonal."""
        around = max(min(math.ceil(band / _NARROW), _PANELS), math.ceil(band / _WIDEST), 1)
        b = max(math.ceil(band / around), _NARROWEST)
        return cls(m, b, b * around, math.ceil(m / b))

    @property
    def length(self) -> int:
        return self.panels * self.b

    def columns(self, c: Numbers) -> Numbers:
        """What a column adds to the flat index of an entry."""
        return np.asarray(c + (c // self.b) * (self.b * (self.H - 1)))

    def flat(self, r: Numbers, c: Numbers) -> Numbers:
        """The flat index of the entries in rows r and columns c, of which either may be the larger."""
        return np.asarray(np.maximum(r, c) * self.b + self.columns(np.minimum(r, c)))


@dataclass(frozen=True, slots=True)
class Arrow:
    """The lower triangle of the band [panels, b + H, b], the arms [length, g] and the corner [g, g]."""

    layout: BandLayout
    band: Array
    arms: Array
    corner: Array

    @classmethod
    def identity(cls, layout: BandLayout, g: int) -> "Arrow":
        band = np.zeros((layout.panels, layout.b + layout.H, layout.b))
        np.einsum("pii->pi", band[:, : layout.b])[:] = 1.0
        return cls(layout, band, np.zeros((layout.length, g)), np.eye(g))

    @property
    def diagonal(self) -> Array:
        """Of the band, without what fills the last panel."""
        return np.asarray(np.einsum("pii->pi", self.band[:, : self.layout.b]).ravel()[: self.layout.m])

    def quadratic(self, first: int, F: Array, G: Array) -> Array:
        """vᵀMv of a symmetric matrix whose diagonal blocks are whole, for several v: in the rows from a panel's first on they are
        F [rows, n], in the corner G [g, n], and nothing elsewhere. What the matrix has outside the pattern is not seen."""
        b, H = self.layout.b, self.layout.H
        panels = -(-len(F) // b)
        whole = np.zeros((panels * b + H, F.shape[1]))
        whole[: len(F)] = F
        found = 2 * np.einsum("gn,gn->n", G, self.arms[first * b : first * b + len(F)].T @ F)
        for p in range(panels):
            own, below = whole[p * b : (p + 1) * b], whole[(p + 1) * b : (p + 1) * b + H]
            block = self.band[first + p]
            found += np.einsum("in,in->n", own, block[:b] @ own) + 2 * np.einsum("in,in->n", below, block[b:] @ own)
        return np.asarray(found + np.einsum("gn,gn->n", G, self.corner @ G))


@dataclass(frozen=True, slots=True)
class ArrowFactor:
    """L, and L⁻¹r of a right-hand side.

    Attributes:
        inverse: of the panels' own blocks of L.
        below: the rows of L below them; `arms` those of the corner, transposed.
        tip: L's own block of the corner.
        determinant: log det B.
        half: L⁻¹r, and `end` what the corner has of it.
    """

    layout: BandLayout
    inverses: Array
    below: Array
    arms: Array
    tip: Array
    determinant: float
    half: Array
    end: Array

    def solution(self) -> tuple[Array, Array]:
        """B⁻¹r: of the band, and of the corner."""
        return self._back(self.tip, self.inverses)

    def halfway(self) -> tuple[Array, Array]:
        """(I + Lᵀ)⁻¹L⁻¹r."""
        raised = [lapack.dtrtri(block, lower=1)[0] + np.eye(self.layout.b) for block in self.inverses]
        return self._back(self.tip + np.eye(len(self.end)), [lapack.dtrtri(L, lower=1)[0] for L in raised])

    def _back(self, tip: Array, inverses: Iterable[Array]) -> tuple[Array, Array]:
        """M⁻ᵀL⁻¹r, where M is L with these blocks on its diagonal: of the corner, and the inverses of the panels'."""
        b, H = self.layout.b, self.layout.H
        end = lapack.dtrtrs(tip, self.end, lower=1, trans=1)[0] if len(self.end) else self.end
        right = self.half - self.arms @ end
        found = np.zeros(self.layout.length + H)
        for p, block in reversed(list(enumerate(inverses))):
            own = slice(p * b, (p + 1) * b)
            found[own] = block.T @ (right[own] - self.below[p].T @ found[(p + 1) * b : (p + 1) * b + H])
        return found[: self.layout.length], end

    def forward(self, right: Array, end: Array) -> tuple[Array, Array]:
        """L⁻¹ times several right-hand sides of band [length, k] and corner [g, k]."""
        b, around = self.layout.b, self.layout.H // self.layout.b
        half = right.copy()
        for p in range(self.layout.panels):
            part = half[p * b : (p + 1) * b]
            part[:] = self.inverses[p] @ part
            for i in range(min(around, self.layout.panels - 1 - p)):
                half[(p + 1 + i) * b : (p + 2 + i) * b] -= self.below[p, i * b : (i + 1) * b] @ part
        return half, lapack.dtrtrs(self.tip, end - self.arms.T @ half, lower=1)[0] if len(end) else end

    def inverse(self) -> Arrow:
        """B⁻¹ at the places of the pattern."""
        layout, g = self.layout, len(self.end)
        b, H = layout.b, layout.H
        band = self._band()
        if not g:
            return Arrow(layout, band, np.empty((layout.length, 0)), np.zeros((0, 0)))
        corner = inverse(self.tip)
        U = np.zeros((layout.length + H, g))
        for p in range(layout.panels - 1, -1, -1):
            own, after = slice(p * b, (p + 1) * b), slice((p + 1) * b, (p + 1) * b + H)
            U[own] = self.inverses[p].T @ (self.arms[own] - self.below[p].T @ U[after])
        arms = U[: layout.length] @ corner
        for p in range(layout.panels):
            band[p] += U[p * b : (p + 1) * b + H] @ arms[p * b : (p + 1) * b].T
        return Arrow(layout, band, np.negative(arms, out=arms), corner)

    def _band(self) -> Array:
        """Of the band's own inverse what stands in the band."""
        layout = self.layout
        b, H = layout.b, layout.H
        around = H // b
        found = np.empty((layout.panels, b + H, b))
        # (D⁻¹)_SS: the panels below take turns in the places, so that none has to move.
        near, down = np.zeros((H, H)), np.empty((H, b))
        for p in range(layout.panels - 1, -1, -1):
            turn = (p + 1) % around * b
            down[turn:], down[:turn] = self.below[p, : H - turn], self.below[p, H - turn :]
            Y = down @ self.inverses[p]
            across = near @ Y
            block = self.inverses[p].T @ self.inverses[p] + Y.T @ across
            # What rounding leaves unsymmetric would grow from panel to panel; what is symmetric dies away.
            block = 0.5 * (block + block.T)
            across *= -1
            found[p, :b] = block
            found[p, b : b + H - turn], found[p, b + H - turn :] = across[turn:], across[:turn]
            place = slice(p % around * b, p % around * b + b)
            near[:, place], near[place] = across, across.T
            near[place, place] = block
        return found


def factor(matrix: Arrow, right: Array, end: Array) -> ArrowFactor | None:
    """The factor, in the place of the matrix, and L⁻¹ times a right-hand side of band and corner; None where the matrix is not
    positive definite."""
    layout, g = matrix.layout, len(end)
    b, H, last = layout.b, layout.H, layout.panels
    arms, half = matrix.arms, right.copy()
    inverses, determinant = np.empty((last, b, b)), 0.0
    for p in range(last):
        L = cholesky(matrix.band[p, :b])
        if L is None:
            return None
        determinant += 2 * float(np.log(np.diagonal(L)).sum())
        inverses[p] = lapack.dtrtri(L, lower=1)[0]
        arm, part = arms[p * b : (p + 1) * b], half[p * b : (p + 1) * b]
        arm[:], part[:] = inverses[p] @ arm, inverses[p] @ part
        below = matrix.band[p, b:]
        below[:] = below @ inverses[p].T
        for i in range(min(H // b, last - 1 - p)):
            rows, own = below[i * b :], below[i * b : (i + 1) * b]
            matrix.band[p + 1 + i, : H - i * b] -= rows @ own.T
            arms[(p + 1 + i) * b : (p + 2 + i) * b] -= own @ arm
            half[(p + 1 + i) * b : (p + 2 + i) * b] -= own @ part
    tip = np.zeros((0, 0))
    if g:
        corner = np.asfortranarray(matrix.corner)
        corner -= blas.dsyrk(1.0, arms.T, lower=1)
        found = cholesky(corner, overwrite=True)
        if found is None:
            return None
        tip = found
        determinant += 2 * float(np.log(np.diagonal(tip)).sum())
        end = lapack.dtrtrs(tip, end - arms.T @ half, lower=1)[0]
    return ArrowFactor(layout, inverses, matrix.band[:, b:], arms, tip, determinant, half, end)
