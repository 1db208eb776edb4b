"""Nouns and adjectives: where their values may be, how likely these are, and where a fit begins."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from kernelscribe.kernels import Leaf, pack
from kernelscribe.statements.adjectives import ADJECTIVES
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.nouns.bend import Before
from kernelscribe.statements.nouns.cycle import Uniform
from kernelscribe.statements.word import HELD
from told_data import SETTINGS, held

WORDS = {**NOUNS, **ADJECTIVES}
each_word = pytest.mark.parametrize("word", WORDS.values(), ids=list(WORDS))
each_setting = pytest.mark.parametrize("setting", SETTINGS.values(), ids=list(SETTINGS))


def holdings(word, setting):
    """What it may hold: a cycle its period or nothing, what stands at a place that, the others nothing."""
    return ((), held(word.name, setting)) if word.name == "cycle" else (held(word.name, setting),)


def free(word, setting):
    return [slot for own in holdings(word, setting) for slot in word.slots(setting, own) if slot.density is not None]


def support(slot):
    """Where the density is, and places on the way where it changes most."""
    density, (low, high) = slot.density, slot.ends
    if isinstance(density, Uniform):
        return [density.low, density.high]
    if isinstance(density, Before):
        return [density.edge - math.exp(density.mean + k * density.sd) for k in range(9, -10, -1)]
    sd = math.sqrt(density.variance)
    assert low < high
    return [density.mean + k * sd for k in range(-9, 10)]


def integral(density, places):
    return sum(quad(lambda u: math.exp(density(u)[0]), a, b, epsabs=1e-12)[0] for a, b in pairwise(places))


def test_every_word_is_known_by_its_name_once():
    assert {name: word.name for name, word in WORDS.items()} == {name: name for name in WORDS}
    assert len(WORDS) == len(NOUNS) + len(ADJECTIVES)


@each_word
@each_setting
def test_there_is_a_slot_for_every_value_of_its_kernel_and_a_noun_has_a_size_that_is_free(word, setting):
    for own in holdings(word, setting):
        slots = word.slots(setting, own)
        assert len(slots) == len(word.base.parameters)
        assert (slots[0] is HELD) == (word.name in ADJECTIVES)


@each_word
@each_setting
def test_ends_leave_room_and_most_of_what_is_likely_lies_between_them(word, setting):
    for slot in free(word, setting):
        low, high = slot.ends
        assert math.isfinite(low) and math.isfinite(high) and low < high
        between = sorted({low, high, *(u for u in support(slot) if low < u < high)})
        if setting.steps > 30:
            assert integral(slot.density, between) > 0.6


@each_word
@each_setting
def test_densities_are_proper(word, setting):
    for slot in free(word, setting):
        assert integral(slot.density, support(slot)) == pytest.approx(1, abs=1e-8)


@each_word
@each_setting
def test_slopes_of_densities_are_those_of_differences(word, setting):
    for slot in free(word, setting):
        for share in (0.1, 0.5, 0.9):
            u = slot.ends[0] + share * (slot.ends[1] - slot.ends[0])
            h = 1e-6 * max(slot.ends[1] - slot.ends[0], 1e-3)
            ahead, behind = slot.density(u + h)[0], slot.density(u - h)[0]
            assert slot.density(u)[1] == pytest.approx((ahead - behind) / (2 * h), rel=1e-4, abs=1e-4)


@each_word
@each_setting
@pytest.mark.parametrize("size", [3e-4, 0.1, 1.0])
def test_starts_lie_inside_the_box_and_hold_what_is_held(word, setting, size):
    for own in holdings(word, setting):
        beginning = own or ((2 * setting.shortest,) if word.name == "cycle" else ())
        slots, starts = word.slots(setting, own), word.starts(setting, size, beginning)
        assert len(starts) == len(set(starts)) >= 1
        for values in starts:
            u = pack(Leaf(word.base.name, 1, values))
            for value, slot in zip(u, slots, strict=True):
                assert slot is HELD or slot.ends[0] <= value <= slot.ends[1]
            if own:
                assert values[len(values) - len(own) :] == own


@pytest.mark.parametrize("noun", ["smooth", "rough", "departures", "cycle", "drift", "step", "spell"])
def test_a_start_is_as_large_as_is_asked_for(noun):
    """Its variance where it is largest: at the last row for a drift, which has one start that is ten times larger."""
    setting = SETTINGS["daily"]
    x = np.linspace(setting.extent.low, setting.extent.high, 201)
    sizes = [
        max(float(NOUNS[noun].base.evaluate(np.array([[z]]), np.array([z]), np.array(values))[0, 0]) for z in x)
        for values in NOUNS[noun].starts(setting, 0.3, held(noun, setting))
    ]
    assert sizes == pytest.approx([0.3, 3.0] if noun == "drift" else [0.3] * len(sizes))


def test_only_what_stands_at_a_place_says_so_and_its_kernel_has_that_place():
    placed = {name for name, noun in NOUNS.items() if noun.placed}
    assert placed == {"step", "kink", "spell"}
    assert all(any(p.kind == "place" for p in NOUNS[name].base.parameters) for name in placed)
