"""What does not fade stands beside the states: the parts add up, and intervals hold and are narrow."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from battery import HOLDING, written_case
from cases import NUMPY, seeds
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.series.arms import parted
from kernelscribe.engines.series.certificate import certified
from kernelscribe.engines.series.engine import Series
from kernelscribe.engines.series.ingredients import known
from kernelscribe.errors import Status
from kernelscribe.kernels import Form, pack, unpack
from kernelscribe.noises import Constant
from kernelscribe.testing import evaluate, toeplitz_evidence
from oracle import precise
from states import LANGUAGE, TIMES, covariance, dense, kernel, rows, times

# What stands beside what fades, or nothing does.
BESIDE = (
    "C(4) + MATERN(1.3, 0.02)",
    "C(4) + LIN(0.7, 0.2) + ROUGH(1, 0.1)",
    "C(1) + LIN(1, 30) + LIN(0.3, 0.1)*LIN(0.5, -0.4)",
    "CYCLE(1, 0.5, 0.31) + SE(1, 0.2)*CYCLE(1, 1, 0.1)",
    "LIN(1, 0.1)*CYCLE(0.5, 0.8, 0.4) + MATERN(0.5, 0.05)",
    "PER(1, 0.3, 0.23)*CYCLE(1, 1, 0.05) + C(2)",
    "CYCLE(1, 0.7, 0.3)*CYCLE(1, 0.7, 0.3) + WALK(1, -1.8)",
    "STEP(2, 0.1) + KINK(1, -0.3) + SPELL(1, 0.4, 0.3) + WN(0.2)",
    "STEP(1, 0.2)*CYCLE(1, 0.6, 0.2) + C(1)*WN(0.1) + SPLINE(1, -1.8)",
    "CHANGE(CYCLE(1, 1, 0.2), LIN(1, 0), location=0.1, width=0.05) + SE(1, 0.1)",
    "WINDOW(C(1), MATERN(1, 0.3), location=0.1, width=0.5, edge=0.05)",
)


def values(text):
    """Of numbers as an engine has them, which have passed through logarithms."""
    expr = kernel(text)
    return unpack(expr, pack(expr))


def holds(found, exact):
    return found.status in HOLDING and found.interval.lower <= exact <= found.interval.upper


@pytest.mark.parametrize("kind", TIMES)
@pytest.mark.parametrize("text", [*LANGUAGE, *BESIDE])
def test_what_fades_and_the_arms_are_the_kernel(text, kind):
    x = times(kind, 40)
    whole = covariance(values(text), x, 0.1, 7)
    fading, arms = parted(whole)
    K = NUMPY.gram(fading.form, fading.side, fading.side) if fading.form.terms else np.zeros((40, 40))
    np.testing.assert_allclose(K + arms.columns @ arms.columns.T, dense(values(text), x), rtol=0, atol=1e-10)
    assert not any(term.made_of.steady and term.groups for term in fading.columns.terms)
    assert arms.off.max(initial=0.0) <= 1e-12 * np.linalg.norm(arms.columns)


@pytest.mark.parametrize("s2", [1e-6, 1.0])
@pytest.mark.parametrize("kind", ["regular", "clustered", "repeated"])
@pytest.mark.parametrize("text", BESIDE)
def test_intervals_hold_beside_balls(text, kind, s2):
    x, expr = times(kind, 8), values(text)
    y = rows(x, s2)
    exact = precise(expr, x[:, None], y, Constant(s2))
    for size in (1, 4):
        found = certified(covariance(expr, x, s2, size), y)
        assert holds(found, exact), f"{exact} is outside {found.interval}, {found.status}, in blocks of {size}"


@pytest.mark.parametrize("n", [2, 3, 400])
@pytest.mark.parametrize("text", BESIDE)
def test_intervals_hold_for_few_rows_and_for_many_blocks(text, n):
    x, expr = times("irregular", n), values(text)
    y = rows(x, 0.01)
    A = np.asarray(evaluate(expr, x[:, None], x[:, None])) + 0.01 * np.eye(n)
    exact = -0.5 * (y @ np.linalg.solve(A, y) + np.linalg.slogdet(A)[1] + n * math.log(2 * math.pi))
    found = certified(covariance(expr, x, 0.01, 1 if n < 9 else 16), y)
    assert found.status in HOLDING
    assert found.interval.lower - 1e-7 <= exact <= found.interval.upper + 1e-7


@given(seeds)
@settings(max_examples=15)
def test_intervals_of_any_kernel_that_can_be_written_hold_in_blocks_of_any_size(seed):
    posed = written_case(2 * (seed % 10_000), ("C", "LIN", "CYCLE", "PER", "STEP", "KINK", "SPELL", "MATERN", "SE", "WALK", "WN"))
    if known(posed.form) is not None or len(posed.y) > 30:
        return
    order = np.argsort(posed.X[:, 0], kind="stable")
    x, noise = posed.X[order, 0], posed.noise.diagonal(posed.X[order])
    expr = unpack(posed.expr, pack(posed.expr))
    of = replace(covariance(expr, x, noise, (1, 7, 32)[seed % 3]), noise_units=posed.noise.rounding(posed.X[order]))
    found = certified(of, posed.y[order])
    assert found.status is Status.NONFINITE or holds(found, posed.exact)


@pytest.mark.parametrize("text", BESIDE[:5])
def test_lines_that_are_left_out_are_allowed_for(text):
    """Terms may be off by a ten thousandth here."""
    x, expr = times("irregular", 16), values(text)
    y = rows(x, 0.1)
    exact = precise(expr, x[:, None], y, Constant(0.1))
    assert holds(certified(covariance(expr, x, 0.1, 9, allowed=1e-4), y), exact)


def test_gaps_begin_anew():
    x, expr = times("gapped", 300), values("C(4) + LIN(1, 0.2) + CYCLE(1, 0.6, 0.1) + MATERN(1, 0.02)")
    y = rows(x, 0.01)
    A = dense(expr, x) + 0.01 * np.eye(300)
    exact = -0.5 * (y @ np.linalg.solve(A, y) + np.linalg.slogdet(A)[1] + 300 * math.log(2 * math.pi))
    found = certified(covariance(expr, x, 0.01, 32), y)
    assert found.interval.width < 1e-4
    assert found.interval.lower - 1e-7 <= exact <= found.interval.upper + 1e-7


@pytest.mark.parametrize("s2", [1e-5, 1e-3])
def test_a_level_beside_what_is_rough_leaves_a_long_series_certified(s2):
    """Carried through all blocks it left no interval, or one that was seventy nats wide."""
    n, lag = 8000, np.arange(8000.0)
    x, step = lag / 2000 - 2, 1 / 2000
    y = np.sin(lag / 300) + np.sqrt(s2) * np.random.default_rng(0).normal(size=n)
    data = replace(Dataset.of(lag, np.arange(n)), X=x[:, None], y=y)
    expr = values(f"C(4) + MATERN(1.3, {7.5 * step!r}) + CYCLE(0.3, 0.8, {24 * step!r})")
    found = Series.of(data, Config(engine="series")).certify(Form.of(expr), np.append(pack(expr), math.log(s2)))
    row = np.asarray(evaluate(expr, x[:1, None], x[:, None]))[0]
    row[0] += s2
    exact = toeplitz_evidence(row, y)
    assert found.interval.lower - 1e-3 <= exact <= found.interval.upper + 1e-3
    assert found.interval.width < 0.5


def test_blocks_of_another_size_give_intervals_that_meet():
    """As many rows as no dense matrix is for: what is certified in another way must be the same number."""
    x, expr = times("irregular", 6_000), values("C(4) + LIN(1, 0.2) + CYCLE(1, 0.8, 0.05) + MATERN(1, 0.01)")
    y = rows(x, 0.01)
    one, other = (certified(covariance(expr, x, 0.01, size), y).interval for size in (64, 150))
    assert max(one.lower, other.lower) <= min(one.upper, other.upper)
    assert one.width < 0.1
