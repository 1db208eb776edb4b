"""The moves: what becomes of a kernel, by its text, and what its values become."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from cases import kernel, seeds
from kernelscribe import parse, simplify, text
from kernelscribe.kernels import leaves
from kernelscribe.kernels.form import MOST_TERMS, terms
from kernelscribe.kernels.laws import amplify, scale
from kernelscribe.search.moves import MOVES, base_kernels, drop, extend, neighbours, swap, switch
from kernelscribe.testing import evaluate

NESTED = "SE(variance=2, lengthscale=3)*(PER(variance=5, lengthscale=1, period=4) + LIN(variance=0.5, location=1))"
SE, PER, LIN = (leaf.values for leaf in leaves(parse(NESTED)))


def names(found, inputs=1):
    return [text(each, inputs=inputs) for each in found]


def test_base_kernels_on_every_input():
    assert names(base_kernels(2), 2) == ["SE1", "PER1", "LIN1", "SE2", "PER2", "LIN2"]
    assert all(leaf.values is None for leaf in base_kernels(2))
    assert names(base_kernels(3, (2,)), 3) == ["SE1", "LIN1", "SE2", "PER2", "LIN2", "SE3", "LIN3"]


def test_no_move_leads_to_a_cycle_where_none_is_looked_for():
    bases = base_kernels(2, (2,))
    for name in MOVES:
        assert not any("PER1" in text(each) for each in neighbours(parse("SE1*LIN2 + SE2"), bases, [name])), name
    assert names(switch(parse("SE1"), bases), 2) == ["LIN1"]


def test_extend_at_the_root_adds_and_multiplies():
    assert names(extend(parse("SE*PER"), base_kernels(1), "root")) == [
        "SE + SE*PER", "SE*SE*PER", "SE*PER + PER", "SE*PER*PER", "SE*PER + LIN", "SE*PER*LIN",
    ]  # fmt: skip


def test_extend_at_every_sub_expression_of_a_nested_kernel():
    """At the whole, at SE, at the bracket, and at each of the two inside it. What ×SE makes of an SE is the kernel itself."""
    assert names(neighbours(parse(NESTED), base_kernels(1), ["extend"])) == [
        "SE + SE*(PER + LIN)", "SE*(PER + LIN) + PER", "SE*PER*(PER + LIN)", "SE*(PER + LIN) + LIN", "SE*(PER + LIN)*LIN",
        "(SE + SE)*(PER + LIN)", "(SE + PER)*(PER + LIN)", "(SE + LIN)*(PER + LIN)",
        "SE*(SE + PER + LIN)", "SE*(PER + PER + LIN)", "SE*(PER + LIN + LIN)",
        "SE*(SE*PER + LIN)", "SE*(PER*PER + LIN)", "SE*(PER*LIN + LIN)",
        "SE*(SE*LIN + PER)", "SE*(PER + PER*LIN)", "SE*(PER + LIN*LIN)",
    ]  # fmt: skip
    root = names(neighbours(parse(NESTED), base_kernels(1), ["extend"], "root"))
    assert root == names(neighbours(parse(NESTED), base_kernels(1), ["extend"]))[:5]


def test_swap_takes_any_base_kernel_on_any_input():
    assert names(swap(parse("SE1"), base_kernels(2)), 2) == ["PER1", "LIN1", "SE2", "PER2", "LIN2"]
    assert names(neighbours(parse("SE1*PER2"), base_kernels(2), ["swap"]), 2) == [
        "PER1*PER2", "LIN1*PER2", "SE2*PER2", "PER2*PER2", "PER2*LIN2", "SE1", "SE1*PER1", "SE1*LIN1", "SE1*SE2", "SE1*LIN2",
    ]  # fmt: skip


def test_switch_stays_on_its_input():
    assert names(switch(parse("SE2"), base_kernels(2)), 2) == ["PER2", "LIN2"]
    assert names(neighbours(parse(NESTED), base_kernels(1), ["switch"])) == [
        "PER*(PER + LIN)", "(PER + LIN)*LIN", "SE*(SE + LIN)", "SE*(LIN + LIN)", "SE*(SE + PER)", "SE*(PER + PER)",
    ]  # fmt: skip


def test_drop_takes_away_every_part_of_every_sum_and_product():
    assert names(neighbours(parse(NESTED), base_kernels(1), ["drop"])) == ["PER + LIN", "SE", "SE*LIN", "SE*PER"]
    assert names(drop(parse("SE"), base_kernels(1))) == []
    assert names(neighbours(parse("PER + LIN*(PER + SE)"), base_kernels(1), ["drop"])) == [
        "PER", "(SE + PER)*LIN", "PER + LIN", "SE + PER + PER", "PER + PER*LIN", "SE*LIN + PER",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["extend", "swap", "switch"])
def test_what_is_old_keeps_its_values_and_what_is_new_has_none(name):
    for found in MOVES[name](parse(NESTED), base_kernels(1), "sub"):
        new = [leaf for leaf in leaves(found) if leaf.values is None]
        shapes = Counter(leaf.values[1:] for leaf in leaves(found) if leaf.values is not None)
        assert len(new) == 1
        assert not shapes - Counter(values[1:] for values in (SE, PER, LIN))
        assert sum(shapes.values()) == (3 if name == "extend" else 2)


def test_extend_changes_no_value_at_all():
    for found in extend(parse(NESTED), base_kernels(1)):
        assert sorted(leaf.values for leaf in leaves(found) if leaf.values) == sorted([SE, PER, LIN])


def test_a_factor_that_goes_leaves_its_size_behind():
    """2·SE × 3·PER without PER is 6·SE; a line counts with its mean square over standardised inputs, 1 + location²."""
    both = parse("SE(variance=2, lengthscale=1)*PER(variance=3, lengthscale=1, period=1)")
    assert [leaf.values[0] for found in drop(both, base_kernels(1)) for leaf in leaves(found)] == [6, 6]
    line = parse("LIN(variance=0.5, location=2)*SE(variance=2, lengthscale=1)")
    assert next(found for found in drop(line, base_kernels(1)) if found.kind == "SE").values == (5, 1)
    without = next(found for found in drop(parse(NESTED), base_kernels(1)) if text(found, inputs=1) == "PER + LIN")
    assert [leaf.values[0] for leaf in leaves(without)] == [10, 1]
    assert scale(without) == pytest.approx(scale(parse(NESTED)))


def test_a_summand_that_goes_leaves_nothing_behind():
    both = parse("SE(variance=2, lengthscale=1) + PER(variance=3, lengthscale=1, period=1)")
    assert [found.values[0] for found in drop(both, base_kernels(1))] == [3, 2]


def test_a_factor_that_is_replaced_leaves_its_size_to_its_partner():
    both = parse("SE(variance=2, lengthscale=1)*PER(variance=3, lengthscale=1, period=1)")
    found = next(each for each in swap(both, base_kernels(1)) if text(each, inputs=1) == "SE*LIN")
    assert [leaf.values for leaf in leaves(found)] == [(6, 1), None]


def test_the_papers_trap():
    """Kim & Teh report SE×PER + SE×(PER + LIN), whose last step no move at the root can make."""
    goal = simplify(parse("SE*PER + SE*(PER + LIN)"))
    path = ["SE", "SE*PER", "SE + SE*PER", "SE*PER + SE*PER", "SE*PER + SE*(PER + LIN)"]
    for here, there in pairwise(path):
        assert text(parse(there)) in [text(each) for each in neighbours(parse(here), base_kernels(1), ["extend"])], there
    # Whatever + B or × B makes of a kernel, dropping that B gives the kernel back.
    before = neighbours(goal, base_kernels(1), ["drop"])
    assert any(goal in neighbours(each, base_kernels(1), ["extend"]) for each in before)
    assert not any(goal in neighbours(each, base_kernels(1), ["extend"], "root") for each in before)


@given(seeds)
def test_neighbours_are_simple_unique_and_others(seed):
    rng = np.random.default_rng(seed)
    inputs = int(rng.integers(1, 4))
    expr = simplify(kernel(rng, inputs, 4))
    found = neighbours(expr, base_kernels(inputs), list(MOVES))
    texts = [text(each) for each in found]
    assert len(set(texts)) == len(texts)
    assert text(expr) not in texts
    assert texts == [text(simplify(each)) for each in found]
    assert all(terms(each) <= MOST_TERMS for each in found)
    assert texts == [text(each) for each in neighbours(expr, base_kernels(inputs), list(MOVES))]
    assert {text(each) for each in neighbours(expr, base_kernels(inputs), ["extend"], "root")} <= set(texts)
    assert {text(each) for each in neighbours(expr, base_kernels(inputs), ["switch"])} <= {
        text(each) for each in neighbours(expr, base_kernels(inputs), ["swap"])
    }


@given(seeds)
def test_amplify_and_scale(seed):
    """amplify multiplies k(x, x) everywhere; the scale is its mean, exactly so where no LIN is in a product."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 2))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    expr = kernel(rng, 2, 4)
    before = np.diag(evaluate(expr, X, X))
    np.testing.assert_allclose(np.diag(evaluate(amplify(expr, 3.0), X, X)), 3 * before)
    assert scale(amplify(expr, 3.0)) == pytest.approx(3 * scale(expr))
    if all(leaf.kind != "LIN" for leaf in leaves(expr)):
        assert scale(expr) == pytest.approx(before.mean())


def test_scale_of_a_line_and_of_nothing():
    x = np.linspace(-1, 1, 50)
    x = ((x - x.mean()) / x.std())[:, None]
    line = parse("LIN(variance=0.5, location=2)")
    assert scale(line) == pytest.approx(np.diag(evaluate(line, x, x)).mean())
    assert scale(parse("SE")) == 1
    assert amplify(parse("SE"), 7) == parse("SE")
