"""Random Fourier features and the bound on the log-determinant that they give (the paper's appendices on RFF).

A feature of term t is √(2/(m·π_t)) a_t(x) cos(v·x + β): the term drawn with probability π_t, β uniform, and v from the
spectral density of the term's stationary part, which for a product is the sum of its factors' frequencies. For SE that is a
normal, for PER the line spectrum I_n(λ⁻²)/exp(λ⁻²) at 2πn/p (Solin & Särkkä 2014). LIN factors stay in a_t; a term of LIN
alone needs no cosine. Then E[ΦΦᵀ] = K, and since −log det is convex (Jensen)

    −½ log|K + s2·I|  ≤  E[ −½ log|ΦΦᵀ + s2·I| ].

A bound in expectation only: the paper measures it; nothing is certified with it.
"""

import math

import numpy as np
from scipy.special import ive

from kernelscribe.arrays import Array
from kernelscribe.engines.linalg import cholesky
from kernelscribe.errors import KernelError
from kernelscribe.kernels.form import Form, Side
from kernelscribe.kernels.spectral import Gaussian, Harmonics, Root
from kernelscribe.kernels.tree import Leaf, Owner

__all__ = ["features", "nld"]


def features(form: Form, side: Side, size: int, rng: np.random.Generator) -> Array:
    """Φ [N, size] with E[ΦΦᵀ] = K."""
    power = np.einsum("tn,tn->t", side.a, side.a)
    share = power / power.sum()
    Phi = np.empty((len(side.X), size))
    for column, t in enumerate(rng.choice(len(form.terms), size=size, p=share)):
        wave = np.ones(len(side.X))
        if form.offsets[t] != form.offsets[t + 1]:
            phase = np.full(len(side.X), rng.uniform(0, 2 * math.pi))
            for i in form.terms[t]:
                owner = form.factors[i].owner
                node, values = form.owners[owner], side.values[owner]
                phase += _frequency(node, values, rng) * side.X[:, node.dim - 1]
            wave = math.sqrt(2) * np.cos(phase)
        Phi[:, column] = side.a[t] * wave / math.sqrt(size * share[t])
    return Phi


def _frequency(node: Owner, values: Array, rng: np.random.Generator) -> float:
    """A draw from the spectral density of a factor's stationary part."""
    match node.base.spectrum(tuple(values[1:])) if isinstance(node, Leaf) else None:
        case Gaussian(lengthscale):
            return float(rng.normal() / lengthscale)
        case Harmonics(lengthscale, period, False):
            return float(2 * math.pi * _harmonic(lengthscale, rng) / period)
        case Root():
            return 0.0
        case _:
            raise KernelError(f"there are no random Fourier features for {node.kind}")


def _harmonic(lengthscale: float, rng: np.random.Generator) -> int:
    """An integer n with probability I_n(λ⁻²)/exp(λ⁻²); `ive` carries the exponential."""
    concentration = lengthscale**-2.0
    reach = int(8 * math.sqrt(concentration) + 20)
    orders = np.arange(-reach, reach + 1)
    weight: Array = ive(np.abs(orders), concentration)
    return int(rng.choice(orders, p=weight / weight.sum()))


def nld(Phi: Array, s2: float) -> float:
    """−½ log|ΦΦᵀ + s2·I| by way of the small matrix."""
    n, size = Phi.shape
    L = cholesky(np.eye(size) + Phi.T @ Phi / s2)
    if L is None:
        return math.nan
    return float(-0.5 * n * math.log(s2) - np.log(np.diagonal(L)).sum())
