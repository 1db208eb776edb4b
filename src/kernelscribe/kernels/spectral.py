"""What a factor is to engines of series: a root of a polynomial, another amplitude, a stationary part they know, or a walk.

    k(u, u′) = v P(u) P(u′) · A(u) A(u′) · Π_a f_a(d) · Π_b w_b(u, u′),     P(u) = Π_c (u − l_c),   d = |u − u′|.

f is one of `Gaussian`, `Harmonics`, `Fading`, `Steady` and `Alone`; w is a `Walk`; A is any `Amplitude`. A base kernel says which
it is; its shape coordinates follow the fields in their order, before those that are the same for every kernel of its name. Waves
know the first two and roots.
"""

from dataclasses import dataclass

import numpy as np

from kernelscribe.arrays import Array

__all__ = ["Alone", "Amplitude", "Fading", "Gaussian", "Harmonics", "Root", "Spectrum", "Steady", "Walk"]


@dataclass(frozen=True, slots=True)
class Gaussian:
    """exp(−d²/2ℓ²): every frequency, ever less of it."""

    lengthscale: float


@dataclass(frozen=True, slots=True)
class Harmonics:
    """exp(−2 sin²(πd/p)/λ²): a line at every multiple of 1/p; centred, all but that at zero, scaled to variance 1 without it."""

    lengthscale: float
    period: float
    centred: bool = False


@dataclass(frozen=True, slots=True)
class Root:
    """(u − l)(u′ − l): a root of the polynomial."""

    location: float


@dataclass(frozen=True, slots=True)
class Amplitude:
    """A(u) A(u′): the amplitude of its exponential form, and nothing else."""


@dataclass(frozen=True, slots=True)
class Fading:
    """Σ_m polynomial[m]·s^m·exp(−s), s = rate·d/ℓ: a state of as many numbers as the polynomial has coefficients."""

    lengthscale: float
    rate: float
    polynomial: tuple[float, ...]

    def at(self, d: Array) -> Array:
        """At distances d ≥ 0."""
        s = self.rate * d / self.lengthscale
        return np.asarray(np.polynomial.polynomial.polyval(s, self.polynomial) * np.exp(-s))


@dataclass(frozen=True, slots=True)
class Walk:
    """White noise summed up from o on, `order` times; 0 where either point lies before o.

    Order 1 is min(u, u′) − o. Order 2 is s³/3 + s²d/2 with s = min(u, u′) − o.
    """

    location: float
    order: int


@dataclass(frozen=True, slots=True)
class Steady:
    """1: it leaves its partners as they are."""


@dataclass(frozen=True, slots=True)
class Alone:
    """0 between any two different points: nothing is carried from one to another."""


Spectrum = Gaussian | Harmonics | Root | Amplitude | Fading | Walk | Steady | Alone
