"""Screening beside what the parent stands on."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe import Config, Dataset, Status, parse, text
from kernelscribe.effort import STANDARD, Effort
from kernelscribe.engines.spectral.window_bound import Local
from kernelscribe.fit import new_leaves
from kernelscribe.fit.ladder import Ladder
from kernelscribe.fit.objective import box
from kernelscribe.kernels import Form, leaves
from kernelscribe.kernels.laws import charge
from kernelscribe.kernels.tree import pack
from kernelscribe.noises import Constant
from kernelscribe.search.moves import base_kernels, neighbours

N, SWELL, TIDE = 4000, 930.0, 24.0


@pytest.fixture(scope="module")
def ladder():
    """A cycle that swells and fades, beside something short-lived that takes windows: four rows long."""
    rng = np.random.default_rng(0)
    x = np.arange(N, dtype=float)
    weights = np.exp(-(np.arange(-20, 21) ** 2) / 16)
    short = np.convolve(rng.normal(size=N + 40), weights / np.linalg.norm(weights), mode="valid")
    shape = np.sin(2 * np.pi * x / TIDE) + 0.5 * np.cos(4 * np.pi * x / TIDE)
    y = shape * (1 + 0.5 * np.sin(2 * np.pi * x / SWELL)) + 0.7 * short + 0.2 * rng.normal(size=N)
    return Ladder.of(Dataset.of(x, y), Config())


@pytest.fixture(scope="module")
def parent(ladder):
    scale = ladder.data.extents[0].span / (N - 1)
    return parse(f"SE(variance=0.3, lengthscale={4 * scale}) + PER(variance=1, lengthscale=1.5, period={TIDE * scale})")


NOISE = 0.03


def children(parent, ladder):
    found = {text(each): each for each in neighbours(parent, base_kernels(1), ("extend", "switch", "drop"))}
    form = Form.of(parent)
    residual = ladder.full.residual(form, np.append(pack(parent), math.log(NOISE)))
    return found, dict(ladder.shows(residual))


def slowest(expr, screened, ladder):
    """The longest period, in rows."""
    at, longest = 0, 0.0
    for leaf in leaves(expr):
        if leaf.kind == "PER":
            longest = max(longest, math.exp(screened.points[0][at + 2]))
        at += len(leaf.base.parameters)
    return longest * (N - 1) / ladder.data.extents[0].span


def dear_ladder(ladder):
    """The same, where no value is cheap."""
    return replace(ladder, config=replace(ladder.config, effort=Effort(cheap_work=0.0)))


def test_a_slow_cycle_of_a_fast_one_is_found_beside_what_is_short(ladder, parent):
    known, periods = children(parent, ladder)
    child = known["SE1 + PER1*PER1"]
    found = ladder.screen(child, Constant(NOISE), periods)
    assert slowest(child, found, ladder) == pytest.approx(SWELL, rel=0.05)
    repeated = ladder.screen(known["SE1 + PER1 + LIN1"], Constant(NOISE), periods)
    assert found.status is Status.OK
    assert found.score > repeated.score + 50
    # The score is the bound at the point with all that the engine has, and the hope is above it.
    u = np.array(found.points[0])
    assert ladder.full.value(Form.of(child), u) - found.score == pytest.approx(0.5 * 8 * math.log(N), abs=1e-6)
    assert found.score < found.hope <= found.score + STANDARD.unseen * N


def test_where_values_are_dear_only_what_is_new_has_moved(ladder, parent):
    ladder = dear_ladder(ladder)
    known, periods = children(parent, ladder)
    child = known["SE1 + PER1 + PER1"]
    point, at = np.array(ladder.screen(child, Constant(NOISE), periods).points[0]), 0
    for leaf in leaves(child):
        size = len(leaf.base.parameters)
        if leaf.values is not None:
            assert np.exp(point[at : at + size]) == pytest.approx(leaf.values)
        at += size
    assert math.exp(point[at]) == pytest.approx(NOISE)


def test_where_nothing_can_be_held_the_kernel_stands_where_its_parent_is(ladder, parent):
    known, periods = children(parent, ladder)
    found = ladder.screen(known["SE1*LIN1 + PER1"], Constant(NOISE), periods)
    repeated = ladder.screen(known["SE1 + PER1 + LIN1"], Constant(NOISE), periods)
    assert found.evaluations == 1
    assert found.score > repeated.score - 50
    assert found.hope == pytest.approx(found.score + STANDARD.unseen * N)


def test_where_values_are_cheap_the_best_periods_go_on_with_all_leaves(ladder, parent):
    known, periods = children(parent, ladder)
    child = known["SE1 + PER1 + PER1"]
    cheap = ladder.screen(child, Constant(NOISE), periods)
    dear = dear_ladder(ladder).screen(child, Constant(NOISE), periods)
    assert cheap.evaluations > dear.evaluations + 10
    assert cheap.score >= dear.score


def test_what_its_parent_may_be_a_child_may_not(ladder, parent):
    """An SE as short as this may not multiply a cycle: the score is that of a longer one."""
    known, periods = children(parent, ladder)
    child = known["SE1*PER1 + PER1"]
    found = ladder.screen(child, Constant(NOISE), periods)
    u, low = np.array(found.points[0]), box(Form.of(child), ladder.data, ladder.full)[:, 0]
    assert (u >= low - 1e-12).all()
    assert found.score == pytest.approx(ladder.full.value(Form.of(child), u) - charge(child, "identified", N), abs=1e-6)


def test_when_it_is_done(ladder, parent):
    known, _ = children(parent, ladder)
    assert new_leaves.too_short(parent, ladder.stages[0].engine)
    assert not new_leaves.too_short(known["PER1"], ladder.stages[0].engine)
    assert new_leaves.separate(known["SE1 + PER1*PER1"])
    assert not new_leaves.separate(known["(SE1 + PER1)*LIN1"])
    form, u = Form.of(parent), np.append(pack(parent), math.log(NOISE))
    assert isinstance(ladder.full._solved(form, u, NOISE), Local)
    assert ladder.full.hold(form, u, frozenset({1})) is not None
    # The short part itself would need windows, and a slow one alone stands on waves anyway.
    assert ladder.full.hold(form, u, frozenset({0})) is None
    assert ladder.full.hold(form, u, frozenset({0, 1})) is None
