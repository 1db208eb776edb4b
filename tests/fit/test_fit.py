"""Fitting one kernel: it finds what is there, inherits what it is given, and certifies where it ends."""

import math

import numpy as np
import pytest

from kernelscribe import Config, Dataset, KernelError, OptionError, Status, evidence, fit_kernel, parse, text
from kernelscribe.engines.choose import prepare
from kernelscribe.fit.objective import LogPosterior
from kernelscribe.kernels import Form, count, leaves
from kernelscribe.priors import NAMES
from kernelscribe.testing import check_gradient


def wave(n=150, seed=0):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 30, n))
    return x, 5 + np.sin(2 * np.pi * x / 3) + 0.3 * x + 0.1 * rng.normal(size=n)


@pytest.mark.parametrize("engine", [{}, {"inducing": 40}, {"inducing": 40, "placement": "kmeans"}])
def test_finds_a_period_in_user_units(engine):
    x, y = wave()
    found = fit_kernel("PER + LIN", x, y, **engine)
    period = next(leaf.values[2] for leaf in leaves(found.user) if leaf.kind == "PER")
    assert period == pytest.approx(3, abs=0.02)
    assert found.user_noise.level == pytest.approx(0.01, rel=0.5)
    assert found.status is Status.OK
    low, high = found.evidence.interval.lower, found.evidence.interval.upper
    assert low - 1e-6 <= found.evidence.exact <= high + 1e-6
    charge = 0.5 * count(parse("PER + LIN")) * math.log(150)
    assert found.bic.lower == pytest.approx(low - charge)


def test_learned_points_raise_the_bound():
    rng = np.random.default_rng(0)
    x = np.linspace(0, 10, 120)
    y = np.sin(2 * x) + 0.1 * rng.normal(size=120)
    fixed = fit_kernel("SE", x, y, inducing=7, restarts=2)
    learned = fit_kernel("SE", x, y, inducing=7, placement="learned", restarts=2)
    assert learned.evidence.paper.lower > fixed.evidence.paper.lower + 1


def test_values_are_inherited():
    """Started at the answer, one restart is enough, and the evidence without fitting is already that of the fit."""
    x, y = wave()
    first = fit_kernel("PER + LIN", x, y)
    again = fit_kernel(first.user, x, y, noise=first.user_noise, restarts=1)
    assert again.evidence.exact == pytest.approx(first.evidence.exact, abs=0.01)
    assert again.evaluations < 30
    given = evidence(first.user, x, y, noise=first.user_noise)
    assert given.exact == pytest.approx(first.evidence.exact, abs=1e-6)
    assert evidence(text(first.user, values=True), x, y, noise=first.user_noise) == given


def test_evidence_fits_where_no_values_are_given():
    x, y = wave(60)
    found = evidence("SE", x, y, engine="inducing", inducing=10, restarts=2)
    assert found.interval.lower <= found.exact + 1e-6
    assert found.exact <= found.interval.upper + 1e-6


@pytest.mark.parametrize("priors", NAMES)
@pytest.mark.parametrize("engine", ["exact", "inducing"])
def test_gradient_of_the_posterior(priors, engine):
    x, y = wave(40)
    data = Dataset.of(x, y)
    prepared = prepare(data, Config(engine=engine, inducing=12, jitter=1e-5))
    form = Form.of(parse("SE*PER + LIN"))
    posterior = LogPosterior.of(prepared, form, data, priors)
    rng = np.random.default_rng(1)
    for _ in range(5):
        u = 0.3 * rng.normal(size=form.size + 1)
        check_gradient(lambda v: posterior(v)[0], u, posterior(u)[1])


def test_strong_priors_keep_the_length_scale():
    """The paper's prior holds an SE at the data's own scale where a weak one lets it follow the wiggles."""
    rng = np.random.default_rng(0)
    x = np.linspace(0, 1, 200)
    y = np.sin(60 * x) + 0.1 * rng.normal(size=200)
    scale = x.std()
    strong = fit_kernel("SE", x, y, priors="paper", restarts=3).user.values[1] / scale
    none = fit_kernel("SE", x, y, priors="none", restarts=3).user.values[1] / scale
    assert none < 0.15
    assert strong > 1.5 * none


def test_more_inducing_points_than_rows():
    x, y = wave(30)
    found = fit_kernel("SE + LIN", x, y, inducing=500, restarts=2)
    assert found.evidence.interval.width < 0.1


def test_impossible_sizes_are_refused_early():
    rng = np.random.default_rng(0)
    data = Dataset.of(rng.normal(size=3000), rng.normal(size=3000))
    with pytest.raises(OptionError, match="108 MB, 10 are allowed: use the inducing engine"):
        prepare(data, Config(engine="exact", memory=10))
    with pytest.raises(OptionError, match=r"3,000 inducing points .* use fewer"):
        prepare(data, Config(inducing=10**9, memory=100))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"engine": "magic"}, "engine must be one of"),
        ({"inducing": 0}, "at least 1"),
        ({"restarts": "many"}, "must be a number"),
        ({"slack": float("nan")}, "must be a number"),
        ({"colour": 1}, "no option 'colour'"),
    ],
)
def test_bad_options(options, says):
    with pytest.raises(OptionError, match=says):
        fit_kernel("SE", np.arange(9), np.arange(9) ** 2, **options)


def test_bad_kernels():
    x, y = wave(30)
    with pytest.raises(KernelError, match="the data have 1"):
        fit_kernel("SE2", x, y)
    with pytest.raises(KernelError, match="the data have 1"):
        fit_kernel(parse("SE2"), x, y)
    with pytest.raises(KernelError, match="every part"):
        evidence("SE(variance=1, lengthscale=1) + LIN", x, y, noise=1)
    with pytest.raises(KernelError, match="noise"):
        evidence("SE(variance=1, lengthscale=1)", x, y)
    with pytest.raises(KernelError, match="positive"):
        evidence("SE(variance=1, lengthscale=1)", x, y, noise=-1)


def test_loose_status_when_iterations_run_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = np.sin(3 * X).sum(axis=1)
    kernel = "SE1(variance=1, lengthscale=.3)*SE2(variance=1, lengthscale=.3)*SE3(variance=1, lengthscale=.3)"
    loose = evidence(kernel, X, y, noise=1e-3, inducing=5, iterations=1, slack=1e-6)
    assert loose.status is Status.LOOSE
    assert loose.interval.lower <= loose.exact <= loose.interval.upper
    tight = evidence(kernel, X, y, noise=1e-3, inducing=5, slack=1e-6)
    assert tight.status is Status.OK
    assert tight.interval.upper < loose.interval.upper


@pytest.mark.parametrize("preconditioner", ["nystrom", "fic", "pic", "none"])
@pytest.mark.parametrize("tighten", ["paper", "free", "moments"])
def test_every_way_to_certify(preconditioner, tighten):
    x, y = wave(150)
    kernel = "SE(variance=1, lengthscale=1) + LIN(variance=1, location=0)"
    found = evidence(kernel, x, y, noise=0.02, inducing=30, preconditioner=preconditioner, tighten=tighten)
    assert found.interval.lower <= found.exact + 1e-6
    assert found.exact <= found.interval.upper + 1e-6
    assert found.paper.lower <= found.interval.lower
    assert found.interval.upper <= found.paper.upper
    if tighten == "moments":
        assert found.interval.width < found.paper.width / 2
