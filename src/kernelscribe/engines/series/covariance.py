"""A kernel with its noise on the rows of a series, in the pieces that the recursion asks for, and its gradient."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.series.backward import backward
from kernelscribe.engines.series.blocks import Blocks
from kernelscribe.engines.series.columns import Columns
from kernelscribe.engines.series.modes import Pulled
from kernelscribe.engines.series.recursion import Forward, Matrix, Pieces
from kernelscribe.kernels.form import Form, Side
from kernelscribe.kernels.gram import Arithmetic
from kernelscribe.kernels.spectral import Fading, Gaussian, Harmonics, Walk

__all__ = ["Covariance", "Gradient"]


@dataclass(frozen=True, slots=True)
class Gradient:
    """In the coordinates of the kernel, and in the variance of the noise at every row; and α = A⁻¹y."""

    theta: Array
    noise: Array
    alpha: Array


@dataclass(frozen=True)
class Covariance:
    """K + Λ. Amplitudes [T, N] and noise [N] are those at the rows."""

    form: Form
    side: Side
    noise: Array
    columns: Columns
    blocks: Blocks
    arithmetic: Arithmetic

    @cached_property
    def t(self) -> Array:
        return np.ascontiguousarray(self.side.X[:, 0])

    @cached_property
    def matrix(self) -> Matrix:
        return Matrix(self.blocks, self.columns, self._pieces, self._same)

    @cached_property
    def _runs(self) -> Array:
        """How many blocks from each on have the same pieces."""
        blocks, total = self.blocks, len(self.blocks)
        found = np.ones(total, dtype=np.int64)
        if not blocks.alike.any() or any(term.growing for term in self.columns.terms):
            return found
        even = self._even()
        for p in range(total - 2, -1, -1):
            if even[p] and even[p + 1] and self._equal(p, p + 1):
                found[p] = found[p + 1] + 1
        return found

    def _even(self) -> Array:
        """Which blocks are alike, with one amplitude of every term and one noise throughout."""
        starts = self.blocks.edges[:-1]
        same = self.blocks.alike.copy()
        for each in (*self.side.a, self.noise):
            same &= np.minimum.reduceat(each, starts) == np.maximum.reduceat(each, starts)
        return same

    def _equal(self, p: int, q: int) -> bool:
        one, other = self.blocks.edges[p], self.blocks.edges[q]
        return bool(self.noise[one] == self.noise[other] and (self.side.a[:, one] == self.side.a[:, other]).all())

    def _same(self, p: int) -> int:
        return int(self._runs[p])

    def distances(self, p: int) -> tuple[Array, Array, float]:
        """Of the rows of a block from its beginning and to that of the next, and between the two."""
        blocks, rows = self.blocks, self.blocks.rows(p)
        if blocks.alike[p]:
            x = blocks.step * np.arange(rows.stop - rows.start)
            delta = blocks.step * (rows.stop - rows.start)
            return x, delta - x, delta
        t, begin, end = self.t[rows], blocks.tau[p], blocks.tau[p + 1]
        return t - begin, end - t, float(end - begin)

    @cached_property
    def _cached(self) -> dict[int, Pieces]:
        return {}

    def _pieces(self, p: int) -> Pieces:
        """Those of blocks with the same pieces are computed once."""
        shared = self._runs[p] > 1 or (p > 0 and self._runs[p - 1] > 1)
        if not shared:
            return self._computed(p)
        key = p + int(self._runs[p])
        if key not in self._cached:
            self._cached.clear()
            self._cached[key] = self._computed(p)
        return self._cached[key]

    def _computed(self, p: int) -> Pieces:
        rows, (x, back, delta) = self.blocks.rows(p), self.distances(p)
        a = self.side.a[:, rows]
        K = self.arithmetic.symmetric_gram(self.form, self.side.block(rows.start, rows.stop))
        K = np.tril(K)
        K += np.tril(K, -1).T
        np.einsum("ii->i", K)[:] += self.noise[rows]
        return Pieces(self.columns.left(x, a), self.columns.right(back, self.t[rows], a), K, self.columns.step(delta))

    def gradient(self, found: Forward) -> Gradient:
        """Of log N(y | 0, K + Λ)."""
        alpha, noise = np.empty(len(self.t)), np.zeros(len(self.t))
        bar, sums = self.form.bar(len(self.t)), self.columns.sums()
        for link in backward(self.matrix, found, alpha):
            p = link.link.first
            rows, (x, back, delta) = self.blocks.rows(p), self.distances(p)
            own, side = self.form.bar(len(x)), self.side.block(rows.start, rows.stop)
            once = 2 * link.K
            np.einsum("ii->i", once)[:] *= 0.5
            self.arithmetic.symmetric_adjoint(self.form, side, once, own)
            self.form.pull_amplitude(side, self.columns.pull(link, x, back, self.t[rows], delta, side.a, sums), own)
            bar.block(rows.start, rows.stop).add(own)
            noise[rows] += np.diagonal(link.K)
        theta = self.form.pull(self.side, bar)[0]
        for t, term in enumerate(self.columns.terms):
            self._pull_values(t, term.pull(sums.rate[t], sums.scales[t], sums.location[t]), theta)
        return Gradient(theta, noise, alpha)

    def _pull_values(self, t: int, pulled: Pulled, theta: Array) -> None:
        """Add the cotangents of a term's values to those of the coordinates."""
        form, cycles, fadings = self.form, iter(range(len(pulled.periods))), iter(pulled.fadings)
        for i in form.members[t]:
            node, start = form.owners[i], form.slices[i].start
            if not form.varies[i]:
                continue
            shape = tuple(float(v) for v in self.side.values[i][1:])
            match node.base.spectrum(shape):  # type: ignore[union-attr]
                case Gaussian(lengthscale):
                    # 1/ℓ² adds.
                    share = (self.columns.terms[t].made_of.lengthscale / lengthscale) ** 2
                    theta[start + 1] += share * pulled.lengthscale
                case Harmonics():
                    b = next(cycles)
                    theta[start + 1] += pulled.shapes[b]
                    theta[start + 2] += pulled.periods[b]
                case Fading():
                    theta[start + 1] += next(fadings)
                case Walk():
                    theta[start + 1] += pulled.location
