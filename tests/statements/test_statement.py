"""Statements: what they are known by, the kernel that they are, and the way there and back."""

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings

from cases import seeds
from kernelscribe.config import Config
from kernelscribe.engines.choose import prepare
from kernelscribe.kernels import pack
from kernelscribe.noises import Constant
from kernelscribe.statements.adjectives import ADJECTIVES
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.plainness import choices
from kernelscribe.statements.statement import LEVEL, Part, Statement
from kernelscribe.testing import evaluate
from told_data import DATA, SETTINGS, begun, told

SETTING = SETTINGS["daily"]


def drawn(seed, most=5):
    """A random statement with random values, some of them held."""
    rng = np.random.default_rng(seed)
    nouns = rng.choice(list(NOUNS), size=int(rng.integers(0, most)))
    parts = tuple(_part(str(noun), rng) for noun in nouns)
    return Statement(parts, str(rng.choice(["none", "log"])), str(rng.choice(["constant", "growing"])))


def _part(noun, rng):
    part = begun(noun, SETTING, fixed=bool(rng.integers(2)))
    adjectives = tuple(str(each) for each in rng.permutation(list(ADJECTIVES))[: int(rng.integers(0, 3))])
    own = tuple(ADJECTIVES[each].starts(SETTING, 1.0, ())[0] for each in adjectives)
    return replace(part, adjectives=adjectives, values=(part.values[0], *own))


@given(seeds)
@settings(max_examples=60)
def test_a_name_is_the_same_in_any_order_and_with_any_values(seed):
    statement, rng = drawn(seed, most=4), np.random.default_rng(seed + 1)
    for parts in permutations(statement.parts):
        other = tuple(
            replace(part, values=tuple(tuple(x * math.exp(rng.normal()) for x in own) for own in part.values)) for part in parts
        )
        assert replace(statement, parts=other).name == statement.name


def test_a_name_tells_apart_all_that_can_be_said_otherwise():
    cycle = begun("cycle", SETTING)
    ways = [
        Statement(),
        Statement((cycle,)),
        Statement((cycle, cycle)),
        Statement((replace(cycle, held=()),)),
        Statement((replace(cycle, held=(2 * cycle.held[0],)),)),
        Statement((replace(cycle, adjectives=("growing",)),)),
        Statement((replace(cycle, adjectives=("changing",)),)),
        Statement((cycle,), link="log"),
        Statement((cycle,), noise="growing"),
        Statement((cycle, begun("line", SETTING))),
    ]
    assert len({each.name for each in ways}) == len(ways)


@given(seeds)
@settings(max_examples=60)
def test_values_come_back_from_the_coordinates_that_they_were_packed_into(seed):
    statement, rng = drawn(seed), np.random.default_rng(seed + 1)
    built = statement.built(SETTING)
    u = pack(built.expr)
    assert len(u) == built.form.size == len(built.slots) == len(built.free)
    same = built.at(u)
    assert same.name == statement.name
    np.testing.assert_allclose(pack(same.expr), u, rtol=1e-12, atol=1e-12)
    moved = u + np.where(built.free, 0.1 * rng.normal(size=len(u)), 0.0)
    there = built.at(moved)
    np.testing.assert_allclose(pack(there.built(SETTING).expr), moved, rtol=1e-12, atol=1e-12)
    assert [len(part.values) for part in there.parts] == [len(part.words) for part in statement.parts]
    assert there.built(SETTING).slots == built.slots


@given(seeds)
@settings(max_examples=60)
def test_what_is_held_is_not_free_and_every_noun_has_a_size_that_is(seed):
    statement = drawn(seed)
    built = statement.built(SETTING)
    for at, owner, where in zip(built.where, built.form.owners, built.form.slices, strict=True):
        free = built.free[where]
        if at is None:
            assert owner.kind == "C" and not free.any()
        else:
            p, f = at
            assert statement.parts[p].words[f].base.name == owner.kind
            assert free[0] == (f == 0)
            if f == 0 and statement.parts[p].held:
                assert not free[-len(statement.parts[p].held) :].any()


@given(seeds)
@settings(max_examples=40)
def test_the_prior_is_the_sum_of_its_slots_and_has_their_slopes(seed):
    built = drawn(seed).built(SETTING)
    u = np.where(built.free, np.clip(pack(built.expr), built.ends[:, 0] + 0.02, built.ends[:, 1] - 0.02), pack(built.expr))
    value, slope = built.prior(u)
    each = [(slot.density, x) for slot, x in zip(built.slots, u, strict=True) if slot.density is not None]
    assert value == pytest.approx(math.fsum(density(float(x))[0] for density, x in each))
    for i in range(len(u)):
        step = 1e-6 * np.eye(len(u))[i]
        ahead, behind = built.prior(u + step)[0], built.prior(u - step)[0]
        assert slope[i] == pytest.approx((ahead - behind) / 2e-6, rel=1e-4, abs=1e-4)


@given(seeds)
@settings(max_examples=30)
def test_the_kernel_is_the_sum_of_the_level_and_a_product_for_every_component(seed):
    statement, x = drawn(seed), np.linspace(-1, 1, 9)[:, None]
    by_hand = np.full((9, 9), LEVEL)
    for part in statement.parts:
        product = np.ones((9, 9))
        for word, own in zip(part.words, part.values, strict=True):
            product *= word.base.evaluate(x, x[:, 0], np.array(own))
        by_hand += product
    np.testing.assert_allclose(evaluate(statement.expr, x, x), by_hand, rtol=1e-9)
    assert evaluate(Statement().expr, x, x) == pytest.approx(np.full((9, 9), LEVEL))


@pytest.mark.parametrize("noun", NOUNS)
@pytest.mark.parametrize("engine", ["exact", "series"])
@pytest.mark.parametrize("data", ["monthly", "irregular", "plain"])
def test_every_noun_at_every_start_has_an_evidence_by_both_engines(noun, engine, data):
    data, setting = DATA[data], SETTINGS[data]
    part = begun(noun, setting)
    for values in NOUNS[noun].starts(setting, 0.3, part.held):
        statement = Statement((replace(part, values=(values,)),))
        built = statement.built(setting)
        u = np.append(pack(built.expr), Constant(0.3).pack())
        prepared = prepare(data, Config(engine=engine), built.form)
        assert prepared.name == engine
        held, value = prepared.certify(built.form, u).interval, prepared.value(built.form, u)
        C = evaluate(statement.expr, data.X, data.X) + 0.3 * np.eye(len(data.y))
        by_hand = -0.5 * (data.y @ np.linalg.solve(C, data.y) + np.linalg.slogdet(C)[1] + len(data.y) * math.log(2 * math.pi))
        assert held.lower <= by_hand <= held.upper
        assert value == pytest.approx(by_hand, abs=0.01)


def test_places_count_as_values_and_periods_of_the_calendar_do_not():
    assert told("step", setting=SETTING).built(SETTING).count == 2
    assert told("spell", setting=SETTING).built(SETTING).count == 3
    assert told("cycle", setting=SETTING).built(SETTING).count == 2
    assert Statement((begun("cycle", SETTING, fixed=False),)).built(SETTING).count == 3
    assert told("line", "smooth", setting=SETTING).built(SETTING).count == 3
    assert Statement().built(SETTING).count == 0


def test_components_are_added_left_out_and_changed_where_they_stand():
    both, cycle = told("line", "rough", setting=SETTING), begun("cycle", SETTING)
    assert [part.noun for part in both.with_part(cycle).parts] == ["line", "rough", "cycle"]
    assert [part.noun for part in both.without(0).parts] == ["rough"]
    assert [part.noun for part in both.instead(0, cycle).parts] == ["cycle", "rough"]
    assert both.with_part(cycle).without(2) == both


def test_a_statement_costs_the_logarithm_of_what_it_was_chosen_from():
    nouns, adjectives = math.log(len(NOUNS)), math.log(len(ADJECTIVES) + 1)
    cycle = replace(begun("cycle", SETTING), adjectives=("growing",))
    assert choices(Statement(), 1000) == 0
    assert choices(told("line", setting=SETTING), 1000) == pytest.approx(nouns)
    assert choices(Statement((cycle,)), 1000) == pytest.approx(nouns + adjectives)
    assert choices(told("line", "step", setting=SETTING), 1000) == pytest.approx(2 * nouns + math.log(1000))
    assert choices(Statement(link="log", noise="growing"), 1000) == pytest.approx(2 * math.log(3))


def test_the_cost_of_a_statement_depends_on_its_name_alone():
    values = replace(begun("smooth", SETTING), values=((9.0, 0.1),))
    assert choices(Statement((values,)), 50) == choices(told("smooth", setting=SETTING), 50)
    assert choices(told("line", "rough", setting=SETTING), 50) == choices(told("rough", "line", setting=SETTING), 50)


def test_every_part_says_its_adjectives_before_its_noun_and_what_it_holds_behind():
    assert Part("cycle", ("changing", "growing"), (0.25,)).name == "changing growing cycle(0.25)"
    assert Part("line").name == "line"
