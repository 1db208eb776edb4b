"""The spectral form of a factor: what it adds to a polynomial times a stationary part whose spectrum is known.

    k(u, u′) = v P(u) P(u′) · exp(−d²/2ℓ²) · Π_b exp(−2 sin²(πd/p_b)/λ_b²),     P(u) = Π_a (u − l_a),   d = u − u′.

A base kernel says which of the three it is; its shape coordinates follow the fields in their order.
"""

from dataclasses import dataclass

__all__ = ["Gaussian", "Harmonics", "Root", "Spectrum"]


@dataclass(frozen=True, slots=True)
class Gaussian:
    """exp(−d²/2ℓ²): every frequency, ever less of it."""

    lengthscale: float


@dataclass(frozen=True, slots=True)
class Harmonics:
    """exp(−2 sin²(πd/p)/λ²): a line at every multiple of 1/p."""

    lengthscale: float
    period: float


@dataclass(frozen=True, slots=True)
class Root:
    """(u − l)(u′ − l): a root of the polynomial."""

    location: float


Spectrum = Gaussian | Harmonics | Root
