"""Rewritings that must not change the kernel, counts that must equal the rank of its derivative, and units both ways."""

import numpy as np
import pytest
from hypothesis import given, settings

from cases import kernel, points, seeds, structure
from kernelscribe.kernels import Form, count, distribute, leaves, pack, parse, simplify, text, to_standard, to_user
from kernelscribe.kernels.bases import BASES, PAPER
from kernelscribe.kernels.gram import Numpy
from kernelscribe.scales import Affine
from kernelscribe.testing import evaluate


@pytest.mark.parametrize("kinds", [PAPER, tuple(BASES)], ids=["searched", "written"])
@given(seed=seeds)
@settings(max_examples=300)
def test_rewriting_keeps_the_kernel(kinds, seed):
    rng = np.random.default_rng(seed)
    expr = kernel(rng, 2, 6, kinds)
    X = points(rng, 9, 2, "irregular")
    K = evaluate(expr, X, X)
    scale = 1e-10 * np.abs(K).max()
    np.testing.assert_allclose(evaluate(simplify(expr), X, X), K, rtol=1e-9, atol=scale)
    np.testing.assert_allclose(sum(evaluate(part, X, X) for part in distribute(expr)), K, rtol=1e-9, atol=scale)
    assert simplify(simplify(expr)) == simplify(expr)


def test_simplify_merges_what_fades_and_nothing_else():
    assert text(simplify(parse("SE1*PER1*SE1*SE2"))) == "SE1*PER1*SE2"
    assert text(simplify(parse("SE*SE"))) == "SE1"
    assert text(simplify(parse("SE+SE"))) == "SE1 + SE1"
    merged = simplify(parse("SE(variance=2, lengthscale=3)*SE(variance=5, lengthscale=4)"))
    np.testing.assert_allclose(merged.values, (10, 12 / 5))
    assert text(simplify(parse("ROUGH*PER*ROUGH*SE*WALK*WALK*SPLINE*SPLINE"))) == "SE1*ROUGH1*PER1*WALK1*WALK1*SPLINE1*SPLINE1"
    merged = simplify(parse("ROUGH(variance=2, lengthscale=3)*ROUGH(variance=5, lengthscale=6)"))
    np.testing.assert_allclose(merged.values, (10, 2))
    merged = simplify(parse("STEP(variance=2, location=3)*STEP(variance=5, location=6)"))
    np.testing.assert_allclose(merged.values, (10, 6))


@pytest.mark.parametrize(
    ("kernel_text", "identified", "paper"),
    [
        ("SE", 3, 3),
        ("PER", 4, 4),
        ("SE*PER", 5, 6),
        ("SE*PER + LIN", 7, 8),
        ("SE*(PER + LIN)", 7, 8),
        ("(SE + PER)*(SE + LIN)", 9, 10),
        ("SE*SE", 3, 5),
        ("LIN + LIN", 4, 5),
        ("LIN + LIN + LIN", 4, 7),
        ("LIN1 + LIN2", 5, 5),
        ("ROUGH*PER", 5, 6),
        ("ROUGH*ROUGH", 3, 5),
        ("ROUGH + ROUGH", 5, 5),
        ("WALK", 3, 3),
        ("WALK + WALK", 3, 5),
        ("WALK1 + WALK2", 5, 5),
        ("SPLINE + SPLINE", 5, 5),
        # A place costs a parameter, though no climb moves it.
        ("STEP + KINK", 5, 5),
        ("STEP + STEP", 5, 5),
        ("STEP*STEP", 3, 5),
        ("SPELL", 4, 4),
        ("STEP*PER + LIN", 7, 8),
        ("SPLINE + SPLINE + SPLINE", 5, 7),
        ("WALK + SPLINE", 5, 5),
    ],
)
def test_counts(kernel_text, identified, paper):
    assert count(parse(kernel_text)) == identified
    assert count(parse(kernel_text), "paper") == paper


def rank(expr, seed):
    """The rank of the kernel's derivative with regard to its coordinates, by random cotangents at random values."""
    rng = np.random.default_rng(seed)
    form, theta = Form.of(expr), pack(expr)
    X = rng.normal(size=(60, 2)) * 1.5
    side, rows = form.side(X, theta), []
    for _ in range(3 * form.size + 5):
        bar, other = form.bar(60), form.bar(60)
        Numpy().adjoint(form, side, side, rng.normal(size=(60, 60)), bar, other)
        bar.a += other.a
        bar.phi += other.phi
        rows.append(form.pull(side, bar)[0])
    J = np.array(rows)
    J /= np.linalg.norm(J, axis=0)
    spectrum = np.linalg.svd(J, compute_uv=False)
    return int((spectrum > 1e-9 * spectrum[0]).sum())


@given(seeds)
@settings(max_examples=150)
def test_identified_count_is_the_rank_of_the_derivative(seed):
    """Piled-up LIN factors apart, whose polynomials have further coincidences that the rule does not chase."""
    rng = np.random.default_rng(seed)
    expr = structure(rng, 2, int(rng.integers(1, 5)))
    lines = sum(leaf.kind == "LIN" for leaf in leaves(expr))
    if lines > 1:
        return
    from dataclasses import replace

    from cases import values
    from kernelscribe.kernels.tree import with_leaves

    filled = with_leaves(expr, [replace(leaf, values=values(rng, leaf.kind)) for leaf in leaves(expr)])
    assert rank(filled, seed) + 1 == count(expr), text(expr)


@pytest.mark.parametrize("kind", ["ROUGH", "WALK", "SPLINE"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_identified_count_of_a_sum_of_equal_kernels_is_the_rank_of_the_derivative(kind, number):
    """Walks and bends begin before all points, as they do in every fit."""
    rng = np.random.default_rng(number)
    values = [(float(np.exp(rng.normal())), float(rng.uniform(0.3, 3.0))) for _ in range(number)]
    shown = [f"lengthscale={b}" if kind == "ROUGH" else f"location={-8 - b}" for _, b in values]
    expr = parse(" + ".join(f"{kind}(variance={a}, {b})" for (a, _), b in zip(values, shown, strict=True)))
    assert rank(expr, number) + 1 == count(expr)


@pytest.mark.parametrize("kinds", [PAPER, tuple(BASES)], ids=["searched", "written"])
@given(seed=seeds)
@settings(max_examples=300)
def test_units_both_ways(kinds, seed):
    """The kernel in user units on user data is the kernel on standardised data, scaled; and back again."""
    rng = np.random.default_rng(seed)
    expr = kernel(rng, 2, 5, kinds)
    inputs = [Affine(float(rng.normal() * 50), float(np.exp(rng.normal()))) for _ in range(2)]
    output = Affine(float(rng.normal() * 9), float(np.exp(rng.normal())))
    X = points(rng, 8, 2, "irregular")
    user_X = np.column_stack([each.centre + each.scale * X[:, d] for d, each in enumerate(inputs)])
    user = to_user(expr, inputs, output)
    K = evaluate(expr, X, X) * output.scale**2
    np.testing.assert_allclose(evaluate(user, user_X, user_X), K, rtol=1e-7, atol=1e-9 * np.abs(K).max())
    back = to_standard(user, inputs, output)
    for one, other in zip(leaves(expr), leaves(back), strict=True):
        np.testing.assert_allclose(one.values, other.values, rtol=1e-9, atol=1e-9)


def test_units_by_hand():
    expr = parse("SE(variance=2, lengthscale=0.5)*PER(variance=3, lengthscale=0.7, period=0.25) + LIN(variance=4, location=-1)")
    user = to_user(expr, [Affine(2000.0, 10.0)], Affine(5.0, 3.0))
    se, per, lin = leaves(user)
    np.testing.assert_allclose(se.values, (18, 5))
    np.testing.assert_allclose(per.values, (3, 0.7, 2.5))
    np.testing.assert_allclose(lin.values, (4 * 9 / 100, 1990))


def test_units_of_places_and_widths_by_hand():
    """The variance of a step is that of its size, a kink's that of the change of its slope."""
    expr = parse("STEP(variance=4, location=-1) + KINK(variance=4, location=0.5) + SPELL(variance=4, location=0, width=0.2)")
    inputs, output = [Affine(2000.0, 10.0)], Affine(5.0, 3.0)
    step, kink, spell = leaves(to_user(expr, inputs, output))
    np.testing.assert_allclose(step.values, (36, 1990))
    np.testing.assert_allclose(kink.values, (4 * 9 / 100, 2005))
    np.testing.assert_allclose(spell.values, (36, 2000, 2))
    back = leaves(to_standard(to_user(expr, inputs, output), inputs, output))
    for one, other in zip(leaves(expr), back, strict=True):
        np.testing.assert_allclose(one.values, other.values, rtol=1e-12, atol=1e-12)


def test_units_of_odd_degrees_by_hand():
    """The variance of a walk is that of its change over one unit of the input; a bend's is that of its slope."""
    expr = parse("WALK(variance=4, location=-1) + SPLINE(variance=4, location=-2) + ROUGH(variance=4, lengthscale=0.5)")
    rough, walk, spline = leaves(to_user(expr, [Affine(2000.0, 10.0)], Affine(5.0, 3.0)))
    np.testing.assert_allclose(walk.values, (4 * 9 / 10, 1990))
    np.testing.assert_allclose(spline.values, (4 * 9 / 1000, 1980))
    np.testing.assert_allclose(rough.values, (36, 5))
