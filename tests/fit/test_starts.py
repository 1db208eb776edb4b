"""Where fits start: near the parent first, then at what the data show; finite everywhere, and the same for the same text."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from cases import kernel, seeds
from kernelscribe import Config, Dataset, parse
from kernelscribe.engines.choose import prepare
from kernelscribe.fit.beyond_dips import finer, fractions
from kernelscribe.fit.hints import Hints
from kernelscribe.fit.kernel import fit
from kernelscribe.fit.starts import generator, shaken, starts
from kernelscribe.kernels import Form, leaves, pack, unpack
from kernelscribe.kernels.tree import rebuild
from kernelscribe.noises import Constant
from kernelscribe.search.moves import base_kernels

PERIODS = {1: (0.4, 0.9)}
HINTS = Hints(PERIODS, {1: (0.7,)})

WIDE = np.tile([-50.0, 50.0], (20, 1))


def wave(n=60):
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 30, n))
    return Dataset.of(x, 5 + np.sin(2 * np.pi * x / 3) + 0.3 * x + 0.1 * rng.normal(size=n))


DATA = wave()


def points(expr, noise, hints, number=8, seed=0):
    given = None if noise is None else Constant(noise)
    return starts(expr, given, DATA.extents, generator(seed, expr), number=number, hints=hints, shown=Constant(1.0))


def values(expr, u, kind):
    return [leaf.values for leaf in leaves(unpack(expr, u[:-1])) if leaf.kind == kind]


@pytest.fixture(scope="module")
def parent():
    """SE + PER where the truth is PER + LIN: fitted well, with room for more."""
    return fit(DATA, parse("SE + PER"), Config(restarts=3))


@pytest.mark.parametrize("base", base_kernels(1), ids=str)
def test_the_first_start_is_all_but_the_parent(parent, base):
    """An addition too small to be seen, a factor that is almost one: hardly a nat away, or a fraction of one for each row."""
    engine, own = prepare(DATA, Config()), parent.evidence.interval.lower
    for child, most in ((parent.expr + base, 0.5), (parent.expr * base, 0.15 * len(DATA.y))):
        first = points(child, parent.noise.level, HINTS, number=1)[0]
        assert engine.objective(Form.of(child), first)[0] > own - most, str(child)
        assert math.exp(first[-1]) == pytest.approx(parent.noise.level)


def test_inherited_values_are_kept_at_first_and_moved_later():
    child = parse("SE(variance=2, lengthscale=0.3)") + parse("LIN")
    found = points(child, 0.05, HINTS)
    assert values(child, found[0], "SE") == [pytest.approx((2, 0.3))]
    moves = [np.abs(u[:2] - found[0][:2]).max() for u in found]
    assert 0 < moves[1] < 0.5
    assert all(move > 0 for move in moves[1:])


def test_new_periods_are_those_of_the_residual_and_of_the_target():
    """The first and every other start look at what the parent leaves, the others in the target; every fourth begins anew."""
    child = parse("LIN(variance=1, location=0)") + parse("PER")
    found = [values(child, u, "PER")[0][2] for u in points(child, 0.05, HINTS)]
    assert [found[i] for i in (0, 1, 5)] == [pytest.approx(0.7)] * 3
    assert all(any(found[i] == pytest.approx(known) for known in PERIODS[1]) for i in (2, 3, 4, 6, 7))


def test_a_smooth_part_stretches_to_leave_the_cycle_to_a_new_period():
    """An SE of a tenth of the period has taken the cycle in; where PER comes to it, it becomes longer than the period."""
    child = parse("SE(variance=1, lengthscale=0.05)") * parse("PER")
    found = points(child, 0.05, HINTS, number=4)
    assert values(child, found[0], "SE")[0][1] == pytest.approx(0.05)
    # Inherited values are shaken after that, by a factor of two or so.
    assert values(child, found[2], "SE")[0][1] > 0.25 * min(PERIODS[1])
    assert values(child, found[2], "SE")[0][1] > 2 * values(child, found[1], "SE")[0][1]
    long = parse("SE(variance=1, lengthscale=50)") * parse("PER")
    assert values(long, points(long, 0.05, HINTS, number=3)[2], "SE")[0][1] > 10


def test_a_factor_begins_flat():
    """All but one over the data: smooth over ten spans, a cycle without detail, a line that is zero far away."""
    extent, old = DATA.extents[0], parse("LIN(variance=1, location=0)")
    assert values(old * parse("SE"), points(old * parse("SE"), 0.05, HINTS, number=1)[0], "SE")[0][1] == pytest.approx(
        10 * extent.span
    )
    assert values(old * parse("PER"), points(old * parse("PER"), 0.05, HINTS, number=1)[0], "PER")[0][1] == pytest.approx(30)
    smooth = parse("SE(variance=1, lengthscale=0.3)") * parse("LIN")
    away = extent.low - values(smooth, points(smooth, 0.05, HINTS, number=1)[0], "LIN")[0][1]
    assert away == pytest.approx(8 * extent.span)


def test_an_inherited_period_is_moved_only_within_its_basin():
    """Cycles at both ends of the data stay in step, to a fraction of a turn; other values move freely."""
    old = parse("PER(variance=1, lengthscale=1, period=0.05)")
    cycles = DATA.extents[0].span / 0.05
    copies = [shaken(old, Constant(0.05), DATA.extents, generator(seed, old)) for seed in range(50)]
    for moved in (copies, [u for i, u in enumerate(points(old + parse("LIN"), 0.05, HINTS, number=40)) if i % 4 != 3]):
        at = 2 if moved is copies else next(i for i, v in enumerate(moved[0]) if v == pytest.approx(math.log(0.05), abs=1e-9))
        turns = np.array([u[at] - math.log(0.05) for u in moved]) * cycles
        assert 0.02 < np.abs(turns).max() < 0.5
    assert np.std([u[0] for u in copies]) == pytest.approx(0.5, abs=0.15)
    assert np.std([u[-1] for u in copies]) == pytest.approx(0.5, abs=0.15)


def test_fractions_of_new_periods():
    """A half and a third of the period with the same shape over time; inherited periods stay."""
    old = parse("PER(variance=3, lengthscale=2, period=0.6)")
    child = old + parse("PER")
    u = np.append(pack(old + parse("PER(variance=5, lengthscale=1, period=0.9)")), math.log(0.1))
    found = fractions(child, u, WIDE[: len(u)])
    assert [sorted(values(child, v, "PER")) for v in found] == [
        [pytest.approx((3, 2, 0.6)), pytest.approx((5, 2, 0.45))],
        [pytest.approx((3, 2, 0.6)), pytest.approx((5, 3, 0.3))],
    ]
    assert all(v[-1] == u[-1] for v in found)
    assert fractions(old, u[:4], WIDE[:4]) == []
    assert fractions(parse("SE + LIN"), np.zeros(5), WIDE[:5]) == []


def test_a_line_that_is_a_factor_begins_on_either_side_of_the_data():
    """Just below them and just above, whatever the seed; a line that is a summand where it was drawn."""
    extent, cycle = DATA.extents[0], parse("PER(variance=1, lengthscale=1, period=0.4)")
    factor, summand = cycle * parse("LIN"), cycle + parse("LIN")
    inside = []
    for seed in range(20):
        below, above = (values(factor, u, "LIN")[0] for u in points(factor, 0.05, HINTS, number=3, seed=seed)[1:])
        assert extent.low - extent.span / 2 <= below[1] <= extent.low
        assert extent.high <= above[1] <= extent.high + extent.span / 2
        # Of size one on average over the data, as every new factor.
        assert all(v * (1 + at**2) == pytest.approx(1) for v, at in (below, above))
        drawn = values(summand, points(summand, 0.05, HINTS, number=2, seed=seed)[1], "LIN")[0][1]
        inside.append(extent.low < drawn < extent.high)
    assert any(inside)


class TestExchange:
    """A new factor beside a summand of its kind: one start has it in the summand's place."""

    PARENT = parse("SE(variance=2, lengthscale=0.3) + PER(variance=0.02, lengthscale=1, period=0.4)")

    def child(self):
        trend, cycle = self.PARENT.args
        return trend + parse("SE") * cycle

    def start(self, child, at=2):
        return list(leaves(unpack(child, points(child, 0.05, HINTS)[at][:-1])))

    def test_the_new_one_is_the_trend_and_the_old_one_the_detail(self):
        old, new, cycle = self.start(self.child())
        assert [leaf.kind for leaf in (old, new, cycle)] == ["SE", "SE", "PER"]
        # Inherited values are moved by a tenth or so.
        assert old.values == pytest.approx((0.2, 0.3), rel=0.5)
        assert math.sqrt(0.3 * DATA.extents[0].span) <= new.values[1] <= DATA.extents[0].span
        assert new.values[0] * cycle.values[0] == pytest.approx(2, rel=0.5)

    def test_the_cycle_becomes_a_part_of_the_trend_as_large_as_it_was(self):
        _, new, cycle = self.start(self.child())
        assert cycle.values[1] == pytest.approx(10, rel=0.5)
        assert cycle.values[2] == pytest.approx(0.4, rel=0.01)
        ends = np.array([0.0, 0.2])
        full, half = cycle.base.evaluate(ends, np.zeros(2), np.array(cycle.values))
        # Half a period away the cycle has turned round: twice its variance, 0.02, is missing.
        assert new.values[0] * (full - half) == pytest.approx(2 * 0.02, rel=1)

    def test_only_where_there_is_something_to_exchange(self):
        """Not where the new one is a summand, on another input, or a factor of everything: there the start is as the others."""
        trend, cycle = self.PARENT.args
        for child in (self.PARENT + parse("SE"), trend + parse("LIN") * cycle, self.PARENT * parse("LIN")):
            assert not any(leaf.kind == "PER" and leaf.values[1] > 8 for leaf in self.start(child)), str(child)

    def test_a_line_takes_the_place_of_a_line(self):
        line, cycle = parse("LIN(variance=1, location=0.5)"), self.PARENT.args[1]
        found = self.start(line + parse("LIN") * cycle)
        old, new = (leaf for leaf in found if leaf.kind == "LIN")
        assert sorted(leaf.values[0] for leaf in (old, new))[0] < 0.3
        assert 0.5 in [pytest.approx(leaf.values[1]) for leaf in (old, new)]


def test_what_begins_anew_takes_other_periods_than_the_parent_has():
    """The parent may have taken an overtone for the cycle, and so would all that inherit from it."""
    cycle = parse("PER(variance=1, lengthscale=1, period=0.405)")
    child = parse("SE(variance=1, lengthscale=0.3)") + cycle * parse("LIN")
    anew = points(child, 0.05, HINTS)[3]
    assert values(child, anew, "PER")[0][2] == pytest.approx(0.9)
    assert 0.3 * 0.05 <= math.exp(anew[-1]) <= 0.05
    other = parse("SE(variance=1, lengthscale=0.3)") + parse("PER(variance=1, lengthscale=1, period=0.6)") * parse("LIN")
    assert values(other, points(other, 0.05, HINTS)[3], "PER")[0][2] == pytest.approx(0.4)


def test_length_scales_cut():
    """Each to a third and to a sixth, new or inherited, and nothing else."""
    expr = parse("LIN + SE*PER")
    u = np.append(
        pack(parse("LIN(variance=1, location=0) + SE(variance=2, lengthscale=6)*PER(variance=3, lengthscale=12, period=1)")), 0
    )
    found = finer(expr, u, WIDE[: len(u)])
    cut = [(values(expr, v, "SE")[0][1], values(expr, v, "PER")[0][1]) for v in found]
    assert sorted(cut) == [pytest.approx(each) for each in ((1, 12), (2, 12), (6, 2), (6, 4))]
    assert all((v != u).sum() == 1 for v in found)
    assert finer(parse("LIN"), np.zeros(3), WIDE[:3]) == []


def test_randomness_depends_on_the_text_and_the_seed_alone():
    one = generator(0, parse("SE + PER")).normal(size=4)
    same = generator(0, parse("PER(variance=1, lengthscale=1, period=1) + SE(variance=1, lengthscale=2)")).normal(size=4)
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, generator(1, parse("SE + PER")).normal(size=4))
    assert not np.array_equal(one, generator(0, parse("SE*PER")).normal(size=4))
    np.testing.assert_array_equal(points(parse("SE + PER"), None, HINTS), points(parse("SE + PER"), None, HINTS))


def test_a_kernel_that_is_new_altogether():
    """Every other start as in the paper, the others at the periods that stand out in the target, the best one first."""
    expr = parse("SE*PER")
    found = points(expr, None, HINTS)
    assert [values(expr, u, "PER")[0][2] for u in found[::2]][:2] == [pytest.approx(0.4), pytest.approx(0.9)]
    assert len({round(u[-1], 9) for u in found}) == 8


def test_a_kernel_with_nothing_new_is_shaken():
    expr = parse("SE(variance=2, lengthscale=0.3) + LIN(variance=1, location=0.5)")
    found = points(expr, 0.05, HINTS)
    np.testing.assert_allclose(found[0], np.append(pack(expr), math.log(0.05)))
    assert all(0.02 < np.abs(u - found[0]).max() < 3 for u in found[1:])
    assert all(u[-1] == found[0][-1] for u in found)


class TestPaper:
    """Without hints: what is new is drawn, what is inherited is kept, and moved a little after the first start."""

    def test_all_new(self):
        expr, extent = parse("SE + PER"), DATA.extents[0]
        random, found = generator(0, expr), points(expr, None, None, number=3)
        noise = 0.1 * math.exp(random.normal() / 2)
        drawn = [leaf.base.draw(random, extent) for leaf in leaves(expr)]
        assert [leaf.values for leaf in leaves(unpack(expr, found[0][:-1]))] == [pytest.approx(each) for each in drawn]
        assert math.exp(found[0][-1]) == pytest.approx(noise)

    def test_part_new(self):
        expr = parse("SE(variance=2, lengthscale=0.3)") * parse("PER")
        found = points(expr, 0.05, None)
        assert values(expr, found[0], "SE") == [pytest.approx((2, 0.3))]
        assert all(np.abs(u[:2] - found[0][:2]).max() < 2 for u in found)
        assert all(math.exp(u[-1]) == pytest.approx(0.05) for u in found)
        assert len({u[4] for u in found}) == len(found)


@given(seeds)
@settings(max_examples=150)
def test_every_start_is_finite(seed):
    """Any kernel, any part of it new, with hints or without."""
    rng = np.random.default_rng(seed)
    X, inputs = rng.normal(size=(20, 2)) * [1, 100], int(rng.integers(1, 3))
    data = Dataset.of(X[:, :inputs], rng.normal(size=20))
    expr = rebuild(kernel(rng, inputs), lambda leaf: leaf if rng.random() < 0.5 else replace(leaf, values=None))
    noise = None if all(leaf.values is None for leaf in leaves(expr)) else 10 ** rng.uniform(-6, 1)
    size = Form.of(expr).size + 1
    for hints in (None, HINTS, Hints()):
        found = starts(
            expr,
            None if noise is None else Constant(noise),
            data.extents,
            generator(0, expr),
            number=5,
            hints=hints,
            shown=Constant(1.0),
        )
        assert len(found) == 5
        assert all(len(u) == size and np.isfinite(u).all() and np.abs(u).max() < 100 for u in found)


HELD = "STEP(variance=1, location=0.31)*PER(variance=1, lengthscale=1, period=0.5) + SPELL(variance=2, location=0.1, width=0.3)"


@pytest.mark.parametrize("text", [HELD, f"SE + {HELD}"], ids=["inherited", "with what is new"])
@pytest.mark.parametrize("hints", [None, HINTS])
def test_no_start_moves_what_is_held(text, hints):
    expr = parse(text)
    for u in points(expr, 0.1, hints):
        assert [location for _, location in values(expr, u, "STEP")] == [0.31]
        ((_, *places),) = values(expr, u, "SPELL")
        assert places == pytest.approx([0.1, 0.3], rel=1e-15)
    if text == HELD:
        u = shaken(expr, Constant(0.1), DATA.extents, np.random.default_rng(0))
        assert values(expr, u, "STEP")[0][1] == 0.31
        assert values(expr, u, "STEP")[0][0] != 1


@pytest.mark.parametrize("engine", ["exact", "inducing", "series"])
def test_a_fit_leaves_a_step_where_it_is_and_moves_a_kink(engine):
    rng, x = np.random.default_rng(1), np.arange(200.0)
    data = Dataset.of(x, 40 * (x >= 120) + 0.5 * np.maximum(x - 50, 0) + rng.normal(size=200))
    scale, spread = data.inputs[0], data.output.scale
    place = (119.5 - scale.centre) / scale.scale
    kinked = (60 - scale.centre) / scale.scale
    begun = f"C(variance=1) + STEP(variance=0.1, location={place!r}) + KINK(variance=1, location={kinked!r})"
    found = fit(data, parse(begun), Config(engine=engine, inducing=20 if engine == "inducing" else None, restarts=2))
    assert found.evidence.interval.lower <= found.evidence.exact <= found.evidence.interval.upper
    step, kink, _ = leaves(found.expr)
    assert step.values[1] == place
    assert next(leaf for leaf in leaves(found.user) if leaf.kind == "KINK").values[1] == pytest.approx(50, abs=1.5)
    assert found.noise.level * spread**2 == pytest.approx(1, rel=0.3)
    assert 0.01 < step.values[0] < 100
    assert kink.values[0] > 0
