"""lower ≤ exact ≤ upper, for every variant, on random nested kernels and random data."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import NUMPY, case, seeds
from kernelscribe.engines.inducing.approximations import approximation
from kernelscribe.engines.inducing.bound import variational
from kernelscribe.engines.inducing.cg import quadratic
from kernelscribe.engines.inducing.lower import Reduced, lower
from kernelscribe.engines.inducing.sketch import Sketch
from kernelscribe.engines.inducing.tighten import free, measure, moments, trace
from kernelscribe.engines.inducing.upper import conjugate, proposition, titsias
from kernelscribe.engines.inducing.workspace import Workspace
from kernelscribe.engines.interval import Interval
from kernelscribe.kernels.gram import arithmetic
from kernelscribe.noises import Constant
from kernelscribe.testing import check_gradient, check_interval

# One for all cases: what an earlier evaluation left in it must not matter.
ROOMY = Workspace(1e9)
jitters = st.sampled_from([1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3])


def sketch_of(c, jitter=1e-8):
    sketch = Sketch.of(NUMPY, c.form, c.theta, Constant(c.s2), c.X, c.Z, jitter)
    assert sketch is not None
    return sketch


def dense_bound(c, jitter):
    """The variational bound by dense algebra: its formula, word for word."""
    from kernelscribe.testing import evaluate

    Kmm, Knm = evaluate(c.expr, c.Z, c.Z), evaluate(c.expr, c.X, c.Z)
    Q = Knm @ np.linalg.solve(Kmm + jitter * np.diagonal(Kmm).mean() * np.eye(len(Kmm)), Knm.T)
    C = Q + c.s2 * np.eye(len(c.y))
    _, logdet = np.linalg.slogdet(C)
    density = -0.5 * (c.y @ np.linalg.solve(C, c.y) + logdet + len(c.y) * math.log(2 * math.pi))
    return density - np.trace(c.K - Q) / (2 * c.s2)


@given(seeds, jitters)
@settings(max_examples=400)
def test_paper_interval_holds_the_exact_value(seed, jitter):
    c = case(seed)
    sketch = sketch_of(c, jitter)
    low = sketch.lower(c.y)
    below = sketch.structured("nystrom")
    found = quadratic(sketch.product(1e9), c.y, c.s2, below, below, slack=0.1, most=300)
    check_interval(Interval(low.value, conjugate(low, found, len(c.y))), c.exact)
    check_interval(Interval(-math.inf, titsias(sketch.reduced(c.y), low, c.s2)), c.exact)


@given(seeds, jitters)
@settings(max_examples=400)
def test_tightened_interval_holds_it_too_and_lies_inside(seed, jitter):
    """Each log-determinant bound against the determinant itself, and the nesting: moments ⊂ trace, all inside the paper's."""
    c = case(seed)
    sketch = sketch_of(c, jitter)
    n, low = len(c.y), sketch.lower(c.y)
    below = sketch.structured("nystrom")
    product = sketch.product(1e9)
    C = c.K + c.s2 * np.eye(n)
    truth = np.linalg.slogdet(C)[1] - below.logdet
    seen = measure(product, sketch.F, sketch.F.T @ sketch.F, sketch.diagonal, c.s2)
    rest = float((sketch.diagonal - (sketch.F**2).sum(axis=1)).sum())
    # The difference of two log-determinants of about n terms each carries their rounding.
    room = 1e-7 * (1 + abs(below.logdet) + n)
    for bounds in (free(rest, n, c.s2), trace(seen.t1, n), moments(seen.t1, seen.t2 or seen.t1**2, n)):
        assert bounds.lower <= truth + room
        assert bounds.upper >= truth - room
    assert trace(seen.t1, n).upper <= free(rest, n, c.s2).upper + room
    assert free(rest, n, c.s2).upper <= rest / c.s2 + room
    if seen.t2 is not None:
        tight, loose = moments(seen.t1, seen.t2, n), trace(seen.t1, n)
        assert tight.upper <= loose.upper + room
        assert tight.lower >= loose.lower - room
    found = quadratic(product, c.y, c.s2, below, below, slack=1e-3, most=300)
    known = low.nld + found.upper - 0.5 * n * math.log(2 * math.pi)
    tight = moments(seen.t1, seen.t2 if seen.t2 is not None else seen.t1**2, n)
    check_interval(Interval(known - found.slack - 0.5 * tight.upper, known - 0.5 * tight.lower), c.exact)


@given(seeds)
@settings(max_examples=300)
def test_moments_of_what_is_left_out(seed):
    """t1 and t2 against the eigenvalues of M computed densely."""
    c = case(seed)
    sketch = sketch_of(c)
    n = len(c.y)
    values, vectors = np.linalg.eigh(sketch.F @ sketch.F.T + c.s2 * np.eye(n))
    half = vectors / np.sqrt(np.maximum(values, c.s2))
    M = half.T @ (c.K - sketch.F @ sketch.F.T) @ half
    seen = measure(sketch.product(1e9), sketch.F, sketch.F.T @ sketch.F, sketch.diagonal, c.s2)
    scale = np.abs(c.K).max() * n / c.s2
    assert seen.t1 == pytest.approx(np.trace(M), rel=1e-5, abs=1e-11 * scale)
    if seen.t2 is not None:
        assert math.sqrt(seen.t2) == pytest.approx(np.linalg.norm(M), rel=1e-5, abs=1e-11 * scale)


@given(seeds, st.sampled_from(["nystrom", "fic", "pic", "none"]), st.sampled_from([1, 5, 20]))
@settings(max_examples=400)
def test_certificate_covers_the_slack_of_unconverged_gradients(seed, kind, iterations):
    c = case(seed)
    sketch = sketch_of(c)
    below = sketch.structured("nystrom")
    precondition = below if kind == "nystrom" else None if kind == "none" else sketch.structured(kind)
    found = quadratic(sketch.product(1e9), c.y, c.s2, below, precondition, slack=1e-12, most=iterations)
    truth = -0.5 * float(c.y @ np.linalg.solve(c.K + c.s2 * np.eye(len(c.y)), c.y))
    room = 1e-7 * (1 + abs(truth))
    assert found.iterations <= iterations
    assert found.upper >= truth - room
    assert found.upper - found.slack <= truth + room


@given(seeds, st.sampled_from([1e-10, 1e-8, 1e-5]))
@settings(max_examples=300)
def test_variational_bound_equals_the_dense_formula(seed, jitter):
    c = case(seed)
    bound = variational(NUMPY, c.form, c.theta, Constant(c.s2), c.X, c.y, c.Z, jitter=jitter, gradient=False)
    if bound.factor.jitter != jitter:
        return  # A larger jitter was needed: then the formula is another one.
    expected = dense_bound(c, jitter)
    # The dense formula solves with K_mm itself, whose condition number is up to 1/jitter.
    assert bound.value == pytest.approx(
        expected, rel=1e-8 if jitter >= 1e-5 else 1e-5, abs=1e-6 if jitter >= 1e-5 else 1e-3 / c.s2
    )


@given(seeds)
@settings(max_examples=120)
def test_gradient_of_the_lower_bound(seed):
    """All coordinates, the noise and some inducing points, with kept and with recomputed blocks, in both arithmetics."""
    pytest.importorskip("numba")
    c = case(seed)
    # A jitter this large makes differences trustworthy; the gradient flows through it too.
    settings_ = {"jitter": 1e-4, "gradient": False}

    u, k = np.concatenate([c.theta, [np.log(c.s2)], c.Z.ravel()]), c.form.size
    some = np.unique(np.append(np.arange(k + 1), np.random.default_rng(seed).integers(k + 1, len(u), size=4)))

    def at(part):
        v = u.copy()
        v[some] = part
        noise, Z = Constant(float(np.exp(v[k]))), v[k + 1 :].reshape(c.Z.shape)
        return variational(NUMPY, c.form, v[:k], noise, c.X, c.y, Z, **settings_).value

    first = None
    for each in (NUMPY, arithmetic("numba")):
        for workspace in (None, ROOMY):
            bound = variational(each, c.form, c.theta, Constant(c.s2), c.X, c.y, c.Z, jitter=1e-4, workspace=workspace)
            slope = bound.gradient
            got = np.concatenate([slope.theta, slope.noise, slope.Z.ravel()])
            first = got if first is None else first
            np.testing.assert_allclose(got, first, rtol=1e-5, atol=1e-5 * (1 + np.abs(first).max()))
    check_gradient(at, u[some], first[some])


@given(seeds)
@settings(max_examples=100)
def test_bounds_are_tight_with_every_row_inducing_and_grow_with_the_set(seed):
    c = case(seed)
    distinct = np.unique(c.X, axis=0)

    def value(Z):
        return variational(NUMPY, c.form, c.theta, Constant(c.s2), c.X, c.y, Z, jitter=1e-10, gradient=False).value

    few, all_ = value(distinct[: max(len(distinct) // 2, 1)]), value(distinct)
    assert few <= all_ + 1e-3 * (1 + abs(all_))
    assert all_ == pytest.approx(c.exact, rel=1e-2, abs=1e-2 / c.s2 * np.abs(c.K).max())


@given(seeds)
@settings(max_examples=50)
def test_bounds_do_not_depend_on_the_order_of_rows(seed):
    c = case(seed)
    order = np.random.default_rng(seed).permutation(len(c.y))
    one = variational(NUMPY, c.form, c.theta, Constant(c.s2), c.X, c.y, c.Z, gradient=False).value
    other = variational(NUMPY, c.form, c.theta, Constant(c.s2), c.X[order], c.y[order], c.Z, gradient=False).value
    assert one == pytest.approx(other, rel=1e-9, abs=1e-7)


@given(seeds)
@settings(max_examples=100)
def test_approximate_models(seed):
    """DTC, FIC and PIC against their dense covariances."""
    c = case(seed)
    sketch = sketch_of(c)
    n, m = len(c.y), len(c.Z)
    Q = sketch.F @ sketch.F.T
    same_block = np.equal.outer(np.arange(n) // m, np.arange(n) // m)
    extra = {"dtc": 0.0, "fic": np.diag(np.maximum(np.diagonal(c.K - Q), 0)), "pic": np.where(same_block, c.K - Q, 0.0)}
    for model, part in extra.items():
        C = Q + part + c.s2 * np.eye(n)
        expected = -0.5 * (c.y @ np.linalg.solve(C, c.y) + np.linalg.slogdet(C)[1] + n * math.log(2 * math.pi))
        assert approximation(model, sketch, c.y) == pytest.approx(expected, rel=1e-6, abs=1e-4)


def test_proposition_needs_as_many_points_as_rows():
    P = np.diag([3.0, 2.0, 1.0])
    assert proposition(P, 10, 0.5) == (0.5, False)
    assert proposition(P, 3, 0.5) == (1.5, True)
    assert proposition(P, 3, 2.0) == (3.0, False)


def test_proposition_when_it_applies():
    """With every row inducing and the condition met, the upper bound is the nearer one; and the condition is met now and then."""
    met = 0
    for seed in range(300):
        c = case(seed)
        c.Z = np.unique(c.X, axis=0)
        sketch = sketch_of(c, 1e-3)
        reduced, low = sketch.reduced(c.y), sketch.lower(c.y)
        if not proposition(reduced.P, len(c.y), c.s2)[1]:
            continue
        met += 1
        below = sketch.structured("nystrom")
        found = quadratic(sketch.product(1e9), c.y, c.s2, below, below, slack=1e-9, most=500)
        assert conjugate(low, found, len(c.y)) - c.exact <= c.exact - low.value + 1e-6 * (1 + abs(c.exact))
    assert met >= 10


def test_moment_bounds_at_the_edges():
    """One eigenvalue, equal eigenvalues, none at all: both sides meet the truth."""
    one = moments(3.0, 9.0, 10)
    assert one.lower == pytest.approx(math.log(4))
    assert one.upper == pytest.approx(math.log(4), abs=1e-9)
    even = moments(10 * 0.5, 10 * 0.25, 10)
    assert even.lower == pytest.approx(10 * math.log(1.5))
    assert even.upper == pytest.approx(10 * math.log(1.5))
    assert moments(0.0, 0.0, 10) == Interval(0.0, 0.0)


@given(st.lists(st.floats(min_value=0, max_value=1e6), min_size=2, max_size=12))
@settings(max_examples=500)
def test_moment_bounds_on_any_spectrum(spectrum):
    values = np.array(spectrum)
    truth, n = float(np.log1p(values).sum()), len(values)
    bounds = moments(float(values.sum()), float((values**2).sum()), n)
    assert bounds.lower <= truth * (1 + 1e-9) + 1e-9
    assert bounds.upper >= truth * (1 - 1e-9) - 1e-9


@pytest.mark.parametrize("top", [1e2, 1e4, 1e5, 1e6, 1e9])
@pytest.mark.parametrize("seed", range(8))
def test_the_lower_bound_stays_below_where_rounding_is_larger_than_the_noise(seed, top):
    """Covariances up to 1e18 over a noise of 1e-6: digits are lost, and the bound must not gain by that."""
    rng = np.random.default_rng(seed)
    n, m, s2 = 60, 12, 1e-6
    U, V = np.linalg.qr(rng.normal(size=(m, m)))[0], np.linalg.qr(rng.normal(size=(n, m)))[0]
    sizes = np.geomspace(1e-3, top, m)
    A = (U * sizes) @ V.T
    y = V @ rng.normal(size=m) + 1e-3 * rng.normal(size=n)
    found = lower(Reduced(A @ A.T, A @ y, float(y @ y), float((A * A).sum()), n), s2)
    inside = V.T @ y
    outside = y - V @ inside
    true = -0.5 * (float((inside**2 / (sizes**2 + s2)).sum()) + float(outside @ outside) / s2)
    assert found is None or found.nip <= true
