"""Terms as groups of states: which lines stand where, how many exponentials each is given, and what fades and grows."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelscribe.engines.lines import Cycle
from kernelscribe.engines.series.balanced import BALANCED_SUMS
from kernelscribe.engines.series.groups import Fade, groups
from kernelscribe.engines.series.ingredients import Ingredients
from kernelscribe.kernels.spectral import Fading, Walk

distance = st.floats(min_value=0.0, max_value=4.0)
ROUGH, MATERN = Fading(0.7, 1.0, (1.0,)), Fading(0.9, math.sqrt(3), (1.0, 1.0))
FADES = {
    "nothing": Ingredients(),
    "rough": Ingredients(fadings=(ROUGH,)),
    "two": Ingredients(fadings=(ROUGH, MATERN)),
    "three": Ingredients(fadings=(MATERN, MATERN, Fading(2.0, 1.0, (1.0, 0.0, 0.5)))),
    "walk": Ingredients(walk=Walk(0.5, 1)),
    "spline": Ingredients(walk=Walk(0.5, 2)),
    "spline and others": Ingredients(fadings=(MATERN, ROUGH), walk=Walk(0.5, 2)),
    "alone": Ingredients(alone=True),
}


def formula(made, z, d):
    """What fades and grows in a term, by the definitions of its factors."""
    found = 1.0
    for each in made.fadings:
        s = each.rate * d / each.lengthscale
        found *= sum(c * s**m for m, c in enumerate(each.polynomial)) * math.exp(-s)
    if made.walk is not None:
        s = max(z - made.walk.location, 0.0)
        found *= s if made.walk.order == 1 else s**3 / 3 + s**2 * d / 2
    return found * (d == 0 or not made.alone)


@pytest.mark.parametrize("name", FADES)
@given(z=st.floats(min_value=-1.0, max_value=3.0), back=distance, delta=distance, x=distance)
@settings(max_examples=60)
def test_what_fades_is_carried_over_two_references(name, z, back, delta, x):
    fade = Fade(FADES[name])
    later, step, earlier = fade.later(np.array([x])), fade.steps(np.array([delta])), fade.earlier(np.array([back]), np.array([z]))
    expected = formula(FADES[name], z, back + delta + x)
    assert float(later[0] @ step[0] @ earlier[0]) == pytest.approx(expected, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("name", FADES)
def test_pieces_add_up(name):
    fade, z, back = Fade(FADES[name]), np.linspace(0, 2, 9), np.linspace(0, 1, 9)
    total = sum(fade.earlier(back, z, e) for e in range(len(fade.pieces)))
    np.testing.assert_allclose(total, fade.earlier(back, z), rtol=1e-14)


def turned(term, d):
    """Σ w cos ωd of all groups, each by its own sum of exponentials."""
    found = np.zeros_like(d)
    for group in term.groups:
        core = np.ones_like(d)
        if group.basis is not None:
            core = group.basis.rows(d / group.lengthscale) @ (group.basis.sign * group.basis.rows(np.zeros(1))[0])
        waves = np.cos(np.multiply.outer(d, group.omega)) if group.turning else np.ones((len(d), 1))
        found += core * (waves @ group.weight)
    return found


CYCLES = {
    "one": (Cycle(0.8, 0.4),),
    "sharp": (Cycle(0.1, 0.4),),
    "flat": (Cycle(30.0, 0.4),),
    "centred": (Cycle(0.8, 0.4, centred=True),),
    "two": (Cycle(1.0, 0.4), Cycle(1.5, 1.1)),
    "two of one period": (Cycle(1.0, 0.4), Cycle(1.5, 0.4)),
    "none": (),
}


def stationary(made, d):
    found = np.exp(-0.5 * (d / made.lengthscale) ** 2)
    for each in made.cycles:
        own = np.exp(-2 * np.sin(np.pi * d / each.period) ** 2 / each.lengthscale**2)
        if each.centred:
            mean = np.mean(np.exp(-2 * np.sin(np.pi * np.arange(400) / 400) ** 2 / each.lengthscale**2))
            own = (own - mean) / (1 - mean)
        found = found * own
    return found


@pytest.mark.parametrize("gaussians", [(), (0.5,), (0.5, 2.0), (1e4,)])
@pytest.mark.parametrize("name", CYCLES)
@pytest.mark.parametrize("allowed", [1e-2, 1e-4, 1e-7, 1e-12])
def test_an_allowed_error_is_not_exceeded(gaussians, name, allowed):
    """Half of it is for lines that are left out, as much for sums of exponentials; what is left out is told."""
    made = Ingredients(gaussians=gaussians, cycles=CYCLES[name])
    term, d = groups(0, made, allowed), np.linspace(0, 6, 3001)
    off = np.abs(turned(term, d) - stationary(made, d)).max()
    assert off <= 2.1 * allowed + 3e-13
    assert term.left_out <= 1.1 * allowed
    if not gaussians:
        assert off <= term.left_out + 1e-13


def test_light_lines_have_fewer_exponentials():
    term = groups(0, Ingredients(gaussians=(0.5,), cycles=(Cycle(0.5, 0.4),)), 1e-8)
    sizes = sorted((float(weight), group.basis.size) for group in term.groups for weight in group.weight)
    assert [size for _, size in sizes] == sorted(size for _, size in sizes)
    assert sizes[0][1] < sizes[-1][1]
    for group in term.groups:
        assert np.all(group.weight * group.basis.sums.largest <= 1e-8 / len(term.lines.weight))
        for smaller in BALANCED_SUMS:
            if smaller.size < group.basis.size:
                assert np.all(group.weight * smaller.sums.largest > 1e-8 / len(term.lines.weight))


@pytest.mark.parametrize("name", CYCLES)
def test_every_line_is_in_one_group_and_lines_at_zero_do_not_turn(name):
    term = groups(3, Ingredients(gaussians=(0.5,), cycles=CYCLES[name]), 1e-10)
    places = np.concatenate([group.line for group in term.groups])
    assert sorted(places) == list(range(len(term.lines.weight)))
    for group in term.groups:
        assert group.term == 3
        assert group.turning == bool(np.all(term.lines.nu[group.line] != 0))
        assert group.turning or len(group.line) == 1
        np.testing.assert_allclose(group.omega, 2 * math.pi * term.lines.nu[group.line] if group.turning else [])


def test_a_line_and_its_negative_are_one():
    """cos ωd once, not twice: as many lines as harmonics, and the one at zero."""
    term = groups(0, Ingredients(cycles=(Cycle(1.0, 0.4),)), 1e-6)
    assert np.all(term.lines.number[:, 0] == np.arange(len(term.lines.number)))
    both = groups(0, Ingredients(cycles=CYCLES["two of one period"]), 1e-6)
    # (1, −1) stands for (−1, 1); both are at zero.
    assert not any(tuple(-n) in set(map(tuple, both.lines.number)) for n in both.lines.number if n.any())


def test_what_is_new_at_every_point_has_one_state_whatever_stands_beside_it():
    made = Ingredients(gaussians=(0.5,), cycles=CYCLES["two"], alone=True)
    term = groups(0, made, 1e-8)
    assert [group.columns for group in term.groups] == [1]
    (only,) = term.groups
    np.testing.assert_array_equal(only.later(np.array([0.0, 1e-300, 0.1]))[:, 0], [1, 0, 0])
    np.testing.assert_array_equal(only.steps(np.array([0.0, 1e-300]))[:, 0, 0], [1, 0])


def test_a_term_too_small_to_matter_has_no_states():
    term = groups(0, Ingredients(gaussians=(0.5,), cycles=CYCLES["one"]), 1e6)
    assert term.groups == ()
    assert term.left_out == pytest.approx(1.0, abs=1e-6)
