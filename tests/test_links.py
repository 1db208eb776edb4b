"""Scales of the target: there and back, their Jacobian against densities from elsewhere, and which values each is meant for."""

import math

import flint
import numpy as np
import pytest
from scipy import integrate, stats

import kernelscribe as ks
from kernelscribe import DataError, OptionError
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset, asked_link
from kernelscribe.fit.kernel import certify
from kernelscribe.fit.noise_alone import noise_bic
from kernelscribe.kernels import parse
from kernelscribe.links import LINKS, suitable
from kernelscribe.noises import Constant
from oracle import precise

POSITIVE = np.array([0.3, 1.0, 2.5, 7.0, 40.0])
COUNTS = np.array([0.0, 1.0, 3.0, 3.0, 12.0, 0.0, 40.0])
VALUES = {"none": np.array([-3.0, 0.0, 5.0]), "log": POSITIVE, "root": COUNTS}


def growing(n=30, seed=0):
    rng = np.random.default_rng(seed)
    x = np.arange(float(n))
    return Dataset.of(x, np.exp(0.1 * x + 0.3 * rng.normal(size=n)), target="sales")


def counts(n=30, seed=0):
    x = np.arange(float(n))
    return Dataset.of(x, np.random.default_rng(seed).poisson(np.exp(np.sin(x / 3))), target="calls")


MADE = {"none": growing, "log": growing, "root": counts}


@pytest.mark.parametrize("name", LINKS)
def test_there_and_back(name):
    link, y = LINKS[name], VALUES[name]
    np.testing.assert_allclose(link.inverse(link.forward(y)), y, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(link.measured(link.forward(y)), y, rtol=1e-12)
    assert (np.diff(link.forward(np.sort(np.unique(y)))) > 0).all()


@pytest.mark.parametrize("name", LINKS)
def test_the_slope_is_that_of_the_function(name):
    link, y, step = LINKS[name], VALUES[name] + 0.5, 1e-6
    slope = (link.forward(y + step) - link.forward(y - step)) / (2 * step)
    np.testing.assert_allclose(link.log_slope(y), np.log(slope), atol=1e-8)


def test_what_lies_below_all_counts_is_none():
    assert LINKS["root"].inverse(np.array([-5.0, 0.0, 0.5, math.sqrt(3 / 8)])).tolist() == pytest.approx([0, 0, 0, 0], abs=1e-15)


@pytest.mark.parametrize(("name", "scale"), [("log", 0.4), ("root", 0.02)])
def test_the_variance_is_that_of_the_values(name, scale):
    """By numerical integration over the normal distribution of g(y)."""
    link, mean = LINKS[name], 1.3
    density = stats.norm(mean, scale)

    def moment(power):
        def weighted(z):
            return float(link.inverse(np.array(z))) ** power * density.pdf(z)

        return integrate.quad(weighted, mean - 12 * scale, mean + 12 * scale, epsabs=0, epsrel=1e-12)[0]

    found = link.variance(np.array(mean), np.array(scale))
    assert float(found) == pytest.approx(moment(2) - moment(1) ** 2, rel=1e-7)


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([1.0, 2.0, 3.0], ["none", "log"]),
        ([100.0, 105.0, 103.0], ["none"]),
        ([0.0, 1.0, 4.0], ["none", "root"]),
        ([0.0, 1.0, 0.0], ["none"]),
        ([0.0, 1.5, 4.0], ["none"]),
        ([-1.0, 1.0, 4.0], ["none"]),
        ([1.0, 5.0, 4.0], ["none", "log"]),
    ],
)
def test_a_search_may_try_what_suits_the_values(values, names):
    assert [link.name for link in suitable(np.array(values))] == names


@pytest.mark.parametrize("name", ["log", "root"])
def test_a_table_goes_to_another_scale_and_back(name):
    data = MADE[name]()
    linked = data.linked(name)
    assert linked.link == linked.scales.link == name
    assert linked.linked(name) is linked
    assert linked.y.mean() == pytest.approx(0, abs=1e-12)
    assert linked.y.std() == pytest.approx(1)
    back = linked.linked("none")
    assert np.array_equal(back.y, data.y)
    assert back.output == data.output
    assert back.digest == data.digest
    assert back.jacobian == back.jacobian_rounding == 0
    transformed = linked.output.centre + linked.output.scale * linked.y
    np.testing.assert_allclose(linked.target_link.inverse(transformed), data.values, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["log", "root"])
def test_fingerprints_tell_scales_apart(name):
    data = MADE[name]()
    linked = data.linked(name)
    assert len({data.digest, linked.digest}) == len({data.aim, linked.aim}) == 2


def test_small_values_beside_large_ones_keep_their_logarithms():
    y = np.geomspace(1e-9, 1e9, 40)
    linked = Dataset.of(np.arange(40.0), y).linked("log")
    np.testing.assert_allclose(linked.output.centre + linked.output.scale * linked.y, np.log(y), rtol=1e-12, atol=1e-12)


def test_some_rows_keep_the_scales_of_all():
    linked = growing().linked("log")
    some, others = linked.rows(np.arange(10)), linked.rows(np.arange(10, 30))
    assert (some.link, some.plain, some.output) == ("log", linked.plain, linked.output)
    assert some.jacobian + others.jacobian == pytest.approx(linked.jacobian, rel=1e-12)
    np.testing.assert_allclose(some.values, linked.values[:10])


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("log", [1.0, 2.0, 0.0, -1.0], "needs a target above zero throughout, but sales is 0 in row 3"),
        ("root", [1.0, 2.5, 3.0, 7.0], "needs counts, whole numbers from zero on, but sales is 2.5 in row 2"),
        ("root", [1.0, 2.0, 3.0, -7.0], "but sales is -7 in row 4"),
    ],
)
def test_values_that_a_scale_is_not_meant_for_are_refused(name, values, said):
    data = Dataset.of(np.arange(4.0), values, target="sales")
    with pytest.raises(OptionError, match=said):
        asked_link(data, name)
    with pytest.raises(OptionError, match="in row"):
        ks.fit_kernel("SE", np.arange(4.0), values, transform=name)
    assert asked_link(data, "auto") is asked_link(data, "none") is data


def test_the_jacobian_gives_the_density_of_a_lognormal():
    """Independent noise on the logarithm, as scipy has it for the target itself, then scaled to variance 1."""
    data = growing()
    linked = data.linked("log")
    y, z = data.values, linked.y
    own = stats.norm.logpdf(z, 0, 0.8).sum()
    output = linked.output
    whole = stats.lognorm.logpdf(y, s=0.8 * output.scale, scale=math.exp(output.centre)).sum()
    assert own + linked.jacobian == pytest.approx(whole + len(y) * math.log(data.output.scale), rel=1e-12)


def test_the_jacobian_of_the_root_is_that_of_a_change_of_variables():
    """The density of y + 3/8, the square of a normal number, by the noncentral chi-squared law less its other branch."""
    data = counts()
    linked = data.linked("root")
    centre, scale = linked.output.centre, 0.1 * linked.output.scale
    w = data.values + 3 / 8
    square = stats.ncx2.logpdf(w / scale**2, 1, (centre / scale) ** 2) - 2 * math.log(scale)
    other = np.log1p(np.exp(-2 * np.sqrt(w) * centre / scale**2))
    own = stats.norm.logpdf(linked.y, 0, 0.1).sum()
    whole = float((square - other).sum())
    assert own + linked.jacobian == pytest.approx(whole + len(w) * math.log(data.output.scale), rel=1e-9)


@pytest.mark.parametrize("name", ["log", "root"])
@pytest.mark.parametrize("seed", range(4))
def test_the_jacobian_is_off_by_no_more_than_it_says(name, seed):
    """Against Arb with a thousand binary digits, for the transformed values as they stand."""
    linked = MADE[name](n=200, seed=seed).linked(name)
    assert abs(_jacobian(linked) - linked.jacobian) < linked.jacobian_rounding
    assert 0 < linked.jacobian_rounding < 1e-9


def _jacobian(linked):
    with flint.ctx.workprec(1000):
        centre, scale, total = flint.arb(linked.output.centre), flint.arb(linked.output.scale), flint.arb(0)
        for y in linked.y.tolist():
            z = centre + scale * flint.arb(y)
            total += -z if linked.link == "log" else -(2 * z).log()
        return float((total + len(linked.y) * (flint.arb(linked.plain.scale).log() - scale.log())).mid())


@pytest.mark.parametrize("name", ["log", "root"])
@pytest.mark.parametrize("engine", ["exact", "inducing", "series"])
def test_a_certified_interval_holds_the_evidence_of_the_target_as_it_is(name, engine):
    linked = MADE[name]().linked(name)
    expr = parse("SE(variance=0.8, lengthscale=0.7)")
    found = certify(
        linked, expr, Constant(0.1), Config(engine=engine, backend="numpy", inducing=10 if engine == "inducing" else None)
    )
    true = precise(expr, linked.X, linked.y, Constant(0.1)) + _jacobian(linked)
    assert found.interval.lower < true < found.interval.upper
    assert found.paper.lower < true < found.paper.upper


@pytest.mark.parametrize("name", ["log", "root"])
def test_a_fit_and_noise_alone_compare_with_those_on_other_scales(name):
    """What is fitted to the transformed target is the same, but for the nats that the scale is worth."""
    linked = MADE[name]().linked(name)
    alone = Dataset.of(np.arange(30.0), linked.output.centre + linked.output.scale * linked.y)
    x, y = np.arange(30.0), MADE[name]().values
    one, other = ks.fit_kernel("SE", x, y, transform=name), ks.fit_kernel("SE", x, alone.values)
    assert one.scales.link == name
    assert one.evidence.exact == pytest.approx(other.evidence.exact + linked.jacobian, abs=1e-6)
    assert one.bic.lower == pytest.approx(other.bic.lower + linked.jacobian, abs=1e-5)
    assert noise_bic(linked, Config()) == pytest.approx(noise_bic(alone, Config()) + linked.jacobian, rel=1e-12)
    assert ks.evidence("SE", x, y, transform=name).exact == pytest.approx(one.evidence.exact)


def test_a_constant_stays_as_it_is():
    data = Dataset.of(np.arange(5.0), np.full(5, 3.0))
    assert asked_link(data, "log") is data
    assert ks.analyse(data, transform="log").forecast(2)["mean"].tolist() == [3.0, 3.0]


def test_no_gap_is_let_in_by_a_scale():
    with pytest.raises(DataError):
        Dataset.of(np.arange(4.0), [1.0, np.nan, 2.0, 3.0]).linked("log")
