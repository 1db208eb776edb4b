"""The series engine beside the exact one: rows in any order, noise of any kind, digits as asked for, and a million rows."""

import math
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from battery import written_case
from cases import seeds
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.effort import STANDARD
from kernelscribe.engines.exact.engine import Exact
from kernelscribe.engines.series.engine import Series
from kernelscribe.engines.series.ingredients import known
from kernelscribe.kernels import Form, pack
from kernelscribe.noises import NOISES, Changing, Constant, Growing
from kernelscribe.testing import check_engine
from states import LANGUAGE, TIMES, dense, kernel, rows, times


def dataset(x, y):
    """These very numbers, not standardised once more."""
    return replace(Dataset.of(np.arange(float(len(x))), np.arange(len(x))), X=x[:, None], y=y)


def engine(kind, x, y, noise="constant", **changes):
    return replace(kind.of(dataset(x, y), Config(engine=kind.name, noise=noise, backend="numpy")), **changes)


@pytest.mark.parametrize("text", LANGUAGE)
def test_what_is_asked_of_every_engine(text):
    """With all digits, since what is climbed may lie above the evidence by as many nats as may be lost."""
    x = np.random.default_rng(0).permutation(times("irregular", 80))
    config = Config(engine="series", backend="numpy", effort=replace(STANDARD, nats_climbed=1e-9))
    check_engine(Series, dataset(x, rows(x, 0.1)), kernel(text), Constant(0.1), config)


@pytest.mark.parametrize("kind", TIMES)
@pytest.mark.parametrize("text", ["SE(1, 0.3)*PER(1, 1, 0.2)", "LIN(1, 0.3)*SE(1, 0.5) + ROUGH(1, 0.02)", "WALK(1, -1.8)*WN(1)"])
def test_rows_may_come_in_any_order(text, kind):
    x = times(kind, 150)
    y, mixed = rows(x, 0.1), np.random.default_rng(0).permutation(150)
    form, u = Form.of(kernel(text)), np.append(pack(kernel(text)), math.log(0.1))
    sorted_, other = engine(Series, x, y, tolerance=1e-9), engine(Series, x[mixed], y[mixed], tolerance=1e-9)
    expected = engine(Exact, x, y)
    for one, another in zip(other.objective(form, u), expected.objective(form, u), strict=True):
        np.testing.assert_allclose(one, another, rtol=1e-8, atol=1e-7)
    np.testing.assert_allclose(sorted_.residual(form, u), expected.residual(form, u), rtol=0, atol=1e-8)
    np.testing.assert_allclose(other.residual(form, u), expected.residual(form, u)[mixed], rtol=0, atol=1e-8)
    assert other.value(form, u) == pytest.approx(expected.value(form, u), abs=1e-7)


@pytest.mark.parametrize("kind", ["regular", "irregular"])
@pytest.mark.parametrize("text", LANGUAGE)
def test_compiled_loops_give_the_same_numbers(text, kind):
    pytest.importorskip("numba")
    x = times(kind, 400)
    y, form, u = rows(x, 0.01), Form.of(kernel(text)), np.append(pack(kernel(text)), math.log(0.01))
    plain, loops = (Series.of(dataset(x, y), Config(engine="series", backend=name)) for name in ("numpy", "numba"))
    for one, other in zip(plain.objective(form, u), loops.objective(form, u), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-8, atol=1e-6)
    exact = engine(Exact, x, y).value(form, u)
    interval = loops.certify(form, u).interval
    assert interval.lower <= exact <= interval.upper


# Where noise is the same at every row its slopes need not be: blocks that share all else have rows of their own.
NOISY = (
    Growing(0.1, 0.7),
    Growing(0.1, 0.0),
    Changing(0.02, 0.3, 0.4, 0.05),
    Changing(0.1, 0.1, 0.4, 0.05),
    Changing(0.02, 0.3, 0.4, 1e-4),
)


@pytest.mark.parametrize("noise", NOISY, ids=str)
@pytest.mark.parametrize("kind", ["regular", "gapped", "irregular"])
def test_noise_that_varies(noise, kind):
    x = times(kind, 400)
    y, expr = rows(x, 0.1), kernel("ROUGH(1, 0.05) + SE(1, 0.02)")
    u = np.concatenate([pack(expr), noise.pack()])
    got = engine(Series, x, y, noise.name, tolerance=1e-9).objective(Form.of(expr), u)
    expected = engine(Exact, x, y, noise.name).objective(Form.of(expr), u)
    assert NOISES[noise.name] is type(noise)
    assert got[0] == pytest.approx(expected[0], abs=1e-7)
    np.testing.assert_allclose(got[1], expected[1], rtol=1e-7, atol=1e-6)


DIGITS = (
    *LANGUAGE, "SPLINE(0.0001, -30)*SE(1, 0.3)", "SPLINE(0.0001, -30)*PER(1, 1, 0.3)", "WALK(0.03, -30)*PER(1, 1, 0.3)",
)  # fmt: skip


@pytest.mark.parametrize("text", DIGITS)
def test_no_more_is_lost_than_is_allowed(text):
    """The walks have come a long way when the rows begin: all that is left out beside them is so much larger."""
    x = times("irregular", 300)
    # Rows of which the kernel makes sense.
    K = dense(kernel(text), x)
    y = np.linalg.cholesky(K + 0.01 * np.eye(300)) @ np.random.default_rng(0).normal(size=300)
    form, u = Form.of(kernel(text)), np.append(pack(kernel(text)), math.log(0.01))
    expected = engine(Exact, x, y).value(form, u)
    for tolerance in (1.0, 1e-2, 1e-4):
        assert engine(Series, x, y, tolerance=tolerance).value(form, u) == pytest.approx(expected, rel=0, abs=tolerance)


@given(seeds)
@settings(max_examples=25)
def test_any_kernel_that_can_be_written(seed):
    """Values and noise at random, wild, or on the edges of their boxes, and rows as they came."""
    posed = written_case(2 * (seed % 10_000))
    form, u, x = posed.form, posed.u, posed.X[:, 0]
    if known(form) is not None:
        assert Series.accepts(posed.data, form) == known(form)
        return
    expected = engine(Exact, x, posed.y, posed.noise.name).objective(form, u)
    # Beyond that neither is worth a digit.
    spread = np.diagonal(dense(posed.expr, x)).max() / posed.noise.diagonal(posed.X).min()
    if math.isfinite(expected[0]) and spread < 1e6:
        got = engine(Series, x, posed.y, posed.noise.name, tolerance=1e-9).objective(form, u)
        size = len(x) + abs(expected[0]) + np.abs(expected[1]).max()
        assert got[0] == pytest.approx(expected[0], rel=0, abs=(1e-9 + 1e-13 * spread) * size)
        np.testing.assert_allclose(got[1], expected[1], rtol=0, atol=(1e-8 + 1e-12 * spread) * size)


def test_what_it_is_not_for():
    table = Dataset.of(np.random.default_rng(0).normal(size=(20, 2)), np.arange(20))
    assert "one input" in Series.accepts(table)
    x = times("irregular", 20)
    data = dataset(x, rows(x, 0.1))
    assert "products of walks" in Series.accepts(data, Form.of(kernel("WALK(1, -2)*SPLINE(1, -2)")))
    assert Series.accepts(data, Form.of(kernel("WALK(1, -2) + SPLINE(1, -2)"))) is None


def test_a_matrix_that_is_not_positive_definite_is_told_apart():
    x = times("irregular", 60)
    form, u = Form.of(kernel("SE(1000000, 5)")), np.append(pack(kernel("SE(1000000, 5)")), math.log(1e-14))
    value, slope = engine(Series, x, rows(x, 0.1)).objective(form, u)
    assert value == -math.inf
    assert not slope.any()


@pytest.mark.parametrize("text", ["PER(1e-8, 1, 0.3)", "PER(1e-8, 1, 0.3)*LIN(1, 0)", "WN(0.5)", "SE(1e-8, 0.3)", "C(1e-8)"])
def test_blocks_are_small_however_little_is_carried(text):
    """A matrix of all rows is what there is no room for."""
    x = times("irregular", 5000)
    of = engine(Series, x, rows(x, 0.1)).covariance(Form.of(kernel(text)), np.append(pack(kernel(text)), math.log(0.9)))
    assert np.diff(of.blocks.edges).max() <= 192


def test_there_are_no_more_columns_than_there_is_room_for():
    """Neither where cycles have ten thousand lines, nor where terms are so many that none can be left out."""
    x = times("irregular", 2000)
    sharp = "SE(1, 0.001)*PER(1, 0.01, 0.3)*PER(1, 0.02, 0.13)"
    smooth, kinked = (" + ".join(f"{kind}(1, 0.{k})" for k in range(11, 23)) for kind in ("SE", "MATERN"))
    for text, most in ((sharp, 800), (f"({smooth})*({kinked})*MATERN(1, 0.3)", 144 * 6)):
        expr = kernel(text)
        of = engine(Series, x, rows(x, 0.1)).covariance(Form.of(expr), np.append(pack(expr), 0.0))
        assert of.columns.count <= most
        assert np.diff(of.blocks.edges).max() <= 192


def peak(n):
    """Bytes that a value with its gradient takes at most, and both: ℓ of 2.4 steps, and of 30 beside a cycle of 24."""
    x, step = np.linspace(-1.7, 1.7, n), 3.4 / (n - 1)
    y = np.sin(2 * np.pi * np.arange(n) / 24) + np.random.default_rng(0).normal(size=n)
    expr = kernel(f"SE(1, {2.4 * step!r}) + SE(1, {30 * step!r})*PER(1, 1, {24 * step!r})")
    of, form, u = engine(Series, x, y), Form.of(expr), np.append(pack(expr), 0.0)
    tracemalloc.start()
    value, slope = of.objective(form, u)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found, value, slope


def test_memory_grows_no_faster_than_the_rows():
    few, many = peak(50_000)[0], peak(150_000)[0]
    assert many < 3.3 * few


def test_a_million_rows():
    bytes_taken, value, slope = peak(1_000_000)
    assert math.isfinite(value)
    assert np.isfinite(slope).all()
    assert bytes_taken < 2**30
