"""Noise is a value: every kind keeps the contract, at tame values and at the edges of its box, and what does not is found."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from kernelscribe.codec import decode, encode
from kernelscribe.config import options
from kernelscribe.noises import AUTO_NOISE, NOISES, Changing, Constant, Growing, Noise
from kernelscribe.noises.neighbours import differences
from kernelscribe.scales import Affine, Extent
from kernelscribe.testing import check_noise

EXTENT = Extent(-1.7, 1.7, 0.02)
TAME = [Constant(0.3), Growing(0.1, 0.8), Growing(2.0, -1.5), Changing(0.1, 0.5, 0.2, 0.3), Changing(2.0, 0.01, -0.4, 0.02)]


@pytest.mark.parametrize("noise", TAME, ids=str)
def test_it_keeps_its_contract(noise):
    check_noise(noise, inputs=2)


@pytest.mark.parametrize("kind", NOISES.values())
@pytest.mark.parametrize("end", [0, 1])
def test_it_keeps_its_contract_on_the_edges_of_its_box(kind, end):
    values = [side[end] for side in kind.box(EXTENT)]
    for i, side in enumerate(kind.box(EXTENT)):
        check_noise(kind.of(tuple(values)))
        check_noise(kind.of((*values[:i], side[1 - end], *values[i + 1 :])))


@dataclass(frozen=True, slots=True)
class Plain(Growing):
    """As it is, to be broken in one way or another."""


@pytest.mark.parametrize(("what", "wrong"), [
    ("diagonal", lambda self, X: self.variance * np.exp(X[:, 0])),
    ("pull", lambda self, X, bar: np.array([bar @ self.diagonal(X), 0.0])),
    ("amplified", lambda self, factor: replace(self, rate=self.rate * factor)),
    ("average", lambda self, X: self.variance),
    ("rounding", lambda self, X: np.zeros(len(X))),
    ("user", lambda self, inputs, output: Plain(self.variance * output.scale**2, self.rate, inputs[0].centre)),
    ("user", lambda self, inputs, output: Plain(self.variance * output.scale**2, self.rate / inputs[0].scale)),
    ("box", classmethod(lambda cls, extent: ((1e-6, 1e2),))),
    ("reach", classmethod(lambda cls, extent: (1.0, 0.0))),
    ("draw", classmethod(lambda cls, rng, extent: cls(1.0, 100.0))),
    ("uniform", True),
])  # fmt: skip
def test_what_is_wrong_is_found(what, wrong):
    broken = type("Broken", (Plain,), {what: wrong})(0.1, 2.0)
    with pytest.raises(AssertionError):
        check_noise(broken)


def test_their_names_are_the_choices_of_the_option():
    assert options()["noise"].choices == (AUTO_NOISE, *NOISES)


@pytest.mark.parametrize("noise", TAME, ids=str)
def test_it_is_saved_and_read(noise):
    assert decode(Noise, encode(noise)) == noise


def test_growing_noise_by_its_formula():
    x = np.array([[-1.0], [0.0], [2.0]])
    np.testing.assert_allclose(Growing(0.1, 0.5).diagonal(x), 0.1 * np.exp(0.5 * x[:, 0]))
    far = Growing(0.1, 2.0).diagonal(np.array([[-1e6], [1e6]]))
    assert 0 < far[0] < 1e-100
    assert np.isfinite(far**2).all()


def test_changing_noise_by_its_formula():
    noise = Changing(0.1, 0.5, 0.2, 0.05)
    x = np.array([[-1e5], [0.2], [0.3], [1e5]])
    gate = 1 / (1 + math.exp(-2))
    np.testing.assert_allclose(noise.diagonal(x), [0.1, 0.3, 0.1 * (1 - gate) + 0.5 * gate, 0.5])


def test_coordinates_do_not_depend_on_where_the_middle_was_said_to_be():
    noise = Growing(0.1, 0.5, middle=3.0)
    X = np.linspace(-1, 1, 5)[:, None]
    np.testing.assert_allclose(Growing.unpack(noise.pack()).diagonal(X), noise.diagonal(X))


def test_a_rate_is_told_by_the_unit_of_the_input():
    told = Growing(0.1, 0.5).user([Affine(2010.0, 4.0)], Affine(7.0, 3.0))
    assert told.values == pytest.approx((0.9, 0.125))
    assert told.middle == 2010.0


@pytest.mark.parametrize("rate", [-1.2, 0.0, 0.9])
def test_growth_is_seen_beside_a_curve(rate):
    x, rng = np.linspace(-1.7, 1.7, 400), np.random.default_rng(0)
    y = np.sin(3 * x) + 0.3 * np.exp(rate / 2 * x) * rng.normal(size=400)
    assert Growing.seen(x, y, Extent.of(x)).rate == pytest.approx(rate, abs=0.25)


@pytest.mark.parametrize("place", [-1.0, 0.4, 1.2])
def test_a_change_is_seen_beside_a_curve(place):
    rng = np.random.default_rng(1)
    x = rng.permutation(np.linspace(-1.7, 1.7, 400))
    y = np.sin(3 * x) + np.where(x < place, 0.1, 0.3) * rng.normal(size=400)
    found = Changing.seen(x, y, Extent.of(x))
    assert found.location == pytest.approx(place, abs=0.1)
    assert 4 < found.after / found.before < 15


def test_neighbours_that_are_equal_hide_no_noise():
    at, squares = differences(np.array([3.0, 1.0, 2.0, 2.0]), np.array([5.0, 1.0, 4.0, 4.0]))
    assert at.tolist() == [1.5, 2.0, 2.5]
    assert squares[[0, 2]].tolist() == [4.5, 0.5]
    assert 0 < squares[1] < 0.01
