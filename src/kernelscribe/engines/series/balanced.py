"""The sums of exponentials in a basis in which nothing cancels: what the state of a Gaussian is carried in.

    k(s + r) = u(s) v(r),      u(s) = Re( e^(−s_j s) τ ),      v = D uᵀ,      u(s + δ) = u(s) Φ(δ),      du/ds = −u N,

with D a diagonal of signs. Functions of the basis are orthogonal on s ≥ 0, with squared norms that fall by a factor of nine from
one to the next (the Hankel singular values of the sum), so that states are of the size of what they are worth. In the basis of
the exponentials themselves weights of a hundred cancel to one, and a recursion that squares them loses five digits more.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.engines.series.balanced_table import BALANCED
from kernelscribe.engines.series.exponentials import SUMS, Exponentials

__all__ = ["BALANCED_SUMS", "Balanced", "fewest"]

# Heights are seen on a grid as fine as this, and as far.
_GRID = 2e-3
_FAR = 16.0
# Some units in the last place upwards, and what rounding may hide of a height.
_UP = 1 + 1e-12
_SMALL = 1e-14


@dataclass(frozen=True)
class Balanced:
    """One sum.

    Attributes:
        sign: D [J].
        tau: τ [J/2, J].
    """

    sums: Exponentials
    sign: Array
    tau: NDArray[np.complex128]

    @property
    def size(self) -> int:
        """J."""
        return len(self.sign)

    def rows(self, s: Array) -> Array:
        """u [n, J]."""
        return np.asarray((np.exp(np.multiply.outer(-s, self.sums.rates)) @ self.tau).real)

    @cached_property
    def _products(self) -> NDArray[np.complex128]:
        """D τᵀ τ/2w of every exponential [J/2, J²]."""
        both = self.tau[:, :, None] * self.tau[:, None, :] / (2 * self.sums.weights[:, None, None])
        return np.asarray((both * self.sign[:, None]).reshape(len(both), -1))

    def steps(self, delta: Array) -> Array:
        """Φ [n, J, J]."""
        found = (np.exp(np.multiply.outer(-delta, self.sums.rates)) @ self._products).real
        return np.ascontiguousarray(found.reshape(-1, self.size, self.size))

    @cached_property
    def generator(self) -> Array:
        """N [J, J]: minus the slope of Φ at zero."""
        return np.asarray((self.sums.rates @ self._products).real.reshape(self.size, self.size))

    @cached_property
    def peak(self) -> Array:
        """Σ_j |τ_jk| [J]: |u_k(s)| ≤ peak·exp(−decay·s)."""
        return np.asarray(np.abs(self.tau).sum(axis=0) * _UP)

    @cached_property
    def height(self) -> Array:
        """|u_k(s)|, at most, for every s ≥ 0 [J].

        On a grid of steps δ it is seen. Between, |u| rises by δ/2·|u||N| at most, so that (I − δ/2·|N|ᵀ) times the true heights
        is no more than those on the grid; beyond the grid `peak` is less.
        """
        seen = np.abs(self.rows(np.arange(0.0, _FAR, _GRID))).max(axis=0) * _UP + _SMALL * self.peak
        system = np.eye(self.size) - 0.5 * _GRID * np.abs(self.generator).T
        beyond = self.peak * np.exp(-self.sums.decay * _FAR)
        return np.asarray(np.maximum(np.linalg.solve(system, seen) * _UP, beyond))

    @cached_property
    def carried(self) -> Array:
        """Σ_j |τ_jk τ_jl / 2w_j| [J, J]: what the roundings of Φ are shares of."""
        both = np.abs(self.tau[:, :, None] * self.tau[:, None, :] / (2 * self.sums.weights[:, None, None]))
        return np.asarray(both.sum(axis=0) * _UP)


# In the order of SUMS.
BALANCED_SUMS: tuple[Balanced, ...] = tuple(
    Balanced(sums, np.array(sign), np.array(tau)) for sums, (sign, tau) in zip(SUMS, BALANCED, strict=True)
)


def fewest(allowed: float) -> Balanced:
    """The smallest whose error is at most that; the largest where there is none."""
    return next((each for each in BALANCED_SUMS if each.sums.largest <= allowed), BALANCED_SUMS[-1])
