"""Models of statements: forecasts by dense algebra, backtests that know no future, and what components are worth."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from kernelscribe.fit.again import _settled, refitted, seen, target_of
from kernelscribe.fit.optimise import climb
from kernelscribe.links import LINKS
from kernelscribe.model.backtest import backtest
from kernelscribe.model.components import decompose
from kernelscribe.model.future import future
from kernelscribe.model.spread import spreads
from kernelscribe.noises import Changing, Constant, Growing
from kernelscribe.outcome import Presence
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.testing import evaluate
from spoken_parts import made
from told_models import fitted, told

NOISES = {"constant": Constant(0.05), "growing": Growing(0.05, 0.6), "changing": Changing(0.02, 0.2, 0.1, 0.05)}
TREND = (made("bend"), made("cycle", ("changing",)), made("rough"))


def dense(model, X):
    """Mean and standard deviation of g(target), with noise, by plain algebra on the standardised rows."""
    Z, rows = model.standard(X), model.data.X
    K = evaluate(model.expr, rows, rows) + np.diag(model.noise.diagonal(rows))
    cross = evaluate(model.expr, Z, rows)
    mean = cross @ np.linalg.solve(K, model.data.y)
    variance = evaluate(model.expr, Z, Z).diagonal() - np.einsum("ij,ji->i", cross, np.linalg.solve(K, cross.T))
    output = model.data.output
    return output.centre + output.scale * mean, output.scale * np.sqrt(variance + model.noise.diagonal(Z))


@pytest.mark.parametrize("noun", NOUNS)
@pytest.mark.parametrize(("link", "noise"), [("none", "constant"), ("log", "growing"), ("root", "changing")])
def test_forecasts_of_every_noun_are_those_of_plain_algebra(noun, link, noise):
    """Taken back through the link, bands and all."""
    model = told(made("line"), *([made(noun)] if noun != "line" else []), link=link, noise=NOISES[noise])
    X = np.append(future(model.inputs[:, 0], model.axes[0], 12), model.inputs[[3, 60], 0])[:, None]
    found, (mean, sd) = model.predict(X), dense(model, X)
    np.testing.assert_allclose(found.transformed, mean, rtol=1e-7, atol=1e-7 * np.abs(model.transformed).max())
    np.testing.assert_allclose(found.deviation, sd, rtol=1e-6)
    low, high = found.band(95)
    reach = norm.ppf(0.975) * sd
    np.testing.assert_allclose(low, LINKS[link].inverse(mean - reach), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(high, LINKS[link].inverse(mean + reach), rtol=1e-6, atol=1e-9)


def test_a_statement_fitted_again_is_at_the_top_of_its_own_target():
    model = told(*TREND)
    again = fitted(model)
    before = target_of(model.data, model.config, model.statement, model.noise)
    after = target_of(again.data, again.config, again.statement, again.noise)
    assert [part.held for part in again.statement.parts] == [part.held for part in model.statement.parts]
    gained = after(after.first)[0] - before(before.first)[0]
    assert gained > 0
    slope = after(after.first)[1] * after.scale(after.first)
    free = (after.first > after.box[:, 0] + 1e-6) & (after.first < after.box[:, 1] - 1e-6)
    assert np.abs(slope[free]).max() < 1


@pytest.mark.parametrize(("noun", "place"), [("step", 0.9), ("kink", 0.9), ("spell", 0.9)])
def test_what_is_yet_to_come_is_not_known(noun, place):
    statement = told(made("line"), made(noun, place=place)).statement
    x = np.linspace(-1.7, 1.7, 120)[:, None]
    assert [part.noun for part in seen(statement, x).parts] == ["line", noun]
    assert [part.noun for part in seen(statement, x[x[:, 0] < 0.7]).parts] == ["line"]


def jumped(*stretches, size=3.0):
    """A line and, within stretches of the standardised input, something as large as all else together."""
    parts = [made("step", place=low) if high == np.inf else spell(low, high) for low, high in stretches]
    model = told(made("line"), *parts, noisy=0.001)
    x, known = model.data.X[:, 0], [part.held for part in model.statement.parts[1:]]
    ends = [(held[0], np.inf) if len(held) == 1 else (held[0] - held[1] / 2, held[0] + held[1] / 2) for held in known]
    y = model.data.y + size * sum(((x >= low) & (x <= high)).astype(float) for low, high in ends)
    return fitted(replace(model, data=replace(model.data, y=y)))


def spell(low, high):
    (variance, *_), *_ = made("spell").values
    held = ((low + high) / 2, high - low)
    return replace(made("spell"), held=held, values=((variance, *held),))


@pytest.mark.parametrize(
    ("stretches", "hidden"),
    [
        ([(1.25, np.inf)], 4),  # rows 104 to 107 of the 96 to 107 that are forecast after 80 %
        ([(1.6, np.inf)], 4),  # 116 to 119
        ([(0.49, 0.56)], 3),  # 77 to 79, within what is forecast after 60 %: what follows is as before
        ([(0.89, 1.2)], 11),  # 91 to 95, where it begins after 70 %, and 102 to 107, where it ends after 80 %
        ([(1.25, np.inf), (0.49, 0.56)], 7),
    ],
)
def test_what_nobody_could_have_known_says_nothing_about_the_bands(stretches, hidden):
    """Neither what begins after a moment nor how long it lasts: those rows are left out, and forecasts are not the wider."""
    found = backtest(jumped(*stretches))
    assert found.refitted
    assert (found.unforeseeable, found.rows) == (hidden, 60 - hidden)
    assert found.widening < 1  # with the rows that are left out it is 3.5 to 200
    assert found.error < 2 * backtest(fitted(told(made("line"), noisy=0.001))).error


def test_a_jump_that_the_statement_does_not_tell_of_widens():
    model = jumped((1.25, np.inf))
    found = backtest(fitted(replace(model, statement=replace(model.statement, parts=model.statement.parts[:1]))))
    assert found.unforeseeable == 0
    assert found.widening > 0


@pytest.mark.parametrize("link", ["none", "log", "root"])
def test_bands_of_past_forecasts_hold_what_they_say(link):
    found = backtest(told(*TREND, link=link, n=200, seed=3))
    assert found.refitted
    assert 85 < dict(found.covered)[95.0] <= 100


def test_standard_errors_are_those_of_the_statement_s_own_target():
    """Against second differences of its value; what is held has none."""
    model = fitted(told(made("line"), made("cycle"), made("rough"), made("step"), n=150))
    target = target_of(model.data, model.config, model.statement, model.noise)
    at, step = target.first, 2e-3 * target.scale(target.first)
    eye = np.diag(step)
    H = np.array([[_second(target, at, a, b) for b in eye] for a in eye])
    covariance = np.linalg.inv(-H)
    free = {name: np.sqrt(covariance[i, i]) for i, name in enumerate(_names(target))}
    found = {
        (factor.kind, p.name): error
        for term, errors in zip(model.terms, spreads(model), strict=True)
        for factor, own in zip(term.factors, errors, strict=True)
        for p, error in zip(factor.base.parameters[-len(own) :], own, strict=True)
    }
    assert np.isnan(found["LIN", "location"])
    assert np.isnan(found["STEP", "location"])
    years = model.data.inputs[0].scale
    period = next(part.values[0][-1] for part in model.statement.parts if part.noun == "cycle")
    length = next(part.values[0][-1] for part in model.statement.parts if part.noun == "rough")
    assert found["CYCLE", "period"] == pytest.approx(free["CYCLE", "period"] * period * years, rel=0.02)
    assert found["ROUGH", "lengthscale"] == pytest.approx(free["ROUGH", "lengthscale"] * length * years, rel=0.02)


def _second(target, at, a, b):
    corners = target(at + a + b)[0] - target(at + a - b)[0] - target(at - a + b)[0] + target(at - a - b)[0]
    return corners / (4 * a.sum() * b.sum())


def _names(target):
    named = [(owner.kind, p.name) for owner in target.built.form.owners for p in owner.base.parameters]
    named += [("noise", p.name) for p in target.engine.noise.parameters]
    return [name for name, moves in zip(named, target.free, strict=True) if moves]


@pytest.mark.parametrize("seed", range(8))
def test_shares_are_from_nought_to_one_and_add_up_whatever_the_statement(seed):
    rng = np.random.default_rng(seed)
    nouns = rng.choice(list(NOUNS), size=4, replace=False)
    parts = [made(noun, ("changing",) if noun == "cycle" and seed % 2 else ()) for noun in nouns]
    found = decompose(told(*parts, n=80, seed=seed, link=("none", "log")[seed % 2]))
    shares = [each.share for each in found.components]
    assert all(0 <= share <= 1 for share in shares)
    assert sum(shares) == pytest.approx(found.explained, abs=1e-9)
    assert shares == sorted(shares, reverse=True)
    assert [0 <= each.rest <= 1 for each in found.components] == [True] * len(shares)


def test_what_the_evidence_demands_is_told_however_small_and_the_rest_if_it_is_large():
    """A cycle of a thousandth of the line's size, worth 20 nats or nothing; and a line that is there whatever it is worth."""
    model = told(made("line"), _small("cycle"), _small("rough"), noisy=1e-6)
    line, cycle, rough = model.statement.parts

    def nouns(*nats):
        presences = [Presence(part, each) for part, each in zip((line, cycle, rough), nats, strict=True) if each is not None]
        found = decompose(model, presences)
        assert len(found.minor) == 3 - len(found.components)
        return {
            part.noun: each.worth
            for each in found.components
            for part in model.statement.parts
            if each.worth in nats and (each.term.factors[0].kind == part.words[0].base.name)
        }

    assert nouns(50.0, 20.0, 3.0) == {"line": 50.0, "cycle": 20.0, "rough": 3.0}
    assert nouns(0.5, 0.9, 0.2) == {"line": 0.5}
    assert set(nouns(50.0, 1.5, -1.0)) == {"line", "cycle"}


def _small(noun):
    part = made(noun)
    (_, *others), *rest = part.values
    return replace(part, values=((2e-5, *others), *rest))


def test_without_presences_nothing_is_said_of_worth():
    assert {each.worth for each in decompose(told(*TREND)).components} == {None}


def test_values_from_other_rows_stay_within_what_those_rows_tell():
    """Of a tenth of the rows, lengths that were fitted to all of them are cut to size."""
    model = told(made("smooth"), n=150)
    statement, _ = refitted(model.data.rows(np.arange(30)), model.config, model.statement, model.noise)
    span = float(np.ptp(model.data.X[:30]))
    assert statement.parts[0].values[0][1] <= 0.25 * span * (1 + 1e-9)


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_values_from_some_of_the_rows_are_found_by_the_curvature_on_all(share):
    """As near to the top as a climb comes, in a fraction of its evaluations."""
    model = fitted(told(made("line"), made("cycle"), made("rough"), n=150))
    some = model.data.rows(np.arange(round(share * 150)))
    target = target_of(some, model.config, model.statement, model.noise)
    top = climb(target, target.first, target.box, steps=200, scale=target.scale(target.first))
    counted = Counted(target)
    found = _settled(counted, model.curved.of_fewer(target), model.config.effort)
    assert target(found)[0] > top.value - 0.05
    assert counted.count <= 8


class Counted:
    """A target that counts how often it is asked."""

    def __init__(self, target):
        self.target, self.count = target, 0

    def __getattr__(self, name):
        return getattr(self.target, name)

    def __call__(self, v):
        self.count += 1
        return self.target(v)


def test_where_a_component_is_not_known_yet_the_curvature_is_that_of_the_others():
    model = fitted(told(made("line"), made("step", place=1.0), n=150))
    some = model.data.rows(np.arange(75))
    known = seen(model.statement, some.X)
    target = target_of(some, model.config, known, model.noise)
    assert model.curved.of_fewer(target).shape == (len(target.first),) * 2
    assert refitted(some, model.config, known, model.noise, model.curved)[0].parts[0].noun == "line"


def test_wider_forecasts_keep_what_is_known_of_the_model():
    model = told(*TREND)
    posterior, curved = model.posterior, model.curved
    wider = model.widened(2.0)
    assert (wider.widening, model.widening) == (2.0, 0.0)
    assert wider.posterior is posterior
    assert wider.curved is curved
    beyond = model.inputs[-1:] + np.ptp(model.inputs)
    assert wider.predict(beyond).deviation > model.predict(beyond).deviation
