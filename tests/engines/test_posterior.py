"""The posterior against the textbook, an independent library, and itself refitted."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, ExpSineSquared

from cases import KINDS, NUMPY, kernel, points, seeds
from kernelscribe.config import Config
from kernelscribe.effort import STANDARD
from kernelscribe.engines import pointed
from kernelscribe.engines.choose import condition
from kernelscribe.engines.exact.posterior import Dense
from kernelscribe.engines.inducing.posterior import InducingPosterior
from kernelscribe.engines.linalg import root
from kernelscribe.engines.posterior import cross, diagonal
from kernelscribe.kernels import Form, pack, parse
from kernelscribe.kernels.normal import Term, normal
from kernelscribe.noises import Constant
from kernelscribe.testing import check_posterior, evaluate
from models import as_they_are


def setup(seed, largest=5):
    """A random kernel, its terms, data [n ≤ 40] and new points."""
    rng = np.random.default_rng(seed)
    inputs = int(rng.integers(1, 4))
    expr = kernel(rng, inputs, largest)
    X = points(rng, int(rng.integers(10, 41)), inputs, KINDS[int(rng.integers(3))])
    new = points(rng, 9, inputs, "irregular")
    s2 = float(10 ** rng.uniform(-2, 0))
    return expr, normal(expr), s2, X, rng.normal(size=len(X)), new


def gram(expr, X, Z):
    """The Gram matrix of the whole expression as the engines compute it, which knows nothing of terms that are read."""
    form = Form.of(expr)
    return NUMPY.gram(form, form.side(X, pack(expr)), form.side(Z, pack(expr)))


def textbook(expr, s2, X, y, new):
    """Mean K*C⁻¹y and covariance K** − K*C⁻¹K*ᵀ by an explicit inverse."""
    C = np.linalg.inv(evaluate(expr, X, X) + s2 * np.eye(len(X)))
    K = evaluate(expr, new, X)
    return K @ C @ y, evaluate(expr, new, new) - K @ C @ K.T


def inducing(terms, s2, X, y, seed=0):
    """A posterior that rests on about half of the rows."""
    distinct = np.unique(X, axis=0)
    chosen = np.random.default_rng(seed).choice(len(distinct), size=max(len(distinct) // 2, 1), replace=False)
    return InducingPosterior(terms, Constant(s2), X, y, distinct[chosen])


def size(*arrays):
    return max(1.0, *(np.abs(each).max() for each in arrays))


@given(seeds)
@settings(max_examples=150)
def test_dense_equals_the_textbook(seed):
    expr, terms, s2, X, y, new = setup(seed)
    mean, cov = textbook(expr, s2, X, y, new)
    found = Dense(terms, Constant(s2), X, y)
    scale = size(evaluate(expr, new, new), evaluate(expr, X, X)) / s2
    got, variance = found.predict(new)
    np.testing.assert_allclose(got, mean, rtol=0, atol=1e-11 * scale * size(y))
    np.testing.assert_allclose(variance, np.diagonal(cov), rtol=0, atol=1e-11 * scale)
    got, whole = found.joint(new)
    np.testing.assert_allclose(got, mean, rtol=0, atol=1e-11 * scale * size(y))
    np.testing.assert_allclose(whole, cov, rtol=0, atol=1e-11 * scale)


@given(seeds)
@settings(max_examples=100)
def test_a_part_of_the_terms_equals_the_textbook(seed):
    """K_S α and K_S** − K_S C⁻¹K_Sᵀ for some of the terms, with C of all of them."""
    expr, terms, s2, X, y, new = setup(seed)
    some = terms[::2]
    C = np.linalg.inv(evaluate(expr, X, X) + s2 * np.eye(len(X)))
    K = sum(term.cross(new, X) for term in some)
    mean, cov = Dense(terms, Constant(s2), X, y).joint(new, some)
    scale = size(evaluate(expr, new, new), evaluate(expr, X, X)) / s2
    np.testing.assert_allclose(mean, K @ C @ y, rtol=0, atol=1e-11 * scale * size(y))
    np.testing.assert_allclose(cov, sum(term.cross(new, new) for term in some) - K @ C @ K.T, rtol=0, atol=1e-11 * scale)


SKLEARN = [
    ("SE(variance=1.7, lengthscale=0.6)", ConstantKernel(1.7) * RBF(0.6)),
    ("PER(variance=0.8, lengthscale=1.3, period=0.9)", ConstantKernel(0.8) * ExpSineSquared(1.3, 0.9)),
    ("LIN(variance=2.5, location=0)", ConstantKernel(2.5) * DotProduct(0.0, "fixed")),
    (
        "SE(variance=1.2, lengthscale=2)*(PER(variance=0.8, lengthscale=0.7, period=0.4) + LIN(variance=0.5, location=0))",
        ConstantKernel(1.2)
        * RBF(2.0)
        * (ConstantKernel(0.8) * ExpSineSquared(0.7, 0.4) + ConstantKernel(0.5) * DotProduct(0.0, "fixed")),
    ),
]


@pytest.mark.parametrize(("ours", "theirs"), SKLEARN)
def test_dense_equals_scikit_learn(ours, theirs):
    rng = np.random.default_rng(3)
    X, new = rng.normal(size=(80, 1)), rng.normal(size=(20, 1)) * 2
    y = np.sin(7 * X[:, 0]) + 0.3 * rng.normal(size=80)
    other = GaussianProcessRegressor(theirs, optimizer=None, alpha=0.3).fit(X, y)
    mean, cov = Dense(normal(parse(ours)), Constant(0.3), X, y).joint(new)
    expected, whole = other.predict(new, return_cov=True)
    np.testing.assert_allclose(mean, expected, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(cov, whole, rtol=1e-8, atol=1e-10)


@given(seeds)
@settings(max_examples=150)
def test_means_of_terms_add_up_to_the_mean_of_the_whole(seed):
    """Against the Gram matrix of the whole expression: the terms are all of it, and nothing twice."""
    expr, terms, s2, X, y, new = setup(seed)
    for found in (Dense(terms, Constant(s2), X, y), inducing(terms, s2, X, y)):
        parts = found.means(new)
        np.testing.assert_allclose(found.mean(new), found.predict(new)[0], rtol=0, atol=1e-9 * size(parts))
        assert parts.shape == (len(new), len(terms))
        np.testing.assert_allclose(parts.sum(axis=1), found.predict(new)[0], rtol=0, atol=1e-8 * size(parts))
        whole = gram(expr, new, found.points) @ found.weights
        # Weights may be large and of either sign: what can cancel sets the scale.
        scale = size(np.abs(gram(expr, new, found.points)) @ np.abs(found.weights))
        np.testing.assert_allclose(parts.sum(axis=1), whole, rtol=0, atol=1e-8 * scale)


@given(seeds)
@settings(max_examples=100)
def test_variance_is_the_diagonal_of_the_joint_and_between_nothing_and_the_prior(seed):
    _, terms, s2, X, y, new = setup(seed)
    for found in (Dense(terms, Constant(s2), X, y), inducing(terms, s2, X, y)):
        for chosen in (terms, terms[:1]):
            prior, variance = diagonal(chosen, new), found.predict(new, chosen)[1]
            assert (variance >= 0).all()
            assert (variance <= prior * (1 + 1e-9) + 1e-12).all()
            both = found.joint(new, chosen)[1]
            np.testing.assert_allclose(both, both.T, rtol=0, atol=1e-9 * size(prior))
            np.testing.assert_allclose(variance, np.maximum(np.diagonal(both), 0), rtol=0, atol=1e-7 * size(prior))


def test_a_variance_that_rounding_makes_negative_is_zero():
    X = np.linspace(-1, 1, 30)[:, None]
    found = Dense(normal(parse("SE(variance=1e9, lengthscale=9)")), Constant(1e-6), X, X[:, 0])
    assert np.diagonal(found.joint(X)[1]).min() < 0
    assert found.predict(X)[1].min() == 0


def test_a_covariance_that_rounding_leaves_indefinite_is_mended():
    """Data without noise: at the least noise that a fit allows, K + s2·I may have no factor in floating point."""
    X = np.linspace(-1.7, 1.7, 200)[:, None]
    terms = normal(parse("SE(variance=1e11, lengthscale=3)"))
    C = cross(terms, X, X) + 1e-6 * np.eye(200)
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(C)
    U = root(C)
    np.testing.assert_allclose(U.T @ U, C, rtol=1e-8)
    mean, _ = Dense(terms, Constant(1e-6), X, np.sin(X[:, 0])).predict(X)
    np.testing.assert_allclose(mean, np.sin(X[:, 0]), atol=0.01)


def test_a_covariance_beyond_mending_is_an_error():
    with pytest.raises(FloatingPointError, match="factorised"):
        root(np.array([[1.0, 2.0], [2.0, 1.0]]))


def test_blocks_of_any_size_give_the_same(monkeypatch):
    """Rows that fill one block, several, and a last one of a single row."""
    expr = parse("SE(variance=1, lengthscale=0.4) + LIN(variance=0.5, location=1)")
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(57, 1)), rng.normal(size=(29, 1))
    y, folds = rng.normal(size=57), np.array_split(np.arange(57), 4)

    def everything():
        many = [Dense(normal(expr), Constant(0.1), X, y), InducingPosterior(normal(expr), Constant(0.1), X, y, X[:20])]
        return [np.column_stack([*f.predict(new), f.means(new)]) for f in many] + [f.held_out(folds) for f in many]

    expected = everything()
    for block in (1, 7, 28, 57, 1000):
        monkeypatch.setattr(pointed, "BLOCK_ROWS", block)
        for got, whole in zip(everything(), expected, strict=True):
            np.testing.assert_allclose(got, whole, rtol=1e-9, atol=1e-9)


@given(seeds)
@settings(max_examples=60)
def test_inducing_points_at_all_rows_give_the_exact_posterior(seed):
    """Jitter on K_ZZ, of 1e-8 of its diagonal, is all that parts them: what it adds is seen through the noise."""
    _, terms, s2, X, y, new = setup(seed, largest=3)
    dense = Dense(terms, Constant(s2), X, y)
    sparse = InducingPosterior(terms, Constant(s2), X, y, np.unique(X, axis=0), 1e-8)
    room = 1e-8 * len(X) * size(diagonal(terms, X), diagonal(terms, new)) ** 1.5 / s2
    (mean, variance), (got, spread) = dense.predict(new), sparse.predict(new)
    np.testing.assert_allclose(got, mean, rtol=0, atol=1e-4 + 100 * room)
    np.testing.assert_allclose(spread, variance, rtol=0, atol=1e-4 + 100 * room)


@given(seeds)
@settings(max_examples=100)
def test_inducing_equals_the_formulas_with_dense_matrices(seed):
    """w = s2⁻¹B⁻¹K_ZX y and M = K_ZZ⁻¹ − B⁻¹ with B = K_ZZ + s2⁻¹K_ZX K_XZ, written out."""
    _, terms, s2, X, y, new = setup(seed)
    found = inducing(terms, s2, X, y)
    Z = found.Z
    K = cross(terms, Z, Z)
    base = found._base @ found._base.T  # the same jitter, which is searched for
    assert np.abs(base - K).max() <= 1e-3 * np.diagonal(K).mean() * (1 + 1e-6)
    K_ZX, K_new = cross(terms, Z, X), cross(terms, new, Z)
    B = base + K_ZX @ K_ZX.T / s2
    mean = K_new @ np.linalg.solve(B, K_ZX @ y) / s2
    variance = diagonal(terms, new) - np.diagonal(K_new @ (np.linalg.solve(base, K_new.T) - np.linalg.solve(B, K_new.T)))
    got, spread = found.predict(new)
    # Two inverses of matrices whose condition number is up to 1e8 and more.
    np.testing.assert_allclose(got, mean, rtol=0, atol=1e-5 * size(mean, y))
    np.testing.assert_allclose(spread, np.maximum(variance, 0), rtol=0, atol=1e-4 * size(diagonal(terms, new)))


@given(seeds)
@settings(max_examples=100)
def test_held_out_equals_a_fit_to_the_other_rows(seed):
    """Every term, every fold: the data without the fold, conditioned on afresh, at the rows of the fold."""
    _, terms, s2, X, y, _ = setup(seed)
    rng = np.random.default_rng(seed)
    folds = [np.sort(fold) for fold in np.array_split(rng.permutation(len(y)), 4)]
    dense, sparse = Dense(terms, Constant(s2), X, y), inducing(terms, s2, X, y)
    for whole, again in (
        (dense, lambda rest: Dense(terms, Constant(s2), X[rest], y[rest])),
        (sparse, lambda rest: InducingPosterior(terms, Constant(s2), X[rest], y[rest], sparse.Z)),
    ):
        found = whole.held_out(folds)
        assert found.shape == (len(y), len(terms))
        for fold in folds:
            rest = np.setdiff1d(np.arange(len(y)), fold)
            expected = again(rest).means(X[fold])
            np.testing.assert_allclose(found[fold], expected, rtol=0, atol=1e-7 * size(expected, diagonal(terms, X) / s2))


def test_no_matrix_of_all_rows_by_all_rows():
    """20,000 rows: a matrix of all pairs would take 3,200 MB."""
    n = 20_000
    rng = np.random.default_rng(0)
    X = np.sort(rng.normal(size=(n, 1)), axis=0)
    y = np.sin(3 * X[:, 0]) + 0.1 * rng.normal(size=n)
    terms = normal(parse("SE(variance=1, lengthscale=0.7) + LIN(variance=0.1, location=0)"))
    tracemalloc.start()
    try:
        found = InducingPosterior(terms, Constant(0.01), X, y, X[:: n // 60])
        mean, variance = found.predict(X)
        held_out = found.held_out(np.array_split(np.arange(n), 10))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < n * n * 8 / 100
    assert np.abs(mean - np.sin(3 * X[:, 0])).mean() < 0.02
    assert np.abs(held_out.sum(axis=1) - y).mean() < 0.2
    assert np.median(variance) < 0.01


@pytest.mark.parametrize(("n", "kind"), [(STANDARD.dense_rows, Dense), (STANDARD.dense_rows + 1, InducingPosterior)])
def test_condition_is_dense_while_rows_are_few(n, kind):
    X = np.linspace(0, 1, n)[:, None] * [1.0, 2.0]
    found = condition(as_they_are(X, X[:, 0]), normal(parse("SE1(variance=1, lengthscale=1)")), Constant(0.1), Config(seed=4))
    assert type(found) is kind
    assert found.points.shape == ((n, 2) if kind is Dense else (1024, 2))
    assert np.isin(found.points, X).all()
    assert found.basis == ("all rows" if kind is Dense else "1,024 inducing points")


def test_condition_takes_fewer_points_as_rows_grow_but_no_fewer_than_the_search():
    X = np.linspace(0, 1, 60_000)[:, None] * [1.0, 2.0]
    terms, data = normal(parse("SE1(variance=1, lengthscale=1)")), as_they_are(X, X[:, 0])
    assert len(condition(data, terms, Constant(0.1), Config()).points) == 320
    half = as_they_are(X[::3], X[::3, 0])
    assert len(condition(half, terms, Constant(0.1), Config()).points) == 500  # 5e9 = 20,000 · 500²
    assert len(condition(data, terms, Constant(0.1), Config(inducing=700)).points) == 700


def test_condition_takes_the_same_points_for_the_same_seed():
    X = np.random.default_rng(0).normal(size=(STANDARD.dense_rows + 500, 2))
    terms, data = normal(parse("SE1(variance=1, lengthscale=1)")), as_they_are(X, X[:, 0])
    one, same, other = (condition(data, terms, Constant(0.1), Config(seed=seed)).points for seed in (0, 0, 1))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("n", [50, STANDARD.dense_rows + 1])
def test_without_terms_nothing_is_known_and_nothing_varies(n):
    X = np.linspace(0, 1, n)[:, None]
    found = condition(as_they_are(X, X[:, 0]), (), Constant(1.0), Config())
    mean, variance = found.predict(X)
    assert not mean.any()
    assert not variance.any()
    assert found.means(X).shape == (n, 0)


def test_points_lack_what_they_cannot_learn():
    """The share of the variance between them: none where they are all rows, and nearly all where they lie far apart."""
    X = np.linspace(0, 1, 200)[:, None]
    smooth, rough = (normal(parse(f"SE(variance=2, lengthscale={length})")) for length in (1, 1e-3))
    assert Dense(rough, Constant(0.1), X, X[:, 0]).lacks == 0
    assert InducingPosterior(smooth, Constant(0.1), X, X[:, 0], X[::20]).lacks == pytest.approx(0, abs=1e-6)
    assert InducingPosterior(rough, Constant(0.1), X, X[:, 0], X[::20]).lacks == pytest.approx(0.95, abs=0.01)
    assert InducingPosterior((), Constant(0.1), X, X[:, 0], X[:1]).lacks == 0


def test_terms_that_are_no_part_of_the_model_are_conditioned_on_its_data():
    """A term is asked for by what it is, so one with other values has other covariances with the same data."""
    X = np.linspace(0, 1, 12)[:, None]
    found = Dense(normal(parse("SE(variance=1, lengthscale=1)")), Constant(0.1), X, X[:, 0])
    other = Term(2.0, normal(parse("SE(variance=1, lengthscale=1)"))[0].factors)
    np.testing.assert_allclose(found.predict(X, [other])[0], 2 * found.predict(X)[0])


@pytest.mark.parametrize(
    "kernel",
    [
        "SE(variance=1, lengthscale=0.5) + LIN(variance=0.3, location=1)",
        "MATERN(variance=1, lengthscale=0.5)*PER(variance=1, lengthscale=1, period=0.7)",
        "CHANGE(SE(variance=1, lengthscale=0.5), C(variance=2), location=0.2, width=0.1)",
        "ROUGH(variance=1, lengthscale=0.2) + SPLINE(variance=1, location=-1.6)",
        "WALK(variance=1, location=-1.5)*PER(variance=1, lengthscale=1, period=0.7)",
    ],
)
def test_posteriors_keep_the_contract(kernel):
    X, rng = np.linspace(-1.5, 1.5, 120)[:, None], np.random.default_rng(0)
    terms, y, folds = normal(parse(kernel)), rng.normal(size=120), np.array_split(np.arange(120), 5)
    for posterior in (Dense(terms, Constant(0.1), X, y), InducingPosterior(terms, Constant(0.1), X, y, X[::3])):
        check_posterior(posterior, np.linspace(-2, 2, 37)[:, None], folds)


class _NoSum(Dense):
    def means(self, X):
        return 1.01 * super().means(X)


class _TooSure(Dense):
    def predict(self, X, terms=None):
        mean, variance = super().predict(X, terms)
        return mean, 0.9 * variance


@pytest.mark.parametrize(("broken", "message"), [(_NoSum, "means of the terms"), (_TooSure, "diagonal of the covariance")])
def test_the_contract_of_posteriors_notices(broken, message):
    X = np.linspace(-1.5, 1.5, 30)[:, None]
    found = broken(normal(parse("SE(variance=1, lengthscale=0.5)")), Constant(0.1), X, np.sin(X[:, 0]))
    with pytest.raises(AssertionError, match=message):
        check_posterior(found, X, np.array_split(np.arange(30), 3))
