"""Waves against the kernel that they stand for."""

import math

import numpy as np
import pytest

from kernelscribe.engines.spectral import posterior_waves as waves
from kernelscribe.engines.spectral.tables import Frame
from kernelscribe.engines.spectral.waves import of_term
from kernelscribe.kernels.normal import Factor, Term

FRAME = Frame(0.0, 1.0)
PLACES = np.linspace(-0.5, 0.5, 400)
SE, LONG, PER, SHARP = (
    Factor("SE", 1, (0.1,)), Factor("SE", 1, (40.0,)), Factor("PER", 1, (1.0, 0.07)), Factor("PER", 1, (0.3, 0.21)),
)  # fmt: skip
TERMS = [Term(2.0, factors) for factors in ((), (SE,), (LONG,), (PER,), (SE, PER), (LONG, SHARP), (PER, SHARP), (SE, PER, SHARP))]


def chosen(term, **more):
    (block,) = waves.chosen([term], FRAME, PLACES, **{"noise": 0.01, "highest": 1e6, "tolerance": 1e-9, **more})
    return block


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_waves_add_up_to_the_kernel_as_far_as_it_is_remembered(term):
    """Over the data and beyond, to where an SE has fallen to 1e-18; a term without one everywhere."""
    block = chosen(term)
    end = 1 + min(waves.remembered(block.wave), 30.0)
    d = np.linspace(-end, end, 301)
    got = np.cos(2 * np.pi * np.outer(d, block.xi)) @ block.w
    np.testing.assert_allclose(got, term.cross(d[:, None], np.zeros((1, 1)))[:, 0], rtol=0, atol=1e-9)


def test_frequencies_of_a_grid_have_sums_that_coincide():
    block = chosen(TERMS[4])
    apart = np.unique(np.abs(block.at[:, None] - block.at))
    assert len(block.at) > 100
    assert len(apart) < 20 * len(block.at)
    h = np.diff(np.unique(block.xi)).min()
    assert np.array_equal(block.xi / h, np.round(block.xi / h))


def test_as_few_as_the_tolerance_allows_and_no_more_than_so_many(monkeypatch):
    loose, tight = chosen(TERMS[4], tolerance=1e-2), chosen(TERMS[4], tolerance=1e-9)
    assert len(loose.w) < len(tight.w)
    assert loose.rest * loose.size / 0.01 <= 1e-2
    monkeypatch.setattr(waves, "_MOST", 20)
    few = chosen(TERMS[4])
    assert len(few.w) == 20
    np.testing.assert_array_equal(np.sort(few.w), np.sort(tight.w)[-20:])
    assert few.rest == pytest.approx(2 - few.w.sum())
    assert waves.left_out([few]) == pytest.approx(few.rest / 2)


def test_frequencies_beyond_the_highest_are_left_out():
    block = chosen(TERMS[3], highest=30.0)
    assert block.xi.max() == pytest.approx(2 / 0.07)
    assert block.rest > 0.001


def test_terms_share_what_is_kept():
    """A term that is next to nothing has no waves, and the others have theirs."""
    some, none = waves.chosen([TERMS[1], Term(1e-15, (PER,))], FRAME, PLACES, 0.01, 1e6)
    assert len(some.w) > 10
    assert len(none.w) == 0


def test_of_far_too_many_only_the_heaviest_are_looked_at(monkeypatch):
    whole = chosen(TERMS[4])
    monkeypatch.setattr(waves, "_LOOKS", 700)
    some = chosen(TERMS[4])
    assert 20 < len(some.w) < len(whole.w)
    assert set(some.xi) <= set(whole.xi)
    monkeypatch.setattr(waves, "_LOOKS", 10)
    assert waves.chosen([TERMS[4]], FRAME, PLACES, 0.01, 1e6) is None


def test_lines_are_remembered_for_ever():
    assert waves.remembered(of_term(TERMS[3], FRAME)) == math.inf
    assert waves.remembered(of_term(TERMS[1], FRAME)) == pytest.approx(0.1 * math.sqrt(2 * 18 * math.log(10)))


def test_nothing_lacks_nothing():
    assert waves.left_out([chosen(Term(0.0, (SE,)))]) == 0
