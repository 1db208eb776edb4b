"""K·v without K in memory, or with it: dense, blocked, or by FFT on a regular grid; all exact up to rounding.

On a grid with step h, gaps and repeats allowed, a term is diag(a) · Toeplitz · diag(a): scatter a·v to the grid, convolve,
gather. That is O(N log N) where the others are O(N²).

Legend: K [N, N] Gram matrix, V [N] or [N, k].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import fft

from kernelscribe.arrays import Array
from kernelscribe.kernels.form import Form, Side
from kernelscribe.kernels.gram import Arithmetic

__all__ = ["OFF_GRID", "Blocked", "GridProduct", "KernelProduct", "Panels", "choose", "positions"]

_PANEL = 128
# A grid pays while it has at most this many places per row.
_SPARSEST = 8
# In steps of the grid: points nearer to a place count as there. By how much they were moved the certificate allows for.
OFF_GRID = 1e-11
# The same for every step of the grid, by which inputs that were standardised are off.
_ROUNDING = 1e-15


class KernelProduct(Protocol):
    """K as something to multiply with."""

    @property
    def name(self) -> str: ...

    @property
    def moved(self) -> float:
        """By how much inputs were moved, at most."""
        ...

    def __call__(self, V: Array) -> Array: ...


def panels(n: int, height: int = _PANEL) -> Iterator[tuple[int, int]]:
    """Row ranges that cover n rows."""
    return ((start, min(start + height, n)) for start in range(0, n, height))


def _symmetric(parts: Iterator[tuple[int, int, Array]], V: Array) -> Array:
    """K·V from the upper panels K[start:stop, start:], each used for both triangles."""
    out = np.zeros_like(V)
    for start, stop, panel in parts:
        out[start:stop] += panel @ V[start:]
        out[stop:] += panel[:, stop - start :].T @ V[start:stop]
    return out


@dataclass(frozen=True, slots=True)
class Blocked:
    """The upper panels of K computed anew at every product: memory O(N · panel)."""

    arithmetic: Arithmetic
    form: Form
    side: Side
    name: str = "blocked"
    moved: float = 0.0

    def panels(self) -> Iterator[tuple[int, int, Array]]:
        n = self.side.a.shape[1]
        for start, stop in panels(n):
            yield start, stop, self.arithmetic.gram(self.form, self.side.block(start, stop), self.side.block(start, n))

    def __call__(self, V: Array) -> Array:
        return _symmetric(self.panels(), V)


@dataclass(frozen=True, slots=True)
class Panels:
    """The upper panels of K, kept: half of N² numbers."""

    kept: tuple[tuple[int, int, Array], ...]
    name: str = "dense"
    moved: float = 0.0

    @classmethod
    def of(cls, blocked: Blocked) -> "Panels":
        return cls(tuple(blocked.panels()))

    def panels(self) -> Iterator[tuple[int, int, Array]]:
        return iter(self.kept)

    def __call__(self, V: Array) -> Array:
        return _symmetric(self.panels(), V)


@dataclass(frozen=True, slots=True)
class GridProduct:
    """Products by FFT for inputs on a regular grid.

    `places` [N] are the rows' places on it; each pair of `parts` is a factor a [N] and the transform of a circulant's first
    column, or a factor alone where the term is a product of LIN. Weights of the points stand in the factors.
    """

    places: Array
    length: int
    parts: tuple[tuple[Array, Array | None], ...]
    moved: float
    name: str = "grid"

    @classmethod
    def of(cls, form: Form, side: Side, theta: Array, places: Array) -> "GridProduct":
        size = int(places.max()) + 1
        x = side.X[:, form.owners[0].dim - 1]
        low = float(x[places.argmin()])
        moved = float(np.abs(x - (low + (x[places.argmax()] - low) * (places / (size - 1)))).max())
        length = fft.next_fast_len(2 * size - 1, real=True)
        column = _column(form, side, theta, places, size)
        constant: Array | float = 0.0
        parts: list[tuple[Array, Array | None]] = []
        for t in range(len(form.terms)):
            if form.stationary(t):
                constant = constant + _amplitude(form, side, t) ** 2 * column[t]
            elif form.offsets[t] == form.offsets[t + 1]:
                parts.append((side.a[t], None))
            else:
                parts.append((side.a[t], _transform(column[t], length)))
        if not np.isscalar(constant):
            parts.append((np.ones(len(places)) * side.weights, _transform(np.asarray(constant), length)))
        return cls(places, length, tuple(parts), moved)

    def __call__(self, V: Array) -> Array:
        columns = V.reshape(len(V), -1)
        out = np.zeros_like(columns)
        for first in range(0, columns.shape[1], 8):
            some = slice(first, first + 8)
            for a, spectrum in self.parts:
                weighted = a[:, None] * columns[:, some]
                if spectrum is None:
                    out[:, some] += a[:, None] * weighted.sum(axis=0)
                else:
                    out[:, some] += a[:, None] * self._convolve(weighted, spectrum)
        return out.reshape(V.shape)

    def _convolve(self, V: Array, spectrum: Array) -> Array:
        grid = np.zeros((V.shape[1], self.length))
        for row, v in zip(grid, V.T, strict=True):
            # Rows may share a place.
            row[: int(self.places.max()) + 1] = np.bincount(self.places, weights=v, minlength=int(self.places.max()) + 1)
        moved = fft.irfft(fft.rfft(grid, axis=1) * spectrum, n=self.length, axis=1)
        return np.asarray(moved[:, self.places].T)


def _amplitude(form: Form, side: Side, t: int) -> float:
    """a of a stationary term, without weights."""
    found = 1.0
    for i in form.terms[t]:
        found *= float(side.amplitudes[i])
    return found


def _column(form: Form, side: Side, theta: Array, places: Array, size: int) -> Array:
    """exp of every term's exponent at lags 0 … size−1 [T, size]: the first columns of the Toeplitz matrices."""
    first, last = int(places.argmin()), int(places.argmax())
    low, high = side.X[first], side.X[last]
    X = low + (high - low) * (np.arange(size) / (size - 1))[:, None]
    # Centred at the first place, so that lags are differences and lose no digits.
    grid = form.side(X - low, theta)
    squares = (grid.phi - grid.phi[:, :1]) ** 2
    ends = zip(form.offsets[:-1], form.offsets[1:], strict=True)
    return np.exp(-0.5 * np.stack([squares[first:last].sum(axis=0) for first, last in ends]))


def _transform(column: Array, length: int) -> Array:
    """The eigenvalues of the circulant that holds the Toeplitz matrix of this column; real, since it is symmetric."""
    circulant = np.zeros(length)
    circulant[: len(column)] = column
    circulant[length - len(column) + 1 :] = column[:0:-1]
    return np.asarray(fft.rfft(circulant).real)


def positions(form: Form, X: Array) -> Array | None:
    """The rows' places on a regular grid if the kernel uses one input, which lies on one, and exponentials alone; else None."""
    dims = {owner.dim for owner in form.owners}
    if len(dims) != 1 or not form.plain:
        return None
    x = X[:, dims.pop() - 1]
    distinct = np.unique(x)
    if distinct.size < 2:  # noqa: PLR2004
        return None
    span, gaps = distinct[-1] - distinct[0], np.diff(distinct)
    # Values that differ by rounding alone count as one.
    gaps = gaps[gaps > OFF_GRID * span / len(x)]
    steps = round(span / gaps.min())
    if steps > _SPARSEST * len(x):
        return None
    at = (x - distinct[0]) * (steps / span)
    places = np.rint(at)
    near = max(OFF_GRID, _ROUNDING * steps)
    return places.astype(np.intp) if np.abs(at - places).max() <= near else None


def choose(arithmetic: Arithmetic, form: Form, theta: Array, side: Side, memory: float) -> KernelProduct:
    """The cheapest exact product: by FFT on a grid, else dense while half of K fits the memory allowed (bytes), else blocked."""
    n = len(side.X)
    places = positions(form, side.X) if n > _PANEL else None
    if places is not None:
        return GridProduct.of(form, side, theta, places)
    blocked = Blocked(arithmetic, form, side)
    return Panels.of(blocked) if 4.0 * n * n <= memory else blocked
