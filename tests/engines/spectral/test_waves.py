"""Terms as waves."""

import math

import numpy as np
import pytest

from kernelscribe.engines.lines import Cycle, lines
from kernelscribe.engines.spectral.tables import Frame
from kernelscribe.engines.spectral.waves import Wave, of_form, of_term, times
from kernelscribe.errors import KernelError
from kernelscribe.kernels import Form, pack
from kernelscribe.kernels.normal import normal
from spectra import kernel

LAGS = np.linspace(-1, 1, 201)


def wave(*cycles):
    return Wave(1.0, (), math.inf, tuple(Cycle(*each) for each in cycles))


def cosines(found, lags=LAGS):
    return np.cos(2 * np.pi * np.multiply.outer(lags, found.nu)) @ found.weight


def cycle(lengthscale, period, lags=LAGS):
    return np.exp(-2 * np.sin(np.pi * lags / period) ** 2 / lengthscale**2)


def test_polynomials():
    found = Wave(1.0, (0.5, -2.0, 3.0), math.inf, ())
    u = np.linspace(-0.5, 0.5, 7)
    np.testing.assert_allclose(np.polynomial.polynomial.polyval(u, found.polynomial), (u - 0.5) * (u + 2) * (u - 3))
    np.testing.assert_allclose(np.polynomial.polynomial.polyval(u, found.without(1)), -(u - 0.5) * (u - 3))
    np.testing.assert_allclose(times(np.array([1.0, 2.0]), np.array([3.0, 4.0])), [3, 10, 8])
    np.testing.assert_array_equal(Wave(1.0, (), 1.0, ()).polynomial, [1.0])


def test_terms_are_put_on_the_unit_range():
    expr = kernel("SE(2, 0.6)*SE(3, 0.8)*PER(0.5, 0.7, 0.4)*LIN(1.5, 2)")
    (found,) = of_form(Form.of(expr), pack(expr), Frame.over(1.0, 5.0))
    assert found.variance == pytest.approx(2 * 3 * 0.5 * 1.5 * 4**2)
    assert found.lengthscale == pytest.approx((0.6**-2 + 0.8**-2) ** -0.5 / 4)
    assert found.roots == pytest.approx((-0.25,))
    assert found.cycles[0].lengthscale == pytest.approx(0.7)
    assert found.cycles[0].period == pytest.approx(0.1)


def test_terms_of_the_normal_form_add_up_to_the_kernel():
    """Cycles without their constants, which are terms of their own."""
    expr = kernel("SE(2, 0.6)*PER(0.5, 0.7, 0.4) + PER(1, 1.2, 0.9)*PER(1, 0.8, 0.35)")
    frame, lags = Frame.over(0.0, 2.0), 2 * LAGS
    total = np.zeros(len(lags))
    for term in normal(expr):
        found = of_term(term, frame)
        own = cosines(lines(found.cycles, 1e-18))
        total += found.variance * own * (np.exp(-(LAGS**2) / (2 * found.lengthscale**2)) if found.lengthscale < math.inf else 1)
    one = 2 * 0.5 * np.exp(-(lags**2) / (2 * 0.6**2)) * cycle(0.7, 0.4, lags)
    np.testing.assert_allclose(total, one + cycle(1.2, 0.9, lags) * cycle(0.8, 0.35, lags), atol=1e-10)


def test_more_lins_than_the_moments_reach_are_refused():
    expr = kernel("*".join(["LIN(1, 0.5)"] * 9))
    with pytest.raises(KernelError, match="up to 8 lines, not 9"):
        of_form(Form.of(expr), pack(expr), Frame.over(0.0, 1.0))
