"""Cases that no interval may miss: kernels and rows at random and at the edges, with an oracle in balls.

A case is named by its number. Its kernel has up to three terms, with values at random, wild, or on the very edge of their boxes;
its inputs are regular, with gaps, irregular, repeated, repeated all but exactly, all but on a grid, or one of them is far out;
the noise is from a hundred millionth of the data's variance to twice it, and of written cases every other one's grows or changes,
with values at random, wild or on the edge; the rows are drawn from the kernel, or are nothing like
it. One case in six sweeps an overtone of a cycle over the edge of the spectral tables, one in twelve takes lengthscales and times
to either side of a tolerance at which an engine goes another way.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from cases import structure
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import prepare
from kernelscribe.engines.inducing.products import OFF_GRID
from kernelscribe.engines.series.blocks import OFF_GRID as OFF_STEPS
from kernelscribe.engines.series.engine import Series
from kernelscribe.engines.spectral.certificate import certified
from kernelscribe.engines.spectral.features import LONGEST
from kernelscribe.engines.spectral.tables import FINENESS, Tables
from kernelscribe.engines.spectral.waves import of_form
from kernelscribe.errors import Status
from kernelscribe.kernels import Form, Leaf, Operation, Product, Sum, Zero, leaves, pack, unpack
from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.form import terms
from kernelscribe.kernels.operators import OPERATORS
from kernelscribe.kernels.tree import owners, with_leaves, with_owners
from kernelscribe.noises import Changing, Constant, Growing
from kernelscribe.scales import Extent
from kernelscribe.testing import evaluate
from oracle import precise
from spectra import LONG, evaluate_inputs

INPUTS = ("regular", "gaps", "irregular", "repeated", "nearly repeated", "nearly a grid", "far out")
ENGINES = ("exact", "inducing", "series", "waves")
# Statuses that say that an interval holds.
HOLDING = (Status.OK, Status.LOOSE)


@dataclass(frozen=True)
class Case:
    """A kernel with values as an engine sees them, which have passed through logarithms, and rows."""

    expr: object
    X: np.ndarray
    y: np.ndarray
    noise: object
    seed: int

    @property
    def form(self):
        return Form.of(self.expr)

    @property
    def u(self):
        return np.append(pack(self.expr), self.noise.pack())

    @property
    def exact(self):
        """log p(y), beyond doubt."""
        u, size = self.u, self.form.size
        return precise(unpack(self.expr, u[:size]), self.X, self.y, type(self.noise).unpack(u[size:]))

    @property
    def data(self):
        """These very numbers as a data set, not standardised once more."""
        blank = Dataset.of(np.arange(self.X.size, dtype=float).reshape(self.X.shape), np.arange(len(self.y)))
        return replace(blank, X=self.X, y=self.y)

    def evidence(self, engine):
        """What an engine certifies, or None where that engine is not for this case."""
        form, u = self.form, self.u
        if engine in ("exact", "inducing"):
            points = None if engine == "exact" else max(len(self.y) // 3, 1)
            config = Config(engine=engine, inducing=points, seed=self.seed, noise=self.noise.name)
            return prepare(self.data, config).certify(form, u)
        if self.X.shape[1] > 1 or (engine == "series" and Series.accepts(self.data, form) is not None):
            return None
        if engine == "series":
            return prepare(self.data, Config(engine=engine, noise=self.noise.name)).certify(form, u)
        tables = Tables.of(self.X[:, 0], self.y)
        return certified(of_form(form, u[:-1], tables.frame), tables, math.exp(u[-1]))


def case(number, rows=None):
    """The case of that number; one in three has three inputs."""
    rng = np.random.default_rng([7, number])
    if number % 6 == 3:
        return _overtone(rng, number)
    if number % 12 == 6:
        return _tolerance(rng, number)
    inputs = 3 if number % 3 == 2 else 1
    n = int(rng.integers(8, 70)) if rows is None else rows
    if number % 10 == 0 and rows is None:
        # More rows than a panel, so that products go by FFT where they can.
        n = int(rng.integers(130, 180))
    X = np.column_stack([column(rng, n, INPUTS[int(rng.integers(len(INPUTS)))]) for _ in range(inputs)])
    expr = structure(rng, inputs, int(rng.integers(1, 6)))
    while len(Form.of(expr).terms) > 3:
        expr = structure(rng, inputs, int(rng.integers(1, 6)))
    expr = with_leaves(expr, [replace(leaf, values=_values(rng, leaf, X)) for leaf in leaves(expr)])
    s2 = float(10 ** rng.uniform(-8, 0.3)) if rng.random() < 0.5 else float(10 ** rng.uniform(-3, 0))
    return Case(expr, X, _target(rng, expr, X, Constant(s2)), Constant(s2), number)


def written_case(number, kinds=tuple(BASES)):
    """A kernel that the search does not propose: any of these base kernels, and operators that stand anywhere."""
    rng = np.random.default_rng([8, number])
    inputs, n = 1 + number % 2, int(rng.integers(8, 60)) if number % 5 else int(rng.integers(130, 160))
    X = np.column_stack([column(rng, n, INPUTS[int(rng.integers(len(INPUTS)))]) for _ in range(inputs)])
    expr = _written(rng, inputs, 2, kinds)
    while not 1 <= terms(expr) <= 4:
        expr = _written(rng, inputs, 2, kinds)
    expr = with_owners(expr, iter([_values(rng, owner, X) for owner in owners(expr)]))
    s2 = float(10 ** rng.uniform(-8, 0.3)) if rng.random() < 0.5 else float(10 ** rng.uniform(-3, 0))
    noise = Constant(s2) if number % 2 else _noise(rng, (Growing, Changing)[number // 2 % 2], X, s2)
    return Case(expr, X, _target(rng, expr, X, noise, lambda expr, X: evaluate(expr, X, X)), noise, number)


def _noise(rng, kind, X, s2):
    """At about that level."""
    extent = Extent.of(X[:, 0])
    drawn = kind.draw(rng, extent).amplified(s2)
    return kind.of(_spread(rng, kind.parameters, drawn.values, kind.box(extent), rng.choice([0.3, 2.0])))


def _written(rng, inputs, depth, kinds):
    dim = int(rng.integers(1, inputs + 1))
    match int(rng.integers(4)) if depth else 0:
        case 0:
            return Leaf(str(rng.choice(kinds)), dim)
        case 1:
            return Sum((_written(rng, inputs, depth - 1, kinds), _written(rng, inputs, depth - 1, kinds)))
        case 2:
            return Product((_written(rng, inputs, depth - 1, kinds), _written(rng, inputs, depth - 1, kinds)))
    kind, args = str(rng.choice(list(OPERATORS))), [_written(rng, inputs, depth - 1, kinds) for _ in range(2)]
    empty = int(rng.integers(4))
    return Operation(kind, tuple(Zero() if i == empty else arg for i, arg in enumerate(args)), dim)


def column(rng, n, kind):
    """Sorted inputs of a kind, on about the standardised scale."""
    x = np.linspace(-1.7, 1.7, n)
    match kind:
        case "gaps":
            x = np.sort(rng.choice(np.linspace(-1.7, 1.7, 2 * n), size=n, replace=False))
        case "irregular":
            x = np.sort(rng.normal(size=n))
        case "repeated":
            x = np.sort(rng.choice(np.linspace(-1.7, 1.7, max(n // 3, 2)), size=n))
        case "nearly repeated":
            x[1::2] = x[: n // 2 * 2 : 2] + 10 ** rng.uniform(-12, -5) * rng.random(n // 2)
        case "nearly a grid":
            x = x + (3.4 / n) * 10 ** rng.uniform(-13, -7) * rng.uniform(-1, 1, size=n)
        case "far out":
            x = np.sort(rng.normal(size=n))
            x[-1] = 10 ** rng.uniform(1, 4)
    return x


def _overtone(rng, number):
    """A sharp cycle one of whose overtones stands at the edge of the tables, within what it spreads over or just beyond."""
    n = int(rng.integers(60, 180))
    x = column(rng, n, INPUTS[number // 6 % 3])
    length, edge = float(np.ptp(x)), Tables.of(x, np.zeros(n)).last / FINENESS
    lengthscale = float(10 ** rng.uniform(-1.7, 0.3))
    away = (
        float(rng.choice([0.0, 1e-15, 1e-9, rng.random(), 3 * rng.random()])) * rng.choice([-1, 1]) / (2 * math.pi * lengthscale)
    )
    period = length * int(rng.integers(1, 20)) / (edge + away)
    expr = Leaf("PER", 1, (1.0, float(10 ** rng.uniform(-1.3, 0)), period))
    if rng.random() < 0.8:
        expr *= Leaf("SE", 1, (1.0, lengthscale * length))
    if rng.random() < 0.2:
        expr *= Leaf("LIN", 1, (0.3, float(rng.normal())))
    if rng.random() < 0.5:
        expr += Leaf("SE", 1, (0.5, float(10 ** rng.uniform(-2, 0.5))))
    s2 = float(10 ** rng.uniform(-4, 0))
    return Case(expr, x[:, None], _target(rng, expr, x[:, None], Constant(s2)), Constant(s2), number)


def _tolerance(rng, number):
    """Lengthscales about the longest that stands on a grid of frequencies, and times as far off a grid as may count as on it."""
    n, side = int(rng.integers(130, 180)), float(rng.choice([-1e-3, -1e-15, 0.0, 1e-15, 1e-3]))
    x = np.linspace(-1.7, 1.7, n)
    off = rng.choice([OFF_GRID, OFF_STEPS]) * (1 + side)
    x[1:-1] += 3.4 / (n - 1) * off * np.where(rng.random(n - 2) < 0.5, 1.0, -1.0)
    longest = Leaf("SE", 1, (1.0, 3.4 * LONGEST * (1 + side)))
    cycle = Leaf("PER", 1, (1.0, float(rng.uniform(0.1, 2)), float(rng.uniform(0.05, 2))))
    expr = longest * cycle + Leaf("SE", 1, (1.0, float(10 ** rng.uniform(-2, 0.5))))
    s2 = float(10 ** rng.uniform(-6, 0))
    return Case(expr, x[:, None], _target(rng, expr, x[:, None], Constant(s2)), Constant(s2), number)


def _values(rng, leaf, X):
    """Tame, wild, or on the edge of the box."""
    extent = Extent.of(X[:, leaf.dim - 1])
    spread = rng.choice([0.7, 2.0])
    drawn = leaf.base.scatter(rng, extent) if rng.random() < 0.5 else leaf.base.draw(rng, extent)
    return _spread(rng, leaf.base.parameters, drawn, leaf.base.box(extent), spread)


def _spread(rng, parameters, drawn, box, spread):
    found = []
    for value, parameter, (low, high) in zip(drawn, parameters, box, strict=True):
        edge = rng.random()
        moved = value * float(np.exp(spread * rng.normal())) if parameter.positive else value + float(spread**3 * rng.normal())
        found.append(low if edge < 0.07 else high if edge < 0.14 else float(np.clip(moved, low, high)))
    return tuple(found)


def _target(rng, expr, X, noise, gram=lambda expr, X: evaluate_inputs(expr, X.astype(LONG))):
    n = len(X)
    match int(rng.integers(3)):
        case 0:
            return rng.normal(size=n)
        case 1:
            return np.sign(np.sin(3 * X[:, 0])) + 0.1 * rng.normal(size=n)
    K = np.asarray(gram(expr, X), dtype=float)
    values, vectors = np.linalg.eigh(K)
    return vectors @ (np.sqrt(np.maximum(values, 0)) * rng.normal(size=n)) + np.sqrt(noise.diagonal(X)) * rng.normal(size=n)
