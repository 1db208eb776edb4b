"""What a statement's fit climbs: its slope against differences, and what it is made of against dense algebra."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kernelscribe.config import Config
from kernelscribe.engines.choose import prepare
from kernelscribe.fit.target import Target
from kernelscribe.noises import NOISES, Constant
from kernelscribe.statements.adjectives import ADJECTIVES
from kernelscribe.statements.nouns import NOUNS
from kernelscribe.statements.statement import Statement
from kernelscribe.testing import evaluate
from told_data import DATA, SETTINGS, begun, told

NAME = "plain"
DATUM, SETTING = DATA[NAME], SETTINGS[NAME]
CALM = {"constant": (0.3,), "growing": (0.3, 0.2), "changing": (0.2, 0.5, 0.1, 0.3)}


def target(statement, engine="exact"):
    built = statement.built(SETTING)
    prepared = prepare(DATUM, Config(engine=engine, noise=statement.noise), built.form)
    return Target.of(prepared, built, NOISES[statement.noise].of(CALM[statement.noise]))


def dense(statement, noise):
    C = evaluate(statement.expr, DATUM.X, DATUM.X) + np.diag(noise.diagonal(DATUM.X))
    n = len(DATUM.y)
    return -0.5 * (DATUM.y @ np.linalg.solve(C, DATUM.y) + np.linalg.slogdet(C)[1] + n * math.log(2 * math.pi))


def differences(of, v, step=2e-5):
    found = []
    for i in range(len(v)):
        aside = step * of.scale(v)[i] * np.eye(len(v))[i]
        found.append((of(v + aside)[0] - of(v - aside)[0]) / (2 * aside[i]))
    return np.array(found)


def inside(of, v):
    """A place near v that is on no edge."""
    low, high = of.box.T
    return np.clip(v, low + 0.03 * (high - low), high - 0.03 * (high - low))


@pytest.mark.parametrize("noun", NOUNS)
@pytest.mark.parametrize("engine", ["exact", "series"])
def test_slopes_are_those_of_differences_for_every_noun(noun, engine):
    of = target(told(noun, setting=SETTING), engine)
    v = inside(of, of.first)
    np.testing.assert_allclose(of(v)[1], differences(of, v), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("adjective", ADJECTIVES)
@pytest.mark.parametrize("fixed", [True, False])
def test_slopes_are_those_of_differences_for_every_adjective(adjective, fixed):
    part = begun("cycle", SETTING, fixed=fixed)
    own = ADJECTIVES[adjective].starts(SETTING, 1.0, ())[0]
    of = target(Statement((replace(part, adjectives=(adjective,), values=(part.values[0], own)),)))
    v = inside(of, of.first)
    np.testing.assert_allclose(of(v)[1], differences(of, v), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("engine", ["exact", "series"])
def test_slopes_are_those_of_differences_for_every_noise(noise, engine):
    of = target(told("line", "rough", setting=SETTING, noise=noise), engine)
    v = inside(of, of.first)
    np.testing.assert_allclose(of(v)[1], differences(of, v), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("nouns", [(), ("line",), ("bend", "cycle"), ("drift", "step", "rough")], ids=" ".join)
@pytest.mark.parametrize("noise", NOISES)
def test_the_value_is_the_evidence_and_the_densities_of_what_is_free(nouns, noise):
    statement = told(*nouns, setting=SETTING, noise=noise)
    of = target(statement)
    own = NOISES[noise].of(CALM[noise])
    prior = of.prior(of.start)[0]
    slots = [(slot.density, u) for slot, u in zip(of.built.slots, of.start, strict=False) if slot.density is not None]
    assert of(of.first)[0] == pytest.approx(dense(statement, own) + prior, abs=1e-6)
    assert prior - math.fsum(density(float(u))[0] for density, u in slots) == pytest.approx(_noise_prior(of, own), abs=1e-9)


def _noise_prior(of, noise):
    """That of the noise alone: of a statement that has nothing else."""
    level = Statement(noise=of.built.statement.noise)
    alone = Target.of(of.engine, level.built(SETTING), noise)
    return alone.prior(alone.start)[0]


def test_the_density_of_noise_is_proper():
    of = target(Statement())
    v = np.linspace(-40, 40, 80_001)
    density = np.exp([of.prior(of.whole(np.array([each])))[0] for each in v])
    assert np.trapezoid(density, v) == pytest.approx(1, abs=1e-6)


def test_what_is_held_stays_where_it_is_wherever_the_rest_goes():
    statement = Statement((begun("cycle", SETTING), begun("spell", SETTING), begun("line", SETTING)))
    of, rng = target(statement), np.random.default_rng(0)
    held = ~of.free
    assert held.sum() == 1 + 1 + 2 + 1  # the level, a period, a middle and a width, and where the line is zero
    for _ in range(5):
        v = rng.uniform(*of.box.T)
        assert (of.whole(v)[held] == of.start[held]).all()
        assert (of.whole(v)[of.free] == v).all()
    assert len(of.first) == len(of.box) == len(of.scale(of.first)) == of.free.sum()


def test_a_step_in_a_period_goes_only_as_far_as_cycles_stay_in_step():
    """Over the whole data, the phase at the ends moves by a part of a period."""
    free = target(Statement((begun("cycle", SETTING, fixed=False),)))
    period = free.built.statement.parts[0].values[0][-1]
    i = int(np.argmin(free.scale(free.first)))
    assert free.first[i] == pytest.approx(math.log(period))
    cycles = SETTING.extent.span / period
    assert cycles * free.scale(free.first)[i] < 0.5
    assert (np.delete(free.scale(free.first), i) == 1).all()


def test_noise_is_a_part_of_what_is_climbed():
    of = target(Statement())
    assert len(of.first) == 1
    quiet, loud = of(np.log([0.01]))[0], of(np.log([1.0]))[0]
    assert loud - quiet == pytest.approx(
        dense(Statement(), Constant(1.0)) + of.prior(of.whole(np.log([1.0])))[0]
        - dense(Statement(), Constant(0.01)) - of.prior(of.whole(np.log([0.01])))[0]
    )  # fmt: skip
