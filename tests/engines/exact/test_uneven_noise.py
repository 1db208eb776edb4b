"""Noise that varies, by the exact engine: value, gradient, certificate and fit."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.fit.kernel import finish
from kernelscribe.fit.ladder import Ladder
from kernelscribe.kernels import Form, pack, parse
from kernelscribe.kernels.base import Parameter
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.kernels.normal import normal
from kernelscribe.noise import Noise
from kernelscribe.priors import Flat
from kernelscribe.testing import check_gradient, evaluate


@dataclass(frozen=True, slots=True)
class Growing(Noise):
    """Noise whose variance grows, or shrinks, exponentially along the first input."""

    variance: float
    rate: float

    parameters: ClassVar = (Parameter("variance", "variance"), Parameter("rate", "place"))

    @property
    def values(self):
        return self.variance, self.rate

    @classmethod
    def of(cls, values):
        return cls(*values)

    def diagonal(self, X):
        return self.variance * np.exp(self.rate * X[:, 0])

    def pull(self, X, bar):
        here = bar * self.diagonal(X)
        return np.array([here.sum(), here @ X[:, 0]])

    @property
    def level(self):
        return self.variance

    def amplified(self, factor):
        return Growing(self.variance * factor, self.rate)

    @classmethod
    def prior(cls, name):
        return Flat(), Flat()

    @classmethod
    def box(cls):
        return (1e-6, 1e2), (-3.0, 3.0)


class Uneven(Exact):
    noise: ClassVar = Growing


def data(n=60):
    rng = np.random.default_rng(0)
    x = np.linspace(-1.7, 1.7, n)
    return Dataset.of(x, np.sin(3 * x) + np.exp(0.6 * x) * 0.3 * rng.normal(size=n))


def test_an_engine_takes_noise_that_varies():
    """Value, gradient, certificate and residual against the textbook."""
    rows, expr, noise = data(), parse("SE(variance=1, lengthscale=0.7)"), Growing(0.05, 0.9)
    engine, form = Uneven(arithmetic("numpy"), rows), Form.of(expr)
    u = np.append(pack(expr), noise.pack())
    assert engine.size(form) == 4
    assert engine.noise_at(form, u).values == pytest.approx(noise.values)

    def dense(v):
        K = evaluate(parse(f"SE(variance={math.exp(v[0])}, lengthscale={math.exp(v[1])})"), rows.X, rows.X)
        C = K + np.diag(Growing.unpack(v[2:]).diagonal(rows.X))
        return float(-0.5 * (rows.y @ np.linalg.solve(C, rows.y) + np.linalg.slogdet(C)[1] + len(C) * np.log(2 * np.pi)))

    value, slope = engine.objective(form, u)
    assert value == pytest.approx(dense(u), rel=1e-9)
    check_gradient(dense, u, slope)
    found = engine.certify(form, u)
    assert found.interval.lower <= dense(u) <= found.interval.upper
    assert found.interval.width < 1e-6
    posterior = Dense(normal(expr), noise, rows.X, rows.y)
    np.testing.assert_allclose(engine.residual(form, u), rows.y - posterior.mean(rows.X), atol=1e-9)


def test_noise_that_varies_is_fitted():
    rows, expr = data(200), parse("SE")
    config = Config(backend="numpy", restarts=2)
    ladder = Ladder.of(rows, config, Uneven(arithmetic("numpy"), rows))
    start = ladder.screen(expr, Growing(0.1, 0.0))
    found = finish(ladder, expr, start)
    assert isinstance(found.noise, Growing)
    scale = rows.inputs[0].scale
    assert found.noise.rate / scale == pytest.approx(1.2, abs=0.4)
    plain = finish(Ladder.of(rows, config), expr, Ladder.of(rows, config).screen(expr))
    assert found.evidence.exact > plain.evidence.exact + 5
