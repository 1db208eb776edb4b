"""A term of a kernel as waves: a polynomial times a stationary part whose spectrum is known.

    k(u, u′) = v P(u) P(u′) · exp(−d²/2ℓ²) · Π_b exp(−2 sin²(πd/p_b)/λ_b²),     P(u) = Π_a (u − l_a),   d = u − u′.

Cycles are sums of lines (engines/lines.py).

Legend: v variance, l roots, ℓ lengthscale (inf without SE).
"""

import math
from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array
from kernelscribe.engines.lines import Cycle
from kernelscribe.engines.spectral.tables import Frame
from kernelscribe.errors import KernelError
from kernelscribe.kernels.base import Base
from kernelscribe.kernels.form import Form
from kernelscribe.kernels.normal import Term
from kernelscribe.kernels.spectral import Gaussian, Harmonics, Root
from kernelscribe.kernels.tree import Leaf

__all__ = ["Wave", "of_form", "of_term", "times"]

# LINs of a product, at most: as far as the tables' moments go.
_MOST_ROOTS = 8


@dataclass(frozen=True, slots=True)
class Wave:
    """One term on the unit range."""

    variance: float
    roots: tuple[float, ...]
    lengthscale: float
    cycles: tuple[Cycle, ...]

    @property
    def polynomial(self) -> Array:
        """Coefficients of P, lowest power first."""
        return _monic(self.roots)

    def without(self, a: int) -> Array:
        """Coefficients of dP/dl_a."""
        return -_monic(self.roots[:a] + self.roots[a + 1 :])


def times(p: Array, q: Array) -> Array:
    """The product of two polynomials."""
    return np.asarray(np.convolve(p, q), dtype=np.float64)


def _monic(roots: tuple[float, ...]) -> Array:
    return np.atleast_1d(np.polynomial.polynomial.polyfromroots(roots)) if roots else np.ones(1)


def of_form(form: Form, theta: Array, frame: Frame) -> list[Wave]:
    """The terms of a kernel at these coordinates."""
    found = []
    for term in form.members:
        variance, roots, inverse, cycles = 1.0, [], 0.0, []
        for i in term:
            values = theta[form.slices[i]].copy()
            values[form.positive[i]] = np.exp(values[form.positive[i]])
            variance *= float(values[0])
            node = form.owners[i]
            match node.base.spectrum(tuple(values[1:])) if isinstance(node, Leaf) else None:
                case Root(location):
                    roots.append((float(location) - frame.centre) / frame.span)
                    variance *= frame.span**2
                case Gaussian(lengthscale):
                    inverse += (frame.span / float(lengthscale)) ** 2
                case Harmonics(lengthscale, period, centred):
                    cycles.append(Cycle(float(lengthscale), float(period) / frame.span, centred))
                case _:
                    raise KernelError(f"the spectral engine does not know {node.kind}: use the inducing engine")
        if len(roots) > _MOST_ROOTS:
            raise KernelError(
                f"the spectral engine multiplies up to {_MOST_ROOTS} lines, not {len(roots)}: use the inducing engine"
            )
        found.append(Wave(variance, tuple(roots), inverse**-0.5 if inverse else math.inf, tuple(cycles)))
    return found


def of_term(term: Term, frame: Frame) -> Wave:
    """A term of the normal form, whose cycles have no constant part."""
    variance, roots, inverse, cycles = term.variance, [], 0.0, []
    for factor in term.factors:
        base = factor.base
        match base.spectrum(factor.values) if isinstance(base, Base) else None:
            case Root(location):
                roots.append((location - frame.centre) / frame.span)
                variance *= frame.span**2
            case Gaussian(lengthscale):
                inverse += (frame.span / lengthscale) ** 2
            case Harmonics(lengthscale, period):
                cycles.append(Cycle(lengthscale, period / frame.span, centred=True))
            case _:
                raise KernelError(f"there is no spectrum for {factor.kind}")
    return Wave(variance, tuple(roots), inverse**-0.5 if inverse else math.inf, tuple(cycles))
