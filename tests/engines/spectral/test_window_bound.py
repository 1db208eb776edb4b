"""Windows in time against dense Gaussian processes, against waves, and against differences of themselves."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe.engines.lines import Cycle
from kernelscribe.engines.spectral.bound import solve
from kernelscribe.engines.spectral.cost import cost, work
from kernelscribe.engines.spectral.features import blocks, kept
from kernelscribe.engines.spectral.tables import Frame, Tables
from kernelscribe.engines.spectral.waves import Wave
from kernelscribe.engines.spectral.window_bound import local_solve
from kernelscribe.engines.spectral.window_certificate import local_certified
from kernelscribe.errors import Status

NEVER = math.inf
# Terms, and which of them have windows: all that a kernel may hold, alone and beside others.
KERNELS = {
    "short": ([Wave(1.0, (), 0.002, ())], (0,)),
    "cycle": ([Wave(1.0, (), 0.02, (Cycle(1.5, 0.013),))], (0,)),
    "two cycles": ([Wave(1.0, (), 0.1, (Cycle(6.0, 0.03), Cycle(8.0, 0.11)))], (0,)),
    "line": ([Wave(3.0, (0.1,), 0.03, (Cycle(1.5, 0.04),))], (0,)),
    "two lines": ([Wave(9.0, (0.1, -0.6), 0.02, ())], (0,)),
    "arrow": (
        [
            Wave(1.0, (), 0.03, (Cycle(2.0, 0.03),)),
            Wave(0.5, (), 0.3, ()),
            Wave(1.0, (0.2,), NEVER, ()),
            Wave(0.7, (), NEVER, (Cycle(1.5, 0.07),)),
        ],
        (0,),
    ),
    "two lengths": ([Wave(1.0, (), 0.03, (Cycle(2.0, 0.03),)), Wave(0.5, (), 0.009, ())], (0, 1)),
    "all": (
        [
            Wave(0.5, (0.2,), 0.4, ()),
            Wave(1.0, (), 0.04, (Cycle(3.0, 0.03),)),
            Wave(0.7, (-0.3,), NEVER, (Cycle(2.0, 0.07),)),
            Wave(2.0, (-0.1,), 0.022, ()),
            Wave(0.9, (0.3, 0.8), 0.05, (Cycle(3.5, 0.05),)),
        ],
        (1, 3, 4),
    ),
}


def places(kind, n, rng):
    if kind == "regular":
        return np.linspace(-0.5, 0.5, n)
    u = np.sort(rng.uniform(-0.5, 0.5, n))
    if kind == "gaps":
        u = np.where(u < 0, -0.5 + 0.5 * (u + 0.5), 0.2 + 0.6 * u)
    u[0], u[-1] = -0.5, 0.5
    return u


def polynomial(wave, u, without=None):
    return np.prod([u - root for a, root in enumerate(wave.roots) if a != without], axis=0) * np.ones(len(u))


def stationary(wave, d):
    S = wave.variance * np.ones_like(d)
    if math.isfinite(wave.lengthscale):
        S *= np.exp(-(d**2) / (2 * wave.lengthscale**2))
    for cycle in wave.cycles:
        S *= np.exp(-2 * np.sin(np.pi * d / cycle.period) ** 2 / cycle.lengthscale**2)
    return S


def covariance(wave, u, at):
    return stationary(wave, u[:, None] - at) * np.outer(polynomial(wave, u), polynomial(wave, at))


def slopes(wave, u):
    """Derivatives of the covariance in the order of `listed`."""
    d, P = u[:, None] - u, polynomial(wave, u)
    S = stationary(wave, d)
    K = S * np.outer(P, P)
    yield K
    if math.isfinite(wave.lengthscale):
        yield K * d**2 / wave.lengthscale**2
    for cycle in wave.cycles:
        yield K * 4 * np.sin(np.pi * d / cycle.period) ** 2 / cycle.lengthscale**2
    for cycle in wave.cycles:
        yield K * 2 * np.sin(2 * np.pi * d / cycle.period) * np.pi * d / (cycle.period * cycle.lengthscale**2)
    for a in range(len(wave.roots)):
        change = np.outer(polynomial(wave, u, a), P)
        yield -S * (change + change.T)


def listed(waves, pulls, noise):
    found = []
    for wave, own in zip(waves, pulls, strict=True):
        found += [own.variance, *([own.lengthscale] if math.isfinite(wave.lengthscale) else [])]
        found += [*own.shape, *own.period, *own.roots]
    return np.array([*found, noise])


def dense(waves, u, y, s2):
    """The log marginal likelihood and its gradient."""
    A = sum(covariance(wave, u, u) for wave in waves) + s2 * np.eye(len(u))
    inverse = np.linalg.inv(A)
    alpha = inverse @ y
    value = -0.5 * (y @ alpha + np.linalg.slogdet(A)[1] + len(u) * math.log(2 * math.pi))
    bar = 0.5 * (np.outer(alpha, alpha) - inverse)
    gradient = [np.sum(bar * change) for wave in waves for change in slopes(wave, u)]
    return value, np.array([*gradient, s2 * np.trace(bar)])


def drawn(waves, u, s2, seed):
    rng = np.random.default_rng(seed)
    K = sum(covariance(wave, u, u) for wave in waves) + s2 * np.eye(len(u))
    return np.linalg.cholesky(K) @ rng.normal(size=len(u))


def sums(u, y):
    return Tables(Frame(0.0, 1.0), u, y, 2**17)


@pytest.mark.parametrize("kind, s2", [("regular", 1e-2), ("irregular", 0.5), ("gaps", 1e-2), ("gaps", 0.5)])
@pytest.mark.parametrize("name", KERNELS)
def test_value_and_gradient_are_those_of_the_dense_process(name, kind, s2):
    waves, chosen = KERNELS[name]
    u = places(kind, 600, np.random.default_rng(1))
    y = drawn(waves, u, s2, 2)
    tables = sums(u, y)
    value, gradient = dense(waves, u, y, s2)
    found = local_solve(waves, tables, s2, 1e-7, 3000, places=chosen, limit=1e12)
    assert [a.place for a in found.live] == list(chosen)
    assert found.rows == 600
    assert found.value == pytest.approx(value, rel=0, abs=1e-6)
    assert found.lower == pytest.approx(value, rel=0, abs=1e-6)
    own = listed(waves, *found.pull(tables))
    np.testing.assert_allclose(own, gradient, rtol=1e-5, atol=1e-7 * np.abs(gradient).max())


@pytest.mark.parametrize("tolerance, most", [(30.0, 3000), (1e-2, 5)])
def test_gradient_is_that_of_the_bound_where_much_is_left_out(tolerance, most):
    waves, chosen = KERNELS["all"]
    u = places("gaps", 400, np.random.default_rng(3))
    y, s2 = drawn(waves, u, 0.05, 4), 0.05
    tables = sums(u, y)

    def solved(values, noise):
        return local_solve(values, tables, noise, tolerance, most, places=chosen)

    found = solved(waves, s2)
    assert found.trace / s2 > (10.0 if tolerance > 1 else 100.0)
    exact = dense(waves, u, y, s2)[0]
    assert found.lower < exact - 1
    pulls, noise = found.pull(tables)
    step = 1e-6

    def difference(i, change):
        ends = [solved([change(wave, e) if j == i else wave for j, wave in enumerate(waves)], s2).lower for e in (step, -step)]
        return (ends[0] - ends[1]) / (2 * step)

    def cycled(wave, b, **values):
        return replace(wave, cycles=tuple(replace(c, **values) if j == b else c for j, c in enumerate(wave.cycles)))

    scale = 1 + abs(noise)
    for i, wave in enumerate(waves):
        got = pulls[i]
        assert got.variance == pytest.approx(
            difference(i, lambda w, e: replace(w, variance=w.variance * math.exp(e))), rel=1e-5, abs=1e-5 * scale
        )
        if math.isfinite(wave.lengthscale):
            assert got.lengthscale == pytest.approx(
                difference(i, lambda w, e: replace(w, lengthscale=w.lengthscale * math.exp(e))), rel=1e-5, abs=1e-5 * scale
            )
        for b, cycle in enumerate(wave.cycles):
            shape = difference(i, lambda w, e, b=b, c=cycle: cycled(w, b, lengthscale=c.lengthscale * math.exp(e)))
            period = difference(i, lambda w, e, b=b, c=cycle: cycled(w, b, period=c.period * math.exp(e)))
            assert got.shape[b] == pytest.approx(shape, rel=1e-5, abs=1e-5 * scale)
            assert got.period[b] == pytest.approx(period, rel=1e-5, abs=1e-5 * scale)
        for a in range(len(wave.roots)):
            moved = difference(i, lambda w, e, a=a: replace(w, roots=tuple(r + e * (j == a) for j, r in enumerate(w.roots))))
            assert got.roots[a] == pytest.approx(moved, rel=1e-5, abs=1e-5 * scale)
    ends = [solved(waves, s2 * math.exp(e)).lower for e in (step, -step)]
    assert noise == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5)


@pytest.mark.parametrize("s2", [1e-3, 0.2])
@pytest.mark.parametrize("name", KERNELS)
def test_interval_holds_the_exact_value(name, s2):
    """Of data that the kernel made, narrowly; of others too."""
    waves, chosen = KERNELS[name]
    u = places("irregular", 300, np.random.default_rng(5))
    rng = np.random.default_rng(6)
    for y, width in ((drawn(waves, u, s2, 7), 0.1), (np.sin(40 * u) + 0.3 * rng.normal(size=300), 5.0)):
        evidence = local_certified(waves, sums(u, y), s2, places=chosen, limit=1e12)
        assert evidence.status is Status.OK
        assert evidence.interval.width < width
        assert evidence.interval.lower <= dense(waves, u, y, s2)[0] <= evidence.interval.upper


def test_where_the_narrow_interval_is_too_much_work_there_is_a_wider_one():
    waves, chosen = KERNELS["all"]
    u = places("irregular", 300, np.random.default_rng(5))
    tables, s2 = sums(u, drawn(waves, u, 0.05, 7)), 0.05
    exact = dense(waves, u, tables.y, s2)[0]
    narrow = local_certified(waves, tables, s2, places=chosen, limit=1e13).interval
    # Less work than for a certificate of a hundredth of a nat, and more than for one of a hundred times that.
    most = work(waves, chosen, tables, s2, 2e-2 / 300, 0.4)
    least = work(waves, chosen, tables, s2, 2.0 / 300, 0.4)
    assert least < most
    wide = local_certified(waves, tables, s2, places=chosen, limit=0.5 * (least + most)).interval
    assert wide.lower <= exact <= wide.upper
    assert wide.width > 2 * narrow.width
    assert wide.width < 20
    assert local_certified(waves, tables, s2, places=chosen, limit=1.0) is None


def test_waves_and_windows_agree():
    rng = np.random.default_rng(8)
    u = places("gaps", 20_000, rng)
    y = np.sin(30 * u) * np.cos(300 * u) + u + 0.3 * rng.normal(size=len(u))
    waves = [Wave(1.0, (), 0.02, (Cycle(2.0, 0.02),)), Wave(0.5, (0.1,), 0.3, ()), Wave(1.0, (0.2,), NEVER, ())]
    tables, s2 = Tables.of(u, y), 0.1
    found = local_solve(waves, tables, s2, 1e-6, 3000, places=(0,))
    other = solve(kept(blocks(waves, tables, 1e-16), s2, 1e-6, 3000), tables, s2)
    assert found.lower == pytest.approx(other.lower, rel=0, abs=1e-4)
    assert found.alpha == pytest.approx(other.alpha, rel=1e-8)
    ours, theirs = (listed(waves, *pulls) for pulls in (found.pull(tables), other.pull(tables)))
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6 * np.abs(theirs).max())


@pytest.mark.parametrize("name", ["line", "all"])
def test_means_are_those_of_the_dense_posterior(name):
    waves, chosen = KERNELS[name]
    u = places("gaps", 500, np.random.default_rng(9))
    y, s2 = drawn(waves, u, 0.05, 10), 0.05
    found = local_solve(waves, sums(u, y), s2, 1e-8, 3000, places=chosen)
    at = np.linspace(-0.5, 0.5, 301)
    alpha = np.linalg.solve(sum(covariance(wave, u, u) for wave in waves) + s2 * np.eye(500), y)
    for wave, mean in zip(waves, found.means(at), strict=True):
        np.testing.assert_allclose(mean, covariance(wave, at, u) @ alpha, rtol=0, atol=1e-6)


def test_the_cheaper_way_is_known():
    u = np.linspace(-0.5, 0.5, 5000)
    tables = Tables.of(u, np.sin(50 * u))
    trend = Wave(0.5, (), 0.3, ())
    short, longer = Wave(1.0, (), 0.002, (Cycle(3.0, 0.001),)), Wave(1.0, (), 0.1, ())
    assert cost([trend, short], tables, 0.1, 0.1).places == (1,)
    assert cost([trend, short], tables, 0.1, 0.1).pays
    assert cost([short, trend, longer], tables, 0.1, 0.1).places == (0,)
    assert not cost([trend, longer], tables, 0.1, 0.1).pays
    assert math.isinf(cost([trend], tables, 0.1, 0.1).windows)
    assert cost([short], tables, 0.1, 1e-6).windows > cost([short], tables, 0.1, 0.1).windows


def test_no_windows_where_there_are_none_to_be_had():
    u = np.linspace(-0.5, 0.5, 500)
    tables = Tables.of(u, np.sin(50 * u))
    short = Wave(1.0, (), 0.01, (Cycle(1.0, 0.01),))
    assert local_solve([Wave(1.0, (0.1,), NEVER, ())], tables, 0.1, 0.1, 1000) is None
    assert local_certified([Wave(1.0, (0.1,), NEVER, ())], tables, 0.1) is None
    assert local_solve([short], tables, 0.1, 0.1, 1000, limit=1e6) is None
    assert local_solve([short], tables, 0.1, 0.1, 1000).cost > 1e6


def test_a_term_too_light_to_matter_is_left_to_the_trace():
    u = places("irregular", 300, np.random.default_rng(11))
    waves = [Wave(1.0, (), 0.02, ()), Wave(1e-9, (0.3,), 0.01, (Cycle(1.0, 0.03),))]
    y = drawn(waves, u, 0.1, 12)
    tables = sums(u, y)
    found = local_solve(waves, tables, 0.1, 1e-3, 1000, places=(0, 1))
    assert [a.place for a in found.live] == [0]
    value, gradient = dense(waves, u, y, 0.1)
    assert found.lower == pytest.approx(value, abs=1e-4)
    assert found.lower < value
    np.testing.assert_allclose(listed(waves, *found.pull(tables)), gradient, rtol=1e-5, atol=1e-3)
    np.testing.assert_array_equal(found.means(u)[1], 0)


def test_nothing_depends_on_what_was_asked_before():
    waves, chosen = KERNELS["arrow"]
    u = places("irregular", 300, np.random.default_rng(13))
    y = drawn(waves, u, 0.1, 14)
    used = sums(u, y)
    local_solve(KERNELS["all"][0], used, 0.1, 1e-3, 1000).pull(used)
    again, fresh = ((t, local_solve(waves, t, 0.1, 1e-3, 1000, places=chosen)) for t in (used, sums(u, y)))
    assert again[1].lower == fresh[1].lower
    np.testing.assert_array_equal(*(listed(waves, *found.pull(tables)) for tables, found in (again, fresh)))
