"""Any places on the axis of a series, as its blocks see them: their columns, and the kernel between them and the rows around.

A place belongs to the block that begins last before it. Places before the first row belong to the first block, where nothing is
carried yet, and those behind the last row to the last, behind which there is nothing: so their distances to these ends are not
asked for, and taken for 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.posterior import evaluated
from kernelscribe.engines.series.blocks import Blocks
from kernelscribe.engines.series.columns import Columns, RowsOf
from kernelscribe.engines.series.ingredients import amplitude_of_term
from kernelscribe.engines.series.row_pieces import RowPieces
from kernelscribe.kernels.normal import Term

__all__ = ["Numbers", "Places", "SomeTerms", "located"]

Numbers = NDArray[np.int64]


def located(blocks: Blocks, x: Array) -> Numbers:
    """The blocks that places belong to."""
    return np.maximum(np.searchsorted(blocks.tau[:-1], x, side="right") - 1, 0).astype(np.int64)


@dataclass(frozen=True)
class SomeTerms:
    """Terms of a series, by their numbers among all."""

    of: RowPieces
    terms: tuple[Term, ...]
    numbers: tuple[int, ...]

    @cached_property
    def own(self) -> tuple[Term, ...]:
        return tuple(self.terms[j] for j in self.numbers)

    @cached_property
    def columns(self) -> Columns:
        return Columns(tuple(self.of.columns.terms[j] for j in self.numbers))

    @cached_property
    def where(self) -> Numbers:
        """Which of all columns are theirs."""
        all_columns = np.arange(self.of.columns.count, dtype=np.int64)
        return np.concatenate([all_columns[:0], *(all_columns[self.of.columns.of_term(j)] for j in self.numbers)])

    def at(self, x: Array, block: Numbers) -> "Places":
        a = np.zeros((len(self.terms), len(x)))
        for j, term in zip(self.numbers, self.own, strict=True):
            a[j] = amplitude_of_term(term, x)
        tau = self.of.blocks.tau
        ahead, back = np.maximum(x - tau[block], 0.0), np.maximum(tau[block + 1] - x, 0.0)
        built = self.columns.build(RowsOf(ahead, back, x, a))
        return Places(self, x, block, built.U, built.V)


@dataclass(frozen=True)
class Places:
    """Some terms at places x in their blocks: U and V [m, columns of these terms]."""

    some: SomeTerms
    x: Array
    block: Numbers
    U: Array
    V: Array

    @cached_property
    def _rows(self) -> tuple[Numbers, NDArray[np.bool_]]:
        """The rows of the blocks [m, n], and which of them are: of a shorter block not all."""
        edges = self.some.of.blocks.edges
        first, last = edges[self.block], edges[self.block + 1]
        rows = first[:, None] + np.arange(int((last - first).max(initial=0)))
        inside = rows < last[:, None]
        return np.where(inside, rows, first[:, None]), inside

    def _near(self) -> Iterator[Array]:
        rows, _ = self._rows
        z = self.some.of.t[rows]
        return evaluated(self.some.own, rows.shape, lambda one: one.evaluate(self.x[:, None], z))

    @cached_property
    def near(self) -> Array:
        """The kernel of the terms together, between every place and the rows of its block [m, n]."""
        return np.asarray(sum(self._near(), np.zeros(self._rows[0].shape)))

    def means(self, alpha: Array, h: Array, b: Array) -> Array:
        """Of every term [m, terms]: what the rows before the block, within it, and behind it add."""
        rows, inside = self._rows
        weight = np.where(inside, alpha[rows], 0.0)
        found = np.empty((len(self.x), len(self.some.own)))
        for j, K in enumerate(self._near()):
            found[:, j] = np.einsum("mn,mn->m", K, weight)
        where = self.some.where
        carried = self.U * h[self.block][:, where] + self.V * b[self.block][:, where]
        start = 0
        for j, term in enumerate(self.some.columns.terms):
            stop = start + sum(group.columns for group in term.groups)
            found[:, j] += carried[:, start:stop].sum(axis=1)
            start = stop
        return found
