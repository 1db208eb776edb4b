"""The exact value lies inside the interval: kernels that fit and kernels that do not, few waves and many, digits lost or not."""

import math

import numpy as np
import pytest
from scipy.special import ive

from kernelscribe.engines.lines import Cycle
from kernelscribe.engines.spectral import certificate as module
from kernelscribe.engines.spectral.certificate import certified
from kernelscribe.engines.spectral.tables import Tables
from kernelscribe.engines.spectral.waves import Wave
from kernelscribe.errors import Status
from spectra import LONG, TEN, TIMES, Problem, drawn, kernel, random, times

NOISES = (1e-4, 1e-2, 1.0)


def check(problem, widest=math.inf, usual=(Status.OK,)):
    """Inside, up to the digits that the oracle itself may lose."""
    evidence, exact = problem.engine().certify(problem.form, problem.u), problem.exact
    room = 20 * float(np.finfo(LONG).eps) * float(np.trace(problem.matrix)) / problem.s2 * (1 + abs(exact))
    assert evidence.interval.lower - room <= exact <= evidence.interval.upper + room
    assert evidence.status in usual or evidence.status is Status.LOOSE
    assert (evidence.status is Status.LOOSE) == (0.1 < evidence.slack < math.inf)
    assert evidence.interval == evidence.paper
    assert evidence.interval.width <= widest
    return evidence


@pytest.fixture
def few(monkeypatch):
    """So few waves that most kernels do not get what they need, and so few looked at that some are only bounded."""
    monkeypatch.setattr(module, "_MOST", 30)
    monkeypatch.setattr(module, "_LISTED", 60)
    monkeypatch.setattr(module, "_BATCH", 25)


@pytest.mark.parametrize("s2", NOISES)
@pytest.mark.parametrize("kind", TIMES)
@pytest.mark.parametrize("text", TEN)
def test_narrow_where_the_kernel_fits(text, kind, s2):
    check(drawn(text, times(kind, 100), s2), widest=0.1)


@pytest.mark.parametrize("s2", NOISES)
@pytest.mark.parametrize("text", TEN)
def test_holds_where_the_kernel_does_not_fit(text, s2):
    x = times("irregular", 100)
    check(Problem(kernel(text), x, np.sign(np.sin(5 * x)) + 0.2 * np.random.default_rng(0).normal(size=100), s2))


@pytest.mark.parametrize("seed", range(300))
@pytest.mark.usefixtures("few")
def test_random_kernels_on_few_waves(seed):
    check(random(seed))


@pytest.mark.parametrize("seed", range(1000, 1040))
def test_random_kernels_on_many_waves(seed, monkeypatch):
    monkeypatch.setattr(module, "_MOST", 400)
    monkeypatch.setattr(module, "_LISTED", 1000)
    check(random(seed, largest=4))


@pytest.mark.parametrize("periods", [(0.5, 1.0), (0.5, 0.5), (0.3, 0.6, 1.2)])
@pytest.mark.parametrize("s2", [1e-4, 1e-2])
def test_cycles_whose_lines_fall_together(periods, s2, monkeypatch):
    """A line that is left out must be counted though another one on its frequency was kept."""
    monkeypatch.setattr(module, "_MOST", 300)
    monkeypatch.setattr(module, "_LISTED", 600)
    x = times("irregular", 60)
    text = "*".join(f"PER(1, {scale}, {period})" for scale, period in zip((0.5, 0.6, 1.5), periods, strict=False))
    check(Problem(kernel(text), x, np.random.default_rng(0).normal(size=60), s2))
    check(Problem(kernel(f"SE(1, 8)*{text}"), x, np.random.default_rng(0).normal(size=60), s2))


@pytest.mark.parametrize("variance", [1.0, 1e3, 1e6, 1e9])
@pytest.mark.parametrize("text", ["SE({}, 0.3)", "SE({}, 3)", "SE({}, 30)", "SE({}, 1)*LIN(1, 20)", "SE({}, 5)*PER(1, 1, 0.7)"])
@pytest.mark.parametrize("s2", [1e-2, 1e-4])
def test_large_variances_cost_digits_and_the_slack_says_so(text, variance, s2):
    """Coefficients then nearly cancel; the interval must widen by what rounding takes, or be given up."""
    x = times("irregular", 40)
    y = np.sin(3 * x) + math.sqrt(s2) * np.random.default_rng(1).normal(size=40)
    evidence = check(Problem(kernel(text.format(variance)), x, y, s2), usual=(Status.OK, Status.SINGULAR))
    assert evidence.status in (Status.OK, Status.LOOSE) or variance == 1e9
    assert evidence.interval.width >= 2 * evidence.slack


def test_what_rounding_takes_is_little_on_ordinary_data():
    problem = drawn("SE(1, 0.3) + PER(1, 0.8, 0.2)", times("regular", 300), 0.05)
    assert problem.engine().certify(problem.form, problem.u).slack < 1e-8


CORNERS = {
    "shortest": "SE(1, 1e-7)",
    "short": "SE(1, 3e-3)",
    "long": "SE(1, 1e3)",
    "longest": "SE(1, 1e9)",
    "sharp": "PER(1, 0.03, 0.7)",
    "smooth": "PER(1, 100, 0.7)",
    "sharp and fading": "SE(1, 0.5)*PER(1, 0.03, 0.7)",
    "fast": "PER(1, 1, 1e-6)",
    "slow": "PER(1, 1, 1e6)",
    "three lines": "LIN(1, 0.3)*LIN(1, -2)*LIN(0.5, 1)*SE(1, 0.4)",
    "far line": "LIN(1, 50)*SE(1, 0.4)",
    "faint": "SE(1e-8, 0.3) + LIN(1e-8, 0)",
}
ROWS = {
    "two times": ([0.0, 1.0, 1.0], [1.0, 2.0, -1.0]),
    "three rows": ([0.0, 0.3, 1.0], [1.0, -2.0, 0.5]),
    "repeated": (np.repeat([0.0, 0.2, 1.0], 7), np.sin(np.arange(21.0))),
    "one sign": (np.linspace(3, 4, 30), 2 + np.sin(np.arange(30.0))),
    "zeros": (np.linspace(-1, 1, 25), np.zeros(25)),
    "unsorted": ([0.3, -1.0, 0.9, 0.1, -0.4], [1.0, 0.5, 0.2, -0.4, 0.3]),
    "one far away": (np.append(np.linspace(0, 1e-6, 20), 1.0), np.cos(np.arange(21.0))),
}


@pytest.mark.parametrize("text", CORNERS.values(), ids=CORNERS.keys())
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS.keys())
@pytest.mark.usefixtures("few")
def test_corners(text, rows):
    x, y = (np.asarray(each, dtype=float) for each in rows)
    problem = Problem(kernel(text), x, y, 0.01)
    check(problem)
    value, slope = problem.engine().objective(problem.form, problem.u)
    assert math.isfinite(value)
    assert np.isfinite(slope).all()
    assert value <= problem.exact + 1e-9 * (1 + abs(problem.exact))


def test_digits_that_the_tables_do_not_have():
    """Noise so small that nothing is left of y: then nothing is certified."""
    problem = Problem(kernel("SE(1, 3)"), times("regular", 300), np.sin(times("regular", 300)), 1e-22)
    evidence = problem.engine().certify(problem.form, problem.u)
    assert evidence.status is Status.SINGULAR
    assert evidence.interval.lower == -math.inf


def test_noise_less_than_the_aliases():
    """Then the aliases may be anything, and the interval is given up."""
    problem = Problem(kernel("SE(1e9, 0.3)"), times("regular", 200), np.zeros(200), 1e-7)
    evidence = problem.engine().certify(problem.form, problem.u)
    assert (evidence.status, evidence.interval.width) in [(Status.NONFINITE, math.inf), (Status.SINGULAR, math.inf)]


def test_more_waves_are_taken_until_the_interval_is_narrow(monkeypatch):
    """A kernel that does not fit makes the upper bound loose; a single round stays so."""
    x = times("irregular", 100)
    problem = Problem(kernel("SE(1, 0.2)"), x, np.random.default_rng(0).normal(size=100), 1e-3)
    narrow = check(problem).interval.width
    monkeypatch.setattr(module, "_AGAIN", 1)
    assert check(problem).interval.width > max(module._WIDE, narrow)
    assert narrow <= module._WIDE


def test_a_remainder_of_everything():
    """No wave at all: the noise alone below, and all of the remainder above, as the rows have it."""
    x, y = times("irregular", 50), np.random.default_rng(0).normal(size=50)
    tables = Tables.of(x, y)
    evidence = certified([Wave(1.0, (), math.inf, (Cycle(1.0, 1e-4, centred=True),))], tables, 0.5)
    noise = -0.5 * (float(y @ y) / 0.5 + 50 * math.log(0.5) + 50 * math.log(2 * math.pi))
    assert evidence.interval.lower == pytest.approx(noise - 50)
    cycle = np.exp(-2 * np.sin(np.pi * np.subtract.outer(tables.u, tables.u) / 1e-4) ** 2)
    R, alpha = (cycle - ive(0, 1)) / (1 - ive(0, 1)), y / 0.5
    assert evidence.interval.upper == pytest.approx(noise + 0.5 * alpha @ R @ alpha, rel=1e-6)
