"""The posterior of a long record with short lengthscales: windows in time for these, waves for all else.

As in posterior.py, with features of two kinds (see engines/spectral/window_bound.py) and a factor that is a band with an arrow:

    mean_S(x) = φ_S(x)ᵀW^½z,     cov_S(x, z) = K_S(x, z) − f_S(x)ᵀ(I − B⁻¹)f_S(z),     f = W^½φ.

A point meets only the windows around it, and of B⁻¹ only what stands in the band there, in the arms and in the corner. Windows
end soon beyond the data; those that would follow know nothing of them, so that a term is again what it was without.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.posterior import Rows, Whole, cross, diagonal
from kernelscribe.engines.spectral.arrow import Arrow, Numbers
from kernelscribe.engines.spectral.cost import cost
from kernelscribe.engines.spectral.posterior_waves import MOST, chosen, curve, features, unseen
from kernelscribe.engines.spectral.tables import FINENESS, Tables
from kernelscribe.engines.spectral.waves import of_term
from kernelscribe.engines.spectral.window_bound import Local, assembled
from kernelscribe.engines.spectral.windows import TermWindows, windows
from kernelscribe.errors import KernelError
from kernelscribe.kernels.normal import Term
from kernelscribe.noises import Noise

__all__ = ["WindowPosterior"]

# Floating-point operations of a value with its gradient, at most: without it some five seconds, and a report asks twenty times.
_MOST_WORK = 3e11
# Nats that lines and waves which are left out may be worth, over all rows.
_TOLERANCE = 1.0
# Places in a window, from its middle, beyond which it is less than 1e-10, in ℓ.
_SEEN = math.sqrt(-math.log(1e-10))
# Points at once.
_BLOCK = 512


@dataclass(frozen=True)
class WindowPosterior(Whole):
    """Windows and waves over all rows."""

    tables: Tables
    found: Local

    @classmethod
    def of(cls, terms: tuple[Term, ...], noise: Noise, X: Array, y: Array) -> "WindowPosterior | None":
        """None where waves will do, or windows would not, or the noise is too small for rounding."""
        tables = Tables.of(X[:, 0], y)
        if tables.frame.span == 0:
            return None
        try:
            waves = [of_term(term, tables.frame) for term in terms]
        except KernelError:
            return None
        choice = cost(waves, tables, noise.level, _TOLERANCE)
        if choice.frequencies <= MOST or not choice.pays or choice.windows > _MOST_WORK:
            return None
        others = [term for i, term in enumerate(terms) if i not in choice.places]
        blocks = chosen(others, tables.frame, tables.u, noise.level, tables.last / FINENESS, _TOLERANCE) if others else []
        if blocks is None:
            return None
        own = windows(waves, list(choice.places), tables, noise.level, _TOLERANCE)
        found = assembled(waves, own, blocks, tables, noise.level)
        return None if found is None else cls(terms, noise, X, y, tables, found)

    @property
    def basis(self) -> str:
        waves = sum(len(block.w) for block in self.found.blocks)
        return f"all rows, by {waves:,} waves and {self.found.order.layout.m:,} that each last for a while"

    @property
    def lacks(self) -> float:
        whole = sum(a.wave.variance * a.size for a in self.found.terms)
        whole += sum(block.wave.variance * block.size for block in self.found.blocks)
        return self.found.trace / whole if whole > 0 else 0.0

    def term(self, j: int, X: Array) -> Array:
        return self._curve(self.found, j, self._places(X))

    def variance(self, X: Array, terms: Sequence[Term] | None = None) -> Array:
        own, u = self._chosen(terms), self._places(X)
        found = diagonal([self.terms[j] for j in own], X)
        # Points in the order of time, so that those of a block meet the same windows.
        order = np.argsort(u, kind="stable")
        for first in range(0, len(u), _BLOCK):
            rows = order[first : first + _BLOCK]
            found[rows] -= self._known(own, u[rows])
        # A difference of nearly equal numbers; rounding may leave it below zero.
        return np.maximum(found, 0.0)

    def unseen(self, X: Array) -> Array:
        return unseen([*self.found.terms, *self.found.blocks], self._places(X))

    def joint(self, X: Array, terms: Sequence[Term] | None = None) -> tuple[Array, Array]:
        own, u = self._chosen(terms), self._places(X)
        F, G = np.zeros((self.found.order.layout.length, len(u))), self._lasting(own, u)
        for at, values in self._met(own, u):
            F[at, np.arange(len(u))[:, None]] = values
        A, C = self.found.factor.forward(F, G)
        known = F.T @ F + G.T @ G - A.T @ A - C.T @ C
        return F.T @ self.found.z + G.T @ self.found.end, cross([self.terms[j] for j in own], X, X) - known

    def held_out(self, folds: Sequence[Rows]) -> Array:
        found = np.empty((len(self.y), len(self.terms)))
        for fold in folds:
            others = np.delete(np.arange(len(self.y)), fold)
            tables = Tables.of(self.X[others, 0], self.y[others], self.tables.frame)
            rest = assembled(self.found.waves, self.found.terms, self.found.blocks, tables, self.s2)
            if rest is None:
                raise FloatingPointError("the covariance of the windows cannot be factorised")
            for j in range(len(self.terms)):
                found[fold, j] = self._curve(rest, j, self.tables.u[fold])
        return found

    @cached_property
    def errors(self) -> Array:
        half, end = self.found.factor.halfway()
        fitted = sum(self._summed(self.found, j, self.tables.u, half, end) for j in range(len(self.terms)))
        return np.asarray((self.y - fitted / self.s2) / math.sqrt(self.s2))

    @cached_property
    def _inverse(self) -> Arrow:
        return self.found.factor.inverse()

    def _places(self, X: Array) -> Array:
        return self.tables.frame.unit(X[:, 0])

    def _curve(self, found: Local, j: int, u: Array) -> Array:
        return self._summed(found, j, u, found.z, found.end)

    def _summed(self, found: Local, j: int, u: Array, z: Array, end: Array) -> Array:
        """f_j(u)ᵀ of these numbers, for windows and for waves."""
        if j in found.others:
            i = found.others.index(j)
            where = found.sections[i]
            return curve(found.blocks[i], u, found.stem[where] * end[where])
        total = np.zeros(len(u))
        for first in range(0, len(u), _BLOCK):
            rows = slice(first, first + _BLOCK)
            for at, values in self._met((j,), u[rows]):
                total[rows] = np.einsum("nf,nf->n", z[at], values)
        return total

    def _met(self, own: tuple[int, ...], u: Array) -> Iterator[tuple[Numbers, Array]]:
        """Of every term with windows where in the band the features stand that places meet, and f there [n, features]."""
        for a, features_of in zip(self.found.live, self.found.order.features, strict=True):
            if a.place in own:
                yield _around(a, features_of, u)

    def _lasting(self, own: tuple[int, ...], u: Array) -> Array:
        """f of the waves [g, n]."""
        G = np.zeros((len(self.found.stem), len(u)))
        for i, block, where in zip(self.found.others, self.found.blocks, self.found.sections, strict=True):
            if i in own:
                G[where] = self.found.stem[where, None] * features(block, u)
        return G

    def _known(self, own: tuple[int, ...], u: Array) -> Array:
        """fᵀ(I − B⁻¹)f at places in the order of time."""
        G, inverse, b = self._lasting(own, u), self._inverse, self.found.order.layout.b
        known, met = np.einsum("gn,gn->n", G, G), list(self._met(own, u))
        if not met:
            return np.asarray(known - np.einsum("gn,gn->n", G, inverse.corner @ G))
        # Those that begin in the same panel of the band go together.
        panel = np.min([at.min(axis=1) for at, _ in met], axis=0) // b
        for first in np.unique(panel).tolist():
            rows = np.flatnonzero(panel == first)
            end = max(int(at[rows].max()) for at, _ in met) + 1
            F = np.zeros((end - first * b, len(rows)))
            for at, values in met:
                F[at[rows] - first * b, np.arange(len(rows))[:, None]] = values[rows]
            known[rows] += np.einsum("fn,fn->n", F, F) - inverse.quadratic(first, F, G[:, rows])
        return np.asarray(known)


def _around(a: TermWindows, features_of: Numbers, u: Array) -> tuple[Numbers, Array]:
    """The features of the windows nearest to places; those beyond the last centre are nothing."""
    count = min(2 * math.ceil(_SEEN * a.ell / a.spacing) + 1, len(features_of))
    first = np.rint(u / a.spacing).astype(np.int64) + a.half - count // 2
    first = np.clip(first, 0, len(features_of) - count)
    centre = first[:, None] + np.arange(count)
    window = np.exp(-(((u[:, None] - a.centres[centre]) / a.ell) ** 2))
    angle = 2 * np.pi * ((u[:, None] * a.nu) % 1.0)
    wave = np.where(a.sine, np.sin(angle)[:, a.line], np.cos(angle)[:, a.line]) * a.root
    wave *= np.polynomial.polynomial.polyval(u, a.wave.polynomial)[:, None]
    values = window[:, :, None] * wave[:, None, :]
    return features_of[centre].reshape(len(u), -1), values.reshape(len(u), -1)
