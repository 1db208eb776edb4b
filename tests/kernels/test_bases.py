"""Every base kernel against its contract, and the contract against kernels that break it."""

import numpy as np
import pytest

from kernelscribe.kernels.bases import BASES
from kernelscribe.kernels.bases.lin import Linear
from kernelscribe.kernels.bases.matern import Matern
from kernelscribe.kernels.bases.per import Periodic
from kernelscribe.kernels.bases.se import SquaredExponential
from kernelscribe.kernels.spectral import Fading
from kernelscribe.testing import check_base


@pytest.mark.parametrize("name", BASES)
def test_base_keeps_the_contract(name):
    check_base(BASES[name])


class _Around:
    """The exponential form of a base kernel, with something wrong."""

    def __init__(self, form):
        self.form, self.rank = form, form.rank

    def features(self, x, values):
        return self.form.features(x, values)

    def pull(self, x, values, features, bar):
        return self.form.pull(x, values, features, bar)

    def steepness(self, values):
        return self.form.steepness(values)


class _SlopeDoubled(_Around):
    def pull(self, x, values, features, bar):
        theta, points = super().pull(x, values, features, bar)
        return 2 * theta, points


class _PointsTurned(_Around):
    def pull(self, x, values, features, bar):
        theta, points = super().pull(x, values, features, bar)
        return theta, -points


class _Shifted(_Around):
    def features(self, x, values):
        return super().features(x, values * [1, 1, 1.01])


class _Gentle(_Around):
    def steepness(self, values):
        return 0.9 * super().steepness(values)


class _WrongSlope(SquaredExponential):
    exponential = _SlopeDoubled(SquaredExponential.exponential)


class _WrongPoints(Periodic):
    exponential = _PointsTurned(Periodic.exponential)


class _WrongFeatures(Periodic):
    exponential = _Shifted(Periodic.exponential)


class _TooGentle(Periodic):
    exponential = _Gentle(Periodic.exponential)


class _WrongPair(Periodic):
    def pull(self, x, z, values, bar):
        found = super().pull(x, z, values, bar)
        return found._replace(z=found.x[: len(found.z)])


class _WrongFormulaSlope(Matern):
    def pull(self, x, z, values, bar):
        found = super().pull(x, z, values, bar)
        return found._replace(shape=1.01 * found.shape)


class _WrongDiagonal(Linear):
    def diagonal(self, x, values):
        return values[0] * np.abs(x - values[1])


class _WrongShares(Periodic):
    def split(self, shape):
        return (0.5, True), (0.5, False)


class _WrongMerge(SquaredExponential):
    def merge(self, one, other):
        return (one[0] + other[0],)


class _WrongGather(Linear):
    def gather(self, v, one, w, other):
        shape, rest = super().gather(v, one, w, other)
        return shape, 2 * rest


class _WrongSpectrum(Matern):
    def spectrum(self, shape):
        return Fading(shape[0], 1.0, (1.0, 1.0))


class _NotSymmetric(SquaredExponential):
    def evaluate(self, x, z, values):
        return super().evaluate(x, z, values) * (1 + 0.1 * np.tanh(x - z))


class _WrongUnits(Linear):
    degree = 0


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (_WrongSlope, "derivative of the parameters"),
        (_WrongPoints, "derivative of the points"),
        (_WrongPair, "derivative of the other points"),
        (_WrongFormulaSlope, "derivative of the parameters"),
        (_WrongDiagonal, "the diagonal is not its formula's"),
        (_WrongSpectrum, "its spectrum is not its formula's"),
        (_WrongShares, "its shares do not add up"),
        (_WrongMerge, "what it merges to is not the product"),
        (_WrongGather, "what it gathers to is not the sum"),
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


def test_formulas_that_a_user_may_write():
    """By integrals: of white noise from o on, W(x); and of that, ∫W. Their covariances are integrals of what both have passed."""
    from scipy.integrate import quad

    x, z, values = np.array([0.3]), np.array([1.1]), np.array([2.0, -0.5])
    assert BASES["ROUGH"].evaluate(x, z, np.array([2.0, 0.5]))[0] == pytest.approx(2 * np.exp(-1.6))
    assert BASES["WALK"].evaluate(x, z, values)[0] == pytest.approx(2 * quad(lambda t: 1.0, -0.5, 0.3)[0])
    expected = 2 * quad(lambda t: (0.3 - t) * (1.1 - t), -0.5, 0.3)[0]
    assert BASES["SPLINE"].evaluate(x, z, values)[0] == pytest.approx(expected)
    for name in ("WALK", "SPLINE"):
        before = BASES[name].evaluate(np.array([-0.6, -0.5, 0.3]), np.array([1.1, 1.1, -0.7]), values)
        np.testing.assert_array_equal(before, 0)


def test_formulas_of_what_breaks():
    x = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])

    def at(name, *values):
        return BASES[name].exponential.features(x, np.array([3.0, *values])).a.tolist()

    assert at("STEP", 0.5) == [0, 0, 1, 1, 1]
    assert at("KINK", 0.5) == [0, 0, 0, 0.5, 1.5]
    assert at("SPELL", 0.5, 1.0) == [0, 1, 1, 1, 0]
    assert at("SPELL", 0.5, 0.9) == [0, 0, 1, 0, 0]
    for name, shape in {"STEP": (0.5,), "KINK": (0.5,), "SPELL": (0.5, 1.0)}.items():
        a = np.array(at(name, *shape))
        np.testing.assert_array_equal(BASES[name].evaluate(x[:, None], x, np.array([3.0, *shape])), 3 * np.outer(a, a))


def test_the_edges_of_a_spell_are_exact():
    """Against fractions: x − l is rounded, and whether x lies within is not."""
    from fractions import Fraction

    rng, base = np.random.default_rng(0), BASES["SPELL"]
    for _ in range(300):
        location, width = float(rng.normal()), float(10 ** rng.uniform(-17, 1))
        edges = [location + side * width / 2 for side in (-1, 1)]
        x = np.array([each for edge in edges for each in (np.nextafter(edge, -9), edge, np.nextafter(edge, 9))])
        expected = [2 * abs(Fraction(float(each)) - Fraction(location)) <= Fraction(width) for each in x]
        assert base.exponential.features(x, np.array([1.0, location, width])).a.tolist() == expected


@pytest.mark.parametrize("name", ["WALK", "SPLINE"])
def test_walks_begin_before_the_data(name):
    from kernelscribe.scales import Extent

    rng, extent, base = np.random.default_rng(0), Extent(2.0, 6.0, 0.01), BASES[name]
    before = 2 - np.array([base.scatter(rng, extent)[1] for _ in range(2000)])
    assert before.min() >= 0.01
    assert before.max() <= 2
    assert np.median(before) == pytest.approx(np.sqrt(0.01 * 2), rel=0.2)
    assert base.box(extent)[1] == (-38.0, 2.0)
    # All but constant over the data, beside its mean.
    flat = np.array(base.flatten((1.0, 1.5), extent))
    K = base.evaluate(np.linspace(2, 6, 50)[:, None], np.linspace(2, 6, 50), flat)
    assert np.linalg.eigvalsh(K)[:-1].sum() < 0.06 * np.trace(K)


def test_draws_follow_the_paper():
    """Medians and ranges of the starting draws, and a location on either side of the mean."""
    from kernelscribe.scales import Extent

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
    from kernelscribe.scales import Extent

    rng, extent = np.random.default_rng(0), Extent(2.0, 6.0, 0.01)
    location = np.array([BASES["LIN"].scatter(rng, extent)[1] for _ in range(2000)])
    assert ((location > 2) & (location < 6)).mean() == pytest.approx(0.5, abs=0.04)
    assert (location < 2).mean() == pytest.approx(0.25, abs=0.04)
    assert (location > 6).mean() == pytest.approx(0.25, abs=0.04)
    assert location.min() >= 0
    assert location.max() <= 8
