"""The bound and its gradient against dense Gaussian processes and against differences of itself."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.lines import Cycle
from kernelscribe.engines.spectral.bound import solve
from kernelscribe.engines.spectral.features import blocks, kept
from kernelscribe.engines.spectral.tables import Tables
from kernelscribe.engines.spectral.waves import Wave
from kernelscribe.kernels.gram import arithmetic
from spectra import LONG, TEN, TIMES, Problem, drawn, kernel, random, times

NOISES = (1e-4, 1e-2, 1.0)
DENSE = arithmetic("numpy")
# Nothing is left out.
WHOLE = {"tolerance": 1e-9, "most": 4000}


@pytest.mark.parametrize("s2", NOISES)
@pytest.mark.parametrize("kind", TIMES)
@pytest.mark.parametrize("text", TEN)
def test_value_and_gradient_are_those_of_the_dense_process(text, kind, s2):
    problem = drawn(text, times(kind, 300), s2, seed=len(text))
    value, slope = Exact(DENSE, problem.data).objective(problem.form, problem.u)
    got, own = problem.engine(**WHOLE).objective(problem.form, problem.u)
    assert got == pytest.approx(value, rel=0, abs=1e-5)
    np.testing.assert_allclose(own, slope, rtol=1e-4, atol=1e-6 * np.abs(slope).max())


@pytest.mark.parametrize("text", TEN)
def test_value_far_from_the_data(text):
    """Where the kernel is wrong and the noise small the value is huge; digits, not waves, are what is lost."""
    x = times("irregular", 150)
    problem = Problem(kernel(text), x, np.random.default_rng(1).normal(size=150), 1e-4)
    got, _ = problem.engine(**WHOLE).objective(problem.form, problem.u)
    assert got == pytest.approx(problem.exact, rel=1e-9)


def check_direction(problem, engine, seed):
    """Differences along one direction in which every coordinate counts about as much: a wrong one shows."""
    _, slope = engine.objective(problem.form, problem.u)
    rng = np.random.default_rng(seed)
    direction = rng.choice([-1, 1], len(slope)) * rng.uniform(0.5, 1.5, len(slope)) / (1 + np.abs(slope))

    def along(step):
        return engine.objective(problem.form, problem.u + step * direction)[0]

    steps = [(8 * (along(h) - along(-h)) - along(2 * h) + along(-2 * h)) / (12 * h) for h in (1e-3, 1e-5)]
    assert min(abs(step - slope @ direction) for step in steps) <= 1e-5


@pytest.mark.parametrize("most, tolerance", [(4000, 0.5), (25, 1e-9), (6, 1e-9)])
@pytest.mark.parametrize("text", TEN)
def test_gradient_is_that_of_the_bound_under_any_cap(text, most, tolerance):
    problem = drawn(text, times("gaps", 120), 0.05, seed=3)
    check_direction(problem, problem.engine(tolerance=tolerance, most=most), most)


@pytest.mark.parametrize("ell", [1e-3, 1e-4])
def test_gradient_where_waves_lie_beyond_the_tables(ell):
    """Most of the kernel is then in the remainder, which moves with the lengthscale."""
    problem = drawn(f"SE(1, {ell}) + LIN(1, 0.3)", times("irregular", 60), 0.5)
    engine = problem.engine(**WHOLE)
    assert engine.objective(problem.form, problem.u)[0] < problem.exact - 1
    check_direction(problem, engine, 0)


@pytest.mark.parametrize("seed", range(150))
def test_the_bound_is_one_and_grows_with_the_waves(seed):
    problem = random(seed)
    tables, s2 = problem.tables, problem.s2
    every = blocks(problem.waves, tables, 1e-9)
    found = [solve(kept(every, s2, 0.0, most), tables, s2).lower for most in (1, 3, 10, 40, 120)]
    exact = problem.exact
    room = 1e-9 * (1 + abs(exact)) + 1e-14 * float(np.trace(problem.matrix)) / s2
    assert all(low <= high + room for low, high in zip(found, [*found[1:], exact], strict=True))


@pytest.mark.parametrize("text", TEN)
def test_components_and_residual(text):
    """The posterior mean of every term, and what they leave of y."""
    problem = drawn(text, times("irregular", 150), 0.01)
    engine = replace(problem.engine(**WHOLE), tolerance=1e-12)
    tables = engine.tables
    found = solve(kept(blocks(problem.waves, tables, 1e-18), problem.s2, 1e-12, 4000), tables, problem.s2)
    A = problem.matrix + LONG(problem.s2) * np.eye(150)
    alpha = np.linalg.solve(A.astype(float), problem.y)
    for wave, mean in zip(problem.waves, found.means(tables.u), strict=True):
        lag = np.subtract.outer(tables.u, tables.u)
        part = wave.variance * np.exp(-(lag**2) / (2 * wave.lengthscale**2))
        for cycle in wave.cycles:
            part = part * np.exp(-2 * np.sin(np.pi * lag / cycle.period) ** 2 / cycle.lengthscale**2)
        shape = np.polynomial.polynomial.polyval(tables.u, wave.polynomial)
        np.testing.assert_allclose(mean, shape * (part @ (shape * alpha)), atol=1e-6)
    np.testing.assert_allclose(engine.residual(problem.form, problem.u), problem.s2 * alpha, atol=1e-6)
    assert found.alpha == pytest.approx(float(alpha @ alpha), rel=1e-6)
    assert found.value == pytest.approx(problem.exact, abs=1e-5)


def test_polynomials_of_several_lins():
    """One to four factors, near and far, against the matrix of the features themselves."""
    for count in range(1, 5):
        text = "*".join(f"LIN(1, {location})" for location in (0.3, -2.0, 1.0, 8.0)[:count])
        problem = drawn(text, times("irregular", 100), 0.01)
        got, slope = problem.engine(**WHOLE).objective(problem.form, problem.u)
        assert got == pytest.approx(problem.exact, abs=1e-7)
        _, dense = Exact(DENSE, problem.data).objective(problem.form, problem.u)
        np.testing.assert_allclose(slope, dense, rtol=1e-5, atol=1e-5)


def test_a_line_far_away_keeps_its_digits():
    """A dense matrix would lose them: (x − 300)(x′ − 300)/s2 is 1e9 times as large as what the data say of it. The truth is
    known here, since the matrix has rank one."""
    x, y = times("irregular", 200), np.random.default_rng(0).normal(size=200)
    problem = Problem(kernel("LIN(1, 300)"), x, y, 1e-4)
    feature, target, s2 = x.astype(LONG) - 300, y.astype(LONG), LONG(problem.s2)
    size = feature @ feature
    quadratic = (target @ target - (feature @ target) ** 2 / (s2 + size)) / s2
    determinant = 199 * np.log(s2) + np.log(s2 + size)
    exact = -0.5 * float(quadratic + determinant + 200 * np.log(2 * LONG(np.pi)))
    assert problem.engine().objective(problem.form, problem.u)[0] == pytest.approx(exact, rel=1e-9)
    evidence = problem.engine().certify(problem.form, problem.u)
    assert evidence.interval.lower <= exact <= evidence.interval.upper


def test_without_any_wave_there_is_noise_alone():
    """A cycle without constant part, too fast for the tables: then everything is in the remainder."""
    x, y = times("irregular", 50), np.random.default_rng(0).normal(size=50)
    tables = Tables.of(x, y)
    every = blocks([Wave(1.0, (), math.inf, (Cycle(1.0, 1e-7, centred=True),))], tables, 1e-10)
    found = solve(kept(every, 0.5, 0.1, 100), tables, 0.5)
    assert len(found.z) == 0
    noise = -0.5 * (float(y @ y) / 0.5 + 50 * math.log(0.5) + 50 * math.log(2 * math.pi))
    assert found.value == pytest.approx(noise)
    assert found.lower == pytest.approx(noise - 0.5 * 50 / 0.5)
    (own,), slope = found.pull(tables)
    assert own.variance == pytest.approx(-0.5 * 50 / 0.5)
    assert slope == pytest.approx(0.5 * (float(y @ y) / 0.5 - 50) + 0.5 * 50 / 0.5)


def test_y_of_zeros():
    problem = Problem(kernel("SE(1, 0.3) + LIN(1, 0.2)"), times("regular", 80), np.zeros(80), 0.01)
    engine = problem.engine(**WHOLE)
    value, slope = engine.objective(problem.form, problem.u)
    assert value == pytest.approx(problem.exact, abs=1e-6)
    np.testing.assert_allclose(slope, Exact(DENSE, problem.data).objective(problem.form, problem.u)[1], rtol=1e-4, atol=1e-6)


def test_noise_too_small_for_the_digits_is_said():
    problem = Problem(kernel("SE(1, 3)"), times("regular", 300), np.sin(times("regular", 300)), 1e-22)
    value, slope = problem.engine().objective(problem.form, problem.u)
    assert value == -math.inf
    np.testing.assert_array_equal(slope, 0)
