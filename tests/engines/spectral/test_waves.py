"""Lines against the cycles that they sum to."""

import math

import numpy as np
import pytest

from kernelscribe.engines.lines import Cycle, heavier, lines
from kernelscribe.engines.spectral import waves as module
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


@pytest.mark.parametrize("lengthscale", [0.03, 0.1, 0.5, 1.0, 3.0, 100.0])
@pytest.mark.parametrize("floor", [1e-18, 1e-10, 1e-3])
def test_one_cycle(lengthscale, floor):
    found = lines(wave((lengthscale, 0.37)).cycles, floor)
    assert found.weight.min() > floor
    assert found.weight.sum() + found.rest == pytest.approx(1.0, abs=1e-13)
    np.testing.assert_allclose(cosines(found), cycle(lengthscale, 0.37), atol=found.rest + 1e-12)
    np.testing.assert_allclose(found.nu, found.number[:, 0] / 0.37)


@pytest.mark.parametrize("periods", [(0.37, 0.11), (0.5, 0.25), (0.3, 0.3), (0.4, 0.2, 0.1)])
def test_cycles_that_multiply(periods):
    """Also where the period of one is a multiple of another's, so that lines fall together."""
    scales = (0.6, 1.1, 2.0)[: len(periods)]
    found = lines(wave(*zip(scales, periods, strict=True)).cycles, 1e-15)
    assert found.weight.sum() + found.rest == pytest.approx(1.0, abs=1e-12)
    product = np.prod([cycle(scale, period) for scale, period in zip(scales, periods, strict=True)], axis=0)
    np.testing.assert_allclose(cosines(found), product, atol=1e-11)


def test_slopes_are_derivatives_in_the_logarithm_of_the_lengthscale():
    periods, scales, step = (0.37, 0.11), np.array([0.6, 1.1]), 1e-5
    found = lines(wave(*zip(scales, periods, strict=True)).cycles, 0.0)
    for b in range(2):
        move = np.exp(step * np.eye(2)[b])
        up, down = (lines(wave(*zip(s, periods, strict=True)).cycles, 0.0) for s in (scales * move, scales / move))
        np.testing.assert_array_equal(up.number, down.number)
        np.testing.assert_allclose(found.slope[:, b], (up.weight - down.weight) / (2 * step), atol=1e-9)


@pytest.mark.parametrize("lengthscale", [0.1, 1.0, 30.0])
def test_a_centred_cycle_has_no_constant_and_variance_one(lengthscale):
    found = lines(wave((lengthscale, 0.37, True)).cycles, 1e-18)
    assert 0 not in found.number
    assert found.weight.sum() == pytest.approx(1.0)
    plain = cycle(lengthscale, 0.37)
    constant = float(
        lines(wave((lengthscale, 0.37)).cycles, 1e-18).weight[lines(wave((lengthscale, 0.37)).cycles, 1e-18).nu == 0][0]
    )
    np.testing.assert_allclose(cosines(found), (plain - constant) / (1 - constant), atol=1e-9)


def test_without_cycles_there_is_one_line():
    found = lines(wave().cycles, 1e-10)
    assert (found.nu.tolist(), found.weight.tolist(), found.rest) == ([0.0], [1.0], 0.0)


def test_too_many_lines_are_cut_at_the_light_end(monkeypatch):
    """What is cut is counted, and a line goes with its negative."""
    monkeypatch.setattr(module, "_MOST_LINES", 50)
    monkeypatch.setattr(module, "_MOST_PAIRS", 400)
    found = lines(wave((0.3, 0.37), (0.4, 0.11), (0.5, 0.045)).cycles, 1e-18)
    assert len(found.nu) <= 50
    assert found.weight.sum() + found.rest == pytest.approx(1.0, abs=1e-12)
    assert sorted(map(tuple, found.number.tolist())) == sorted(map(tuple, (-found.number).tolist()))
    monkeypatch.undo()
    whole = lines(wave((0.3, 0.37), (0.4, 0.11)).cycles, 1e-18)
    few = heavier(whole, 31)
    assert len(few.nu) <= 31
    assert few.weight.min() >= np.sort(whole.weight)[-32]
    assert few.weight.sum() + few.rest == pytest.approx(1.0, abs=1e-12)


def test_three_sharp_cycles_fit_into_memory():
    found = lines(wave((0.03, 0.37), (0.03, 0.11), (0.03, 0.045)).cycles, 1e-18)
    assert len(found.nu) <= 60_000
    assert found.weight.sum() + found.rest == pytest.approx(1.0, abs=1e-9)


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
        own = cosines(lines(found, 1e-18))
        total += found.variance * own * (np.exp(-(LAGS**2) / (2 * found.lengthscale**2)) if found.lengthscale < math.inf else 1)
    one = 2 * 0.5 * np.exp(-(lags**2) / (2 * 0.6**2)) * cycle(0.7, 0.4, lags)
    np.testing.assert_allclose(total, one + cycle(1.2, 0.9, lags) * cycle(0.8, 0.35, lags), atol=1e-10)


def test_more_lins_than_the_moments_reach_are_refused():
    expr = kernel("*".join(["LIN(1, 0.5)"] * 9))
    with pytest.raises(KernelError, match="up to 8 lines, not 9"):
        of_form(Form.of(expr), pack(expr), Frame.over(0.0, 1.0))
