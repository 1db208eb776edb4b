"""Gram matrices of the canonical form and their adjoint, in NumPy: one exponential per term and entry.

Matrices stand with the points of x in rows and those of z in columns, C-contiguous, which BLAS reads as K_zx in its own order.
The exponent of a term is a sum of squared differences of features; its cotangents are thin matrix products.
"""

import math
from typing import Protocol

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.effort import STANDARD, Effort
from kernelscribe.errors import OptionError
from kernelscribe.kernels.form import Bar, Form, Side

__all__ = ["BACKENDS", "Arithmetic", "Numpy", "arithmetic"]

BACKENDS = ("auto", "numpy", "numba")
# Rows of a triangle taken at once in NumPy: few enough that little is wasted above the diagonal and a strip stays in the cache.
STRIP = 64


class Arithmetic(Protocol):
    """How Gram matrices are computed. Every implementation gives the same numbers."""

    @property
    def name(self) -> str: ...
    @property
    def tapes(self) -> bool: ...

    def gram(self, form: Form, x: Side, z: Side, tape: Array | None = None, out: Array | None = None) -> Array:
        """K [x, z], in `out` if given. A tape [T, x, z] keeps the exponentials for an adjoint that uses them (`tapes`)."""
        ...

    def adjoint(self, form: Form, x: Side, z: Side, K_bar: Array, x_bar: Bar, z_bar: Bar, tape: Array | None = None) -> None:
        """Add the cotangents that K_bar [x, z] sends to both sides."""
        ...

    def symmetric_gram(self, form: Form, x: Side) -> Array:
        """K [x, x] in the lower triangle, K[i, j] with j ≤ i. What stands above the diagonal is not defined."""
        ...

    def symmetric_adjoint(self, form: Form, x: Side, K_bar: Array, x_bar: Bar) -> None:
        """Add the cotangent of Σ_{j ≤ i} K_bar[i, j] k(xᵢ, xⱼ): each pair once. Nothing above the diagonal is read."""
        ...


class Numpy:
    """The plain implementation, always there."""

    name = "numpy"
    tapes = True

    def gram(self, form: Form, x: Side, z: Side, tape: Array | None = None, out: Array | None = None) -> Array:
        K = np.empty((x.a.shape[1], z.a.shape[1])) if out is None else out
        K[:] = 0
        for t in range(len(form.terms)):
            E = _entries(form, x, z, t, None if tape is None else tape[t])
            term = np.multiply(E, z.a[t], out=None if tape is not None else E)
            term *= x.a[t][:, None]
            K += term
        return K

    def adjoint(self, form: Form, x: Side, z: Side, K_bar: Array, x_bar: Bar, z_bar: Bar, tape: Array | None = None) -> None:
        for t in range(len(form.terms)):
            E = _entries(form, x, z, t, None) if tape is None else tape[t]
            _pull_pairs(form, x, z, t, K_bar, x_bar, z_bar)
            G = np.multiply(E, K_bar, out=E)
            rows = slice(form.offsets[t], form.offsets[t + 1])
            to_x = G @ _weighted(z, t, rows).T
            to_z = _weighted(x, t, rows) @ G
            x_bar.a[t] += to_x[:, 0]
            x_bar.phi[rows] += to_x[:, 1:].T
            z_bar.a[t] += to_z[0]
            z_bar.phi[rows] += to_z[1:]

    def symmetric_gram(self, form: Form, x: Side) -> Array:
        n = x.a.shape[1]
        K = np.empty((n, n))
        for start, stop in _strips(n):
            self.gram(form, x.block(start, stop), x.block(0, stop), out=K[start:stop, :stop])
        return K

    def symmetric_adjoint(self, form: Form, x: Side, K_bar: Array, x_bar: Bar) -> None:
        for start, stop in _strips(x.a.shape[1]):
            strip = K_bar[start:stop, :stop].copy()
            strip[:, start:] = np.tril(strip[:, start:])
            self.adjoint(form, x.block(start, stop), x.block(0, stop), strip, x_bar.block(start, stop), x_bar.block(0, stop))


def _strips(n: int) -> list[tuple[int, int]]:
    """Rows from and to, of strips that stay in the cache."""
    return [(start, min(start + STRIP, n)) for start in range(0, n, STRIP)]


def _exponential(form: Form, x: Side, z: Side, t: int, out: Array | None) -> Array:
    """exp( −½ |φ(x) − φ(z)|² ) of one term [x, z]."""
    E = np.empty((x.a.shape[1], z.a.shape[1])) if out is None else out
    first, last = form.offsets[t], form.offsets[t + 1]
    if first == last:  # a term without features, such as LIN, has exponent zero
        E[:] = 1
        return E
    E[:] = 0
    apart = np.empty_like(E)
    for i in range(first, last):
        np.subtract(x.phi[i][:, None], z.phi[i], out=apart)
        E += np.square(apart, out=apart)
    E *= -0.5
    return np.exp(E, out=E)


def _entries(form: Form, x: Side, z: Side, t: int, out: Array | None, without: int | None = None) -> Array:
    """The exponential of one term times its pairwise factors [x, z], but for one that is left out."""
    E = _exponential(form, x, z, t, out)
    for i in form.pairwise[t]:
        if i != without:
            base, points, values = form.pair(x, i)
            E *= base.evaluate(points[:, None], form.pair(z, i)[1][None], values)
    return E


def _pull_pairs(form: Form, x: Side, z: Side, t: int, K_bar: Array, x_bar: Bar, z_bar: Bar) -> None:
    """Add the cotangents that K_bar sends through the pairwise factors of one term."""
    for i in form.pairwise[t]:
        G = _entries(form, x, z, t, None, without=i)
        G *= K_bar
        G *= x.a[t][:, None]
        G *= z.a[t]
        form.pull_pair(x, i, z, G, x_bar, z_bar)


def _weighted(side: Side, t: int, rows: slice) -> Array:
    """a and a·φ of one term, stacked [1 + r, n]."""
    return np.concatenate([side.a[t][None], side.a[t] * side.phi[rows]])


def arithmetic(name: str = "auto", entries: float = math.inf, effort: Effort = STANDARD) -> Arithmetic:
    """The implementation of that name for matrices of so many entries; `auto` takes numba where the extra `fast` is installed and
    they are enough to repay its loading."""
    if name not in BACKENDS:
        raise OptionError(f"backend must be one of {', '.join(BACKENDS)}, got {name!r}")
    if name == "numpy" or (name == "auto" and entries <= effort.compiled_entries):
        return Numpy()
    try:
        from kernelscribe.kernels.fused import Fused  # noqa: PLC0415  (numba takes half a second to load, and many to compile)
    except ImportError:
        if name == "numba":
            raise OptionError('backend "numba" needs the extra: pip install "kernelscribe[fast]"') from None
        return Numpy()
    return Fused()
