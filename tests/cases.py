"""Random kernels and data for the property tests: nested trees, several inputs, regular, irregular and repeated points."""

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from kernelscribe.kernels import Form, Leaf, Product, Sum, leaves, pack
from kernelscribe.kernels.bases import PAPER
from kernelscribe.kernels.form import MOST_TERMS
from kernelscribe.kernels.gram import Numpy
from kernelscribe.kernels.tree import with_leaves

seeds = st.integers(min_value=0, max_value=2**32 - 1)


def structure(rng, inputs, size, kinds=PAPER):
    """A random nested tree with that many leaves."""
    if size == 1:
        return Leaf(str(rng.choice(kinds)), int(rng.integers(1, inputs + 1)))
    cut = int(rng.integers(1, size))
    node = Sum if rng.random() < 0.5 else Product
    return node((structure(rng, inputs, cut, kinds), structure(rng, inputs, size - cut, kinds)))


def values(rng, kind):
    variance = float(np.exp(rng.normal() * 0.7))
    match kind:
        case "WN" | "C":
            return (variance,)
        case "SE" | "MATERN" | "ROUGH":
            return variance, float(np.exp(rng.normal() * 0.7))
        case "PER" | "CYCLE":
            return variance, float(np.exp(rng.normal() * 0.5)), float(np.exp(rng.normal() * 0.7))
        case "SPELL":
            return variance, float(rng.normal()), float(np.exp(rng.normal()))
        case _:
            return variance, float(rng.normal())


def kernel(rng, inputs=1, largest=5, kinds=PAPER):
    """A random nested kernel with values."""
    expr = structure(rng, inputs, int(rng.integers(1, largest + 1)), kinds)
    filled = with_leaves(expr, [replace(leaf, values=values(rng, leaf.kind)) for leaf in leaves(expr)])
    assert len(Form.of(filled).terms) <= MOST_TERMS
    return filled


def points(rng, n, inputs, kind):
    """Regular with gaps, irregular, or repeated rows, on about the standardised scale."""
    if kind == "regular":
        column = np.linspace(-1.7, 1.7, 2 * n)[np.sort(rng.choice(2 * n, size=n, replace=False))]
        return np.column_stack([column] + [rng.normal(size=n) for _ in range(inputs - 1)])
    if kind == "irregular":
        return rng.normal(size=(n, inputs))
    return rng.normal(size=(max(n // 3, 2), inputs))[rng.integers(0, max(n // 3, 2), size=n)]


KINDS = ("regular", "irregular", "repeated")


@dataclass
class Case:
    """A kernel with values, data that it explains well or badly, a noise variance, and inducing points."""

    expr: object
    form: Form
    theta: np.ndarray
    s2: float
    X: np.ndarray
    y: np.ndarray
    Z: np.ndarray
    K: np.ndarray

    @property
    def exact(self):
        """log N(y | 0, K + s2·I) by an independent route: eigenvalues, no Cholesky of ours."""
        C = self.K + self.s2 * np.eye(len(self.y))
        _, logdet = np.linalg.slogdet(C)
        return float(-0.5 * (self.y @ np.linalg.solve(C, self.y) + logdet + len(self.y) * np.log(2 * np.pi)))


def case(seed, largest=5):
    """A random case of everything that the bounds must survive."""
    from kernelscribe.testing import evaluate

    rng = np.random.default_rng(seed)
    inputs = int(rng.integers(1, 5))
    expr = kernel(rng, inputs, largest)
    n = int(rng.integers(12, 60))
    X = points(rng, n, inputs, KINDS[int(rng.integers(3))])
    s2 = float(10 ** rng.uniform(-4, 0))
    K = evaluate(expr, X, X)
    if rng.random() < 0.5:
        y = rng.normal(size=n)
    else:
        y = np.linalg.cholesky(K + 1e-6 * np.trace(K) * np.eye(n)) @ rng.normal(size=n) + np.sqrt(s2) * rng.normal(size=n)
    distinct = np.unique(X, axis=0)
    m = int(rng.integers(1, len(distinct) + 1))
    Z = distinct[rng.choice(len(distinct), size=m, replace=False)]
    return Case(expr, Form.of(expr), pack(expr), s2, X, y, Z, K)


NUMPY = Numpy()
