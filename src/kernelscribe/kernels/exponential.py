"""The exponential form of a base kernel,

    k(x, z) = variance · a(x) a(z) · exp( −½ |φ(x) − φ(z)|² ),

so that the exponent vanishes at x = z. Products of such kernels have the same form (a multiplies, φ is stacked), which is why a
whole product costs one exponential. The difference is squared as it stands: multiplied out, its terms would cancel where two
points lie close together far from the origin. Both sides of the kernel use the same features, so the form says how to compute
them and how to pull cotangents back through them, and nothing about matrices or bounds.
"""

from typing import NamedTuple, Protocol

from kernelscribe.arrays import Array

__all__ = ["Cotangent", "Exponential", "Features"]


class Features(NamedTuple):
    """φ [rank, n] and a [n] at n points; `a` is None where it is 1."""

    phi: Array
    a: Array | None


class Cotangent(NamedTuple):
    """The derivative of some scalar with regard to φ [rank, n] and a [n]."""

    phi: Array
    a: Array


class Exponential(Protocol):
    """Features of a base kernel of these values, or of one branch of an operator."""

    @property
    def rank(self) -> int:
        """Rows of φ."""
        ...

    def features(self, x: Array, values: Array) -> Features: ...

    def pull(self, x: Array, values: Array, features: Features, bar: Cotangent) -> tuple[Array, Array]:
        """From cotangents of the features to those of the optimiser's shape coordinates and of x [n]."""
        ...

    def steepness(self, values: Array) -> float:
        """|dφ/dx|, at most: by how much a rounded input moves the features. Certificates allow for that."""
        ...
