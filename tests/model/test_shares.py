"""Shares of the variance: what they are where it is plain, and what they never are."""

import numpy as np
import pytest

from kernelscribe.model.shares import divided

T = np.linspace(-1, 1, 200)


def test_components_apart_get_their_own_variance():
    waves = np.column_stack([3 * np.sin(5 * np.pi * T), np.cos(5 * np.pi * T)])
    assert divided(waves, 0.8) == pytest.approx([0.72, 0.08], abs=1e-3)


def test_what_says_the_same_shares_alike_and_leaves_others_theirs():
    """However large: two lines that all but take each other back do not hide the cycle beside them."""
    cycle = np.cos(5 * np.pi * T)
    found = divided(np.column_stack([1000 * T, -999.5 * T, cycle]), 1.0)
    line = (0.5 * T).var()
    assert found[2] == pytest.approx(cycle.var() / (cycle.var() + line), abs=1e-3)
    assert found[0] == pytest.approx(found[1], abs=1e-3)


@pytest.mark.parametrize("count", [1, 2, 5, 6, 7, 12])
@pytest.mark.parametrize("seed", range(5))
def test_shares_are_never_negative_add_up_and_do_not_depend_on_the_order(count, seed):
    rng = np.random.default_rng(seed)
    means = rng.normal(size=(60, count)) @ rng.normal(size=(count, count)) * 10.0 ** rng.uniform(-4, 4, size=count)
    found = divided(means, 0.9)
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(0.9, abs=1e-12)
    if count <= 6:  # of more, only some orders are tried
        order = rng.permutation(count)
        assert divided(means[:, order], 0.9) == pytest.approx(found[order], abs=1e-7)


def test_what_does_not_move_and_what_moves_in_vain_can_be_shared():
    assert divided(np.zeros((5, 2)), 0.0).tolist() == [0, 0]
    assert divided(np.zeros((5, 0)), 0.0).tolist() == []
    assert divided(np.column_stack([T, -T]), 0.0).tolist() == [0, 0]
    assert divided(np.column_stack([T, np.zeros(200)]), 0.5) == pytest.approx([0.5, 0])
