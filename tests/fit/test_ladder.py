"""The fidelity ladder: cheap at the bottom, and nothing lost at the top."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe import Config, Dataset, Status, parse, text
from kernelscribe.effort import Effort
from kernelscribe.engines.choose import prepare
from kernelscribe.fit.kernel import finish, fit
from kernelscribe.fit.ladder import Ladder
from kernelscribe.fit.objective import LogPosterior
from kernelscribe.kernels import Form, leaves
from kernelscribe.kernels.base import Role
from kernelscribe.kernels.laws import charge
from kernelscribe.search.moves import base_kernels, neighbours


def wave(n=60):
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 30, n))
    return Dataset.of(x, 5 + np.sin(2 * np.pi * x / 3) + 0.3 * x + 0.1 * rng.normal(size=n))


DATA = wave()


@pytest.fixture(scope="module")
def ladder():
    return Ladder.of(DATA, Config(restarts=3))


@pytest.fixture(scope="module")
def parent(ladder):
    return finish(ladder, parse("SE*PER"), ladder.screen(parse("SE*PER")), hints=True)


def timeless(found):
    return replace(found, seconds=0.0)


def test_screening_leaves_few_points_best_first(ladder):
    found = ladder.screen(parse("PER + LIN"))
    assert 1 <= len(found.points) <= 3
    assert all(len(point) == 6 for point in found.points)
    assert found.hope >= found.score
    assert found.status is Status.OK
    assert found.evaluations > 0


def test_hopes_are_in_the_units_of_the_score(ladder):
    """score is the BIC at the best point: no more than the polished BIC, and hope tells how far it may still be."""
    found = ladder.screen(parse("SE*PER"))
    best = finish(ladder, parse("SE*PER"), found)
    assert found.score <= best.bic.upper + 1e-6
    assert found.hope > best.bic.upper - 15


@pytest.mark.parametrize("move", ["+", "*"])
def test_a_child_ends_no_worse_than_its_parent_but_for_the_charge(ladder, parent, move):
    n = len(DATA.y)
    for child in neighbours(parent.expr, base_kernels(1), ["extend"], "root"):
        if (" + " in text(child)) != (move == "+"):
            continue
        found = finish(ladder, child, ladder.screen(child, parent.noise, dict(parent.periods)), rough=True)
        dearer = charge(child, "identified", n) - charge(parent.expr, "identified", n)
        # The prior of what is new, and the roughness of a fit that is to be ranked, are worth two nats or so.
        assert found.bic.lower > parent.bic.lower - dearer - 2.5, str(child)


def test_the_start_that_repeats_the_parent_is_never_given_up(ladder, parent):
    child = parent.expr + parse("LIN")
    found = ladder.screen(child, parent.noise, dict(parent.periods))
    where = [leaf.values is not None for leaf in leaves(child) for _ in leaf.base.parameters]
    old = np.concatenate([np.log(leaf.values) for leaf in leaves(parent.expr)])
    assert min(np.abs(np.array(point)[:-1][where] - old).max() for point in found.points) < 1


def test_screening_evaluates_what_it_says(ladder, parent):
    """Eight from each of the others and from the parent's start; the two best of the others go on, up to twelve each."""
    child = parent.expr + parse("LIN")
    six = Ladder.of(DATA, Config(restarts=6))
    assert six.screen(child, parent.noise, dict(parent.periods)).evaluations <= 5 * 8 + 2 * 4 + 8
    assert ladder.screen(child, parent.noise, dict(parent.periods)).evaluations <= 2 * 8 + 2 * 4 + 8


def test_a_top_beyond_a_dip_is_found():
    """A series smooth at first sight, with detail a tenth as long: from the long length-scale no step leads to the short one."""
    rng = np.random.default_rng(0)
    x = np.linspace(0, 30, 60)
    data = Dataset.of(x, np.sin(2 * np.pi * x / 30) + 0.4 * np.sin(2 * np.pi * x / 3.1) + 0.1 * rng.normal(size=60))
    on, off = (Ladder.of(data, Config(restarts=2, ladder=each)) for each in ("on", "off"))
    screened = replace(on.screen(parse("SE")), points=((math.log(0.5), math.log(0.9), math.log(0.3)),))
    (trapped,), climbs = off.polish(parse("SE"), screened), on.polish(parse("SE"), screened)
    best = max(climbs, key=lambda each: each.value)
    assert best.value > trapped.value + 15
    assert best.u[1] < trapped.u[1] - 1


def test_on_and_off_agree_on_an_easy_kernel():
    on, off = (fit(DATA, parse("PER + LIN"), Config(ladder=each)) for each in ("on", "off"))
    assert on.bic.lower == pytest.approx(off.bic.lower, abs=0.2)
    period = [leaf.values[2] for found in (on, off) for leaf in leaves(found.user) if leaf.kind == "PER"]
    assert period == [pytest.approx(3, abs=0.03)] * 2


def test_off_screens_nothing():
    found = Ladder.of(DATA, Config(ladder="off", restarts=4)).screen(parse("SE"))
    assert len(found.points) == 4
    assert (found.score, found.hope, found.evaluations) == (math.inf, math.inf, 0)


def test_scores_are_of_all_rows_where_starts_are_screened_on_part_of_them():
    """A score foretells the BIC at full size, by which kernels are dropped."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 10, size=2000)
    data = Dataset.of(x, np.sin(x) + 0.3 * rng.normal(size=2000))
    ladder = Ladder.of(data, Config(inducing=40, restarts=2, exact_limit=0))
    found = ladder.screen(parse("SE"))
    assert ladder.stages[0].engine is not ladder.full
    assert found.hope >= found.score
    best = LogPosterior.of(ladder.full, Form.of(parse("SE")), data, "practical")
    u = np.array(found.points[0])
    assert found.score == pytest.approx(best(u)[0] - best.prior(u)[0] - charge(parse("SE"), "identified", 2000), abs=1e-6)
    polished = finish(ladder, parse("SE"), found)
    assert found.score == pytest.approx(polished.bic.lower, abs=5.0)


def test_part_of_the_rows_only_where_there_are_thousands():
    rng = np.random.default_rng(0)
    data = Dataset.of(rng.normal(size=2000), rng.normal(size=2000))
    few = data.rows(np.arange(1999))
    part = Ladder.of(data, Config(inducing=50)).stages[0].engine
    assert (len(part.data.y), len(part.Z), part.name, part.extra.size) == (500, 50, "inducing", 0)
    assert [len(Ladder.of(data, Config(inducing=m)).stages[0].engine.Z) for m in (1, 50, 100, 300)] == [1, 50, 71, 150]
    assert Ladder.of(data, Config(inducing=50, ladder="off")).stages == ()
    for whole in (Ladder.of(few, Config(inducing=50)), Ladder.of(data, Config(engine="exact", memory=1e4))):
        assert all(stage.engine is whole.full for stage in whole.stages)


def table(effect=1.0, n=2000):
    """A smooth input, and one of two hundred levels whose effect changes every few levels."""
    rng = np.random.default_rng(0)
    levels, smooth = rng.integers(200, size=n), rng.normal(size=n)
    own = np.convolve(rng.normal(size=206), [0.1, 0.25, 0.4, 0.5, 0.4, 0.25, 0.1], "valid")
    return Dataset.of(np.column_stack([smooth, levels]), np.sin(smooth) + effect * own[levels] + 0.3 * rng.normal(size=n))


SMALL = Effort(sample_few=200, sample_some=600, sample_many=1200)


def test_tables_whose_exact_value_is_affordable_are_climbed_on_samples():
    data = table()
    larger = Ladder.of(Dataset.of(np.vstack([data.X] * 3), np.tile(data.y, 3)), Config(inducing=20))
    samples = larger.samples
    used = (larger.stages[0].engine, samples.some, samples.many, samples.whole)
    assert [len(each.data.y) for each in used] == [1000, 2000, 4000, 6000]
    assert larger.thorough().samples.some is samples.many
    samples = Ladder.of(data, Config(inducing=20)).samples
    assert [len(each.data.y) for each in (samples.few, samples.some, samples.many)] == [500, 1000, 2000]
    for options in ({"strategy": "skc"}, {"strategy": "skc-lb"}, {"placement": "learned"}, {"ladder": "off"}, {"memory": 30}):
        assert Ladder.of(data, Config(inducing=20, **options)).samples is None, options
    rng = np.random.default_rng(0)
    assert Ladder.of(Dataset.of(rng.normal(size=(12_001, 2)), rng.normal(size=12_001)), Config(inducing=20)).samples is None
    assert Ladder.of(Dataset.of(data.X[:, 0], data.y), Config(inducing=20)).samples is None


def test_what_inducing_points_cannot_follow_is_found_on_a_sample():
    """Twenty points know twenty of two hundred levels at most: the bound takes the others for noise, and climbs stay away."""
    data, expr = table(), parse("SE1 + SE2")
    sampled, bound = (fit(data, expr, Config(inducing=20, strategy=each, effort=SMALL)) for each in ("auto", "skc"))
    assert sampled.evidence.exact > bound.evidence.exact + 1000
    # The bounds leave thousands of nats open there, so it is the exact value that tells the kernel from others.
    assert sampled.evidence.paper.width > 1000
    assert sampled.evidence.paper.lower <= sampled.evidence.exact <= sampled.evidence.paper.upper
    assert sampled.evidence.settled
    assert sampled.noise.level < 0.5 * bound.noise.level


def test_the_bound_is_climbed_on_from_the_sample_where_it_is_tight():
    """Then the fit is as good as any on all rows: a sample's own top lies some nats below."""
    data, expr = table(effect=0.0), parse("SE1")
    sampled, bound = (fit(data, expr, Config(inducing=20, restarts=2, strategy=each, effort=SMALL)) for each in ("auto", "skc"))
    assert sampled.bic.lower == pytest.approx(bound.bic.lower, abs=0.1)


def test_kernels_are_compared_by_what_many_rows_foretell():
    data, expr = table(), parse("SE1 + SE2")
    ladder = Ladder.of(data, Config(inducing=20, exact_limit=0, effort=SMALL))
    screened = ladder.screen(expr)
    polished = finish(ladder, expr, screened)
    many = ladder.samples.many.value(Form.of(expr), np.array(screened.points[0]))
    assert screened.score == pytest.approx(2000 / 1200 * many - charge(expr, "identified", 2000), abs=1e-6)
    assert abs(screened.score - polished.bic.middle) < 300
    assert screened.hope > screened.score + 0.05 * 800


def test_same_task_same_answer(parent):
    """Whatever was done before, and with whatever ladder of the same data and options."""
    child = parent.expr + parse("LIN")
    one, other = (Ladder.of(DATA, Config(restarts=3)) for _ in range(2))
    other.screen(parse("SE"))
    found = [each.screen(child, parent.noise, dict(parent.periods)) for each in (one, other)]
    assert timeless(found[0]) == timeless(found[1])
    assert timeless(finish(one, child, found[0])) == timeless(finish(other, child, found[1]))


def test_time_runs_out():
    short = Ladder.of(DATA, Config(patience=0.0))
    found = short.screen(parse("SE"))
    assert (found.status, found.evaluations) == (Status.TIMEOUT, 1)
    assert math.isfinite(found.score)
    assert found.hope == math.inf  # nobody knows
    polished = finish(short, parse("SE"), found)
    assert (polished.status, polished.evaluations) == (Status.TIMEOUT, 2)
    assert polished.bic.lower == pytest.approx(found.score, abs=1e-6)


def test_inducing_points_are_shared():
    """Intervals compare, since every kernel is bounded with the same points."""
    ladder = Ladder.of(DATA, Config(inducing=15, restarts=2))
    found = finish(ladder, parse("SE"), ladder.screen(parse("SE")))
    assert found.engine == "inducing"
    assert found.evidence.interval.lower <= found.evidence.exact <= found.evidence.interval.upper


def flicker(n=2500, lengthscale=3.0):
    """Many rows of something that lasts three steps."""
    rng = np.random.default_rng(0)
    lags = np.arange(-20, 21)
    y = np.convolve(rng.normal(size=n + 40), np.exp(-((lags / lengthscale) ** 2)), "valid")
    return Dataset.of(np.arange(float(n)), y / y.std() + 0.3 * rng.normal(size=n))


def test_a_search_on_a_long_series_has_a_floor_for_length_scales_only_where_it_stands_on_waves():
    long = flicker()
    extent = long.extents[0]
    low, _ = Ladder.of(long, Config(engine="spectral")).full.limits(Role.SMOOTH, "lengthscale", extent)
    assert low == pytest.approx(2e-3 * extent.span)
    ladder = Ladder.of(long, Config())
    assert ladder.full.name == "series"
    assert ladder.full.limits(Role.SMOOTH, "lengthscale", extent)[0] == -math.inf
    assert [stage.engine for stage in ladder.stages] == [ladder.full] * 3
    given = prepare(long, Config())
    assert Ladder.of(long, Config(), given).full is given


def test_a_copy_on_the_way_back_to_the_same_top_is_given_up():
    """Among many rows, where evaluations are dear; a copy that finds a better top goes on to it."""
    ladder = Ladder.of(flicker(), Config())
    expr = parse("SE")
    rough = finish(ladder, expr, ladder.screen(expr), rough=True)
    again = ladder.renewed(rough.expr, rough.noise, 1)
    assert again.top == pytest.approx(ladder.renewed(rough.expr, rough.noise, 0).points[0])
    found, blind = (finish(ladder, rough.expr, each) for each in (again, replace(again, top=())))
    assert found.evaluations < 0.7 * blind.evaluations
    assert found.bic.lower >= rough.bic.lower - 1e-6
    poor = replace(again, top=(*again.top[:-1], again.top[-1] + 3.0))
    assert finish(ladder, rough.expr, poor).bic.lower == pytest.approx(blind.bic.lower, abs=0.05)
