"""K̂ at one point of the parameters, held as F = K_Nm L⁻ᵀ: what the upper bound, the tightening and the approximations share.

Where noise varies, K and y are those of weights.py.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas

from kernelscribe.arrays import Array
from kernelscribe.engines import digits
from kernelscribe.engines.inducing.lower import Lower, Reduced, lower
from kernelscribe.engines.inducing.products import GridProduct, KernelProduct, choose
from kernelscribe.engines.inducing.structured import KINDS, Structured, fic, nystrom, pic
from kernelscribe.engines.linalg import SMALLEST_JITTER, Jittered, factor
from kernelscribe.engines.weights import Weights
from kernelscribe.errors import OptionError
from kernelscribe.kernels.form import Form, Side
from kernelscribe.kernels.gram import Arithmetic
from kernelscribe.noises import Noise

__all__ = ["Sketch"]

_ROWS = 2048
# Units in the last place, for every doubling of the length, of a convolution by three Fourier transforms.
_TRANSFORM = 16.0


@dataclass(frozen=True, slots=True)
class Sketch:
    """F [N, m] with K̂ = F Fᵀ, the diagonal of K, and where they come from."""

    arithmetic: Arithmetic
    form: Form
    theta: Array
    weights: Weights
    side: Side
    factor: Jittered
    F: Array
    diagonal: Array

    @classmethod
    def of(
        cls, arithmetic: Arithmetic, form: Form, theta: Array, noise: Noise, X: Array, Z: Array, jitter: float = SMALLEST_JITTER
    ) -> "Sketch | None":
        """None where K_mm cannot be factored even with the largest jitter."""
        weights = Weights.of(noise, X)
        x, z = weights.side(form.side(X, theta)), form.side(Z, theta)
        Q = factor(arithmetic.gram(form, z, z), jitter)
        if Q is None:
            return None
        F = np.empty((len(X), len(Z)))
        for start in range(0, len(X), _ROWS):
            block = arithmetic.gram(form, x.block(start, start + _ROWS), z, out=F[start : start + _ROWS])
            blas.dtrsm(1.0, Q.L, block.T, lower=1, overwrite_b=1)
        return cls(arithmetic, form, theta, weights, x, Q, F, form.diagonal(x))

    @property
    def s2(self) -> float:
        return self.weights.s2

    def reduced(self, y: Array) -> Reduced:
        """For a target with its weights."""
        return Reduced(np.asfortranarray(self.F.T @ self.F), self.F.T @ y, float(y @ y), float(self.diagonal.sum()), len(y))

    def lower(self, y: Array) -> Lower | None:
        """The variational lower bound, for a target with its weights."""
        return lower(self.reduced(y), self.s2)

    def structured(self, kind: str) -> Structured:
        """K̂ + s2·I, or its FIC or PIC correction."""
        match kind:
            case "nystrom":
                return nystrom(self.F, self.s2)
            case "fic":
                return fic(self.F, self.s2, self.diagonal)
            case "pic":
                return pic(self.F, self.s2, self._tile, self.F.shape[1])
        raise OptionError(f"preconditioner must be one of {', '.join(KINDS)}, got {kind!r}")

    def _tile(self, start: int, stop: int) -> Array:
        block = self.side.block(start, stop)
        return self.arithmetic.gram(self.form, block, block)

    def blur(self, product: KernelProduct) -> float:
        """t of digits.py for all that is computed from F and from products with K."""
        n, m = self.F.shape
        units = digits.entries(self.form, self.side, product.moved) + digits.sums(n, m)
        # Errors of F grow where K_mm is all but singular; the jitter takes off more than their first order adds.
        units *= 1 + 2 * units * digits.UNIT * m / self.factor.jitter
        t = digits.blur(units, float(self.diagonal.sum()), self.s2)
        if self.weights.uniform or not isinstance(product, GridProduct):
            return t
        # What a transform rounds is spread over all rows, and not the less where these weigh little.
        transform = _TRANSFORM * math.log2(product.length) * product.length / n
        return t + digits.blur(transform, float((self.diagonal / self.weights.w**2).sum()), self.s2)

    def product(self, memory: float) -> KernelProduct:
        """K as something to multiply with, in the memory allowed (bytes)."""
        return choose(self.arithmetic, self.form, self.theta, self.side, memory)
