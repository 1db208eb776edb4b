"""Densities against SciPy's, and the numbers that the paper's priors must give."""

import numpy as np
import pytest
from scipy import stats

from kernelscribe.kernels.bases import BASES
from kernelscribe.priors import Flat, Mixture, Normal, StudentT, noise
from kernelscribe.scales import Extent


@pytest.mark.parametrize("u", [-3.0, -0.1, 0.0, 0.7, 5.0])
def test_densities(u):
    assert Normal(0.5, 0.3)(u)[0] == pytest.approx(stats.norm(0.5, np.sqrt(0.3)).logpdf(u))
    assert StudentT(4.0)(u)[0] == pytest.approx(stats.t(4).logpdf(u))
    mix = 0.5 * stats.norm(0, 1).pdf(u) + 0.5 * stats.norm(2, 0.5).pdf(u)
    assert Mixture(Normal(0, 1), Normal(2, 0.25))(u)[0] == pytest.approx(np.log(mix))
    assert Flat()(u) == (0.0, 0.0)
    for density in (Normal(0.5, 0.3), StudentT(), Mixture(Normal(0, 1), Normal(2, 0.25))):
        assert density(u)[1] == pytest.approx((density(u + 1e-6)[0] - density(u - 1e-6)[0]) / 2e-6, abs=1e-5)


def test_a_tenth_of_the_spread_costs_what_the_paper_says():
    """The strong prior on the SE length-scale: log ℓ ~ N(0, 0.01), so that ℓ = 0.1 costs 265 nats."""
    prior = BASES["SE"].prior("paper", Extent(-1.7, 1.7, 0.01))[1]
    assert prior(0.0)[0] - prior(np.log(0.1))[0] == pytest.approx(265, abs=1)


def test_mixture_does_not_underflow():
    value, slope = Mixture(Normal(0, 0.01), Normal(1, 0.01))(500.0)
    assert np.isfinite(value)
    assert np.isfinite(slope)


def test_noise_priors():
    assert noise("paper")(1.0)[0] == pytest.approx(stats.norm(0, np.sqrt(0.2)).logpdf(1.0))
    assert noise("practical")(1.0) == noise("none")(1.0) == (0.0, 0.0)
    assert noise("weak")(1.0)[0] == pytest.approx(stats.t(4).logpdf(1.0))
