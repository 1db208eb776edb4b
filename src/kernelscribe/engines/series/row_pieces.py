"""A kernel with its noise on sorted rows, in the pieces that the recursion asks for.

Columns are made for some blocks at once; blocks whose pieces are the same share one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.series.blocks import Blocks
from kernelscribe.engines.series.columns import BuiltRows, Columns, RowsOf, Step
from kernelscribe.engines.series.recursion import Matrix, Pieces

__all__ = ["Chunk", "RowPieces"]

# Blocks of which columns are made at once: few enough for some tens of megabytes.
_CHUNK = 40


@dataclass(frozen=True, slots=True)
class Chunk:
    """Columns and transitions of some blocks, or of one whose pieces are those of a whole run (`shared`)."""

    blocks: range
    rows: slice
    shared: bool
    built: BuiltRows
    delta: Array
    steps: list[Step]
    kernels: dict[int, Array]


@dataclass(frozen=True)
class RowPieces:
    """K + Λ.

    Attributes:
        t: times of the rows [N].
        a: amplitudes of the terms there [T, N].
        noise: [N].
        kernel: the kernel within some of the rows [n, n], without the noise.
    """

    t: Array
    a: Array
    noise: Array
    columns: Columns
    blocks: Blocks
    kernel: Callable[[slice], Array]

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

    @property
    def different(self) -> int:
        """How many blocks there are, but for those whose pieces are those of the next."""
        return int((self._runs == 1).sum())

    def _even(self) -> NDArray[np.bool_]:
        """Which blocks are alike, with one amplitude of every term and one noise throughout."""
        starts = self.blocks.edges[:-1]
        same = self.blocks.alike.copy()
        for each in (*self.a, self.noise):
            same &= np.minimum.reduceat(each, starts) == np.maximum.reduceat(each, starts)
        return same

    def _equal(self, p: int, q: int) -> bool:
        one, other = self.blocks.edges[p], self.blocks.edges[q]
        return bool(self.noise[one] == self.noise[other] and (self.a[:, one] == self.a[:, other]).all())

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

    def chunk_of(self, p: int) -> Chunk:
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
        built = self.columns.build(RowsOf(x, back, self.t[rows], self.a[:, rows]))
        return Chunk(blocks, rows, shared, built, delta, self.columns.steps(delta), {})

    def _pieces(self, p: int) -> Pieces:
        chunk = self.chunk_of(p)
        own = self.within(chunk, p)
        number = 0 if chunk.shared else p - chunk.blocks[0]
        if number not in chunk.kernels:
            if not chunk.shared:
                chunk.kernels.clear()
            chunk.kernels[number] = self._kernel(chunk.blocks[number])
        return Pieces(chunk.built.U[own], chunk.built.V[own], chunk.kernels[number], chunk.steps[number])

    def within(self, chunk: Chunk, p: int) -> slice:
        """The rows of a block among those of its chunk."""
        rows = self.blocks.rows(p)
        if chunk.shared:
            return slice(0, rows.stop - rows.start)
        return slice(rows.start - chunk.rows.start, rows.stop - chunk.rows.start)

    def _kernel(self, p: int) -> Array:
        """The kernel within a block, with the noise."""
        rows = self.blocks.rows(p)
        K = self.kernel(rows)
        np.einsum("ii->i", K)[:] += self.noise[rows]
        return K
