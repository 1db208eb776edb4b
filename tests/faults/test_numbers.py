"""Faults of the numbers inside, one test a fault, named by the number it has in the project's list of faults."""

import math
from dataclasses import replace

import numpy as np
import pytest

from cases import NUMPY, case
from kernelscribe import Config, Dataset, Status, fit_kernel, parse
from kernelscribe.engines.inducing.bound import variational
from kernelscribe.engines.inducing.cg import quadratic
from kernelscribe.engines.inducing.engine import Inducing
from kernelscribe.engines.inducing.sketch import Sketch
from kernelscribe.engines.inducing.workspace import Workspace
from kernelscribe.engines.interval import Interval
from kernelscribe.engines.linalg import factor
from kernelscribe.fit.facts import AtBound, End
from kernelscribe.fit.kernel import fit
from kernelscribe.fit.optimise import climb
from kernelscribe.kernels import Form, pack
from kernelscribe.noises import Constant
from kernelscribe.noises.noise import QUIETEST


def test_fault_08_duplicate_x():
    """Repeated inputs with different outputs are legal; inducing points come from distinct rows."""
    rng = np.random.default_rng(0)
    x = np.repeat(np.linspace(0, 1, 20), 5)
    y = np.sin(6 * x) + 0.1 * rng.normal(size=100)
    found = fit_kernel("SE", x, y, inducing=60, restarts=2)
    assert found.status is Status.OK
    assert found.evidence.interval.lower <= found.evidence.exact + 1e-6 <= found.evidence.interval.upper + 2e-6


def test_fault_12_huge_offset():
    """Unix seconds and a shifted target: the same evidence as without the offset."""
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.uniform(0, 1000, 60)).round(2), rng.normal(size=60)
    near = fit_kernel("SE + LIN", x, y, restarts=2)
    far = fit_kernel("SE + LIN", x + 1.7e9, y + 1e6, restarts=2)
    assert far.evidence.exact == pytest.approx(near.evidence.exact, abs=1e-3)


def test_fault_13_scale():
    rng = np.random.default_rng(0)
    x, y = rng.uniform(0, 10, 60), rng.normal(size=60)
    one, other = fit_kernel("SE", x, y, restarts=2), fit_kernel("SE", x * 1e-12, y * 1e12, restarts=2)
    assert other.evidence.exact == pytest.approx(one.evidence.exact, abs=1e-4)
    assert other.user.values[1] == pytest.approx(one.user.values[1] * 1e-12, rel=1e-3)


def test_fault_38_singular_covariance_gets_the_smallest_jitter_that_works():
    K = np.ones((4, 4))
    found = factor(K, 1e-20)
    assert found is not None
    assert 1e-17 < found.jitter < 1e-12
    np.testing.assert_allclose(found.L @ found.L.T, K + found.jitter * np.eye(4), atol=1e-14)
    assert factor(np.diag([1.0, -1.0])) is None
    assert factor(np.full((2, 2), np.nan)) is None


def test_fault_38_status_singular():
    """A line that is zero at its only inducing point leaves nothing to factor, whatever the jitter."""
    X = np.linspace(-1, 1, 20)[:, None]
    bound = variational(NUMPY, Form.of(parse("LIN")), np.array([0.0, 0.5]), Constant(0.1), X, X[:, 0], np.array([[0.5]]))
    assert bound.status is Status.SINGULAR
    assert bound.value == -math.inf


def test_fault_39_nonfinite_steps_are_rejected():
    """A region where the objective does not exist: the climb turns back from it and still arrives."""

    def objective(u):
        if u[0] > 1.5:
            return math.nan, np.array([math.nan])
        return -((u[0] - 1.0) ** 2), np.array([-2 * (u[0] - 1.0)])

    found = climb(objective, np.array([-30.0]), np.array([[-50.0, 50.0]]), steps=100)
    assert found.u[0] == pytest.approx(1.0, abs=1e-3)
    nowhere = climb(lambda u: (-math.inf, np.zeros(1)), np.array([0.0]), np.array([[-1.0, 1.0]]), steps=10)
    assert nowhere.status is Status.NONFINITE


def test_fault_40_extreme_coordinates_neither_overflow_nor_warn():
    """The corners of every box, with warnings as errors."""
    from kernelscribe.fit.objective import LogPosterior, box

    rng = np.random.default_rng(0)
    data = Dataset.of(rng.normal(size=50), rng.normal(size=50))
    config = Config(inducing=10)
    engine = Inducing(NUMPY, data, config, data.X[:10], Workspace(1e8))
    form = Form.of(parse("SE*PER + LIN"))
    posterior, edges = LogPosterior.of(engine, form, data, "practical"), box(form, data, engine)
    for _ in range(200):
        value, slope = posterior(edges[np.arange(len(edges)), rng.integers(0, 2, len(edges))])
        assert not math.isnan(value)
        assert np.isfinite(slope).all()


def test_fault_41_parameters_on_their_box_are_named():
    x = np.linspace(0, 1, 60)
    found = fit_kernel("LIN", x, 3 * x + 1, restarts=2)
    assert AtBound.of(None, "variance", End.LOWER) in found.at_bound
    assert found.noise.level == pytest.approx(QUIETEST, rel=1e-3)


def test_fault_42_best_point_is_kept_and_time_is_watched():
    seen = []

    def objective(u):
        seen.append(float(-(u @ u)))
        if len(seen) == 5:
            raise FloatingPointError
        return seen[-1], -2 * u

    found = climb(objective, np.array([3.0, 4.0]), np.array([[-9.0, 9.0]] * 2), steps=100)
    assert found.value == max(seen[:4])
    rng = np.random.default_rng(0)
    late = fit_kernel("SE*PER", rng.normal(size=400), rng.normal(size=400), patience=0.05, restarts=50)
    assert late.status is Status.TIMEOUT
    assert late.usable
    at_once = fit_kernel("SE", rng.normal(size=50), rng.normal(size=50), patience=0.0)
    assert at_once.status is Status.TIMEOUT
    assert at_once.usable


def test_fault_43_crossed_bounds_are_never_ranked():
    assert Interval(1.0, 1.0 - 1e-7).consistent
    assert not Interval(1.0, 0.9).consistent
    assert not Status.INCONSISTENT.usable


def test_fault_44_breakdown_of_conjugate_gradients_stays_valid():
    """A product that is not positive definite: the iterations stop and what is kept is still an upper bound."""
    c = case(11)
    sketch = Sketch.of(NUMPY, c.form, c.theta, Constant(c.s2), c.X, c.Z)
    below = sketch.structured("nystrom")
    broken = quadratic(lambda v: -10 * v, c.y, c.s2, below, below, slack=1e-9, most=50)
    assert broken.iterations == 0
    assert broken.upper == 0.0


def test_fault_45_noise_has_a_floor():
    x = np.linspace(0, 1, 80)
    found = fit_kernel("SE", x, np.sin(5 * x), restarts=2)
    assert found.noise.level >= QUIETEST * (1 - 1e-9)
    assert found.status.usable


def test_fault_47_same_seed_same_answer():
    rng = np.random.default_rng(0)
    x = np.linspace(0, 10, 90)
    data = Dataset.of(x, np.sin(x) + 0.1 * rng.normal(size=90))
    one, other = (fit(data, parse("SE + PER"), Config(inducing=20, restarts=3, seed=5)) for _ in range(2))
    np.testing.assert_array_equal(pack(one.expr), pack(other.expr))
    assert one.evidence == other.evidence
    another = fit(data, parse("SE + PER"), Config(inducing=20, restarts=3, seed=6))
    assert another.evaluations != one.evaluations


def test_fault_48_no_single_precision():
    data = Dataset.of(np.arange(9, dtype=np.float32), np.arange(9, dtype=np.float32) ** 2)
    assert data.X.dtype == data.y.dtype == np.float64
    assert replace(data).X.dtype == np.float64
