"""The process given the data, as everyone meets it: what every term of the kernel, and every sum of terms, is likely to be,
anywhere. All is in the standardised units of the data.

How it is found depends on the rows and inputs: on points (pointed.py), on waves (spectral/posterior.py), or on windows too.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelscribe.arrays import Array
from kernelscribe.kernels.normal import Factor, Term
from kernelscribe.noises import Noise

__all__ = ["Posterior", "Rows", "Whole", "cross", "diagonal", "each"]

Rows = NDArray[np.int64]
# Of the noise: what a row that decides the curve alone leaves of it is rounding.
_LEAST = 1e-9


def each(terms: Sequence[Term], X: Array, Z: Array) -> Iterator[Array]:
    """The kernel of every term; factors that terms share, as those of one product do, are evaluated once."""
    uses = Counter(one for term in terms for one in term.factors)
    kept: dict[Factor, Array] = {}
    for term in terms:
        K = np.full((len(X), len(Z)), term.variance)
        for one in term.factors:
            value = kept[one] if one in kept else one.cross(X, Z)
            if uses[one] > 1:
                kept[one] = value
            K *= value
        yield K


def cross(terms: Sequence[Term], X: Array, Z: Array) -> Array:
    """The kernel of a sum of terms."""
    K = np.zeros((len(X), len(Z)))
    for part in each(terms, X, Z):
        K += part
    return K


def diagonal(terms: Sequence[Term], X: Array) -> Array:
    return np.asarray(sum((term.diagonal(X) for term in terms), np.zeros(len(X))))


@dataclass(frozen=True)
class Posterior(ABC):
    """Means of terms that add up to the mean of their sum, whatever the approximation, and variances.

    Where `terms` are asked for, they are some of the model's; all of them when not given.
    """

    terms: tuple[Term, ...]
    noise: Noise
    X: Array
    y: Array

    @property
    def s2(self) -> float:
        """The variance of noise that is the same everywhere."""
        assert self.noise.uniform  # noqa: S101
        return self.noise.level

    @property
    @abstractmethod
    def basis(self) -> str:
        """What it rests on, for the reader: as in "all rows"."""

    @property
    @abstractmethod
    def lacks(self) -> float:
        """The share of the kernel's variance, over the rows, that it has no means to learn about, for want of waves or points."""

    @property
    def sparse(self) -> bool:
        """Whether it rests on fewer points than rows, so that some rows, looked at exactly, may tell more than it does of all."""
        return False

    def whitened(self, mean: Array) -> tuple[Array, Array] | None:
        """From all rows at once, at every row: errors that are independent standard normal numbers if the model holds; and those
        of leaving the row out, over their standard deviations. None where only a matrix of the rows can tell.

        Args:
            mean: of all terms at the rows.
        """
        return None

    @abstractmethod
    def mean(self, X: Array, terms: Sequence[Term] | None = None) -> Array:
        """The mean of the sum of terms at points [n, D]."""

    @abstractmethod
    def predict(self, X: Array, terms: Sequence[Term] | None = None) -> tuple[Array, Array]:
        """Mean and variance of the same, without the noise."""

    @abstractmethod
    def joint(self, X: Array, terms: Sequence[Term] | None = None) -> tuple[Array, Array]:
        """Mean and covariance matrix of the same, for few points."""

    @abstractmethod
    def means(self, X: Array) -> Array:
        """The mean of every term [n, J]."""

    @abstractmethod
    def held_out(self, folds: Sequence[Rows]) -> Array:
        """The mean of every term [N, J] at each row when the rows of its fold are not known."""


@dataclass(frozen=True)
class Whole(Posterior):
    """One that knows all rows, however many, and what each of them says beside the others."""

    @property
    @abstractmethod
    def errors(self) -> Array:
        """At every row; independent standard normal numbers if the model holds."""

    @abstractmethod
    def variance(self, X: Array, terms: Sequence[Term] | None = None) -> Array:
        """The variance of the sum of terms at points [n, 1], without the noise."""

    @abstractmethod
    def unseen(self, X: Array) -> Array:
        """How much of that is the variance of what the posterior leaves out, so that no row has told anything of it."""

    @abstractmethod
    def term(self, j: int, X: Array) -> Array:
        """The mean of the j-th term at points [n, 1]."""

    def whitened(self, mean: Array) -> tuple[Array, Array]:
        """With v the variance of the curve at a row, without what the posterior leaves out, the latter are
        α_i/√C⁻¹_ii = (y_i − mean_i)/√(s2 − v_i)."""
        variance = self.variance(self.X) - self.unseen(self.X)
        noise = self.noise.diagonal(self.X)
        spare = np.maximum(noise - variance, _LEAST * noise)
        return self.errors, (self.y - mean) / np.sqrt(spare)

    def mean(self, X: Array, terms: Sequence[Term] | None = None) -> Array:
        return np.asarray(sum((self.term(j, X) for j in self._chosen(terms)), np.zeros(len(X))))

    def means(self, X: Array) -> Array:
        return np.column_stack([self.term(j, X) for j in range(len(self.terms))])

    def predict(self, X: Array, terms: Sequence[Term] | None = None) -> tuple[Array, Array]:
        return self.mean(X, terms), self.variance(X, terms)

    def _chosen(self, terms: Sequence[Term] | None) -> tuple[int, ...]:
        """The numbers of terms, which must be of the model: for others there are no features."""
        return tuple(range(len(self.terms))) if terms is None else tuple(sorted(self.terms.index(term) for term in terms))
