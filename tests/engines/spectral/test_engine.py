"""The engine as a fit meets it: the same numbers whatever came before, and chosen where it is meant to be."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import choose, prepare
from kernelscribe.engines.interval import Evidence, Interval
from kernelscribe.engines.spectral import engine as spectral_engine
from kernelscribe.engines.spectral.certificate import certified
from kernelscribe.engines.spectral.cost import cost
from kernelscribe.engines.spectral.engine import Spectral
from kernelscribe.engines.spectral.window_bound import Local
from kernelscribe.engines.spectral.window_certificate import local_certified
from kernelscribe.errors import KernelError, OptionError
from kernelscribe.fit.kernel import fit
from kernelscribe.kernels import Form, leaves, pack
from kernelscribe.kernels.base import Role
from kernelscribe.noises import Constant
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
    assert isinstance(prepare(series, Config()), Spectral)
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


SHORT = ["SE(1, 0.005)", "SE(1, 0.005) + SE(1, 0.5)*PER(1, 1, 0.3)", "SE(0.5, 0.006) + PER(1, 1, 0.3) + LIN(1, 0.1)"]


class TestWindows:
    """Terms of short lengthscale, which would need many waves."""

    @pytest.mark.parametrize("text", SHORT)
    def test_an_interval_on_windows_holds_the_truth_and_is_narrow(self, text):
        problem = drawn(text, times("irregular", 400), 0.05)
        engine = problem.engine().on_windows()
        assert cost(problem.waves, engine.tables, problem.s2, 0.01).pays
        interval = engine.certify(problem.form, problem.u).interval
        assert interval == local_certified(problem.waves, engine.tables, problem.s2).interval
        assert interval.lower <= problem.exact <= interval.upper
        assert interval.width < 0.01

    def test_of_an_interval_on_windows_that_is_wide_and_one_on_waves_the_narrower_counts(self, monkeypatch):
        problem = drawn(SHORT[0], times("irregular", 400), 0.05)
        engine = problem.engine().on_windows()
        on_waves = certified(problem.waves, engine.tables, problem.s2).interval
        for wide in (Interval(on_waves.lower - 50, on_waves.upper), Interval(on_waves.lower - 1e-4, on_waves.upper - 2e-4)):
            monkeypatch.setattr(spectral_engine, "_NARROW", 0.0)
            monkeypatch.setattr(spectral_engine, "local_certified", lambda *_, wide=wide, **_k: Evidence(wide, wide))
            assert engine.certify(problem.form, problem.u).interval == min(wide, on_waves, key=lambda each: each.width)

    def test_where_windows_are_too_much_work_for_a_certificate_those_of_a_climb_raise_its_lower_end(self, monkeypatch):
        problem = drawn("SE(1, 0.002)", times("irregular", 400), 0.05)
        engine = replace(problem.engine().on_windows(), most=50)
        monkeypatch.setattr(spectral_engine, "local_certified", lambda *_, **_k: None)
        capped = Evidence(Interval(problem.exact - 500, problem.exact + 1), Interval(problem.exact - 500, problem.exact + 1))
        monkeypatch.setattr(spectral_engine, "certified", lambda *_: capped)
        interval = engine.certify(problem.form, problem.u).interval
        assert problem.exact - 1 < interval.lower <= problem.exact
        assert interval.upper == pytest.approx(problem.exact + 1)

    def test_the_price_of_a_value_is_that_of_windows_where_they_are_the_cheaper_way(self):
        problem = drawn(SHORT[0], times("irregular", 400), 0.05)
        engine = problem.engine().on_windows()
        assert engine.price(problem.form, problem.u) == cost(problem.waves, engine.tables, problem.s2, 0.1, 0.6).windows > 0
        slow = drawn("SE(1, 0.5)", times("irregular", 400), 0.05)
        assert slow.engine().on_windows().price(slow.form, slow.u) == 0

    @pytest.mark.parametrize("text", SHORT)
    def test_a_thorough_climb_stands_on_windows(self, text):
        problem = drawn(text, times("irregular", 400), 0.05)
        engine, form, u = problem.engine().on_windows(), problem.form, problem.u
        value, slope = engine.objective(form, u)
        assert problem.exact - 2 * engine.tolerance < value <= problem.exact + 1e-8
        assert isinstance(engine._solved(form, u, problem.s2), Local)
        for i in range(len(u)):
            step = np.zeros(len(u))
            step[i] = 1e-6
            central = (engine.objective(form, u + step)[0] - engine.objective(form, u - step)[0]) / 2e-6
            assert slope[i] == pytest.approx(central, rel=1e-3, abs=0.02)
        left = engine.residual(form, u)
        # The same as from all rows at once: y − Kα.
        K = np.asarray(problem.matrix, dtype=float)
        alpha = np.linalg.solve(K + problem.s2 * np.eye(len(K)), problem.y)
        assert left == pytest.approx(problem.y - K @ alpha, abs=0.01)

    def test_too_much_work_is_lessened_before_windows_are_given_up(self):
        problem = drawn("SE(1, 0.002) + SE(1, 0.5)*PER(1, 1, 0.3)", times("irregular", 400), 0.05)
        whole = problem.engine().on_windows()
        prices = (cost(problem.waves, whole.tables, problem.s2, n * whole.tolerance, 0.6).windows for n in (1, 100, 1000))
        dear, cheaper, least = prices
        assert least < cheaper < 0.95 * dear
        limited = replace(whole, work=0.5 * (dear + cheaper), most=100)
        assert isinstance(limited._solved(problem.form, problem.u, problem.s2), Local)
        value, _ = limited.objective(problem.form, problem.u)
        assert problem.exact - 100 * whole.tolerance < value <= problem.exact
        assert value > replace(limited, work=0.0).objective(problem.form, problem.u)[0] + 100
        # As a last resort with some more work than is allowed, since what takes their place is so much lower.
        assert isinstance(replace(limited, work=0.13 * least)._solved(problem.form, problem.u, problem.s2), Local)
        assert not isinstance(replace(limited, work=0.12 * least)._solved(problem.form, problem.u, problem.s2), Local)

    def test_a_kernel_asked_for_by_name_may_be_shorter_than_in_a_search(self):
        problem = drawn("SE(1, 0.004)", times("regular", 900), 0.05)
        config = Config(engine="spectral", restarts=2)
        found = fit(problem.data, kernel("SE(1, 0.01)"), config, noise=Constant(0.05))
        limit = problem.engine().limits(Role.SMOOTH, "lengthscale", problem.data.extents[0])[0]
        assert next(leaves(found.expr)).values[1] == pytest.approx(0.004, rel=0.2)
        assert next(leaves(found.expr)).values[1] < limit
        searched = fit(problem.data, kernel("SE(1, 0.01)"), config, noise=Constant(0.05), engine=problem.engine())
        assert next(leaves(searched.expr)).values[1] == pytest.approx(limit)
        assert found.bic.lower > searched.bic.upper + 10


def test_where_rows_are_many_no_variance_runs_away(monkeypatch):
    """A lengthscale at its limit would be made up for by the variance of a part that no forecast could bear."""
    rng = np.random.default_rng(0)
    x = np.linspace(-1.7, 1.7, 3000)
    short = np.convolve(rng.normal(size=3060), np.exp(-(np.arange(-30, 31) ** 2) / 9), mode="valid")
    data = Dataset.of(x, short / short.std() + 0.03 * rng.normal(size=3000))
    for engine in (prepare(data, Config(engine="spectral")), prepare(data.rows(np.arange(2000)), Config(engine="spectral"))):
        many = len(engine.data.y) > 2000
        assert engine.limits(Role.SMOOTH, "variance", data.extents[0]) == (-math.inf, 4.0 if many else math.inf)
        assert engine.on_windows().limits(Role.SMOOTH, "variance", data.extents[0]) == (-math.inf, math.inf)

    def variance():
        config = Config(engine="spectral", restarts=2)
        return next(leaves(fit(data, kernel("SE(1, 0.01)"), config, noise=Constant(0.05), engine=Spectral.of(data)).expr)).values[
            0
        ]

    assert variance() == pytest.approx(4.0)
    monkeypatch.setattr(spectral_engine, "_LARGEST", math.inf)
    assert variance() > 100


def test_a_search_keeps_to_what_waves_can_follow():
    data = Dataset.of(np.arange(600.0), np.random.default_rng(0).normal(size=600))
    engine, extent = Spectral.of(data), data.extents[0]
    cycle = frozenset({Role.CYCLE})
    assert engine.limits(Role.SMOOTH, "lengthscale", extent)[0] == pytest.approx(2e-3 * extent.span)
    assert engine.limits(Role.SMOOTH, "lengthscale", extent, cycle)[0] == pytest.approx(1e-2 * extent.span)
    assert engine.on_windows(1e-3).limits(Role.SMOOTH, "lengthscale", extent)[0] == pytest.approx(1e-3 * extent.span)
    assert engine.on_windows(1e-3).limits(Role.SMOOTH, "lengthscale", extent, cycle)[0] == pytest.approx(1e-2 * extent.span)
    assert engine.limits(Role.CYCLE, "lengthscale", extent) == (0.25, 10.0)
    assert engine.limits(Role.CYCLE, "period", extent) == (-math.inf, math.inf)
    given = engine.on_windows()
    assert given.limits(Role.SMOOTH, "lengthscale", extent, cycle)[0] == 0
    assert given.limits(Role.CYCLE, "lengthscale", extent) == (0.25, math.inf)
