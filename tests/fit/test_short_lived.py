"""Starts with what is short-lived."""

import math

import numpy as np
import pytest

from kernelscribe import Config, Dataset, parse
from kernelscribe.fit import ladder as module
from kernelscribe.fit.kernel import finish
from kernelscribe.fit.ladder import Ladder
from kernelscribe.fit.short_lived import short_lived
from kernelscribe.kernels import Form, leaves
from kernelscribe.search.moves import base_kernels, neighbours

N, ROWS = 4000, 2.0


@pytest.fixture(scope="module")
def ladder():
    """Something that lasts for some rows, a cycle that a smooth curve may follow too, and something slow."""
    rng = np.random.default_rng(0)
    x = np.arange(N, dtype=float)
    weights = np.exp(-(np.arange(-20, 21) ** 2) / ROWS**2)
    short = np.convolve(rng.normal(size=N + 40), weights / np.linalg.norm(weights), mode="valid")
    y = 1.5 * np.sin(2 * np.pi * x / 24) + 3 * np.sin(2 * np.pi * x / 1900) + short + 0.1 * rng.normal(size=N)
    return Ladder.of(Dataset.of(x, y), Config())


def rows(ladder, fit):
    """The shortest lengthscale, in rows."""
    return min(leaf.values[1] for leaf in leaves(fit.expr)) * (N - 1) / ladder.data.extents[0].span


def test_a_short_part_is_found_where_other_starts_lead_to_a_long_one(ladder, monkeypatch):
    found = ladder.screen(parse("SE"))
    fit = finish(ladder, parse("SE"), found)
    assert rows(ladder, fit) == pytest.approx(ROWS, rel=0.3)
    assert found.score <= fit.bic.upper + 0.01
    monkeypatch.setattr(module, "short_lived", lambda *_: None)
    without = ladder.screen(parse("SE"))
    assert found.score > without.score + 1000


def test_it_is_for_a_new_part_that_stands_by_itself_and_has_no_short_one_beside_it(ladder):
    span = ladder.data.extents[0].span
    for length, kernel, wanted in (
        (0.1, "SE1 + SE1", True),
        (11 / N, "SE1 + SE1", True),
        (9 / N, "SE1 + SE1", False),
        (0.1, "SE1*PER1", False),
        (0.1, "SE1 + PER1", False),
    ):
        parent = parse(f"SE(variance=1, lengthscale={length * span})")
        child = next(each for each in neighbours(parent, base_kernels(1), ("extend",)) if str(each) == kernel)
        u = np.zeros(Form.of(child).size + 1)
        u[1] = math.log(length * span)
        assert (short_lived(ladder.full, Form.of(child), u) is not None) == wanted, (length, kernel)
