"""The engine as a fit meets it: the same numbers whatever came before, and chosen where it is meant to be."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import choose, prepare
from kernelscribe.engines.spectral.engine import Spectral
from kernelscribe.errors import KernelError, OptionError
from kernelscribe.kernels import Form, pack
from kernelscribe.kernels.base import Role
from spectra import TEN, drawn, kernel, times

FAST = [text for text in TEN if "PER(1, 0.6" not in text]


def asked(engine, order):
    """Value, gradient, interval and residual of kernels in some order, put back into one."""
    found = {}
    for text in order:
        expr = kernel(text)
        form, u = Form.of(expr), np.append(pack(expr), math.log(0.05))
        value, slope = engine.objective(form, u)
        interval = engine.certify(form, u).interval
        found[text] = (value, slope.tolist(), interval.lower, interval.upper, engine.residual(form, u).tolist())
    return [found[text] for text in sorted(order)]


def test_the_order_of_asking_does_not_change_a_bit():
    problem = drawn("SE(1, 0.3)", times("irregular", 200), 0.05)
    forwards = asked(problem.engine(), FAST)
    assert asked(problem.engine(), FAST[::-1]) == forwards
    used = problem.engine()
    asked(used.coarse(), FAST)
    assert asked(used, FAST) == forwards


def test_the_order_of_rows_changes_next_to_nothing():
    problem = drawn("SE(1, 0.3) + LIN(1, 0.2)", times("irregular", 300), 0.05)
    order = np.random.default_rng(0).permutation(300)
    other = Spectral.of(replace(problem.data, X=problem.x[order, None], y=problem.y[order]))
    assert other.objective(problem.form, problem.u)[0] == pytest.approx(
        problem.engine().objective(problem.form, problem.u)[0], abs=1e-8
    )


def test_units_of_the_input_do_not_matter():
    """A stretched and shifted axis with values that go along."""
    x, y = times("irregular", 200), np.random.default_rng(0).normal(size=200)
    here, there = kernel("SE(1, 0.3)*LIN(1, 0.5) + PER(1, 1, 0.2)"), kernel("SE(1, 3)*LIN(0.01, 12) + PER(1, 1, 2)")
    values = []
    for expr, column in ((here, x), (there, 10 * x + 7)):
        data = replace(Dataset.of(x, y), X=column[:, None], y=y)
        value, _ = Spectral.of(data).objective(Form.of(expr), np.append(pack(expr), math.log(0.1)))
        values.append(value)
    assert values[0] == pytest.approx(values[1], abs=1e-6)


@pytest.mark.parametrize("text", FAST)
def test_fewer_waves_lose_no_more_than_they_may(text):
    problem = drawn(text, times("gaps", 200), 0.02)
    whole, _ = problem.engine(tolerance=1e-9, most=4000).objective(problem.form, problem.u)
    for engine, loss in ((problem.engine(), 0.1), (problem.engine().coarse(), 1.0)):
        value, _ = engine.objective(problem.form, problem.u)
        # Jensen loses half of what is left out, and the density of what is kept gains less than the other half.
        assert whole - loss <= value <= whole + 1e-6


def test_lines_are_listed_as_far_as_the_tolerance_asks():
    """Many rows and little noise make light lines count."""
    problem = drawn("PER(100, 0.3, 0.7)", times("irregular", 300), 1e-4)
    exact = problem.exact
    for tolerance in (1e-1, 1e-3, 1e-6):
        value, _ = problem.engine(tolerance=tolerance, most=4000).objective(problem.form, problem.u)
        assert exact - tolerance - 1e-6 <= value <= exact + 1e-6


def test_when_it_is_chosen():
    x, rng = np.arange(600.0), np.random.default_rng(0)
    series = Dataset.of(x, rng.normal(size=600))
    table = Dataset.of(rng.normal(size=(600, 2)), rng.normal(size=600))
    few = Dataset.of(x[:400], rng.normal(size=400))
    assert choose(series, Config()).name == "series"
    assert isinstance(prepare(series, Config(engine="spectral")), Spectral)
    assert choose(table, Config()).name == "inducing"
    assert choose(few, Config()).name == "exact"
    assert choose(few, Config(engine="spectral")).name == "spectral"
    assert choose(series, Config(inducing=50)).name == "inducing"
    with pytest.raises(OptionError, match="one input"):
        prepare(table, Config(engine="spectral"))


def test_a_kernel_that_it_cannot_do_is_refused():
    problem = drawn("SE(1, 0.3)", times("irregular", 50), 0.1)
    expr = kernel("*".join(["LIN(1, 0.5)"] * 9))
    with pytest.raises(KernelError, match="inducing engine"):
        problem.engine().objective(Form.of(expr), np.append(pack(expr), 0.0))


def test_a_search_keeps_to_what_waves_can_follow():
    data = Dataset.of(np.arange(600.0), np.random.default_rng(0).normal(size=600))
    engine, extent = Spectral.of(data), data.extents[0]
    cycle = frozenset({Role.CYCLE})
    assert engine.limits(Role.SMOOTH, "lengthscale", extent)[0] == pytest.approx(2e-3 * extent.span)
    assert engine.limits(Role.SMOOTH, "lengthscale", extent, cycle)[0] == pytest.approx(1e-2 * extent.span)
    assert engine.limits(Role.CYCLE, "lengthscale", extent) == (0.25, 10.0)
    assert engine.limits(Role.CYCLE, "period", extent) == (-math.inf, math.inf)
    assert engine.limits(Role.SMOOTH, "variance", extent) == (-math.inf, math.inf)
