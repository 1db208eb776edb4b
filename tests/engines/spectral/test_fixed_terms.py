"""New terms beside others that are held, against the dense process and against differences."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe.engines.lines import Cycle
from kernelscribe.engines.spectral.fixed_terms import Fixed
from kernelscribe.engines.spectral.tables import Frame, Tables
from kernelscribe.engines.spectral.waves import Wave
from kernelscribe.engines.spectral.window_bound import local_solve

NEVER = math.inf
STAY = [Wave(1.0, (), 0.004, ()), Wave(0.7, (), 0.2, (Cycle(1.5, 0.03),))]
NEW = {
    "blurred lines": [Wave(0.4, (), 0.1, (Cycle(1.2, 0.07),))],
    "lines": [Wave(0.4, (), NEVER, (Cycle(1.2, 0.07), Cycle(1.5, 0.4)))],
    "trend": [Wave(0.5, (), 0.3, ())],
    "growing": [Wave(0.5, (-0.6,), 0.2, (Cycle(1.5, 0.03),)), Wave(0.3, (0.1,), NEVER, ())],
}
S2 = 0.05


def dense(waves, u, y):
    d = u[:, None] - u
    A = S2 * np.eye(len(u))
    for wave in waves:
        P = np.prod([u - root for root in wave.roots], axis=0) * np.ones(len(u))
        K = wave.variance * np.outer(P, P)
        if math.isfinite(wave.lengthscale):
            K = K * np.exp(-(d**2) / (2 * wave.lengthscale**2))
        for cycle in wave.cycles:
            K = K * np.exp(-2 * np.sin(np.pi * d / cycle.period) ** 2 / cycle.lengthscale**2)
        A += K
    return -0.5 * (y @ np.linalg.solve(A, y) + np.linalg.slogdet(A)[1] + len(u) * math.log(2 * math.pi))


@pytest.fixture(scope="module")
def series():
    rng = np.random.default_rng(3)
    u = np.sort(rng.uniform(-0.5, 0.5, 900))
    u = np.where(u < 0, -0.5 + 0.5 * (u + 0.5), 0.2 + 0.6 * u)
    u[0], u[-1] = -0.5, 0.5
    y = np.sin(2 * np.pi * u / 0.03) + 0.5 * np.sin(2 * np.pi * u / 0.07) * (1 + u) + 0.3 * rng.normal(size=len(u))
    return Tables(Frame(0.0, 1.0), u, y, 2**17)


def held(waves, tables, most=2000):
    found = local_solve(STAY, tables, S2, 1e-8, 2000, places=(0,))
    assert found is not None
    return Fixed.of(found, waves, tables, 1e-8, most, 1e-14)


@pytest.mark.parametrize("name", NEW)
def test_the_value_is_that_of_the_dense_process(series, name):
    value, _ = held(NEW[name], series).value(NEW[name])
    assert value == pytest.approx(dense(STAY + NEW[name], series.u, series.y), abs=1e-5)


@pytest.mark.parametrize("name", NEW)
def test_elsewhere_it_is_still_a_bound(series, name):
    """With the frequencies of other values, and few of them."""
    moved = [replace(wave, variance=1.5 * wave.variance, lengthscale=0.7 * wave.lengthscale) for wave in NEW[name]]
    value, _ = held(NEW[name], series, most=40).value(moved)
    assert -1e4 < value <= dense(STAY + moved, series.u, series.y) + 1e-6


@pytest.mark.parametrize("name", NEW)
def test_gradients_are_those_of_differences(series, name):
    there, waves = held(NEW[name], series, most=60), NEW[name]
    _, pulls = there.value(waves)

    def rise(change):
        up, down = (there.value([change(waves[0], sign * 1e-5), *waves[1:]])[0] for sign in (1, -1))
        return (up - down) / 2e-5

    assert pulls[0].variance == pytest.approx(
        rise(lambda w, h: replace(w, variance=w.variance * math.exp(h))), rel=1e-4, abs=1e-4
    )
    if math.isfinite(waves[0].lengthscale):
        slope = rise(lambda w, h: replace(w, lengthscale=w.lengthscale * math.exp(h)))
        assert pulls[0].lengthscale == pytest.approx(slope, rel=1e-4, abs=1e-4)
    for b, cycle in enumerate(waves[0].cycles):

        def bent(w, h, b=b, cycle=cycle):
            cycles = list(w.cycles)
            cycles[b] = replace(cycle, lengthscale=cycle.lengthscale * math.exp(h))
            return replace(w, cycles=tuple(cycles))

        assert pulls[0].shape[b] == pytest.approx(rise(bent), rel=1e-4, abs=1e-4)


def test_no_value_where_the_grid_is_too_coarse(series):
    there = held(NEW["trend"], series)
    assert math.isfinite(there.value([replace(NEW["trend"][0], lengthscale=0.5)])[0])
    assert there.value([replace(NEW["trend"][0], lengthscale=0.9)])[0] == -math.inf
