"""Standard errors against an independent curvature, the theory of frequencies, and cases in which there are none."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.fit.kernel import fit
from kernelscribe.kernels import pack, parse, unpack
from kernelscribe.kernels.base import Role
from kernelscribe.model.model import Model
from kernelscribe.model.spread import covariance, spreads
from kernelscribe.noises import Constant
from kernelscribe.testing import evaluate
from models import CONFIG, YEARLY, as_they_are, drawn, model, with_effort, yearly


def log_posterior(expr, prior_variances, X, y):
    """log N(y | 0, K + s2·I) + normal priors of mean 0 on some coordinates, by eigenvalues."""

    def at(u):
        values, vectors = np.linalg.eigh(evaluate(unpack(expr, u[:-1]), X, X) + math.exp(u[-1]) * np.eye(len(y)))
        evidence = -0.5 * (((vectors.T @ y) ** 2 / values).sum() + np.log(values).sum() + len(y) * math.log(2 * math.pi))
        return evidence - sum(0.5 * u[i] ** 2 / variance for i, variance in prior_variances.items())

    return at


def hessian(function, u, step=2e-3):
    """Second differences of fourth order along each pair of coordinates."""

    def second(direction):
        far = [function(u + k * step * direction) for k in (-2, -1, 0, 1, 2)]
        return (-far[0] + 16 * far[1] - 30 * far[2] + 16 * far[3] - far[4]) / (12 * step**2)

    axes = np.eye(len(u))
    own = [second(axis) for axis in axes]
    return np.array([
        [own[i] if i == j else 0.5 * (second(axes[i] + axes[j]) - own[i] - own[j]) for j in range(len(u))] for i in range(len(u))
    ])  # fmt: skip


def test_covariance_equals_the_inverse_of_an_independent_curvature():
    """At the top of evidence + prior: SE has normal priors of variance 4 and 2 on its logarithms, LIN one of 4 on its first."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 30, size=50))
    kernel = parse("SE(variance=1, lengthscale=0.3) + LIN(variance=1, location=0.2)")
    data = Dataset.of(x, 3 * np.sin(x / 2) + 0.8 * x + rng.normal(size=50))
    at = log_posterior(kernel, {0: 4.0, 1: 2.0, 2: 4.0}, data.X, data.y)
    top = minimize(lambda u: -at(u), np.append(pack(kernel), math.log(0.1)), method="BFGS", options={"gtol": 1e-4}).x
    made = Model(data, unpack(kernel, top[:-1]), Constant(math.exp(top[-1])), CONFIG)
    found, _, loose = covariance(made)
    expected = np.linalg.inv(-hessian(at, top))
    assert not loose.any()
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-3 * np.abs(expected).max())
    np.testing.assert_allclose(np.diagonal(found), np.diagonal(expected), rtol=2e-3)
    # SE: the length is the exponential of its coordinate. LIN: the location is its own, and only the units change.
    (length,), (place,) = (errors[0] for errors in spreads(made))
    scale = data.inputs[0].scale
    assert length == pytest.approx(scale * math.exp(top[1]) * math.sqrt(expected[1, 1]), rel=2e-3)
    assert place == pytest.approx(scale * math.sqrt(expected[3, 3]), rel=2e-3)


def test_a_merged_length_has_the_error_of_what_it_is_made_of():
    """SE·SE is one SE of length ℓ with ℓ⁻² = ℓ₁⁻² + ℓ₂⁻²: dℓ/d log ℓᵢ = ℓ³/ℓᵢ²."""
    made = model(
        "SE(variance=1, lengthscale=2)*SE(variance=1, lengthscale=3)", np.arange(60) / 6,
        drawn("SE(variance=1, lengthscale=1.66)", np.arange(60) / 6, 0.01, np.random.default_rng(0)), noise=0.01, priors="none",
    )  # fmt: skip
    matrix, _, loose = covariance(made)
    assert loose.tolist() == [True, False, True, False, False]  # of two variances only the product means anything
    length = made.terms[0].factors[0].values[0]
    one, other = (made.expr.args[i].values[1] for i in (0, 1))
    slopes = np.zeros(len(matrix))
    slopes[1], slopes[3] = length**3 / one**2, length**3 / other**2
    assert spreads(made)[0][0][0] == pytest.approx(math.sqrt(slopes @ matrix @ slopes) * made.data.inputs[0].scale, rel=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_the_error_of_a_period_is_that_of_theory_and_covers_the_truth(seed):
    """A sine of amplitude a in noise s: the frequency's variance is 24 s²/(a² n T²), which no estimate is below for long."""
    n, period, noise = 150, 1.3, 0.3
    rng = np.random.default_rng(seed)
    x = np.linspace(0, 20, n)
    data = Dataset.of(x, np.sin(2 * np.pi * x / period + 1) + noise * rng.normal(size=n))
    start = parse(f"PER(variance=1, lengthscale=3, period={period / data.inputs[0].scale})")
    found = fit(data, start, Config(backend="numpy", restarts=1), noise=Constant(0.1))
    made = Model(data, found.expr, found.noise, CONFIG)
    cycle = next(i for i, term in enumerate(made.terms) if term.of(Role.CYCLE))
    error = spreads(made)[cycle][0][1]
    theory = period**2 / (2 * np.pi) * math.sqrt(24 * noise**2 / (n * x[-1] ** 2))
    assert 0.8 * theory < error < 1.25 * theory
    fitted = made.terms[cycle].user(data.inputs, data.output).factors[0].values[1]
    assert abs(fitted - period) < 3 * error


def test_a_flat_direction_has_no_error_and_the_others_keep_theirs():
    """A line that carries nothing may cross zero anywhere."""
    x = np.arange(80) / 4
    y = drawn("SE(variance=1, lengthscale=1.5)", x, 0.05, np.random.default_rng(1))
    made = model("SE(variance=1, lengthscale=1.5) + LIN(variance=1e-9, location=210)", x, y, noise=0.05)
    smooth, line = spreads(made)
    assert math.isfinite(smooth[0][0])
    assert 0 < smooth[0][0] < 1
    assert math.isnan(line[0][0])
    loose = covariance(made)[2]
    assert loose.tolist() == [False, False, True, True, False]


def test_more_data_make_errors_smaller():
    """In the same range, thinned by four: about twice the error."""
    x = np.linspace(0, 20, 320)
    y = np.sin(2 * np.pi * x / 1.3) + 0.3 * np.random.default_rng(0).normal(size=320)
    kernel = "PER(variance=1, lengthscale=3, period=1.3)"
    many, few = (spreads(model(kernel, x[::step], y[::step], noise=0.09))[0][0][1] for step in (1, 4))
    assert few == pytest.approx(2 * many, rel=0.25)


def test_shapes_follow_the_terms():
    made = yearly()
    assert [[len(each) for each in term] for term in spreads(made)] == [[1], [2], [], [1]]


def test_inducing_points_give_about_the_exact_errors():
    made = yearly(n=192)
    sparse = Model(made.data, made.expr, made.noise, Config(backend="numpy", engine="inducing", inducing=96))
    for one, other in zip(spreads(made), spreads(sparse), strict=True):
        np.testing.assert_allclose(
            np.concatenate([*map(np.array, other), []]), np.concatenate([*map(np.array, one), []]), rtol=0.05
        )


def test_learned_points_are_no_part_of_the_coordinates():
    made = yearly()
    sparse = Model(made.data, made.expr, made.noise, Config(backend="numpy", inducing=40, placement="learned"))
    assert covariance(sparse)[0].shape == (8, 8)
    assert len(spreads(sparse)) == 4


@pytest.mark.parametrize("engine", ["spectral", "series"])
@pytest.mark.parametrize("kernel", [YEARLY, "SE(variance=1, lengthscale=3)*PER(variance=1, lengthscale=1, period=1)"])
def test_engines_of_a_series_give_the_exact_errors(kernel, engine):
    """As many rows as the exact engine still takes; the waves of tables, and of what is looked up alone; states."""
    x = np.arange(300) / 24
    y = drawn(kernel, x, 0.05, np.random.default_rng(2))
    exact, other = (model(kernel, x, y, noise=0.05, engine=name) for name in ("exact", engine))
    expected, scale, loose = covariance(exact)
    found, same, open_ = covariance(other)
    np.testing.assert_array_equal(scale, same)
    np.testing.assert_array_equal(loose, open_)
    np.testing.assert_allclose(found / np.outer(scale, scale), expected / np.outer(scale, scale), rtol=1e-3, atol=1e-4)


def test_a_long_series_has_errors_however_many_rows():
    x = np.arange(3000) / 24
    y = np.sin(2 * np.pi * x) + 0.3 * np.random.default_rng(0).normal(size=3000)
    made = with_effort(model("PER(variance=1, lengthscale=2, period=1)", x, y, noise=0.09), spread_rows=1000)
    cycle = next(i for i, term in enumerate(made.terms) if term.of(Role.CYCLE))
    theory = 1 / (2 * np.pi) * math.sqrt(24 * 0.09 / (3000 * x[-1] ** 2))
    assert spreads(made)[cycle][0][1] == pytest.approx(theory, rel=0.25)


def test_a_long_series_has_none_where_they_are_too_much_work():
    x = np.sort(np.random.default_rng(0).uniform(0, 100, 3000))
    made = model("SE(variance=1, lengthscale=3)", x, np.sin(x), noise=0.09)
    assert covariance(made) is not None
    assert covariance(with_effort(made, curved_work=1e6)) is None


def test_beyond_many_rows_there_are_none():
    made = with_effort(yearly(), spread_rows=len(yearly().data.y) - 1)
    assert [[len(each) for each in term] for term in spreads(made)] == [[1], [2], [], [1]]
    assert all(math.isnan(value) for term in spreads(made) for each in term for value in each)


def test_a_curvature_that_cannot_be_computed_gives_none():
    """No noise against so much variance: no factor, and the slope that comes with minus infinity is not to be used."""
    X = np.linspace(-1.7, 1.7, 60)
    made = Model(as_they_are(X, np.sin(X)), parse("SE(variance=1e12, lengthscale=3)"), Constant(1e-6), CONFIG)
    assert covariance(made) is None
    assert math.isnan(spreads(made)[0][0][0])


@pytest.mark.parametrize("kernel", [
    "PER(variance=1, lengthscale=1, period=2)*PER(variance=1, lengthscale=1, period=0.5)",
    "PER(variance=1, lengthscale=1, period=2) + PER(variance=0.5, lengthscale=1, period=2)",
    "LIN(variance=1, location=3)*LIN(variance=1, location=3)",
])  # fmt: skip
def test_factors_that_change_places_under_a_step_have_no_error_rather_than_a_wild_one(kernel):
    """Sorted by their values, equal ones swap: a length must not seem to move as far as the other one is away."""
    x = np.arange(80) / 8
    made = model(kernel, x, drawn(kernel, x, 0.1, np.random.default_rng(0)), noise=0.1)
    for term, errors in zip(made.terms, spreads(made), strict=True):
        for factor, own in zip(term.factors, errors, strict=True):
            assert all(math.isnan(error) or error < 3 for error in own), factor


def test_without_a_kernel_there_is_nothing_to_be_sure_of():
    made = Model(Dataset.of(np.arange(5.0), np.arange(5.0) ** 2), None, Constant(1.0), CONFIG)
    assert spreads(made) == ()
    assert covariance(made) is None
