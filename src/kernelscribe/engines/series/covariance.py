"""A kernel with its noise on the rows of a series, in the pieces that the recursion asks for, and its gradient."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.series.backward import LinkBar, backward
from kernelscribe.engines.series.blocks import Blocks
from kernelscribe.engines.series.columns import Built, Columns, RowsOf, Step
from kernelscribe.engines.series.pull import PulledTerm, Sums, pull_rows
from kernelscribe.engines.series.recursion import Forward, Matrix, Pieces
from kernelscribe.kernels.form import Form, Side
from kernelscribe.kernels.gram import Arithmetic
from kernelscribe.kernels.spectral import Fading, Gaussian, Harmonics, Walk
from kernelscribe.kernels.tree import Leaf

__all__ = ["Covariance", "Gradient"]

# Blocks of which columns are made at once: few enough for some tens of megabytes.
_CHUNK = 64


@dataclass(frozen=True, slots=True)
class Gradient:
    """In the coordinates of the kernel, and in the variance of the noise at every row; and α = A⁻¹y."""

    theta: Array
    noise: Array
    alpha: Array


@dataclass(frozen=True, slots=True)
class Chunk:
    """Columns and transitions of some blocks, or of one whose pieces are those of a whole run (`shared`)."""

    blocks: range
    rows: slice
    shared: bool
    built: Built
    delta: Array
    steps: list[Step]
    kernels: dict[int, Array]


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
    def matrix(self) -> Matrix:
        return Matrix(self.blocks, self.columns, self._pieces, self._same)

    @cached_property
    def _runs(self) -> NDArray[np.int64]:
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

    def _even(self) -> NDArray[np.bool_]:
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

    def _chunk_of(self, p: int) -> Chunk:
        """The chunk that a block belongs to; the last one is kept."""
        run = int(self._runs[p])
        shared = run > 1 or (p > 0 and self._runs[p - 1] > 1)
        first = p // _CHUNK * _CHUNK
        key = (p + run, True) if shared else (first, False)
        if key not in self._kept:
            self._kept.clear()
            self._kept[key] = self._chunk(range(p, p + 1), shared=True) if shared else self._unshared(first)
        return self._kept[key]

    @cached_property
    def _kept(self) -> dict[tuple[int, bool], Chunk]:
        return {}

    def _unshared(self, first: int) -> Chunk:
        return self._chunk(range(first, min(first + _CHUNK, len(self.blocks))), shared=False)

    def _chunk(self, blocks: range, *, shared: bool) -> Chunk:
        rows = slice(self.blocks.rows(blocks[0]).start, self.blocks.rows(blocks[-1]).stop)
        apart = [self.distances(p) for p in blocks]
        x, back = (np.concatenate([each[k] for each in apart]) for k in (0, 1))
        delta = np.array([each[2] for each in apart])
        built = self.columns.build(RowsOf(x, back, self.t[rows], self.side.a[:, rows]))
        return Chunk(blocks, rows, shared, built, delta, self.columns.steps(delta), {})

    def _pieces(self, p: int) -> Pieces:
        chunk = self._chunk_of(p)
        own = self._within(chunk, p)
        number = 0 if chunk.shared else p - chunk.blocks[0]
        if number not in chunk.kernels:
            if not chunk.shared:
                chunk.kernels.clear()
            chunk.kernels[number] = self._kernel(chunk.blocks[number])
        return Pieces(chunk.built.U[own], chunk.built.V[own], chunk.kernels[number], chunk.steps[number])

    def _within(self, chunk: Chunk, p: int) -> slice:
        """The rows of a block among those of its chunk."""
        rows = self.blocks.rows(p)
        if chunk.shared:
            return slice(0, rows.stop - rows.start)
        return slice(rows.start - chunk.rows.start, rows.stop - chunk.rows.start)

    def _kernel(self, p: int) -> Array:
        """The kernel within a block, with the noise."""
        rows = self.blocks.rows(p)
        K = np.tril(self.arithmetic.symmetric_gram(self.form, self.side.block(rows.start, rows.stop)))
        K += np.tril(K, -1).T
        np.einsum("ii->i", K)[:] += self.noise[rows]
        return K

    def gradient(self, found: Forward) -> Gradient:
        """Of log N(y | 0, K + Λ)."""
        sums = _Collected(self, np.empty(len(self.t)), np.empty(len(self.t)))
        for bar in backward(self.matrix, found, sums.alpha):
            sums.add(bar)
        sums.flush()
        theta = self.form.pull(self.side, sums.bar)[0]
        for t in range(len(self.columns.terms)):
            self._pull_values(t, sums.modes.term(t), theta)
        return Gradient(theta, sums.noise, sums.alpha)

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
        self.bar, self.modes = of.form.bar(len(alpha)), Sums.of(of.columns)
        self.chunk: Chunk | None = None
        self.U, self.V, self.K = np.empty((0, 0)), np.empty((0, 0)), np.empty((0, 0))

    def add(self, bar: LinkBar) -> None:
        p = bar.link.first
        chunk = self.of._chunk_of(p)
        if chunk is not self.chunk:
            self.flush()
            self.chunk = chunk
            self.U, self.V = np.zeros_like(chunk.built.U), np.zeros_like(chunk.built.V)
            self.K = np.zeros_like(bar.K)
        own, blocks = self.of._within(chunk, p), self.of.blocks
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
