"""A kernel with its noise on the rows of a series, and its gradient."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.series.backward import LinkBar, backward
from kernelscribe.engines.series.blocks import Blocks
from kernelscribe.engines.series.columns import Columns
from kernelscribe.engines.series.pull import GroupCotangents, PulledTerm, pull_rows
from kernelscribe.engines.series.recursion import Forward, Matrix
from kernelscribe.engines.series.row_pieces import Chunk, RowPieces
from kernelscribe.kernels.form import Form, Side
from kernelscribe.kernels.gram import Arithmetic
from kernelscribe.kernels.spectral import Fading, Gaussian, Harmonics, Walk
from kernelscribe.kernels.tree import Leaf

__all__ = ["Covariance", "RowGradient"]


@dataclass(frozen=True, slots=True)
class RowGradient:
    """In the coordinates of the kernel, and in the variance of the noise at every row; and α = A⁻¹y."""

    theta: Array
    noise: Array
    alpha: Array


@dataclass(frozen=True)
class Covariance:
    """K + Λ. Amplitudes [T, N] and noise [N] are those at the rows; the noise is off by so many units in the last place [N]."""

    form: Form
    side: Side
    noise: Array
    noise_units: Array
    columns: Columns
    blocks: Blocks
    arithmetic: Arithmetic

    @cached_property
    def t(self) -> Array:
        return np.ascontiguousarray(self.side.X[:, 0])

    @cached_property
    def rows(self) -> RowPieces:
        return RowPieces(self.t, self.side.a, self.noise, self.columns, self.blocks, self._kernel)

    @property
    def matrix(self) -> Matrix:
        return self.rows.matrix

    def _kernel(self, rows: slice) -> Array:
        if not self.form.terms:
            return np.zeros((rows.stop - rows.start, rows.stop - rows.start))
        K = np.tril(self.arithmetic.symmetric_gram(self.form, self.side.block(rows.start, rows.stop)))
        K += np.tril(K, -1).T
        return np.asarray(K)

    def gradient(self, found: Forward) -> RowGradient:
        """Of log N(y | 0, K + Λ)."""
        sums = _Collected(self, np.empty(len(self.noise)), np.empty(len(self.noise)))
        for bar in backward(self.matrix, found, sums.alpha):
            sums.add(bar)
        sums.flush()
        theta = self.form.pull(self.side, sums.bar)[0]
        for t in range(len(self.columns.terms)):
            self._pull_values(t, sums.modes.term(t), theta)
        return RowGradient(theta, sums.noise, sums.alpha)

    def _pull_values(self, t: int, pulled: PulledTerm, theta: Array) -> None:
        """Add the cotangents of a term's values to those of the coordinates."""
        form, cycles, fadings = self.form, iter(range(len(pulled.periods))), iter(pulled.fadings)
        for i in form.members[t]:
            node, start = form.owners[i], form.slices[i].start
            spectrum = node.base.spectrum(tuple(float(v) for v in self.side.values[i][1:])) if isinstance(node, Leaf) else None
            match spectrum:
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
                case _:
                    pass


class _Collected:
    """Cotangents of rows, of the noise and of the groups, as links bring them; those of U and V are pulled back by chunks."""

    def __init__(self, of: Covariance, alpha: Array, noise: Array) -> None:
        self.of, self.alpha, self.noise = of, alpha, noise
        self.bar, self.modes = of.form.bar(len(alpha)), GroupCotangents.of(of.columns)
        self.chunk: Chunk | None = None
        self.U, self.V, self.K = np.empty((0, 0)), np.empty((0, 0)), np.empty((0, 0))

    def add(self, bar: LinkBar) -> None:
        p = bar.link.first
        chunk = self.of.rows.chunk_of(p)
        if chunk is not self.chunk:
            self.flush()
            self.chunk = chunk
            self.U, self.V = np.zeros_like(chunk.built.U), np.zeros_like(chunk.built.V)
            self.K = np.zeros_like(bar.K)
        own, blocks = self.of.rows.within(chunk, p), self.of.blocks
        self.noise[blocks.rows(p).start : blocks.rows(p + bar.link.count - 1).stop] = bar.noise.ravel()
        self.U[own] += bar.U
        self.V[own] += bar.V
        self.modes.add_step(bar.step, float(chunk.delta[0 if chunk.shared else p - chunk.blocks[0]]))
        if chunk.shared:
            self.K += bar.K
        else:
            self._within_block(p, bar.K)

    def flush(self) -> None:
        """Pull back what has been collected of the chunk."""
        chunk = self.chunk
        if chunk is None:
            return
        if chunk.shared:
            self._within_block(chunk.blocks[0], self.K)
        a_bar = pull_rows(self.of.columns, chunk.built, self.U, self.V, self.modes)
        rows = chunk.rows
        self.of.form.pull_amplitude(self.of.side.block(rows.start, rows.stop), a_bar, self.bar.block(rows.start, rows.stop))

    def _within_block(self, p: int, K_bar: Array) -> None:
        form, rows = self.of.form, self.of.blocks.rows(p)
        own, side = form.bar(rows.stop - rows.start), self.of.side.block(rows.start, rows.stop)
        once = 2 * K_bar
        np.einsum("ii->i", once)[:] *= 0.5
        self.of.arithmetic.symmetric_adjoint(form, side, once, own)
        self.bar.block(rows.start, rows.stop).add(own)
