"""Overtones beyond the tables are bounded by the rows."""

import math

import numpy as np
import pytest

from kernelscribe.engines.spectral import far_waves as beyond
from kernelscribe.engines.spectral.certificate import certified
from kernelscribe.engines.spectral.far_waves import far, saved
from kernelscribe.engines.spectral.features import unreached
from spectra import drawn, times

STEP = 3.4 / 299
# Cycles of some steps, so sharp that overtones lie far beyond what the sampling shows.
SHARP = [
    f"PER(1, 0.25, {3.1 * STEP})",
    f"PER(1, 0.3, {4.7 * STEP})*LIN(1, 0.4) + SE(1, 0.6)",
    f"PER(1, 0.3, {3.3 * STEP})*PER(1, 0.7, {7.9 * STEP}) + SE(0.5, 0.004)",
    f"PER(1, 0.3, {4.1 * STEP})*SE(1, 2.5)",
    f"PER(1, 0.3, {4.1 * STEP})*SE(1, 250) + SE(0.5, 0.1)",
]


@pytest.mark.parametrize("text", SHARP)
@pytest.mark.parametrize("s2", [1e-3, 0.1])
def test_the_truth_stays_inside_an_interval_that_is_narrower(text, s2, monkeypatch):
    problem = drawn(text, times("regular", 300), s2)
    exact, found = problem.exact, certified(problem.waves, problem.tables, problem.s2).interval
    assert found.lower <= exact <= found.upper
    monkeypatch.setattr(beyond, "_WORTH", math.inf)
    crude = certified(problem.waves, problem.tables, problem.s2).interval
    assert crude.lower == pytest.approx(found.lower, rel=1e-3)
    assert found.upper < crude.upper


@pytest.mark.parametrize("text", SHARP[1:])
def test_what_is_saved_is_the_difference_to_the_sum_itself(text):
    problem = drawn(text, times("irregular", 200), 0.1)
    tables, rng = problem.tables, np.random.default_rng(0)
    left = rng.normal(size=200)
    energy = 3.0
    alpha = left * math.sqrt(energy / (left @ left))
    crude = fine = 0.0
    for wave in problem.waves:
        if wave.cycles:
            xi, w = unreached(wave, tables, 1e-18, 2**20)
            P = np.polynomial.polynomial.polyval(tables.u, wave.polynomial)
            crude += w.sum() * (P**2).sum() * energy
            fine += w @ np.abs(np.exp(2j * np.pi * np.outer(xi, tables.u)) @ (P * alpha)) ** 2
    assert crude > fine > 0
    assert saved(far(problem.waves, tables), tables, energy, lambda: left) == pytest.approx(crude - fine, rel=1e-6)


def test_nothing_is_looked_at_where_nothing_is_at_stake():
    problem = drawn("PER(1, 2, 0.3) + SE(1, 0.5)", times("regular", 100), 0.1)
    assert saved(far(problem.waves, problem.tables), problem.tables, 100.0, lambda: pytest.fail("not needed")) == 0.0
