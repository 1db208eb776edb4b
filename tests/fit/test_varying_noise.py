"""Noise that varies is fitted: found where it is, paid for where it is not, and inherited as it is."""

import math

import numpy as np
import pytest

import kernelscribe as ks
from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.engines.choose import prepare
from kernelscribe.errors import KernelError, OptionError
from kernelscribe.fit.kernel import certify, fit
from kernelscribe.fit.ladder import Ladder
from kernelscribe.fit.noise_alone import noise_bic
from kernelscribe.fit.objective import LogPosterior, box, reach
from kernelscribe.fit.starts import generator, shaken
from kernelscribe.kernels import Form, pack
from kernelscribe.kernels.laws import charge, count
from kernelscribe.noises import NOISES, Changing, Constant, Growing
from kernelscribe.testing import check_gradient

VARYING = ("growing", "changing")


def series(kind, n=240, seed=0):
    """A wave with noise of ± 0.3 at the start that ends at ± 1.2, changes to ± 0.7 in 2013, or stays."""
    rng, x = np.random.default_rng(seed), np.linspace(2000, 2020, n)
    sd = {
        "growing": 0.3 * np.exp(math.log(4) * (x - 2000) / 20),
        "changing": np.where(x < 2013, 0.3, 0.7),
        "constant": np.full(n, 0.4),
    }[kind]
    return x, 3 * np.sin(x / 2) + sd * rng.normal(size=n)


@pytest.mark.parametrize("options", [{}, {"inducing": 40}, {"inducing": 40, "placement": "learned"}], ids=str)
class TestFits:
    def test_growth_is_found(self, options):
        x, y = series("growing")
        found, plain = (ks.fit_kernel("SE", x, y, noise=kind, restarts=3, **options) for kind in ("growing", "constant"))
        noise = found.user_noise
        assert isinstance(noise, Growing)
        assert noise.rate == pytest.approx(2 * math.log(4) / 20, rel=0.3)
        assert np.sqrt(noise.diagonal(np.array([[2000.0], [2020.0]]))) == pytest.approx([0.3, 1.2], rel=0.3)
        assert found.bic.lower > plain.bic.upper + 20

    def test_a_change_is_found(self, options):
        x, y = series("changing")
        found, plain = (ks.fit_kernel("SE", x, y, noise=kind, restarts=3, **options) for kind in ("changing", "constant"))
        noise = found.user_noise
        assert isinstance(noise, Changing)
        assert noise.location == pytest.approx(2013, abs=1)
        assert np.sqrt([noise.before, noise.after]) == pytest.approx([0.3, 0.7], rel=0.2)
        assert found.bic.lower > plain.bic.upper + 10


@pytest.mark.parametrize("kind", VARYING)
def test_what_does_not_vary_pays_for_the_parameters(kind):
    x, y = series("constant")
    found, plain = (ks.fit_kernel("SE", x, y, noise=each, restarts=3) for each in (kind, "constant"))
    assert found.evidence.exact > plain.evidence.exact - 0.5
    assert found.bic.upper < plain.bic.lower
    more = NOISES[kind].size() - 1
    paid = found.evidence.exact - found.bic.middle - (plain.evidence.exact - plain.bic.middle)
    assert paid == pytest.approx(0.5 * more * math.log(240), abs=1e-6)


def test_the_charge_counts_the_numbers_of_the_noise():
    expr = ks.parse("SE*PER + LIN")
    assert count(expr, noise=4) == count(expr) + 3
    assert count(expr, "paper", 2) == count(expr, "paper") + 1
    assert charge(expr, "identified", 100, 4) - charge(expr, "identified", 100) == pytest.approx(1.5 * math.log(100))


@pytest.mark.parametrize("kind", VARYING)
class TestCoordinates:
    def of(self, kind):
        data, expr = Dataset.of(*series(kind, 60)), ks.parse("SE(variance=1, lengthscale=0.5)")
        return data, expr, prepare(data, Config(noise=kind))

    def test_starts_have_all_of_them(self, kind):
        data, _, engine = self.of(kind)
        points = Ladder.of(data, Config(noise=kind), engine)._starts(ks.parse("SE"), None, None)
        assert {len(u) for u in points} == {2 + NOISES[kind].size()}
        assert len({tuple(u[3:]) for u in points}) > 2
        low, high = box(Form.of(ks.parse("SE")), data, engine).T
        assert all((low[2:] <= u[2:]).all() and (u[2:] <= high[2:]).all() for u in points)

    def test_shaken_ones_stay_within_reach(self, kind):
        data, expr, engine = self.of(kind)
        noise = NOISES[kind].seen(data.X[:, 0], data.y, data.extents[0]).at_level(0.1)
        copies = np.array([shaken(expr, noise, data.extents, generator(seed, expr))[2:] for seed in range(40)])
        moved = (copies - noise.pack()) / np.array(NOISES[kind].reach(data.extents[0]))
        assert (np.abs(moved).max(axis=0) > 0.5).all()
        assert (np.abs(moved) < 3).all()
        far = reach(engine, Form.of(expr), data, np.append(pack(expr), noise.pack()))
        assert far[2:].tolist() == list(NOISES[kind].reach(data.extents[0]))

    @pytest.mark.parametrize("priors", ["practical", "weak"])
    def test_evidence_and_prior_have_one_gradient(self, kind, priors):
        data, expr, engine = self.of(kind)
        noise = NOISES[kind].draw(np.random.default_rng(0), data.extents[0]).at_level(0.1)
        posterior = LogPosterior.of(engine, Form.of(expr), data, priors)
        u = np.append(pack(expr), noise.pack())
        check_gradient(lambda v: posterior(v)[0], u, posterior(u)[1])


class TestNoiseAlone:
    def test_noise_that_varies_is_no_structure(self):
        rng, x = np.random.default_rng(1), np.linspace(0, 1, 300)
        data = Dataset.of(x, np.exp(x) * rng.normal(size=300))
        assert noise_bic(data, Config(noise="growing")) > noise_bic(data, Config()) + 5

    @pytest.mark.parametrize("kind", VARYING)
    def test_it_is_no_lower_than_constant_noise(self, kind):
        data = Dataset.of(np.linspace(0, 1, 100), np.random.default_rng(0).normal(size=100))
        assert noise_bic(data, Config(noise=kind)) >= noise_bic(data, Config())

    def test_of_constant_noise_it_is_the_textbook(self):
        data = Dataset.of(np.linspace(0, 1, 50), np.random.default_rng(0).normal(size=50))
        assert noise_bic(data, Config()) == -25 * (1 + math.log(2 * math.pi)) - 0.5 * math.log(50)


@pytest.mark.parametrize("kind", VARYING)
def test_fitted_noise_can_be_given_again(kind):
    x, y = series(kind, 120)
    found = ks.fit_kernel("SE", x, y, noise=kind, restarts=2)
    again = ks.evidence(found.user, x, y, noise=found.user_noise)
    assert again.exact == pytest.approx(found.evidence.exact, abs=1e-6)
    more = ks.fit_kernel(found.user, x, y, noise=found.user_noise, restarts=1)
    assert type(more.noise) is type(found.noise)
    assert more.evidence.exact >= found.evidence.exact - 0.01


def test_noise_that_is_given_says_of_which_kind_it_is():
    data, expr = Dataset.of(*series("growing", 60)), ks.parse("SE(variance=1, lengthscale=0.5)")
    assert isinstance(fit(data, expr, Config(restarts=1), noise=Growing(0.1, 0.2)).noise, Growing)
    assert isinstance(fit(data, expr, Config(restarts=1, noise="growing"), noise=Constant(0.1)).noise, Constant)
    one, other = (certify(data, expr, noise, Config()).exact for noise in (Growing(0.1, 0.0), Constant(0.1)))
    assert one == pytest.approx(other)


def test_a_kind_that_there_is_not_is_refused():
    x, y = series("constant", 30)
    with pytest.raises(OptionError, match="noise must be one of auto, constant, growing, changing, got 'rising'"):
        ks.fit_kernel("SE", x, y, noise="rising")
    wrongs = ((Growing(0.1, math.nan), "rate must be finite"), (Changing(0.1, 0.2, 0.0, 0.0), "width must be positive"))
    for wrong, says in wrongs:
        with pytest.raises(KernelError, match=says):
            ks.evidence("SE(variance=1, lengthscale=1)", x, y, noise=wrong)
    with pytest.raises(KernelError, match="needs the noise variance too"):
        ks.evidence("SE(variance=1, lengthscale=1)", x, y, noise="growing")
