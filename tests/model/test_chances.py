"""The tests behind the checks of a model, beside those of scipy.stats."""

import numpy as np
import pytest
from scipy import stats

from kernelscribe.model import chances

SAMPLES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy": lambda rng, n: rng.standard_t(3, size=n),
    "skewed": lambda rng, n: rng.exponential(size=n),
    "flat": lambda rng, n: rng.uniform(size=n),
    "tied": lambda rng, n: rng.integers(0, 5, size=n).astype(float),
    "rising": lambda rng, n: np.arange(n) + rng.normal(size=n),
}


@pytest.mark.parametrize("n", [20, 137, 3000])
@pytest.mark.parametrize("kind", SAMPLES)
def test_every_chance_is_that_of_scipy(kind, n):
    z = SAMPLES[kind](np.random.default_rng(n), n)
    found = [*chances.leaning(z), *chances.heavy(z), *chances.correlated(z)]
    ranks = stats.spearmanr(np.arange(n), z)
    expected = [stats.skew(z), stats.skewtest(z).pvalue, stats.kurtosis(z), stats.kurtosistest(z).pvalue, *ranks]
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("n", [20, 3000])
@pytest.mark.parametrize("share", [0.5, 0.98, 1.0, 1.3])
def test_the_size_of_errors_is_chi_squared(n, share):
    total = share * n
    expected = 2 * min(stats.chi2.cdf(total, n), stats.chi2.sf(total, n))
    assert chances.size(total, n) == pytest.approx(min(expected, 1.0), rel=1e-9)


def test_what_lies_beyond_is_twice_the_tail():
    assert chances.beyond(1.959964) == pytest.approx(0.05, rel=1e-6)
    assert chances.beyond(30.0) == pytest.approx(2 * stats.norm.sf(30.0), rel=1e-9)


def test_a_perfect_order_is_certain():
    assert chances.correlated(np.arange(30.0)) == (pytest.approx(1.0), pytest.approx(0.0, abs=1e-100))
