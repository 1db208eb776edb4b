"""Kernels on one input with an oracle of more digits, for the tests of the spectral engine."""

import math
import re
from dataclasses import dataclass, replace

import numpy as np

from cases import KINDS, points, structure
from kernelscribe import parse
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.spectral.engine import Spectral
from kernelscribe.engines.spectral.tables import Tables
from kernelscribe.engines.spectral.waves import of_form
from kernelscribe.kernels import Form, Leaf, Sum, leaves, pack, unpack
from kernelscribe.kernels.tree import with_leaves

LONG = np.longdouble
PI = LONG("3.14159265358979323846264338327950288")
NAMES = {kind: tuple(parameter.name for parameter in Leaf(kind).base.parameters) for kind in ("SE", "PER", "LIN")}

# Every way in which terms can be waves: on the grid, on combs, as lines, with one to three LIN, and mixed.
TEN = [
    "SE(1, 0.3)",
    "SE(1, 9)",
    "SE(1, 0.8)*PER(1, 0.7, 0.4)",
    "PER(0.5, 0.8, 0.31)",
    "LIN(0.7, 0.3)",
    "LIN(0.7, 0.3)*SE(1, 0.4)",
    "SE(1, 0.5)*PER(1, 1, 0.2)*PER(1, 0.6, 0.55) + LIN(1, -2)*PER(1, 1, 0.33)",
    "LIN(0.3, 1)*LIN(1, 0.2)*SE(1, 1)",
    "SE(1, 0.05) + PER(1, 0.3, 0.5) + SE(2, 8)*PER(1, 1, 0.3)",
    "(PER(1, 1, 0.2)*LIN(1, 0.5)*LIN(1, -0.5) + SE(1, 0.1))*LIN(1, 0.8)",
]
TIMES = ("regular", "irregular", "gaps")


def kernel(text):
    """From a text whose values have no names: SE(variance, lengthscale), PER(variance, lengthscale, period), LIN(variance,
    location)."""

    def named(found):
        pairs = zip(NAMES[found[1]], found[2].split(","), strict=True)
        return f"{found[1]}({', '.join(f'{name}={value.strip()}' for name, value in pairs)})"

    return parse(re.sub(r"(SE|PER|LIN)\(([^)]*)\)", named, text))


def times(kind, n, seed=0):
    """Sorted times on about the standardised scale."""
    rng = np.random.default_rng(seed)
    if kind == "irregular":
        return np.sort(rng.uniform(-1.7, 1.7, n))
    if kind == "regular":
        return np.linspace(-1.7, 1.7, n)
    grid = np.linspace(-1.7, 1.7, 2 * n)
    grid = grid[(np.abs(grid + 1) > 0.15) & (np.abs(grid - 0.6) > 0.3)]
    return np.sort(rng.choice(grid, size=n, replace=False))


def evaluate(expr, x):
    """The kernel matrix by the textbook, in long double, of one input."""
    return evaluate_inputs(expr, x[:, None])


def evaluate_inputs(expr, X):
    """The same for several inputs [n, D]."""
    if isinstance(expr, Leaf):
        x, v = X[:, expr.dim - 1], [LONG(value) for value in expr.values]
        d = np.subtract.outer(x, x)
        match expr.kind:
            case "SE":
                return v[0] * np.exp(-(d**2) / (2 * v[1] ** 2))
            case "PER":
                return v[0] * np.exp(-2 * np.sin(PI * d / v[2]) ** 2 / v[1] ** 2)
            case _:
                return v[0] * np.multiply.outer(x - v[1], x - v[1])
    parts = np.stack([evaluate_inputs(arg, X) for arg in expr.args])
    return parts.sum(axis=0) if isinstance(expr, Sum) else parts.prod(axis=0)


def density(A, y):
    """log N(y | 0, A) by elimination, in the digits of A."""
    A, rest = A.copy(), np.asarray(y, dtype=A.dtype).copy()
    total = len(y) * np.log(2 * PI)
    for j in range(len(y)):
        total += np.log(A[j, j]) + rest[j] ** 2 / A[j, j]
        column = A[j + 1 :, j] / A[j, j]
        rest[j + 1 :] -= column * rest[j]
        A[j + 1 :, j + 1 :] -= np.multiply.outer(column, A[j, j + 1 :])
    return float(-total / 2)


@dataclass
class Problem:
    """A kernel with values, a noise variance, and rows."""

    expr: object
    x: np.ndarray
    y: np.ndarray
    s2: float

    def __post_init__(self):
        self.form = Form.of(self.expr)
        self.u = np.append(pack(self.expr), math.log(self.s2))
        # The numbers that an engine sees, which passed through logarithms.
        self.expr, self.s2 = unpack(self.expr, self.u[:-1]), math.exp(self.u[-1])

    @property
    def matrix(self):
        return evaluate(self.expr, self.x.astype(LONG))

    @property
    def exact(self):
        return density(self.matrix + LONG(self.s2) * np.eye(len(self.x), dtype=LONG), self.y)

    @property
    def tables(self):
        return Tables.of(self.x, self.y)

    @property
    def waves(self):
        return of_form(self.form, self.u[:-1], self.tables.frame)

    @property
    def data(self):
        """These very numbers as a data set, not standardised once more."""
        return replace(Dataset.of(self.x, np.arange(len(self.x))), X=self.x[:, None], y=self.y)

    def engine(self, **changes):
        return replace(Spectral.of(self.data), **changes)


def drawn(text, x, s2, seed=0):
    """Rows drawn from the kernel."""
    rng, expr = np.random.default_rng(seed), kernel(text) if isinstance(text, str) else text
    K = np.asarray(evaluate(expr, x.astype(LONG)), dtype=float)
    values, vectors = np.linalg.eigh(K)
    y = vectors @ (np.sqrt(np.maximum(values, 0)) * rng.normal(size=len(x))) + math.sqrt(s2) * rng.normal(size=len(x))
    return Problem(expr, x, y, s2)


def random(seed, largest=5, terms=3):
    """A nested kernel with tame or wild values; times regular, irregular or repeated; y drawn from the kernel, or nothing like
    it."""
    rng = np.random.default_rng(seed)
    expr = structure(rng, 1, int(rng.integers(1, largest + 1)))
    while len(Form.of(expr).terms) > terms:
        expr = structure(rng, 1, int(rng.integers(1, largest + 1)))
    spread = 2.0 if rng.random() < 0.3 else 0.7
    expr = with_leaves(expr, [replace(leaf, values=_values(rng, leaf.kind, spread)) for leaf in leaves(expr)])
    x = points(rng, int(rng.integers(8, 70)), 1, KINDS[int(rng.integers(3))])[:, 0]
    s2 = float(10 ** rng.uniform(-4, 0.3))
    if rng.random() < 0.5:
        return drawn(expr, x, s2, seed)
    other = np.sign(np.sin(3 * x)) + 0.1 * rng.normal(size=len(x)) if rng.random() < 0.5 else rng.normal(size=len(x))
    return Problem(expr, x, other, s2)


def _values(rng, kind, spread):
    variance = float(np.exp(rng.normal() * spread))
    match kind:
        case "SE":
            return variance, float(np.exp(rng.normal() * spread))
        case "PER":
            return variance, float(np.clip(np.exp(rng.normal() * spread), 0.03, 100)), float(np.exp(rng.normal() * spread))
        case _:
            return variance, float(rng.normal() * spread**3)
