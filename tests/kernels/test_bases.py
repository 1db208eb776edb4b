"""Every base kernel against its contract, and the contract against kernels that break it."""

import numpy as np
import pytest

from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.bases.lin import Linear
from kernelscribe.kernels.bases.per import Periodic
from kernelscribe.kernels.bases.se import SquaredExponential
from kernelscribe.testing import check_base


@pytest.mark.parametrize("name", BASES)
def test_base_keeps_the_contract(name):
    check_base(BASES[name])


class _WrongSlope(SquaredExponential):
    def pull(self, x, values, features, bar):
        theta, points = super().pull(x, values, features, bar)
        return 2 * theta, points


class _WrongPoints(Periodic):
    def pull(self, x, values, features, bar):
        theta, points = super().pull(x, values, features, bar)
        return theta, -points


class _NotSymmetric(SquaredExponential):
    def evaluate(self, x, z, values):
        return super().evaluate(x, z, values) * (1 + 0.1 * np.tanh(x - z))


class _WrongUnits(Linear):
    degree = 0


class _WrongFeatures(Periodic):
    def features(self, x, values):
        return super().features(x, values * [1, 1, 1.01])


class _TooGentle(Periodic):
    def steepness(self, values):
        return 0.9 * super().steepness(values)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (_WrongSlope, "derivative of the parameters"),
        (_WrongPoints, "derivative of the points"),
        (_NotSymmetric, "not symmetric"),
        (_WrongUnits, "law of units"),
        (_WrongFeatures, "features and formula"),
        (_TooGentle, "more than its steepness"),
    ],
)
def test_contract_notices(broken, message):
    with pytest.raises(AssertionError, match=message):
        check_base(broken())


def test_formulas_of_the_paper():
    x, z = np.array([0.3]), np.array([1.1])
    assert BASES["SE"].evaluate(x, z, np.array([2.0, 0.5]))[0] == pytest.approx(2 * np.exp(-0.64 / 0.5))
    assert BASES["LIN"].evaluate(x, z, np.array([2.0, 0.5]))[0] == pytest.approx(2 * (0.3 - 0.5) * (1.1 - 0.5))
    expected = 2 * np.exp(-2 * np.sin(np.pi * 0.8 / 1.5) ** 2 / 0.49)
    assert BASES["PER"].evaluate(x, z, np.array([2.0, 0.7, 1.5]))[0] == pytest.approx(expected)


def test_draws_follow_the_paper():
    """Medians and ranges of the starting draws, and a location on either side of the mean."""
    from kernelscribe.kernels.base import Extent

    rng, extent = np.random.default_rng(0), Extent(-1.7, 1.7, 0.01)
    se = np.array([BASES["SE"].draw(rng, extent) for _ in range(4000)])
    assert np.median(se[:, 0]) == pytest.approx(0.1, rel=0.05)
    assert np.log(se[:, 1]).std() == pytest.approx(0.5, rel=0.05)
    lin = np.array([BASES["LIN"].draw(rng, extent) for _ in range(4000)])
    assert lin[:, 0].max() <= 1
    assert (lin[:, 1] > 0).mean() == pytest.approx(0.5, abs=0.03)
    period = np.array([BASES["PER"].draw(rng, extent)[2] for _ in range(4000)])
    near = np.log(period) < (np.log(0.1) + np.log(0.68)) / 2
    assert np.log(period).min() > np.log(0.1) - 3
    assert near.mean() == pytest.approx(0.5, abs=0.15)


def test_lines_are_scattered_inside_the_data_and_just_outside():
    """An amplitude that grows from nothing, or shrinks to it, is a line that is zero just outside the data."""
    from kernelscribe.kernels.base import Extent

    rng, extent = np.random.default_rng(0), Extent(2.0, 6.0, 0.01)
    location = np.array([BASES["LIN"].scatter(rng, extent)[1] for _ in range(2000)])
    assert ((location > 2) & (location < 6)).mean() == pytest.approx(0.5, abs=0.04)
    assert (location < 2).mean() == pytest.approx(0.25, abs=0.04)
    assert (location > 6).mean() == pytest.approx(0.25, abs=0.04)
    assert location.min() >= 0
    assert location.max() <= 8
