"""Noise that varies, on every engine that takes it: value, gradient, interval, what is left, and the posterior."""

import math

import numpy as np
import pytest

import kernelscribe as ks
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import Effort
from kernelscribe.engines.choose import choose, condition, prepare
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.engines.inducing.engine import Inducing
from kernelscribe.engines.inducing.posterior import InducingPosterior
from kernelscribe.engines.inducing.products import GridProduct
from kernelscribe.engines.weights import Weights
from kernelscribe.errors import OptionError
from kernelscribe.kernels import Form, pack
from kernelscribe.kernels.normal import normal
from kernelscribe.noises import NOISES, Changing, Constant, Growing
from kernelscribe.testing import check_engine, check_posterior, evaluate

NOISY = [Growing(0.1, 0.8), Growing(0.02, -2.0), Changing(0.05, 0.4, 0.3, 0.2), Changing(0.6, 0.01, -0.5, 0.02)]
KERNELS = [
    "SE(variance=1, lengthscale=0.7) + LIN(variance=0.5, location=0.2)",
    "LIN(variance=1, location=0.1)*PER(variance=1, lengthscale=1, period=0.6) + MATERN(variance=0.3, lengthscale=0.5)",
    "CHANGE(SE(variance=1, lengthscale=0.3), LIN(variance=1, location=0.2), location=0.1, width=0.2)",
]


def dataset(n=40, kind="irregular"):
    rng = np.random.default_rng(0)
    x = np.linspace(0, 1, n) if kind == "regular" else np.sort(rng.uniform(0, 1, n))
    return Dataset.of(x, np.sin(9 * x) + 0.2 * (1 + x) * rng.normal(size=n))


@pytest.mark.parametrize("noise", NOISY, ids=str)
@pytest.mark.parametrize("kernel", KERNELS)
class TestEveryEngine:
    def test_the_exact_engine_keeps_its_contract(self, noise, kernel):
        check_engine(Exact, dataset(), ks.parse(kernel), noise, Config(engine="exact", noise=noise.name))

    @pytest.mark.parametrize("placement", ["random", "learned"])
    def test_the_inducing_engine_keeps_its_contract(self, noise, kernel, placement):
        config = Config(engine="inducing", inducing=12, jitter=1e-5, noise=noise.name, placement=placement)
        check_engine(Inducing, dataset(), ks.parse(kernel), noise, config)

    def test_what_is_left_is_what_the_posterior_leaves(self, noise, kernel):
        data, expr = dataset(), ks.parse(kernel)
        form, dense = Form.of(expr), Dense(normal(expr), noise, data.X, data.y)
        for config in (Config(engine="exact", noise=noise.name), Config(engine="inducing", inducing=40, noise=noise.name)):
            engine = prepare(data, config)
            u = np.append(pack(expr), noise.pack())
            np.testing.assert_allclose(engine.residual(form, u), data.y - dense.mean(data.X), atol=1e-4)


@pytest.mark.parametrize("noise", NOISY, ids=str)
def test_blocks_that_are_not_kept_give_the_same_gradient(noise):
    """With and without memory for the blocks of rows, and by either arithmetic."""
    data, expr = dataset(300), ks.parse(KERNELS[1])
    form, u, found = Form.of(expr), np.append(pack(expr), noise.pack()), []
    for backend in ("numpy", "numba"):
        for memory in (1.0, 1000.0):
            config = Config(engine="inducing", inducing=250, jitter=1e-4, noise=noise.name, backend=backend, memory=memory)
            engine = Inducing.of(data, config)
            if memory == 1.0:
                engine.workspace.limit = 0.0
            found.append(engine.objective(form, u))
    for value, slope in found[1:]:
        assert value == pytest.approx(found[0][0], rel=1e-9)
        np.testing.assert_allclose(slope, found[0][1], rtol=1e-5, atol=1e-5 * np.abs(slope).max())


@pytest.mark.parametrize("tighten", ["paper", "free", "moments"])
@pytest.mark.parametrize("preconditioner", ["nystrom", "fic", "pic", "none"])
def test_every_bound_holds_and_closes_in_on_the_value(tighten, preconditioner):
    """On a grid, where products go by FFT, with factors of the kernel that vary along it."""
    data, expr, noise = dataset(200, "regular"), ks.parse(KERNELS[0] + " + " + KERNELS[2]), Growing(0.02, -2.0)
    form, u = Form.of(expr), np.append(pack(expr), noise.pack())
    exact = prepare(data, Config(engine="exact", noise="growing")).certify(form, u).exact
    for points, width in ((10, math.inf), (60, 0.5)):
        config = Config(
            engine="inducing", inducing=points, noise="growing", tighten=tighten, preconditioner=preconditioner, slack=1e-3
        )
        found = prepare(data, config).certify(form, u)
        assert found.interval.lower <= exact <= found.interval.upper
        assert found.paper.lower <= exact <= found.paper.upper
        assert found.interval.width < width


@pytest.mark.parametrize("kernel", [KERNELS[0], KERNELS[2]])
def test_products_on_a_grid_are_those_of_the_matrix_with_weights(kernel):
    data, expr, noise = dataset(200, "regular"), ks.parse(kernel), Changing(0.6, 0.01, -0.5, 0.02)
    engine, form = prepare(data, Config(engine="inducing", inducing=20, noise="changing")), Form.of(expr)
    sketch = engine._sketch(form, np.append(pack(expr), noise.pack()))
    product = sketch.product(1e9)
    assert isinstance(product, GridProduct)
    w = Weights.of(noise, data.X).w
    K = w[:, None] * evaluate(expr, data.X, data.X) * w
    V = np.random.default_rng(0).normal(size=(200, 3))
    np.testing.assert_allclose(product(V), K @ V, atol=1e-10 * np.abs(K).sum())


def test_weights_are_an_identity():
    data, noise = dataset(30), NOISY[2]
    weights = Weights.of(noise, data.X)
    assert weights.s2 == noise.diagonal(data.X).min()
    np.testing.assert_allclose(weights.s2 / weights.w**2, noise.diagonal(data.X))
    assert weights.logs == pytest.approx(np.log(weights.w).sum())
    same = Weights.of(Constant(0.3), data.X)
    assert (same.s2, same.logs, same.blur(), same.slack(data.y, data.y, 1.0)) == (0.3, 0.0, 0.0, 0.0)
    assert same.target(data.y) is data.y


@pytest.mark.parametrize("noise", NOISY, ids=str)
@pytest.mark.parametrize("kernel", KERNELS)
def test_posteriors_agree(noise, kernel):
    """With as many points as rows the inducing posterior is the exact one."""
    data, terms = dataset(60), normal(ks.parse(kernel))
    exact = condition(data, terms, noise, Config())
    found = condition(data, terms, noise, Config(inducing=60, jitter=1e-10, effort=Effort(dense_rows=20)))
    assert isinstance(found, InducingPosterior)
    X = np.linspace(-2, 2, 25)[:, None]
    for one, other in zip(exact.predict(X), found.predict(X), strict=True):
        np.testing.assert_allclose(other, one, atol=2e-4)
    folds = [np.arange(0, 30), np.arange(30, 60)]
    np.testing.assert_allclose(found.held_out(folds), exact.held_out(folds), atol=2e-3)
    check_posterior(found, X, folds)


def test_the_chooser_leaves_out_what_takes_one_number_for_all_rows():
    many = dataset(900)
    assert choose(many, Config()).name == choose(many, Config(noise="growing")).name == "series"
    assert choose(dataset(), Config(noise="changing")).name == "exact"
    with pytest.raises(OptionError, match="takes noise that is the same everywhere, not growing"):
        prepare(many, Config(engine="spectral", noise="growing"))


@pytest.mark.parametrize("kind", NOISES.values())
def test_engines_have_the_noise_that_the_options_ask_for(kind):
    form = Form.of(ks.parse("SE"))
    for name in ("exact", "inducing", "series"):
        engine = prepare(dataset(), Config(engine=name, noise=kind.name))
        assert engine.noise is kind
        assert engine.size(form) == 2 + kind.size()
