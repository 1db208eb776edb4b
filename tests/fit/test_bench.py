"""What a worker does with a statement: screened, polished, scored and scanned; against dense algebra, balls and quadrature."""

import math
import time
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate

from kernelscribe.config import Config
from kernelscribe.data.dataset import Dataset
from kernelscribe.errors import Status
from kernelscribe.fit.bench import Bench
from kernelscribe.fit.target import Target
from kernelscribe.noises import NOISES, Changing, Constant, Growing
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.plainness import choices
from kernelscribe.statements.statement import Statement
from kernelscribe.testing import evaluate
from oracle import precise
from told_data import DAYS, at, begun, held, series, told

WEEKLY = series(60)


def bench(data=WEEKLY, **options):
    return Bench.of(data, Config(**{"engine": "exact", **options}))


def starts(noun, setting, size=0.3, **more):
    """One statement with all its starts."""
    own = held(noun, setting)
    parts = [replace(begun(noun, setting), values=(values,)) for values in NOUNS[noun].starts(setting, size, own)]
    return tuple(Statement((part,), **more) for part in parts)


def fitted(statements, at_bench, noise=None, *, last=False):
    statements = statements if isinstance(statements, tuple) else (statements,)
    return at_bench.polish(statements[0], at_bench.screen(statements, noise), last=last)


def climbed(at_bench, fit):
    """The target at the values of a fit."""
    of = Target.of(at_bench.engine(fit.statement), fit.statement.built(at_bench.setting), fit.noise)
    return of, of.first


def dense(data, statement, noise):
    C = evaluate(statement.expr, data.X, data.X) + np.diag(noise.diagonal(data.X))
    n = len(data.y)
    return -0.5 * (data.y @ np.linalg.solve(C, data.y) + np.linalg.slogdet(C)[1] + n * math.log(2 * math.pi))


# Screening and polishing.


@pytest.mark.parametrize("noun", NOUNS)
def test_a_screened_start_is_no_worse_when_it_is_polished(noun):
    work = bench()
    statements = starts(noun, work.setting)
    screened = work.screen(statements, None)
    fit = work.polish(statements[0], screened)
    (point,) = screened.points
    of, top = climbed(work, fit)
    assert of(top)[0] >= of(np.array(point)[of.free])[0] - 1e-9
    last = work.polish(statements[0], screened, last=True)
    assert climbed(work, last)[0](climbed(work, last)[1])[0] >= of(top)[0] - 1e-3
    assert fit.usable and fit.evaluations > screened.evaluations > 0


@pytest.mark.parametrize("noun", ["smooth", "rough", "bend", "cycle"])
def test_screening_leaves_the_best_of_all_starts(noun):
    work = bench()
    statements = starts(noun, work.setting)
    assert len(statements) > 1
    together, each = work.screen(statements, None), [work.screen((statement,), None) for statement in statements]
    # Those that are behind may be left with fewer evaluations than alone, but the best is gone on with.
    assert together.score <= max(one.score for one in each) + 1e-9
    assert together.score >= sorted(one.score for one in each)[-1] - 2
    assert together.evaluations > len(statements)
    assert len(together.points) == 1


def test_a_polished_statement_is_at_its_top():
    """To within a hundredth of a nat, as far as slopes and curvature say."""
    work = bench()
    of, top = climbed(work, fitted(told("line", "cycle", setting=work.setting), work, last=True))
    assert np.abs(of(top)[1] * of.scale(top)).max() < 0.3
    rng = np.random.default_rng(0)
    for _ in range(30):
        other = np.clip(top + 0.1 * of.scale(top) * rng.normal(size=len(top)), *of.box.T)
        assert of(other)[0] <= of(top)[0] + 0.02


def test_what_is_held_is_the_same_in_the_fit():
    work = bench()
    statement = Statement((begun("cycle", work.setting), begun("spell", work.setting), begun("line", work.setting)))
    fit = fitted(statement, work)
    assert fit.statement.name == statement.name
    for old, new in zip(statement.parts, fit.statement.parts, strict=True):
        assert new.held == old.held
        assert new.values[0][len(new.values[0]) - len(new.held) :] == pytest.approx(old.held, rel=1e-12)
        assert new.values[0][0] != old.values[0][0]


def test_the_parents_noise_is_where_a_child_begins_and_another_kind_is_as_loud():
    work, parent = bench(), Constant(0.07)
    same = work.screen((told("line", setting=work.setting),), parent)
    other = work.screen((told("line", setting=work.setting),), Constant(50.0))
    assert same.points != other.points
    for kind in (Growing, Changing):
        fit = fitted(told("line", setting=work.setting, noise=kind.name), work, parent)
        assert fit.usable and isinstance(fit.noise, kind)


def test_an_engine_is_prepared_once_for_every_scale_and_noise():
    work = bench(data=Dataset.of(np.arange(40.0), 1 + np.arange(40.0) % 7, axes=DAYS))
    plain, wave = Statement(), told("line", "cycle", setting=work.setting)
    assert work.engine(plain) is work.engine(wave)
    kinds = [replace(plain, link=link, noise=noise) for link in ("none", "log") for noise in ("constant", "growing")]
    assert len({id(work.engine(each)) for each in kinds}) == 4
    assert [work.engine(each).data.link for each in kinds] == ["none", "none", "log", "log"]
    assert [work.engine(each).noise for each in kinds] == [Constant, Growing] * 2


# The certificate and the score.


@pytest.mark.parametrize("noun", NOUNS)
@pytest.mark.parametrize("engine", ["exact", "series"])
def test_the_certified_interval_holds_the_exact_evidence(noun, engine):
    """By balls, whose own rounding is enclosed; of the values as they are told."""
    data = series(14)
    work = bench(data, engine=engine)
    fit = fitted(starts(noun, work.setting), work)
    value = precise(fit.expr, data.X, data.y, fit.noise)
    assert fit.engine == engine
    assert fit.evidence.interval.lower <= value <= fit.evidence.interval.upper
    assert fit.evidence.interval.width < 0.01


@pytest.mark.parametrize("noise", NOISES)
def test_the_certified_interval_holds_whatever_the_noise(noise):
    data = series(14)
    work = bench(data)
    fit = fitted(told("line", "rough", setting=work.setting, noise=noise), work)
    value = precise(fit.expr, data.X, data.y, fit.noise)
    assert fit.noise.name == noise
    assert fit.evidence.interval.lower <= value <= fit.evidence.interval.upper


def positive(n=50, seed=2):
    rng, x = np.random.default_rng(seed), np.arange(float(n))
    return x, np.exp(0.03 * x + 0.3 * np.sin(2 * np.pi * x / 7) + 0.1 * rng.normal(size=n))


@pytest.mark.parametrize("nouns", [(), ("line",), ("line", "cycle")], ids=" ".join)
def test_a_logarithm_is_what_it_is_when_taken_by_hand_but_for_its_jacobian(nouns):
    x, y = positive()
    linked, by_hand = bench(Dataset.of(x, y, axes=DAYS)), bench(Dataset.of(x, np.log(y), axes=DAYS))
    statement = told(*nouns, setting=linked.setting)
    one, other = fitted(replace(statement, link="log"), linked), fitted(statement, by_hand)
    # Of values of spread one, d log y / dy = spread of y / (spread of log y · y).
    jacobian = math.fsum(np.log(y.std() / (np.log(y).std() * y)))
    assert one.evidence.interval.middle == pytest.approx(other.evidence.interval.middle + jacobian, abs=1e-6)
    # It was chosen from three scales.
    assert one.score.middle == pytest.approx(other.score.middle + jacobian - math.log(3), abs=1e-6)
    assert one.scales.link == "log"
    plain = fitted(statement, linked)
    assert plain.scales.link == "none"
    assert one.score.middle > plain.score.middle + 3


def test_the_score_is_the_interval_of_the_evidence_moved_as_a_whole():
    work = bench(engine="series")
    fit = fitted(told("line", "smooth", setting=work.setting), work)
    assert fit.score.width == pytest.approx(fit.evidence.interval.width, abs=1e-9)
    assert fit.bic.middle == pytest.approx(fit.evidence.interval.middle - 0.5 * 4 * math.log(60))


def log_posterior(work, statement, of):
    """log p(y|θ) + log p(θ) as a function of what is free, by dense algebra."""
    data = work.engine(statement).data

    def value(v):
        u = of.whole(np.asarray(v, dtype=float))
        own = of.built.at(u[: of.built.form.size])
        return dense(data, own, of.engine.noise_at(of.built.form, u)) + of.prior(u)[0]

    return value


def laplace(work, fit):
    """Laplace's evidence as the fit has it: its score without the choice of the statement."""
    return fit.score.middle + choices(fit.statement, len(work.data.y))


def hessian(f, v, step=1e-3):
    """By second differences of values."""
    n, H = len(v), np.zeros((len(v), len(v)))
    e = step * np.eye(n)
    for i in range(n):
        for j in range(n):
            H[i, j] = (f(v + e[i] + e[j]) - f(v + e[i] - e[j]) - f(v - e[i] + e[j]) + f(v - e[i] - e[j])) / (4 * step**2)
    return H


@pytest.mark.parametrize("nouns", [(), ("line",), ("drift",), ("step",), ("cycle",), ("line", "cycle")], ids=" ".join)
def test_the_score_is_laplaces_formula(nouns):
    """With the top, the densities and second differences of dense algebra."""
    work = bench(series(60, seed=3))
    fit = fitted(told(*nouns, setting=work.setting), work, last=True)
    of, top = climbed(work, fit)
    value = log_posterior(work, fit.statement, of)
    formula = value(top) + 0.5 * len(top) * math.log(2 * math.pi) - 0.5 * np.linalg.slogdet(-hessian(value, top))[1]
    assert fit.at_bound == ()
    assert laplace(work, fit) == pytest.approx(formula, abs=0.05)


def test_laplaces_evidence_is_the_integral_over_the_noise():
    work = bench(at(np.arange(40.0)))
    fit = fitted(Statement(), work, last=True)
    of, top = climbed(work, fit)
    value = log_posterior(work, fit.statement, of)
    mass, _ = integrate.quad(lambda t: math.exp(value([t]) - value(top)), *of.box[0], points=[top[0] - 1, top[0], top[0] + 1])
    assert laplace(work, fit) == pytest.approx(value(top) + math.log(mass), abs=0.02)


@pytest.mark.parametrize("noun", ["line", "drift", "step"])
def test_laplaces_evidence_is_about_the_integral_over_two_values(noun):
    """Of a size that one slope or one jump has to tell, the posterior is skewed: half a nat is what the normal is off by."""
    work = bench(series(60, seed=3))
    fit = fitted(told(noun, setting=work.setting), work, last=True)
    of, top = climbed(work, fit)
    assert len(top) == 2
    value = log_posterior(work, fit.statement, of)
    grids = [np.linspace(max(low, t - 9), min(high, t + 9), 91) for t, (low, high) in zip(top, of.box, strict=True)]
    # The noise is well known: a fine grid around it.
    grids[1] = np.linspace(top[1] - 1.5, top[1] + 1.5, 31)
    density = np.array([[math.exp(value([a, b]) - value(top)) for b in grids[1]] for a in grids[0]])
    mass = np.trapezoid(np.trapezoid(density, grids[1], axis=1), grids[0])
    assert laplace(work, fit) == pytest.approx(value(top) + math.log(mass), abs=0.5)


def test_a_value_that_the_data_say_nothing_of_costs_nothing():
    """A component that is all but nothing leaves its prior as it was: the integral is that without it."""
    work = bench(at(np.arange(60.0), seed=5))
    alone, more = fitted(Statement(), work, last=True), fitted(told("rough", setting=work.setting), work, last=True)
    assert laplace(work, more) < laplace(work, alone) + 1
    assert more.score.middle < alone.score.middle


# Scans, ends and time.


def test_what_a_fit_leaves_is_scanned():
    work = bench(series(120))
    seen = work.scan(fitted(told("line", setting=work.setting), work))
    week = work.setting.calendar[0]
    assert seen.calendar[0].values[0] == week
    assert seen.calendar[0].nats > 20
    after = work.scan(fitted(Statement((*told("line", setting=work.setting).parts, weekly(work))), work))
    assert {sight.values[0]: sight.nats for sight in after.calendar}[week] < 2


def weekly(work):
    week = work.setting.calendar[0]
    return replace(begun("cycle", work.setting), held=(week,), values=((0.3, 1.0, week),))


def test_a_value_that_ends_on_an_edge_is_named():
    x = np.arange(50.0)
    work = bench(Dataset.of(x, np.sin(x / 20) + 1e-7 * np.random.default_rng(0).normal(size=50), axes=DAYS))
    fit = fitted(told("smooth", setting=work.setting), work, last=True)
    of, top = climbed(work, fit)
    on_edge = [min(v - low, high - v) <= 1e-6 for v, (low, high) in zip(top, of.box, strict=True)]
    assert sum(on_edge) == len(fit.at_bound) >= 1
    assert {each.parameter for each in fit.at_bound} <= {"variance", "lengthscale"}


def test_a_bench_whose_time_is_over_comes_back_with_one_look():
    data = series(60)
    work = replace(Bench.of(data, Config(engine="exact")), end=time.monotonic() - 1)
    screened = work.screen(starts("smooth", work.setting), None)
    assert screened.status is Status.TIMEOUT
    assert screened.points and screened.evaluations <= 3
    fit = work.polish(starts("smooth", work.setting)[0], screened)
    assert fit.status is Status.TIMEOUT and fit.usable
    value = dense(data, fit.statement, fit.noise)
    assert fit.evidence.interval.lower <= value <= fit.evidence.interval.upper
