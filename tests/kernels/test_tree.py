"""The language: text round trips, algebra laws on nested trees, and a parser that answers everything in words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import kernel, points, seeds, structure
from kernelscribe import KernelError
from kernelscribe.kernels import Form, Leaf, Product, Sum, leaves, pack, parse, text, unpack
from kernelscribe.kernels.language import LONGEST
from kernelscribe.testing import evaluate


@given(seeds)
@settings(max_examples=300)
def test_text_round_trip(seed):
    rng = np.random.default_rng(seed)
    expr = structure(rng, 4, int(rng.integers(1, 9)))
    assert parse(text(expr)) == expr
    assert text(parse(text(expr))) == text(expr)
    full = kernel(rng, 3)
    assert parse(text(full, values=True)) == full


@given(seeds)
@settings(max_examples=300)
def test_algebra_laws_on_nested_trees(seed):
    """Commutative, associative, distributive as Gram matrices; canonical text blind to order and brackets."""
    rng = np.random.default_rng(seed)
    a, b, c = (kernel(rng, 2, 3) for _ in range(3))
    X = points(rng, 7, 2, "irregular")
    K = {name: evaluate(expr, X, X) for name, expr in (("a", a), ("b", b), ("c", c))}
    assert text(a + b) == text(b + a)
    assert text(a * b) == text(b * a)
    assert text((a + b) + c) == text(a + (b + c))
    assert text((a * b) * c) == text(a * (b * c))
    np.testing.assert_allclose(evaluate(a * b + c, X, X), K["a"] * K["b"] + K["c"], rtol=1e-10)
    np.testing.assert_allclose(evaluate((a + b) * c, X, X), (K["a"] + K["b"]) * K["c"], rtol=1e-10)
    np.testing.assert_allclose(evaluate(a * c + b * c, X, X), evaluate((a + b) * c, X, X), rtol=1e-10)
    # The fault of GPJax#428 and #591: a product inside a sum that is flattened away.
    np.testing.assert_allclose(evaluate((a * b) + c + (a * c), X, X), K["a"] * K["b"] + K["c"] + K["a"] * K["c"], rtol=1e-10)


def test_a_shared_class_for_sum_and_product_would_be_noticed():
    a, b, c = Leaf("SE", 1), Leaf("PER", 1), Leaf("LIN", 1)
    assert type(a * b + c) is Sum
    assert len((a * b + c).args) == 2
    assert type((a + b) * c) is Product
    assert len(((a + b) * c).args) == 2
    assert len((a + b + c).args) == len((a * b * c).args) == 3


@given(seeds)
@settings(max_examples=100)
def test_pack_and_unpack(seed):
    expr = kernel(np.random.default_rng(seed), 3)
    theta = pack(expr)
    assert len(theta) == Form.of(expr).size
    again = unpack(expr, theta)
    for one, other in zip(leaves(expr), leaves(again), strict=True):
        np.testing.assert_allclose(one.values, other.values, rtol=1e-12)
    with pytest.raises(KernelError, match="parameters, got"):
        unpack(expr, np.append(theta, 0.0))


def test_order_is_canonical_and_inputs_may_be_left_out():
    assert text(parse("LIN2 + PER1*SE1")) == "SE1*PER1 + LIN2"
    assert text(parse("lin + per*se"), inputs=1) == "SE*PER + LIN"
    assert text(parse("SE × (PER + LIN)", inputs=1), inputs=1) == "SE*(PER + LIN)"


@pytest.mark.parametrize(
    ("bad", "inputs", "says"),
    [
        ("", None, "expected a base kernel"),
        ("SE +", None, "at the end"),
        ("SE * * PER", None, "expected a base kernel"),
        ("(SE + PER", None, r"expected '\)'"),
        ("SE PER", None, "expected the end"),
        ("RBF", None, "no base kernel 'RBF'"),
        ("SE0", None, "counted from 1"),
        ("SE5", 4, "the data have 4"),
        ("SE", 4, "say which one"),
        ("SE(variance=1)", None, "needs all of"),
        ("SE(variance=1, variance=2)", None, "once"),
        ("SE(variance=-1, lengthscale=1)", None, "must be positive"),
        ("SE(variance=x, lengthscale=1)", None, "expected a number"),
        ("__import__('os')", None, "expected a base kernel"),
        ("(" * 60 + "SE" + ")" * 60, None, "nested"),
        ("SE+" * LONGEST + "SE", None, "at most"),
    ],
)
def test_bad_text_is_answered_in_words(bad, inputs, says):
    with pytest.raises(KernelError, match=says):
        parse(bad, inputs=inputs)


@given(st.text(alphabet="SEPRLIN123+*×()=,. -e_variancelengthscale", max_size=40))
@settings(max_examples=500)
def test_parser_answers_any_text(text_):
    try:
        parse(text_)
    except KernelError as error:
        assert "\n" not in str(error)


def test_too_many_terms_are_refused():
    wide = parse("*".join(["(SE+PER+LIN)"] * 6))
    with pytest.raises(KernelError, match="terms"):
        Form.of(wide)


def test_leaves_check_their_values():
    with pytest.raises(KernelError, match="2 values"):
        Leaf("SE", 1, (1.0,))
    with pytest.raises(KernelError, match="finite"):
        Leaf("LIN", 1, (1.0, float("nan")))
    with pytest.raises(KernelError, match="at least two"):
        Sum((Leaf("SE"),))
    with pytest.raises(KernelError, match="no values yet"):
        pack(parse("SE"))
